"""The imports of a study: what came in when, by whom and from which files, and what was taken back."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Integer, cast, func, insert, select, update

from assay.errors import AssayError
from assay.frozen_json import to_json as as_json
from assay.items.run_facts import RunFacts
from assay.store.coordinator.record import By
from assay.store.engine.json_text import to_json
from assay.store.tables import WITHDRAWN, WORK, action, import_, is_in_study, item, submission

TAKE_BACK = "take import back"
"""What the record calls it."""
IN_PLACE = "of them in the place of earlier ones"
UNDONE = re.compile(rf"(?P<number>\d+): .*, (?P<replaced>[\d,]+) {IN_PLACE}")
"""What the record says of an import that replaced something, when it is taken back."""


@dataclass(frozen=True, slots=True)
class ImportEntry:
    """What came in at one time."""

    number: int
    at: int
    by: str
    files: tuple[str, ...]
    items: int
    duplicates: int
    judged: int
    annotators: tuple[str, ...]
    undone_at: int | None = None
    undone_by: str = ""
    undone_reason: str = ""
    replaced: int = 0
    """How many of the judged items stand in the place of what an earlier import said."""

    @property
    def content(self) -> str:
        """What came in, in words."""
        counts = ((self.items, "item"), (self.duplicates, "duplicate"), (self.judged, "judged item"))
        instead = f", {self.replaced:,} {IN_PLACE}" if self.replaced else ""
        said = [f"{count:,} {thing}{'' if count == 1 else 's'}" for count, thing in counts if count]
        who = f" by {', '.join(self.annotators)}" if self.annotators else ""
        return ", ".join(said) + who + instead

    @property
    def in_record(self) -> str:
        """How the record names it."""
        return f"{self.number}: {self.content}"


COLUMNS = [column for column in import_.columns if column.name not in ("study_id", "runs")]


# Any unused number will do. It is not a lock of the study's row, so that work goes on during an import.
IMPORTS = 0x696D70


def lock(connection: Connection, study_id: int) -> None:
    """Lock the list of imports until the transaction ends: imports and their undoing run one after the other."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(cast(IMPORTS, Integer), cast(study_id, Integer))))


def next_number(connection: Connection, study_id: int) -> int:
    """The number of the import that begins now."""
    lock(connection, study_id)
    last = select(func.coalesce(func.max(import_.c.number), 0)).where(import_.c.study_id == study_id)
    return int(connection.execute(last).scalar_one()) + 1


def keep(connection: Connection, study_id: int, done: ImportEntry, runs: Mapping[str, RunFacts]) -> None:
    """Keep what an import brought, and how the judges were run whose judgments came with it."""
    row = {column.name: getattr(done, column.name) for column in COLUMNS}
    row |= {"study_id": study_id, "files": to_json(list(done.files)), "annotators": to_json(list(done.annotators))}
    row["runs"] = to_json({judge: as_json(facts) for judge, facts in runs.items()})
    connection.execute(insert(import_).values(row))


def entries(connection: Connection, study_id: int) -> list[ImportEntry]:
    """The imports of a study, the newest first."""
    rows = connection.execute(
        select(*COLUMNS).where(import_.c.study_id == study_id).order_by(import_.c.number.desc())
    ).mappings()
    came = (submission.c.study_id == study_id, submission.c.import_number.is_not(None), submission.c.revision > 1)
    again = (
        select(submission.c.import_number, func.count().label("times"))
        .where(*came)
        .group_by(submission.c.import_number)
    )
    replaced = _replacements_before_undoing(connection, study_id)
    replaced |= {row.import_number: row.times for row in connection.execute(again)}
    return [
        ImportEntry(
            **{**row, "files": tuple(json.loads(row.files)), "annotators": tuple(json.loads(row.annotators))},
            replaced=replaced.get(row.number, 0),
        )
        for row in rows
    ]


def _replacements_before_undoing(connection: Connection, study_id: int) -> dict[int, int]:
    """How many judgments each undone import had replaced, from the record: the judgments themselves are deleted."""
    said = select(action.c.about).where(action.c.study_id == study_id, action.c.what == TAKE_BACK)
    found = (UNDONE.fullmatch(about) for about in connection.execute(said).scalars())
    return {int(each["number"]): int(each["replaced"].replace(",", "")) for each in found if each}


def entry(connection: Connection, study_id: int, number: int) -> ImportEntry:
    """One import by its number."""
    found = [each for each in entries(connection, study_id) if each.number == number]
    if not found:
        raise AssayError(f"there is no import {number}", "`assay import --list` lists them")
    return found[0]


def items_without_number(connection: Connection, study_id: int) -> int:
    """How many items came in before imports had numbers."""
    of_work = (is_in_study(study_id), item.c.series.in_((WORK, WITHDRAWN)), item.c.import_number.is_(None))
    return int(connection.execute(select(func.count()).select_from(item).where(*of_work)).scalar_one())


def mark_undone(connection: Connection, by: By, number: int) -> None:
    """Keep that an import was taken back, by whom and why."""
    one = (import_.c.study_id == by.study_id, import_.c.number == number)
    undone = {"undone_at": by.at, "undone_by": by.who, "undone_reason": by.reason}
    connection.execute(update(import_).where(*one).values(undone))
