"""What an automated judge is shown: the items as people see them. Cannot reach what is hidden of them."""

import json
from typing import Any

from sqlalchemy import Connection, select

from assay.store.annotator.names import is_called
from assay.store.tables import WORK, annotator, is_in_study, item, picture, submission


def items_shown(connection: Connection, study_id: int) -> list[tuple[str, dict[str, Any]]]:
    """Every item that is to be judged, with what is shown of it, in the order in which they came in."""
    mine = (is_in_study(study_id), item.c.series == WORK)
    rows = connection.execute(select(item.c.name, item.c.shown).where(*mine).order_by(item.c.id))
    return [(row.name, json.loads(row.shown)) for row in rows]


def media_types(connection: Connection, study_id: int) -> dict[str, str]:
    """What kind of file each picture of a study is, by its hash."""
    rows = connection.execute(select(picture.c.hash, picture.c.media_type).where(picture.c.study_id == study_id))
    return {row.hash: row.media_type for row in rows}


def is_person(connection: Connection, study_id: int, name: str) -> bool:
    """Whether an annotator of this name is a person."""
    return connection.execute(select(annotator.c.judge).where(is_called(study_id, name))).scalar() is False


def items_of_judge(connection: Connection, study_id: int, judge: str) -> set[tuple[str, int]]:
    """The items that a judge has judged, each with the pass."""
    of_judge = (submission.c.study_id == study_id, annotator.c.name == judge, annotator.c.judge.is_(True))
    rows = connection.execute(
        select(item.c.name, submission.c["pass"])
        .select_from(submission)
        .join(item, item.c.id == submission.c.item_id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(*of_judge)
    )
    return {(row[0], row[1]) for row in rows}
