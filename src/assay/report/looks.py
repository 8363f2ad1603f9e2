"""Looks: means, shares, differences and net win rates with intervals that hold however often somebody looks."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assay.model import Estimate, Judgment
from assay.report.charts import round_up
from assay.report.data import Data
from assay.report.families import ComparisonFamily, families_of
from assay.report.system_comparison import NumericDimension, groups_by_item, numeric_dimensions, shares_of_words
from assay.statistics.arrays import np
from assay.statistics.comparison.any_time import ratio_at_any_time
from assay.statistics.comparison.resample import Resamples, clusters_of
from assay.statistics.comparison.systems import item_means

ALL_ITEMS = "all items"
"""What a mean is called where no system is named."""


@dataclass(frozen=True, slots=True)
class Look:
    """One number as it may be looked at at any time."""

    about: str
    estimate: Estimate

    def is_of(self, systems: Sequence[str]) -> bool:
        """Whether it is about one of these systems, or compares it with another."""
        named = {part for sign in (" − ", " against ") for part in self.about.split(": ")[0].split(sign)}
        return not named.isdisjoint(systems) or self.about in systems


@dataclass(frozen=True, slots=True)
class LookPanel:
    """Numbers of one sort on one dimension, on one axis."""

    dimension: str
    title: str
    of: str
    """means, shares, differences or net win rates."""
    low: float
    high: float
    rows: list[Look]

    @property
    def is_signed(self) -> bool:
        """Whether its numbers are differences, which carry their sign."""
        return self.of in ("differences", "net win rates")

    @property
    def is_net(self) -> bool:
        """Whether its numbers are net win rates, which are said in per cent."""
        return self.of == "net win rates"

    def about(self, row: Look) -> str:
        """What the items behind one of its numbers have in common."""
        return f"{self.title}, {self.of}: {row.about}"


def looks_of(data: Data) -> list[LookPanel]:
    """Every number that may be looked at at any time: differences first, then what they are made of."""
    differences = [panel for family in families_of(data) for panel in _differences(family)]
    preferences = [panel for family in families_of(data) for panel in _preferences(family)]
    return [*differences, *preferences, *means_at_any_time(data)]


def means_at_any_time(data: Data) -> list[LookPanel]:
    """The mean of item means of every system, on each dimension; of yes and no, and of words, a share."""
    made = (_means(data, about) for about in (*numeric_dimensions(data), *shares_of_words(data)) if about.judgments)
    return [panel for panel in made if panel.rows]


def _means(data: Data, about: NumericDimension) -> LookPanel:
    by_system: dict[str, list[Judgment]] = defaultdict(list)
    for each in about.judgments:
        by_system[each.system].append(each)
    is_share = about.ends == (0, 1)
    low, high = about.ends or (-np.inf, np.inf)
    rows = [
        Look(name or ALL_ITEMS, _mean(data, by_system[name], "share" if is_share else "mean", low, high))
        for name in sorted(by_system)
    ]
    of = f"shares of “{about.value or about.yes}”" if is_share and (about.value or about.yes) else "means"
    return LookPanel(about.name, about.title, of, *(about.ends or _around(rows)), rows)


def _mean(data: Data, about: list[Judgment], name: str, low: float, high: float) -> Estimate:
    means = item_means((each.item, "", float(each.value)) for each in about)[""]  # type: ignore[arg-type]
    values = np.array(list(means.values()))
    source = Resamples(values.reshape(-1, 1), clusters_of(means, groups_by_item(data, about)), draws=0)
    units = source.ratio_of_units(source.rows[:, 0], np.ones(len(source.rows)))
    return replace(ratio_at_any_time(name, *units, low, high), n=len(values))


def _differences(family: ComparisonFamily) -> Iterator[LookPanel]:
    for row in family.systems.dimensions if family.systems else ():
        rows = [Look(f"{pair.first} − {pair.second}", pair.any_time) for pair in row.pairs if pair.any_time is not None]
        if rows:
            low, high = _around(rows, 0.0)
            reach = max(-low, high)
            yield LookPanel(row.dimension, row.title, "differences", -reach, reach, rows)


def _preferences(family: ComparisonFamily) -> Iterator[LookPanel]:
    for row in family.preferences.dimensions if family.preferences else ():
        pairs = [(f"{pair.system} against {pair.against}", pair) for pair in row.pairs]
        net = [Look(about, pair.any_time) for about, pair in pairs if pair.any_time is not None]
        shares = [Look(f"{about}: {each.name}", each) for about, pair in pairs for each in pair.shares_at_any_time]
        if net:
            yield LookPanel(row.dimension, row.title, "net win rates", -1.0, 1.0, net)
            yield LookPanel(row.dimension, row.title, "shares of judgments", 0.0, 1.0, shares)


def _around(rows: list[Look], middle: float | None = None) -> tuple[float, float]:
    """The two ends of an axis that holds all intervals, symmetric around `middle` if there is one."""
    known = [each.estimate for each in rows if each.estimate.value is not None]
    ends = [end for each in known for end in (each.ci or (each.value, each.value)) if end is not None]
    ends += [] if middle is None else [middle]
    if not ends:
        return 0.0, 1.0
    if middle is not None:
        reach = round_up(max(0.1, *(abs(end - middle) for end in ends)))
        return middle - reach, middle + reach
    return min(ends), max(ends) if max(ends) > min(ends) else min(ends) + 1
