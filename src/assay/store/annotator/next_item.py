"""Giving out items that still need annotators, in an order drawn by lot, each candidate on a side drawn by lot."""

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, bindparam, exists, func, insert, literal_column, select

from assay.assignment import OpenItem, Order, lot
from assay.assignment.apart import groups_seen, least_gap, put_apart
from assay.items.reference_items import CONTROLS
from assay.store.annotator.assignments import AT_WORK, LOCK, MINE, OPEN
from assay.store.annotator.claim import Claim
from assay.store.annotator.draw_sides import draw_swapped
from assay.store.annotator.duplicates import find_duplicate
from assay.store.annotator.places import OF_ITEM, TAKE, lock_pool, return_expired, take_up_again
from assay.store.engine.prepared import Prepared
from assay.store.tables import QUEUE, assignment, duplicate, item, study

WINDOW = 16
"""How many items are looked at when one is given out."""


GIVEN = ("study_id", "annotator_id", "item_id", "pass", "position", "public_id", "submission_id")
TIMES = ("created_at", "expires_at")

# Giving out items. The annotator's row is the lock: two tabs that ask at once get the same item.
OPEN_COUNT = Prepared(select(func.count()).select_from(assignment).where(MINE, AT_WORK, OPEN))
LAST_POSITION = Prepared(select(func.max(assignment.c.position)).where(MINE, AT_WORK))
GIVE = Prepared(
    insert(assignment).values({name: bindparam(name) for name in (*GIVEN, *TIMES, "swapped")}),
)


def give(connection: Connection, claim: Claim, ahead: int = 0) -> None:
    """Give an annotator items until one is open, and up to `ahead` more that are within the share."""
    LOCK.row(connection, annotator=claim.annotator.id)
    is_open = OPEN_COUNT.row(connection, annotator=claim.annotator.id)[0]
    if is_open > ahead:
        return
    lock_pool(connection, claim.annotator.study_id)
    return_expired(connection, claim.annotator.study_id, claim.now)
    is_open = OPEN_COUNT.row(connection, annotator=claim.annotator.id)[0]
    is_open += take_up_again(connection, claim.annotator.id, ahead + 1 - is_open, claim.expires_at)
    if is_open > ahead:
        return
    position = LAST_POSITION.row(connection, annotator=claim.annotator.id)[0] or 0
    last = min(position + 1 + ahead - is_open, max(claim.share.total, position + (0 if is_open else 1)))
    last = min(last, claim.study.assignment.most_per_annotator or last)
    while position < last:
        given = _give(connection, claim, position + 1)
        if not given:
            return
        position += given


def _give(connection: Connection, claim: Claim, position: int) -> int:
    """Give out what comes at a position; returns how many items that were."""
    had = _had(connection, claim)
    if claim.share.is_control(position, had.controls, had.last_control) and _give_control(connection, claim, position):
        return 1
    missing = claim.share.duplicates - had.duplicates
    due = claim.share.is_duplicate(position, had.duplicates)
    if due and _give_duplicate(connection, claim, position, missing):
        return 1
    if given := _give_work(connection, claim, position, had.tagged):
        return given
    # Nothing new is left: what was to come a second time comes now, as far as it lies far enough behind.
    return int(missing > 0 and _give_duplicate(connection, claim, position))


@dataclass(frozen=True, slots=True)
class _Had:
    """What somebody has been given already, of each sort."""

    controls: int
    last_control: int
    """Where the last of them came; 0: none has."""
    duplicates: int
    tagged: int


HAD = Prepared(
    select(
        func.count().filter(item.c.series == CONTROLS),
        func.coalesce(func.max(assignment.c.position).filter(item.c.series == CONTROLS), 0),
        func.count().filter(assignment.c["pass"] > 1),
        func.count().filter(item.c.tagged),
    )
    .select_from(assignment)
    .join(item, OF_ITEM)
    .where(MINE, AT_WORK)
)


def _had(connection: Connection, claim: Claim) -> _Had:
    plan = claim.study.assignment
    if plan.controls is None and plan.duplicates is None and plan.exposure is None:
        return _Had(0, 0, 0, 0)
    return _Had(*HAD.row(connection, annotator=claim.annotator.id))


_NOT_MINE = ~exists().where(OF_ITEM, MINE)
A_CONTROL = Prepared(
    select(item.c.id, item.c.lot, item.c.pair)
    .where(item.c.study_id == bindparam("study"), item.c.series == CONTROLS, _NOT_MINE)
    .order_by(item.c.id)
)


def _give_control(connection: Connection, claim: Claim, position: int) -> bool:
    """An item with a known answer, which nothing tells from the others."""
    rows = A_CONTROL.rows(connection, study=claim.annotator.study_id, annotator=claim.annotator.id)
    if not rows:
        return False
    start = lot(claim.study.seed, claim.annotator.name, str(position))
    item_id, _, pair = min(rows, key=lambda row: lot(start, str(row[1])))
    _hand_over(connection, claim, position, item_id, pair)
    return True


def _give_duplicate(connection: Connection, claim: Claim, position: int, missing: int = 0) -> bool:
    """An item that the annotator has judged before, far enough behind: again, under another name."""
    found = find_duplicate(connection, claim, position, missing)
    if found is None:
        return False
    item_id, pair = found
    _hand_over(connection, claim, position, item_id, pair, pass_=2)
    return True


# Written out, not bound: only so does the database see that its index of what is still needed will do.
_NEEDED = and_(item.c.taken < item.c.wanted, item.c.series == literal_column("'work'"))
# What the index begins with is always bound, also where a study makes no use of it: then every item has the same.
_TURN = (item.c[name] == bindparam(name) for name in QUEUE if name != "study_id")
_OF_QUEUE = and_(_NEEDED, item.c.study_id == bindparam("study"), *_TURN)
_FREE = select(item.c.id, item.c.lot, item.c.taken, item.c.group_number, item.c.pair).where(_OF_QUEUE, _NOT_MINE)
_AT_LEVEL = _FREE.where(item.c.taken == bindparam("level")).order_by(item.c.lot, item.c.id).limit(WINDOW)
AFTER = Prepared(_AT_LEVEL.where(item.c.lot >= bindparam("start")))
"""Among items with equally many annotators: those from a number drawn by lot onwards."""
BEFORE = Prepared(_AT_LEVEL.where(item.c.lot < bindparam("start")))
"""The others of them, from the beginning."""
IN_ORDER = Prepared(_FREE.order_by(item.c.id).limit(WINDOW))
NAMED = Prepared(
    select(item.c.id, item.c.lot, item.c.taken, item.c.group_number, item.c.pair)
    # From the few that are named to their items, one by one, however many items there are.
    .select_from(duplicate)
    .join(item, item.c.id == duplicate.c.item_id)
    .where(duplicate.c.study_id == bindparam("study"), _OF_QUEUE, _NOT_MINE)
    .distinct()
    .order_by(item.c.lot, item.c.id)
    .limit(WINDOW)
)
"""Items that their file has twice."""
NEXT_LEVEL = Prepared(
    select(item.c.taken).where(_OF_QUEUE, item.c.taken > bindparam("level")).order_by(item.c.taken).limit(1)
)
"""The next higher number of annotators that some item still needed has."""

BATCHES = Prepared(select(study.c.batch_count).where(study.c.id == bindparam("study")))
MY_QUEUE = Prepared(
    select(item.c.queue)
    .join(assignment, OF_ITEM)
    .where(MINE, AT_WORK, item.c.series == literal_column("'work'"))
    .order_by(assignment.c.position.desc())
    .limit(1)
)
OF_GROUP = Prepared(
    select(item.c.id, item.c.pair, item.c.tagged)
    .where(item.c.study_id == bindparam("study"), item.c.group_number == bindparam("group_number"), _NEEDED, _NOT_MINE)
    .order_by(item.c.id)
)


def _give_work(connection: Connection, claim: Claim, position: int, tagged: int) -> int:
    """An item that fewer people have than are to judge it, or its whole group; 0 where there is none."""
    exposure = claim.study.assignment.exposure
    hard = None if exposure is None else exposure.at_most - tagged
    kinds = (False,) if hard is None or hard <= 0 else (False, True)
    for candidate in _candidates(connection, claim, position, kinds):
        found = [(candidate.item, candidate.pair)]
        if claim.study.assignment.together:
            found = _of_group(connection, claim, candidate.group_number, hard)
        given = 0
        for item_id, pair in found:
            if TAKE.run(connection, item=item_id) == 1:
                _hand_over(connection, claim, position + given, item_id, pair)
                given += 1
        if given:
            return given
    return 0


def _of_group(connection: Connection, claim: Claim, group_number: int, hard: int | None) -> list[tuple[int, int]]:
    """The items of a group that somebody can be given, with no more hard ones among them than there may be."""
    rows = OF_GROUP.rows(
        connection, study=claim.annotator.study_id, annotator=claim.annotator.id, group_number=group_number
    )
    found = []
    for item_id, pair, is_tagged in rows:
        if is_tagged and hard is not None:
            hard -= 1
            if hard < 0:
                continue
        found.append((item_id, pair))
    return found


def _candidates(connection: Connection, claim: Claim, position: int, tagged: tuple[bool, ...]) -> Iterator[OpenItem]:
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
        yield from _named_in_time(connection, claim, position, queues)
        if work.apart:
            for found in _by_level(connection, queues, claim.order, start):
                yield from _put_apart(connection, claim, position, found)
        elif claim.order.balanced:
            for found in _by_level(connection, queues, claim.order, start):
                yield from found
        else:
            found = _merged((IN_ORDER.rows(connection, **each) for each in queues), _in_file_order)
            yield from claim.order.rank(found, start)


def _named_in_time(connection: Connection, claim: Claim, position: int, queues: list[dict[str, Any]]) -> list[OpenItem]:
    """What its file has twice, when it is high time for the first time: the second lies its distance behind."""
    asked = claim.study.assignment.duplicates
    last = claim.share.different_items - (asked.distance if asked else 0)
    if asked is None or not claim.study.items.duplicate_of or not claim.order.balanced or position + WINDOW < last:
        return []
    found = _merged((NAMED.rows(connection, **each) for each in queues), _by_lot)
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


GROUPS = Prepared(select(func.max(item.c.group_number)).where(item.c.study_id == bindparam("study")))
MY_GROUPS = Prepared(
    select(item.c.group_number, item.c.pair, func.max(assignment.c.position))
    .select_from(assignment)
    .join(item, OF_ITEM)
    .where(MINE, AT_WORK, item.c.series == literal_column("'work'"))
    .group_by(item.c.group_number, item.c.pair)
)


def _put_apart(connection: Connection, claim: Claim, position: int, ranked: list[OpenItem]) -> list[OpenItem]:
    """The same items, with those first whose group the annotator has not had lately."""
    groups = GROUPS.row(connection, study=claim.annotator.study_id)[0] + 1
    gap = least_gap(claim.share.different_items, groups)
    seen = groups_seen(tuple(row) for row in MY_GROUPS.rows(connection, annotator=claim.annotator.id))
    return put_apart(ranked, seen, position, gap)


def _by_level(
    connection: Connection, queues: list[dict[str, Any]], order: Order, start: int
) -> Iterator[list[OpenItem]]:
    """The items that the fewest people have, best first; then those that one more has, and so on."""
    level = -1
    while True:
        higher = (NEXT_LEVEL.row(connection, **each, level=level) for each in queues)
        levels = [row[0] for row in higher if row is not None]
        if not levels:
            return
        level = min(levels)
        at = {"level": level, "start": start}
        found = _merged((AFTER.rows(connection, **each, **at) for each in queues), _by_lot)
        if len(found) < WINDOW:
            found += _merged((BEFORE.rows(connection, **each, **at) for each in queues), _by_lot)
        yield order.rank(found, start)


def _merged(found: Iterable[list[Any]], order: Callable[[OpenItem], Any]) -> list[OpenItem]:
    """The first of what several queues offer."""
    return sorted((OpenItem(*row) for rows in found for row in rows), key=order)[:WINDOW]


def _in_file_order(each: OpenItem) -> int:
    return each.item


def _by_lot(each: OpenItem) -> tuple[int, int]:
    return each.lot, each.item


def _hand_over(connection: Connection, claim: Claim, position: int, item_id: int, pair: int, pass_: int = 1) -> None:
    values = {
        "study_id": claim.annotator.study_id,
        "annotator_id": claim.annotator.id,
        "item_id": item_id,
        "pass": pass_,
        "position": position,
        "public_id": secrets.token_urlsafe(16),
        "submission_id": secrets.token_urlsafe(16),
        "created_at": claim.now,
        "expires_at": claim.expires_at,
        "swapped": draw_swapped(connection, claim.study, claim.annotator.id, claim.annotator.name, position, pair),
    }
    GIVE.run(connection, **values)
