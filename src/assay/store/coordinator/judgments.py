"""The long table, out of the store: one row for each judgment, streamed, with the drawn sides undone."""

import json
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Select, and_, func, select

from assay.items.reference_items import CONTROLS
from assay.model import ROLES, SIDES, Judgment
from assay.store.tables import WITHDRAWN, annotator, assignment, item, item_hidden, judgment, submission

By = Literal["time", "item", "annotator"]
"""The order in which submissions come."""


def _rows(study_id: int) -> Select[Any]:
    return (
        select(
            judgment.c.submission_id.label("submission"),
            item.c.name.label("item"),
            item_hidden.c.systems,
            item_hidden.c.group,
            item_hidden.c.batch,
            annotator.c.name.label("annotator"),
            judgment.c.dimension,
            judgment.c.side,
            judgment.c.entry,
            judgment.c.value,
            submission.c["pass"].label("pass_"),
            submission.c.revision,
            submission.c.shown_at,
            submission.c.submitted_at,
            submission.c.active_ms,
            submission.c.study_hash,
            submission.c.consent,
            submission.c.swapped,
            submission.c.source,
            annotator.c.judge,
            annotator.c.simulated,
            assignment.c.position,
            item.c.series,
            submission.c.surplus,
            submission.c.overridden,
            submission.c.events,
        )
        .select_from(submission)
        .join(judgment, judgment.c.submission_id == submission.c.id)
        .join(assignment, assignment.c.id == submission.c.assignment_id)
        .join(item, item.c.id == submission.c.item_id)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(submission.c.study_id == study_id)
    )


def judgments(
    connection: Connection, study_id: int, compares: Collection[str] = (), by: By = "time"
) -> Iterator[Judgment]:
    """The long table, streamed: one row for each judgment, those of a submission together.

    `compares` names the dimensions whose value points at a candidate: it becomes the system's name. `by` is the order:
    as submissions came, or item by item, or annotator by annotator.
    """
    within = (judgment.c.dimension, judgment.c.side, judgment.c.entry)
    statement = _rows(study_id).order_by(*ORDERS[by], submission.c.id, *within)
    superseded = _superseded(connection, study_id)
    for row in connection.execution_options(stream_results=True).execute(statement):
        yield _judgment(row, compares, superseded)


_TURN = (submission.c["pass"], submission.c.revision)
ORDERS: dict[By, tuple[ColumnElement[Any], ...]] = {
    "time": (submission.c.submitted_at,),
    "item": (item.c.id, annotator.c.name, *_TURN),
    "annotator": (annotator.c.name, item.c.id, *_TURN),
}


def _superseded(connection: Connection, study_id: int) -> frozenset[str]:
    """The submissions of which there is a newer revision that counts. Few are: they are held in memory."""
    later = submission.alias("later")
    same = [submission.c[name] == later.c[name] for name in ("annotator_id", "item_id", "pass")]
    newer = and_(*same, submission.c.revision < later.c.revision)
    counts = (later.c.study_id == study_id, later.c.revision > 1, later.c.surplus.is_(False))
    return frozenset(connection.execute(select(submission.c.id).join(later, newer).where(*counts)).scalars())


def _judgment(row: Sequence[Any], compares: Collection[str], superseded: Collection[str]) -> Judgment:
    """A row with the drawn sides undone: who was judged, who was preferred, and who stood on the left.

    Exports read a million of them: columns are taken by their place, and texts that come again are parsed once.
    """
    name, of, systems, group, batch, who, dimension, role, entry, value, pass_, revision, shown_at = row[:13]
    submitted_at, active_ms, study_hash, consent, swapped, source, judge, simulated, position = row[13:22]
    series, surplus, overridden, events = row[22:]
    systems = _texts(systems)
    system = dict(zip(ROLES, systems, strict=False)) if len(systems) == 2 else {}
    value = json.loads(value) if value[0] == "[" else _scalar(value)
    return Judgment(
        submission=name,
        item=of,
        system=system.get(role, "") if system else "".join(systems[:1]),
        systems=systems,
        group=group,
        annotator=who,
        dimension=dimension,
        side="" if swapped is None or not role else SIDES[ROLES.index(role) ^ swapped],
        entry=entry,
        value=system.get(value, value) if dimension in compares else value,
        pass_=pass_,
        revision=revision,
        shown_at=shown_at,
        submitted_at=submitted_at,
        active_ms=active_ms,
        study_hash=study_hash,
        consent=consent,
        left="" if swapped is None or not system else systems[int(swapped)],
        batch=batch,
        source=source,
        judge=judge,
        simulated=simulated,
        position=position,
        control=series == CONTROLS,
        withdrawn=series == WITHDRAWN,
        surplus=surplus,
        overridden=_texts(overridden),
        events=events,
        superseded=name in superseded,
    )


@lru_cache(4096)
def _texts(listed: str) -> tuple[str, ...]:
    return tuple(json.loads(listed))


@lru_cache(4096)
def _scalar(value: str) -> Any:
    return json.loads(value)


def judgments_of(connection: Connection, study_id: int, name: str, compares: Collection[str]) -> list[Judgment]:
    """Everything that was said of one item."""
    statement = _rows(study_id).where(item.c.name == name).order_by(annotator.c.name, submission.c.submitted_at)
    within = (judgment.c.dimension, judgment.c.side, judgment.c.entry)
    superseded = _superseded(connection, study_id)
    return [_judgment(row, compares, superseded) for row in connection.execute(statement.order_by(*within))]


def judgment_count(connection: Connection, study_id: int) -> int:
    """How many judgments a study has."""
    counted = select(func.count()).select_from(judgment).join(submission).where(submission.c.study_id == study_id)
    return int(connection.execute(counted).scalar_one())
