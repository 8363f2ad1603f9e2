"""Takes out of shown texts what the study says is to be taken out. What a text was before stays hidden."""

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from assay.model import CANDIDATES
from assay.study.items import Cleaning

NOTHING: Mapping[str, int] = MappingProxyType({})
"""No text was changed: one for all the rows of a file that nothing is taken out of."""


class TextCleaner:
    """Cleans the shown fields of items as a study says, and counts the texts of each field that this changes."""

    def __init__(self, asked: Mapping[str, Cleaning]) -> None:
        self._asked = asked
        self._patterns = {name: _pattern(each) for name, each in asked.items()}

    def clean(self, shown: dict[str, Any]) -> tuple[dict[str, Any], Mapping[str, int]]:
        """What is shown after it is cleaned, and the number of texts of each field that were changed."""
        if not self._asked:
            return shown, NOTHING
        changed: Counter[str] = Counter()
        cleaned = self._fields(shown, changed)
        if CANDIDATES in shown:
            cleaned[CANDIDATES] = [self._fields(each, changed) for each in shown[CANDIDATES]]
        return cleaned, changed

    def _fields(self, parts: Mapping[str, Any], changed: Counter[str]) -> dict[str, Any]:
        return {
            name: self._value(name, value, changed) if name in self._asked else value for name, value in parts.items()
        }

    def _value(self, name: str, value: Any, changed: Counter[str]) -> Any:
        """A value with every text in it cleaned; a picture has none."""
        if isinstance(value, list):
            return [self._value(name, each, changed) for each in value]
        if isinstance(value, dict) and "picture" not in value:
            return {key: self._value(name, each, changed) for key, each in value.items()}
        if not isinstance(value, str):
            return value
        text = self._text(name, value)
        changed[name] += text != value
        return text

    def _text(self, name: str, text: str) -> str:
        pattern = self._patterns[name]
        if pattern is not None and pattern.search(text):
            text = pattern.sub(_gap, text).strip()
        if self._asked[name].capital:
            start = len(text) - len(text.lstrip())
            text = text[:start] + text[start : start + 1].upper() + text[start + 1 :]
        return text


def _pattern(asked: Cleaning) -> re.Pattern[str] | None:
    """Finds what is removed; of two that begin alike the longer one, and several in a row as one."""
    words = "|".join(re.escape(each) for each in sorted(asked.remove, key=len, reverse=True))
    return re.compile(rf"[^\S\n]*(?:(?:{words})[^\S\n]*)+") if words else None


def _gap(found: re.Match[str]) -> str:
    """What is left where something stood: one blank between words that had one, nothing at the edge of a line."""
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    at_edge = before in ("", "\n") or after in ("", "\n")
    return "" if at_edge or not re.search(r"^\s|\s$", found[0]) else " "
