"""Fits of Bradley-Terry and Davidson to tables of wins, for many tables at once, and whether a fit exists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.statistics.arrays import Bools, Floats, np

STEPS = 200
LONGEST = 2.0
"""The farthest that one step of Newton's method moves a log-strength: from far off it may otherwise overshoot."""
EXACT = 1e-10


@dataclass(frozen=True)
class Fit:
    """Maximum-likelihood fits to b tables. Rows of tables that have none are nan."""

    strengths: Floats
    """(b, S), each row with mean 0."""
    log_nu: Floats | None
    """(b,): the log of Davidson's tie parameter, minus infinity where there are no ties; None for Bradley-Terry."""
    information: Floats
    """(b, S, S), or (b, S + 1, S + 1) with the tie parameter last: minus the second derivatives."""


def fit(wins: Floats, ties: Floats | None = None) -> Fit:
    """Fit Bradley-Terry to b tables of wins (b, S, S), or Davidson with tables of ties (b, S, S, symmetric).

    `wins[i, j]` is how often i beat j. Bradley-Terry: P(i beats j) = e^(t_i) / (e^(t_i) + e^(t_j)). Davidson: with

        D = e^(t_i) + e^(t_j) + nu e^((t_i + t_j) / 2)

    P(i beats j) = e^(t_i) / D and P(tie) = nu e^((t_i + t_j) / 2) / D. The log-likelihood of either has one maximum,
    found by Newton's method for all tables at once. A table without a finite maximum gives nan: see `is_connected`.

    References: Bradley, R. A. & Terry, M. E. (1952). Rank analysis of incomplete block designs. Biometrika 39.
    Davidson, R. R. (1970). On extending the Bradley-Terry model to accommodate ties in paired comparison experiments.
    Journal of the American Statistical Association 65.

    Example:
        >>> found = fit(np.array([[[0.0, 3.0], [1.0, 0.0]]]))
        >>> found.strengths.round(4).tolist()  # half of log 3, each way
        [[0.5493, -0.5493]]
    """
    b, size = wins.shape[:2]
    fitted = is_connected(wins) & (wins.sum(axis=(1, 2)) > 0)
    played = wins + wins.transpose(0, 2, 1) + (0 if ties is None else ties)
    tied = None if ties is None else ties.sum(axis=(1, 2)) / 2
    width = size + (ties is not None)
    at = np.zeros((b, width))
    rows = np.flatnonzero(fitted)
    information = np.full((b, width, width), np.nan)
    # Only differences of strengths are seen: this holds their mean at 0.
    gauge = np.zeros((width, width))
    gauge[:size, :size] = 1.0 / size
    for _ in range(STEPS):
        gradient, information[rows] = _derivatives(
            at[rows], wins[rows], None if ties is None else ties[rows], played[rows], size
        )
        if ties is not None and tied is not None:
            # Without any tie the parameter is minus infinity: it is fixed there.
            gradient[tied[rows] == 0, size] = 0
        solvable = information[rows] + gauge
        if tied is not None:
            solvable[tied[rows] == 0, size, size] = 1.0
        step = np.linalg.solve(solvable, gradient[..., None])[..., 0] if len(rows) else gradient
        longest = np.abs(step).max(axis=1, keepdims=True, initial=EXACT)
        at[rows] += step * np.minimum(1.0, LONGEST / longest)
        rows = rows[longest[:, 0] > EXACT]
        if not len(rows):
            break
    fitted[rows] = False  # not converged: no fit rather than an unfinished one
    strengths = np.where(fitted[:, None], at[:, :size], np.nan)
    if ties is None or tied is None:
        return Fit(strengths, None, information)
    return Fit(strengths, np.where(fitted, np.where(tied > 0, at[:, size], -np.inf), np.nan), information)


def _derivatives(at: Floats, wins: Floats, ties: Floats | None, played: Floats, size: int) -> tuple[Floats, Floats]:
    """The gradient (b, width) of the log-likelihood, and minus its second derivatives."""
    points, tie = expected_points(at, size, None if ties is None else ties.sum(axis=(1, 2)) > 0)
    scored = wins if ties is None else wins + ties / 2
    gradient = (scored - played * points).sum(axis=2)
    # The variance of what one comparison adds to a side: a win 1, a tie 1/2.
    spread = played * (points * (1 - points) - tie / 4)
    information = -spread
    diagonal = np.arange(size)
    information[:, diagonal, diagonal] += spread.sum(axis=2)
    if ties is None:
        return gradient, information
    with_ties = np.zeros((len(at), size + 1, size + 1))
    with_ties[:, :size, :size] = information
    crossed = (played * tie * (0.5 - points)).sum(axis=2)
    with_ties[:, :size, size] = with_ties[:, size, :size] = crossed
    with_ties[:, size, size] = (played * tie * (1 - tie)).sum(axis=(1, 2)) / 2
    more = (ties - played * tie).sum(axis=(1, 2)) / 2
    return np.concatenate([gradient, more[:, None]], axis=1), with_ties


def expected_points(at: Floats, size: int, ties: Bools | None = None) -> tuple[Floats, Floats]:
    """What each side gets from a comparison, a tie counted half, and the probability of a tie: both (b, S, S).

    Reference: Davidson, R. R. (1970). Journal of the American Statistical Association 65.

    Example:
        >>> points, tie = expected_points(np.array([[0.0, 0.0, 0.0]]), 2, np.array([True]))
        >>> points[0, 0, 1], tie[0, 0, 1].round(3)
        (np.float64(0.5), np.float64(0.333))
    """
    apart = at[:, :size, None] - at[:, None, :size]
    if ties is None:
        points = 1 / (1 + np.exp(-apart))
        return points, np.zeros_like(points)
    nu = np.where(ties, np.exp(at[:, size]), 0.0)[:, None, None]
    whole = np.exp(apart / 2) + np.exp(-apart / 2) + nu
    tie = nu / whole
    return np.exp(apart / 2) / whole + tie / 2, tie


def is_connected(wins: Floats) -> Bools:
    """Whether wins lead from every system to every other, for each table (b, S, S): only then is there a finite fit.

    Reference: Ford, L. R. (1957). Solution of a ranking problem from binary comparisons. American Mathematical Monthly
    64.

    Example:
        >>> is_connected(np.array([[[0.0, 2.0], [1.0, 0.0]], [[0.0, 3.0], [0.0, 0.0]]])).tolist()
        [True, False]
    """
    return np.asarray(_reach(wins).all(axis=(1, 2)))


def _reach(wins: Floats) -> Bools:
    """The transitive closure of wins: whom each system beat, directly or through others; itself included."""
    size = wins.shape[1]
    reach = (wins > 0) | np.eye(size, dtype=bool)
    for _ in range(max(1, size.bit_length())):
        reach = np.matmul(reach.astype(np.float32), reach.astype(np.float32)) > 0
    return reach


def why_not_connected(wins: Floats, systems: Sequence[Any], counted: str = "wins") -> str | None:
    """In words, why there is no fit to one table (S, S); None where there is one.

    Reference: Ford, L. R. (1957), as in `is_connected`.

    Example:
        >>> why_not_connected(np.array([[0.0, 3.0, 1.0], [0.0, 0.0, 2.0], [0.0, 1.0, 0.0]]), ["A", "B", "C"])
        'A never lost to any of the others (B, C), so nothing says how much stronger it is'
    """
    reach = _reach(wins[None])[0]
    if reach.all():
        return None
    either = _reach((wins + wins.T)[None])[0]
    if not either.all():
        inside = np.flatnonzero(either[0])
        return f"no comparison links {_names(systems, inside)} with {_names(systems, np.flatnonzero(~either[0]))}"
    # Systems that lead to each other stand together; at least one such group is led to by none outside it.
    top = next(row for row in range(len(reach)) if (reach[row] | ~reach[:, row]).all())
    group = reach[:, top]
    others = _names(systems, np.flatnonzero(~group))
    it = "it is" if group.sum() == 1 else "they are"
    lost = "never lost to" if counted == "wins" else "never lost to nor tied with"
    return (
        f"{_names(systems, np.flatnonzero(group))} {lost} any of the others ({others}), "
        f"so nothing says how much stronger {it}"
    )


def _names(systems: Sequence[Any], indices: Any) -> str:
    return ", ".join(str(systems[index]) for index in indices)


expected, connected = expected_points, is_connected  # their names in 0.1.0
