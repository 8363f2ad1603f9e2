"""Whether a text shares words in a row (an n-gram) with other texts. Quotation marks and the like do not count."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

MOST_REMEMBERED = 256
"""The size of the cache of texts that were searched: what several systems answered comes once for each."""
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
    """The n-grams of some texts, looked for in others."""

    def __init__(self, texts: Iterable[str], run: int) -> None:
        self.run = run
        self.half = (run + 1) // 2
        words = [words_of(text) for text in texts]
        self._runs = {each for one in words for each in _runs(one, run)}
        self._halves = {half for each in self._runs for half in _runs(each, self.half)}
        self._rare = _one_of_each(self._runs)
        self._remembered = lru_cache(MOST_REMEMBERED)(self._look)

    def stand_in(self, text: str) -> bool:
        """Whether one of the n-grams stands in a text."""
        return bool(self._runs) and self._remembered(text)

    def _look(self, text: str) -> bool:
        words = words_of(text)
        if self._rare.isdisjoint(words):
            return False
        # Every n-gram of this text holds a half that begins at one of these steps: where none is known, none matches.
        if self._halves.isdisjoint(_runs(words, self.half, self.run - self.half + 1)):
            return False
        return not self._runs.isdisjoint(_runs(words, self.run))


def _one_of_each(runs: Iterable[tuple[str, ...]]) -> set[str]:
    """A small set of words that has one of each n-gram, rather long ones: a text without them holds none."""
    found: set[str] = set()
    for run in sorted(runs):
        if found.isdisjoint(run):
            found.add(max(run, key=lambda word: (len(word), word)))
    return found


def _runs(words: Sequence[str], length: int, step: int = 1) -> Iterable[tuple[str, ...]]:
    """The n-grams of this length that begin with every word, or with every `step`-th one."""
    return zip(*(words[first::step] for first in range(length)), strict=False)
