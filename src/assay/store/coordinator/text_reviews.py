"""Free texts of annotators, and whether somebody who has read them lets them through into anonymised exports."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from assay.errors import AssayError
from assay.model import PRACTICE, Slot
from assay.store.coordinator.record import By
from assay.store.tables import item, judgment, submission, text_review


@dataclass(frozen=True, slots=True)
class FreeText:
    """What somebody wrote, without who it was."""

    key: str
    item: str
    dimension: str
    words: str
    passed: bool | None
    """Whether it is let through; None: nobody has decided."""


def free_texts(connection: Connection, study_id: int, dimensions: Collection[str]) -> list[FreeText]:
    """Every free text of a study, practice left out, in an order that says nothing of who wrote it."""
    decided = reviews(connection, study_id)
    rows = connection.execute(
        select(judgment, item.c.name)
        .join(submission, submission.c.id == judgment.c.submission_id)
        .join(item, item.c.id == submission.c.item_id)
        .where(submission.c.study_id == study_id, submission.c.source != PRACTICE)
        .where(judgment.c.dimension.in_(sorted(dimensions)))
        .order_by(judgment.c.submission_id, judgment.c.dimension, judgment.c.side, judgment.c.entry)
    )
    found = []
    for row in rows:
        words = json.loads(row.value)
        key = f"{row.submission_id}/{Slot(row.dimension, row.side, row.entry).key}"
        if words:
            found.append(FreeText(key, row.name, row.dimension, str(words), decided.get(key)))
    return found


def reviews(connection: Connection, study_id: int) -> dict[str, bool]:
    """What was decided, by the text's key."""
    rows = connection.execute(select(text_review.c.key, text_review.c.passed).where(text_review.c.study_id == study_id))
    return {row.key: row.passed for row in rows}


def decide(connection: Connection, by: By, known: Collection[str], passed: Iterable[str], held: Iterable[str]) -> int:
    """Let some texts through and hold others back, in place of earlier decisions. Returns how many."""
    decided = dict.fromkeys(held, False) | dict.fromkeys(passed, True)
    for key in decided:
        if key not in known:
            raise AssayError(f"there is no free text {key[:100]!r}", "`assay texts --json` lists them with their keys")
    for key, let in decided.items():
        connection.execute(delete(text_review).where(text_review.c.study_id == by.study_id, text_review.c.key == key))
        row = {"study_id": by.study_id, "key": key, "passed": let, "by": by.who, "at": by.at}
        connection.execute(insert(text_review).values(row))
    return len(decided)
