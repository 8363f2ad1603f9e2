"""Signs that a program has judged, and not a person."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev
from typing import ClassVar

from pydantic import Field

from assay.in_words import count, share, some_of
from assay.model import Flag, Judgment
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from, round_off

Submission = Sequence[Judgment]


class AutomationMonitor(Monitor):
    """Signs that a program has judged, and not a person: several of five, since each alone has harmless reasons.

    Every item takes nearly the same time; pages say nothing of being looked at, where the study asks them to
    (`pace.events`); notes are pasted; notes stand word for word with somebody else; notes come faster than people type.
    With this monitor the page notes that something was pasted, and not what: say so in the consent text.
    """

    kind: ClassVar[str] = "automation"
    gravity: ClassVar[int] = 1
    of_page: ClassVar[bool] = True
    looks_for_paste: ClassVar[bool] = True

    signs: int = Field(default=2, ge=1, le=5, description="Flag from so many of the five signs on.")
    regular: float = Field(
        default=0.1, gt=0, lt=1, description="Times are regular below this standard deviation, as a share of the mean."
    )
    share: float = Field(default=0.5, gt=0, lt=1, description="A sign counts above this share of the items or notes.")
    same_texts: int = Field(default=3, ge=1, description="So many notes stand word for word with somebody else.")
    words: int = Field(default=6, ge=2, description="Only notes of at least so many words are compared with others'.")
    characters_a_second: float = Field(default=15, gt=0, description="Faster than this nobody types.")
    at_least: int = Field(default=8, ge=2, description="Say nothing before this many items.")
    at_least_notes: int = Field(default=4, ge=1, description="Say nothing of notes before this many.")

    def flags(self, data: MonitorData) -> list[Flag]:
        texts = {each.dimension for each in data.study.rubric if each.input.kind == "text"}
        shared = self._shared_texts(data, texts)
        found = []
        for annotator, submissions in data.submissions.items():
            given = [each for each in submissions.values() if not each[0].is_from_file]
            if len(given) < self.at_least:
                continue
            signs = self._signs(data, given, texts, shared)
            if len(signs) >= self.signs:
                evidence = {name: value for name, (_, value) in signs.items()}
                words = f"{len(signs)} signs of a program: {'; '.join(said for said, _ in signs.values())}"
                found.append(Finding(annotator, words, evidence={**evidence, "signs": len(signs), "n": len(given)}))
        return flags_from(self.kind, found)

    def _signs(
        self, data: MonitorData, given: Sequence[Submission], texts: set[str], shared: Mapping[str, set[str]]
    ) -> dict[str, tuple[str, float]]:
        """Each sign that is there, in words and as a number."""
        signs: dict[str, tuple[str, float]] = {}
        times = [each[0].active_ms / 1000 for each in given if each[0].active_ms is not None]
        if len(times) >= self.at_least and (mean := fmean(times)) > 0 and (vary := pstdev(times) / mean) < self.regular:
            signs["regular_times"] = f"times vary by {share(vary)} of their mean", round_off(vary)
        silent = sum(each[0].events is None for each in given) / len(given)
        if data.study.pace.events and silent > self.share:
            signs["without_events"] = f"{share(silent)} of the pages say nothing of being looked at", round_off(silent)
        notes = [(each, note) for each in given if (note := _note(each, texts))]
        if len(notes) >= self.at_least_notes:
            pasted = sum("paste" in _events(each[0]) for each, _ in notes) / len(notes)
            if pasted > self.share:
                signs["pasted_notes"] = f"{share(pasted)} of the notes were pasted", round_off(pasted)
            # What was pasted was not typed: it is no second sign.
            typed = [(each[0].active_ms, note) for each, note in notes if "paste" not in _events(each[0])]
            fast = sum(_is_too_fast(active, note, self.characters_a_second) for active, note in typed)
            if typed and fast / len(notes) > self.share:
                signs["typed_fast"] = f"{some_of(fast, len(notes))} notes came faster than anybody types", fast
        same = sum(len(shared.get(_normalise(note), ())) > 1 for _, note in notes)
        if same >= self.same_texts:
            signs["same_texts"] = f"{count(same)} notes stand word for word with somebody else", same
        return signs

    def _shared_texts(self, data: MonitorData, texts: set[str]) -> dict[str, set[str]]:
        """Who wrote each note that is long enough to be nobody else's by chance; what the study offers is left out."""
        offered = {_normalise(phrase) for each in data.study.rubric for phrase in getattr(each.input, "phrases", ())}
        found: dict[str, set[str]] = defaultdict(set)
        for annotator, submissions in data.submissions.items():
            for given in submissions.values():
                note = _normalise(_note(given, texts))
                if len(note.split()) >= self.words and note not in offered:
                    found[note].add(annotator)
        return found


def _note(given: Submission, texts: set[str]) -> str:
    """What somebody wrote about an item, all together."""
    return " ".join(each.value for each in given if each.dimension in texts and isinstance(each.value, str)).strip()


def _events(judgment: Judgment) -> set[str]:
    """What happened on the page of an item."""
    return {what for _, what in json.loads(judgment.events)} if judgment.events else set()


def _is_too_fast(active_ms: int | None, note: str, limit: float) -> bool:
    return active_ms is not None and len(note) > limit * active_ms / 1000


def _normalise(text: str) -> str:
    return " ".join(text.casefold().split())
