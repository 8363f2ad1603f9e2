"""Which of two was preferred: shares of wins, sign tests, whether the side mattered, whether scores say the same."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from assay.model import Estimate
from assay.statistics.arrays import np
from assay.statistics.comparison.any_time import ratio_at_any_time, skewness
from assay.statistics.comparison.binary_tests import binomial_test
from assay.statistics.comparison.measure import share
from assay.statistics.comparison.resample import Resamples, clusters_of
from assay.statistics.draws import DRAWS, SEED
from assay.statistics.finite import refuse_beyond

Outcome = Literal["left", "right", "tie"]


@dataclass(frozen=True, slots=True)
class Preference:
    """One judgment of a pair: which system stood on which side, and which side won.

    Example:
        >>> Preference("i1", left="A", right="B", outcome="right").points_of("A")
        -1
    """

    item: Hashable
    left: Hashable
    right: Hashable
    outcome: Outcome
    annotator: Hashable = None

    def points_of(self, system: Hashable) -> int:
        """1 where this system won, -1 where it lost, 0 for a tie."""
        won = {"left": 1, "right": -1, "tie": 0}[self.outcome]
        return won if system == self.left else -won


@dataclass(frozen=True, slots=True)
class WinRates:
    """One system against another."""

    system: Hashable
    against: Hashable
    wins: Estimate
    ties: Estimate
    losses: Estimate
    net: Estimate
    """Wins minus losses, over all judgments."""
    sign_test: Estimate
    """The share of items won among those decided, with the exact p-value."""
    sign_test_ties_split: Estimate
    """The same with each side given half of the tied items."""
    cases: float = 0.0
    """How many independent judgments of a pair the net win rate is worth."""
    skew: float = 0.0
    """The skewness of the net wins of items, or of clusters."""
    at_any_time: tuple[Estimate, ...] = ()
    """Wins, ties and losses as they may be looked at at any time."""


def win_rates(
    preferences: Iterable[Preference],
    system: Hashable,
    against: Hashable,
    clusters: Mapping[Any, Hashable] | None = None,
    seed: int = SEED,
    draws: int = DRAWS,
) -> WinRates:
    """Shares of wins, ties and losses, the net win rate (W - L) / n, and sign tests, of two systems.

    Judgments of one item, and items that share a source, are no independent cases: shares have Wilson's interval for
    as many cases as the items (or clusters of them) are worth, and so has the net win rate, as 2 s - 1 of the share
    s = (W + T / 2) / n. The sign tests look at items, or at clusters where items share a source: of several judgments
    on one the side with more wins has it, and of several items of a cluster the side with more of these. Without ties,
    p is that of a fair coin thrown once for each decided item or cluster. With ties split, half of the tied ones goes
    to each side (an odd one to none), which is nearer to "no difference" the more ties there are. Both are shown
    because they answer different questions.

    References: Dixon, W. J. & Mood, A. M. (1946). The statistical sign test. Journal of the American Statistical
    Association 41. Coakley, C. W. & Heise, M. A. (1996). Versions of the sign test in the presence of ties. Biometrics
    52.

    Example:
        >>> outcomes = ["left"] * 6 + ["tie"] * 3 + ["right"]
        >>> judged = [Preference(i, "A", "B", outcome) for i, outcome in enumerate(outcomes)]
        >>> found = win_rates(judged, "A", "B")
        >>> found.wins.value, found.net.value, found.sign_test.p, round(found.sign_test_ties_split.p, 3)
        (0.6, 0.5, 0.125, 0.18)
    """
    points: dict[Hashable, list[int]] = defaultdict(list)
    for each in preferences:
        if {each.left, each.right} == {system, against}:
            points[each.item].append(each.points_of(system))
    counts = np.array([[of.count(1), of.count(0), of.count(-1)] for of in points.values()], dtype=float).reshape(-1, 3)
    groups = clusters_of(points, clusters)
    source = Resamples(counts, groups, seed, draws)
    total, cases, never = source.rows.sum(axis=1), int(counts.sum()), "they were never compared"
    shares = [
        replace(source.share(name, source.rows[:, column], total, "there are no judgments", cases), n=cases)
        for column, name in enumerate(("wins", "ties", "losses"))
    ]
    net = source.share("net", source.rows[:, 0] + source.rows[:, 1] / 2, total, never, cases, lowest=-1)
    signs = np.sign(counts[:, 0] - counts[:, 2])
    of = "items"
    if groups is not None:
        numbers: dict[Hashable, int] = {}
        codes = [numbers.setdefault(group, len(numbers)) for group in groups]
        signs, of = np.sign(np.bincount(codes, weights=signs)), "clusters"
    wins, ties, losses = shares
    tests = _sign_tests(signs.astype(int).tolist(), of)
    worth = source.cases(source.rows[:, 0] + source.rows[:, 1] / 2, total, cases) if cases else 0.0
    skew = skewness(*source.ratio_of_units(source.rows[:, 0] - source.rows[:, 2], total))
    looked_at = tuple(
        ratio_at_any_time(name, *source.ratio_of_units(source.rows[:, column], total), 0.0, 1.0)
        for column, name in enumerate(("wins", "ties", "losses"))
    )
    return WinRates(system, against, wins, ties, losses, net, *tests, cases=worth, skew=skew, at_any_time=looked_at)


def _sign_tests(signs: Sequence[int], of: str) -> tuple[Estimate, Estimate]:
    """Of items, or clusters of them: 1 for a win, -1 for a loss, 0 for a tie."""
    wins, losses, ties = signs.count(1), signs.count(-1), signs.count(0)
    decided, half = wins + losses, ties // 2
    odd = ", one left out" if ties % 2 else ""
    alone, split = binomial_test(wins, decided), binomial_test(wins + half, decided + 2 * half)
    return (
        share("sign_test", wins, decided, f"decided {of}", alone, f"; {ties} tied {of} left out"),
        share("sign_test_ties_split", wins + half, decided + 2 * half, of, split, f"; {ties} tied {of} split{odd}"),
    )


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Whether the side decided. Each share has its count, its n and Wilson's interval in it."""

    left_wins: Estimate
    """The share of wins of the left (or first) side among decided judgments; p is that of a fair coin."""
    ties: int
    reversals: Estimate
    """Of judgments asked again with sides swapped and decided both times: how many then preferred the other system."""
    half_decided: int
    """How many swapped pairs were decided once and tied once, which counts as neither."""


def position_bias(preferences: Iterable[Preference]) -> PositionBias:
    """How often the left side won among decided judgments, and how often a preference did not survive a swap of sides.

    With sides given by lot the left side wins half of them, whatever the systems; p is the exact binomial one. Swapped
    duplicates are judgments of one annotator on one item and the same two systems, once each way round.

    Reference: Zheng, L. et al. (2023). Judging LLM-as-a-judge with MT-Bench and Chatbot Arena. NeurIPS (position bias);
    Conover, W. J. (1971) for the test.

    Example:
        >>> judged = [Preference(i, "A", "B", "left") for i in range(8)] + [Preference(0, "B", "A", "left")]
        >>> found = position_bias(judged)
        >>> found.left_wins.value, round(found.left_wins.p, 4), found.reversals.value
        (1.0, 0.0039, 1.0)
    """
    judged = list(preferences)
    left, decided = (sum(each.outcome in sides for each in judged) for sides in (("left",), ("left", "right")))
    pairs = swapped_pairs(judged)
    both = [(one, other) for one, other in pairs if "tie" not in (one.outcome, other.outcome)]
    reversed_ = sum(one.points_of(one.left) != other.points_of(one.left) for one, other in both)
    return PositionBias(
        left_wins=share("left_wins", left, decided, "decided judgments", binomial_test(left, decided)),
        ties=len(judged) - decided,
        reversals=share("reversals", reversed_, len(both), "swapped duplicates decided both times"),
        half_decided=sum((one.outcome == "tie") != (other.outcome == "tie") for one, other in pairs),
    )


def swapped_pairs(preferences: Iterable[Preference]) -> list[tuple[Preference, Preference]]:
    """Judgments of one annotator on one item and two systems, once each way round, each used in one pair.

    Example:
        >>> judged = [Preference(1, "A", "B", "left"), Preference(1, "B", "A", "right"), Preference(2, "A", "B", "tie")]
        >>> len(swapped_pairs(judged))
        1
    """
    waiting: dict[tuple[Any, ...], list[Preference]] = defaultdict(list)
    pairs = []
    for each in preferences:
        mirrored = waiting[each.item, each.annotator, each.right, each.left]
        if mirrored:
            pairs.append((mirrored.pop(0), each))
        else:
            waiting[each.item, each.annotator, each.left, each.right].append(each)
    return pairs


@dataclass(frozen=True, slots=True)
class ScoresAndPreference:
    """Whether the side with the higher score is the one that was preferred."""

    agreement: Estimate
    """Among pairs with different scores and a decided preference."""
    agreement_ties_half: Estimate
    """Among all decided preferences, equal scores counted as half right."""
    equal_scores: int
    """How many decided preferences have equal scores."""
    tied_preferences: int
    """How many pairs with different scores were a tie; they count in neither share."""
    both_tied: int


def scores_and_preference(
    rows: Iterable[tuple[Hashable, float, float, Outcome]],
    seed: int = SEED,
    draws: int = DRAWS,
    clusters: Mapping[Any, Hashable] | None = None,
) -> ScoresAndPreference:
    """Do scores and preferences say the same? `rows` are (item, score of the left, score of the right, outcome).

    The share of decided pairs in which the side with the higher score was preferred,

        agreement = right / (right + wrong)        agreement_ties_half = (right + equal / 2) / (right + wrong + equal)

    with Wilson's interval, for as many cases as the items (or clusters of items that share a source) are worth. What
    ties do is stated: preferences that are ties are counted beside it, and where scores are equal the second share
    gives half a point.

    Reference: Novikova, J., Dušek, O. & Rieser, V. (2018). RankME: reliable human ratings for natural language
    generation. NAACL (scores against rankings).

    Example:
        >>> found = scores_and_preference([(1, 4, 2, "left"), (2, 3, 3, "left"), (3, 1, 5, "left"), (4, 5, 2, "tie")])
        >>> found.agreement.value, found.agreement_ties_half.value, found.equal_scores, found.tied_preferences
        (0.5, 0.5, 1, 1)
    """
    by_item: dict[Hashable, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    tied = both = 0
    for item, left, right, outcome in rows:
        refuse_beyond([left, right])
        order = int(np.sign(left - right))
        if outcome == "tie":
            tied, both = tied + (order != 0), both + (order == 0)
            continue
        preferred = 1 if outcome == "left" else -1
        column = 1 if order == 0 else (0 if order == preferred else 2)
        by_item[item][column] += 1
    table = np.array(list(by_item.values())).reshape(-1, 3)
    source = Resamples(table, clusters_of(by_item, clusters), seed, draws)
    right_ones, equal, all_ = source.rows[:, 0], source.rows[:, 1], source.rows.sum(axis=1)
    nothing = "no preference was decided"
    return ScoresAndPreference(
        source.share(
            "agreement",
            right_ones,
            all_ - equal,
            "no decided pair has different scores" if len(table) else nothing,
            most=float((table.sum(axis=1) - table[:, 1]).sum()),
        ),
        source.share("agreement_ties_half", right_ones + equal / 2, all_, nothing, most=float(table.sum())),
        equal_scores=int(table[:, 1].sum()),
        tied_preferences=tied,
        both_tied=both,
    )
