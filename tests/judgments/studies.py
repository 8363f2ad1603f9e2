"""Small studies for the tests of judgments: one thing, a list of entries, or two sides."""

from collections.abc import Sequence
from typing import Any

from assay.errors import AnswersRefused
from assay.judgments import read_answers
from assay.model import CANDIDATES, Value
from assay.study import Study
from assay.study.schema import study_type

Raw = dict[str, Any]

ITEMS = {"source": "items.csv", "show": [{"text": {"field": "text"}}]}
GOALS = {**ITEMS, "entries": {"goals": {"from": "goals", "text": "text", "keep": ["general", "size"]}}}
PAIRS = {
    "source": "items.csv",
    "candidates": {"fields": [{"system": "m1", "show": {"text": "t1"}}, {"system": "m2", "show": {"text": "t2"}}]},
    "show": [{"text": {"field": "text"}}, {"pair": [{"text": {"field": "text"}}]}],
}
SHOWN = {"text": "hello"}
PAIR = {**SHOWN, CANDIDATES: [{"text": "one"}, {"text": "other"}]}


def a_study(*rubric: Raw, items: Raw = ITEMS, rules: Sequence[Any] = (), derive: Sequence[Any] = ()) -> Study:
    """A study as its file would say it."""
    data = {"study": "small", "title": "", "items": items, "rubric": rubric, "rules": rules, "derive": derive}
    return study_type().model_validate(data)


def scale(name: str, low: int = 1, high: int = 5, **more: Any) -> Raw:
    return {"dimension": name, "scale": {"from_": low, "to": high}, **more}


def tags(name: str, *options: str, **more: Any) -> Raw:
    return {"dimension": name, "optional": True, "tags": {option: option for option in options}, **more}


def note(name: str = "note", **more: Any) -> Raw:
    return {"dimension": name, "optional": True, "text": {}, **more}


def goals(*found: tuple[str, str] | str) -> dict[str, Any]:
    """What an item with these goals shows: each one's text, and the text of the one that it makes true."""
    pairs = [(each, "") if isinstance(each, str) else each for each in found]
    listed = [{"id": f"g{number}", "text": text, "general": general} for number, (text, general) in enumerate(pairs)]
    return {**SHOWN, "goals": listed}


def form_of(answers: dict[str, Any]) -> dict[str, list[str]]:
    return {key: list(value) if isinstance(value, list) else [str(value)] for key, value in answers.items()}


def read(study: Study, answers: dict[str, Any], shown: dict[str, Any] = SHOWN) -> dict[str, Value]:
    """What is stored of a form, by the names of its fields."""
    return {slot.key: value for slot, value in read_answers(study, shown, form_of(answers)).items()}


def refused(study: Study, answers: dict[str, Any], shown: dict[str, Any] = SHOWN) -> dict[str, str]:
    """Why a form is not taken; nothing where it is."""
    try:
        read(study, answers, shown)
    except AnswersRefused as refusal:
        return refusal.reasons
    return {}
