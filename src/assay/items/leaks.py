"""Searches what annotators are shown for what gives a system away: its name, or a marker that only its outputs have."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from assay.model import CANDIDATES, Item
from assay.pictures import FORMATS
from assay.study.schema import Study

MOST_SEARCHED = 2000
"""The number of items, and of outputs of each system, that are searched."""
LONGEST = 10_000
"""The number of characters at each end of a text that are searched."""
SHORTEST = 3
"""A name with fewer characters, or without a letter, is looked for as a word of its own only."""
MARKERS = re.compile(r"<[^<>\s]{1,30}>|\[/?[A-Z_]{2,20}\]|^\s*#+ |\*\*|^\s*[-*•] |^\w{1,20}:|`", re.MULTILINE)
WORDS_MEET = re.compile(r"[-_. ]+|(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
"""Where the words and numbers of a name meet: at a sign, at a capital letter, at a digit."""
PICTURE_FILE = re.compile(rf"({'|'.join(re.escape(end) for ends in FORMATS.values() for end in ends)})$", re.IGNORECASE)
LEAST_SHARE = 0.2
LEAST_OUTPUTS = 10
MOST_NAMED = 5

HINT = "whoever sees it knows the system: remove it by items.clean, or mend the item file"

SHOWN, IDS, PICTURES = "shown texts", "ids (in exports and lists)", "picture names (kept hidden)"


@dataclass
class SystemMarkers:
    """What stands in the outputs of one system: each marker of each field, with the number of its outputs."""

    searched: int = 0
    markers: Counter[tuple[str, str]] = field(default_factory=Counter)


class LeakSearch:
    """Looks at each item once, and keeps the texts in which the names of systems will be searched for."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.systems: dict[str, SystemMarkers] = {}
        self._kept: dict[str, list[str]] = {SHOWN: [], IDS: [], PICTURES: []}
        self._pictures = picture_fields(study)

    def add(self, item: Item) -> None:
        """Look at one item."""
        if len(self._kept[IDS]) < MOST_SEARCHED:
            shown = map(_ends, _texts_in(item.shown))
            self._kept[SHOWN].append("\n".join(shown).casefold())
            self._kept[IDS].append(_own_id(item).casefold())
            if self._pictures:
                self._kept[PICTURES].append("\n".join(self._picture_names(item)).casefold())
        for system, parts in zip(item.systems, outputs(item), strict=False):
            known = self.systems.get(system) or self.systems.setdefault(system, SystemMarkers())
            if known.searched < MOST_SEARCHED:
                known.searched += 1
                known.markers.update({(name, marker) for name, value in parts.items() for marker in _markers(value)})

    def add_known(self, file: str, item: Item) -> None:
        """Look for names in an item with known answers, which annotators see among the others or before them."""
        kept = self._kept.setdefault(f"{SHOWN} in {file}", [])
        if len(kept) < MOST_SEARCHED:
            kept.append("\n".join(map(_ends, _texts_in(item.shown))).casefold())

    def _picture_names(self, item: Item) -> Iterator[str]:
        """The file names of the pictures; those of candidates are looked for in all that is hidden."""
        if CANDIDATES in item.shown:
            yield from (text for text in texts(item.hidden) if PICTURE_FILE.search(text))
        else:
            yield from (text for name in self._pictures for text in texts(item.hidden.get(name)))

    def leaks_in_words(self) -> Iterator[str]:
        """What gives a system away, in words."""
        for system in sorted(self.systems):
            aliases = sorted(name for name, meant in self.study.items.names.items() if meant == system)
            for name in (system, *(name for name in aliases if name != system)):
                pattern, meant = name_pattern(name), "" if name == system else f" ({system})"
                for where, kept in self._kept.items():
                    count = sum(1 for text in kept if pattern.search(text))
                    if count:
                        yield f"the name {name!r}{meant} stands in {count:,} of {len(kept):,} items' {where}"
        for system in sorted(self.systems):
            yield from self._markers_of(system)

    def _markers_of(self, system: str) -> Iterator[str]:
        known = self.systems[system]
        others = [other for name, other in self.systems.items() if name != system]
        if known.searched < LEAST_OUTPUTS or not others or min(each.searched for each in others) < LEAST_OUTPUTS:
            return
        only = [
            (count, marker, name)
            for (name, marker), count in known.markers.items()
            if count >= LEAST_SHARE * known.searched and not any(other.markers[name, marker] for other in others)
        ]
        several = len({*self.study.items.shown_fields, *self.study.items.candidate_fields}) > 1
        for count, marker, name in sorted(only, reverse=True)[:MOST_NAMED]:
            where = f" (field {name})" if several else ""
            yield f"{marker} in {count} of {known.searched} outputs of {system}, and in no other system's{where}"


def leaks_in(study: Study, items: Iterable[Item], known: Iterable[tuple[str, Item]] = ()) -> list[str]:
    """What in some items gives a system away, in words; and in those with known answers, each with its file."""
    search = LeakSearch(study)
    for item in items:
        search.add(item)
    for file, item in known:
        search.add_known(file, item)
    return [f"blinding: {leak}" for leak in search.leaks_in_words()]


@cache
def name_pattern(system: str) -> re.Pattern[str]:
    """Finds a system's name in a text that was case-folded: not within a word, but between digits, `_` and `-`.

    Where its words and numbers meet, the text may have another sign, or none: gpt4 stands in GPT-4.

    >>> bool(name_pattern("Ant-7").search("see ant_7_answer")), bool(name_pattern("ant").search("a giant plant"))
    (True, False)
    """
    folded = system.casefold()
    if len(folded) < SHORTEST or not re.search(r"[^\W\d_]", folded):
        return re.compile(rf"(?<!\w){re.escape(folded)}(?!\w)")
    parts = [re.escape(part.casefold()) for part in WORDS_MEET.split(system)]
    # Another digit after a digit makes it another name: model_1 does not stand in model_10.
    before = r"(?<!\w)" if folded[0].isdigit() else r"(?<![^\W\d_])"
    after = r"(?![^\W_])" if folded[-1].isdigit() else r"(?![^\W\d_])"
    return re.compile(before + "[-_. ]?".join(parts) + after)


def outputs(item: Item) -> list[dict[str, Any]]:
    """What systems made, by field: of each candidate, or of the whole item where it has one system."""
    if CANDIDATES in item.shown:
        return list(item.shown[CANDIDATES])
    return [item.shown]


def texts(value: Any) -> Iterator[str]:
    """Every text in a value as it is shown. A picture has none; keys count where they are shown like a text."""
    if isinstance(value, str | int | float):
        yield str(value)
    elif isinstance(value, list):
        for part in value:
            # The keys of turns, steps and rows are the study's names for their parts.
            yield from _texts_in(part) if isinstance(part, dict) else texts(part)
    elif isinstance(value, dict) and "picture" not in value:
        for key, part in value.items():
            yield str(key)
            yield from texts(part)


def _ends(text: str) -> str:
    """A text; of a very long one the beginning and the end, where a name stands as a heading or a signature."""
    return text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]}\n{text[-LONGEST:]}"


def _texts_in(parts: dict[str, Any]) -> Iterator[str]:
    for part in parts.values():
        if type(part) is str:
            yield part
        else:
            yield from texts(part)


def _own_id(item: Item) -> str:
    """The id as its file has it, without what is put behind it where one row makes several comparisons."""
    return item.id.removesuffix("/" + "+".join(item.systems))


def picture_fields(study: Study) -> list[str]:
    """The fields that show pictures, of an item or of its candidates."""
    displays = [block.display for block in study.items.show]
    inner = [block.display for display in displays for block in getattr(display, "show", ())]
    return [name for display in [*displays, *inner] for name in display.pictures()]


def _markers(value: Any) -> Iterator[str]:
    for text in texts(value):
        for found in MARKERS.findall(text):
            yield f"the marker {found.strip()!r}"
        if "\n" in text.strip():
            yield "a line break"
        start = text.lstrip()[:1]
        if start.isalpha():
            yield "a small letter at the beginning" if start.islower() else "a capital at the beginning"
