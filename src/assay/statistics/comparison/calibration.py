"""Calibration: whether a judge's values are what people give, on average, and a curve that corrects them."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import fmean

from assay.model import Estimate
from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.draws import SEED
from assay.statistics.estimate import mean_of
from assay.statistics.finite import numbers


@dataclass(frozen=True, slots=True)
class Bin:
    """Items whose predicted values lie close together. The last bin holds its upper end, others do not."""

    low: float
    high: float
    n: int
    predicted: float | None
    """The mean of the predicted values; None in an empty bin, as is the next."""
    observed: float | None
    ci: tuple[float, float] | None
    """Student's 95 % interval of the observed mean; None below two items."""


def calibration_curve(
    predicted: Sequence[float], observed: Sequence[float], bins: int = 10, ends: tuple[float, float] = (0.0, 1.0)
) -> list[Bin]:
    """What people gave, on average, for the judge's values in each bin: equally wide bins from one end to the other.

    Bin i of m holds values from low + i w up to, but not including, low + (i + 1) w; the last one holds its upper end.

    Reference: DeGroot, M. H. & Fienberg, S. E. (1983). The comparison and evaluation of forecasters. The Statistician
    32.

    Raises:
        ValueError: A predicted value lies outside the ends.

    Example:
        >>> curve = calibration_curve([0.1, 0.2, 0.9, 1.0], [0, 1, 1, 1], bins=2)
        >>> [(each.n, each.observed) for each in curve]
        [(2, 0.5), (2, 1.0)]
    """
    bins_of = _bins_of(predicted, bins, ends)
    low, width = ends[0], (ends[1] - ends[0]) / bins
    curve = []
    for at in range(bins):
        inside = [index for index, of_bin in enumerate(bins_of.tolist()) if of_bin == at]
        there, seen = [predicted[index] for index in inside], [observed[index] for index in inside]
        mean = mean_of(seen)
        curve.append(
            Bin(
                low + at * width,
                ends[1] if at == bins - 1 else low + (at + 1) * width,
                len(inside),
                fmean(there) if there else None,
                fmean(seen) if seen else None,
                (mean.low, mean.high) if mean else None,
            )
        )
    return curve


def expected_calibration_error(
    predicted: Sequence[float], observed: Sequence[float], bins: int = 10, ends: tuple[float, float] = (0.0, 1.0)
) -> Estimate:
    """The mean distance between predicted and observed, bin by bin: sum of n_b / n |observed_b - predicted_b|.

    Bins as in `calibration_curve`, so that a value of 1 is in the last one. It falls with fewer bins: say how many.

    Reference: Naeini, M. P., Cooper, G. F. & Hauskrecht, M. (2015). Obtaining well calibrated probabilities using
    Bayesian binning. AAAI.

    Example:
        >>> expected_calibration_error([1.0, 1.0, 1.0, 1.0], [1, 1, 1, 0]).value
        0.25
    """
    if not len(predicted):
        return Estimate("expected_calibration_error", None, undefined="there are no items")
    bins_of = _bins_of(predicted, bins, ends)
    apart = np.bincount(bins_of, numbers(observed) - numbers(predicted), bins)
    value = float(np.abs(apart).sum()) / len(predicted)
    return Estimate("expected_calibration_error", value, n=len(predicted), method=f"{bins} bins of equal width")


def _bins_of(predicted: Sequence[float], bins: int, ends: tuple[float, float]) -> Ints:
    values = numbers(predicted)
    if len(values) and not (values.min() >= ends[0] and values.max() <= ends[1]):
        raise ValueError(f"predicted values must lie between {ends[0]:g} and {ends[1]:g}")
    # Inner edges as fractions: 3/10 is the 0.3 that somebody wrote, and 3 * 0.1 is not.
    edges = ends[0] + (ends[1] - ends[0]) * np.arange(1, bins) / bins
    bins_of: Ints = np.digitize(values, edges)
    return bins_of


@dataclass(frozen=True)
class Isotonic:
    """A curve that never falls: `values[i]` at `at[i]`, straight in between, level beyond its ends."""

    at: Floats
    values: Floats

    def predict(self, x: Sequence[float] | Floats) -> Floats:
        """The curve at given values of x."""
        found: Floats = np.interp(numbers(x), self.at, self.values)
        return found


def isotonic(x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> Isotonic:
    """The curve that never falls and lies nearest to the points, by least squares: pool adjacent violators.

    Points of one x are first put together at their mean. Then, from left to right, neighbours that fall are replaced by
    their common mean, weighted by their points, until none does.

    Reference: Barlow, R. E. et al. (1972). Statistical inference under order restrictions. Zadrozny, B. & Elkan, C.
    (2002). Transforming classifier scores into accurate multiclass probability estimates. KDD.

    Raises:
        ValueError: There are no points.

    Example:
        >>> isotonic([1, 2, 3, 4], [1, 3, 2, 4]).values.tolist()
        [1.0, 2.5, 2.5, 4.0]
    """
    at, inverse, counts = np.unique(numbers(x), return_inverse=True, return_counts=True)
    if not len(at):
        raise ValueError("a curve needs points to lie near to")
    means = np.bincount(inverse, numbers(y)) / counts
    pooled: list[tuple[float, int, int]] = []  # mean, points, values of x
    for mean, count in zip(means.tolist(), counts.tolist(), strict=True):
        block = (mean, count, 1)
        while pooled and pooled[-1][0] >= block[0]:
            before = pooled.pop()
            points = before[1] + block[1]
            block = ((before[0] * before[1] + block[0] * block[1]) / points, points, before[2] + block[2])
        pooled.append(block)
    return Isotonic(at, np.repeat([block[0] for block in pooled], [block[2] for block in pooled]))


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A judge's values put onto the people's scale, each by a curve that did not see its item."""

    values: tuple[float, ...]
    bias_before: float
    bias_after: float
    rmse_before: float
    """The root of the mean squared difference of judge and people."""
    rmse_after: float
    method: str


def calibrate_out_of_fold(
    judge: Sequence[float],
    people: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    folds: int = 5,
    seed: int = SEED,
) -> Calibrated | None:
    """Isotonic calibration of a judge to the people's mean: for each fold of items, a curve from the other folds.

    A curve that has seen an item fits it too well, so what it gives there says nothing of new items. Items that share a
    source fall into one fold. None with fewer items (or clusters) than folds.

    Reference: Stone, M. (1974). Cross-validatory choice and assessment of statistical predictions. Journal of the Royal
    Statistical Society B 36.

    Example:
        >>> found = calibrate_out_of_fold([5, 4, 3, 2, 1] * 8, [4, 3, 2, 1, 1] * 8)
        >>> round(found.rmse_before, 3), round(found.rmse_after, 3), found.method
        (0.894, 0.0, 'isotonic, 5 folds of items, seed 0')
    """
    units = list(dict.fromkeys(clusters)) if clusters is not None else list(range(len(judge)))
    if len(units) < folds:
        return None
    order = np.random.default_rng(seed).permutation(len(units)).tolist()
    fold_of = {units[unit]: index % folds for index, unit in enumerate(order)}
    fold = np.array([fold_of[unit] for unit in (clusters if clusters is not None else units)])
    x, y = numbers(judge), numbers(people)
    values = np.empty(len(x))
    for each in range(folds):
        inside = fold == each
        values[inside] = isotonic(x[~inside], y[~inside]).predict(x[inside])
    drawn = "items" if clusters is None else "clusters"
    return Calibrated(
        tuple(values.tolist()),
        float((x - y).mean()),
        float((values - y).mean()),
        math.sqrt(float(((x - y) ** 2).mean())),
        math.sqrt(float(((values - y) ** 2).mean())),
        method=f"isotonic, {folds} folds of {drawn}, seed {seed}",
    )
