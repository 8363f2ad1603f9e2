"""One impression that colours all dimensions."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import ClassVar

from pydantic import Field

from assay.in_words import count, number
from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import MOST_SHOWN, Finding, flags_from, interval_words, round_off
from assay.statistics.arrays import Floats, np
from assay.statistics.groups import Groups
from assay.statistics.halo import HaloMeasure as Found
from assay.statistics.halo import halos_of

EXPLAINED = 0.2
"""From this correlation with the others on, their means explain enough of the items for residuals to mean something."""

Rows = dict[tuple[str, str, str], dict[str, tuple[float, float]]]


class HaloMonitor(Monitor):
    """One impression that colours all dimensions: they are correlated more than those of the others.

    An annotator's values are regressed on the others' means; the correlation between dimensions of the residuals is
    compared with that of the other annotators. It is flagged when it is larger by `above`, and its interval lies above
    theirs. Where the others' means explain next to nothing (of two people, one may be guessing), nothing is said: low
    agreement is another monitor's matter.
    """

    kind: ClassVar[str] = "halo"

    above: float = Field(default=0.25, gt=0, lt=2, description="Flag from this much more correlation on.")
    at_least: int = Field(default=20, ge=5, description="Say nothing before this many items that others judged too.")

    def flags(self, data: MonitorData) -> list[Flag]:
        every = halos(data)
        measured = {name: found for name in sorted(every) if (found := every[name].of(self.at_least)) is not None}
        flagged = []
        for annotator, found in measured.items():
            others = [each.residual for name, each in measured.items() if name != annotator]
            # Where there are no others, a halo is measured from nothing, and nothing is said of them.
            usual = max(0.0, fmean(others)) if others else 0.0
            if found.shared >= EXPLAINED and found.residual - usual >= self.above and found.low > usual:
                words = f"the dimensions go together by {number(found.residual)} beyond what is in the items "
                words += f"({interval_words(found.low, found.high)}, n = {count(found.n)})"
                words += f"; of the others by {number(usual)}" if others else ""
                numbers = {
                    "residual": round_off(found.residual),
                    "low": round_off(found.low),
                    "high": round_off(found.high),
                }
                evidence: dict[str, int | float | str] = {**numbers, "n": found.n}
                if others:
                    evidence["others"] = round_off(usual)
                if found.consensus is not None:
                    evidence["consensus"] = round_off(found.consensus)
                flagged.append(
                    Finding(annotator, words, _items_with_one_value(beside_others(data, annotator)), evidence=evidence)
                )
        return flags_from(self.kind, flagged)


def beside_others(data: MonitorData, annotator: str) -> Rows:
    """What an annotator and the others gave: by item, candidate and entry, on each dimension.

    It is made anew for each annotator: of all of them together it would take more memory than their judgments.
    """
    rows: Rows = defaultdict(dict)
    for dimension, table in data.scores.items():
        for each in table.get(annotator, ()):
            if each.others is not None:
                about = each.judgment
                rows[about.item, about.role, about.entry][dimension] = (each.value, each.others)
    return rows


@dataclass(frozen=True, slots=True)
class Measured:
    """The halo of one annotator, and how many items it rests on."""

    n_items: int
    halo: Found | None

    def of(self, at_least: int) -> Found | None:
        """The halo, or None where there are fewer items than so many, or too few dimensions to say."""
        return self.halo if self.n_items >= at_least else None


def halos(data: MonitorData) -> dict[str, Measured]:
    """The halo of everybody who has something beside others; computed once."""
    return data.once("halos", lambda: _halos(data))


def _halos(data: MonitorData) -> dict[str, Measured]:
    alike: dict[tuple[str, ...], list[tuple[str, Floats]]] = defaultdict(list)
    n_items: dict[str, int] = {}
    for annotator in dict.fromkeys(chain.from_iterable(data.scores.values())):
        if rows := beside_others(data, annotator):
            dimensions, units = _asked_of_the_most(rows)
            values = np.array([[rows[unit][name] for name in dimensions] for unit in units], dtype=np.float64)
            alike[dimensions].append((annotator, values.reshape(-1, len(dimensions), 2)))
            n_items[annotator] = len({item for item, *_ in units})
    found: dict[str, Found | None] = {}
    for several in alike.values():
        people, tables = zip(*several, strict=True)
        table, groups = np.concatenate(tables), Groups([*map(len, tables)])
        found |= zip(people, halos_of(table[:, :, 0], table[:, :, 1], groups), strict=True)
    return {annotator: Measured(n, found[annotator]) for annotator, n in n_items.items()}


def _asked_of_the_most(rows: Rows) -> tuple[tuple[str, ...], list[tuple[str, str, str]]]:
    """Of dimensions that are asked of different things, those that are asked of the most; and of what they are."""
    asked: dict[tuple[str, ...], list[tuple[str, str, str]]] = defaultdict(list)
    for unit, values in rows.items():
        asked[tuple(sorted(values))].append(unit)
    dimensions = max(asked, key=lambda names: (len(names), len(asked[names])), default=())
    return dimensions, asked.get(dimensions, [])


def _items_with_one_value(rows: Rows) -> tuple[str, ...]:
    """Items with one value throughout although the others saw differences, the largest first."""
    spread = {
        unit[0]: max(others) - min(others)
        for unit, values in rows.items()
        if len({value for value, _ in values.values()}) == 1 and (others := [mean for _, mean in values.values()])
    }
    ranked = sorted(spread, key=lambda item: -spread[item])
    return tuple(item for item in ranked[:MOST_SHOWN] if spread[item] > 0)
