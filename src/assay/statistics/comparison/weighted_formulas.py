"""Correlations and agreement of two values of each item, when items count as often as weights say.

Each function takes the values of P distinct items and gives a formula: from weights (b, P) to b numbers, nan where
there is none. So one pass over the draws of a bootstrap gives all of them.
"""

from assay.statistics.arrays import Bools, Floats, np
from assay.statistics.comparison.resample import quotient, sums_by_value
from assay.statistics.comparison.unit_draws import Formula

LEAST = 1e-10
"""What arithmetic may leave of a spread that is 0."""


def pearson(x: Floats, y: Floats) -> Formula:
    """Pearson's correlation.

    Reference: Pearson, K. (1895). Proceedings of the Royal Society 58.

    Example:
        >>> pearson(np.array([1, 2, 3, 4]), np.array([1, 3, 2, 4]))(np.ones((1, 4))).round(3).tolist()
        [0.8]
    """
    a, b = (each - (each.mean() if len(each) else 0.0) for each in (x, y))
    return lambda weights: _correlation(weights, np.broadcast_to(a, weights.shape), np.broadcast_to(b, weights.shape))


def spearman(x: Floats, y: Floats) -> Formula:
    """Spearman's correlation: Pearson's, of the ranks, which are found anew for each row of weights.

    Reference: Spearman, C. (1904). American Journal of Psychology 15.

    Example:
        >>> spearman(np.array([1, 2, 3, 100]), np.array([1, 2, 3, 4]))(np.ones((1, 4))).round(9).tolist()
        [1.0]
    """
    first, second = _ranker(x), _ranker(y)
    return lambda weights: _correlation(weights, first(weights), second(weights))


def kendall_tau_b(x: Floats, y: Floats) -> Formula:
    """Kendall's tau-b: (concordant - discordant) / sqrt(pairs that differ in x * pairs that differ in y).

    Reference: Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33.

    Example:
        >>> kendall_tau_b(np.array([1, 2, 3]), np.array([1, 3, 2]))(np.ones((1, 3))).round(4).tolist()
        [0.3333]
    """
    alike = np.sign(np.subtract.outer(x, x)) * np.sign(np.subtract.outer(y, y))
    groups = sums_by_value(x), sums_by_value(y)

    def formula(weights: Floats) -> Floats:
        pairs = weights.sum(axis=1) ** 2
        differ = [pairs - (equal(weights) ** 2).sum(axis=1) for equal in groups]
        return quotient(((weights @ alike) * weights).sum(axis=1), np.sqrt(np.maximum(differ[0] * differ[1], 0)))

    return formula


def quadratic_kappa(x: Floats, y: Floats) -> Formula:
    """Cohen's kappa with quadratic weights: 1 - mean (x - y)^2 / (var x + var y + (mean x - mean y)^2).

    Variances divide by n. Written so it needs no categories, and can also be asked of a mean of several annotators;
    for such it is known as the concordance correlation.

    References: Fleiss, J. L. & Cohen, J. (1973). The equivalence of weighted kappa and the intraclass correlation
    coefficient. Educational and Psychological Measurement 33. Lin, L. I. (1989). A concordance correlation coefficient
    to evaluate reproducibility. Biometrics 45.

    Example:
        >>> quadratic_kappa(np.array([1, 2, 5, 5]), np.array([1, 2, 2, 5]))(np.ones((1, 4))).round(4).tolist()
        [0.625]
    """
    middle = (x.mean() + y.mean()) / 2 if len(x) else 0.0
    a, b = x - middle, y - middle

    def formula(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        # n^2 times the disagreement of every x with every y.
        chance = n * (weights @ a**2) + n * (weights @ b**2) - 2 * (weights @ a) * (weights @ b)
        return 1 - quotient(n * (weights @ (a - b) ** 2), np.where(chance > LEAST, chance, 0))

    return formula


def cohen_kappa(x: Floats, y: Floats) -> Formula:
    """Cohen's kappa: 1 - observed / expected disagreement, values being the same or not.

    Reference: Cohen, J. (1960). Educational and Psychological Measurement 20.

    Example:
        >>> cohen_kappa(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))(np.array([[20, 10, 20, 50]])).round(3).tolist()
        [0.348]
    """
    values = np.unique(np.concatenate([x, y]))
    first, second = (np.equal.outer(each, values).astype(float) for each in (x, y))
    apart = (x != y).astype(float)

    def formula(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        chance = n**2 - ((weights @ first) * (weights @ second)).sum(axis=1)
        return 1 - quotient(n * (weights @ apart), chance)

    return formula


def exact_agreement(x: Floats, y: Floats) -> Formula:
    """The share of equal values.

    Reference: Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed., chapter 2.

    Example:
        >>> exact_agreement(np.array([1, 2]), np.array([1, 3]))(np.ones((1, 2))).tolist()
        [0.5]
    """
    return _share(np.abs(x - y) < 1e-9)


def within_one_agreement(x: Floats, y: Floats) -> Formula:
    """The share of values that lie no more than 1 apart.

    Reference: the "adjacent agreement" of Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed.

    Example:
        >>> within_one_agreement(np.array([1, 2]), np.array([1, 4]))(np.ones((1, 2))).tolist()
        [0.5]
    """
    return _share(np.abs(x - y) < 1 + 1e-9)


def bias(x: Floats, y: Floats) -> Formula:
    """The mean of x - y.

    Reference: Bland, J. M. & Altman, D. G. (1986). Statistical methods for assessing agreement. Lancet 327.

    Example:
        >>> bias(np.array([3, 2]), np.array([1, 2]))(np.ones((1, 2))).tolist()
        [1.0]
    """
    return lambda weights: quotient(weights @ (x - y), weights.sum(axis=1))


def absolute_bias(x: Floats, y: Floats) -> Formula:
    """The size of the mean of x - y.

    Reference: Bland, J. M. & Altman, D. G. (1986). Statistical methods for assessing agreement. Lancet 327.

    Example:
        >>> absolute_bias(np.array([1, 2]), np.array([3, 2]))(np.ones((1, 2))).tolist()
        [1.0]
    """
    return lambda weights: np.abs(quotient(weights @ (x - y), weights.sum(axis=1)))


def _share(agrees: Bools) -> Formula:
    return lambda weights: quotient(weights @ agrees.astype(float), weights.sum(axis=1))


def _correlation(weights: Floats, a: Floats, b: Floats) -> Floats:
    n = weights.sum(axis=1, keepdims=True)
    a, b = (each - quotient((weights * each).sum(axis=1, keepdims=True), n) for each in (a, b))
    squares = [(weights * each**2).sum(axis=1) for each in (a, b)]
    below = np.where(np.minimum(*squares) > LEAST, squares[0] * squares[1], 0.0)
    return np.clip(quotient((weights * a * b).sum(axis=1), np.sqrt(np.maximum(below, 0.0))), -1.0, 1.0)


def _ranker(values: Floats) -> Formula:
    """The rank of each value among weighted ones, equal ones sharing the mean of theirs."""
    index = np.unique(values, return_inverse=True)[1]
    sums = sums_by_value(values)

    def rank(weights: Floats) -> Floats:
        counts = sums(weights)
        return (np.cumsum(counts, axis=1) - (counts - 1) / 2)[:, index]

    return rank
