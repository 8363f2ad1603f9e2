"""ICC(2,1), ICC(2,k), ICC(3,1) and ICC(3,k): intraclass correlations that know who judged."""

from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

from assay.statistics.arrays import Bools, Floats, Ints, np
from assay.statistics.base import ORDERED_LEVELS, Tally, ratio, register
from assay.statistics.f_distribution import f_quantile
from assay.statistics.icc_few_each import JudgedByFew, few_judged_each
from assay.statistics.icc_one_way import shrout_fleiss
from assay.statistics.intraclass import (
    TAIL,
    Intraclass,
    bounds_of_ratio,
    centred_values,
    deviations,
    share_of_variance,
)
from assay.statistics.patterns import Patterns
from assay.statistics.scale import Scale
from assay.statistics.table import MISSING


@dataclass(frozen=True, kw_only=True)
class TwoWay(Intraclass):
    """The share of variance that lies between items, when items and annotators each have an effect.

    A judgment is taken as mean + item + annotator + error. With s_i, s_a and s_e the variances of the three, on the
    items with two or more judgments, k on each,

        ICC(2,1) = s_i / (s_i + s_a + s_e)            ICC(2,k) = s_i / (s_i + (s_a + s_e) / k)
        ICC(3,1) = s_i / (s_i + s_e)                  ICC(3,k) = s_i / (s_i + s_e / k)

    ICC(2,.) is of absolute agreement and generalises to other annotators like these; ICC(3,.) is of consistency: it
    forgives a difference in severity, and speaks of these annotators only. (.,1) is of one judgment, (.,k) of the mean
    of k. The variances come from three sums of squares,

        s_a + s_e = variance within items             s_i + s_e = variance within annotators
        s_e = variance of what an additive fit of items and annotators leaves over

    each over its degrees of freedom. In a table without gaps this gives the mean squares of Shrout & Fleiss,
    ICC(3,1) = (MSR - MSE) / (MSR + (k - 1) MSE) and so on; with gaps it is the method of fitting constants (Henderson's
    third), which the method then says, and the k of a mean is the harmonic mean of the numbers of judgments. It is then
    undefined where annotators share too few items to tell their severity from error.

    The interval is that of Shrout & Fleiss, from F, where there are no gaps and items stand alone (normal errors are
    assumed, and for ICC(2,.) it allows for the choice of annotators, so with few of them it is wide). Otherwise it
    comes from the draws of items, like all others, with the severity of each annotator held at its estimate; with few
    items, from leaving out one at a time, and fitting again.

    References: Shrout, P. E. and Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater reliability.
    Psychological Bulletin 86. Searle, S. R., Casella, G. and McCulloch, C. E. (1992). Variance Components, chapter 5.
    ten Hove, D., Jorgensen, T. D. and van der Ark, L. A. (2022). Updated guidelines on selecting an intraclass
    correlation coefficient for interrater reliability. Psychological Methods (gaps, and the harmonic mean).

    Example:
        >>> from assay.statistics import Ratings, agree
        >>> from assay.statistics.icc_one_way import SHROUT_FLEISS
        >>> ratings = Ratings.from_rows(SHROUT_FLEISS, range(1, 11), "interval")
        >>> [round(found.value, 2) for found in agree(ratings, ["icc_2_1", "icc_2_k", "icc_3_1", "icc_3_k"])]
        [0.29, 0.62, 0.71, 0.91]
    """

    absolute: bool
    """Whether the severity of annotators counts as error."""

    def tally(self, patterns: Patterns) -> Tally:
        return FittedTally(self, patterns)

    def contributions(self, patterns: Patterns) -> Floats:
        # The four forms differ only in what they make of the same sums.
        if patterns not in _fitted_to:
            _fitted_to[patterns] = _fit(patterns)
        return _fitted_to[patterns]

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        within_items, error, within_annotators, k = self._variances(sums)
        noise = within_items if self.absolute else error
        items = within_annotators - error
        return share_of_variance(items, noise / k if self.of_mean else noise, within_items + within_annotators)

    @staticmethod
    def _variances(sums: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """The variances within items, of error and within annotators, and the harmonic mean of k."""
        n, judgments, over, within_items, residual, spread = sums.T
        inside = judgments - n
        return ratio(within_items, inside), ratio(residual, inside), ratio(spread, judgments), ratio(n, over)

    def complete(self, patterns: Patterns) -> bool:
        given = patterns.rows[patterns.is_shared] != MISSING
        return bool((given == given.any(axis=0)).all())

    def bounds(self, tally: Tally, n: int, k: int) -> tuple[float, float] | None:
        variances = self._variances(tally.sums(tally.observed_weights))
        within_items, error, within_annotators = (float(part[0]) for part in variances[:3])
        of_items = max(0.0, error + k * (within_annotators - error))  # the mean squares, MSR and MSC
        of_annotators = max(0.0, error + n * (within_items - error))
        if not self.absolute:
            return bounds_of_ratio(of_items, error, k, n - 1, (n - 1) * (k - 1))
        value = float(share_of_variance(*(np.array([v]) for v in (within_annotators - error, within_items, 0.0)))[0])
        return _absolute_bounds(of_items, of_annotators, error, value, n, k)

    def how_with_gaps(self, numbers: str) -> str:
        return f"variance components of a table with gaps ({numbers})"

    def lacks(self, patterns: Patterns) -> str | None:
        lacking = super().lacks(patterns)
        if lacking is not None:
            return lacking
        freedom = _degrees_of_freedom(patterns)
        if freedom.annotators < 1:
            return "no annotator judged two of the items that have two judgments"
        if freedom.residual < 1:
            return "the annotators share too few items to tell their severity from error"
        return None


_fitted_to: WeakKeyDictionary[Patterns, Floats] = WeakKeyDictionary()
_summed_of: WeakKeyDictionary[Patterns, tuple[Floats, Floats]] = WeakKeyDictionary()
_refitted_to: WeakKeyDictionary[Patterns, tuple[Floats, Floats]] = WeakKeyDictionary()
_freedom_of: WeakKeyDictionary[Patterns, "Freedom"] = WeakKeyDictionary()


class FittedTally(Tally):
    """Draws keep the severity of annotators at its estimate from all data, which is right to the first order."""

    def values(self, weights: Floats) -> Floats:
        known = _summed_of.get(self.patterns)
        if known is None or known[0] is not weights:
            # As in `refit`: the four forms are computed from the same sums.
            known = _summed_of[self.patterns] = weights, self.sums(weights)
        return self.statistic.combine(known[1], self.patterns.scale)

    def refit(self, weights: Floats) -> Floats:
        known = _refitted_to.get(self.patterns)
        if known is None or known[0] is not weights:
            # The four forms are computed one after the other, of the same weights: only the first one fits.
            known = _refitted_to[self.patterns] = weights, self._refitted_sums(weights)
        return self.statistic.combine(known[1], self.patterns.scale)

    def _refitted_sums(self, weights: Floats) -> Floats:
        """The sums for each row of weights, nan where there is nothing to compute."""
        shared = self.patterns.is_shared
        # To leave out an item with one judgment changes nothing, so that most rows may be alike.
        rows, index = np.unique(weights[:, shared], axis=0, return_inverse=True)
        sums = np.array([self._sums_of(self.patterns.rows[shared], row) for row in rows])
        return sums[index.reshape(-1)]

    def _sums_of(self, rows: Ints, counts: Floats) -> Floats:
        some = counts > 0
        patterns = Patterns(rows[some], counts[some].astype(np.int64), self.patterns.of_item[:0], self.patterns.scale)
        if self.statistic.refuses(patterns):
            return np.full(self.width, np.nan)
        fitted = Tally(self.statistic, patterns)
        sums: Floats = fitted.sums(fitted.observed_weights)[0]
        return sums


def _fit(patterns: Patterns) -> Floats:
    """What one item of each pattern adds to the sums, with the severity of annotators fitted to all."""
    if few_judged_each(patterns):
        return _fit_few(JudgedByFew(patterns))
    given, values = centred_values(patterns)
    counts, freedom = patterns.counts, _degrees_of_freedom(patterns)
    judged = given.sum(axis=1).astype(np.float64)
    counted = judged > 0
    over = np.divide(1.0, judged, out=np.zeros_like(judged), where=counted)
    about_item = deviations(given, values)
    severity = _severity(given, about_item, counts, over)
    left_over = np.where(given, about_item - severity + (given @ severity * over)[:, None], 0.0)
    mean = ratio(counts @ values, (counts @ given).astype(np.float64))
    about_annotator = np.where(given, values - mean, 0.0)
    # Summed over all data these are the residuals of a fit, which uses up degrees of freedom: hence the factors.
    residual = (left_over**2).sum(axis=1) * _over(freedom.items, freedom.residual)
    spread = (about_annotator**2).sum(axis=1) * _over(freedom.judgments, freedom.annotators)
    return np.column_stack([counted, judged, over, (about_item**2).sum(axis=1), residual, spread])


def _fit_few(judged: JudgedByFew) -> Floats:
    """Like `_fit`, judgment by judgment, for a table most of which is empty."""
    freedom = _degrees_of_freedom(judged.patterns)
    about_item = judged.about_item()
    severity = judged.severity(about_item, _groups_of(judged.pattern, judged.who, judged.patterns.rows.shape))
    of_item = judged.of_patterns(severity[judged.who]) * judged.over
    left_over = about_item - severity[judged.who] + of_item[judged.pattern]
    residual = judged.of_patterns(left_over**2) * _over(freedom.items, freedom.residual)
    spread = judged.of_patterns(judged.about_annotator() ** 2) * _over(freedom.judgments, freedom.annotators)
    within = judged.of_patterns(about_item**2)
    return np.column_stack([judged.judged > 0, judged.judged, judged.over, within, residual, spread])


class Freedom(NamedTuple):
    """The number of judgments, and the degrees of freedom within items, within annotators and of what a fit leaves."""

    judgments: int
    items: int
    annotators: int
    residual: int


def _degrees_of_freedom(patterns: Patterns) -> Freedom:
    if patterns not in _freedom_of:
        _freedom_of[patterns] = _count_freedom(patterns)
    return _freedom_of[patterns]


def _count_freedom(patterns: Patterns) -> Freedom:
    given = (patterns.rows != MISSING) & patterns.is_shared[:, None]
    judgments = int(patterns.counts @ given.sum(axis=1))
    inside = judgments - int(patterns.counts[patterns.is_shared].sum())
    present = int(np.count_nonzero(given.any(axis=0)))
    # Annotators without an item count as groups of their own, which cancels out.
    fitted = given.shape[1] - len(np.unique(_groups(given)))
    return Freedom(judgments, inside, judgments - present, inside - fitted)


def _groups(given: Bools) -> Ints:
    """For each annotator the first one with whom a chain of shared items links them."""
    item, annotator = np.nonzero(given)
    return _groups_of(item, annotator, given.shape)


def _groups_of(item: Ints, annotator: Ints, shape: tuple[int, ...]) -> Ints:
    groups: Ints = np.arange(shape[1])
    while True:
        # Each item takes the lowest group of its annotators, each annotator then the lowest of their items.
        of_item = np.full(shape[0], len(groups))
        np.minimum.at(of_item, item, groups[annotator])
        lower = groups.copy()
        np.minimum.at(lower, annotator, of_item[item])
        if (lower == groups).all():
            return groups
        groups = lower


def _severity(given: Bools, about_item: Floats, counts: Ints, over: Floats) -> Floats:
    """How far each annotator lies above the others on the same items, by least squares: 0 on average in each group."""
    together = (given * (counts * over)[:, None]).T @ given.astype(np.float64)
    judged = (counts @ given).astype(np.float64)
    groups = _groups(given)
    # The equations fix differences within a group only. This fixes the mean of each group as well, and nothing else.
    fixed = (groups[:, None] == groups) * max(1.0, judged.mean())
    severity: Floats = np.linalg.solve(np.diag(judged) - together + fixed, counts @ about_item)
    return severity


def _over(whole: int, freedom: int) -> float:
    return whole / freedom if freedom > 0 else float("nan")


def _absolute_bounds(
    of_items: float, of_annotators: float, error: float, value: float, n: int, k: int
) -> tuple[float, float] | None:
    """Shrout & Fleiss (1979), p. 424: F with degrees of freedom by Satterthwaite's rule, for ICC(2,1)."""
    if error == of_annotators == 0:
        return 1.0, 1.0
    judges, rest = k * value * of_annotators, (n * (1 + (k - 1) * value) - k * value) * error
    bottom = (n - 1) * judges**2 + rest**2
    degrees = (k - 1) * (n - 1) * (judges + rest) ** 2 / bottom if bottom > 0 else 0.0
    if not degrees > 0.1:  # the bounds would be all that there is; and so where the value of one judgment is undefined
        return None
    other = k * of_annotators + (k * n - k - n) * error
    low, high = f_quantile(TAIL, n - 1, degrees), f_quantile(TAIL, degrees, n - 1)
    return (
        n * (of_items - low * error) / (low * other + n * of_items),
        n * (high * of_items - error) / (other + n * high * of_items),
    )


def _register(name: str, title: str, doc: str, value: float, rank: int, *, absolute: bool, of_mean: bool) -> None:
    register(
        TwoWay(
            name=name,
            title=title,
            doc=doc,
            levels=ORDERED_LEVELS,
            headline=frozenset({"interval", "ratio"}) if absolute and not of_mean else frozenset(),
            rank=rank,
            lowest=float("-inf") if of_mean else -1.0,
            absolute=absolute,
            of_mean=of_mean,
            known=shrout_fleiss(value),
        )
    )


ONE = "the reliability of one judgment"
MEAN = "the reliability of the mean of an item's k judgments"
_register("icc_2_1", "ICC(2,1)", f"Absolute agreement: {ONE}.", 0.29, 100, absolute=True, of_mean=False)
_register("icc_2_k", "ICC(2,k)", f"Absolute agreement: {MEAN}.", 0.62, 110, absolute=True, of_mean=True)
_register("icc_3_1", "ICC(3,1)", f"Consistency, severity set aside: {ONE}.", 0.71, 120, absolute=False, of_mean=False)
_register("icc_3_k", "ICC(3,k)", f"Consistency, severity set aside: {MEAN}.", 0.91, 130, absolute=False, of_mean=True)
