"""The long table, out of the store: one row for each judgment, streamed, with the drawn sides undone."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, func, select

from assay.items.reference_items import CONTROLS
from assay.model import Judgment
from assay.sides_and_candidates import in_page_order, sides_by_role, systems_by_role
from assay.store.coordinator.item_names import item_called, longer_names
from assay.store.engine.text_order import by_code
from assay.store.tables import WITHDRAWN, annotator, assignment, item, item_hidden, judgment, submission

By = Literal["time", "item", "annotator"]
"""The order in which submissions come."""


def _submissions(study_id: int) -> Select[Any]:
    """What is the same for all judgments of a submission, a row for each."""
    return (
        select(
            submission.c.id.label("submission"),
            item.c.name.label("item"),
            item_hidden.c.systems,
            item_hidden.c.group,
            item_hidden.c.batch,
            annotator.c.name.label("annotator"),
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
            submission.c.item_id,
            submission.c.surplus,
            submission.c.overridden,
            submission.c.events,
            submission.c.import_number,
        )
        .select_from(submission)
        .join(assignment, assignment.c.id == submission.c.assignment_id)
        .join(item, item.c.id == submission.c.item_id)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(submission.c.study_id == study_id)
    )


def _values(study_id: int) -> Select[Any]:
    """What each judgment has of its own."""
    return (
        select(judgment.c.submission_id, *WITHIN, judgment.c.value)
        .select_from(submission)
        .join(judgment, judgment.c.submission_id == submission.c.id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(submission.c.study_id == study_id)
    )


WITHIN = (judgment.c.dimension, judgment.c.side, judgment.c.entry)
"""The order of the judgments of one submission."""


def judgments(
    connection: Connection, study_id: int, compares: Collection[str] = (), by: By = "time"
) -> Iterator[Judgment]:
    """The long table, streamed: one row for each judgment, those of a submission together.

    `compares` names the dimensions whose value points at a candidate: it becomes the system's name. `by` is the order:
    as submissions came, or item by item, or annotator by annotator.
    """
    known = _Known.of(connection, study_id)
    order = (*ORDERS[by], submission.c.id)
    streaming = connection.execution_options(stream_results=True)
    # Two streams of one snapshot, in the same order: what a submission's judgments share is read once for them all.
    with (
        streaming.execute(_values(study_id).order_by(*order, *WITHIN)) as values,
        streaming.execute(_submissions(study_id).order_by(*order)) as submissions,
    ):
        yield from _judgments(values, submissions, compares, known)


_TURN = (submission.c["pass"], submission.c.revision)
ORDERS: dict[By, tuple[ColumnElement[Any], ...]] = {
    "time": (submission.c.submitted_at,),
    "item": (submission.c.item_id, by_code(annotator.c.name), *_TURN),
    "annotator": (by_code(annotator.c.name), submission.c.item_id, *_TURN),
}


def _superseded(connection: Connection, study_id: int) -> frozenset[str]:
    """The submissions of which there is a newer revision that counts."""
    later = submission.alias("later")
    same = [submission.c[name] == later.c[name] for name in ("annotator_id", "item_id", "pass")]
    newer = and_(*same, submission.c.revision < later.c.revision)
    counts = (later.c.study_id == study_id, later.c.revision > 1, later.c.surplus.is_(False))
    return frozenset(connection.execute(select(submission.c.id).join(later, newer).where(*counts)).scalars())


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known before the first row: it concerns few of them, and is held in memory."""

    superseded: frozenset[str]
    names: dict[int, str]
    """Of items that share their id with another."""

    @classmethod
    def of(cls, connection: Connection, study_id: int) -> "_Known":
        """Of the judgments of a study."""
        return cls(_superseded(connection, study_id), longer_names(connection, study_id))


class _Columns:
    """Columns of the long table, taken out of a row by their names: which place each has is looked up once."""

    def __init__(self, *names: str) -> None:
        places = [column.key for column in _submissions(0).selected_columns]
        self.names = names
        self.of = itemgetter(*(places.index(name) for name in names))

    def by_name(self, row: Row[Any]) -> dict[str, Any]:
        """Those columns of a row."""
        return dict(zip(self.names, self.of(row), strict=True))


SHARED = _Columns(
    *("submission", "item", "systems", "group", "batch", "annotator", "pass_", "revision", "shown_at", "submitted_at"),
    *("active_ms", "study_hash", "consent", "source", "judge", "simulated", "position", "surplus", "overridden"),
    *("events", "import_number"),
)
"""What is the same for all judgments of a submission, under the names that a judgment has for it."""
BEHIND = _Columns("swapped", "series", "item_id")


def _judgments(
    values: Iterable[Any], submissions: Iterable[Row[Any]], compares: Collection[str], known: _Known
) -> Iterator[Judgment]:
    """Rows with the drawn sides undone: who was judged, who was preferred, and who stood on the left.

    Exports read a million of them: what the judgments of a submission share is worked out once for all of them, and
    texts that come again are parsed once.
    """
    at = ""
    following = iter(submissions)
    for submission_id, dimension, role, entry, text in values:
        if submission_id != at:
            at = submission_id
            # There may be some that say nothing.
            row = next(each for each in following if each[0] == at)
            shared, swapped = _of_submission(row, known)
            by_role = systems_by_role(shared["systems"])
            whole = "" if by_role else "".join(shared["systems"][:1])
            sides = {} if swapped is None else sides_by_role(swapped)
        value = json.loads(text) if text[0] == "[" else _scalar(text)
        yield Judgment(
            system=by_role.get(role, whole),
            dimension=dimension,
            side=sides.get(role, ""),
            entry=entry,
            value=by_role.get(value, value) if dimension in compares else value,
            **shared,
        )


def _of_submission(row: Row[Any], known: _Known) -> tuple[dict[str, Any], bool | None]:
    """What every judgment of a submission has, and whether its candidates stood the other way round."""
    swapped, series, item_id = BEHIND.of(row)
    shared = SHARED.by_name(row)
    shared["item"] = known.names.get(item_id, shared["item"])
    systems = _texts(shared["systems"])
    shared["systems"] = systems
    shared["overridden"] = _texts(shared["overridden"])
    shared["left"] = "" if swapped is None or len(systems) < 2 else in_page_order(systems, swapped)[0]
    shared["control"] = series == CONTROLS
    shared["withdrawn"] = series == WITHDRAWN
    shared["superseded"] = shared["submission"] in known.superseded
    return shared, swapped


@lru_cache(4096)
def _texts(listed: str) -> tuple[str, ...]:
    return tuple(json.loads(listed))


@lru_cache(4096)
def _scalar(value: str) -> Any:
    return json.loads(value)


def judgments_of_item(connection: Connection, study_id: int, name: str, compares: Collection[str]) -> list[Judgment]:
    """Everything that was said of one item."""
    id_ = item_called(connection, study_id, name)
    return [] if id_ is None else judgments_of_items(connection, study_id, [id_], compares)


def judgments_of_items(
    connection: Connection, study_id: int, ids: Collection[int], compares: Collection[str]
) -> list[Judgment]:
    """Everything that was said of some items, which are named by their numbers."""
    mine = submission.c.item_id.in_(ids)
    order = (submission.c.item_id, by_code(annotator.c.name), submission.c.submitted_at, submission.c.id)
    known = _Known.of(connection, study_id)
    # The values first: what comes in between has a submission then, and no values that would miss it.
    values = connection.execute(_values(study_id).where(mine).order_by(*order, *WITHIN)).all()
    submissions = connection.execute(_submissions(study_id).where(mine).order_by(*order))
    return list(_judgments(values, submissions, compares, known))


def judgment_count(connection: Connection, study_id: int) -> int:
    """How many judgments a study has."""
    counted = select(func.count()).select_from(judgment).join(submission).where(submission.c.study_id == study_id)
    return int(connection.execute(counted).scalar_one())
