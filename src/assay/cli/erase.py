"""Erase a person."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json, Who, by, note, open_study, print_json
from assay.errors import AssayError


def run(
    name: Annotated[str, typer.Argument(help="Who is to be erased: the name, the pseudonym, or the panel's id.")],
    where: Folder = Path(),
    keep: Annotated[
        bool | None,
        typer.Option(
            "--keep-judgments/--delete-judgments",
            help="Whether the judgments stay, without free texts and under no name; else as the study declares.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do it without asking.")] = False,
    who: Who = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Erase a person: name, panel's ids, free texts, messages, links and drafts, everywhere. It cannot be undone.

    What they judged stays or goes as `privacy.on_erasure` of the study says. Afterwards nothing of it is left in the
    database's files; older backups are named, since they still know the person. A backup that is restored later has
    the person erased again.
    """
    from assay import acts
    from assay.acts.erasures import older_files
    from assay.exchange import as_time
    from assay.store.coordinator.arrivals import panel_people

    with open_study(where, database) as at:
        people = at.store.read(panel_people, at.study_id)
        found = next((each.annotator for each in people.values() if each.said.person == name), name)
        stays = at.study.privacy.on_erasure == "keep" if keep is None else keep
        if not yes:
            what = "their judgments stay, without free texts and under no name" if stays else "their judgments go, too"
            if not typer.confirm(f"Erase {name}: {what}. This cannot be undone. Go on?", default=False, err=True):
                raise AssayError("nobody was erased")
        done = acts.erase(at.store, by(at, "", who), at.study, found, keep=stays)
        older = older_files(at.store)
    if as_json:
        print_json(
            {
                "key": done.erasure.key,
                "kept": done.erasure.kept,
                "left_to_do": done.left_to_do,
                "backups": [str(each.path) for each in older],
                "older_files": [{"file": str(each.path), "made_at": as_time(each.made_at)} for each in older],
            }
        )
        return
    print(f"Erased. In the record and in the list of erasures the person is {done.erasure.key}, and nothing else.")
    if done.left_to_do:
        note(f"Left to do: {done.left_to_do}.")
    for each in older:
        note(f"This file of {as_time(each.made_at)[:16].replace('T', ' ')} (UTC) still knows the person: {each.path}")
