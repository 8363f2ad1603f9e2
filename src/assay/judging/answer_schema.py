"""The form of a judge's answer: a JSON Schema made from the study's inputs, and the way back to a form's fields."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import PageError
from assay.judgments import Question, form_strings
from assay.mistakes import quote
from assay.model import UNABLE
from assay.words import Translatable

REASONS = "reasons"
"""The key under which a judge says why, where it is asked to."""
DOUBT = "doubt"
"""The key under which a judge says how unsure it is, where it is asked to."""
MOST_DOUBT = 10
TYPES: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}
FENCED = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n\s*```\s*$", re.DOTALL)


def answer_schema(questions: Sequence[Question], *, reasons: bool, doubt: bool = False) -> dict[str, Any]:
    """The schema of an object with an answer to each question, as strict servers want it: every key is there."""
    why: dict[str, Any] = {REASONS: {"type": "string"}} if reasons else {}
    # How unsure it is comes last: it is about the answers.
    unsure = {DOUBT: {"type": ["integer", "null"], "enum": [*range(MOST_DOUBT + 1), None]}} if doubt else {}
    properties = why | {question.key: _schema_of(question) for question in questions} | unsure
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def may_be_left_out(question: Question) -> bool:
    """Whether null may stand in the place of an answer."""
    return question.dimension.optional or question.dimension.ask_when is not None


def _schema_of(question: Question) -> dict[str, Any]:
    found = question.dimension.input.answer_schema()
    if question.unable is not None and "enum" in found:
        found = {"enum": [*found["enum"], str(UNABLE)]}
    if may_be_left_out(question):
        found = {"enum": [*found["enum"], None]} if "enum" in found else {"anyOf": [found, {"type": "null"}]}
    if "enum" in found:
        kinds = list(dict.fromkeys("null" if each is None else TYPES[type(each)] for each in found["enum"]))
        return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": found["enum"]}
    return found


class NoAnswer(PageError):
    """What a judge said is no object of the form that it was asked for; its words are in the study's language."""


NO_OBJECT = Translatable("judge.no_object")


@dataclass(frozen=True, slots=True)
class ReadReply:
    """What a judge said, read."""

    fields: dict[str, list[str]]
    """The fields of the form as it filled them in."""
    doubt: float | None
    """How unsure it says it is, from 0 to 1; None where it does not say."""


def read_reply(questions: Sequence[Question], text: str, *, doubt: bool = False) -> ReadReply:
    """What a judge said, with how unsure it is where that was asked. Raises NoAnswer with the reason."""
    fenced = FENCED.match(text)
    try:
        said = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        raise NoAnswer(NO_OBJECT) from None
    if not isinstance(said, Mapping):
        raise NoAnswer(NO_OBJECT)
    known = {question.key: question for question in questions}
    more = {REASONS, DOUBT} if doubt else {REASONS}
    if unknown := [key for key in said if key not in known and key not in more]:
        raise NoAnswer(Translatable("judge.unknown_key", {"key": quote(unknown[0])}))
    fields = {key: _strings(known[key], value) for key, value in said.items() if key in known and value is not None}
    return ReadReply(fields, _doubt(said.get(DOUBT)) if doubt else None)


def _doubt(value: Any) -> float | None:
    """How unsure a judge is, as a part of the most that it may say."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_DOUBT:
        raise NoAnswer(Translatable("judge.no_value", {"key": DOUBT, "value": quote(value)}))
    return value / MOST_DOUBT


def _strings(question: Question, value: Any) -> list[str]:
    if isinstance(value, Mapping) or (isinstance(value, list) and not all(isinstance(each, str) for each in value)):
        raise NoAnswer(Translatable("judge.no_value", {"key": question.key, "value": quote(value)}))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return form_strings(question, value)
