"""How many items got the same values: kept current as judgments arrive, so that agreement costs the same at any size.

Each submission leaves a row in `uncounted`, in its own transaction. Whoever counts takes some of these, makes the
patterns of their items anew from the judgments that count, and changes the totals by the difference. Counts
are recomputed, never adjusted by guesswork: a revision, an exclusion or another scale only queues its items again.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Integer,
    Select,
    Table,
    and_,
    bindparam,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from assay.model import PRACTICE
from assay.store.engine.json_text import to_json
from assay.store.engine.one_of_many import many, none_of, one_of
from assay.store.engine.prepared import Prepared
from assay.store.tables import (
    WORK,
    annotator,
    counted,
    item,
    item_hidden,
    judgment,
    pattern,
    submission,
    tally,
    uncounted,
)

Pattern = tuple[int, ...]
"""Places on the scale, in rising order."""


class CountedJudgment(NamedTuple):
    """A judgment that counts, as far as agreement needs it."""

    item_id: int
    item: str
    group_number: int
    """An item without a group is a group of its own."""
    annotator_id: int
    dimension: str
    side: str
    entry: str
    value: str
    """As JSON."""
    study_hash: str
    systems: str = ""
    """Of a preference, the two systems of the item in the order of their names, as JSON; else empty."""

    @property
    def pattern_key(self) -> str:
        """The key that its pattern is counted under: the dimension; of a preference, also the pair of systems.

        Which other systems a study compares, and in which direction, does not matter here: nothing that was counted
        becomes wrong when more items come in.
        """
        return f"{self.dimension} {self.systems}" if self.systems else self.dimension


def counted_topic(pattern_key: str) -> tuple[str, tuple[str, ...]]:
    """The dimension and the two systems that something is counted under.

    >>> counted_topic('fluency ["x", "y z"]'), counted_topic("fluency")
    (('fluency', ('x', 'y z')), ('fluency', ()))
    """
    dimension, _, systems = pattern_key.partition(" ")
    return dimension, tuple(json.loads(systems or "[]"))


# Any unused number will do. It is not a lock of the study's row, so that work goes on while counts are updated.
COUNTS = 0x636F75


def lock(connection: Connection, study_id: int) -> None:
    """Lock a study's counts until the transaction ends, so that only one transaction updates them."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(cast(COUNTS, Integer), cast(study_id, Integer))))


def studies_waiting(connection: Connection) -> list[int]:
    """The studies that have judgments to be counted."""
    return [row[0] for row in connection.execute(select(uncounted.c.study_id).distinct())]


def prepare(connection: Connection, study_id: int, version: str, left_out: Collection[str]) -> None:
    """Set the version and the excluded annotators that counts are made for, and queue the submissions it changes."""
    lock(connection, study_id)
    known = connection.execute(select(counted).where(counted.c.study_id == study_id)).first()
    names = to_json(sorted(left_out))
    if known is None:
        row = {"study_id": study_id, "version": version, "left_out": names}
        connection.execute(insert(counted).values(row))
        return
    if known.version == version and known.left_out == names:
        return
    changed = None if known.version != version else set(json.loads(known.left_out)) ^ set(left_out)
    _queue_again(connection, study_id, changed)
    row = {"version": version, "left_out": names}
    connection.execute(update(counted).where(counted.c.study_id == study_id).values(row))


def stands_for(connection: Connection, study_id: int) -> tuple[str, frozenset[str]] | None:
    """The version that the counts are made for, and who is left out; None before the first count."""
    known = connection.execute(select(counted).where(counted.c.study_id == study_id)).first()
    return None if known is None else (known.version, frozenset(json.loads(known.left_out)))


def _queue_again(connection: Connection, study_id: int, annotators: Collection[str] | None) -> None:
    """Queue submissions to be counted again: those of some annotators, or all."""
    waiting = exists().where(uncounted.c.submission_id == submission.c.id)
    wanted = select(submission.c.id, submission.c.study_id, submission.c.item_id).where(
        submission.c.study_id == study_id, ~waiting
    )
    if annotators is not None:
        named = and_(annotator.c.study_id == study_id, annotator.c.name.in_(sorted(annotators)))
        wanted = wanted.where(submission.c.annotator_id.in_(select(annotator.c.id).where(named)))
    connection.execute(insert(uncounted).from_select(["submission_id", "study_id", "item_id"], wanted))


QUEUED = Prepared(
    select(uncounted.c.item_id, uncounted.c.submission_id)
    .where(uncounted.c.study_id == bindparam("study"))
    .order_by(uncounted.c.item_id)
    .limit(bindparam("most"))
)


def queued_submissions(connection: Connection, study_id: int, most: int) -> dict[int, list[str]]:
    """Some submissions from the queue, by item."""
    found: dict[int, list[str]] = {}
    for item_id, submission_id in QUEUED.rows(connection, study=study_id, most=most):
        found.setdefault(item_id, []).append(submission_id)
    return found


def _that_count(compares: bool) -> Select[Any]:
    """Of each item of the study, each person's first pass in its newest revision, unless it came too late."""
    newer = submission.alias()
    changed_later = exists().where(
        newer.c.annotator_id == submission.c.annotator_id,
        newer.c.item_id == submission.c.item_id,
        newer.c["pass"] == submission.c["pass"],
        newer.c.revision > submission.c.revision,
        newer.c.surplus.is_(False),
    )
    at_work = (submission.c["pass"] == 1, submission.c.source != PRACTICE, submission.c.surplus.is_(False))
    by_people = (annotator.c.judge.is_(False), none_of(annotator.c.name, bindparam("left_out")))
    systems = case((one_of(judgment.c.dimension, bindparam("compares")), item_hidden.c.systems), else_="")
    statement = (
        select(
            submission.c.item_id,
            item.c.name,
            item.c.group_number,
            submission.c.annotator_id,
            judgment.c.dimension,
            judgment.c.side,
            judgment.c.entry,
            judgment.c.value,
            submission.c.study_hash,
            systems if compares else literal(""),
        )
        .select_from(submission)
        .join(item, and_(item.c.id == submission.c.item_id, item.c.series == WORK))
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .join(judgment, judgment.c.submission_id == submission.c.id)
        .where(*at_work, *by_people, ~changed_later)
    )
    return statement.join(item_hidden, item_hidden.c.item_id == item.c.id) if compares else statement


OF_ITEMS = {
    compares: Prepared(_that_count(compares).where(one_of(submission.c.item_id, bindparam("items"))))
    for compares in (False, True)
}
"""Of some items, by whether a study asks which of two is better."""
OF_STUDY = {
    compares: Prepared(_that_count(compares).where(submission.c.study_id == bindparam("study")))
    for compares in (False, True)
}


def rows_of(
    connection: Connection, items: Collection[int], left_out: Collection[str], compares: Collection[str] = ()
) -> list[CountedJudgment]:
    """The judgments of some items that count. `compares` names the dimensions that ask which of two is better."""
    named = {"left_out": many(connection, left_out), "compares": many(connection, compares)}
    rows = OF_ITEMS[bool(compares)].rows(connection, items=many(connection, sorted(items)), **named)
    return [CountedJudgment._make(row) for row in rows]


def all_rows(
    connection: Connection, study_id: int, left_out: Collection[str], compares: Collection[str] = ()
) -> Iterator[CountedJudgment]:
    """Every judgment of a study that counts, streamed."""
    named = {"left_out": many(connection, left_out), "compares": many(connection, compares)}
    rows = OF_STUDY[bool(compares)].stream(connection, study=study_id, **named)
    yield from map(CountedJudgment._make, rows)


IN_QUEUE = one_of(uncounted.c.submission_id, bindparam("submissions"))
STILL_THERE = Prepared(select(uncounted.c.submission_id).where(IN_QUEUE))
TAKE = Prepared(delete(uncounted).where(IN_QUEUE))
TALLIES = Prepared(select(tally.c.item_id, tally.c.patterns).where(one_of(tally.c.item_id, bindparam("items"))))


def _upserts(table: Table, keys: list[str], changed: Callable[[Any], dict[str, Any]]) -> dict[str, Prepared]:
    """An upsert in the dialect of each database."""
    values: dict[str, Any] = {column.name: bindparam(column.name) for column in table.columns}
    inserts: dict[str, Any] = {"sqlite": sqlite.insert(table), "postgresql": postgresql.insert(table)}
    return {
        name: Prepared(each.values(values).on_conflict_do_update(index_elements=keys, set_=changed(each.excluded)))
        for name, each in inserts.items()
    }


KEEP_TALLY = _upserts(tally, ["item_id"], lambda new: {"patterns": new.patterns})
ADD = _upserts(pattern, ["study_id", "dimension", "pattern"], lambda new: {"units": pattern.c.units + new.units})


def count(
    connection: Connection,
    study_id: int,
    seen: Mapping[int, Sequence[str]],
    patterns: Mapping[int, Mapping[str, Sequence[str]]],
) -> int:
    """Replace what these items add to the totals by their current patterns. Returns how many of them were counted.

    Items of which another transaction has counted a submission meanwhile are skipped: their rest is still queued.
    """
    lock(connection, study_id)
    mine = _take_from_queue(connection, seen)
    before = TALLIES.rows(connection, items=many(connection, mine))
    change: Counter[tuple[str, str]] = Counter()
    for each in mine:
        change.update(_by_dimension(patterns.get(each, {})))
    for _, kept in before:
        change.subtract(_by_dimension(json.loads(kept)))
    rows = [
        {"study_id": study_id, "dimension": dimension, "pattern": each, "units": by}
        for (dimension, each), by in sorted(change.items())
        if by
    ]
    ADD[connection.dialect.name].run_many(connection, rows)
    tallies = [{"item_id": each, "patterns": to_json(patterns.get(each, {}))} for each in mine]
    KEEP_TALLY[connection.dialect.name].run_many(connection, tallies)
    return len(mine)


def _take_from_queue(connection: Connection, seen: Mapping[int, Sequence[str]]) -> list[int]:
    """Take the submissions of items out of the queue. Returns the items of which all were still in it."""
    asked = [each for submissions in seen.values() for each in submissions]
    there = {row[0] for row in STILL_THERE.rows(connection, submissions=many(connection, asked))}
    mine = [item_id for item_id, submissions in seen.items() if there.issuperset(submissions)]
    TAKE.run(connection, submissions=many(connection, [each for item_id in mine for each in seen[item_id]]))
    return mine


def _by_dimension(patterns: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    for dimension, found in patterns.items():
        for each in found:
            yield dimension, each


def totals(connection: Connection, study_id: int) -> dict[str, dict[Pattern, int]]:
    """How many items, sides or entries have each pattern, by `pattern_key`."""
    rows = connection.execute(
        select(pattern.c.dimension, pattern.c.pattern, pattern.c.units)
        .where(pattern.c.study_id == study_id, pattern.c.units > 0)
        .order_by(pattern.c.dimension, pattern.c.pattern)
    )
    found: dict[str, dict[Pattern, int]] = {}
    for dimension, each, units in rows:
        found.setdefault(dimension, {})[tuple(map(int, each.split(",")))] = units
    return found


def people_at_work(connection: Connection, study_id: int, left_out: Collection[str]) -> int:
    """How many people have judged something."""
    some = exists().where(submission.c.annotator_id == annotator.c.id, submission.c.source != PRACTICE)
    people = (annotator.c.judge.is_(False), annotator.c.name.not_in(sorted(left_out)))
    counting = select(func.count()).select_from(annotator).where(annotator.c.study_id == study_id, *people, some)
    return int(connection.execute(counting).scalar_one())
