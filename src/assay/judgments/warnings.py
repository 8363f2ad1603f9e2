"""Warnings about a study file that can be used as it is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class LintWarning:
    """Something in the study file that is probably not meant: where, what, and what to do."""

    at: tuple[str | int, ...]
    what: str
    hint: str


def join_words(words: Iterable[Any], join: str = "and") -> str:
    """An enumeration in words: a, b and c."""
    *first, last = map(str, words)
    return f"{', '.join(first)} {join} {last}" if first else last
