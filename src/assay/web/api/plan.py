"""The plan of the work: what is to be judged, what of it is there, and what each annotator gets in how many minutes."""

import asyncio
from typing import Literal

from assay.live.work_plan import work_plan
from assay.web.api.annotators import MOST_PEOPLE
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint, Query


class HeldAnswer(Answer):
    """Places that somebody holds who has stopped."""

    annotator: str
    why: str
    """excluded, left, paused or away."""
    open: int
    judged: int
    says: str


class EachAnswer(Answer):
    """What one annotator gets."""

    items: int
    duplicates: int
    controls: int
    practice: int
    minutes: int


class PlanPayAnswer(Answer):
    """What an hour of work brings, or will bring."""

    per_hour: float | None
    source: str | None
    """What it rests on: work, pilot, bots or expected (the time that an item is expected to take)."""
    floor: float | None
    below_floor: bool
    says: list[str]


class PlanAnswer(Answer):
    """How much work there is, and what each of those who share it gets."""

    items: int
    items_in_all: int
    """Those that open after the pilot among them."""
    judges_alone: int
    """How many more items there are that people are not asked for."""
    finished: int
    per_item: int | Literal["all"]
    overlap: int
    """How many items more people judge than the rest."""
    judgments: int
    """How often items are to be judged, all together."""
    taken: int
    """How many of these judgments are there or given out."""
    from_files: int
    left: int
    annotators: int
    each: EachAnswer
    nobody_for: int
    """For how many judgments there is nobody."""
    held: list[HeldAnswer]
    pay: PlanPayAnswer | None
    """Null where the study does not say what is paid."""
    recruit: int | None = None
    """How many people more it takes, where each gets a fixed number of items."""


async def read(call: ApiCall) -> PlanAnswer:
    """Read what is to be judged, what of it is there, and what each gets, with so many more people."""
    study = await call.study()
    at = (call.context.store, call.bearer.study_id, study, call.now)
    found = await asyncio.to_thread(work_plan, *at, more=call.query["more"])
    return PlanAnswer.model_validate(found.as_json())


ENDPOINTS = [
    ApiEndpoint(
        "GET",
        "/studies/{study}/plan",
        "read",
        read,
        PlanAnswer,
        query=(Query("more", "How many people more than there are.", 0, high=MOST_PEOPLE),),
    ),
]
