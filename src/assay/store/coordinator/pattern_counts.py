"""How many items got the same values: kept current as judgments arrive, so that agreement costs the same at any size.

Each submission leaves a row in `uncounted`, in its own transaction. Whoever counts takes some of these, makes the
patterns of their items anew from the judgments that count, and changes the totals by the difference. What is counted is
looked up, never guessed: a change of mind, an exclusion or another scale needs nothing but its items queued again.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Integer,
    Select,
    and_,
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
    def counted_as(self) -> str:
        """What its pattern is counted under: the dimension; of a preference, each two systems by themselves.

        Which other systems a study compares, and in which direction, does not matter here: nothing that was counted
        becomes wrong when more items come in.
        """
        return f"{self.dimension} {self.systems}" if self.systems else self.dimension


def counted_topic(counted_as: str) -> tuple[str, tuple[str, ...]]:
    """The dimension and the two systems that something is counted under.

    >>> counted_topic('fluency ["x", "y z"]'), counted_topic("fluency")
    (('fluency', ('x', 'y z')), ('fluency', ()))
    """
    dimension, _, systems = counted_as.partition(" ")
    return dimension, tuple(json.loads(systems or "[]"))


# Any number will do that no other lock has. It is no lock of the study's row: work goes on while it is counted.
COUNTS = 0x636F75


def lock(connection: Connection, study_id: int) -> None:
    """Held to the end of the transaction: those who count the same study do it one after the other."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(cast(COUNTS, Integer), cast(study_id, Integer))))


def studies_waiting(connection: Connection) -> list[int]:
    """The studies that have judgments to be counted."""
    return [row[0] for row in connection.execute(select(uncounted.c.study_id).distinct())]


def prepare(connection: Connection, study_id: int, version: str, left_out: Collection[str]) -> None:
    """Have the counts stand for this version of the study without these annotators: queue what that changes."""
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
    """Have submissions counted again: those of some annotators, or all."""
    waiting = exists().where(uncounted.c.submission_id == submission.c.id)
    wanted = select(submission.c.id, submission.c.study_id, submission.c.item_id).where(
        submission.c.study_id == study_id, ~waiting
    )
    if annotators is not None:
        named = and_(annotator.c.study_id == study_id, annotator.c.name.in_(sorted(annotators)))
        wanted = wanted.where(submission.c.annotator_id.in_(select(annotator.c.id).where(named)))
    connection.execute(insert(uncounted).from_select(["submission_id", "study_id", "item_id"], wanted))


def queued(connection: Connection, study_id: int, most: int) -> dict[int, list[str]]:
    """Some submissions that are not counted yet, by their item."""
    rows = connection.execute(
        select(uncounted.c.item_id, uncounted.c.submission_id)
        .where(uncounted.c.study_id == study_id)
        .order_by(uncounted.c.item_id)
        .limit(most)
    )
    found: dict[int, list[str]] = {}
    for item_id, submission_id in rows:
        found.setdefault(item_id, []).append(submission_id)
    return found


def rows_of(
    connection: Connection, items: Collection[int], left_out: Collection[str], compares: Collection[str] = ()
) -> list[CountedJudgment]:
    """The judgments of some items that count. `compares` names the dimensions that ask which of two is better."""
    statement = _that_count(left_out, compares).where(submission.c.item_id.in_(sorted(items)))
    return [CountedJudgment(*row) for row in connection.execute(statement)]


def all_rows(
    connection: Connection, study_id: int, left_out: Collection[str], compares: Collection[str] = ()
) -> Iterator[CountedJudgment]:
    """Every judgment of a study that counts, streamed."""
    statement = _that_count(left_out, compares).where(submission.c.study_id == study_id)
    yield from map(CountedJudgment._make, connection.execution_options(stream_results=True).execute(statement))


def _that_count(left_out: Collection[str], compares: Collection[str]) -> Select[Any]:
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
    by_people = (annotator.c.judge.is_(False), annotator.c.name.not_in(sorted(left_out)))
    systems = case((judgment.c.dimension.in_(sorted(compares)), item_hidden.c.systems), else_="")
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


def count(
    connection: Connection,
    study_id: int,
    seen: Mapping[int, Sequence[str]],
    patterns: Mapping[int, Mapping[str, Sequence[str]]],
) -> int:
    """Change the totals by what these items say now. Returns how many of them were counted.

    An item of which somebody else has counted a submission meanwhile is left: what remains of it is still queued.
    """
    lock(connection, study_id)
    mine = _taken(connection, seen)
    before = {
        row.item_id: json.loads(row.patterns)
        for row in connection.execute(select(tally).where(tally.c.item_id.in_(mine)))
    }
    change: Counter[tuple[str, str]] = Counter()
    for each in mine:
        change.update(_by_dimension(patterns.get(each, {})))
        change.subtract(_by_dimension(before.get(each, {})))
    _add(connection, study_id, change)
    upserted = [{"item_id": each, "patterns": to_json(patterns.get(each, {}))} for each in mine]
    if upserted:
        statement = _insert(connection)(tally)
        replaced = {"patterns": statement.excluded.patterns}
        connection.execute(statement.on_conflict_do_update(index_elements=["item_id"], set_=replaced), upserted)
    return len(mine)


def _taken(connection: Connection, seen: Mapping[int, Sequence[str]]) -> list[int]:
    """Take the submissions of items out of the queue. Returns the items of which all were still in it."""
    asked = [each for submissions in seen.values() for each in submissions]
    rows = connection.execute(select(uncounted.c.submission_id).where(uncounted.c.submission_id.in_(asked)))
    there = {row[0] for row in rows}
    mine = [item_id for item_id, submissions in seen.items() if there.issuperset(submissions)]
    taken = [each for item_id in mine for each in seen[item_id]]
    connection.execute(delete(uncounted).where(uncounted.c.submission_id.in_(taken)))
    return mine


def _by_dimension(patterns: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    for dimension, found in patterns.items():
        for each in found:
            yield dimension, each


def _insert(connection: Connection) -> Any:
    return postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert


def _add(connection: Connection, study_id: int, change: Mapping[tuple[str, str], int]) -> None:
    rows = [
        {"study_id": study_id, "dimension": dimension, "pattern": each, "units": by}
        for (dimension, each), by in sorted(change.items())
        if by
    ]
    if rows:
        statement = _insert(connection)(pattern)
        added = {"units": pattern.c.units + statement.excluded.units}
        keys = ["study_id", "dimension", "pattern"]
        connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=added), rows)


def totals(connection: Connection, study_id: int) -> dict[str, dict[Pattern, int]]:
    """How many items, sides or entries have each pattern, by what they are counted under."""
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
