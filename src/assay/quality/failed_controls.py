"""Items with a known answer, answered otherwise."""

from collections import defaultdict
from typing import ClassVar

from pydantic import Field

from assay.count_marks import name_of_mark
from assay.in_words import some_of
from assay.model import Flag, Judgment, Value
from assay.quality import Monitor, MonitorData
from assay.quality.findings import Finding, flags_from, share_evidence
from assay.sides_and_candidates import systems_by_role


class FailedControlsMonitor(Monitor):
    """Items with a known answer, hidden among the others, that were answered otherwise.

    A control is failed when any of its known answers is missed; what it has no known answer for does not count.
    """

    kind: ClassVar[str] = "failed_controls"
    gravity: ClassVar[int] = 1

    share: float = Field(default=0.25, ge=0, lt=1, description="Flag above this share of an annotator's controls.")
    at_least: int = Field(default=3, ge=1, description="Say nothing about the share before this many controls.")
    count: int | None = Field(
        default=None, ge=1, description="Flag from this many failed ones on, whatever their share; left out: never."
    )
    tolerance: float = Field(default=0, ge=0, description="How far a number may lie from the known one.")

    def flags(self, data: MonitorData) -> list[Flag]:
        found = []
        for annotator, controls in controls_met(data, self.tolerance).items():
            failed = tuple(item for item, right in controls.items() if not right)
            too_many = self.count is not None and len(failed) >= self.count
            if too_many or (len(controls) >= self.at_least and len(failed) / len(controls) > self.share):
                words = f"{some_of(len(failed), len(controls))} controls were not answered as known"
                found.append(
                    Finding(annotator, words, failed, evidence=share_evidence(len(failed), len(controls), "failed"))
                )
        return flags_from(self.kind, found)


def controls_met(data: MonitorData, tolerance: float = 0) -> dict[str, dict[str, bool]]:
    """Whether each annotator gave the known answer to each control."""
    met: dict[str, dict[str, bool]] = defaultdict(dict)
    for judgment in data.judgments:
        fact = data.items.get(judgment.item)
        if judgment.control and judgment.pass_ == 1 and fact is not None and judgment.key in fact.expected:
            right = is_met(judgment, fact.expected[judgment.key], tolerance)
            met[judgment.annotator][judgment.item] = met[judgment.annotator].get(judgment.item, True) and right
    return met


def is_met(judgment: Judgment, expected: Value, tolerance: float) -> bool:
    """Whether a judgment is the known answer: numbers nearly, ticks and counts in any order, candidates by role."""
    value = judgment.value
    if isinstance(value, int | float) and isinstance(expected, int | float):
        return abs(value - expected) <= tolerance + 1e-9
    if isinstance(value, list) or isinstance(expected, list):
        return sorted(map(name_of_mark, _as_list(value))) == sorted(map(name_of_mark, _as_list(expected)))
    if expected not in judgment.systems:
        expected = systems_by_role(judgment.systems).get(str(expected), expected)
    return value == expected


def _as_list(value: Value) -> list[str]:
    return value if isinstance(value, list) else [] if value is None else [str(value)]
