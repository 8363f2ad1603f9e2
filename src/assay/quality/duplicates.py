"""Items that came a second time and were judged differently."""

from collections import defaultdict
from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from assay.in_words import some_of
from assay.model import Flag, Judgment, Value
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from, round_off, share_evidence
from assay.quality.monitor_data import number_of, scale_positions
from assay.statistics.wilson import wilson


class DuplicatesMonitor(Monitor):
    """Items that came a second time, unrecognisably, and were judged differently by the same person.

    Of values in an order, those count as different that lie more than `tolerance` apart; of others, all that are not
    the same. Of an item with sides or entries each one counts. A dimension is flagged when Wilson's interval of the
    share that differs lies above `share` (with 10 second judgments, from 6 on), and above the share of the other
    annotators: where everybody wavers the question is at fault, and not one person.
    """

    kind: ClassVar[str] = "duplicates"

    tolerance: float = Field(default=1, ge=0, description="How many points apart are still the same.")
    share: float = Field(
        default=0.25,
        ge=0,
        lt=1,
        description="Flag when more than this share of a dimension's second judgments differ, beyond chance.",
    )
    at_least: int = Field(default=5, ge=1, description="Say nothing before this many items came twice.")

    def flags(self, data: MonitorData) -> list[Flag]:
        scales = {each.dimension: scale_positions(each) for each in data.ordered_dimensions}
        twice: dict[tuple[str, str], list[tuple[str, bool]]] = defaultdict(list)
        for first, second in pairs_of_passes(data):
            scale = scales.get(first.dimension, {})
            apart = differ(first.choice, second.choice, scale, self.tolerance)
            twice[first.dimension, first.annotator].append((first.item, apart))
        found = []
        for (dimension, annotator), seen in twice.items():
            apart_in = [item for item, apart in seen if apart]
            others = [
                apart for key, rows in twice.items() if key[0] == dimension and key[1] != annotator for _, apart in rows
            ]
            usual = sum(others) / len(others) if others else None
            enough = len({item for item, _ in seen}) >= self.at_least
            if enough and apart_in and wilson(len(apart_in), len(seen))[0] > max(self.share, usual or 0.0):
                words = f"{data.title(dimension)}: {some_of(len(apart_in), len(seen))} second judgments differ from "
                words += "the first"
                words += f" by more than {self.tolerance:g}" if dimension in scales else ""
                numbers = share_evidence(len(apart_in), len(seen), "differ")
                if usual is not None:
                    numbers["others"] = round_off(usual)
                found.append(Finding(annotator, words, tuple(apart_in), dimension, numbers))
        return flags_from(self.kind, found)


def pairs_of_passes(data: MonitorData) -> list[tuple[Judgment, Judgment]]:
    """What one person said of one thing twice: the first and the second judgment of each scored dimension."""
    passes: dict[tuple[str, str, str], dict[int, Judgment]] = defaultdict(dict)
    scored = {each.dimension for each in data.study.scored_dimensions}
    # Few things are judged twice, or none: only these are kept in mind.
    again = {(each.annotator, each.item) for each in data.judgments if each.pass_ == 2}
    for judgment in data.judgments if again else ():
        if (
            (judgment.annotator, judgment.item) in again
            and judgment.dimension in scored
            and not judgment.control
            and judgment.value is not None
        ):
            passes[judgment.annotator, judgment.item, judgment.key][judgment.pass_] = judgment
    return [(given[1], given[2]) for given in passes.values() if {1, 2} <= given.keys()]


def differ(first: Value, second: Value, scale: Mapping[Value, float], tolerance: float) -> bool:
    """Whether two values are more than the tolerance apart; where they stand in no order, whether they differ."""
    one, other = number_of(first, scale), number_of(second, scale)
    if one is None or other is None:
        return first != second
    return abs(one - other) > tolerance + 1e-9
