"""The pages of adjudication: the items on which people were far apart, and the value that was agreed on."""

from dataclasses import replace

from starlette.responses import Response

from assay import acts
from assay.errors import AnswerError, AssayError, NotFound
from assay.judgments import Question, questions_of, read_answer
from assay.live import report_data
from assay.report import adjudication
from assay.sides_and_candidates import slot_of_candidate, systems_by_role
from assay.store.coordinator import adjudications, item_lookup
from assay.study import Study
from assay.web.access import Call, Endpoint, MenuEntry, see_other
from assay.web.coordinator.common import by, compute, content, home, show, study_of
from assay.words import Translatable


async def queue(call: Call) -> Response:
    """The items on which people were too far apart."""
    data = await compute(call, report_data.gather)
    known = {
        (each.item, each.dimension, each.system, each.entry): each
        for each in await call.context.store.aread(adjudications.agreed_values, call.session.study_id)
    }
    waiting = adjudication.adjudication_queue(data)
    rows = [(each, known.get((each.item, each.dimension, each.system, each.entry))) for each in waiting]
    return await show(call, "adjudicate.html", rows=rows)


async def talk_over(call: Call, error: str = "", status: int = 200) -> Response:
    """One question of one item, with what was said but not by whom, and not which system it was."""
    study = await study_of(call)
    asked = {key: call.request.query_params.get(key, "") or call.first(key) for key in ("name", "key")}
    found = await call.context.store.aread(item_lookup.item_named, call.session.study_id, asked["name"])
    question = _question(study, found, asked["key"])
    data = await compute(call, report_data.gather)
    slot, kind = question.slot, question.dimension.input
    system = systems_by_role(found.systems).get(slot.side, "")
    said = [
        each
        for each in adjudication.spreads(data)
        if each.target == (asked["name"], slot.dimension, system, slot.entry)
    ]
    return await show(
        call,
        "talk_over.html",
        status,
        **asked,
        question=question,
        content=content(call, study, found.shown),
        said=said[0] if said else None,
        options=[(value, kind.write(value)[0], kind.show(value)) for value in kind.values()],
        error=error,
    )


async def agree(call: Call) -> Response:
    """Keep the value that was agreed on."""
    study = await study_of(call)
    name = call.first("name")
    found = await call.context.store.aread(item_lookup.item_named, call.session.study_id, name)
    question = _question(study, found, call.first("key"))
    try:
        value = read_answer(question, call.form.get("value", []))
        if value is None:
            raise AssayError("choose the value that was agreed on", "")
        await call.context.store.awrite(acts.agree, by(call), name, question.slot, value)
    except AnswerError as error:
        return await talk_over(call, study.words.say(error.words), 422)
    except AssayError as error:
        return await talk_over(call, f"{error.what}.", 422)
    return see_other(f"{home(call)}/adjudicate")


def _question(study: Study, found: item_lookup.CoordinatorItem, key: str) -> Question:
    """The question of an item by its key, in which a candidate's role stands for its side."""
    for question in questions_of(study, found.shown):
        by_role = replace(question, slot=slot_of_candidate(question.slot))
        if by_role.key == key:
            return by_role
    raise NotFound(Translatable("errors.no_page"))


def _talks_over(study: Study) -> bool:
    return study.analysis.adjudicate_above is not None


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/adjudicate", "coordinator", queue, MenuEntry("Talk over", 50, _talks_over)),
    Endpoint("GET", "/coordinate/{study}/talk-over", "coordinator", talk_over),
    Endpoint("POST", "/coordinate/{study}/agree", "coordinator", agree),
]
