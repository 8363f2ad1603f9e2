"""The list of one's own items, where a study lets people move freely: what there is, and what may be opened now."""

from dataclasses import dataclass

from sqlalchemy import Connection

from assay.acts.claims import claim
from assay.acts.may_judge import can_go_back_to, may_work
from assay.store.annotator import assignments, item_list
from assay.store.annotator.assignments import Assignment
from assay.store.annotator.item_list import ListedItem, OwnCounts
from assay.store.annotator.sessions import Annotator
from assay.study import Study

AT_A_TIME = 100
"""So many items stand on one page of the list."""
MOST_AHEAD = 20
"""So many items are given out ahead where they are shared: others wait for what one person has."""


@dataclass(frozen=True)
class ItemList:
    """One page of the list."""

    items: tuple[ListedItem, ...]
    may_open: frozenset[str]
    """The public ids of those that may be opened now."""
    at_hand: str
    """The public id of the item that comes next by itself; empty: there is none."""
    page: int
    pages: int
    counts: OwnCounts


def moves_freely(study: Study) -> bool:
    """Whether somebody may open items in any order.

    Not where some come a second time: the first and the second time are to lie apart.
    """
    return study.navigation == "free" and study.assignment.duplicates is None


def can_open(annotator: Annotator, study: Study, assignment: Assignment, at_hand: Assignment | None) -> bool:
    """Whether somebody may open an item now: a submitted one, or one that is open, in no later batch than theirs."""
    if assignment.state == "submitted":
        return can_go_back_to(annotator, study, assignment)
    if assignment.state != "open" or assignment.attempt or not moves_freely(study):
        return False
    return _is_in_reach(study, assignment.batch, at_hand)


def _is_in_reach(study: Study, batch: int, at_hand: Assignment | None) -> bool:
    return study.assignment.batches == "mixed" or at_hand is None or batch <= at_hand.batch


def list_items(connection: Connection, annotator: Annotator, study: Study, page: int, now: int) -> ItemList:
    """A page of somebody's own items. What they will get anyway is given out for it, as far as others do not wait.

    Of batches that come in order, those behind the one at hand are not listed.
    """
    if moves_freely(study) and may_work(connection, annotator, study):
        _give_out(connection, annotator, study, page, now)
    at_hand = assignments.current(connection, annotator.id)
    counts = item_list.own_counts(connection, annotator.id)
    found = item_list.items_between(connection, annotator.id, (page - 1) * AT_A_TIME, page * AT_A_TIME)
    if not moves_freely(study):
        found = [each for each in found if each.state != "open" or _is(each, at_hand)]
    found = [each for each in found if each.state in ("done", "changed") or _is_in_reach(study, each.batch, at_hand)]
    total = max(annotator.share(study).total, counts.last) if moves_freely(study) else counts.last
    return ItemList(
        items=tuple(found),
        may_open=frozenset(each.public_id for each in found if _may_open(study, each, at_hand)),
        at_hand=at_hand.public_id if at_hand is not None else "",
        page=page,
        pages=max(1, -(-total // AT_A_TIME)),
        counts=counts,
    )


def _is(each: ListedItem, at_hand: Assignment | None) -> bool:
    return at_hand is not None and each.public_id == at_hand.public_id


def _may_open(study: Study, each: ListedItem, at_hand: Assignment | None) -> bool:
    if each.state in ("done", "changed"):
        return study.navigation == "free"
    return each.state != "declined" and (moves_freely(study) or _is(each, at_hand))


def _give_out(connection: Connection, annotator: Annotator, study: Study, page: int, now: int) -> None:
    """Give out what this page of the list will show; without a limit where everybody judges everything."""
    counts = item_list.own_counts(connection, annotator.id)
    more = min(AT_A_TIME, page * AT_A_TIME - counts.last)
    if more > 0:
        most = AT_A_TIME * page if study.assignment.per_item == "all" else MOST_AHEAD
        claim(connection, annotator, study, now, min(counts.open + more - 1, most))
