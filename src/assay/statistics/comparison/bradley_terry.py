"""Systems ranked by who was preferred to whom: strengths, ranks and their intervals."""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from assay.model import Estimate
from assay.statistics.arrays import Floats, np
from assay.statistics.comparison.paired_comparison import Fit, expected_points, fit, is_connected, why_not_connected
from assay.statistics.comparison.preferences import Preference
from assay.statistics.comparison.resample import Resamples, clusters_of, percentiles
from assay.statistics.draws import DRAWS, SEED

ELO = 400 / math.log(10)
"""Points of Elo's scale for each unit of log-strength."""


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """One system among the others."""

    system: Hashable
    strength: Estimate
    """The log-strength; all of them have mean 0. Its interval is a bootstrap over items."""
    se: float
    """Its standard error if the model is right and comparisons are independent."""
    se_robust: float | None
    """Its sandwich standard error, with the comparisons of an item (or cluster) together; None of a single one."""
    worth: float
    """Its share of all strengths: they sum to 1."""
    elo: float
    """The strength on the scale of Elo, 1000 in the middle: for display only."""
    elo_ci: tuple[float, float] | None
    rank: int
    """1 + how many are stronger."""
    rank_ci: tuple[int, int] | None
    """Between which ranks it lies in 95 % of draws."""
    p_best: float | None
    """In what share of draws it is the strongest."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """All systems, the strongest first; or the reason why they cannot be ranked."""

    standings: tuple[RankedSystem, ...]
    model: str
    nu: float | None
    """Davidson's tie parameter: how probable a tie of two equals is, over how probable a win of either."""
    n_items: int
    n_comparisons: int
    n_ties: int
    method: str
    undefined: str | None = None
    covariance: tuple[tuple[float, ...], ...] = ()
    """Of the strengths in the order of the standings, if the model is right."""

    def difference(self, first: Hashable, second: Hashable) -> tuple[float, float]:
        """By how much the one is stronger on the scale of logs, and the standard error of that by the model."""
        index = {each.system: at for at, each in enumerate(self.standings)}
        i, j, c = index[first], index[second], self.covariance
        apart = (self.standings[i].strength.value or 0.0) - (self.standings[j].strength.value or 0.0)
        return apart, math.sqrt(max(0.0, c[i][i] + c[j][j] - 2 * c[i][j]))


def rank_systems(
    preferences: Iterable[Preference],
    ties: bool = False,
    clusters: Mapping[Any, Hashable] | None = None,
    pseudo: float = 0.0,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Ranking:
    """Bradley-Terry by maximum likelihood, with ties as half a win for each; or Davidson, which models ties.

    P(i beats j) = e^(t_i) / (e^(t_i) + e^(t_j)); the strengths t are the answer, with mean 0. With `ties`, P(tie) is
    proportional to nu e^((t_i + t_j) / 2). Intervals of strengths, ranks and the probability to be the best come from
    drawing items (or clusters) with all of their comparisons; the sandwich error is H^-1 (sum over items of g g') H^-1,
    g the gradient of an item, H the information.

    There are strengths only if wins lead from each system to each other (for Bradley-Terry a tie leads both ways). If
    not, the reason is said. `pseudo` adds so many wins each way to every pair of systems, which always makes them
    finite and pulls them together: it must be asked for, and the method says so. Elo's scale, 400 / ln 10 points for
    a unit, is a way to show strengths; ratings updated game by game depend on the order of the games.

    References: Bradley & Terry (1952), Davidson (1970) as in `paired_comparison`. Chiang, W.-L. et al. (2024). Chatbot
    Arena: an open platform for evaluating LLMs by human preference. ICML (bootstrap and sandwich).

    Example:
        >>> games = [("A", "B")] * 3 + [("B", "A")] + [("B", "C")] * 3 + [("C", "B")] + [("A", "C"), ("C", "A")]
        >>> judged = [Preference(n, winner, loser, "left") for n, (winner, loser) in enumerate(games)]
        >>> found = rank_systems(judged)
        >>> [each.system for each in found.standings], round(found.difference("A", "C")[0], 3)
        (['A', 'B', 'C'], 1.056)
    """
    judged = list(preferences)
    systems = list(dict.fromkeys(system for each in judged for system in (each.left, each.right)))
    table, items = _by_item(judged, systems)
    groups = clusters_of(items, clusters)
    source = Resamples(table, groups, seed, draws)
    model = "Davidson" if ties else "Bradley-Terry"
    counts = len(items), len(judged), sum(each.outcome == "tie" for each in judged)

    def fit_to(weights: Floats) -> Fit:
        return fit(*_tables(weights @ source.rows, len(systems), ties, pseudo))

    why = _why_not(table.sum(axis=0)[None], systems, ties, pseudo)
    if why:
        return Ranking((), model, None, *counts, method="", undefined=why)
    found = fit_to(source.counts[None])
    drawn = source.replicates(lambda weights: fit_to(weights).strengths)
    standings = _standings(found, drawn, source, systems, ties)
    order = sorted(range(len(systems)), key=lambda at: (-found.strengths[0, at], at))
    covariance = _inverse(found.information[0], len(systems))[np.ix_(order, order)]
    nu = None if found.log_nu is None else float(np.exp(found.log_nu[0]))
    added = f"; {pseudo:g} wins each way added to every pair of systems" if pseudo else ""
    tied = "" if ties or not counts[2] else "; a tie counts as half a win for each"
    return Ranking(
        tuple(standings[at] for at in order),
        model,
        nu,
        *counts,
        method=f"maximum likelihood{tied}{added}",
        covariance=tuple(tuple(row) for row in covariance.tolist()),
    )


def _by_item(judged: Sequence[Preference], systems: Sequence[Hashable]) -> tuple[Floats, list[Hashable]]:
    """For each item how often each pair of systems ended in each of three ways: a win of one, of the other, a tie."""
    size = len(systems)
    index = {system: at for at, system in enumerate(systems)}
    column = {pair: 3 * at for at, pair in enumerate(combinations(range(size), 2))}
    items = {item: at for at, item in enumerate(dict.fromkeys(each.item for each in judged))}
    table = np.zeros((len(items), 3 * len(column)))
    for each in judged:
        if each.left == each.right:
            raise ValueError(f"item {each.item!r} compares {each.left!r} with itself")
        one, other = sorted((index[each.left], index[each.right]))
        ended = 2 if each.outcome == "tie" else int(each.points_of(systems[one]) < 0)
        table[items[each.item], column[one, other] + ended] += 1
    return table, list(items)


def _tables(sums: Floats, size: int, ties: bool, pseudo: float) -> tuple[Floats, Floats | None]:
    """Sums (b, 3 x pairs) as tables of wins and, for Davidson, of ties: (b, S, S) each."""
    by_pair = sums.reshape(len(sums), sums.shape[1] // 3, 3)
    one, other = np.triu_indices(size, 1)
    wins = np.zeros((len(sums), size, size))
    tied = np.zeros_like(wins)
    wins[:, one, other], wins[:, other, one] = by_pair[..., 0] + pseudo, by_pair[..., 1] + pseudo
    tied[:, one, other] = tied[:, other, one] = by_pair[..., 2]
    return (wins, tied) if ties else (wins + tied / 2, None)


def _why_not(sums: Floats, systems: Sequence[Hashable], ties: bool, pseudo: float) -> str | None:
    if len(systems) < 2:
        return "there are no two systems to compare"
    wins, tied = _tables(sums, len(systems), ties, pseudo)
    if tied is not None and not wins.any():
        return "every comparison is a tie"
    if is_connected(wins)[0]:
        return None
    return why_not_connected(wins[0], systems, "wins" if tied is not None else "wins and ties")


def _inverse(information: Floats, size: int) -> Floats:
    """The covariance of strengths whose mean is 0, and of the tie parameter: only there has the information an inverse.

    The one direction of which nothing is known, all strengths moved alike, is filled in before and taken out after: a
    pseudo-inverse has to tell it by its size, and takes what rounding leaves of it for information.
    """
    unit = float(np.diag(information).max())
    filled, known = np.zeros_like(information), np.diag(information) > 0
    filled[:size, :size] = 1.0 / size
    filled[~known, ~known] = 1.0  # the tie parameter where there are no ties
    inverse: Floats = np.linalg.inv(information + unit * filled) - filled / unit
    return inverse


def _standings(
    found: Fit, drawn: Floats, source: Resamples, systems: Sequence[Hashable], ties: bool
) -> list[RankedSystem]:
    strengths = found.strengths[0]
    size = len(systems)
    worth: Floats = np.exp(strengths) / np.exp(strengths).sum()
    se = np.sqrt(np.diag(_inverse(found.information[0], size))[:size])
    # At the maximum the gradients of all units sum to 0: with a single unit they tell nothing of the error.
    robust = np.sqrt(np.maximum(np.diag(_sandwich(found, source, size, ties)), 0)) if source.n_units > 1 else None
    kept = drawn[~np.isnan(drawn).any(axis=1)]
    # Strengths that differ by rounding alone are equal.
    ranks = 1 + (np.round(kept[:, None, :], 8) > np.round(kept[:, :, None], 8)).sum(axis=2)
    first = ranks == 1
    best = (first / np.maximum(first.sum(axis=1, keepdims=True), 1)).sum(axis=0)
    standings = []
    for at, system in enumerate(systems):
        ci, method = percentiles(drawn[:, at], f"{source.unit}, {source.draws} draws, seed {source.seed}")
        ends = np.quantile(ranks[:, at], [0.025, 0.975], method="inverted_cdf").tolist() if len(kept) else None
        strength = float(strengths[at])
        standings.append(
            RankedSystem(
                system,
                Estimate("strength", strength, ci, source.n_items, method),
                float(se[at]),
                None if robust is None else float(robust[at]),
                float(worth[at]),
                1000 + ELO * strength,
                ci and (1000 + ELO * ci[0], 1000 + ELO * ci[1]),
                int(1 + (np.round(strengths, 8) > round(strength, 8)).sum()),
                None if ends is None else (int(ends[0]), int(ends[1])),
                float(best[at] / len(kept)) if len(kept) else None,
            )
        )
    return standings


def _sandwich(found: Fit, source: Resamples, size: int, ties: bool) -> Floats:
    """H^-1 (sum over units of g g') H^-1, from what each distinct row of the table adds to the gradient."""
    wins, tied = _tables(source.rows, size, ties, 0.0)
    played = wins + wins.transpose(0, 2, 1) + (0 if tied is None else tied)
    at = found.strengths
    if found.log_nu is not None:
        at = np.column_stack([at, np.maximum(found.log_nu, -700)])
    points, tie = expected_points(at, size, None if found.log_nu is None else found.log_nu > -np.inf)
    gradients = ((wins if tied is None else wins + tied / 2) - played * points).sum(axis=2)
    if tied is not None:
        gradients = np.column_stack([gradients, (tied - played * tie).sum(axis=(1, 2)) / 2])
    g, multiplicity = source.sums_of_units(gradients)
    meat = g.T @ (g * multiplicity[:, None])
    bread = _inverse(found.information[0], size)
    return np.asarray((bread @ meat @ bread)[:size, :size], dtype=np.float64)
