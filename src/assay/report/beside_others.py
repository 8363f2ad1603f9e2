"""Where one annotator stands among the others, in four small figures; and their work in the course of time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from assay.in_words import count, keep_numbers_on_line, many, number, share, some_of, with_sign
from assay.render import Renderer
from assay.report import charts, text_width
from assay.report.charts import DAY, HOUR
from assay.report.data import TOO_FEW
from assay.study import Study

MOST_BARS = 90


@dataclass(frozen=True, slots=True)
class BesideTheOthers:
    """One number of an annotator, among those of the others."""

    title: str
    about: str
    """What the number says, and on which dimension."""
    own: float
    said: str
    """The annotator's number as it is read."""
    others: list[float]
    few: bool
    middle: float | None = None
    """Where a careful annotator would stand."""

    def html(self) -> Markup:
        """The figure: everybody a dot, this annotator's larger."""
        ends = [self.own, *self.others, *([self.middle] if self.middle is not None else [])]
        low, high = min(ends), max(ends)
        room = (high - low) * 0.05 or 0.5
        axis = charts.Axis(low - room, high + room, 8, 232)
        return Markup(
            keep_numbers_on_line(
                _renderer().html("beside_others.html", figure=self, axis=axis, above=_piles(self.others, axis))
            )
        )


@dataclass(frozen=True, slots=True)
class TimeLine:
    """How many items were submitted on each day, or in each hour of a short time."""

    first: int
    last: int
    unit: int
    bars: list[tuple[int, int]]
    gates: list[tuple[int, str]]

    def html(self) -> Markup:
        """The line as a drawing, for a desk and for a phone."""
        frames = (("wide", charts.DESK), ("narrow", charts.NARROW))
        return Markup(_renderer().html("time_line.html", line=self, frames=frames))


def time_line(submitted: Sequence[int], gates: Sequence[tuple[int, str]], now: int) -> TimeLine | None:
    """The work of one annotator in the course of time; None where nothing was submitted here."""
    if not submitted:
        return None
    first = min([*submitted, *(at for at, _ in gates)])
    unit = HOUR if max(submitted) - first < 3 * DAY else DAY
    while (now - first) / unit > MOST_BARS and unit < 7 * DAY:
        unit *= 7 if unit == DAY else 24
    bars = sorted(Counter(at // unit for at in submitted).items())
    last = max(submitted) if now - max(submitted) > 14 * DAY else now
    return TimeLine(first, max(last, first + unit), unit, [(at * unit, n) for at, n in bars], list(gates))


def beside_others(study: Study, computed: Mapping[str, Any], name: str) -> list[BesideTheOthers]:
    """How lenient, how quick, how varied and how much in agreement somebody is, each where it is known.

    `computed` is what the figures of the dashboard were made from. Of several dimensions the one is shown on which this
    annotator stands out most, everybody on the same.
    """
    figures = computed.get("figures", {})
    found = [
        _agreement(study, computed.get("kappas", {}), name),
        _leniency(_rows(figures, "leniency"), name),
        _time(_rows(figures, "time"), name),
        _alike(_rows(figures, "scale_use"), name),
    ]
    return [each for each in found if each is not None]


def _rows(figures: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    rows = figures.get(kind, {}).get("all", [])
    return rows if isinstance(rows, list) else []


def _agreement(study: Study, kappas: Mapping[str, Mapping[str, Any]], name: str) -> BesideTheOthers | None:
    mine = {dimension: people[name] for dimension, people in kappas.items() if name in people}
    if not mine:
        return None
    dimension = min(mine, key=lambda each: mine[each][0])
    others = [value for who, (value, _) in kappas[dimension].items() if who != name]
    value, n = mine[dimension]
    about = f"kappa with the others on {study.dimension(dimension).heading}, n = {count(n)}"
    return BesideTheOthers("Agreement", about, value, number(value), others, n < TOO_FEW)


def _leniency(rows: list[dict[str, Any]], name: str) -> BesideTheOthers | None:
    mine = [row for row in rows if row["annotator"] == name]
    if not mine:
        return None
    most = max(mine, key=lambda row: abs(row["value"]))
    others = [row["value"] for row in rows if row["dimension"] == most["dimension"] and row["annotator"] != name]
    about = f"points above or below the others on {most['title']}, n = {count(most['n'])}"
    return BesideTheOthers("Leniency", about, most["value"], with_sign(most["value"]), others, most["few"], 0.0)


def _time(rows: list[dict[str, Any]], name: str) -> BesideTheOthers | None:
    mine = next((row for row in rows if row["annotator"] == name), None)
    if mine is None:
        return None
    others = [row["median"] for row in rows if row["annotator"] != name]
    said = f"{number(mine['median'])}×"
    about = f"of the time that is expected, the median of {many(mine['n'], 'item')}"
    return BesideTheOthers("Time", about, mine["median"], said, others, mine["few"], 1.0)


def _alike(rows: list[dict[str, Any]], name: str) -> BesideTheOthers | None:
    mine = next((row for row in rows if row["annotator"] == name), None)
    if mine is None or mine["alike_share"] is None:
        return None
    others = [row["alike_share"] for row in rows if row["annotator"] != name and row["alike_share"] is not None]
    about = f"items with one number on every scale, {some_of(mine['alike'], mine['alike_of'])}"
    return BesideTheOthers("All alike", about, mine["alike_share"], share(mine["alike_share"]), others, mine["few"])


def _piles(values: Sequence[float], axis: charts.Axis) -> list[tuple[float, int]]:
    """Where each dot stands: dots of one value are stacked, as many as there is room for."""
    at: Counter[int] = Counter()
    found = []
    for value in sorted(values):
        place = round(axis.at(value) / 6)
        if at[place] < 4:
            found.append((place * 6.0, at[place]))
        at[place] += 1
    return found


@cache
def _renderer() -> Renderer:
    return Renderer(Path(__file__).parent, charts=charts, text=text_width)
