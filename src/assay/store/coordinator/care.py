"""How people are and what they left out at a warning, for whoever runs the study."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from assay.store.tables import annotator, assignment, check_in, is_in_study, item
from assay.study.care import CheckInAnswer


def check_ins(connection: Connection, study_id: int) -> Iterator[CheckInAnswer]:
    """The answers to check-ins, the newest first. Answers that coordinators may not see were never stored."""
    columns = (annotator.c.name, check_in.c.at, check_in.c.judged, check_in.c.answer, annotator.c.simulated)
    rows = connection.execute(
        select(*columns)
        .join(annotator, annotator.c.id == check_in.c.annotator_id)
        .where(annotator.c.study_id == study_id, check_in.c.answer != "")
        .order_by(check_in.c.at.desc(), annotator.c.name)
    )
    for row in rows:
        yield CheckInAnswer(*row)


@dataclass(frozen=True, slots=True)
class WarnedItems:
    """What became of the items that are warned of for one thing."""

    tag: str
    opened: int
    left_out: int
    """At the warning, before anything of it was shown."""


def warned_items(connection: Connection, study_id: int) -> list[WarnedItems]:
    """By tag, how often items were opened after the warning, and how often they were left out at it."""
    opened, left_out = Counter[str](), Counter[str]()
    at_warning = func.count().filter(assignment.c.declined_because == "warning")
    rows = connection.execute(
        select(item.c.warnings, func.count(assignment.c.opened_at), at_warning)
        .join(assignment, assignment.c.item_id == item.c.id)
        .where(is_in_study(study_id), item.c.warnings != "[]")
        .group_by(item.c.warnings)
    )
    for warnings, shown, declined in rows:
        for tag in json.loads(warnings):
            opened[tag] += shown
            left_out[tag] += declined
    return [WarnedItems(tag, opened[tag], left_out[tag]) for tag in sorted(opened)]
