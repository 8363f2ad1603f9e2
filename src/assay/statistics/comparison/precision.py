"""How many items and annotators it takes to measure agreement: the width of an interval before there are data."""

import math
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

from assay.kinds import STATISTICS
from assay.statistics.arrays import Floats, np
from assay.statistics.base import Statistic
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.patterns import Patterns
from assay.statistics.table import MISSING, Ratings

CELLS = 2**22


@dataclass(frozen=True, slots=True)
class Precision:
    """The interval in which 95 of 100 such studies would find their coefficient."""

    value: float | None
    """What they would find on average (or what was stated)."""
    low: float | None
    high: float | None
    n_items: int
    k: int
    method: str
    undefined: str | None = None

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval, the number behind a plus-minus sign."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def precision_of_icc(rho: float, n_items: int, k: int) -> Precision:
    """How precise an intraclass correlation, or Krippendorff's alpha (interval), will be: by formula.

    var = 2 (1 - rho)^2 (1 + (k - 1) rho)^2 / (k (k - 1) (n - 1)), for values that are normal. The interval is rho -+
    1.96 times its root, within -1 / (k - 1) and 1.

    Reference: Fisher, R. A. (1925). Statistical methods for research workers, section 38; Donner, A. (1986). A review
    of inference procedures for the intraclass correlation coefficient. International Statistical Review 54.

    Example:
        >>> [round(precision_of_icc(0.6, n, 3).half_width, 2) for n in (50, 100, 300)]
        [0.14, 0.1, 0.06]
    """
    _refuse_impossible(rho, n_items, k)
    error = math.sqrt(2 * (1 - rho) ** 2 * (1 + (k - 1) * rho) ** 2 / (k * (k - 1) * (n_items - 1)))
    half = NormalDist().inv_cdf(0.975) * error
    return Precision(rho, max(-1 / (k - 1), rho - half), min(1.0, rho + half), n_items, k, "formula, normal values")


def precision_from_alpha(rho: float, n_items: int, k: int, seed: int = SEED, draws: int = DRAWS) -> Precision:
    """The precision of alpha by simulation: n items with k annotators each, normal values, and a true alpha of rho.

    Each value is sqrt(rho) times its item's plus sqrt(1 - rho) times its own; alpha (interval) is 1 - MSW / s^2, s^2
    the variance of all values.

    Reference: Card, D. et al. (2020). With little power comes great responsibility. EMNLP (plans by simulation).

    Example:
        >>> found = precision_from_alpha(0.6, 100, 3, seed=1)
        >>> round(found.half_width, 1), abs(found.value - 0.6) < 0.02
        (0.1, True)
    """
    _refuse_impossible(rho, n_items, k)
    if rho < 0:
        raise ValueError("values with less in common than chance cannot be simulated: state 0 or more")
    rng, parts = np.random.default_rng(seed), []
    step = max(1, CELLS // (n_items * k))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        shared, own = rng.normal(size=(size, n_items, 1)), rng.normal(size=(size, n_items, k))
        parts.append(_alpha(math.sqrt(rho) * shared + math.sqrt(1 - rho) * own))
    return _precision(np.concatenate(parts), n_items, k, f"simulated, normal values, {draws} draws, seed {seed}")


def precision_from_pilot(
    pilot: Ratings, coefficient: str, n_items: int, k: int | None = None, seed: int = SEED, draws: int = DRAWS
) -> Precision:
    """How precise a coefficient will be with n items like those of a pilot, by drawing them from its patterns.

    With k below the pilot's number of annotators, every choice of k of them is drawn equally often. More annotators
    than the pilot had cannot be drawn from it: use `precision_of_icc`.

    Reference: Efron, B. & Tibshirani, R. (1993). An introduction to the bootstrap, chapter 25 (other sample sizes).

    Raises:
        ValueError: There is no coefficient of that name.

    Example:
        >>> rows = [(1, 1, 2), (2, 2, 2), (3, 3, 3), (4, 5, 4), (5, 5, 5), (2, 1, 1), (3, 4, 4), (1, 1, 1)] * 5
        >>> pilot = Ratings.from_rows(rows, (1, 2, 3, 4, 5), "ordinal")
        >>> wide, narrow = (precision_from_pilot(pilot, "krippendorff_alpha_ordinal", n) for n in (50, 200))
        >>> round(wide.half_width / narrow.half_width)
        2
    """
    if coefficient not in STATISTICS:
        raise ValueError(f"there is no statistic {coefficient!r}; there are: {', '.join(STATISTICS)}")
    statistic: Statistic = STATISTICS[coefficient]
    at_hand = len(pilot.annotators)
    k = at_hand if k is None else k
    why = _why_not(statistic, pilot, k, n_items)
    if why:
        return Precision(None, None, None, n_items, k, "", why)
    rng = np.random.default_rng(seed)
    choices = list(combinations(range(at_hand), k))
    shares = np.diff(np.linspace(0, draws, len(choices) + 1).round().astype(int)).tolist()
    found = [
        _values_of_draws(statistic, pilot, columns, n_items, size, rng)
        for columns, size in zip(choices, shares, strict=True)
        if size
    ]
    method = f"drawn from {len(pilot.items)} items of a pilot, {draws} draws, seed {seed}"
    return _precision(np.concatenate(found), n_items, k, method)


def items_for_icc(rho_0: float, rho_1: float, k: int, power: float = 0.8, alpha: float = 0.05) -> int:
    """How many items it takes to show that an intraclass correlation is above rho_0, if it is rho_1: one-sided.

    n = 1 + 2 (z_(1 - alpha) + z_power)^2 k / ((ln C)^2 (k - 1)), C = (1 + k t_0) / (1 + k t_1), t = rho / (1 - rho).

    Reference: Walter, S. D., Eliasziw, M. & Donner, A. (1998). Sample size and optimal designs for reliability studies.
    Statistics in Medicine 17.

    Raises:
        ValueError: Not 0 <= rho_0 < rho_1 < 1, or fewer than two annotators.

    Example:
        >>> items_for_icc(0.6, 0.8, k=2)
        39
    """
    if not 0 <= rho_0 < rho_1 < 1:
        raise ValueError(
            f"what is to be shown ({rho_1}) must lie above what it is compared with ({rho_0}), both from 0 to 1"
        )
    if k < 2:
        raise ValueError(f"agreement takes two annotators, not {k}")
    z = NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(power)
    theta_0, theta_1 = rho_0 / (1 - rho_0), rho_1 / (1 - rho_1)
    log_c = math.log((1 + k * theta_0) / (1 + k * theta_1))
    return math.ceil(1 + 2 * z**2 * k / (log_c**2 * (k - 1)) - 1e-9)


def _refuse_impossible(rho: float, n_items: int, k: int) -> None:
    if not -1 <= rho <= 1:
        raise ValueError(f"an agreement lies between -1 and 1, and this one is {rho}")
    if n_items < 2 or k < 2:
        raise ValueError("agreement takes two items and two annotators or more")


def _alpha(values: Floats) -> Floats:
    """Krippendorff's alpha (interval) of complete tables (b, n, k)."""
    within = values.var(axis=2, ddof=1).mean(axis=1)
    everything: Floats = values.reshape(len(values), -1).var(axis=1, ddof=1)
    found: Floats = 1 - within / everything
    return found


def _why_not(statistic: Statistic, pilot: Ratings, k: int, n_items: int) -> str | None:
    if n_items < 2:
        return "agreement takes two items or more"
    if k > len(pilot.annotators):
        return f"the pilot has {len(pilot.annotators)} annotators, and {k} cannot be drawn from them"
    if k < 2:
        return "agreement takes two annotators"
    return statistic.misses(pilot.level)


def _values_of_draws(
    statistic: Statistic, pilot: Ratings, columns: tuple[int, ...], n_items: int, draws: int, rng: "np.random.Generator"
) -> Floats:
    values = pilot.values[:, list(columns)]
    names = tuple(pilot.annotators[column] for column in columns)
    some = Ratings(values, pilot.categories, pilot.level, pilot.items, names)
    patterns = Patterns.of(some)
    if statistic.refuses(patterns) or not (values != MISSING).any():
        return np.full(draws, np.nan)
    weights = rng.multinomial(n_items, patterns.counts / patterns.counts.sum(), size=draws).astype(np.float64)
    return statistic.tally(patterns).values(weights)


def _precision(values: Floats, n_items: int, k: int, method: str) -> Precision:
    defined = values[~np.isnan(values)]
    if len(defined) < len(values):
        method += f"; undefined in {len(values) - len(defined)} draws, which are left out"
    if not len(defined):
        return Precision(None, None, None, n_items, k, method, "the coefficient was undefined in every draw")
    low, high = np.quantile(defined, [0.025, 0.975]).tolist()
    return Precision(float(defined.mean()), low, high, n_items, k, method)
