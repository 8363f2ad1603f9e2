"""Put a changed study into force."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Reason, Who, database_for, folder_of, note_new_name, now, who_acts

Minor = Annotated[
    bool,
    typer.Option(
        "--minor",
        help="A typo: nobody reads anything again. Refused where a scale, a rule, a question or the consent changes.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what has changed and what follows, and change nothing.")]


def run(
    where: Folder = Path(),
    minor: Minor = False,
    reason: Reason = "",
    who: Who = "",
    dry_run: DryRun = False,
    database: Database = None,
) -> None:
    """Put a changed study file into force although work has begun. Old judgments keep their own version."""
    from assay import acts
    from assay.acts.new_version import pay_below_floor
    from assay.judgments.study_changes import study_changes
    from assay.store import open_store
    from assay.store.annotator import versions
    from assay.store.coordinator import studies
    from assay.study import load

    study = load(where)
    with database_for(where, database, dry_run) as address, closing(open_store(address)) as store:
        note_new_name(store, study.study)
        before = store.read(versions.in_force, study.study)
        if before is not None:
            _say("What has changed:", map(str, study_changes(before, study)))
            _say("What follows:", store.read(acts.effects_of_publishing, before, study, minor=minor))
        published = store.write(
            acts.publish, who_acts(who), study, folder_of(where), now(), even_if_begun=True, minor=minor, reason=reason
        )
        count = store.read(studies.version_count, published.id)
        if before is None:
            _say("What follows:", store.read(pay_below_floor, published.id, study))
    if dry_run:
        print(f"{study.study}: nothing was changed.")
    else:
        print(f"{study.study}: version {study.hash[:12]} is in force ({count} so far).")


def _say(heading: str, sentences: Iterable[str]) -> None:
    for number, sentence in enumerate(sentences):
        if number == 0:
            print(heading)
        print(f"  - {sentence}")
