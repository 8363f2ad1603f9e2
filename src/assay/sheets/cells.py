"""One cell of a sheet, as the form strings that the page would send. What a spreadsheet did to it is undone here.

A number may have become 3.0, a yes TRUE, an answer its label: all of these are read as the same. Any other text is
passed on as it is, and refused with the page's own message.
"""

import re
from collections.abc import Sequence
from typing import Any

from assay.inputs.one_of import WHOLE, Choice
from assay.judgments import Question
from assay.sheets.columns import choices_of
from assay.study import Study

VALUE_AND_LABEL = re.compile(r"(\S+)\s*(?:[–—:=-]|\()\s*\S")
TRUTH = {"true": "1", "false": "0"}


def is_empty(value: Any) -> bool:
    """Whether nothing stands in a cell."""
    return value is None or (isinstance(value, str) and not value.strip())


def as_text(value: Any) -> str:
    """The text of a cell as the spreadsheet shows it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return "" if value is None else str(value)


def form_strings(study: Study, question: Question, value: Any) -> list[str]:
    """The form strings that the page would send for a cell."""
    if is_empty(value):
        return []
    choices = choices_of(study, question)
    if choices:
        return [_value_of(as_text(value), choices)]
    return question.dimension.input.read_cell(as_text(value))


def _value_of(text: str, choices: Sequence[Choice]) -> str:
    """The value that a text stands for: the value itself, its label, or both; else the text."""
    plain = _normalise(text)
    values = {_normalise(str(each.value)): str(each.value) for each in choices}
    labels = {_normalise(each.label): str(each.value) for each in choices if each.label.strip()}
    if plain in values or plain in labels:
        return values.get(plain) or labels[plain]
    if (whole := WHOLE.fullmatch(plain)) and str(int(whole[1])) in values:
        return str(int(whole[1]))
    if set(values) <= {"0", "1", "unable"} and plain in TRUTH:
        return TRUTH[plain]
    head = VALUE_AND_LABEL.match(text.strip())
    return values.get(_normalise(head[1]), text) if head else text


def _normalise(text: str) -> str:
    return " ".join(text.split()).casefold()


def same_number(one: Any, other: Any) -> bool:
    """Whether two texts become the same number where a spreadsheet converts texts to numbers."""
    try:
        return float(str(one).strip()) == float(str(other).strip())
    except ValueError:
        return False
