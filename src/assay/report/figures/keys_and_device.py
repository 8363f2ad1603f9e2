"""Whether times and answers differ by device, or by the way of answering."""

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean, quantiles
from typing import Any, ClassVar

from assay.in_words import count, many
from assay.model import Judgment
from assay.report.charts import interval, share, with_sign
from assay.report.data import TOO_FEW
from assay.report.figures import Figure, FigureData, Nothing, Part, Table
from assay.report.figures.drift import residuals_of_annotators
from assay.statistics.estimate import mean_of

WITH = re.compile(r"with:(\d+)/(\d+)/(narrow|wide)")
WAYS = {"wide keys": "Wide page, by keys", "wide pointer": "Wide page, by pointer", "narrow": "Narrow page"}


@dataclass(frozen=True, slots=True)
class WayRow:
    """The items that were answered in one way: on which page, by key or pointer."""

    way: str
    title: str
    n: int
    share: float
    few: bool
    annotators: int
    keys: int
    """How many answers were given by key."""
    pointer: int
    seconds: list[float] | None
    """The quartiles of the active time."""
    value: float | None
    """The mean of (value − mean of the others on the same item)."""
    ci: tuple[float, float] | None
    items: list[str]
    """The slowest."""


@dataclass(frozen=True, slots=True)
class KeysAndDeviceFigureNumbers:
    """The ways in which items were answered."""

    n: int
    rows: list[WayRow]
    keys: int
    answers: int


class KeysAndDeviceFigure(Figure[KeysAndDeviceFigureNumbers]):
    """Whether times and answers differ by device, or by the way of answering."""

    kind: ClassVar[str] = "keys_and_device"
    rank: ClassVar[int] = 40
    part: ClassVar[Part] = "good"
    question: ClassVar[str] = "Does the interface change answers?"

    def numbers(self, data: FigureData) -> KeysAndDeviceFigureNumbers | Nothing:
        if not data.report.study.pace.events:
            return Nothing("This study keeps nothing of how answers were given (pace.events is off).")
        given: dict[str, list[tuple[Judgment, int, int]]] = defaultdict(list)
        for submissions in data.work.submissions.values():
            for one in submissions.values():
                if found := read_way(one[0].events):
                    keys, pointer, page = found
                    way = "narrow" if page == "narrow" else f"wide {'keys' if keys >= pointer else 'pointer'}"
                    given[way].append((one[0], keys, pointer))
        if not given and data.report.sources.is_elsewhere:
            return Nothing("Everything came from files, which do not say how it was given.")
        if not given:
            return Nothing("No submission says yet how it was given: by keys or pointer, on what page.")
        beside = {(who, each.item): each.value for who, theirs in residuals_of_annotators(data) for each in theirs}
        n = sum(map(len, given.values()))
        rows = [_way(data, way, given[way], n, beside) for way in WAYS if way in given]
        keys, pointer = sum(row.keys for row in rows), sum(row.pointer for row in rows)
        return KeysAndDeviceFigureNumbers(n=n, rows=rows, keys=keys, answers=keys + pointer)

    def finding(self, numbers: KeysAndDeviceFigureNumbers) -> str:
        if len(numbers.rows) == 1:
            return f"All of {many(numbers.n, 'item')} were answered in one way: {numbers.rows[0].title.lower()}"
        known = [row for row in numbers.rows if row.ci is not None and row.value is not None and not row.few]
        apart = [row for row in known if row.ci and not row.ci[0] <= 0 <= row.ci[1]]
        if not apart:
            return "Answers do not differ by the way they were given, beyond chance" if known else ""
        top = max(apart, key=lambda row: abs(row.value or 0.0))
        return f"{top.title}: {with_sign(top.value)} {interval(top.ci)} beside the others"

    def caption(self, numbers: KeysAndDeviceFigureNumbers) -> str:
        return (
            f"n = {many(numbers.n, 'submitted item')}; {share(numbers.keys / max(1, numbers.answers))} of their "
            "answers were given by key. Seconds: median and middle half. Above the others: the mean of "
            "(value − mean of the others), with the 95 % interval; it should cover 0."
        )

    def table(self, numbers: KeysAndDeviceFigureNumbers) -> Table:
        columns: tuple[str, ...] = (
            "Way",
            "Items",
            "Annotators",
            "Answers by key",
            "By pointer",
            "Median seconds",
            "Middle half",
        )
        columns += ("Beside the others", "95 % interval", "Slowest")
        rows: list[list[Any]] = [
            [
                row.title,
                f"{count(row.n)}, too few to say" if row.few else row.n,
                row.annotators,
                row.keys,
                row.pointer,
                None if row.seconds is None else f"{row.seconds[1]:.0f}",
                "" if row.seconds is None else f"{row.seconds[0]:.0f} to {row.seconds[2]:.0f}",
                with_sign(row.value),
                interval(row.ci),
                row.items,
            ]
            for row in numbers.rows
        ]
        return columns, rows


def read_way(events: str | None) -> tuple[int, int, str] | None:
    """How many answers were given by key and by pointer, and whether the page was narrow, as the page noted it."""
    for _, what in reversed(json.loads(events) if events else []):
        if found := WITH.fullmatch(str(what)):
            return int(found[1]), int(found[2]), found[3]
    return None


def _way(
    data: FigureData, way: str, given: list[tuple[Judgment, int, int]], n: int, beside: dict[tuple[str, str], float]
) -> WayRow:
    timed = sorted((each.active_ms / 1000, each.item) for each, _, _ in given if each.active_ms is not None)
    seconds = [time for time, _ in timed]
    apart: dict[str, list[float]] = defaultdict(list)
    for each, _, _ in given:
        if (each.annotator, each.item) in beside:
            apart[each.annotator].append(beside[each.annotator, each.item])
    # Items of one person go together: people are what is compared, where there are enough of them.
    means = [fmean(values) for values in apart.values()]
    values = means if len(means) > 2 else [value for each in apart.values() for value in each]
    found = mean_of(values)
    return WayRow(
        way=way,
        title=WAYS[way],
        n=len(given),
        share=len(given) / n,
        few=len(given) < TOO_FEW,
        annotators=len({each.annotator for each, _, _ in given}),
        keys=sum(keys for _, keys, _ in given),
        pointer=sum(pointer for _, _, pointer in given),
        seconds=quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else None,
        value=None if found is None else found.value,
        ci=None if found is None else (found.low, found.high),
        items=data.first(item for _, item in reversed(timed)),
    )
