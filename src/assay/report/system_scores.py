"""How systems score: mean and median of each, and how far each pair lies apart on what both were judged on."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import stdev
from typing import TYPE_CHECKING

from assay.frozen_json import fields_of
from assay.model import Estimate, Judgment
from assay.report.data import TOO_FEW, Data
from assay.report.margins import MarginTest, margin_of_means
from assay.report.shown_differences import decision, why_undecided
from assay.report.system_comparison import (
    NumericDimension,
    groups_by_item,
    independent_units,
    is_compared_on,
    systems_of,
    with_test,
)
from assay.statistics.arrays import np
from assay.statistics.comparison.any_time import any_time
from assay.statistics.comparison.beyond_panel import difference_beyond_panel
from assay.statistics.comparison.item_medians import median_of
from assay.statistics.comparison.resample import Resamples, clusters_of, quotient
from assay.statistics.comparison.systems import compare_all, item_means
from assay.statistics.draws import DRAWS
from assay.study.analysis import ComparisonSettings

if TYPE_CHECKING:
    from assay.statistics.comparison.systems import SystemComparison

Key = tuple[str, str]
"""What two systems are compared on: a group or an item, and its name."""
BOTH = "items and annotators"
"""The setting of `generalise` for claims about annotators like these, and not only about items like these."""
CALLED = {"sign_flip": "sign flip test", "mann_whitney": "Mann-Whitney test"}


@dataclass(frozen=True, slots=True)
class SystemScore:
    """What one system reaches on one dimension, or on a computed value."""

    system: str
    n_units: int
    """How many independent items or groups are behind it."""
    unit: str
    mean: Estimate
    sd: float | None
    """The standard deviation of item means."""
    median: Estimate


@dataclass(frozen=True, slots=True)
class DimensionScores:
    """What every system reaches on one dimension, or on a computed value, whether they are compared or not."""

    dimension: str
    title: str
    computed: bool
    value: str | None
    """Of a computed word: which one; scores are shares of it."""
    systems: list[SystemScore]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMean(Estimate):
    """The mean of a system's item means."""

    system: str
    n_units: int
    unit: str


@dataclass(frozen=True, slots=True)
class PairOfSystems:
    """Two systems on one dimension: first − second."""

    first: str
    second: str
    paired: bool
    """Whether both were judged on the same items or groups, and are compared one by one."""
    unit: str
    """What they are compared on: items or groups."""
    n: int
    drawn: str
    """What intervals are drawn from: items, or the groups that they share."""
    n_units: int
    means: tuple[float | None, float | None]
    difference: Estimate
    test: str
    p: float | None
    p_corrected: float | None
    effect: str
    tests: list[Estimate]
    effects: list[Estimate]
    margin: MarginTest | None = None
    """Whether a difference as large as the study's margin is ruled out; None where it declares none."""
    generalise: str | None = None
    """What the study's comparisons are about; None where it does not say, and they are about these annotators."""
    beyond: Estimate | None = None
    """The difference for annotators like these; None where the study does not say what it is about."""
    any_time: Estimate | None = None
    """The difference as it may be looked at at any time; None where the study does not ask for that."""

    @property
    def claim(self) -> Estimate:
        """The difference that the study makes a claim about."""
        if self.any_time is not None:
            return self.any_time
        return self.beyond if self.generalise == BOTH and self.beyond is not None else self.difference

    @property
    def undecided(self) -> str:
        """Why nothing can be said of a difference, though there are items enough; empty where something can."""
        called = CALLED.get(self.test, "test")
        return why_undecided(
            self.claim, self.p, self.p_corrected, tests=self.tests, called=called, n_units=self.n_units
        )

    @property
    def differ(self) -> bool:
        """Whether a difference is shown: by the test after its correction, and by the interval beside it."""
        return decision(self.p_corrected, self.undecided) is True


@dataclass(frozen=True, slots=True)
class DimensionComparison:
    """The systems compared on one dimension."""

    dimension: str
    title: str
    yes: str | None
    """What a value of 1 is called, where means are shares of it."""
    ends: tuple[float, float] | None
    """The lowest and the highest point of the scale."""
    systems: list[SystemMean]
    pairs: list[PairOfSystems]


@dataclass(frozen=True, slots=True)
class SystemFamily:
    """The tests of one family, which are corrected together."""

    correction: str
    tests: int
    dimensions: list[DimensionComparison]
    not_compared: Mapping[str, str]
    """What the study asks to compare and what cannot be, with the reason."""
    margin_tests: int = 0
    """How many tests against a margin are corrected together."""


def dimension_scores(data: Data, about: NumericDimension) -> DimensionScores:
    """Mean and median of each system's items."""
    scores = [_score(data, name, about) for name in sorted(about.by_system)]
    return DimensionScores(about.name, about.title, about.computed, about.value, scores)


def _score(data: Data, system: str, about: NumericDimension) -> SystemScore:
    means, given = about.item_means[system], about.by_system[system]
    shared = clusters_of(means, groups_by_item(data, given))
    n_units, unit = independent_units(data, given)
    return SystemScore(
        system=system,
        n_units=n_units,
        unit=unit,
        mean=_mean(data, system, about),
        sd=stdev(means.values()) if len(means) > 1 else None,
        median=median_of(list(means.values()), shared, data.seed, DRAWS),
    )


def system_family(
    data: Data, comparison: ComparisonSettings, dimensions: Sequence[NumericDimension]
) -> SystemFamily | None:
    """One comparison that the study asks for, its p-values not yet corrected; None where there is nothing to say."""
    compared = []
    for dimension in dimensions:
        names = systems_of(comparison, (each.system for each in dimension.judgments))
        if is_compared_on(comparison, dimension.name) and len(names) > 1:
            compared.append((dimension, names))
    rows = [_dimension_comparison(data, dimension, names, comparison) for dimension, names in compared]
    not_compared = _not_compared(data, comparison, {row.dimension for row in rows})
    if not rows and not not_compared:
        return None
    made = sum(pair.p is not None for row in rows for pair in row.pairs)
    return SystemFamily(comparison.correction, made, rows, not_compared)


def _not_compared(data: Data, comparison: ComparisonSettings, found: set[str]) -> dict[str, str]:
    """What the study asks to compare and what cannot be, each with the reason. Preferences have their own section."""
    known = {each.dimension for each in data.study.rubric} | {each.derived for each in data.study.derive}
    why = {}
    for name in comparison.on:
        if name in found or name in data.study.preference_dimensions:
            continue
        if name in known:
            why[name] = "fewer than two systems have numbers on it"
        else:
            why[name] = "the study has no such dimension"
    there = {each for judgment in data.that_count for each in (judgment.system, *judgment.systems)}
    return why | {name: "nothing of such a system was judged" for name in comparison.systems if name not in there}


def _dimension_comparison(
    data: Data, dimension: NumericDimension, names: Sequence[str], asked: ComparisonSettings
) -> DimensionComparison:
    about = [each for each in dimension.judgments if each.system in names]
    means = []
    for name in names:
        n_units, unit = independent_units(data, dimension.by_system[name])
        mean = _mean(data, name, dimension)
        means.append(SystemMean(**fields_of(mean), system=name, n_units=n_units, unit=unit))
    pairs = _pairs(data, about, names, asked)
    return DimensionComparison(dimension.name, dimension.title, dimension.yes, dimension.ends, means, pairs)


def _mean(data: Data, system: str, about: NumericDimension) -> Estimate:
    """The mean of a system's item means: items count alike, however many people judged each."""
    if system not in about.means:
        found = _drawn_mean(data, about.item_means[system], about.by_system[system], about.ends == (0, 1))
        about.means[system] = found if about.ends is None else within(found, *about.ends)
    return about.means[system]


def within(estimate: Estimate, lowest: float, highest: float) -> Estimate:
    """An estimate with its interval cut to the range of possible values: Student's interval of few items exceeds it.

    >>> within(Estimate("mean", 3.0, (-22.4, 28.4)), 1, 5).ci, within(Estimate("mean", 3.0, (2.5, 3.5)), 1, 5).ci
    ((1, 5), (2.5, 3.5))
    """
    if estimate.ci is None or (lowest <= estimate.ci[0] and estimate.ci[1] <= highest):
        return estimate
    return replace(estimate, ci=(max(lowest, estimate.ci[0]), min(highest, estimate.ci[1])))


def _drawn_mean(data: Data, means: Mapping[str, float], given: Sequence[Judgment], is_share: bool) -> Estimate:
    shared = clusters_of(means, groups_by_item(data, given))
    source = Resamples(np.array(list(means.values())).reshape(-1, 1), shared, data.seed, DRAWS)
    values, nothing = source.rows[:, 0], "there are no items"
    if is_share:
        return source.share("mean", values, np.ones(len(values)), nothing, most=len(given))
    return source.measure("mean", lambda w: quotient(w @ values, w.sum(axis=1)), nothing)


def _key(judgment: Judgment) -> Key:
    """What a judgment is compared on: its item, where that has two sides or stands alone; else its group."""
    alone = judgment.is_of_pair or not judgment.group
    return ("item", judgment.item) if alone else ("group", judgment.group)


def _pairs(
    data: Data, about: Sequence[Judgment], names: Sequence[str], asked: ComparisonSettings
) -> list[PairOfSystems]:
    """Each pair of systems on what both were judged on: an item with two sides, else the group that items share."""
    of_item: dict[tuple[str, Key], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    shared: dict[Key, str] = {}
    for each in about:
        # `_key`, inlined for a hundred thousand judgments.
        key = ("group", each.group) if each.group and not each.is_of_pair else ("item", each.item)
        of_item[each.system, key][each.item].append(float(each.value))  # type: ignore[arg-type]
        shared[key] = each.group or each.item
    # The mean over a group's items of one system, each of which is the mean over people.
    rows = [
        (key, system, sum(values) / len(values))
        for (system, key), items in of_item.items()
        for values in items.values()
    ]
    means = item_means(rows)
    by_group = any(kind == "group" for kind, _ in shared)
    drawn = None if by_group or data.study.items.group is None else shared
    scores = {name: means[name] for name in names if name in means}
    found = compare_all(scores, drawn, seed=data.seed, draws=DRAWS)
    unit, of = ("groups" if by_group else "items"), ("groups" if by_group or drawn else "items")
    pairs, generalise = [], data.study.analysis.generalise
    for pair in found:
        first, second = means[pair.first], means[pair.second]
        judged = first.keys() & second.keys() if pair.paired else first.keys() | second.keys()
        n_units = len({drawn[key] for key in judged}) if drawn else len(judged)
        made = _pair(pair, unit, of, n_units)
        error, degrees = pair.error, pair.degrees
        if generalise is not None:
            rows_of_people = ((_key(each), each.annotator, each.system, float(each.value)) for each in about)  # type: ignore[arg-type]
            beyond = difference_beyond_panel(rows_of_people, pair.first, pair.second, drawn, data.seed, DRAWS)
            made = replace(made, generalise=generalise, beyond=with_test(beyond.estimate, n_units, of))
            if generalise == BOTH:
                error, degrees = beyond.error, beyond.degrees
                made = replace(made, p=made.claim.p, test="items_and_annotators_drawn")
        looks = data.study.analysis.looks == "any"
        if looks and pair.difference.value is not None:
            sequence = any_time("difference", pair.difference.value, pair.error, n_units, pair.skew)
            if not pair.paired:
                sequence = replace(sequence, value=None, ci=None, p=None, undefined="they share no items")
            made = replace(made, any_time=sequence, p=sequence.p, test="looks_at_any_time")
        margin = margin_of_means(asked, pair.difference.value, error, degrees, n_units, made.claim, at_any_time=looks)
        pairs.append(replace(made, margin=margin))
    return pairs


def _pair(found: "SystemComparison", unit: str, drawn: str, n_units: int) -> PairOfSystems:
    return PairOfSystems(
        first=str(found.first),
        second=str(found.second),
        paired=found.paired,
        unit=unit,
        n=found.n_items,
        drawn=drawn,
        n_units=n_units,
        means=found.means,
        difference=found.difference,
        test="sign_flip" if found.paired else "mann_whitney",
        p=found.p if n_units >= TOO_FEW else None,
        p_corrected=None,
        effect="rank_biserial" if found.paired else "cliffs_delta",
        tests=[with_test(each, n_units, drawn) for each in found.tests],
        effects=list(found.effects),
    )
