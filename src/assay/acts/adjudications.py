"""Agreeing on values where people were far apart. They stand beside the judgments, and change none."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AnswerError, AssayError
from assay.judgments import Question, questions_of, read_answer
from assay.model import Slot, Value
from assay.report.adjudication import QuestionSpread
from assay.sides_and_candidates import slot_of_candidate
from assay.store.coordinator import adjudications, item_lookup
from assay.store.coordinator.record import By, record
from assay.study import Study

AS_MOST_SAID = "as most said"
"""How the reason of a value begins, or ends, that was agreed on since more than half of the people gave it."""


def agree(connection: Connection, by: By, name: str, slot: Slot, value: Value) -> None:
    """Keep the value that was agreed on for one question of an item, with its reason. The newest counts."""
    need_reason(by, "for an agreed value", "it is kept beside the value")
    adjudications.add(connection, by, name, slot, value)
    record(connection, by, "adjudicate", about=f"{name} {slot.key}")


def agree_on_answers(
    connection: Connection, by: By, study: Study, name: str, answers: Mapping[str, Sequence[str]]
) -> int:
    """Keep what was agreed on for some questions of an item, all of it or nothing. Returns for how many.

    Questions are named by their form fields, with a candidate's role, a or b, for its side; answers are written as in
    a form. A question without an answer stays open.
    """
    shown = item_lookup.item_named(connection, by.study_id, name).shown
    known = {question.key: question for question in questions_by_candidate(study, shown)}
    values = {}
    for key, raw in answers.items():
        if key not in known:
            raise AssayError(f"item {name} has no question {key!r}", f"its questions: {', '.join(known)}")
        value = _read(study, known[key], raw)
        if value is not None:
            values[known[key].slot] = value
    for slot, value in values.items():
        agree(connection, by, name, slot, value)
    return len(values)


def agree_with_majority(
    connection: Connection,
    by: By,
    study: Study,
    name: str,
    said: Iterable[QuestionSpread],
    seen: Mapping[str, str] | None = None,
) -> dict[str, Value]:
    """Keep the value that more than half of the people gave, for each question of an item that has no agreed one yet.

    `said` is what people gave where they were far apart. Whoever looked at majorities says by `seen` at which, by the
    key of the question and the value as a form has it: other questions stay open, and where answers have come in
    meanwhile that change one, or bring people together on it, nothing is kept. Returns the values kept, by key:
    without a majority a question stays open.
    """
    need_line(study)
    shown = item_lookup.item_named(connection, by.study_id, name).shown
    known = {question.key: question for question in questions_by_candidate(study, shown)}
    agreed = adjudications.agreed_slots(connection, by.study_id, name)
    still_open = {key: question for key, question in known.items() if question.slot not in agreed}
    apart = {each.key: each for each in said if each.item == name and each.key in still_open}
    if seen is not None:
        _need_as_seen(seen, {key: majority_as_sent(still_open[key], each) for key, each in apart.items()}, still_open)
    kept: dict[str, Value] = {}
    for key, each in apart.items():
        question = still_open[key]
        raw = majority_as_sent(question, each)
        if raw and (seen is None or key in seen):
            kept[key] = _read(study, question, [raw])
            agree(connection, replace(by, reason=_as_majority(by.reason, each)), name, question.slot, kept[key])
    return kept


def need_line(study: Study) -> None:
    """Refuse what needs the study's line above which people are far apart, where it has none."""
    if study.analysis.adjudicate_above is None:
        raise AssayError("the study names no line", "analysis.adjudicate_above in study.yaml, e.g. 1.5")


def _need_as_seen(seen: Mapping[str, str], majorities: Mapping[str, str], still_open: Collection[str]) -> None:
    """Refuse majorities that are no longer as somebody saw them; what has been agreed on meanwhile is left alone."""
    for key, raw in seen.items():
        if key in still_open and majorities.get(key) != raw:
            raise AssayError(f"answers to {key} have come in since you looked: look again")


def majority_as_sent(question: Question, said: QuestionSpread) -> str:
    """The value that more than half of the people gave to a question, as a form has it; nothing where no value is."""
    kind, most = question.dimension.input, said.majority
    return next((kind.write(value)[0] for value in kind.values() if value == most), "")


def _as_majority(reason: str, said: QuestionSpread) -> str:
    given = sum(1 for value in said.values if value == said.majority)
    counted = f"{AS_MOST_SAID} ({given} of {len(said.values)})"
    return f"{reason.strip()}; {counted}" if reason.strip() else counted


def take_agreement_back(
    connection: Connection, by: By, study: Study, name: str, keys: Sequence[str], seen_at: int | None = None
) -> int:
    """Withdraw some agreed values of an item: the questions are open again. Returns how many they were.

    Questions are named as in `agree_on_answers`. What was agreed stays in the record, with who took it back and why.
    A value that it had replaced does not come back. Whoever looked at the values says by `seen_at` when: where a newer
    one stands, nothing is taken back.
    """
    need_reason(by, "to take an agreed value back", "it is kept beside the value")
    shown = item_lookup.item_named(connection, by.study_id, name).shown
    known = {question.key: question.slot for question in questions_by_candidate(study, shown)}
    agreed = adjudications.agreed_slots(connection, by.study_id, name)
    for key in keys:
        if known.get(key) not in agreed:
            listed = ", ".join(each for each, slot in known.items() if slot in agreed) or "none"
            raise AssayError(f"nothing is agreed on {key!r} of item {name}", f"agreed values of this item: {listed}")
        if seen_at is not None and agreed[known[key]] > seen_at:
            raise AssayError(f"another value of {key} has been kept since you looked: look again")
    for key in keys:
        adjudications.add(connection, by, name, known[key], None)
        record(connection, by, "take agreement back", about=f"{name} {key}")
    return len(keys)


def questions_by_candidate(study: Study, shown: Mapping[str, Any]) -> list[Question]:
    """The questions of an item, in which a candidate's role stands for its side."""
    return [replace(each, slot=slot_of_candidate(each.slot)) for each in questions_of(study, shown)]


def _read(study: Study, question: Question, raw: Sequence[str]) -> Value:
    try:
        return read_answer(question, raw)
    except AnswerError as error:
        legal = ", ".join(map(str, question.dimension.input.values()))
        hint = f"its values: {legal}" if legal else ""
        raise AssayError(f"{question.key} cannot be {', '.join(raw)}: {study.words.say(error.words)}", hint) from None
