"""The list of an annotator's own items, where the study lets them move freely: first words, state, a way to each."""

from collections.abc import Iterable, Mapping
from typing import Any

from starlette.responses import Response

from assay.acts.item_list import can_open, list_items
from assay.acts.may_judge import may_work, next_gate
from assay.store.annotator import assignments, item_list
from assay.store.annotator.item_list import ListedItem
from assay.study import Study
from assay.study.first_words import first_words, words_apart
from assay.web.access import Call, Endpoint, see_other
from assay.web.annotator import care, common, pace

MOST_PAGES = 10_000


def words_for_annotators(study: Study, shown: Mapping[str, Any], *, covered: bool = False) -> str:
    """The first words of an item.

    Empty where a warning stands before it, or where the study has duplicates: the same words twice would reveal them.
    """
    return "" if covered or study.assignment.duplicates is not None else first_words(study, shown)


def words_of_items(study: Study, items: Iterable[ListedItem]) -> dict[str, str]:
    """The first words of each item of a list, by public id; of items that begin alike, also what differs."""
    if study.assignment.duplicates is not None:
        return {}
    seen = [each for each in items if not each.is_covered]
    return {
        each.public_id: words
        for each, words in zip(seen, words_apart(study, [each.shown for each in seen]), strict=True)
    }


async def show_list(call: Call) -> Response:
    """One page of the list. Where the study does not let people move freely, the items that may be opened again."""
    study, store = await common.study_of(call), call.context.store
    if call.annotator.left or await store.aread(next_gate, call.annotator, study) is not None:
        return see_other(common.home(call))
    if study.navigation != "free":
        return see_other(f"{common.home(call)}/earlier")
    page = common.number(call.request.query_params.get("page", ""), 1, MOST_PAGES) or 1
    found = await store.awrite(list_items, call.annotator, study, page, call.now)
    words = words_of_items(study, found.items)
    total = max(call.annotator.share(study).total, found.counts.last)
    return common.show(call, study, "items.html", found=found, words=words, total=total)


async def at_position(call: Call) -> Response:
    """The item at a position, for the way to the one before and the one after; else to where the annotator is."""
    study, store = await common.study_of(call), call.context.store
    position = common.number(call.request.path_params["position"], 0, 10**9) or 0
    found = await store.aread(item_list.at_position, call.annotator.id, position)
    if study.navigation != "free" or found is None:
        return see_other(common.home(call))
    return see_other(f"{common.home(call)}/item/{found}")


async def item(call: Call) -> Response:
    """An item by its address, where it may be opened now. All others lead to where the annotator is."""
    study, store = await common.study_of(call), call.context.store
    assignment = await store.aread(assignments.by_public_id, call.annotator.id, common.public_id(call.request))
    at_hand = await store.aread(assignments.current, call.annotator.id)
    works = await store.aread(may_work, call.annotator, study)
    if not works or not can_open(call.annotator, study, assignment, at_hand):
        return see_other(common.home(call))
    stands = await pace.pace_state(call, study)
    if assignment.state == "open":
        # What comes before the next item comes before any that is not judged yet.
        if call.annotator.unread:
            return see_other(common.home(call))
        if (instead := await pace.between(call, study, assignment, stands)) is not None:
            return instead
        if (instead := await care.before(call, study, assignment)) is not None:
            return instead
    jumped = assignment.state == "open" and at_hand is not None and assignment.position > at_hand.position
    values = await common.item_values(call, study, assignment, out_of_turn=jumped)
    return common.show_item(call, study, {**values, **await pace.values(call, study, assignment, stands)})


ENDPOINTS = [
    Endpoint("GET", "/judge/{study}/items", "annotator", show_list),
    Endpoint("GET", "/judge/{study}/at/{position}", "annotator", at_position),
    Endpoint("GET", "/judge/{study}/item/{public_id}", "annotator", item),
]
