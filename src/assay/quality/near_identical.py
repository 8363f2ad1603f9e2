"""Items that are nearly the same, judged differently by the same person."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pydantic import Field

from assay.in_words import many, some_of
from assay.model import CANDIDATES, Flag, Judgment
from assay.quality import Fact, Monitor, MonitorData
from assay.quality.duplicates import differ
from assay.quality.findings import Finding, flags_from, share_evidence
from assay.quality.monitor_data import scale_positions, texts_in
from assay.statistics.similar import jaccard, shingles, similar_pairs


class NearIdenticalMonitor(Monitor):
    """Items that are nearly the same to read, in every field that is shown, judged differently by the same person."""

    kind: ClassVar[str] = "near_identical"

    similarity: float = Field(
        default=0.9, gt=0.5, le=1, description="From which share of common runs of three words on texts count as one."
    )
    tolerance: float = Field(default=1, ge=0, description="How many points apart are still the same.")
    share: float = Field(default=0.3, ge=0, lt=1, description="Flag above this share of the judgments of such pairs.")
    at_least: int = Field(default=3, ge=1, description="Say nothing before this many pairs of such items.")

    def flags(self, data: MonitorData) -> list[Flag]:
        pairs = similar_items(data.items, self.similarity)
        scales = {each.dimension: scale_positions(each) for each in data.ordered_dimensions}
        scored = {each.dimension for each in data.study.scored_dimensions}
        found = []
        for annotator, submissions in data.submissions.items():
            by_item = {given[0].item: _answers(given, scored) for given in submissions.values()}
            both = [(one, other) for one, other in pairs if one in by_item and other in by_item]
            seen = [
                (one, other, differ(value, by_item[other][key], scales.get(key.split(".")[0], {}), self.tolerance))
                for one, other in both
                for key, value in by_item[one].items()
                if key in by_item[other]
            ]
            apart = [(one, other) for one, other, different in seen if different]
            if seen and len(both) >= self.at_least and len(apart) / len(seen) > self.share:
                words = f"{some_of(len(apart), len(seen))} judgments of {many(len(both), 'pair')} of nearly identical "
                words += "items differ"
                numbers = {**share_evidence(len(apart), len(seen), "differ"), "pairs": len(both)}
                items = tuple(dict.fromkeys(item for pair in apart for item in pair))
                found.append(Finding(annotator, words, items, evidence=numbers))
        return flags_from(self.kind, found)


def _answers(given: list[Judgment], scored: set[str]) -> dict[str, Any]:
    return {each.key: each.choice for each in given if each.dimension in scored and each.value is not None}


def similar_items(items: Mapping[str, Fact], least: float) -> list[tuple[str, str]]:
    """Pairs of items of which each part is nearly the same: not a long question that two short answers share."""
    parts = {name: [shingles(text) for text in _parts(fact.shown)] for name, fact in items.items() if not fact.expected}
    # What is nearly the same in every part is so as a whole, and that is quickly found.
    whole = {name: frozenset().union(*each) for name, each in parts.items()}
    return [
        (one, other)
        for one, other, _ in similar_pairs(whole, least * 0.9)
        if len(parts[one]) == len(parts[other])
        and all(jaccard(*each) >= least for each in zip(parts[one], parts[other], strict=True))
    ]


def _parts(shown: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(shown):
        for part in shown[name] if name == CANDIDATES else [shown[name]]:
            yield " ".join(texts_in(part))
