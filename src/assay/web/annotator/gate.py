"""Gates as the annotator meets them: shown, answered by a form, left. Those with items are in `practice`."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from assay.acts.about_person import answer_about_person, questions_at_end
from assay.acts.attempts import answer_gate
from assay.acts.may_judge import next_gate
from assay.gates import Gate
from assay.store.annotator import attempts
from assay.study import Study
from assay.web.access import Call, Endpoint, see_other
from assay.web.annotator import common, practice


async def show(
    call: Call,
    study: Study,
    gate: Gate,
    status: int = 200,
    /,
    given: Mapping[str, Any] | None = None,
    missing: Mapping[str, str] | None = None,
) -> Response:
    """The page of a gate, with what was chosen so far; `missing`: by field, what is wrong with it."""
    if gate.has_items:
        return await practice.show(call, study, gate)
    last = await call.context.store.aread(attempts.last_attempt, call.annotator.id, gate)
    if missing is None:
        missing = dict.fromkeys(gate.missing(given) if given is not None else (), study.words("answers.missing"))
    values: dict[str, Any] = {
        "gate": gate,
        "given": given or {},
        "missing": missing,
        "last": last,
        "told": last.result.get("answers", {}) if last else {},
        "number": (last.number if last else 0) + 1,
        "over": last is not None and last.passed is False and attempts.is_last(gate, last),
        "total": 0,
        "headings": gate.headings(),
        "asked": call.request.query_params.get("section", ""),
        **common.step_of(study, gate),
    }
    if values["over"]:
        values["farewell"] = await common.farewell(call, study, 0)
    if given is not None:
        values["error"] = study.words("gate.answer_all") if missing else study.words("gate.incomplete")
    return common.show(call, study, "gate.html", status, **values)


async def receive(call: Call) -> Response:
    """A gate's form. Only the gate that is next can be passed, and a form that is sent twice counts once."""
    study, store, annotator = await common.study_of(call), call.context.store, call.annotator
    gate = await store.aread(next_gate, annotator, study) or await store.aread(questions_at_end, annotator, study)
    if not annotator.takes_part or gate is None or gate.version != call.first("version"):
        return see_other(common.home(call))
    if gate.has_items:
        return await practice.receive(call, study, gate)
    if gate.asks_person:
        return await _receive_about_person(call, study, gate)
    form = {name: values[0] for name, values in call.form.items()}
    attempt = common.number(call.first("try"), 0, 10**6) or 0
    if not await store.awrite(answer_gate, annotator, gate, form, attempt, call.now):
        return await show(call, study, gate, 422, given=form)
    return see_other(common.home(call))


async def _receive_about_person(call: Call, study: Study, gate: Gate) -> Response:
    """Answers about the person: kept apart, or shown again with what is missing or wrong."""
    found = gate.read_person(call.form)
    if found.refused:
        reasons = {name: study.words.say(why) for name, why in found.refused.items()}
        return await show(call, study, gate, 422, given=call.form, missing=reasons)
    await call.context.store.awrite(answer_about_person, call.annotator, gate, found.answers, call.now)
    return see_other(common.home(call))


ENDPOINTS = [Endpoint("POST", "/judge/{study}/gate", "annotator", receive)]
