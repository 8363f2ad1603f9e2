"""What people said about themselves, which stands in no export."""

import asyncio

from assay.exchange import as_time
from assay.model import Value
from assay.store.coordinator.person_answers import person_answers
from assay.web.api.endpoint import Answer, ApiCall, ApiEndpoint


class PersonAnswerRow(Answer):
    """One answer of somebody about themselves."""

    annotator: str
    question: str
    value: Value
    answered_at: str
    simulated: bool


class QuestionnaireAnswer(Answer):
    """Every answer to questions about the person."""

    answers: list[PersonAnswerRow]


async def read(call: ApiCall) -> QuestionnaireAnswer:
    """List what people said about themselves, by pseudonym. It takes the scope manage."""
    found = await asyncio.to_thread(lambda: list(call.context.store.stream(person_answers, call.bearer.study_id)))
    rows = [
        PersonAnswerRow(
            annotator=each.annotator,
            question=each.question,
            value=each.value,
            answered_at=as_time(each.answered_at),
            simulated=each.simulated,
        )
        for each in found
    ]
    return QuestionnaireAnswer(answers=rows)


ENDPOINTS = [ApiEndpoint("GET", "/studies/{study}/questionnaire", "manage", read, QuestionnaireAnswer)]
