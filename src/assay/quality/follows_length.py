"""Values that follow the length of what is judged."""

from collections import defaultdict
from statistics import fmean
from typing import ClassVar

from pydantic import Field

from assay.in_words import count, number
from assay.model import CANDIDATES, Flag, Judgment
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, estimate_evidence, flags_from, interval_words, round_off
from assay.quality.monitor_data import texts_in
from assay.quality.score_tables import Score
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.correlation import difference_of_correlations, pearson, ranks
from assay.statistics.estimate import IntervalEstimate
from assay.study.field_types import MonitoredDimensions


class FollowsLengthMonitor(Monitor):
    """Values that follow the length of what is judged, more than the others' values of the same items do.

    For each dimension, Spearman's correlation of an annotator's values with the number of words, minus that of the
    others' means, with Zou's interval for two correlations that share a variable. It is flagged when it is large and,
    after Benjamini and Hochberg's correction, significant. Of a side, its own words count.
    """

    kind: ClassVar[str] = "follows_length"
    gravity: ClassVar[int] = 3

    dimensions: MonitoredDimensions = Field(
        default=(), description="The dimensions; left out: all whose values stand in order."
    )
    above: float = Field(default=0.3, gt=0, lt=2, description="Flag from this much more correlation on.")
    false_discoveries: float = Field(
        default=0.05, gt=0, lt=1, description="Which share of the differences found may be found by chance."
    )
    at_least: int = Field(default=20, ge=5, description="Say nothing before this many items that others judged too.")

    def flags(self, data: MonitorData) -> list[Flag]:
        chosen = {
            name: of_people for name, of_people in data.scores.items() if name in (self.dimensions or data.scores)
        }
        tested = [
            (dimension, annotator, *found)
            for dimension, of_people in chosen.items()
            for annotator, scores in of_people.items()
            if (found := self._compare(data, scores)) is not None
        ]
        adjusted = benjamini_hochberg([1.0 if more.p is None else more.p for *_, more in tested])
        return flags_from(
            self.kind,
            [
                Finding(
                    annotator,
                    f"{data.title(dimension)} goes with length by {number(own)}, "
                    f"the others' values of the same items by {number(others)} "
                    f"(difference {interval_words(more.low, more.high)}, n = {count(more.n)})",
                    (),
                    dimension,
                    {"own": round_off(own), "others": round_off(others), **estimate_evidence(more, "difference")},
                )
                for (dimension, annotator, own, others, more), p in zip(tested, adjusted, strict=True)
                if more.value >= self.above and more.low > 0 and p <= self.false_discoveries
            ],
        )

    def _compare(self, data: MonitorData, scores: list[Score]) -> tuple[float, float, IntervalEstimate] | None:
        """The correlation of an annotator's values with length, that of the others', and the difference."""
        rows: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        lengths: dict[tuple[str, str], float] = {}
        known: dict[tuple[str, str], float] = data.once("lengths", dict)
        for each in scores:
            if each.others is not None:
                about = each.judgment
                unit = (about.item, about.candidate)
                rows[unit].append((each.value, each.others))
                if unit not in known:
                    known[unit] = words_of(data, about)
                lengths[unit] = known[unit]
        if len({item for item, _ in rows}) < self.at_least or len(set(lengths.values())) < 2:
            return None
        own = [given[0][0] if len(given) == 1 else fmean(value for value, _ in given) for given in rows.values()]
        others = [given[0][1] if len(given) == 1 else fmean(mean for _, mean in given) for given in rows.values()]
        long = [lengths[unit] for unit in rows]
        by_rank, by_rank_of_others, by_length = ranks(own), ranks(others), ranks(long)
        with_own, with_others = pearson(by_rank, by_length), pearson(by_rank_of_others, by_length)
        between_them = pearson(by_rank, by_rank_of_others)
        if with_own is None or with_others is None or between_them is None:
            return None
        return with_own, with_others, difference_of_correlations(with_own, with_others, between_them, len(rows))


def words_of(data: MonitorData, judgment: Judgment) -> float:
    """The number of words in what was judged: the item, or one candidate of it."""
    fact = data.items.get(judgment.item)
    if fact is None:
        return 0.0
    candidates = fact.shown.get(CANDIDATES) or ()
    if judgment.candidate and len(candidates) == len(judgment.systems):
        return float(sum(len(text.split()) for text in texts_in(candidates[judgment.systems.index(judgment.system)])))
    return float(fact.words)
