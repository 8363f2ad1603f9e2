"""What a warning about a study file is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Warning_:
    """Something that is probably not meant: where in the study file, what, and what to do."""

    at: tuple[str | int, ...]
    what: str
    hint: str


def listed(words: Iterable[Any], join: str = "and") -> str:
    """Words in a row: a, b and c."""
    *first, last = map(str, words)
    return f"{', '.join(first)} {join} {last}" if first else last
