"""How long people are kept, and erasing them when that is over."""

import asyncio

from pydantic import Field

from assay import acts
from assay.exchange import as_time
from assay.web.api.endpoint import WORDS, Answer, ApiCall, ApiEndpoint, Body


class RetentionAnswer(Answer):
    """What a study declares about how long its people are kept, and how that stands."""

    days: int | None
    """So many days after the study is closed; null: it does not say."""
    people: int
    """How many are not erased yet."""
    due_at: str | None
    """When they are to be erased; null: the study is not closed."""
    is_due: bool
    erased: int
    """How many were erased by this request."""


class RetentionRequest(Body):
    """That people whose time is over are to be erased."""

    reason: str = Field(default="", max_length=WORDS)


async def read(call: ApiCall) -> RetentionAnswer:
    """Read when the people of the study are to be erased."""
    return await _answer(call, 0)


async def retain(call: ApiCall) -> RetentionAnswer:
    """Erase everybody in the study if their time is over; otherwise nothing is done."""
    by, study = call.by(call.read(RetentionRequest).reason), await call.study()
    return await _answer(call, await asyncio.to_thread(acts.retain, call.context.store, by, study))


async def _answer(call: ApiCall, erased: int) -> RetentionAnswer:
    found = await call.context.store.aread(acts.retention, call.bearer.study_id, await call.study())
    if found is None:
        return RetentionAnswer(days=None, people=0, due_at=None, is_due=False, erased=0)
    return RetentionAnswer(
        days=found.days,
        people=len(found.people),
        due_at=None if found.due_at is None else as_time(found.due_at),
        is_due=found.is_due(call.now),
        erased=erased,
    )


ENDPOINTS = [
    ApiEndpoint("GET", "/studies/{study}/retention", "read", read, RetentionAnswer),
    ApiEndpoint("POST", "/studies/{study}/retention", "manage", retain, RetentionAnswer, RetentionRequest),
]
