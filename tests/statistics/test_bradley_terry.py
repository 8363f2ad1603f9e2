"""Systems ranked by preferences."""

import math
from itertools import combinations

import numpy as np
import pytest
from comparison_cases import CASES, played
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics.comparison.bradley_terry import ELO, rank_systems
from assay.statistics.comparison.paired_comparison import fit, is_connected, why_not_connected
from assay.statistics.comparison.preferences import Preference


def baseball():
    data = CASES["agresti_baseball_1987"]["data"]
    teams, wins = data["teams"], data["wins"]
    return played([(a, b, wins[i][j]) for i, a in enumerate(teams) for j, b in enumerate(teams)])


def pudding():
    games = []
    for i, j, _, wins_i, wins_j, ties in CASES["davidson1970_pudding"]["data"]["rows"]:
        games += [(i, j, wins_i), (j, i, wins_j), (i, j, ties, "tie")]
    return played(games)


def strengths(ranking):
    return {each.system: each.strength.value for each in ranking.standings}


def test_the_baseball_teams_of_agresti():
    case = CASES["agresti_baseball_1987"]
    found = rank_systems(baseball(), draws=100)
    assert [each.system for each in found.standings] == case["data"]["teams"]
    for team, ability in case["expected"]["log_ability"].items():
        difference, error = found.difference(team, "Baltimore")
        assert difference == pytest.approx(ability, abs=0.0005)
        assert error == pytest.approx(case["expected"]["se"].get(team, 0.0), abs=0.0005)


def test_the_puddings_of_davidson():
    case = CASES["davidson1970_pudding"]
    found = rank_systems(pudding(), ties=True, draws=100)
    worth = {each.system: each.worth for each in found.standings}
    assert [worth[i] for i in range(1, 7)] == pytest.approx(case["expected"]["worth"], abs=0.0002)
    assert found.nu == pytest.approx(case["expected"]["nu"], abs=0.0005)
    assert (found.n_comparisons, found.n_ties) == (745, 202)


def test_two_systems_have_the_log_of_their_odds():
    found = rank_systems(played([("A", "B", 30), ("B", "A", 10)]))
    assert found.difference("A", "B")[0] == pytest.approx(math.log(3))
    # By the model the log odds have the variance 1/30 + 1/10; and so they have by items that are independent.
    assert found.difference("A", "B")[1] == pytest.approx(math.sqrt(1 / 30 + 1 / 10))
    assert found.standings[0].se_robust == pytest.approx(math.sqrt(1 / 30 + 1 / 10) / 2)
    assert found.standings[0].elo - found.standings[1].elo == pytest.approx(ELO * math.log(3))
    assert pytest.approx(173.7178) == ELO


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("wins", [2, 9, 99, 799, 4999])
def test_one_loss_among_many_wins_has_the_error_of_its_log_odds(wins, ties):
    # What rounding leaves of the direction that nothing is known of must not pass for information.
    found = rank_systems(played([("A", "B", wins), ("B", "A", 1)]), ties=ties, draws=0)
    error = math.sqrt(1 / wins + 1)
    assert found.difference("A", "B") == pytest.approx((math.log(wins), error))
    for standing in found.standings:
        assert (standing.se, standing.se_robust) == pytest.approx((error / 2, error / 2))


def test_the_scale_of_elo_is_the_strength_with_its_interval_in_other_units():
    for each in rank_systems(baseball(), draws=100).standings:
        assert each.elo == pytest.approx(1000 + ELO * each.strength.value)
        assert each.elo_ci == pytest.approx(tuple(1000 + ELO * bound for bound in each.strength.ci))
    assert rank_systems(baseball(), draws=0).standings[0].elo_ci is None


def test_ties_are_half_a_win_for_each_in_bradley_terry():
    ties = rank_systems(played([("A", "B", 6), ("B", "A", 2), ("A", "B", 4, "tie")]))
    halves = rank_systems(played([("A", "B", 8), ("B", "A", 4)]))
    assert strengths(ties) == pytest.approx(strengths(halves))
    assert "half a win" in ties.method


def test_davidsons_model_of_two_systems_fits_the_three_shares():
    found = rank_systems(played([("A", "B", 40), ("B", "A", 10), ("A", "B", 30, "tie")]), ties=True)
    assert found.difference("A", "B")[0] == pytest.approx(math.log(4))
    assert found.nu == pytest.approx(30 / math.sqrt(400))  # ties over the geometric mean of wins


def test_without_ties_davidson_is_bradley_terry():
    games = [("A", "B", 7), ("B", "A", 3), ("B", "C", 4), ("C", "B", 5), ("A", "C", 2), ("C", "A", 2)]
    one, other = rank_systems(played(games), draws=50), rank_systems(played(games), ties=True, draws=50)
    assert strengths(one) == pytest.approx(strengths(other))
    assert other.nu == 0
    assert [each.se for each in one.standings] == pytest.approx([each.se for each in other.standings])
    assert [each.se_robust for each in one.standings] == pytest.approx([each.se_robust for each in other.standings])


tables = st.integers(2, 5).flatmap(
    lambda size: st.lists(st.lists(st.integers(1, 6), min_size=size, max_size=size), min_size=size, max_size=size)
)


@settings(deadline=None)
@given(table=tables)
def test_the_summit_has_expected_points_equal_to_those_won(table):
    wins = np.array(table, dtype=float) * (1 - np.eye(len(table)))
    t = fit(wins[None]).strengths[0]
    expected = (wins + wins.T) / (1 + np.exp(-(t[:, None] - t[None])))
    assert expected.sum(axis=1) == pytest.approx(wins.sum(axis=1), abs=1e-6)
    assert t.sum() == pytest.approx(0, abs=1e-9)


@settings(deadline=None)
@given(table=tables, ties=st.integers(1, 5))
def test_the_summit_of_davidson_has_expected_wins_and_ties_equal_to_those_seen(table, ties):
    size = len(table)
    wins = np.array(table, dtype=float) * (1 - np.eye(size))
    tied = float(ties) * (1 - np.eye(size))
    found = fit(wins[None], tied[None])
    t, nu = found.strengths[0], math.exp(found.log_nu[0])
    points, expected_ties = np.zeros(size), 0.0
    for i, j in combinations(range(size), 2):
        parts = np.array([math.exp(t[i]), math.exp(t[j]), nu * math.exp((t[i] + t[j]) / 2)])
        p = parts / parts.sum() * (wins[i, j] + wins[j, i] + tied[i, j])
        points[[i, j]] += p[0] + p[2] / 2, p[1] + p[2] / 2
        expected_ties += p[2]
    assert points == pytest.approx((wins + tied / 2).sum(axis=1), abs=1e-6)
    assert expected_ties == pytest.approx(tied.sum() / 2, abs=1e-6)


@settings(deadline=None)
@given(table=tables, ties=st.booleans())
def test_turning_all_results_round_turns_all_strengths_round(table, ties):
    wins = np.array(table, dtype=float) * (1 - np.eye(len(table)))
    tied = 2 * (1 - np.eye(len(table))) if ties else None
    one, other = (fit(each[None], None if tied is None else tied[None]).strengths[0] for each in (wins, wins.T))
    assert one == pytest.approx(-other, abs=1e-7)


@settings(deadline=None)
@given(size=st.integers(2, 6), n=st.integers(1, 9))
def test_balanced_data_have_equal_strengths(size, n):
    wins = float(n) * (1 - np.eye(size))
    assert fit(wins[None]).strengths[0] == pytest.approx(np.zeros(size), abs=1e-9)


def test_the_information_is_minus_the_second_derivative():
    wins = np.array([[0, 5, 2], [3, 0, 4], [1, 2, 0]], dtype=float)
    tied = np.array([[0, 2, 1], [2, 0, 3], [1, 3, 0]], dtype=float)
    found = fit(wins[None], tied[None])

    def likelihood(at):
        total = 0.0
        for i, j in combinations(range(3), 2):
            parts = np.array([at[i], at[j], at[3] + (at[i] + at[j]) / 2])
            logs = parts - np.log(np.exp(parts).sum())
            total += logs @ [wins[i, j], wins[j, i], tied[i, j]]
        return total

    at, step = np.array([*found.strengths[0], found.log_nu[0]]), 1e-4
    unit = np.eye(4) * step
    numeric = [
        [
            (likelihood(at + a + b) - likelihood(at + a - b) - likelihood(at - a + b) + likelihood(at - a - b))
            / (4 * step**2)
            for b in unit
        ]
        for a in unit
    ]
    assert found.information[0] == pytest.approx(-np.array(numeric), abs=1e-3)


# Whether there is a fit


def test_a_system_that_never_lost_has_no_finite_strength_and_this_is_said():
    found = rank_systems(played([("A", "B", 3), ("A", "C", 2), ("B", "C", 2), ("C", "B", 1)]))
    assert found.standings == ()
    assert (
        found.undefined
        == "A never lost to nor tied with any of the others (B, C), so nothing says how much stronger it is"
    )


def test_systems_that_never_met_cannot_be_ranked():
    found = rank_systems(played([("A", "B", 3), ("B", "A", 2), ("C", "D", 2), ("D", "C", 1)]))
    assert found.undefined == "no comparison links A, B with C, D"


def test_ties_alone_do_not_make_davidsons_model_finite():
    games = [("A", "B", 5), ("A", "B", 3, "tie")]
    assert "never lost to any of the others" in rank_systems(played(games), ties=True).undefined
    assert rank_systems(played(games)).undefined is None
    assert rank_systems(played([("A", "B", 3, "tie")]), ties=True).undefined == "every comparison is a tie"


def test_a_pseudo_count_is_added_only_when_asked_for_and_said():
    found = rank_systems(played([("A", "B", 3)]), pseudo=0.5)
    assert found.difference("A", "B")[0] == pytest.approx(math.log(3.5 / 0.5))
    assert "0.5 wins each way added to every pair" in found.method
    linked = rank_systems(played([("A", "B", 3), ("C", "D", 2)]), pseudo=0.1)
    assert len(linked.standings) == 4


def test_too_little_to_rank_is_refused_in_words():
    assert rank_systems([]).undefined == "there are no two systems to compare"
    with pytest.raises(ValueError, match="with itself"):
        rank_systems([Preference(1, "A", "A", "left")])


@settings(deadline=None)
@given(table=st.lists(st.lists(st.integers(0, 1), min_size=4, max_size=4), min_size=4, max_size=4))
def test_connection_is_that_of_walking_along_wins(table):
    wins = np.array(table, dtype=float) * (1 - np.eye(4))

    def reached(start):
        seen, waiting = {start}, [start]
        while waiting:
            for other in np.flatnonzero(wins[waiting.pop()]).tolist():
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    expected = all(len(reached(start)) == 4 for start in range(4))
    assert is_connected(wins[None]).tolist() == [expected]
    assert (why_not_connected(wins, "ABCD") is None) == expected
    assert np.isnan(fit(wins[None]).strengths).any() != expected


# Uncertainty


def test_ranks_and_the_best_come_from_draws_of_items():
    found = rank_systems(baseball())
    best = [each.p_best for each in found.standings]
    assert sum(best) == pytest.approx(1)
    assert best[0] == pytest.approx(0.57, abs=0.06)
    for each in found.standings:
        assert each.rank_ci[0] <= each.rank <= each.rank_ci[1]
        assert each.strength.ci[0] < each.strength.value < each.strength.ci[1]
        # Sandwich, model and bootstrap tell the same where the model is right and items are independent.
        assert each.se_robust == pytest.approx(each.se, rel=0.1)
        width = (each.strength.ci[1] - each.strength.ci[0]) / 3.92
        assert width == pytest.approx(each.se, rel=0.15)
    assert found.standings[0].rank_ci == (1, 4)


def test_equal_systems_share_their_rank_and_the_chance_to_be_best():
    games = [("A", "B", 20), ("B", "A", 20)]
    found = rank_systems(played(games), draws=4000)
    assert [each.rank for each in found.standings] == [1, 1]
    assert [each.p_best for each in found.standings] == pytest.approx([0.5, 0.5], abs=0.05)


def test_several_judgments_of_an_item_do_not_make_ranks_surer():
    once = [Preference(n, "A", "B", "left" if n % 3 else "right") for n in range(60)]
    one, thrice = rank_systems(once), rank_systems([each for each in once for _ in range(3)])
    assert one.standings[0].strength.ci == pytest.approx(thrice.standings[0].strength.ci)
    assert thrice.standings[0].se_robust == pytest.approx(one.standings[0].se_robust)
    assert thrice.standings[0].se == pytest.approx(one.standings[0].se / math.sqrt(3))
    clustered = rank_systems(once, clusters={n: n % 3 + 3 * (n // 12) for n in range(60)})
    assert clustered.standings[0].se_robust > one.standings[0].se_robust * 1.5


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 100))
def test_neither_the_order_of_judgments_nor_the_sides_matter(seed):
    judged = baseball()[::5] + played([("Baltimore", "Milwaukee", 2)])
    judged = [Preference(at, each.left, each.right, each.outcome) for at, each in enumerate(judged)]
    order = np.random.default_rng(seed).permutation(len(judged)).tolist()
    swapped = {"left": "right", "right": "left"}
    again = [
        judged[at]
        if at % 2
        else Preference(judged[at].item, judged[at].right, judged[at].left, swapped[judged[at].outcome])
        for at in order
    ]
    one, other = strengths(rank_systems(judged, draws=0)), strengths(rank_systems(again, draws=0))
    assert one == pytest.approx(other, abs=1e-8)


def test_without_draws_there_are_strengths_and_no_intervals():
    found = rank_systems(baseball(), draws=0).standings[0]
    assert (found.strength.ci, found.rank_ci, found.p_best, found.elo_ci) == (None, None, None, None)
    assert "no interval" in found.strength.method


def test_draws_without_a_fit_are_left_out_and_counted():
    found = rank_systems(played([("A", "B", 35), ("B", "A", 1)]))
    assert "undefined in" in found.standings[0].strength.method
    assert found.standings[0].strength.ci is not None


def test_the_interval_of_a_strength_holds_the_truth_in_most_cases():
    chance, truth = np.random.default_rng(7), np.array([0.5, 0.0, -0.5])
    held = 0
    for seed in range(100):
        judged = []
        for n in range(120):
            i, j = [(0, 1), (0, 2), (1, 2)][n % 3]
            wins = chance.random() < 1 / (1 + math.exp(truth[j] - truth[i]))
            judged.append(Preference(n, i, j, "left" if wins else "right"))
        by_system = {each.system: each for each in rank_systems(judged, seed=seed, draws=200).standings}
        low, high = by_system[0].strength.ci
        held += low <= 0.5 <= high
    assert 0.86 <= held / 100 <= 1
