"""Questions on which people were far apart, and the values that were agreed on."""

import asyncio
from dataclasses import asdict
from typing import Any

from pydantic import Field
from sqlalchemy import Connection

from assay import acts
from assay.errors import AssayError
from assay.exchange import as_time
from assay.live import report_data
from assay.report.adjudication import QuestionSpread, adjudicated_question, adjudication_queue, with_agreed_values
from assay.store.coordinator import item_lookup
from assay.web.api.endpoint import WORDS, Answer, ApiCall, ApiEndpoint, Body

MOST_ANSWERS = 200


class ApartAnswer(Answer):
    """A question on which people are farther apart than the study's line. Who said what is not told."""

    item: str
    key: str
    """The question as it is named when a value is agreed on."""
    dimension: str
    system: str
    entry: str
    values: list[float]
    standard_deviation: float
    agreed: Any
    """The value that was agreed on last; null: none yet."""
    reason: str
    agreed_at: str | None


class ApartAnswers(Answer):
    """Every such question, the widest first."""

    questions: list[ApartAnswer]


class AgreedAnswers(Body):
    """What was agreed on for one item, and why."""

    answers: dict[str, str | int | float | list[str]] = Field(default={}, max_length=MOST_ANSWERS)
    """By the key of each question."""
    take_back: list[str] = Field(default=[], max_length=MOST_ANSWERS)
    """The keys of questions whose agreed values count no more."""
    majority: bool = False
    """Whether the questions that are then still open get the value that more than half of the people gave to each."""
    reason: str = Field(default="", max_length=WORDS)
    """Needed for everything but what the majority settles: that is a reason of its own."""


class AgreedCount(Answer):
    """For how many questions a value was kept, and for how many one was taken back."""

    agreed: int
    taken_back: int = 0


async def listed(call: ApiCall) -> ApartAnswers:
    """Read the questions that people were far apart on, with the values agreed on so far."""
    study, store = await call.study(), call.context.store
    data = await asyncio.to_thread(report_data.gather, store, call.bearer.study_id, study, call.now)
    found = []
    for each, agreed in with_agreed_values(data):
        said = asdict(adjudicated_question(each, agreed))
        said |= {"key": each.key, "values": list(each.values), "reason": said["reason"] or ""}
        found.append(ApartAnswer(**said, agreed_at=as_time(agreed.at) if agreed else None))
    return ApartAnswers(questions=found)


async def agree(call: ApiCall) -> AgreedCount:
    """Keep the values that were agreed on for an item, or take some back, all or none. Judgments stay as they are."""
    wanted, name, study, store = call.read(AgreedAnswers), call.path("item"), await call.study(), call.context.store
    await store.aread(item_lookup.item_named, call.bearer.study_id, name)
    answers = {
        key: [str(part) for part in (value if isinstance(value, list) else [value])]
        for key, value in wanted.answers.items()
    }

    if not answers and not wanted.take_back and not wanted.majority:
        raise AssayError("no value is given", "give answers, majority, or take_back")
    if wanted.take_back and wanted.majority:
        raise AssayError("one thing at a time", "send majority, or take_back")
    said: list[QuestionSpread] = []
    if wanted.majority:
        call.take_heavy()
        data = await asyncio.to_thread(report_data.gather, store, call.bearer.study_id, study, call.now)
        said = adjudication_queue(data)

    def act(connection: Connection) -> dict[str, Any]:
        by = call.by(wanted.reason)
        back = acts.take_agreement_back(connection, by, study, name, wanted.take_back) if wanted.take_back else 0
        agreed = acts.agree_on_answers(connection, by, study, name, answers)
        if wanted.majority:
            agreed += len(acts.agree_with_majority(connection, by, study, name, said))
        return {"agreed": agreed, "taken_back": back}

    return AgreedCount(**await call.write(act))


ENDPOINTS = [
    ApiEndpoint("GET", "/studies/{study}/adjudications", "read", listed, ApartAnswers, heavy=True),
    ApiEndpoint(
        "POST",
        "/studies/{study}/adjudications/{item}",
        "manage",
        agree,
        AgreedCount,
        AgreedAnswers,
        repeatable=True,
    ),
]
