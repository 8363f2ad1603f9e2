"""What people say about themselves: how often each answer was given, and free texts without a pseudonym beside them."""

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from assay.exchange import QUESTIONNAIRE, questionnaire_row
from assay.exchange.csv import write_csv
from assay.model import Value
from assay.store import Backend
from assay.store.coordinator.person_answers import person_answers
from assay.study import Study
from assay.study.person import PersonAnswer, PersonQuestion
from assay.web.access import Call, Endpoint, Refused
from assay.web.coordinator.common import compute, show
from assay.web.coordinator.menu import MenuEntry
from assay.words import Translatable


@dataclass(frozen=True, slots=True)
class QuestionSummary:
    """One question, and what was answered."""

    question: str
    title: str
    answered: int
    counts: list[tuple[str, int]]
    """How often each answer was given; of free texts nothing."""
    texts: list[str]


def summaries(store: Backend, study_id: int, study: Study, now: int) -> list[QuestionSummary]:
    """Every question of the version in force."""
    found = list(store.stream(person_answers, study_id))
    return [
        _summary(asked, [each for each in found if each.question == name])
        for name, asked in study.person_questions.items()
    ]


def _summary(asked: PersonQuestion, given: Sequence[PersonAnswer]) -> QuestionSummary:
    values: list[Value] = [each.value for each in given]
    if asked.input.answer == "text":
        # In the order of the words: that of the people would tell who wrote which.
        return QuestionSummary(asked.question, asked.heading, len(values), [], sorted(map(str, values)))
    listed = [asked.input.show(value) for value in asked.input.values()]
    often = Counter(asked.input.show(value) for value in values)
    order = [*listed, *(name for name in sorted(often) if name not in listed)]
    return QuestionSummary(asked.question, asked.heading, len(values), [(name, often[name]) for name in order], [])


async def page(call: Call) -> Response:
    """The questions with their answers. Viewers see how many people have answered, and nothing else."""
    return await show(call, "questionnaire.html", questions=await compute(call, summaries))


async def as_csv(call: Call) -> Response:
    """Every answer by pseudonym, as a file."""
    if call.session.reads_only:
        raise Refused(403, Translatable("errors.not_allowed"), Translatable("errors.reads_only"))
    headers = {"Content-Disposition": f'attachment; filename="questionnaire-{call.session.study}.csv"'}
    return Response(await compute(call, _csv), media_type="text/csv; charset=utf-8", headers=headers)


def _csv(store: Backend, study_id: int, study: Study, now: int) -> str:
    file = io.StringIO(newline="")
    write_csv(file, list(QUESTIONNAIRE), map(questionnaire_row, store.stream(person_answers, study_id)))
    return file.getvalue()


def _asks(study: Study) -> bool:
    return bool(study.person_questions)


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/questionnaire", "coordinator", page, MenuEntry("Questionnaire", 65, _asks)),
    Endpoint("GET", "/coordinate/{study}/questionnaire.csv", "coordinator", as_csv),
]
