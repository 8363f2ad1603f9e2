"""Notes that only fill the field."""

import re
from collections import Counter, defaultdict
from typing import ClassVar

from pydantic import Field

from assay.in_words import count, some_of
from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from, share_evidence


class FillerNotesMonitor(Monitor):
    """Notes that only fill the field: the same text again and again, hardly a word, or keys struck at random.

    Notes are the dimensions with the input `text`. The phrases that a study offers are words enough, but the same one
    each time is the same text again.
    """

    kind: ClassVar[str] = "filler_notes"
    gravity: ClassVar[int] = 1

    share: float = Field(default=0.5, gt=0, lt=1, description="Flag above this share of an annotator's notes.")
    words: int = Field(default=2, ge=1, description="A note has at least so many different words.")
    at_least: int = Field(default=8, ge=2, description="Say nothing before this many notes.")

    def flags(self, data: MonitorData) -> list[Flag]:
        phrases = {
            each.dimension: {_normalise(phrase) for phrase in getattr(each.input, "phrases", ())}
            for each in data.study.rubric
            if each.input.kind == "text"
        }
        notes: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
        for each in data.first_passes:
            if each.dimension in phrases and isinstance(each.value, str) and each.value.strip():
                text = _normalise(each.value)
                notes[each.annotator].append((each.item, text, text in phrases[each.dimension]))
        found = []
        for annotator, given in notes.items():
            often, times = Counter(text for _, text, _ in given).most_common(1)[0]
            same = {at for at, (_, text, _) in enumerate(given) if text == often and times > 1}
            empty = {at for at, (_, text, offered) in enumerate(given) if not offered and self._says_nothing(text)}
            filler = sorted(same | empty)
            if len(given) >= self.at_least and len(filler) / len(given) > self.share:
                words = f"{some_of(len(filler), len(given))} notes say nothing: "
                words += f"{count(len(same))} times {_shorten(often)}, {len(empty - same)} others without words"
                numbers = {
                    **share_evidence(len(filler), len(given), "filler"),
                    "same": len(same),
                    "without_words": len(empty),
                }
                items = tuple(dict.fromkeys(given[at][0] for at in filler))
                found.append(Finding(annotator, words, items, evidence=numbers))
        return flags_from(self.kind, found)

    def _says_nothing(self, text: str) -> bool:
        words = [word for word in re.findall(r"\w+", text) if not is_mash(word)]
        return len(set(words)) < self.words


def is_mash(word: str) -> bool:
    """Whether a word looks like keys struck at random: one sign throughout, a row of keys, or long without a vowel."""
    if len(word) >= 3 and len(set(word)) == 1:
        return True
    if len(word) >= 4 and any(word in row * 3 for row in KEYBOARD_ROWS):
        return True
    # Letters of other scripts have no vowels that could be missing.
    return bool(re.fullmatch(r"[b-df-hj-np-tv-xz]{6,}", word))


KEYBOARD_ROWS = (
    "asdf",
    "asdfg",
    "asdfgh",
    "asdfghjkl",
    "qwer",
    "qwert",
    "qwerty",
    "qwertz",
    "qwertyuiop",
    "qwertzuiop",
    "jkl",
    "zxcv",
)


def _normalise(text: str) -> str:
    return " ".join(text.casefold().split())


def _shorten(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:39]}…")
