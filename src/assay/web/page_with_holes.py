"""A page that is rendered once, with holes where requests differ: filling them is faster than rendering."""

from collections.abc import Mapping
from typing import NoReturn

from markupsafe import escape

MARK = "\0"
"""The character around the name of a hole; no text of a study, an item or a form contains it."""


class Hole:
    """A placeholder in a template for a value that is filled in later. A template can print it and nothing else."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __html__(self) -> str:
        """Its mark, which no template escapes."""
        return f"{MARK}{self.name}{MARK}"

    def _cannot(self, *_: object) -> NoReturn:
        raise TypeError(f"{self.name} is filled in later: a template can show it, and do nothing else with it")

    __bool__ = __eq__ = __str__ = __iter__ = __add__ = __len__ = _cannot
    __hash__ = None  # type: ignore[assignment]


class PageWithHoles:
    """A page as it was rendered with holes in the place of some values."""

    def __init__(self, html: str) -> None:
        # Alternately constant text and the name of a hole.
        self._pieces = html.split(MARK)
        self._names = self._pieces[1::2]
        self._encoded = [each.encode() for each in self._pieces]

    def text(self, values: Mapping[str, object]) -> str:
        """The page with these values, each escaped as a template would."""
        filled = [*self._pieces]
        filled[1::2] = [escape(values[name]) for name in self._names]
        return "".join(filled)

    def encode(self, values: Mapping[str, object]) -> bytes:
        """The page as bytes: only the values are still to be encoded."""
        filled = [*self._encoded]
        filled[1::2] = [escape(values[name]).encode() for name in self._names]
        return b"".join(filled)
