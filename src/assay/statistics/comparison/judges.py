"""An automated judge against people, beside what people reach among themselves on the same items.

A judge is no annotator among others: its values never enter the agreement of people.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from assay.model import Estimate
from assay.statistics.arrays import Bools, Floats, Ints, np
from assay.statistics.comparison import weighted_formulas
from assay.statistics.comparison.resample import Resamples, clusters_of, quotient
from assay.statistics.comparison.unit_draws import Formula
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.finite import LARGEST, numbers
from assay.statistics.scale import Scale

PAIRS_AT_ONCE = 2000
"""Kendall's tau of more distinct items than this has no interval: each draw would compare all with all."""
PAIRS_OF_PEOPLE = 100
"""A mean over more pairs of people than this has no interval: each draw would go through all of them."""
Between = Callable[[Floats, Floats], Formula]
NOMINAL: dict[str, Between] = {
    "exact_agreement": weighted_formulas.exact_agreement,
    "cohen_kappa": weighted_formulas.cohen_kappa,
}
ORDERED: dict[str, Between] = {
    "quadratic_kappa": weighted_formulas.quadratic_kappa,
    "spearman": weighted_formulas.spearman,
    "kendall_tau_b": weighted_formulas.kendall_tau_b,
    "pearson": weighted_formulas.pearson,
    "exact_agreement": weighted_formulas.exact_agreement,
    "within_one_agreement": weighted_formulas.within_one_agreement,
    "bias": weighted_formulas.bias,
    "absolute_bias": weighted_formulas.absolute_bias,
}
SHARES = {"exact_agreement": 0, "within_one_agreement": 1}
"""The statistics that are shares of alike values, with how far apart these may lie."""
ComparedValues = tuple[Ints, Floats, Floats]
"""Some items, and two values of each."""
ANY_UNIT = {"spearman", "kendall_tau_b", "pearson"}
LOWEST = {"exact_agreement": 0, "within_one_agreement": 0, "bias": None, "absolute_bias": None}


@dataclass(frozen=True, slots=True)
class JudgeStatistic:
    """One statistic of judge and people, and of people among themselves. All intervals are from the same draws."""

    name: str
    with_mean: Estimate
    """The judge against the mean of all people of an item."""
    with_rest: Estimate
    """The judge in the place of each person in turn, against the mean of the others: to be set beside the next."""
    people_with_rest: Estimate
    """Each person against the mean of the others (leave one out), on the same items: what people reach."""
    gap: Estimate
    """`with_rest` minus `people_with_rest`, with a p-value; its interval allows for skewness."""
    with_each: Estimate
    """The judge against each person by themselves: to be set beside the next."""
    people_with_each: Estimate
    """Each pair of people."""


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """An automated judge and people."""

    n_items: int
    """How many items both judged."""
    n_shared: int
    """How many of them two people or more judged: what the values of people rest on."""
    n_people: int
    statistics: tuple[JudgeStatistic, ...]
    categories: tuple[Hashable, ...]
    confusion: tuple[tuple[int, ...], ...]
    """[judge][person]: how often the judge gave one and a person the other. Empty where the judge is off the scale."""
    reliability: Estimate
    """Of the mean of an item's people, from a one-way analysis of variance."""
    disattenuated: Estimate
    """Pearson's correlation of judge and mean, over the root of that reliability. It can exceed 1."""


def judge_against_people(
    judge: Mapping[Any, Any],
    people: Iterable[tuple[Any, Any, Any]],
    scale: Scale,
    clusters: Mapping[Any, Hashable] | None = None,
    on_scale: bool | None = None,
    seed: int = SEED,
    draws: int = DRAWS,
    only: Collection[str] | None = None,
) -> JudgeReport:
    """Every statistic of a judge and people beside the same statistic of people, on the same items.

    A judge that agrees with the mean of three people better than with one of them has not done better: the mean is
    steadier. So each person is left out in turn, and judge and person are both compared with the mean of the others;
    values of several persons are averaged, weighted by their items. Distances are those of the declared scale, or of
    positions on it where its values are words. The reliability of the mean is 1 - MSW / MSB, that of ICC(1,k).

    Args:
        judge: The judge's value of each item.
        people: (item, annotator, value) of people.
        scale: The declared scale of the people's values.
        clusters: Which items share a source.
        on_scale: Whether the judge's values are of the same unit, so they may be subtracted; found out if left out:
            they are if each is a value of the scale. If not, only correlations are defined.
        seed: What the draws start from.
        draws: How many draws the bootstrap makes.
        only: The statistics to compute; all that fit the scale if left out.

    References: Elangovan, A. et al. (2024). Beyond correlation: the impact of human uncertainty in measuring the
    effectiveness of automatic evaluation. arXiv 2410.03775. Spearman, C. (1904) for the correction for attenuation.

    Example:
        >>> people = [(i, who, 1 + (i + (who == "bo" and i % 3 == 0)) % 5) for i in range(60) for who in ("ann", "bo")]
        >>> found = judge_against_people({i: 1 + i % 5 for i in range(60)}, people, Scale((1, 2, 3, 4, 5), "ordinal"))
        >>> exact = next(each for each in found.statistics if each.name == "exact_agreement")
        >>> round(exact.with_each.value, 3), round(exact.people_with_each.value, 3)
        (0.833, 0.667)
    """
    table, names, items = _table(judge, people, scale)
    if on_scale is None:
        on_scale = all(judge[item] in scale.categories for item in items)
    groups = clusters_of(items, clusters)
    source = Resamples(table, groups, seed, draws)
    sides = _Sides(source.rows)
    between = NOMINAL if scale.level == "nominal" else ORDERED
    chosen = {name: each for name, each in between.items() if only is None or name in only}
    found = tuple(_statistic(name, each, source, sides, scale, on_scale) for name, each in chosen.items())
    reliability, disattenuated = _attenuation(source, sides, scale)
    return JudgeReport(
        n_items=len(items),
        n_shared=int((np.isfinite(table[:, 1:]).sum(axis=1) >= 2).sum()),
        n_people=len(names),
        statistics=found,
        categories=scale.categories,
        confusion=_confusion(table, scale) if all(judge[item] in scale.categories for item in items) else (),
        reliability=reliability,
        disattenuated=disattenuated,
    )


class _Sides:
    """The distinct rows of items taken apart: the judge, each person, and what the others say."""

    def __init__(self, rows: Floats) -> None:
        self.judge = rows[:, 0]
        self.given: Bools = np.isfinite(rows[:, 1:])
        self.values: Floats = np.where(self.given, rows[:, 1:], 0.0)
        self.k: Ints = self.given.sum(axis=1)
        self.mean: Floats = self.values.sum(axis=1) / np.maximum(self.k, 1)

    @property
    def people(self) -> range:
        return range(self.values.shape[1])

    def rest(self, person: int) -> tuple[Ints, Floats]:
        """The items that this person and another judged, and the mean of the others there."""
        where = np.flatnonzero(self.given[:, person] & (self.k > 1))
        others = self.values[where].sum(axis=1) - self.values[where, person]
        return where, others / (self.k[where] - 1)

    def values_by_role(self) -> "dict[str, list[ComparedValues]]":
        """The values to compare, by the role that the comparison has in the report."""
        rests = [(person, *self.rest(person)) for person in self.people]
        each = [(np.flatnonzero(self.given[:, person]), person) for person in self.people]
        both = [
            (np.flatnonzero(self.given[:, one] & self.given[:, other]), one, other)
            for one, other in combinations(self.people, 2)
        ]
        return {
            "with_mean": [(np.arange(len(self.judge)), self.judge, self.mean)],
            "with_rest": [(where, self.judge[where], rest) for _, where, rest in rests],
            "people_with_rest": [(where, self.values[where, person], rest) for person, where, rest in rests],
            "with_each": [(where, self.judge[where], self.values[where, person]) for where, person in each],
            "people_with_each": [
                (where, self.values[where, one], self.values[where, other]) for where, one, other in both if len(where)
            ],
        }


def _statistic(
    name: str, between: Between, source: Resamples, sides: _Sides, scale: Scale, on_scale: bool
) -> JudgeStatistic:
    compared = sides.values_by_role()
    by_rest, people_by_rest, by_each, pairs = (
        [(where, between(one, other)) for where, one, other in compared[role]]
        for role in ("with_rest", "people_with_rest", "with_each", "people_with_each")
    )
    formulas: dict[str, Formula] = {
        "with_mean": between(sides.judge, sides.mean),
        "with_rest": _mean_over(by_rest),
        "people_with_rest": _mean_over(people_by_rest),
        "gap": lambda weights: _mean_over(by_rest)(weights) - _mean_over(people_by_rest)(weights),
        "with_each": _mean_over(by_each),
        "people_with_each": _mean_over(pairs),
    }
    measures = {}
    for role, formula in formulas.items():
        why = _why_not(name, role, scale, on_scale, source)
        lowest = LOWEST.get(name, -1)
        if why:
            measures[role] = Estimate(name, None, n=source.n_items, undefined=why)
        elif _too_many(name, role, len(source.rows), len(pairs)):
            method = f"no interval: {_too_many(name, role, len(source.rows), len(pairs))}"
            value = source.value(formula)
            undefined = _flat(role, source) if value is None else None
            measures[role] = Estimate(name, value, n=source.n_items, method=method, undefined=undefined)
        elif role in compared and name in SHARES:
            measures[role] = _share(name, compared[role], source, _flat(role, source))
        elif role == "gap":
            measures[role] = source.difference(name, formula, _flat(role, source))
        else:
            measures[role] = source.measure(name, formula, _flat(role, source), lowest)
    return JudgeStatistic(name, **measures)


def _share(name: str, compared: Sequence[ComparedValues], source: Resamples, why: str) -> Estimate:
    """How often two values are alike, as a share: its interval has a width even where all are alike."""
    held, of = np.zeros(len(source.rows)), np.zeros(len(source.rows))
    for where, one, other in compared:
        held[where] += np.abs(one - other) < SHARES[name] + 1e-9
        of[where] += 1
    # Several people of one item are not so many independent cases.
    return source.share(name, held, of, why, most=source.n_items)


def _too_many(name: str, role: str, n_rows: int, n_pairs: int) -> str | None:
    """Why a statistic is too slow for a bootstrap: what there is too much of, in words; None where it is not."""
    if name == "kendall_tau_b" and n_rows > PAIRS_AT_ONCE:
        return f"more than {PAIRS_AT_ONCE} distinct items"
    return f"{n_pairs} pairs of people" if role == "people_with_each" and n_pairs > PAIRS_OF_PEOPLE else None


def _mean_over(parts: Sequence[tuple[Ints, Formula]]) -> Formula:
    """The mean of several values, each on some items only, weighted by how many they are; undefined ones left out."""

    def formula(weights: Floats) -> Floats:
        total, weight = np.zeros(len(weights)), np.zeros(len(weights))
        for where, each in parts:
            values, n = each(weights[:, where]), weights[:, where].sum(axis=1)
            defined = ~np.isnan(values)
            total += np.where(defined, values, 0.0) * n
            weight += defined * n
        return quotient(total, weight)

    return formula


def _why_not(name: str, role: str, scale: Scale, on_scale: bool, source: Resamples) -> str | None:
    """Why a statistic means nothing in this role, whatever the values."""
    if not source.n_items:
        return "no item was judged both by the judge and by people"
    judged = not role.startswith("people")
    if judged and not on_scale and name not in ANY_UNIT:
        return "the judge's values are not values of the scale"
    if scale.level == "nominal" and role not in ("with_each", "people_with_each"):
        return "values of a nominal scale have no mean"
    if name == "exact_agreement" and role not in ("with_each", "people_with_each"):
        return "a mean is seldom a value of the scale: see each person by themselves"
    if name == "bias" and role in ("people_with_rest", "people_with_each", "gap"):
        return "the signed biases of people against each other cancel: see absolute_bias"
    return None


def _flat(role: str, source: Resamples) -> str:
    if role != "with_mean" and not (np.isfinite(source.rows[:, 1:]).sum(axis=1) >= 2).any() and role != "with_each":
        return "no item was judged by two people"
    return "the values of one side do not vary"


def _attenuation(source: Resamples, sides: _Sides, scale: Scale) -> tuple[Estimate, Estimate]:
    """The reliability of the mean of an item's people, and the correlation that unreliability hides."""
    if scale.level == "nominal":
        why = "values of a nominal scale have no mean"
        return Estimate("reliability", None, undefined=why), Estimate("disattenuated", None, undefined=why)
    several = sides.k >= 2
    k = sides.k * several
    within = np.where(several, (np.where(sides.given, sides.values - sides.mean[:, None], 0) ** 2).sum(axis=1), 0.0)
    centred = sides.mean - (sides.mean.mean() if len(sides.mean) else 0.0)

    def reliability(weights: Floats) -> Floats:
        n, ratings = weights @ several, weights @ k
        between = weights @ (k * centred**2) - quotient((weights @ (k * centred)) ** 2, ratings)
        between_mean, within_mean = quotient(between, n - 1), quotient(weights @ within, ratings - n)
        return 1 - quotient(within_mean, between_mean)

    def disattenuate(weights: Floats) -> Floats:
        r, found = weighted_formulas.pearson(sides.judge, sides.mean)(weights), reliability(weights)
        return quotient(r, np.sqrt(np.where(found > 0, found, 0.0)))

    nothing = "no item was judged by two people, or their means do not vary"
    none = "the reliability of the people's mean is not above 0, or a side does not vary"
    return (
        source.measure("reliability", reliability, nothing, note="one-way, of the mean of an item's people"),
        source.measure(
            "disattenuated", disattenuate, none, note="Pearson's r over the root of the people's reliability"
        ),
    )


def _table(
    judge: Mapping[Any, Any], people: Iterable[tuple[Any, Any, Any]], scale: Scale
) -> tuple[Floats, list[Any], list[Any]]:
    """A row for each item that both judged: the judge's position, then that of each person, infinity for none."""
    rows = [row for row in people if row[0] in judge]
    items = {item: at for at, item in enumerate(dict.fromkeys(row[0] for row in rows))}
    names = {name: at for at, name in enumerate(dict.fromkeys(row[1] for row in rows))}
    positions = dict(zip(scale.categories, numbers(scale.positions).tolist(), strict=True))
    table = np.full((len(items), 1 + len(names)), np.inf)
    for item, name, value in rows:
        if value not in positions:
            raise ValueError(f"{value!r}, given to item {item!r} by annotator {name!r}, is not on the scale {scale}")
        if table[items[item], 1 + names[name]] < np.inf:
            raise ValueError(f"annotator {name!r} judged item {item!r} twice: keep one, or compare the two as passes")
        table[items[item], 1 + names[name]] = positions[value]
    for item, at in items.items():
        table[at, 0] = _position(judge[item], item, positions)
    return table, list(names), list(items)


def _position(value: Any, item: Any, positions: Mapping[Any, float]) -> float:
    if value in positions:
        return positions[value]
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST:
        return float(value)
    raise ValueError(
        f"{value!r}, given to item {item!r} by the judge, is neither on the scale nor a number to compute with"
    )


def _confusion(table: Floats, scale: Scale) -> tuple[tuple[int, ...], ...]:
    positions = scale.positions
    judged = table[:, :1] == positions
    given = (table[:, 1:, None] == positions).sum(axis=1)
    counts = judged.astype(int).T @ given
    return tuple(tuple(row) for row in counts.tolist())
