"""An annotator's own items for a script, where the study lets people move freely: the list, and one item of it.

Like the annotator's pages, this reads through `store.annotator` alone, which cannot reach what is hidden.
"""

from assay.acts.item_list import can_open, list_items
from assay.acts.may_judge import may_work
from assay.store.annotator import assignments
from assay.web.annotator import common
from assay.web.annotator.item_list import MOST_PAGES, words_of_items
from assay.web.api.assignments import PATH, AssignmentAnswer, annotator_of, assignment_answer
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint, Query, bad_request


class ListedItemAnswer(Answer):
    """One of an annotator's items."""

    assignment: str
    position: int
    words: str
    """What it begins with; empty where some items come a second time."""
    state: str
    """done, changed (since it was submitted), begun, open, or declined: left out."""
    reported: bool
    """Whether the annotator has reported a problem with it."""
    may_open: bool


class ItemListAnswer(Answer):
    """One page of an annotator's items."""

    items: list[ListedItemAnswer]
    submitted: int
    page: int
    pages: int


async def listed(call: ApiCall) -> ItemListAnswer:
    """Read an annotator's own items with their first words and states, as their list shows them."""
    annotator, store = await annotator_of(call), call.context.store
    study = await common.version_of(store, annotator.study_id, annotator.version)
    if study.navigation != "free":
        raise bad_request("annotator", "here people judge one item after the other", "read assignments instead", 409)
    found = await store.awrite(list_items, annotator, study, call.query["page"], call.now)
    words = words_of_items(study, found.items)
    items = [
        ListedItemAnswer(
            assignment=each.public_id,
            position=each.position,
            words=words.get(each.public_id, ""),
            state=each.state,
            reported=each.reported,
            may_open=each.public_id in found.may_open,
        )
        for each in found.items
    ]
    return ItemListAnswer(items=items, submitted=found.counts.submitted, page=found.page, pages=found.pages)


async def one(call: ApiCall) -> AssignmentAnswer:
    """Read one of an annotator's items, where it may be opened now."""
    annotator, store = await annotator_of(call), call.context.store
    study = await common.version_of(store, annotator.study_id, annotator.version)
    assignment = await store.aread(assignments.by_public_id, annotator.id, common.public_id(call.request))
    at_hand = await store.aread(assignments.current, annotator.id)
    works = await store.aread(may_work, annotator, study)
    if not works or not can_open(annotator, study, assignment, at_hand):
        raise bad_request("assignment", "this item cannot be opened now", "read assignments for what comes next", 409)
    return assignment_answer(study, assignment, annotator.study)


ENDPOINTS = [
    ApiEndpoint(
        "GET",
        "/studies/{study}/annotators/{annotator}/items",
        "judge",
        listed,
        ItemListAnswer,
        query=(Query("page", "Which page of the list, from 1.", 1, low=1, high=MOST_PAGES),),
    ),
    ApiEndpoint("GET", f"{PATH}/{{public_id}}", "judge", one, AssignmentAnswer),
]
