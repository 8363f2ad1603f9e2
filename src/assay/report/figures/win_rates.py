"""Which system wins against which, with ties, and whether the side decided."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal

from assay.in_words import count, many
from assay.model import Comparison, Judgment
from assay.report.charts import interval, number, share, shares
from assay.report.data import TOO_FEW
from assay.report.figures import MOST_DRAWN, Figure, FigureData, Nothing, Part, Table, not_drawn
from assay.report.preference_sides import preference
from assay.report.system_comparison import groups_by_item, independent_units
from assay.statistics.comparison.preferences import position_bias, win_rates
from assay.statistics.draws import DRAWS


@dataclass(frozen=True, slots=True)
class WinRatesRow:
    """One pair of systems on one question."""

    dimension: str
    title: str
    system: str
    against: str
    n: int
    n_items: int
    n_units: int
    unit: str
    few: bool
    wins: int
    ties: int
    losses: int
    value: float | None
    """The share of wins and half of the ties."""
    ci: tuple[float, float] | None
    left: float | None
    """How often the left side won."""
    left_ci: tuple[float, float] | None
    left_n: int
    items: list[str]
    """Those that the first system lost."""

    @property
    def units(self) -> str:
        """How many independent items or groups it is about, with the noun."""
        return many(self.n_units, self.unit.removesuffix("s"))

    def about(self, outcome: Literal["won", "tied", "lost"]) -> str:
        """What the items of one bar have in common."""
        between = f"{self.system} and {self.against} tied"
        return f"{between if outcome == 'tied' else f'{self.system} {outcome} against {self.against}'}, {self.title}"


@dataclass(frozen=True, slots=True)
class WinRatesFigureNumbers:
    """Every pair of systems on every question."""

    n: int
    rows: list[WinRatesRow]
    all: list[WinRatesRow]
    more: int
    has_sides: bool = True
    """Whether anybody is known to have seen a side."""


class WinRatesFigure(Figure[WinRatesFigureNumbers]):
    """Which system wins against which: wins, ties and losses on each question, and whether the side decided."""

    kind: ClassVar[str] = "win_rates"
    rank: ClassVar[int] = 10
    part: ClassVar[Part] = "says"
    waits: ClassVar[bool] = True
    question: ClassVar[str] = "Which system wins?"

    def numbers(self, data: FigureData) -> WinRatesFigureNumbers | Nothing:
        if not data.report.study.preference_dimensions:
            return Nothing("This study compares no two systems with each other.")
        rows = [_win_rates(data, *each) for each in _pairs(data)]
        if not rows:
            return Nothing("No pair has been judged yet.")
        ranked = sorted(rows, key=lambda row: row.few)
        return WinRatesFigureNumbers(
            n=sum(row.n for row in rows),
            rows=ranked[:MOST_DRAWN],
            all=ranked,
            more=len(ranked[MOST_DRAWN:]),
            has_sides=any(row.left_n or row.left is not None for row in rows),
        )

    def leads(self, data: FigureData, numbers: WinRatesFigureNumbers) -> Mapping[str, Sequence[str]]:
        drawn = {(row.dimension, row.system, row.against): row for row in numbers.rows}
        found: dict[str, list[str]] = {}
        for name, pair, about in _pairs(data):
            row = drawn.get((name, *pair))
            for each in about if row else []:
                points = preference(each).points_of(pair[0])
                outcome: Literal["won", "tied", "lost"] = "won" if points > 0 else "lost" if points < 0 else "tied"
                found.setdefault(row.about(outcome) if row else "", []).append(each.item)
        return found

    def finding(self, numbers: WinRatesFigureNumbers) -> str:
        known = [row for row in numbers.all if not row.few and row.value is not None]
        if len(numbers.all) != 1 or not known:
            return ""
        row = known[0]
        said = f"{row.system} wins {share(row.wins / row.n)}, {row.against} {share(row.losses / row.n)}"
        return f"{said}, {share(row.ties / row.n)} tied: {row.title}"

    def caption(self, numbers: WinRatesFigureNumbers) -> str:
        sides = "; the diamond is how often the left side won, which should cover 50 %" if numbers.has_sides else ""
        return (
            f"Wins, ties and losses of the first system, n = {many(numbers.n, 'judgment')}. "
            "The dot is wins and half of the "
            f"ties, with the 95 % interval over items{sides}.{not_drawn(numbers.more)}"
        )

    def table(self, numbers: WinRatesFigureNumbers) -> Table:
        columns: tuple[str, ...] = ("Pair", "Question", "Judgments", "Items", "Wins", "Ties", "Losses")
        columns += ("Wins and half of ties", "95 % interval")
        columns += ("Left side won", "95 % interval of it", "Lost") if numbers.has_sides else ("Lost",)
        rows: list[list[Any]] = [
            [
                f"{row.system} against {row.against}",
                row.title,
                row.n,
                f"{count(row.n_items)}, too few to say" if row.few else row.n_items,
                row.wins,
                row.ties,
                row.losses,
                number(row.value),
                interval(row.ci),
                *((share(row.left), shares(row.left_ci)) if numbers.has_sides else ()),
                row.items,
            ]
            for row in numbers.all
        ]
        return columns, rows


def _pairs(data: FigureData) -> Iterator[tuple[str, Comparison, list[Judgment]]]:
    """Every two systems on every question about a preference, with what was said of them."""
    for name in data.report.study.preference_dimensions:
        about = [
            each
            for each in data.report.with_agreed.judgments
            if each.dimension == name
            and len(set(each.systems)) == 2
            and each.value is not None
            and data.report.on_this_scale(each)
        ]
        systems = sorted({system for each in about for system in each.systems})
        for pair in map(data.report.comparison_of, combinations(systems, 2)):
            of_pair = [each for each in about if set(each.systems) == set(pair)]
            if of_pair:
                yield name, pair, of_pair


def _win_rates(data: FigureData, name: str, pair: Comparison, about: list[Judgment]) -> WinRatesRow:

    judged = [preference(each) for each in about]
    found = win_rates(judged, *pair, groups_by_item(data.report, about), data.report.seed, DRAWS)
    left = position_bias([preference(each) for each in about if each.left]).left_wins
    n_units, unit = independent_units(data.report, about)
    net = found.net
    points = [each.points_of(pair[0]) for each in judged]
    return WinRatesRow(
        dimension=name,
        title=data.report.study.dimension(name).heading,
        system=pair[0],
        against=pair[1],
        n=len(about),
        n_items=len({each.item for each in about}),
        n_units=n_units,
        unit=unit,
        few=n_units < TOO_FEW,
        wins=points.count(1),
        ties=points.count(0),
        losses=points.count(-1),
        value=None if net.value is None else (1 + net.value) / 2,
        ci=None if net.ci is None else ((1 + net.ci[0]) / 2, (1 + net.ci[1]) / 2),
        left=left.value,
        left_ci=left.ci,
        left_n=left.n,
        items=data.first(each.item for each, won in zip(about, points, strict=True) if won == -1),
    )
