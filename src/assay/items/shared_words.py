"""Whether a text has some words in a row that others have too. Quotation marks and the like do not count."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

MOST_REMEMBERED = 256
"""Texts of which it is remembered whether a run stands in them: what several systems answered comes once for each."""
WORD = re.compile(r"\w+")
# Every ASCII character as the pattern sees it: letters, digits and _ stand, anything else is between words.
_TABLE = bytes(ord(chr(code).lower()) if code < 128 and WORD.fullmatch(chr(code)) else ord(" ") for code in range(256))


def words_of(text: str) -> list[str]:
    """The words of a text, case folded.

    >>> words_of("It's late, Ann_1!")
    ['it', 's', 'late', 'ann_1']
    """
    if text.isascii():  # ten times as fast as the pattern, and a file has many texts
        return text.encode().translate(_TABLE).decode().split()
    return WORD.findall(text.casefold())


class SharedWords:
    """Runs of so many words out of some texts, looked for in others."""

    def __init__(self, texts: Iterable[str], run: int) -> None:
        self.run = run
        self.half = (run + 1) // 2
        words = [words_of(text) for text in texts]
        self._runs = {each for one in words for each in _runs(one, run)}
        self._halves = {half for each in self._runs for half in _runs(each, self.half)}
        self._rare = _one_of_each(self._runs)
        self._remembered = lru_cache(MOST_REMEMBERED)(self._look)

    def stand_in(self, text: str) -> bool:
        """Whether one of the runs stands in a text."""
        return bool(self._runs) and self._remembered(text)

    def _look(self, text: str) -> bool:
        words = words_of(text)
        if self._rare.isdisjoint(words):
            return False
        # Each run holds one of some halves that begin so far from each other: where all are strange, no run is there.
        if self._halves.isdisjoint(_runs(words, self.half, self.run - self.half + 1)):
            return False
        return not self._runs.isdisjoint(_runs(words, self.run))


def _one_of_each(runs: Iterable[tuple[str, ...]]) -> set[str]:
    """Few words of which each run has one, long ones rather than short: a text without them holds no run."""
    found: set[str] = set()
    for run in sorted(runs):
        if found.isdisjoint(run):
            found.add(max(run, key=lambda word: (len(word), word)))
    return found


def _runs(words: Sequence[str], length: int, step: int = 1) -> Iterable[tuple[str, ...]]:
    """So many words in a row, beginning with every word, or with one of so many."""
    return zip(*(words[first::step] for first in range(length)), strict=False)
