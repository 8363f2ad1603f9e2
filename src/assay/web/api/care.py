"""How people said that they are, and what they left out at a warning."""

import asyncio

from assay.exchange import as_time
from assay.store.coordinator.care import check_ins, warned_items
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint


class CheckInRow(Answer):
    """How somebody said that they are."""

    annotator: str
    asked_at: str
    judged: int
    answer: str
    """well, so_so or not_well."""
    simulated: bool


class WarnedItemsRow(Answer):
    """What became of the items that are warned of for one thing."""

    tag: str
    opened: int
    left_out: int


class CareAnswer(Answer):
    """How people are, as far as they agreed that it is seen, and what they left out."""

    check_ins: list[CheckInRow]
    warned: list[WarnedItemsRow]


async def read(call: ApiCall) -> CareAnswer:
    """List how people said that they are, and how often items were left out at a warning. It takes the scope manage."""
    store, study_id = call.context.store, call.bearer.study_id
    said = await asyncio.to_thread(lambda: list(store.stream(check_ins, study_id)))
    warned = await store.aread(warned_items, study_id)
    return CareAnswer(
        check_ins=[
            CheckInRow(
                annotator=each.annotator,
                asked_at=as_time(each.at),
                judged=each.judged,
                answer=each.answer,
                simulated=each.simulated,
            )
            for each in said
        ],
        warned=[WarnedItemsRow(tag=each.tag, opened=each.opened, left_out=each.left_out) for each in warned],
    )


ENDPOINTS = [ApiEndpoint("GET", "/studies/{study}/care", "manage", read, CareAnswer)]
