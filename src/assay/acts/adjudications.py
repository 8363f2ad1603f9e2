"""Agreeing on values where people were far apart. They stand beside the judgments, and change none."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AnswerError, AssayError
from assay.judgments import Question, questions_of, read_answer
from assay.model import Slot, Value
from assay.sides_and_candidates import slot_of_candidate
from assay.store.coordinator import adjudications, item_lookup
from assay.store.coordinator.record import By, record
from assay.study import Study


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


def take_agreement_back(connection: Connection, by: By, study: Study, name: str, keys: Sequence[str]) -> int:
    """Withdraw some agreed values of an item: the questions are open again. Returns how many they were.

    Questions are named as in `agree_on_answers`. What was agreed stays in the record, with who took it back and why.
    """
    need_reason(by, "to take an agreed value back", "it is kept beside the value")
    shown = item_lookup.item_named(connection, by.study_id, name).shown
    known = {question.key: question.slot for question in questions_by_candidate(study, shown)}
    agreed = adjudications.agreed_slots(connection, by.study_id, name)
    for key in keys:
        if known.get(key) not in agreed:
            listed = ", ".join(each for each, slot in known.items() if slot in agreed) or "none"
            raise AssayError(f"nothing is agreed on {key!r} of item {name}", f"agreed values of this item: {listed}")
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
