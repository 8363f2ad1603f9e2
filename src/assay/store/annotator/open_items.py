"""The items that somebody could be given next, best first: those that still need annotators, in the study's order."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, exists, func, literal_column, select

from assay.assignment import WINDOW, OpenItem, Order, lot
from assay.assignment.apart import groups_seen, least_gap, put_apart, too_near
from assay.store.annotator.assignments import AT_WORK, AT_WORK_TOO, MINE
from assay.store.annotator.claim import Claim
from assay.store.annotator.places import OF_ITEM
from assay.store.engine.prepared import Prepared
from assay.store.tables import QUEUE, assignment, duplicate, is_in_study, item, study

_IN_FILE_ORDER, _BY_LOT = attrgetter("item"), attrgetter("lot", "item")

NOT_MINE = ~exists().where(OF_ITEM, MINE)
"""The condition that the annotator has not had an item."""
# Literals, not parameters: only then can the database use its partial index of items that are still needed.
_NEEDED = and_(item.c.taken < item.c.wanted, item.c.series == literal_column("'work'"))
# The leading columns of the index are always given, also where a study does not use them: then all items are equal in
# them.
_TURN = {name: item.c[name] == bindparam("study" if name == "study_id" else name) for name in QUEUE}
_IN_STUDY = is_in_study(bindparam("study"))
_OF_QUEUE = and_(_NEEDED, *_TURN.values(), _IN_STUDY)
_OFFERED = (item.c.id, item.c.lot, item.c.taken, item.c.group_number, item.c.pair, item.c.tagged)
# A covering index: the rows of items, with all that they show, are not read.
_NO: ColumnElement[int] = literal_column("0")
_IN_INDEX = (item.c.id, item.c.lot, item.c.taken, _NO, _NO, item.c.tagged)
_AT_LEVEL = {
    grouped: select(*offered)
    .where(_OF_QUEUE, NOT_MINE, item.c.taken == bindparam("level"))
    .order_by(item.c.lot, item.c.id)
    .limit(WINDOW)
    for grouped, offered in ((True, _OFFERED), (False, _IN_INDEX))
}
"""Items with equally many annotators, by whether it matters which group they are in."""
AFTER = {grouped: Prepared(each.where(item.c.lot >= bindparam("start"))) for grouped, each in _AT_LEVEL.items()}
"""These items, from a number drawn by lot onwards."""
BEFORE = {grouped: Prepared(each.where(item.c.lot < bindparam("start"))) for grouped, each in _AT_LEVEL.items()}
"""The rest of these items, from the beginning."""
# A range of one value, on purpose: with equality on all columns PostgreSQL would sort by the id alone and scan every
# item by its primary key, also those that are done.
_TAGGED = item.c.tagged.between(bindparam("tagged"), bindparam("tagged"))
IN_ORDER = Prepared(
    select(*_OFFERED)
    .where(_NEEDED, *(each for name, each in _TURN.items() if name != "tagged"), _TAGGED, _IN_STUDY, NOT_MINE)
    .order_by(item.c.tagged, item.c.id)
    .limit(WINDOW)
)
NAMED = Prepared(
    select(*_OFFERED)
    # From the few that are named to their items, one by one, however many items there are.
    .select_from(duplicate)
    .join(item, item.c.id == duplicate.c.item_id)
    .where(duplicate.c.study_id == bindparam("study"), _OF_QUEUE, NOT_MINE)
    .distinct()
    .order_by(item.c.lot, item.c.id)
    .limit(WINDOW)
)
"""Items that the item file repeats."""
NEXT_LEVEL = Prepared(
    select(item.c.taken).where(_OF_QUEUE, item.c.taken > bindparam("level")).order_by(item.c.taken).limit(1)
)
"""The next higher number of annotators among the items that are still needed."""

BATCHES = Prepared(select(study.c.batch_count).where(study.c.id == bindparam("study")))
MY_QUEUE = Prepared(
    select(item.c.queue)
    .join(assignment, OF_ITEM)
    .where(MINE, AT_WORK, item.c.series == literal_column("'work'"))
    .order_by(assignment.c.position.desc())
    .limit(1)
)
OF_GROUP = Prepared(
    select(item.c.id, item.c.tagged)
    .where(_IN_STUDY, item.c.group_number == bindparam("group_number"), _NEEDED, NOT_MINE)
    .order_by(item.c.id)
)


def open_items(connection: Connection, claim: Claim, position: int, tagged: tuple[bool, ...]) -> Iterator[OpenItem]:
    """The items that this annotator could be given, best first."""
    start = lot(claim.study.seed, claim.annotator.name, str(position))
    work = claim.study.assignment
    who = {
        "study": claim.annotator.study_id,
        "annotator": claim.annotator.id,
        "cell": (claim.cell or 0) if work.counterbalance else 0,
    }
    for part in _parts(connection, claim):
        queues = [{**who, **part, "tagged": each} for each in tagged]
        yield from _items_in_time(connection, claim, position, queues)
        if work.apart:
            levels = _by_level(connection, queues, claim.order, start, grouped=True)
            yield from _put_apart(connection, claim, position, levels)
        elif claim.order.balanced:
            for found in _by_level(connection, queues, claim.order, start, grouped=bool(work.together)):
                yield from found
        else:
            found = _merge_queues((IN_ORDER.rows(connection, **each) for each in queues), _IN_FILE_ORDER)
            yield from claim.order.rank(found, start)


def _items_in_time(connection: Connection, claim: Claim, position: int, queues: list[dict[str, Any]]) -> list[OpenItem]:
    """Items that the file repeats, once their first pass cannot wait: else the second would not fit into the share."""
    asked = claim.study.assignment.duplicates
    last = claim.share.different_items - (asked.distance if asked else 0)
    if asked is None or not claim.study.items.duplicate_of or not claim.order.balanced or position + WINDOW < last:
        return []
    found = _merge_queues((NAMED.rows(connection, **each) for each in queues), _BY_LOT)
    return found if position + len(found) > last else []


def _parts(connection: Connection, claim: Claim) -> Iterator[dict[str, int]]:
    """The parts of a study in the order in which they are judged: its pilots, then the rest; of each, its batches."""
    asked = claim.study.analysis.pilot
    rounds = range(1, (claim.annotator.pilot or (asked.rounds if asked else 0)) + 1)
    pilots = [*rounds] if claim.annotator.pilot else [*rounds, 0]
    if claim.study.assignment.batches == "mixed":
        yield from ({"pilot": pilot, "queue": 0} for pilot in pilots)
        return
    mine = MY_QUEUE.row(connection, annotator=claim.annotator.id)
    now, count = mine[0] if mine else 0, BATCHES.row(connection, study=claim.annotator.study_id)[0]
    for pilot in pilots:
        # Onwards from the batch at hand; what has come free in an earlier one since comes last.
        for queue in (*range(now, count), *range(now)):
            yield {"pilot": pilot, "queue": queue}


# From the end of the index: a maximum with a condition would scan every item.
GROUPS = Prepared(select(item.c.group_number).where(_IN_STUDY).order_by(item.c.group_number.desc()).limit(1))
# From the few items of a group to who has them: somebody may have had very many others.
_MY_POSITION = (
    select(func.max(assignment.c.position + literal_column("0"))).where(OF_ITEM, MINE, AT_WORK_TOO).scalar_subquery()
)
MINE_OF_GROUP = Prepared(
    select(item.c.group_number, item.c.pair, _MY_POSITION).where(
        _IN_STUDY,
        item.c.group_number == bindparam("group_number"),
        item.c.series == literal_column("'work'"),
    )
)


def _put_apart(
    connection: Connection, claim: Claim, position: int, levels: Iterable[list[OpenItem]]
) -> Iterator[OpenItem]:
    """These items reordered: those first whose group the annotator has not had lately.

    An item that more people have comes before one whose group is too near: the latter is for when nothing else is left.
    """
    groups = GROUPS.row(connection, study=claim.annotator.study_id)[0] + 1
    gap = least_gap(claim.share.different_items, groups)
    me = {"study": claim.annotator.study_id, "annotator": claim.annotator.id}
    early: list[tuple[int, OpenItem]] = []
    for ranked in levels:
        numbers = sorted({each.group_number for each in ranked})
        rows = [tuple(row) for each in numbers for row in MINE_OF_GROUP.rows(connection, **me, group_number=each)]
        seen = groups_seen(row for row in rows if row[2] is not None)
        left = Counter(row[0] for row in rows if row[2] is None)
        for each in put_apart(ranked, seen, position, gap, left, claim.share.most_items + 1 - position):
            if too_near(each, seen, position, gap):
                early.append((too_near(each, seen, position, gap), each))
            else:
                yield each
    yield from (each for _, each in sorted(early, key=lambda pair: pair[0]))


def _by_level(
    connection: Connection, queues: list[dict[str, Any]], order: Order, start: int, grouped: bool
) -> Iterator[list[OpenItem]]:
    """The items with the fewest annotators, best first; then those with the next higher number, and so on."""
    level = -1
    while True:
        higher = (NEXT_LEVEL.row(connection, **each, level=level) for each in queues)
        levels = [row[0] for row in higher if row is not None]
        if not levels:
            return
        level = min(levels)
        at = {"level": level, "start": start}
        found = _merge_queues((AFTER[grouped].rows(connection, **each, **at) for each in queues), _BY_LOT)
        if len(found) < WINDOW:
            found += _merge_queues((BEFORE[grouped].rows(connection, **each, **at) for each in queues), _BY_LOT)
        yield order.rank(found, start)


def _merge_queues(found: Iterable[list[Any]], order: Callable[[OpenItem], Any]) -> list[OpenItem]:
    """The first items of several sorted queues, merged."""
    offered = [[OpenItem._make(row) for row in rows] for rows in found]
    return offered[0] if len(offered) == 1 else sorted(chain.from_iterable(offered), key=order)[:WINDOW]


def items_of_group(connection: Connection, claim: Claim, group_number: int, hard: int | None) -> list[tuple[int, bool]]:
    """The items of a group that somebody can be given, with no more hard ones among them than there may be."""
    rows = OF_GROUP.rows(
        connection, study=claim.annotator.study_id, annotator=claim.annotator.id, group_number=group_number
    )
    found = []
    for item_id, is_tagged in rows:
        if is_tagged and hard is not None:
            hard -= 1
            if hard < 0:
                continue
        found.append((item_id, bool(is_tagged)))
    return found
