"""The pages of adjudication: the items on which people were far apart, one at a time, and the values agreed on."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from sqlalchemy import Connection
from starlette.responses import Response

from assay import acts
from assay.acts.adjudications import majority_as_sent, questions_by_candidate
from assay.errors import AssayError
from assay.judgments import Question
from assay.live import report_data
from assay.model import Agreed, Slot, Target
from assay.report import adjudication
from assay.report.adjudication import QuestionSpread
from assay.sides_and_candidates import systems_by_role
from assay.store.coordinator import adjudications
from assay.store.coordinator.item_lookup import CoordinatorItem
from assay.study import Study
from assay.web.access import Call, Endpoint, see_other
from assay.web.coordinator.common import (
    address_of,
    by,
    compute,
    content,
    item_of,
    no_such_item,
    show,
    study_of,
)
from assay.web.coordinator.menu import MenuEntry

VALUE = "value."
"""What the name of a form field begins with; the key of the question follows."""
MOST = "most"
"""The button that agrees on what most said; it sends the majorities that were seen."""
TIME = re.compile(r"[0-9]{1,15}")
"""When the values were seen that are taken back."""
RECENT_MS = 10 * 60_000
"""For how long one key takes back what was kept last."""


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
    majority: str
    """The value that more than half of the people gave, as the form has it; nothing where no value is."""

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
        return cls(question, said, agreed, tuple(options), majority_as_sent(question, said))

    @property
    def has_open_majority(self) -> bool:
        """Whether it can be agreed on as most said."""
        return bool(self.majority) and self.agreed is None


@dataclass(frozen=True)
class LastKept:
    """The questions of an item that were agreed on at once, and last: one key takes that back."""

    item: str
    keys: list[str]
    at: int


async def queue(call: Call) -> Response:
    """The items on which people were too far apart, the widest first."""
    data = await compute(call, report_data.gather)
    agreed = {each.target for each in data.agreed}
    apart = adjudication.adjudication_queue(data)
    rows = [
        (name, questions, sum(1 for each in questions if each.target in agreed))
        for name, questions in adjudication.by_item(apart).items()
    ]
    titles = {each.dimension: each.heading for each in data.study.rubric}
    begin, last_kept = _next_open(apart, agreed, ""), await _last_kept(call, data.agreed)
    return await show(call, "adjudicate.html", rows=rows, titles=titles, begin=begin, last_kept=last_kept)


async def talk_over(call: Call, error: str = "", status: int = 200) -> Response:
    """One item with every question on which people were far apart: not by whom, and not which system it was."""
    study = await study_of(call)
    name = call.request.query_params.get("name", "") or call.first("name")
    found = await item_of(call, name)
    if found is None:
        return await no_such_item(call, name)
    data = await compute(call, report_data.gather)
    queued = adjudication.adjudication_queue(data)
    apart = _apart(study, found, [each for each in queued if each.item == name], data.agreed)
    order = list(adjudication.by_item(queued))
    at = order.index(name) if name in order else 0
    return await show(
        call,
        "talk_over.html",
        status,
        name=name,
        content=content(call, study, found.shown),
        apart=apart,
        settled=[each for each in apart if each.agreed is not None],
        majorities=urlencode({each.question.key: each.majority for each in apart if each.has_open_majority}),
        notes=adjudication.notes_about(data, name),
        number=at + 1,
        total=len(order),
        before=address_of(call, "talk-over", name=order[at - 1]) if at else "",
        after=address_of(call, "talk-over", name=order[at + 1]) if at + 1 < len(order) else "",
        last_kept=await _last_kept(call, data.agreed),
        chosen={key.removeprefix(VALUE): call.first(key) for key in call.form if key.startswith(VALUE)},
        reason=call.first("reason"),
        error=error,
        now=call.now,
    )


async def agree(call: Call) -> Response:
    """Keep the values that were agreed on for an item, all of them or none, and go on to the next item.

    Where the rest was agreed on as most said, one stays with the item until nothing of it is open.
    """
    study, name = await study_of(call), call.first("name")
    answers = {key.removeprefix(VALUE): raw for key, raw in call.form.items() if key.startswith(VALUE)}
    apart = adjudication.adjudication_queue(await compute(call, report_data.gather))

    def act(connection: Connection) -> int:
        count = acts.agree_on_answers(connection, by(call), study, name, answers)
        if MOST in call.form:
            seen = dict(parse_qsl(call.first(MOST)))
            count += len(acts.agree_with_majority(connection, by(call), study, name, apart, seen))
        return count

    try:
        count = await call.context.store.awrite(act)
    except AssayError as error:
        return await talk_over(call, f"{error.what}.", 422)
    agreed = {each.target for each in await call.context.store.aread(adjudications.agreed_values, by(call).study_id)}
    stays = MOST in call.form and any(each.item == name and each.target not in agreed for each in apart)
    following = name if stays else _next_open(apart, agreed, name)
    # A second press of the button has nothing left to keep: what the first one kept can be taken back all the same.
    there = ({"name": following} if following else {}) | ({"kept": name} if count or MOST in call.form else {})
    return see_other(address_of(call, "talk-over" if following else "adjudicate", **there))


async def take_back(call: Call) -> Response:
    """Take agreed values back, and show the item again."""
    study, name = await study_of(call), call.first("name")
    try:
        keys = call.form.get("question", [""])
        seen_at = int(call.first("at")) if TIME.fullmatch(call.first("at")) else None
        await call.context.store.awrite(acts.take_agreement_back, by(call), study, name, keys, seen_at)
    except AssayError as error:
        return await talk_over(call, f"{error.what}.", 422)
    return see_other(address_of(call, "talk-over", name=name))


def _apart(
    study: Study, item: CoordinatorItem, said: Sequence[QuestionSpread], agreed: Sequence[Agreed]
) -> list[ApartQuestion]:
    """The questions of an item on which people were far apart, in the order of the page."""
    known, whose = {each.target: each for each in agreed}, systems_by_role(item.systems)
    by_slot = {(each.dimension, each.system, each.entry): each for each in said}
    found = []
    for question in questions_by_candidate(study, item.shown):
        slot = question.slot
        if one := by_slot.get((slot.dimension, whose.get(slot.side, ""), slot.entry)):
            found.append(ApartQuestion.of(question, one, known.get(one.target)))
    return found


async def _last_kept(call: Call, agreed: Sequence[Agreed]) -> LastKept | None:
    """What whoever looks has just agreed on; None where that is nothing, or is taken back, or is a while ago."""
    name, since = call.request.query_params.get("kept", ""), call.now - RECENT_MS
    own = [each for each in agreed if each.item == name and each.by == by(call).who and each.at > since]
    item = await item_of(call, name) if own else None
    if item is None:
        return None
    roles = {system: role for role, system in systems_by_role(item.systems).items()}
    at = max(each.at for each in own)
    last = [each for each in own if each.at == at]
    return LastKept(name, [Slot(each.dimension, roles.get(each.system, ""), each.entry).key for each in last], at)


def _next_open(apart: Sequence[QuestionSpread], agreed: Collection[Target], name: str) -> str:
    """The next item with an open question, wrapping around at the end of the queue."""
    order = list(adjudication.by_item(apart))
    waiting = {each.item for each in apart if each.target not in agreed}
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
