"""Estimates from people on some items and judges on all of them: right whatever the judge does (PPI++)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assay.model import Estimate
from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.draws import SEED
from assay.statistics.estimate import half_width
from assay.statistics.powered_sample import FOLDS, PoweredSample, contributions_of, fitted_weights, folds_of
from assay.statistics.wilson import wilson

ENOUGH_FOR_WEIGHT = 10
"""So many items (or clusters) of people for each weight that is fitted, or judges are taken as one."""


@dataclass(frozen=True, slots=True)
class PoweredEstimate:
    """One number three times: by people alone, by judges alone, and by both."""

    people: Estimate
    judge: Estimate
    """What the judges' values alone give: nothing in them tells how far they are off."""
    both: Estimate
    weights: tuple[float, ...]
    """How much each judge counts (lambda), the mean over folds: 0 not at all, 1 as it is, below 0 reversed. Of a
    difference, the weights on the first system and then those on the second, unless one serves for both."""
    n_people: int
    """How many items people judged, of `n`."""
    n: int
    times: float | None
    """As if people had judged so many times as many items: the variance by people alone over that by both."""
    errors: tuple[float, float] = (0.0, 0.0)
    """The standard errors, by people alone and by both."""

    @property
    def variance(self) -> tuple[float, float]:
        """The variance of one item: s as people judged it, and r, what the judges leave of it.

        By people alone the estimate has s / n, and by both r / n + (s - r) / N.
        """
        alone, both = (error**2 for error in self.errors)
        whole = alone * self.n_people
        left = (both - whole / self.n) / (1 / self.n_people - 1 / self.n)
        return whole, max(left, 0.0)


def mean_with_judge(
    sample: PoweredSample,
    ends: tuple[float, float] | None = None,
    seed: int = SEED,
    weights: Sequence[float] | None = None,
) -> PoweredEstimate:
    """The mean over items by people on some of them and judges on all, with its interval.

    With y what people gave and f_j what judge j gave, the mean over all items or over those that people judged,

        estimate = mean_people(y) + sum_j lambda_j (mean_all(f_j) - mean_people(f_j))

    The second term is 0 in expectation however wrong a judge is, as long as people's items were drawn by lot; it
    removes the part of the sampling error that the judge can predict. lambda is the one with the least variance
    (Angelopoulos, Duchi & Zrnic: theirs counts items without people only, and is lambda (1 - n / N)). It is fitted
    across folds, so that no item takes part in the choice of its own weight, and may be negative. Items drawn with
    different probabilities (`strata`) are averaged in each stratum, which counts by the number of all its items: that
    is the estimate with inverse probabilities. Variances are sums over clusters, and the interval is Student's; with
    `ends` (0, 1) for a share, or (-1, 1) for a net win rate, it is Wilson's for as many cases as the variance is worth.

    Args:
        sample: What people and judges gave.
        ends: The ends of the scale, where a mean may come near to them.
        seed: What the folds are drawn from.
        weights: Weights that were known beforehand, in place of fitted ones.

    References: Angelopoulos, A. N., Duchi, J. C. & Zrnic, T. (2023). PPI++: efficient prediction-powered inference.
    arXiv 2311.01453. Zrnic, T. & Candes, E. J. (2024). Cross-prediction-powered inference. PNAS 121 (folds). Fisch, A.
    et al. (2024). Stratified prediction-powered inference for hybrid language model evaluation. NeurIPS.

    Example:
        >>> people = {item: 3.0 + item % 3 for item in range(30)}
        >>> judge = {item: 3.5 + item % 3 for item in range(90)}
        >>> found = mean_with_judge(PoweredSample.of(people, [judge]))
        >>> found.people.value, found.judge.value, round(found.both.value, 2), round(found.weights[0], 2)
        (4.0, 4.5, 4.0, 1.0)
    """
    return _estimate_sum("mean", [(1, sample)], ends, seed, weights)


def difference_with_judge(
    first: PoweredSample, second: PoweredSample, seed: int = SEED, weights: Sequence[float] | None = None
) -> PoweredEstimate:
    """The mean of the first system minus that of the second, each as in `mean_with_judge`.

    The weights are those with the least variance of the difference, which are not those of the two means: a judge may
    know how hard a prompt is and nothing of which answer is better. Items of both systems in one cluster, such as the
    answers to one prompt, are one unit, so that what they have in common cancels out.

    Args:
        first: What people and judges gave of the first system.
        second: The same of the second.
        seed: What the folds are drawn from.
        weights: Weights that were known beforehand, in the place of fitted ones: of each judge for the first system,
            then of each for the second.

    References: as in `mean_with_judge`.

    Example:
        >>> people = [{item: value + item % 3 for item in range(30)} for value in (3.0, 2.0)]
        >>> judge = [{item: value + item % 3 for item in range(90)} for value in (3.5, 3.0)]
        >>> same = {item: item for item in range(90)}
        >>> pair = [PoweredSample.of(people[at], [judge[at]], same) for at in (0, 1)]
        >>> found = difference_with_judge(*pair)
        >>> found.people.value, found.judge.value, round(found.both.value, 2)
        (1.0, 0.5, 1.0)
    """
    return _estimate_sum("difference", [(1, first), (-1, second)], None, seed, weights)


class SignedSum(NamedTuple):
    """A mean, or the difference of two, as sums over clusters; weights are put on its columns."""

    people: float
    of_people: Floats
    of_judges: Floats
    shifts: Floats
    judges: float
    of_judges_alone: Floats
    cells: Ints
    """(G,): of which stratum a cluster is that people judged something of, by number; -1 for the others."""


def _signed_sum(parts: Sequence[tuple[int, PoweredSample]], weighted: bool) -> SignedSum:
    names, codes = np.unique(np.concatenate([each.clusters for _, each in parts]), return_inverse=True)
    told = np.concatenate([each.is_judged for _, each in parts])
    judged = np.bincount(codes, weights=told, minlength=len(names)) > 0
    enough = judged.sum() // (len(parts) * ENOUGH_FOR_WEIGHT)
    if not weighted and enough < parts[0][1].judges.shape[1]:
        parts = [(sign, each.with_one_judge()) for sign, each in parts]
    at = np.split(codes, np.cumsum([len(each.people) for _, each in parts])[:-1])
    found = [(sign, contributions_of(each, at[i], len(names))) for i, (sign, each) in enumerate(parts)]
    of_judges = [sign * each.of_judges for sign, each in found]
    shifts = [sign * each.shifts for sign, each in found]
    return SignedSum(
        people=sum(sign * each.value for sign, each in found),
        of_people=np.sum([sign * each.of_people for sign, each in found], axis=0),
        # With few items both systems share one weight.
        of_judges=np.column_stack(of_judges) if enough else np.sum(of_judges, axis=0),
        shifts=np.column_stack(shifts) if enough else np.sum(shifts, axis=0),
        judges=sum(sign * each.judges_alone[0] for sign, each in found),
        of_judges_alone=np.sum([sign * each.judges_alone[1] for sign, each in found], axis=0),
        cells=_cells(parts, at, len(names)),
    )


def _cells(parts: Sequence[tuple[int, PoweredSample]], at: Sequence[Ints], size: int) -> Ints:
    """The stratum of each cluster; items of one cluster in several strata count to the first of these."""
    found, offset = np.full(size, -1), 0
    for (_, sample), clusters in zip(parts, at, strict=True):
        names, codes = np.unique(sample.cells, return_inverse=True)
        new = sample.is_judged & (found[clusters] < 0)
        found[clusters[new]] = offset + codes[new]
        offset += len(names)
    return found


class Error(NamedTuple):
    """A variance, and the degrees of freedom that it is known with."""

    variance: float
    degrees: float

    @classmethod
    def of(cls, left: Floats, cells: Ints) -> "Error":
        """The error from what each cluster adds, stratum by stratum, with Satterthwaite's degrees of freedom.

        Of the clusters that nobody judged only the judges' values enter, and there are many of them.
        """
        counts = np.bincount(cells[cells >= 0])
        squares = np.bincount(cells[cells >= 0], weights=left[cells >= 0] ** 2)
        squares, counts = squares[counts > 1], counts[counts > 1]
        of_cells = squares * counts / (counts - 1)
        variance = float(of_cells.sum() + (left[cells < 0] ** 2).sum())
        below = float((of_cells**2 / (counts - 1)).sum())
        return cls(variance, variance**2 / below if below > 0 else max(1.0, float(counts.sum() - 1)))


def _estimate_sum(
    name: str,
    parts: Sequence[tuple[int, PoweredSample]],
    ends: tuple[float, float] | None,
    seed: int,
    known: Sequence[float] | None,
) -> PoweredEstimate:
    """A signed sum of means, with the weights that minimise its variance."""
    n, n_people = sum(len(each.people) for _, each in parts), sum(int(each.is_judged.sum()) for _, each in parts)
    why = next(filter(None, (each.why_not() for _, each in parts)), None)
    if why is not None:
        nothing = Estimate(name, None, n=n_people, undefined=why)
        return PoweredEstimate(nothing, nothing, nothing, (), n_people, n, None)
    found = _signed_sum(parts, known is not None)
    folds = folds_of(found.cells >= 0, seed)
    fitted = fitted_weights(found.of_people, found.of_judges, folds) if known is None else np.tile(known, (FOLDS, 1))
    alone = Error.of(found.of_people, found.cells)
    both = Error.of(found.of_people + (found.of_judges * fitted[folds]).sum(axis=1), found.cells)
    judges = Error(float((found.of_judges_alone**2).sum()), max(1, len(folds) - 1))
    value = found.people + float((found.shifts * fitted[folds]).sum())
    return PoweredEstimate(
        people=_interval(name, found.people, alone, n_people, ends, n),
        judge=_interval(name, found.judges, judges, n, ends, n),
        both=_interval(name, value, both, n_people, ends, n),
        weights=tuple(fitted.mean(axis=0).tolist()),
        n_people=n_people,
        n=n,
        times=alone.variance / both.variance if both.variance > 1e-24 else None,
        errors=(alone.variance**0.5, both.variance**0.5),
    )


def _interval(name: str, value: float, error: Error, n: int, ends: tuple[float, float] | None, most: int) -> Estimate:
    if ends is None and error.variance <= 1e-24:
        return Estimate(name, value, None, n, "no interval: all values are alike")
    if ends is None:
        half = half_width(error.degrees) * error.variance**0.5
        return Estimate(name, value, (value - half, value + half), n, "Student's interval over items or groups")
    low, width = ends[0], ends[1] - ends[0]
    share = min(1.0, max(0.0, (value - low) / width))
    near = min(1 - 0.5 / n, max(0.5 / n, share))
    cases = min(near * (1 - near) * width**2 / error.variance, most) if error.variance > 0 else float(n)
    ci = wilson(share * cases, cases)
    method = f"Wilson's interval for as many cases as the variance is worth ({cases:.1f})"
    return Estimate(name, low + width * share, (low + width * ci[0], low + width * ci[1]), n, method)
