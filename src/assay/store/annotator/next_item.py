"""Giving out items that still need annotators, in an order drawn by lot, each candidate on a side drawn by lot."""

import secrets
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select

from assay.assignment import lot
from assay.items.reference_items import CONTROLS
from assay.store.annotator.annotator_counts import NOTHING_YET, HadSoFar, keep_had, read_had
from assay.store.annotator.assignments import AT_WORK, MINE, OPEN, lock_annotator
from assay.store.annotator.care import hard_items_left
from assay.store.annotator.claim import Claim
from assay.store.annotator.draw_sides import draw_swapped
from assay.store.annotator.duplicates import find_duplicate
from assay.store.annotator.open_items import NOT_MINE, items_of_group, open_items
from assay.store.annotator.places import (
    LATE,
    RETURNED,
    count,
    lock_pool,
    return_expired,
    take_uncounted,
    take_up_again,
)
from assay.store.engine.prepared import Prepared
from assay.store.tables import assignment, is_in_study, item
from assay.study import Study

GIVEN = ("study_id", "annotator_id", "item_id", "pass", "position", "public_id", "submission_id")
TIMES = ("created_at", "expires_at")

OPEN_COUNT = Prepared(select(func.count()).select_from(assignment).where(MINE, AT_WORK, OPEN))
_MINE_AT_WORK = select(func.count()).select_from(assignment).where(MINE, AT_WORK)
STANDS = Prepared(
    select(
        _MINE_AT_WORK.where(OPEN).scalar_subquery(),
        _MINE_AT_WORK.where(RETURNED).scalar_subquery(),
        select(func.coalesce(func.max(assignment.c.position), 0)).where(MINE, AT_WORK).scalar_subquery(),
        select(assignment.c.id).where(LATE).limit(1).scalar_subquery(),
    )
)
"""How many items lie before somebody, how many went back, where the last one came, and whether anybody is late."""
GIVE = Prepared(insert(assignment).values({name: bindparam(name) for name in (*GIVEN, *TIMES, "swapped")}))


def give(connection: Connection, claim: Claim, ahead: int = 0) -> None:
    """Give an annotator items until one is open, and up to `ahead` more that are within the share."""
    # The annotator's row is the lock: two tabs that ask at once get the same item.
    lock_annotator(connection, claim.annotator.id)
    study_id = claim.annotator.study_id
    asked = {"annotator": claim.annotator.id, "study": study_id, "now": claim.now}
    is_open, returned, position, late = STANDS.row(connection, **asked)
    if is_open > ahead:
        return
    one_place = not (late or returned or claim.study.assignment.together or ahead > is_open)
    locked = lock_pool(connection, study_id, one_place=one_place)
    if (late and return_expired(connection, study_id, claim.now)) or locked:
        is_open, returned, position, _ = STANDS.row(connection, **asked)
    if returned and not one_place:
        is_open += take_up_again(connection, claim.annotator.id, ahead + 1 - is_open, claim.expires_at)
    if is_open > ahead:
        return
    last = min(position + 1 + ahead - is_open, max(claim.share.total, position + (0 if is_open else 1)))
    last = min(last, claim.study.assignment.most_items or last)
    while position < last:
        given = _give(connection, claim, position + 1)
        if not given:
            return
        position += given


def _give(connection: Connection, claim: Claim, position: int) -> int:
    """Give out the item, or the group of items, for a position; returns how many items."""
    had = read_had(connection, claim.annotator.id) if _tells_sorts_apart(claim.study) else NOTHING_YET
    control_is_due = claim.share.is_control(position, had.controls, had.last_control)
    if control_is_due and _give_control(connection, claim, position, had):
        return 1
    missing = claim.share.duplicates - had.duplicates
    due = claim.share.is_duplicate(position, had.duplicates)
    if due and _give_duplicate(connection, claim, position, had, missing):
        return 1
    if given := _give_work(connection, claim, position, had):
        return given
    # Nothing new is left: missing duplicates come now, if their first pass was long enough ago.
    return int(missing > 0 and _give_duplicate(connection, claim, position, had))


def _tells_sorts_apart(study: Study) -> bool:
    """Whether a study's plan depends on how many items of each sort somebody has had."""
    plan = study.assignment
    return bool(plan.controls or plan.duplicates or plan.exposure or study.items.candidates)


A_CONTROL = Prepared(
    select(item.c.id, item.c.lot, item.c.pair)
    .where(is_in_study(bindparam("study")), item.c.series == CONTROLS, NOT_MINE)
    .order_by(item.c.id)
)


def _give_control(connection: Connection, claim: Claim, position: int, had: HadSoFar) -> bool:
    """An item with a known answer, which nothing tells from the others."""
    rows = A_CONTROL.rows(connection, study=claim.annotator.study_id, annotator=claim.annotator.id)
    if not rows:
        return False
    start = lot(claim.study.seed, claim.annotator.name, str(position))
    item_id, _, pair = min(rows, key=lambda row: lot(start, str(row[1])))
    _hand_over(connection, claim, position, item_id, pair, had, controls=had.controls + 1, last_control=position)
    return True


def _give_duplicate(connection: Connection, claim: Claim, position: int, had: HadSoFar, missing: int = 0) -> bool:
    """An item that the annotator has judged before, far enough behind: again, under another name."""
    found = find_duplicate(connection, claim, position, missing)
    if found is None:
        return False
    item_id, pair = found
    _hand_over(connection, claim, position, item_id, pair, had, pass_=2, duplicates=had.duplicates + 1)
    return True


def _give_work(connection: Connection, claim: Claim, position: int, had: HadSoFar) -> int:
    """An item that fewer people have than are to judge it, or its whole group; 0 where there is none."""
    hard = _hard_items_left(connection, claim, had)
    kinds = (False,) if hard is None or hard <= 0 else (False, True)
    for candidate in open_items(connection, claim, position, kinds):
        found = [(candidate.item, candidate.tagged)]
        if claim.study.assignment.together:
            found = items_of_group(connection, claim, candidate.group_number, hard)
        given = 0
        for item_id, tagged in found:
            if place := take_uncounted(connection, item_id):
                at, by_now = position + given, had.tagged + tagged
                had = _hand_over(connection, claim, at, item_id, place.pair, had, tagged=by_now)
                count(connection, place)
                given += 1
        if given:
            return given
    return 0


def _hard_items_left(connection: Connection, claim: Claim, had: HadSoFar) -> int | None:
    """How many more items with hard content somebody can be given, in all and today; None: there is no limit."""
    exposure = claim.study.assignment.exposure
    in_all = None if exposure is None else exposure.at_most - had.tagged
    today = hard_items_left(connection, claim.annotator.id, claim.study, claim.now)
    return min((each for each in (in_all, today) if each is not None), default=None)


def _hand_over(
    connection: Connection,
    claim: Claim,
    position: int,
    item_id: int,
    pair: int,
    had: HadSoFar,
    pass_: int = 1,
    **counts: Any,
) -> HadSoFar:
    """Give out one item, and keep what has been given by then; `counts` are those that have changed."""
    names = secrets.token_urlsafe(36)
    me, lean = claim.annotator, had.leans.get(str(pair), 0)
    swapped = draw_swapped(connection, claim.study, me.id, me.name, position, lean)
    values = {
        "study_id": claim.annotator.study_id,
        "annotator_id": claim.annotator.id,
        "item_id": item_id,
        "pass": pass_,
        "position": position,
        "public_id": names[:24],
        "submission_id": names[24:],
        "created_at": claim.now,
        "expires_at": claim.expires_at,
        "swapped": swapped,
    }
    GIVE.run(connection, **values)
    by_now = replace(had, **counts).with_sides(pair, swapped)
    if by_now != had and _tells_sorts_apart(claim.study):
        keep_had(connection, me.id, by_now)
    return by_now
