"""Two candidates that are the same, told apart."""

from collections import defaultdict
from typing import ClassVar

from pydantic import Field

from assay.in_words import some_of
from assay.model import Flag, Judgment
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from, share_evidence
from assay.sides_and_candidates import shows_the_same_twice


class IdenticalCandidatesMonitor(Monitor):
    """Two candidates that show the same, and one was preferred, or the two got different values."""

    kind: ClassVar[str] = "identical_candidates"
    gravity: ClassVar[int] = 1

    share: float = Field(default=0.25, ge=0, lt=1, description="Flag above this share of such items.")
    at_least: int = Field(default=1, ge=1, description="Say nothing before this many such items.")

    def flags(self, data: MonitorData) -> list[Flag]:
        same = {name for name, fact in data.items.items() if shows_the_same_twice(fact.shown)}
        found = []
        for annotator, submissions in data.submissions.items():
            given = [each for each in submissions.values() if each[0].item in same]
            apart = tuple(each[0].item for each in given if _differ(each, data.study.preference_dimensions))
            if len(given) >= self.at_least and apart and len(apart) / len(given) > self.share:
                words = f"on {some_of(len(apart), len(given))} items with two identical candidates they were told apart"
                found.append(
                    Finding(annotator, words, apart, evidence=share_evidence(len(apart), len(given), "told_apart"))
                )
        return flags_from(self.kind, found)


def _differ(given: list[Judgment], comparing: tuple[str, ...]) -> bool:
    if any(each.dimension in comparing and each.value in each.systems for each in given):
        return True
    by_side: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in given:
        # A note about each side is no value of it.
        if each.role and isinstance(each.value, int | float):
            by_side[each.dimension, each.entry].add(str(each.value))
    return any(len(values) > 1 for values in by_side.values())
