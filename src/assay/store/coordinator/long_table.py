"""The long table, out of the store: one row for each judgment, streamed, with the drawn sides undone."""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, Literal

from sqlalchemy import BindParameter, ColumnElement, Connection, Select, and_, bindparam, func, select

from assay.items.reference_items import CONTROLS
from assay.model import Judgment
from assay.sides_and_candidates import in_page_order, sides_by_role, systems_by_role
from assay.store.coordinator.item_names import item_called, longer_names
from assay.store.engine.prepared import Prepared
from assay.store.engine.text_order import by_code
from assay.store.tables import WITHDRAWN, annotator, assignment, item, item_hidden, judgment, submission
from assay.submission_rows import Own, SubmissionRows, one_by_one

By = Literal["time", "item", "annotator"]
"""The order in which submissions come."""

Part = tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[str], dict[int, str]]
"""Some submissions with all their values; which of them are superseded, and the longer names of items that need them.

It is made of lists, texts and numbers alone, so that it is quickly handed to another process.
"""
AT_ONCE = 1000
"""How many values are in a part, give or take those of one submission."""


def _submissions(study_id: int | BindParameter[Any]) -> Select[Any]:
    """The query for what all judgments of a submission share: one row for each submission."""
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


def _values(study_id: int | BindParameter[Any]) -> Select[Any]:
    """The query for what each judgment has of its own."""
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
    yield from one_by_one(submissions(connection, study_id, compares, by))


def submissions(
    connection: Connection, study_id: int, compares: Collection[str] = (), by: By = "time"
) -> Iterator[SubmissionRows]:
    """The long table, streamed submission by submission."""
    yield from chain.from_iterable(map(PutTogether(compares), parts(connection, study_id, by)))


def parts(connection: Connection, study_id: int, by: By = "time") -> Iterator[Part]:
    """The raw rows of the long table, some submissions at a time: `PutTogether` makes judgments of them.

    One process reads the database, so that all rows are of one snapshot; another may process them.
    """
    known = _RareFacts.of(connection, study_id)
    # Two streams of one snapshot, in the same order: what a submission's judgments share is read once for them all.
    with (
        closing(ALL_VALUES[by].stream(connection, study=study_id)) as values,
        closing(ALL_SUBMISSIONS[by].stream(connection, study=study_id)) as rows,
    ):
        for some in _whole_submissions(values):
            yield _part(some, rows, known)


def _whole_submissions(values: Iterator[Any]) -> Iterator[list[Any]]:
    """Values in parts, none of which ends within a submission."""
    held: list[Any] = []
    while fresh := list(islice(values, AT_ONCE)):
        some = held + fresh
        end = len(some)
        while end and some[end - 1][0] == some[-1][0]:  # there may be more of the last one
            end -= 1
        held = some[end:]
        if end:
            yield some[:end]
    if held:
        yield held


def _part(values: list[Any], submissions: Iterator[Any], known: "_RareFacts") -> Part:
    """Some values with the submissions that they are of."""
    rows = []
    for row in submissions:
        rows.append(row)
        if row[0] == values[-1][0]:
            break
    return known.with_values(rows, values)


_TURN = (submission.c["pass"], submission.c.revision)
ORDERS: dict[By, tuple[ColumnElement[Any], ...]] = {
    "time": (submission.c.submitted_at,),
    "item": (submission.c.item_id, by_code(annotator.c.name), *_TURN),
    "annotator": (by_code(annotator.c.name), submission.c.item_id, *_TURN),
}


ALL_VALUES = {
    by: Prepared(_values(bindparam("study")).order_by(*order, submission.c.id, *WITHIN)) for by, order in ORDERS.items()
}
"""All of them are texts, and come as the database has them."""
ALL_SUBMISSIONS = {
    by: Prepared(_submissions(bindparam("study")).order_by(*order, submission.c.id)) for by, order in ORDERS.items()
}
"""They come as the database has them, too: what is true or false may be 1 or 0."""


def _superseded_submissions(connection: Connection, study_id: int) -> frozenset[str]:
    """The submissions of which there is a newer revision that counts."""
    later = submission.alias("later")
    same = [submission.c[name] == later.c[name] for name in ("annotator_id", "item_id", "pass")]
    newer = and_(*same, submission.c.revision < later.c.revision)
    counts = (later.c.study_id == study_id, later.c.revision > 1, later.c.surplus.is_(False))
    return frozenset(connection.execute(select(submission.c.id).join(later, newer).where(*counts)).scalars())


@dataclass(frozen=True, slots=True)
class _RareFacts:
    """Facts about few submissions and items, read before the first row and held in memory."""

    superseded: frozenset[str]
    names: dict[int, str]
    """The longer names of items that share their id with another."""

    @classmethod
    def of(cls, connection: Connection, study_id: int) -> "_RareFacts":
        """Read the facts about a study."""
        return cls(_superseded_submissions(connection, study_id), longer_names(connection, study_id))

    def with_values(self, rows: list[tuple[Any, ...]], values: list[tuple[Any, ...]]) -> Part:
        """Some submissions with what is known of them."""
        names = {row[ITEM_ID]: self.names[row[ITEM_ID]] for row in rows if row[ITEM_ID] in self.names}
        return rows, values, [row[0] for row in rows if row[0] in self.superseded], names


PLACES = [column.key for column in _submissions(0).selected_columns]


class _Columns:
    """Some columns of the long table, with their places in a row looked up once."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.of = itemgetter(*map(PLACES.index, names))

    def by_name(self, row: tuple[Any, ...]) -> dict[str, Any]:
        """Those columns of a row."""
        return dict(zip(self.names, self.of(row), strict=True))


SHARED = _Columns(
    *("submission", "item", "systems", "group", "batch", "annotator", "pass_", "revision", "shown_at", "submitted_at"),
    *("active_ms", "study_hash", "consent", "source", "judge", "simulated", "position", "surplus", "overridden"),
    *("events", "import_number"),
)
"""What is the same for all judgments of a submission, under the names that a judgment has for it."""
AGAIN = ("item", "group", "batch", "annotator", "study_hash", "consent", "source")
"""The texts among them that many submissions have."""
TRUE_OR_FALSE = ("judge", "simulated", "surplus")
BEHIND = _Columns("swapped", "series", "item_id")
ITEM_ID = PLACES.index("item_id")


class PutTogether:
    """Rows with the drawn sides undone: who was judged, who was preferred, and who stood on the left.

    Exports read a million of them: what the judgments of a submission share is worked out once for all of them, and
    texts that come again are parsed once. `compares` names the dimensions whose value points at a candidate.
    """

    def __init__(self, compares: Collection[str]) -> None:
        self.compares = compares
        self._read: dict[tuple[tuple[str, ...], bool | None], _OwnValues] = {}
        self._texts: dict[str, str] = {}

    def __call__(self, part: Part) -> Iterator[SubmissionRows]:
        """The submissions of a part."""
        rows, values, old, names = part
        superseded = frozenset(old)
        following = iter(rows)
        for at, together in groupby(values, FIRST):
            row = next(following)
            while row[0] != at:  # there may be some that say nothing
                row = next(following)
            shared, swapped = _of_submission(row, superseded, names, self._texts)
            own = self._own_values(shared["systems"], swapped)
            yield SubmissionRows(shared, [own[each[1:]] for each in together])

    def _own_values(self, systems: tuple[str, ...], swapped: bool | None) -> "_OwnValues":
        found = self._read.get((systems, swapped))
        if found is None:
            if len(self._read) >= MOST_CANDIDATES:
                self._read.clear()
            found = self._read[systems, swapped] = _OwnValues(systems, swapped, self.compares)
        return found


class _OwnValues(dict[tuple[str, str, str, str], Own]):
    """A cache of what stored values mean for these systems and sides: most values recur."""

    def __init__(self, systems: tuple[str, ...], swapped: bool | None, compares: Collection[str]) -> None:
        super().__init__()
        self.compares = compares
        self.by_role = systems_by_role(systems)
        self.whole = "" if self.by_role else "".join(systems[:1])
        self.sides = {} if swapped is None else sides_by_role(swapped)

    def __missing__(self, row: tuple[str, str, str, str]) -> Own:
        dimension, role, entry, text = row
        value = json.loads(text)
        if dimension in self.compares:
            value = self.by_role.get(value, value)
        own = Own(self.by_role.get(role, self.whole), dimension, self.sides.get(role, ""), entry, value)
        if len(text) <= LONGEST_KEPT and len(self) < MOST_KEPT:
            self[row] = own
        return own


MOST_CANDIDATES, MOST_KEPT, LONGEST_KEPT = 256, 512, 40
"""For so many candidates so many values are kept, and so many letters long: scores, and not what people write."""
FIRST = itemgetter(0)


def _of_submission(
    row: tuple[Any, ...], superseded: Collection[str], names: Mapping[int, str], texts: dict[str, str]
) -> tuple[dict[str, Any], bool | None]:
    """What all judgments of a submission share, and whether its sides were swapped.

    `texts` interns texts that recur, so that each is held in memory once.
    """
    stood, series, item_id = BEHIND.of(row)
    swapped = None if stood is None else bool(stood)
    shared = SHARED.by_name(row)
    shared["item"] = names.get(item_id, shared["item"])
    for name in AGAIN:
        shared[name] = texts.setdefault(shared[name], shared[name])
    for name in TRUE_OR_FALSE:
        shared[name] = bool(shared[name])
    systems = _texts(shared["systems"])
    shared["systems"] = systems
    shared["overridden"] = _texts(shared["overridden"])
    shared["left"] = "" if swapped is None or len(systems) < 2 else in_page_order(systems, swapped)[0]
    shared["control"] = series == CONTROLS
    shared["withdrawn"] = series == WITHDRAWN
    shared["superseded"] = shared["submission"] in superseded
    shared["excluded"] = False
    return shared, swapped


@lru_cache(4096)
def _texts(listed: str) -> tuple[str, ...]:
    return tuple(json.loads(listed))


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
    known = _RareFacts.of(connection, study_id)
    # The values first: what comes in between has a submission then, and no values that would miss it.
    values = connection.execute(_values(study_id).where(mine).order_by(*order, *WITHIN)).all()
    rows = connection.execute(_submissions(study_id).where(mine).order_by(*order))
    part = known.with_values([tuple(row) for row in rows], [tuple(row) for row in values])
    return list(one_by_one(PutTogether(compares)(part)))


def judgment_count(connection: Connection, study_id: int) -> int:
    """How many judgments a study has."""
    counted = select(func.count()).select_from(judgment).join(submission).where(submission.c.study_id == study_id)
    return int(connection.execute(counted).scalar_one())
