"""Studies: how each stands, and whether it takes answers."""

import asyncio
from typing import Any, Literal

from pydantic import Field
from sqlalchemy import Connection
from starlette.responses import Response

from assay import acts
from assay.errors import AssayError
from assay.exchange import as_time
from assay.live.heavy_work import compute
from assay.live.stopping import stop_as_json
from assay.store.coordinator import record, studies, study_status
from assay.study import Study
from assay.web.api.endpoint import WORDS, Answer, ApiCall, ApiEndpoint, Body, Query


class DimensionAnswer(Answer):
    """One quality that is asked about."""

    dimension: str
    kind: str
    level: str | None
    of: str
    values: list[Any]


class StopAnswer(Answer):
    """The study's stopping rule, and when it was reached."""

    rule: str
    then: str
    """What follows when it is reached: say, pause or close."""
    reached_at: str | None
    judged: int | None
    """How many judgments of items were there by then."""
    planned: int | None
    saved: int | None
    """How many of those that were planned were not needed."""
    says: str


class StudyAnswer(Answer):
    """A study and how it stands."""

    study: str
    title: str
    version: str
    state: str
    """open, paused or closed."""
    enrolment: str
    """open or stopped: whether new people can enrol, where the study lets anybody."""
    items: int
    finished: int
    judges_alone: int
    """How many more items there are that people are not asked for."""
    per_item: int | Literal["all"]
    """How many annotators judge each item, or that everybody does."""
    rubric: list[DimensionAnswer]
    stop: StopAnswer | None
    """Null where the study has no stopping rule."""


class StudiesAnswer(Answer):
    """The studies that a token is good for."""

    studies: list[StudyAnswer]


class StudyChange(Body):
    """Open, pause or close a study, or stop enrolment. What is left out stays."""

    state: Literal["open", "paused", "closed"] | None = None
    enrolment: Literal["open", "stopped"] | None = None
    """Whether new people can enrol by the link for anybody."""
    reason: str = Field(default="", max_length=WORDS)


class ActionAnswer(Answer):
    """Something that was done, by whom and why."""

    at: str
    by: str
    what: str
    annotator: str
    about: str
    reason: str


class ActionsAnswer(Answer):
    """What was done in a study, the newest first."""

    actions: list[ActionAnswer]


async def all_studies(call: ApiCall) -> StudiesAnswer:
    """List the studies that the token is good for."""
    return StudiesAnswer(studies=[await one(call)])


async def one(call: ApiCall) -> StudyAnswer:
    """Read a study: its rubric, its state, and how many items are finished."""
    study = await call.study()
    store, study_id = call.context.store, call.bearer.study_id
    counts = await store.aread(study_status.item_counts, study_id)
    state = await store.aread(studies.state, study_id)
    stop = await asyncio.to_thread(stop_as_json, store, study_id, study)
    return StudyAnswer(
        study=study.study,
        title=study.title,
        version=study.hash,
        state=state,
        enrolment=await store.aread(studies.enrolment, study_id),
        items=counts.items,
        finished=counts.finished,
        judges_alone=counts.judges_alone,
        per_item=study.assignment.per_item,
        rubric=_rubric(study),
        stop=None if stop is None else StopAnswer.model_validate(stop),
    )


def _rubric(study: Study) -> list[DimensionAnswer]:
    return [
        DimensionAnswer(
            dimension=each.dimension,
            kind=each.input.kind,
            level=each.input.level,
            of=each.scope.of,
            values=list(each.input.values()),
        )
        for each in study.rubric
    ]


async def change(call: ApiCall) -> StudyAnswer:
    """Open, pause or close a study, or stop enrolment. Nothing is ever deleted by it."""
    wanted = call.read(StudyChange)
    if wanted.state is None and wanted.enrolment is None:
        raise AssayError("nothing is to change", "give state, or enrolment, or both")

    def act(connection: Connection) -> dict[str, Any]:
        if wanted.state is not None:
            acts.set_study_state(connection, call.by(wanted.reason), wanted.state)
        if wanted.enrolment is not None:
            acts.set_enrolment(connection, call.by(wanted.reason), wanted.enrolment)
        return {}

    await call.write(act)
    return await one(call)


async def done(call: ApiCall) -> ActionsAnswer:
    """Read what coordinators and tokens did, the newest first; what was written about people takes the scope manage."""
    may_know, most = "manage" in call.bearer.scopes, call.query["limit"]
    found = await call.context.store.aread(record.entries, call.bearer.study_id, most, for_coordinators=may_know)
    rows = [
        ActionAnswer(
            at=as_time(each.at),
            by=each.by,
            what=each.what,
            annotator=each.annotator,
            about=each.about,
            reason=each.reason,
        )
        for each in found
    ]
    return ActionsAnswer(actions=rows)


async def report(call: ApiCall) -> Response:
    """Read every number of the report."""
    found = await compute(call.context.store, "report", call.bearer.study_id, await call.study(), call.now)
    return Response(found, media_type="application/json")


ENDPOINTS = [
    ApiEndpoint("GET", "/studies", "read", all_studies, StudiesAnswer),
    ApiEndpoint("GET", "/studies/{study}", "read", one, StudyAnswer),
    ApiEndpoint("PATCH", "/studies/{study}", "manage", change, StudyAnswer, StudyChange, repeatable=True),
    ApiEndpoint(
        "GET",
        "/studies/{study}/actions",
        "read",
        done,
        ActionsAnswer,
        query=(Query("limit", "How many at most.", 100, low=1, high=1000),),
    ),
    ApiEndpoint("GET", "/studies/{study}/report", "read", report, heavy=True),
]
