"""Erase people whose time is over."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json, Who, by, note, now, open_study, plural, print_json


def run(
    where: Folder = Path(),
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say who would be erased and when, and do nothing.")
    ] = False,
    who: Who = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Erase everybody in a study that was closed as long ago as `privacy.delete_people_after_days` says.

    Each is erased as by `assay erase`; judgments stay or go as `privacy.on_erasure` says. A running server does it by
    itself, every day. While the study is open, or its time is not over, nothing is done.
    """
    from assay import acts
    from assay.acts.erasures import older_files
    from assay.acts.retention import need_retention
    from assay.exchange import as_time
    from assay.store.annotator.names import names_apart

    with open_study(where, database) as at:
        found = need_retention(at.store.read(acts.retention, at.study_id, at.study))
        due = found.is_due(now())
        called = at.store.read(names_apart, at.study_id)
        done = acts.retain(at.store, by(at, "", who), at.study) if due and not dry_run else 0
        older = older_files(at.store) if done else []
    if as_json:
        when = None if found.due_at is None else as_time(found.due_at)
        files = [{"file": str(each.path), "made_at": as_time(each.made_at)} for each in older]
        print_json({"people": len(found.people), "due_at": when, "is_due": due, "erased": done, "older_files": files})
        return
    if found.due_at is None:
        print(f"The study is not closed: its people are erased {plural(found.days, 'day')} after it is.")
    elif done:
        print(f"{plural(done, 'person').replace('persons', 'people')} erased.")
    elif not found.people:
        print("Nobody is left to be erased.")
    else:
        when = "now" if due else f"on {as_time(found.due_at)[:10]}"
        people = sorted(called.get(each, each) for each in found.people)
        print(f"{len(people)} to be erased {when}: {', '.join(people)}.")
    for each in older:
        note(f"This file of {as_time(each.made_at)[:16].replace('T', ' ')} (UTC) still knows them: {each.path}")
