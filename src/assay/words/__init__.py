"""Everything that the program itself says to an annotator, in each language: one file of words for each.

What a study says (titles, labels, texts, messages of rules) is its author's and never stands here.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LANGUAGES = tuple(sorted(path.stem for path in HERE.glob("*.toml")))

ON_THE_PAGE = ("answers", "item", "pace", "script", "status")
"""The tables that the page's scripts need: item pages carry them."""


@dataclass(frozen=True)
class Said:
    """Something to be said in the reader's language: a key of the catalogues, with what fills its gaps."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """In English, for the command line and the log."""
        return ENGLISH.say(self)


class Words:
    """The words of one language. Called with a key and what fills the gaps of its text, it gives the text."""

    def __init__(self, language: str, catalogue: Mapping[str, Any]) -> None:
        self.language = language
        self.direction: str = catalogue["direction"]
        self.singular: list[int] = catalogue["singular"]
        """The numbers that take the form `.one`; all others take `.other`."""
        self.texts = {
            key: text
            for table, entries in catalogue.items()
            if isinstance(entries, dict)
            for key, text in _texts(table, entries)
        }

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of a key. A key that is not there, and a gap that is not filled, is a mistake of the program."""
        if key not in self.texts and "n" in values:
            key = f"{key}.{'one' if values['n'] in self.singular else 'other'}"
        return self.texts[key].format_map(values)

    def say(self, said: Said | str) -> str:
        """What is said, in this language; a text is in somebody's own words already."""
        return said if isinstance(said, str) else self(said.key, **said.values)

    def on_the_page(self) -> dict[str, Any]:
        """What static/words.js reads."""
        texts = {key: text for key, text in self.texts.items() if key.split(".")[0] in ON_THE_PAGE}
        return {"singular": self.singular, "texts": texts}


def _texts(start: str, entries: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every text of a table, by its whole key."""
    for name, entry in entries.items():
        if isinstance(entry, dict):
            yield from _texts(f"{start}.{name}", entry)
        else:
            yield f"{start}.{name}", entry


@cache
def words_of(language: str) -> Words:
    """The words of a language that there is a catalogue for."""
    return Words(language, tomllib.loads((HERE / f"{language}.toml").read_text("utf-8")))


ENGLISH = words_of("en")
