"""Which of two was preferred: shares, sign tests, sides, and scores beside them."""

import numpy as np
import pytest
from comparison_cases import played
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.statistics.comparison.preferences import (
    Preference,
    position_bias,
    scores_and_preference,
    swapped_pairs,
    win_rates,
)
from assay.statistics.wilson import wilson

outcomes = st.sampled_from(["left", "right", "tie"])
judged = st.lists(st.tuples(st.integers(0, 8), st.booleans(), outcomes), min_size=1, max_size=40)


def preferences_of(rows):
    return [Preference(item, *("AB" if straight else "BA"), outcome) for item, straight, outcome in rows]


def test_win_rates_are_worked_out_by_hand():
    found = win_rates(played([("A", "B", 12), ("B", "A", 5), ("A", "B", 3, "tie")]), "A", "B")
    assert (found.wins.value, found.ties.value, found.losses.value) == (0.6, 0.15, 0.25)
    assert found.wins.ci == wilson(12, 20)
    assert found.net.value == pytest.approx(7 / 20)
    assert found.sign_test.value == pytest.approx(12 / 17)
    assert found.sign_test.p == pytest.approx(2 * sum([1, 17, 136, 680, 2380, 6188]) / 2**17)
    assert found.sign_test_ties_split.value == pytest.approx(13 / 19)
    assert "3 tied items split, one left out" in found.sign_test_ties_split.method


def test_the_side_does_not_matter_only_the_system():
    straight = [Preference(n, "A", "B", "left") for n in range(10)]
    swapped = [Preference(n, "B", "A", "right") for n in range(10)]
    assert win_rates(straight, "A", "B") == win_rates(swapped, "A", "B")
    assert win_rates(swapped, "A", "B").wins.value == 1


@settings(deadline=None)
@given(rows=judged)
def test_win_rates_turn_round_and_sum_to_one(rows):
    preferences = preferences_of(rows)
    one, other = win_rates(preferences, "A", "B", draws=30), win_rates(preferences, "B", "A", draws=30)
    assert one.wins.value + one.ties.value + one.losses.value == pytest.approx(1)
    assert (one.wins.value, one.ties.value) == (other.losses.value, other.ties.value)
    assert one.net.value == pytest.approx(-other.net.value)
    assert -1 <= one.net.value <= 1
    assert (one.sign_test.p, one.sign_test_ties_split.p) == (other.sign_test.p, other.sign_test_ties_split.p)


def test_several_judgments_of_an_item_are_one_item_to_the_sign_test():
    # Item 1 goes to A by 2 of 3, item 2 to B, item 3 is even.
    rows = [(1, "left"), (1, "left"), (1, "right"), (2, "right"), (3, "left"), (3, "right")]
    found = win_rates([Preference(item, "A", "B", outcome) for item, outcome in rows], "A", "B")
    assert (found.sign_test.value, found.sign_test.n) == (0.5, 2)
    assert found.net.value == 0
    assert found.net.n == 3
    assert "3 items that count as 1.2 cases" in found.wins.method


def test_items_with_several_judgments_do_not_make_the_net_win_rate_surer():
    once = [Preference(n, "A", "B", "left" if n % 3 else "right") for n in range(60)]
    thrice = [each for each in once for _ in range(3)]
    for share in ("net", "wins"):
        one, three = (getattr(win_rates(judged, "A", "B"), share) for judged in (once, thrice))
        assert three.ci[0] <= one.ci[0]
        assert three.ci == pytest.approx(one.ci, abs=0.02), "as many items, whose spread is found from themselves"
    clusters = {n: n // 6 for n in range(60)}
    assert "clusters" in win_rates(once, "A", "B", clusters=clusters).net.method


def test_systems_that_never_met_have_no_win_rate():
    found = win_rates(played([("A", "C", 3)]), "A", "B")
    assert found.net.undefined == "they were never compared"
    assert found.wins.undefined == "there are no judgments"
    ties = win_rates(played([("A", "B", 4, "tie")]), "A", "B")
    assert ties.sign_test.undefined == "there are no decided items"
    assert ties.sign_test_ties_split.p == 1
    assert ties.net.value == 0


def test_the_net_win_rate_holds_the_truth_in_most_cases():
    chance = np.random.default_rng(6)
    held = 0
    for seed in range(150):
        drawn = chance.choice(["left", "right", "tie"], size=60, p=[0.5, 0.3, 0.2])
        found = win_rates(
            [Preference(n, "A", "B", each) for n, each in enumerate(drawn)], "A", "B", seed=seed, draws=200
        )
        held += found.net.ci[0] <= 0.2 <= found.net.ci[1]
    assert 0.88 <= held / 150 <= 0.99


# Position


def test_the_left_side_is_tested_among_decided_judgments():
    preferences = [Preference(n, "A", "B", "left") for n in range(9)] + [Preference(9, "A", "B", "right")]
    preferences += [Preference(10 + n, "B", "A", "tie") for n in range(5)]
    found = position_bias(preferences)
    assert (found.left_wins.value, found.left_wins.n, found.ties) == (0.9, 10, 5)
    assert found.left_wins.p == pytest.approx(2 * 11 / 1024)


def test_a_preference_that_follows_the_side_is_a_reversal_and_one_that_follows_the_system_is_not():
    both = [Preference(1, "A", "B", "left", "ann"), Preference(1, "B", "A", "left", "ann")]
    same = [Preference(2, "A", "B", "left", "ann"), Preference(2, "B", "A", "right", "ann")]
    half = [Preference(3, "A", "B", "tie", "ann"), Preference(3, "B", "A", "left", "ann")]
    others = [Preference(4, "A", "B", "left", "ann"), Preference(4, "B", "A", "left", "bo")]
    again = [Preference(5, "B", "A", "right", "ann"), Preference(5, "A", "B", "left", "ann")]
    found = position_bias(both + same + half + others + again)
    assert (found.reversals.value, found.reversals.n, found.half_decided) == (pytest.approx(1 / 3), 3, 1)


def test_judgments_are_used_in_one_swapped_pair_only():
    judged = [Preference(1, "A", "B", "left")] * 2 + [Preference(1, "B", "A", "left")]
    assert len(swapped_pairs(judged)) == 1
    assert swapped_pairs([Preference(1, "A", "B", "left")] * 2) == []


def test_without_decided_judgments_position_is_undefined():
    found = position_bias([Preference(1, "A", "B", "tie")])
    assert found.left_wins.undefined == "there are no decided judgments"
    assert found.reversals.undefined


@settings(deadline=None)
@given(rows=judged)
def test_swapping_all_sides_mirrors_the_share_of_the_left(rows):
    mirrored = {"left": "right", "right": "left", "tie": "tie"}
    preferences = preferences_of(rows)
    one = position_bias(preferences)
    other = position_bias([Preference(p.item, p.right, p.left, mirrored[p.outcome]) for p in preferences])
    if one.left_wins.value is not None:
        assert one.left_wins.value == pytest.approx(1 - other.left_wins.value)
        assert one.left_wins.p == pytest.approx(other.left_wins.p)


# Scores beside preferences


def test_scores_and_preferences_are_counted_with_their_ties():
    rows = [
        (1, 5, 3, "left"),
        (2, 2, 4, "right"),
        (3, 4, 2, "right"),
        (4, 3, 3, "left"),
        (5, 5, 1, "tie"),
        (6, 2, 2, "tie"),
    ]
    found = scores_and_preference(rows)
    assert found.agreement.value == pytest.approx(2 / 3)
    assert found.agreement_ties_half.value == pytest.approx(2.5 / 4)
    assert (found.equal_scores, found.tied_preferences, found.both_tied) == (1, 1, 1)


def test_scores_that_are_always_equal_decide_nothing():
    found = scores_and_preference([(n, 3, 3, "left") for n in range(5)])
    assert found.agreement.undefined == "no decided pair has different scores"
    assert found.agreement_ties_half.value == 0.5
    assert scores_and_preference([(1, 3, 4, "tie")]).agreement.undefined == "no preference was decided"


@settings(deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 5), st.integers(1, 3), st.integers(1, 3), outcomes), max_size=30))
def test_agreement_of_scores_and_preference_does_not_see_the_sides(rows):
    mirrored = {"left": "right", "right": "left", "tie": "tie"}
    one = scores_and_preference(rows, draws=20)
    other = scores_and_preference([(i, b, a, mirrored[o]) for i, a, b, o in rows], draws=20)
    assert one == other


def test_rows_of_one_source_are_drawn_together_beside_scores_too():
    # Ninety items in thirty groups, and what holds of one item of a group holds of all.
    rows = [(n, 4, 2, "left" if n // 3 % 4 else "right") for n in range(90)]
    alone = scores_and_preference(rows, seed=3)
    together = scores_and_preference(rows, seed=3, clusters={n: n // 3 for n in range(90)})
    for one, other in (
        (alone.agreement, together.agreement),
        (alone.agreement_ties_half, together.agreement_ties_half),
    ):
        assert one.value == other.value
        assert "30 clusters that count as" in other.method
        assert (other.ci[1] - other.ci[0]) / (one.ci[1] - one.ci[0]) == pytest.approx(np.sqrt(3), rel=0.15)
    few = scores_and_preference(rows[:60], clusters={n: n // 3 for n in range(60)})
    assert "20 clusters that count as" in few.agreement.method
    with pytest.raises(ValueError, match="has no cluster"):
        scores_and_preference(rows, clusters={0: "a"})
