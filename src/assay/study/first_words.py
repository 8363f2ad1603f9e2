"""The first words of items, for a list of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assay.study.schema import Study

LONGEST = 90
ENDS = " .,;:!?"


def first_words(study: Study, shown: Mapping[str, Any]) -> str:
    """The first words of an item, from blocks that are shown from the beginning."""
    return _cut(next((words for words in _openings(study, shown) if words), ""), LONGEST)


def words_apart(study: Study, items: Sequence[Mapping[str, Any]]) -> list[str]:
    """The first words of each item; of those that begin alike, also the first words of what differs."""
    found = [first_words(study, shown) for shown in items]
    counts = Counter(found)
    for words in [each for each, count in counts.items() if each and count > 1]:
        alike = [place for place, each in enumerate(found) if each == words]
        blocks = zip(*([_cut(each, LONGEST // 2) for each in _openings(study, items[at])] for at in alike), strict=True)
        differing = next((block for block in blocks if len(set(block)) > 1), None)
        for at, other in zip(alike, differing or (), strict=False):
            if other:
                found[at] = f"{_cut(words, LONGEST // 2)} · {other}"
    return found


def _openings(study: Study, shown: Mapping[str, Any]) -> list[str]:
    """The first text of each block that is shown from the beginning."""
    return [" ".join(each.display.opening(shown).split()) for each in study.items.show if not each.after]


def _cut(words: str, longest: int) -> str:
    if len(words) <= longest:
        return words
    cut = words[:longest]
    whole = cut.rsplit(" ", 1)[0] if " " in cut else cut
    return f"{whole.rstrip(ENDS)}…"
