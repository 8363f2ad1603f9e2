"""Flags: the doubts that monitors have raised, and what was made of them."""

import asyncio
from typing import Any, Literal

from pydantic import Field
from sqlalchemy import Connection

from assay import acts
from assay.exchange import as_time
from assay.store.coordinator import flags
from assay.web.api.endpoint import WORDS, Answer, ApiCall, ApiEndpoint, Body, no_such_thing


class FlagAnswer(Answer):
    """A recorded doubt. It never deletes anything."""

    annotator: str
    monitor: str
    reason: str
    items: list[str]
    evidence: dict[str, Any]
    raised_at: str
    state: str


class FlagsAnswer(Answer):
    """The flags of a study, open ones first."""

    flags: list[FlagAnswer]


class FlagAction(Body):
    """What to do about a flag, and why."""

    action: Literal["dismiss"]
    reason: str = Field(min_length=1, max_length=WORDS)


async def listed(call: ApiCall) -> FlagsAnswer:
    """Read every flag, brought up to date where there is new work."""
    study = await call.study()
    found = await asyncio.to_thread(acts.refresh_flags, call.context.store, call.bearer.study_id, study, call.now)
    return FlagsAnswer(flags=[_answer(each) for each in found])


def _answer(each: flags.Kept) -> FlagAnswer:
    return FlagAnswer(
        annotator=each.annotator,
        monitor=each.monitor,
        reason=each.reason,
        items=list(each.items),
        evidence=each.evidence,
        raised_at=as_time(each.raised_at),
        state=each.state,
    )


async def act(call: ApiCall) -> FlagAnswer:
    """Dismiss a flag: somebody has looked into it and found nothing wrong. It is kept, and stays dismissed."""
    wanted = call.read(FlagAction)
    name, monitor, store = call.path("annotator"), call.path("monitor"), call.context.store
    if not _flags_of(await store.aread(flags.kept_flags, call.bearer.study_id), name, monitor):
        raise no_such_thing("there is no such flag")

    def dismiss(connection: Connection) -> dict[str, Any]:
        acts.dismiss_flag(connection, call.by(wanted.reason), name, monitor)
        return {}

    await call.write(dismiss)
    return _answer(_flags_of(await store.aread(flags.kept_flags, call.bearer.study_id), name, monitor)[0])


def _flags_of(found: list[flags.Kept], name: str, monitor: str) -> list[flags.Kept]:
    return [each for each in found if (each.annotator, each.monitor) == (name, monitor)]


ENDPOINTS = [
    ApiEndpoint("GET", "/studies/{study}/flags", "read", listed, FlagsAnswer),
    ApiEndpoint(
        "POST", "/studies/{study}/flags/{annotator}/{monitor}", "manage", act, FlagAnswer, FlagAction, repeatable=True
    ),
]
