"""Gates as the annotator meets them: shown, answered by a form, left. Those with items are in `trial`."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection
from starlette.responses import Response

from assay.gates import Gate, QuestionGate
from assay.gates.practice import Practice
from assay.store.annotator import assignments, attempts, people
from assay.study import Study
from assay.web.access import Call, see_other
from assay.web.annotator import common, practice


async def show(
    call: Call, study: Study, gate: Gate, status: int = 200, /, given: Mapping[str, str] | None = None
) -> Response:
    """The page of a gate, with what was chosen so far."""
    if isinstance(gate, Practice):
        return await practice.show(call, study, gate)
    last = await call.context.store.aread(attempts.last_try, call.annotator_id, gate)
    missing = gate.missing(given) if given is not None else []
    values: dict[str, Any] = {
        "gate": gate,
        "given": given or {},
        "missing": missing,
        "last": last,
        "told": last.result.get("answers", {}) if last else {},
        "number": (last.number if last else 0) + 1,
        "over": last is not None and last.passed is False and attempts.is_last(gate, last),
        "total": 0,
        "headings": {name: question.ask for name, question in gate.questions_by_field().items()}
        if isinstance(gate, QuestionGate)
        else {},
    }
    if given is not None:
        values["error"] = study.words("gate.answer_all") if missing else study.words("gate.incomplete")
    return common.show(call, study, "gate.html", status, **values)


async def receive(call: Call) -> Response:
    """A gate's form. Only the gate that is next can be passed, and a form that is sent twice counts once."""
    study = await common.study_of(call, call.who.version)
    gate = await common.next_gate(call, study)
    if call.who.left or call.who.state != "open" or gate is None or gate.version != call.first("version"):
        return see_other(common.home(call))
    if isinstance(gate, Practice):
        return await practice.receive(call, study, gate)
    form = {name: values[0] for name, values in call.form.items()}
    decision = gate.decide(form)
    if gate.after_no == "again" and await call.context.store.awrite(_went_on, call, gate):
        return see_other(common.home(call))
    if decision is None:
        return await show(call, study, gate, 422, given=form)
    await call.context.store.awrite(_decided, call, gate, decision, gate.answers_to_store(form))
    return see_other(common.home(call))


def _went_on(connection: Connection, call: Call, gate: Gate) -> bool:
    """Whoever has passed and had everything explained goes on. A form from before that is of no use any more."""
    last = attempts.last_try(connection, call.annotator_id, gate)
    if last is None:
        return False
    stale = call.first("try") != str(last.number + 1)
    if last.passed and not stale:
        assignments.pass_gate(connection, call.annotator_id, gate.kind, gate.version, call.now)
    return stale or bool(last.passed)


def _decided(connection: Connection, call: Call, gate: Gate, passed: bool, kept: dict[str, str]) -> None:
    number = common.number(call.first("try"), 0, 10**6) or 0
    if gate.after_no == "leave" and not passed:
        people.leave(connection, call.who.study_id, call.annotator_id, call.now)
    elif gate.after_no == "out" and not passed:
        attempts.turn_away(connection, call.who.study_id, call.annotator_id, gate, number, kept, call.now)
    elif gate.after_no == "again":
        # The answers are explained first; whoever has seen that goes on.
        attempts.answer(connection, call.annotator_id, gate, number, passed, kept, call.now)
    elif gate.after_no == "leave" or attempts.answer(connection, call.annotator_id, gate, number, True, kept, call.now):
        assignments.pass_gate(connection, call.annotator_id, gate.kind, gate.version, call.now)


async def turned_away(call: Call, study: Study) -> Gate | None:
    """The gate at which somebody was turned away for good."""
    return await call.context.store.aread(attempts.turned_away, call.annotator_id, [each.gate for each in study.gates])
