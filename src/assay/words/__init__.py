"""Everything that the program itself says to annotators: one catalogue (.toml file) for each language.

The texts of a kind are in a .toml file beside its module, with a table for each language. A catalogue may have them
too, and is taken first: so a language is still one file. What a kind lacks in a language is said in English.

The texts of a study (titles, labels, guidelines, messages of rules) are its author's and are never in a catalogue.
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
"""The tables of a catalogue that scripts in the browser need: item pages carry them."""


@dataclass(frozen=True)
class Translatable:
    """A text to be shown in the reader's language: a key of the catalogues, and the values for its placeholders."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        """In English, for the command line and the log."""
        return ENGLISH.say(self)


class Words:
    """The catalogue of one language. Called with a key and the values for its placeholders, it returns the text."""

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
        """The text of a key. An unknown key, or a placeholder without a value, is a fault of the program: KeyError."""
        if key not in self.texts and "n" in values:
            key = f"{key}.{'one' if values['n'] in self.singular else 'other'}"
        return self.texts[key].format_map(values)

    def say(self, text: Translatable | str) -> str:
        """A text in this language. A plain string is returned as it is: it is somebody's own wording."""
        return text if isinstance(text, str) else self(text.key, **text.values)

    def add(self, tables: Mapping[str, Any]) -> None:
        """Add the texts of a kind, except those that the catalogue has itself."""
        for table, entries in tables.items():
            for key, text in _texts(table, entries):
                self.texts.setdefault(key, text)

    def on_the_page(self) -> dict[str, Any]:
        """The texts for `static/words.js`."""
        texts = {key: text for key, text in self.texts.items() if key.split(".")[0] in ON_THE_PAGE}
        return {"singular": self.singular, "texts": texts}


def _texts(start: str, entries: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every text of a table, with its full key, such as `answers.missing`."""
    for name, entry in entries.items():
        if isinstance(entry, dict):
            yield from _texts(f"{start}.{name}", entry)
        else:
            yield f"{start}.{name}", entry


@cache
def words_of(language: str) -> Words:
    """The catalogue of a language, by its code."""
    return Words(language, tomllib.loads((HERE / f"{language}.toml").read_text("utf-8")))


ENGLISH = words_of("en")


def add_words_of_kind(file: Path) -> None:
    """Add the texts of a kind to the catalogue of every language."""
    tables = tomllib.loads(file.read_text("utf-8"))
    for language in LANGUAGES:
        words_of(language).add(tables.get(language, {}))
        words_of(language).add(tables["en"])
