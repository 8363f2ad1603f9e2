"""A model of ratings that separates items from annotators' severity, for fair averages of systems."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.model import Estimate
from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.climb import climb
from assay.statistics.estimate import half_width
from assay.statistics.facet_expectations import BLOCK, expected_mean, expected_means, fit_of_annotators
from assay.statistics.facet_likelihood import Likelihood, Parameters
from assay.statistics.facet_table import FacetTable

FEW_ITEMS = 20
"""Below so many items with two judgments nothing is fitted."""
MOST_CATEGORIES = 12
"""A scale of more points has too few judgments at each for steps between them."""
MOST_PARAMETERS = 3000
GROUPS = 2000
"""The most clusters; of more, those with the same remainder are merged."""
FARTHEST = 15.0
"""Estimates beyond this many logits mean that the likelihood has no maximum."""


@dataclass(frozen=True, slots=True)
class FairAverage:
    """What a system reaches on average: as it was judged, and as it would be if everybody had judged everything."""

    system: Hashable
    raw: Estimate
    """The mean of item means."""
    fair: Estimate
    n_units: int
    """How many independent items or clusters are behind both."""
    n_judgments: int


@dataclass(frozen=True, slots=True)
class FacetAnnotator:
    """How severe an annotator is, and how far their judgments are what the model expects of them."""

    annotator: Hashable
    n_judgments: int
    raw: float
    fair: float
    """What this annotator would give on average, had they judged everything."""
    severity: Estimate
    """In logits, above the mean of all annotators where higher."""
    infit: float
    """The mean square of what is unexpected, 1 where the model holds; judgments that tell more count more."""
    outfit: float
    """The same, every judgment alike: far-off single judgments count more."""


@dataclass(frozen=True, slots=True)
class RatingModel:
    """What the model found, or why it was not fitted."""

    n_items: int
    n_judgments: int
    systems: tuple[FairAverage, ...] = ()
    annotators: tuple[FacetAnnotator, ...] = ()
    steps: tuple[float, ...] = ()
    """Where each value and the next one below are equally probable, in logits."""
    spread: float | None = None
    """The standard deviation of items within a system, in logits."""
    log_likelihood: float | None = None
    iterations: int = 0
    notes: tuple[str, ...] = ()
    undefined: str | None = None


def rating_model(
    rows: Sequence[tuple[Any, Any, Any, float]],
    scale: Sequence[float],
    clusters: Mapping[Any, Hashable] | None = None,
) -> RatingModel:
    """A many-facet rating-scale model of (item, annotator, system, value) rows, by marginal maximum likelihood.

    Between neighbouring values k - 1 and k of the scale,

        log(P_k / P_(k-1)) = mu_s + sigma z_i - c_a - tau_k

    with mu_s where system s lies, sigma z_i how far item i lies from there (z drawn from a standard normal
    distribution), c_a how severe annotator a is (they sum to 0), and tau_k the step from k - 1 to k (they sum to 0).
    Items are integrated out: to estimate one number for each item together with the others, as joint maximum likelihood
    does, would exaggerate all differences, with two annotators twofold.

    The fair average of a system is the mean that the model expects if every annotator had judged all of its items.
    Intervals of it and of severities are Student's, with standard errors that hold also where the model does not
    (a sandwich), over items or over clusters of them. Infit and outfit compare each judgment with what the other
    judgments of its item and its annotator's severity lead one to expect; both are 1 on average where the model holds.

    Somebody who gave nothing but the lowest or the highest value has no finite severity, and is left out; so are
    values that nobody gave. Nothing is fitted where judgments fall into parts that no annotator connects.

    References: Linacre, J. M. (1989). Many-facet Rasch measurement. Andrich, D. (1978). A rating formulation for
    ordered response categories. Psychometrika 43. Bock, R. D. & Aitkin, M. (1981). Marginal maximum likelihood
    estimation of item parameters. Psychometrika 46. Andersen, E. B. (1973), on the bias of joint estimates; Louis,
    T. A. (1982), on the information; White, H. (1982), on the sandwich; Wright, B. D. & Masters, G. N. (1982). Rating
    scale analysis, on infit and outfit.

    Raises:
        ValueError: A value is not on the scale, or somebody judged an item twice.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> judges = {"ann": 0.0, "bo": -1.0, "cy": 1.0}  # bo gives more, cy less
        >>> rows = []
        >>> for item in range(300):
        ...     at = rng.normal(0.8 if item % 2 else 0.0)
        ...     for who in rng.choice(list(judges), 2, replace=False) if item % 2 else ["ann", "bo"]:
        ...         share = 1 / (1 + np.exp(judges[who] - at))
        ...         rows.append((item, str(who), "AB"[item % 2], 1 + rng.binomial(4, share)))
        >>> found = rating_model(rows, range(1, 6))
        >>> [(each.system, round(each.raw.value, 2), round(each.fair.value, 2)) for each in found.systems]
        [('A', 3.34, 2.96), ('B', 3.56, 3.54)]
    """
    table = FacetTable.of(rows, scale)
    n_shared = int((np.bincount(table.item) > 1).sum()) if len(table.item) else 0
    nothing = RatingModel(len(table.items), len(table.item), notes=table.notes)
    why = _why_not(table, n_shared)
    if why is not None:
        return replace(nothing, undefined=why)
    numbers, unit = table.cluster_numbers(clusters), "items" if clusters is None else "clusters"
    if not numbers.any():
        return replace(nothing, undefined="all items share one source, so nothing tells how far others would be")
    likelihood = table.likelihood()
    start, scales = _start(likelihood)
    found = climb(likelihood.value_and_slope, start, scales)
    if not found.converged:
        why = f"the likelihood was still rising after {found.iterations} steps: the judgments do not settle the model"
        return replace(nothing, iterations=found.iterations, undefined=why)
    at = Parameters.of(found.vector, likelihood.n_systems, likelihood.n_annotators)
    farthest = max(np.abs(at.severities).max(), np.abs(at.means).max(), np.abs(at.steps).max())
    covariance = _covariance(likelihood, at, numbers) if farthest < FARTHEST else np.full((1, 1), np.nan)
    if not np.isfinite(covariance).all():
        why = "some annotators, systems or values are told apart without exception: how far apart has no finite answer"
        return replace(nothing, iterations=found.iterations, undefined=why)
    return replace(
        nothing,
        systems=_fair_averages(table, likelihood, at, covariance, numbers, unit),
        annotators=_annotators(table, likelihood, at, covariance, int(numbers.max()) + 1),
        steps=tuple(at.steps.tolist()),
        spread=at.spread,
        log_likelihood=found.value,
        iterations=found.iterations,
    )


def _why_not(table: FacetTable, n_shared: int) -> str | None:
    """Why nothing can be fitted, or None."""
    if not len(table.item):
        return "there are no judgments that tell annotators apart"
    if len(table.annotators) < 2:
        return "there are fewer than two annotators"
    if n_shared < FEW_ITEMS:
        return f"{n_shared} items have two judgments or more, and fewer than {FEW_ITEMS} are too few"
    if len(table.values) < 2:
        return "every judgment is the same value"
    if len(table.values) > MOST_CATEGORIES:
        return f"a scale of {len(table.values)} values has too many steps: at most {MOST_CATEGORIES}"
    if len(table.annotators) + len(table.systems) > MOST_PARAMETERS:
        return f"more than {MOST_PARAMETERS} annotators and systems"
    parts = table.parts()
    if len(parts) > 1:
        sizes = ", ".join(map(str, sorted(map(len, parts), reverse=True)[:5])) + (", ..." if len(parts) > 5 else "")
        return (
            f"the annotators fall into {len(parts)} parts ({sizes}) that share no items: whether one part is more "
            "severe, or judged worse items, cannot be told"
        )
    same_item = np.flatnonzero(np.diff(table.item) == 0)
    if (table.category[same_item] == table.category[same_item + 1]).all():
        return "annotators gave each item that they share the same value, so nothing tells how far judgments err"
    return None


def _start(likelihood: Likelihood) -> tuple[Floats, Floats]:
    """Where to start from, and about how far each parameter moves for the same change of the likelihood."""
    counts = [
        np.bincount(likelihood.system_of_item[likelihood.item], minlength=likelihood.n_systems),
        np.bincount(likelihood.annotator, minlength=likelihood.n_annotators),
        np.bincount(likelihood.category, minlength=likelihood.n_categories),
    ]
    shares = np.maximum(counts[2], 1) / counts[2].sum()
    steps = np.log(shares[:-1] / shares[1:])
    centre = -steps.mean()
    vector = np.concatenate([np.full(len(counts[0]), centre), np.zeros(len(counts[1])), steps - steps.mean(), [0.0]])
    about = np.concatenate([counts[0], counts[1], np.minimum(counts[2][:-1], counts[2][1:]), [len(likelihood.item)]])
    return vector, 1 / np.sqrt(np.maximum(about.astype(float), 1.0))


def _covariance(likelihood: Likelihood, at: Parameters, clusters: Ints) -> Floats:
    """The covariance of all parameters, whether or not the model holds."""
    n_units = int(clusters.max()) + 1
    information = np.zeros((likelihood.size, likelihood.size))
    by_group = np.zeros((min(n_units, GROUPS), likelihood.size))
    for items, block in likelihood.blocks(BLOCK):
        scores, of_block = block.scores_and_information(at)
        information += of_block
        np.add.at(by_group, clusters[items] % GROUPS, scores)
    # Severities and steps sum to 0: the last of each is minus all others.
    free = np.zeros((likelihood.size, likelihood.size - 2))
    column = 0
    for first, count, centred in (
        (0, likelihood.n_systems, False),
        (likelihood.n_systems, likelihood.n_annotators, True),
        (likelihood.n_systems + likelihood.n_annotators, likelihood.n_categories - 1, True),
        (likelihood.size - 1, 1, False),
    ):
        n_free = count - centred
        free[first : first + n_free, column : column + n_free] = np.eye(n_free)
        if centred:
            free[first + n_free, column : column + n_free] = -1.0
        column += n_free
    inside = free.T @ information @ free
    bread = free @ np.linalg.pinv((inside + inside.T) / 2, hermitian=True) @ free.T
    groups = len(by_group)
    meat = by_group.T @ by_group * (groups / (groups - 1))
    found: Floats = bread @ meat @ bread
    return found


def _fair_averages(
    table: FacetTable, likelihood: Likelihood, at: Parameters, covariance: Floats, clusters: Ints, unit: str
) -> tuple[FairAverage, ...]:
    means = np.bincount(likelihood.item, table.values[likelihood.category]) / np.bincount(likelihood.item)
    ends = float(table.values[0]), float(table.values[-1])
    everybody, found = np.arange(likelihood.n_annotators), []
    for number, system in enumerate(table.systems):
        items = np.flatnonzero(likelihood.system_of_item == number)
        value, slope = expected_mean(table.values, likelihood, at, everybody, np.array([number]))
        error = math.sqrt(max(0.0, float(slope @ covariance @ slope)))
        n_units, n = len(np.unique(clusters[items])), len(items)
        robust = f"Student's interval over {unit}, robust (sandwich) standard error"
        fair = _estimate("fair_average", value, error, n_units, n, robust, ends)
        raw = _mean(means[items], clusters[items], unit, ends)
        n_judgments = int(np.isin(likelihood.item, items).sum())
        found.append(FairAverage(system, raw, fair, n_units, n_judgments))
    return tuple(found)


def _mean(means: Floats, clusters: Ints, unit: str, ends: tuple[float, float]) -> Estimate:
    """The mean of item means with Student's interval over items, or over clusters of them."""
    value = float(means.mean())
    apart = np.bincount(np.unique(clusters, return_inverse=True)[1].reshape(-1), means - value)
    n_units = len(apart)
    error = float(np.sqrt((apart**2).sum() * n_units / max(1, n_units - 1))) / len(means)
    return _estimate("raw_average", value, error, n_units, len(means), f"Student's interval over {unit}", ends)


def _estimate(
    name: str, value: float, error: float, n_units: int, n: int, method: str, ends: tuple[float, float] | None = None
) -> Estimate:
    """A value with Student's interval, cut to the ends of a scale."""
    # A rounding error is no standard error.
    if n_units < 2 or error <= 1e-9 * (1.0 if ends is None else ends[1] - ends[0]):
        return Estimate(name, value, n=n, method="no interval: nothing varies, or fewer than two items")
    half = half_width(n_units - 1) * error
    low, high = value - half, value + half
    return Estimate(name, value, (low, high) if ends is None else (max(ends[0], low), min(ends[1], high)), n, method)


def _annotators(
    table: FacetTable, likelihood: Likelihood, at: Parameters, covariance: Floats, n_units: int
) -> tuple[FacetAnnotator, ...]:
    method = "Student's interval over items, robust (sandwich) standard error"
    infit, outfit = fit_of_annotators(likelihood, at)
    found = []
    values = table.values[likelihood.category]
    counts = np.bincount(likelihood.annotator, minlength=likelihood.n_annotators)
    raw = np.bincount(likelihood.annotator, values, likelihood.n_annotators) / counts
    # Systems are weighted by their items.
    shares = np.bincount(likelihood.system_of_item, minlength=likelihood.n_systems) / likelihood.n_items
    fair = expected_means(table.values, likelihood, at) @ shares
    for number, name in enumerate(table.annotators):
        place = likelihood.n_systems + number
        error = math.sqrt(max(0.0, float(covariance[place, place])))
        n = int(counts[number])
        severity = _estimate("severity", float(at.severities[number]), error, n_units, n, method)
        fits = float(infit[number]), float(outfit[number])
        found.append(FacetAnnotator(name, n, float(raw[number]), float(fair[number]), severity, *fits))
    return tuple(found)
