"""The pages of adjudication: the items on which people were far apart, one at a time, and the values agreed on."""

from dataclasses import dataclass

from starlette.responses import Response

from assay import acts
from assay.acts.adjudications import questions_by_candidate
from assay.errors import AssayError
from assay.judgments import Question
from assay.live import report_data
from assay.model import Agreed
from assay.report import adjudication
from assay.report.adjudication import QuestionSpread
from assay.report.data import Data
from assay.sides_and_candidates import systems_by_role
from assay.study import Study
from assay.web.access import Call, Endpoint, MenuEntry, see_other
from assay.web.coordinator.common import (
    address_of,
    by,
    compute,
    content,
    home,
    item_of,
    no_such_item,
    show,
    study_of,
)

VALUE = "value."
"""What the name of a form field begins with; the key of the question follows."""


@dataclass(frozen=True)
class Option:
    """One value that can be agreed on, and how many people gave it."""

    sent: str
    cap: str
    """The digit that chooses it."""
    label: str
    given: int
    is_agreed: bool


@dataclass(frozen=True)
class ApartQuestion:
    """One question on which people were far apart, with what was said but not by whom."""

    question: Question
    said: QuestionSpread
    agreed: Agreed | None
    options: tuple[Option, ...]

    @classmethod
    def of(cls, question: Question, said: QuestionSpread, agreed: Agreed | None) -> "ApartQuestion":
        """A question with what was said."""
        kind = question.dimension.input
        caps = {form: key for key, form in kind.hotkeys().items()}
        options = []
        for value in kind.values():
            sent = kind.write(value)[0]
            label = kind.show(value).removeprefix(f"{value} ").strip()
            given = sum(1 for each in said.values if each == value)
            is_agreed = agreed is not None and agreed.value == value
            options.append(Option(sent, caps.get(sent, ""), "" if label == str(value) else label, given, is_agreed))
        return cls(question, said, agreed, tuple(options))


async def queue(call: Call) -> Response:
    """The items on which people were too far apart, the widest first."""
    data = await compute(call, report_data.gather)
    agreed = {each.target for each in data.agreed}
    items = adjudication.by_item(adjudication.adjudication_queue(data))
    rows = [(name, apart, sum(1 for each in apart if each.target in agreed)) for name, apart in items.items()]
    titles = {each.dimension: each.heading for each in data.study.rubric}
    return await show(call, "adjudicate.html", rows=rows, titles=titles, begin=_next_open(data, ""))


async def talk_over(call: Call, error: str = "", status: int = 200) -> Response:
    """One item with every question on which people were far apart: not by whom, and not which system it was."""
    study = await study_of(call)
    name = call.request.query_params.get("name", "") or call.first("name")
    found = await item_of(call, name)
    if found is None:
        return await no_such_item(call, name)
    data = await compute(call, report_data.gather)
    known = {each.target: each for each in data.agreed}
    said = {each.target: each for each in adjudication.adjudication_queue(data) if each.item == name}
    whose = systems_by_role(found.systems)
    apart = []
    for question in questions_by_candidate(study, found.shown):
        target = (name, question.slot.dimension, whose.get(question.slot.side, ""), question.slot.entry)
        if target in said:
            apart.append(ApartQuestion.of(question, said[target], known.get(target)))
    order = list(adjudication.by_item(adjudication.adjudication_queue(data)))
    at = order.index(name) if name in order else 0
    return await show(
        call,
        "talk_over.html",
        status,
        name=name,
        content=content(call, study, found.shown),
        apart=apart,
        settled=[each for each in apart if each.agreed is not None],
        notes=adjudication.notes_about(data, name),
        number=at + 1,
        total=len(order),
        before=address_of(call, "talk-over", name=order[at - 1]) if at else "",
        after=address_of(call, "talk-over", name=order[at + 1]) if at + 1 < len(order) else "",
        chosen={key.removeprefix(VALUE): call.first(key) for key in call.form if key.startswith(VALUE)},
        reason=call.first("reason"),
        error=error,
    )


async def agree(call: Call) -> Response:
    """Keep the values that were agreed on for an item, all of them or none, and go on to the next item."""
    study, name = await study_of(call), call.first("name")
    answers = {key.removeprefix(VALUE): raw for key, raw in call.form.items() if key.startswith(VALUE)}
    try:
        await call.context.store.awrite(acts.agree_on_answers, by(call), study, name, answers)
    except AssayError as error:
        return await talk_over(call, f"{error.what}.", 422)
    following = _next_open(await compute(call, report_data.gather), name)
    return see_other(address_of(call, "talk-over", name=following) if following else f"{home(call)}/adjudicate")


async def take_back(call: Call) -> Response:
    """Take an agreed value back, and show the item again."""
    study, name = await study_of(call), call.first("name")
    try:
        await call.context.store.awrite(acts.take_agreement_back, by(call), study, name, [call.first("question")])
    except AssayError as error:
        return await talk_over(call, f"{error.what}.", 422)
    return see_other(address_of(call, "talk-over", name=name))


def _next_open(data: Data, name: str) -> str:
    """The next item with an open question, wrapping around at the end of the queue."""
    order = list(adjudication.by_item(adjudication.adjudication_queue(data)))
    waiting = {each.item for each in adjudication.open_questions(data)}
    at = order.index(name) + 1 if name in order else 0
    return next((each for each in [*order[at:], *order[:at]] if each in waiting and each != name), "")


def _talks_over(study: Study) -> bool:
    return study.analysis.adjudicate_above is not None


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/adjudicate", "coordinator", queue, MenuEntry("Talk over", 50, _talks_over)),
    Endpoint("GET", "/coordinate/{study}/talk-over", "coordinator", talk_over),
    Endpoint("POST", "/coordinate/{study}/agree", "coordinator", agree),
    Endpoint("POST", "/coordinate/{study}/take-agreement-back", "coordinator", take_back),
]
