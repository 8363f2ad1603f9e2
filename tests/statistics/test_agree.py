"""What `agree` and `pairwise` answer, and what they say when there is no answer."""

import re

import numpy as np
import pytest
from agreement_cases import KAPPAS, names_at, sample, value_of

from assay.statistics import Ratings, agree, headline, pairwise

FIVE = (1, 2, 3, 4, 5)
ROWS = [(1, 2, 1), (3, 3, None), (4, 5, 5), (2, 2, 2), (5, 4, None)]


def test_a_nominal_scale_gets_only_what_needs_no_order():
    found = [c.name for c in agree(Ratings.from_rows(ROWS, FIVE, "nominal"))]
    assert found == [
        "krippendorff_alpha_nominal",
        "cohen_kappa",
        "percent_agreement",
        "gwet_ac1",
        "brennan_prediger",
        "fleiss_kappa",
        "scott_pi",
        "conger_kappa",
    ]


def test_an_ordinal_scale_gets_ordinal_alpha_first_and_the_rest_by_rank():
    assert [c.name for c in agree(Ratings.from_rows(ROWS, FIVE, "ordinal"))] == [
        "krippendorff_alpha_ordinal",
        "krippendorff_alpha_interval",
        "krippendorff_alpha_nominal",
        "cohen_kappa_quadratic",
        "cohen_kappa_linear",
        "cohen_kappa",
        "percent_agreement",
        "within_one_agreement",
        "gwet_ac2_quadratic",
        "gwet_ac2_linear",
        "gwet_ac1",
        "brennan_prediger",
        "fleiss_kappa",
        "scott_pi",
        "conger_kappa",
        "kendall_w",
        "icc_2_1",
        "icc_2_k",
        "icc_3_1",
        "icc_3_k",
        "icc_1_1",
        "icc_1_k",
    ]


@pytest.mark.parametrize(
    ("level", "first", "second"),
    [
        ("nominal", "krippendorff_alpha_nominal", "cohen_kappa"),
        ("ordinal", "krippendorff_alpha_ordinal", "krippendorff_alpha_interval"),
        ("interval", "icc_2_1", "krippendorff_alpha_interval"),
        ("ratio", "icc_2_1", "krippendorff_alpha_ratio"),
    ],
)
def test_the_headline_is_an_alpha_or_for_numbers_an_intraclass_correlation(level, first, second):
    assert headline(level) == first
    assert [each.name for each in agree(Ratings.from_rows(ROWS, FIVE, level), draws=0)][:2] == [first, second]


def test_named_statistics_come_in_the_order_named():
    names = ["percent_agreement", "krippendorff_alpha_interval", "cohen_kappa"]
    assert [c.name for c in agree(Ratings.from_rows(ROWS, FIVE, "ordinal"), names)] == names


def test_a_name_that_is_no_statistic_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"no statistic 'kapa'.*cohen_kappa"):
        agree(Ratings.from_rows(ROWS, FIVE, "ordinal"), ["kapa"])


def test_a_statistic_that_the_level_does_not_allow_is_undefined_with_the_reason():
    (found,) = agree(Ratings.from_rows(ROWS, FIVE, "nominal"), ["cohen_kappa_linear"])
    assert found.value is None
    assert found.ci is None
    assert found.undefined == (
        "cohen_kappa_linear needs a scale of level ordinal or interval or ratio, and this one is nominal"
    )


def test_counts_are_of_what_agreement_rests_on():
    rows = [(1, 2, None, None), (3, 3, 3, None), (5, None, None, None), (None, None, None, 2)]
    (found,) = agree(Ratings.from_rows(rows, FIVE, "ordinal"), ["percent_agreement"])
    assert (found.n_items, found.n_ratings, found.n_annotators) == (2, 5, 3)


NOTHING = "there are no judgments"
ALONE = "there is only one annotator"
APART = "no item has two judgments"
CONSTANT = "every judgment is the same value"
CONSTANT_WHERE_SHARED = "every judgment on an item that has two or more is the same value"


@pytest.mark.parametrize("name", names_at("ratio"))
@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], NOTHING),
        ([(1,), (2,), (3,)], ALONE),
        ([(1, None), (None, 2), (3, None)], APART),
        ([(2, 2), (2, 2), (2, 2)], CONSTANT),
        ([(2, 2), (2, 2), (None, 3)], CONSTANT_WHERE_SHARED),
    ],
)
def test_what_cannot_be_computed_is_undefined_with_the_reason(name, rows, reason):
    (found,) = agree(Ratings.from_rows(rows, FIVE, "ratio"), [name])
    if name in ("percent_agreement", "within_one_agreement") and reason in (CONSTANT, CONSTANT_WHERE_SHARED):
        assert found.value == 1.0
        assert found.undefined is None
        return
    assert found.value is None
    assert found.ci is None
    assert found.undefined == reason


def test_kappa_is_undefined_when_every_pair_is_constant_though_the_pairs_differ():
    rows = [(1, 1, None, None), (1, 1, None, None), (None, None, 2, 2)]
    (found,) = agree(Ratings.from_rows(rows, FIVE, "nominal"), ["cohen_kappa"])
    assert found.undefined == (
        "in every pair of annotators that shares enough items, both gave one and the same value throughout"
    )


@pytest.mark.parametrize(
    ("name", "rows", "reason"),
    [
        ("kendall_w", [(1, 2, None), (None, 2, 3), (3, None, 1)], "no item was judged by all 3 annotators"),
        ("kendall_w", [(1, 2, 3), (None, 2, 3)], "1 item was judged by all 3 annotators, and an order takes two"),
        ("kendall_w", [(1, 2), (1, 2)], "no annotator told any two of the items apart that all of them judged"),
        ("icc_2_1", [(1, 2, 4)], "only one item has two judgments"),
        ("icc_1_1", [(1, 2, 4), (5, None, None)], "only one item has two judgments"),
        ("icc_3_k", [(1, 2, None, None), (None, None, 4, 5)], "no annotator judged two of the items"),
        (
            "icc_3_1",
            [(1, 2, None), (None, 4, 5)],
            "the annotators share too few items to tell their severity from error",
        ),
        ("icc_1_k", [(1, 2), (2, 1)], "the items differ so little that the estimated variances add up to nothing"),
        ("icc_3_1", [(1, 2), (1, 2)], "the items differ so little that the estimated variances add up to nothing"),
    ],
)
def test_what_a_design_cannot_tell_is_undefined_with_the_reason(name, rows, reason):
    (found,) = agree(Ratings.from_rows(rows, FIVE, "interval"), [name])
    assert found.value is None
    assert found.undefined.startswith(reason)


def test_an_intraclass_correlation_of_words_is_undefined():
    (found,) = agree(Ratings.from_rows([("poor", "good"), ("good", "good")], ("poor", "good"), "ordinal"), ["icc_2_1"])
    assert found.undefined == "ICC(2,1) needs numbers, and the scale is poor, good"


def test_agreement_of_all_on_one_value_is_no_finding_though_some_formulas_give_one():
    for name in ("gwet_ac1", "gwet_ac2_quadratic", "brennan_prediger"):
        (found,) = agree(Ratings.from_rows([(2, 2)] * 40, FIVE, "ordinal"), [name])
        assert found.undefined == CONSTANT
        # In a draw it is what the formula says, so that draws without the odd item are not left out.
        (found,) = agree(Ratings.from_rows([(2, 2)] * 39 + [(2, 3)], FIVE, "ordinal"), [name])
        assert found.ci[1] == 1.0
        assert "left out" not in found.method


@pytest.mark.parametrize("name", ["cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic"])
def test_kappa_of_two_who_each_gave_one_value_is_0_by_its_formula_however_near_they_are(name):
    ratings = Ratings.from_rows([(3, 4)] * 30, (1, 2, 3, 4, 5), "ordinal")
    (found,) = agree(ratings, [name], draws=0)
    assert (found.value, found.undefined) == (0.0, None)


def test_fleiss_kappa_says_when_it_is_gwets():
    (found,) = agree(Ratings.from_rows(ROWS, FIVE, "nominal"), ["fleiss_kappa"])
    assert found.method.startswith("Gwet's generalisation to unequal numbers of judgments (2 to 3 an item); ")
    (found,) = agree(Ratings.from_rows([row[:2] for row in ROWS], FIVE, "nominal"), ["fleiss_kappa"])
    assert "Gwet" not in found.method


def test_w_says_on_which_items_it_rests():
    (found,) = agree(Ratings.from_rows(ROWS, FIVE, "ordinal"), ["kendall_w"])
    assert found.method.startswith("on the 3 of 5 items that all 3 annotators judged; ")
    complete = [row for row in ROWS if None not in row]
    assert found.value == value_of(Ratings.from_rows(complete, FIVE, "ordinal"), "kendall_w")
    assert "on the" not in agree(Ratings.from_rows(complete, FIVE, "ordinal"), ["kendall_w"])[0].method


def test_within_one_step_says_nothing_on_two_points():
    (found,) = agree(Ratings.from_rows([(0, 1), (1, 1)], (0, 1), "ordinal"), ["within_one_agreement"])
    assert found.value is None
    assert found.undefined == "the scale has 2 points, so that no two values are more than one step apart"


@pytest.mark.parametrize("name", [*KAPPAS, "scott_pi"])
def test_kappa_of_many_annotators_is_the_mean_over_their_pairs(name):
    ratings = sample(3, n_items=60, n_annotators=4, missing=0.3)
    (found,) = agree(ratings, [name])
    pairs = pairwise(ratings, name, draws=0)
    assert found.value == pytest.approx(sum(pair.coefficient.value for pair in pairs) / len(pairs))
    shared = [pair.coefficient.n_items for pair in pairs]
    assert found.method.startswith(
        f"mean over 6 pairs of annotators that share items ({min(shared)} to {max(shared)} each); jackknife"
    )


def test_a_pair_without_a_kappa_is_left_out_of_the_mean_and_said():
    rows = [(1, 1, None), (1, 1, None), (1, 1, None), (None, 1, 2), (None, 2, 2), (None, 3, 3)]
    ratings = Ratings.from_rows(rows, FIVE, "ordinal")
    (found,) = agree(ratings, ["cohen_kappa"])
    assert found.value == value_of(ratings.pair(1, 2), "cohen_kappa")
    assert "mean over 2 pairs of annotators that share items (3 to 3 each), 1 of them left out" in found.method


def crowd(n_items, n_annotators, each=3, seed=1):
    """Judgments of many annotators, so many on each item, by lot."""
    rng = np.random.default_rng(seed)
    values = np.full((n_items, n_annotators), -1)
    for row in values:
        heard = rng.normal() + rng.normal(size=each) + 2
        row[rng.choice(n_annotators, each, replace=False)] = np.clip(np.round(heard), 0, 4)
    return Ratings(values, FIVE, "ordinal", tuple(range(n_items)), tuple(range(n_annotators)))


@pytest.mark.parametrize("name", [*KAPPAS, "scott_pi"])
def test_a_crowd_whose_pairs_share_a_handful_of_items_has_no_mean_over_pairs(name):
    (found,) = agree(crowd(600, 60), [name])
    assert (found.value, found.ci) == (None, None)
    assert re.match(r"no two annotators share 20 items \(\d at most\), .* see Conger's kappa", found.undefined)


@pytest.mark.parametrize("name", [*KAPPAS, "scott_pi"])
def test_pairs_count_that_share_twenty_items_and_the_method_says_how_many_they_are(name):
    ratings = crowd(200, 8)
    pairs = pairwise(ratings, name, draws=0)
    counted = [pair.coefficient.value for pair in pairs if pair.coefficient.n_items >= 20]
    assert 0 < len(counted) < len(pairs)
    (found,) = agree(ratings, [name])
    assert found.value == pytest.approx(sum(counted) / len(counted))
    shared = [pair.coefficient.n_items for pair in pairs if pair.coefficient.n_items >= 20]
    said = f"mean over {len(counted)} of {len(pairs)} pairs of annotators, those that share 20 items or more "
    assert found.method.startswith(f"{said}({min(shared)} to {max(shared)} each); jackknife")
    assert found.ci[0] < found.value < found.ci[1]


@pytest.mark.parametrize(("n_items", "least"), [(39, 20), (38, 19), (37, 19), (12, 6), (3, 2), (400, 20)])
def test_in_a_small_study_a_pair_counts_that_shares_half_of_the_items(n_items, least):
    # Two share everything; a third shares `least` items with them, then one less.
    rng = np.random.default_rng(n_items)
    for shared, counted in ((least, 3), (least - 1, 1)):
        values = rng.integers(0, 5, size=(n_items, 3))
        values[shared:, 2] = -1
        ratings = Ratings(values, FIVE, "ordinal", tuple(range(n_items)), ("ann", "bo", "cy"))
        pairs = pairwise(ratings, "cohen_kappa_linear", draws=0)
        values = [pair.coefficient.value for pair in pairs][:counted]
        assert value_of(ratings, "cohen_kappa_linear") == pytest.approx(sum(values) / counted)


@pytest.mark.parametrize("name", [*KAPPAS, "scott_pi"])
@pytest.mark.parametrize("n_items", [2, 5, 19])
def test_every_pair_of_a_small_table_without_gaps_counts_and_so_do_two_annotators_alone(name, n_items):
    ratings = sample(4, n_items=n_items, n_annotators=3)
    pairs = [pair.coefficient.value for pair in pairwise(ratings, name, draws=0)]
    defined = [value for value in pairs if value is not None]
    assert len(defined) == 3
    assert value_of(ratings, name) == pytest.approx(sum(defined) / 3)


def test_kappa_of_two_annotators_has_nothing_to_say_of_pairs():
    (found,) = agree(sample(3, n_annotators=2), ["cohen_kappa"])
    assert found.method == "percentile bootstrap over items, 1000 draws, seed 0"


def test_pairwise_tells_of_each_pair_with_the_items_they_share():
    rows = [(1, 2, None), (3, 3, None), (4, 5, None), (2, 2, 1)]
    pairs = pairwise(Ratings.from_rows(rows, FIVE, "ordinal"), "cohen_kappa_linear")
    assert [(pair.first, pair.second, pair.coefficient.n_items) for pair in pairs] == [(0, 1, 4), (0, 2, 1), (1, 2, 1)]
    assert all(pair.coefficient.n_annotators == 2 for pair in pairs)


def test_pairwise_names_a_pair_that_shares_nothing():
    rows = [("x", "ann", 1), ("y", "bo", 2)]
    (pair,) = pairwise(Ratings.from_long(rows, FIVE, "ordinal"), "cohen_kappa")
    assert (pair.first, pair.second) == ("ann", "bo")
    assert pair.coefficient.value is None
    assert pair.coefficient.n_items == 0
    assert pair.coefficient.undefined == NOTHING


def test_many_annotators_who_share_little_get_the_same_value_by_the_sparse_way():
    ratings = sample(5, n_items=300, n_annotators=12, missing=0.7)
    pairs = [pair.coefficient for pair in pairwise(ratings, "cohen_kappa_quadratic", draws=0)]
    defined = [pair.value for pair in pairs if pair.n_items >= 20]
    assert len(defined) > 30
    assert value_of(ratings, "cohen_kappa_quadratic") == pytest.approx(sum(defined) / len(defined))
