"""The record of what was done in a study, by whom, when and why. Rows are only ever added."""

from dataclasses import dataclass, replace

from sqlalchemy import Connection, insert, select

from assay.store.tables import action, annotator


@dataclass(frozen=True, slots=True)
class By:
    """Who does something in which study, when, and why."""

    study_id: int
    who: str
    at: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """Something that was done."""

    at: int
    by: str
    what: str
    annotator: str
    about: str
    reason: str


def record(connection: Connection, by: By, what: str, annotator_id: int | None = None, about: str = "") -> None:
    """Add an act to the record: what was done, by whom and why."""
    row = {"study_id": by.study_id, "at": by.at, "by": by.who, "what": what, "annotator_id": annotator_id}
    connection.execute(insert(action).values({**row, "about": about, "reason": by.reason}))


WORDS_TO_SOMEBODY = ("note", "message")
PRINTED = ("exclude", "pass gate")
"""Acts about a person whose reason the report prints."""


def entries(
    connection: Connection, study_id: int, most: int = 1000, *, for_coordinators: bool = True
) -> list[RecordEntry]:
    """What was done in a study, the newest first; for others without what was written about people, and why."""
    columns = (action.c.at, action.c.by, action.c.what, annotator.c.name, action.c.about, action.c.reason)
    rows = connection.execute(
        select(*columns)
        .outerjoin(annotator, annotator.c.id == action.c.annotator_id)
        .where(action.c.study_id == study_id)
        .order_by(action.c.id.desc())
        .limit(most)
    )
    found = [RecordEntry(at, who, what, name or "", about, reason) for at, who, what, name, about, reason in rows]
    return found if for_coordinators else [_without_words(each) for each in found]


def _without_words(entry: RecordEntry) -> RecordEntry:
    if not entry.annotator:
        return entry
    about = "" if entry.what in WORDS_TO_SOMEBODY else entry.about
    return replace(entry, about=about, reason=entry.reason if entry.what in PRINTED else "")
