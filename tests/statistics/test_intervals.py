"""Bootstrap and jackknife."""

import math
from collections import Counter

import numpy as np
import pytest
from agreement_cases import names_at, sample, value_of
from tests.selection import first_of

from assay.kinds import STATISTICS
from assay.statistics import Draws, Ratings, agree, agree_counts, bootstrap
from assay.statistics.base import BlockSums, Tally
from assay.statistics.jackknife import atanh_interval, standard_error, t_quantile
from assay.statistics.pairs import TallyOfPairs
from assay.statistics.wilson import wilson

NAMES = names_at("ordinal")


def in_clusters(ratings, clusters):
    return Ratings(
        ratings.values, ratings.categories, ratings.level, ratings.items, ratings.annotators, np.asarray(clusters)
    )


def part(ratings, places):
    places = np.asarray(places)
    return Ratings(
        ratings.values[places],
        ratings.categories,
        ratings.level,
        tuple(range(len(places))),
        ratings.annotators,
    )


def replicates(draws, name):
    tally = STATISTICS[name].tally(draws.patterns)
    return np.concatenate([tally.values(weights) for weights in draws.weights()])


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    ratings = sample(1)
    assert agree(ratings, seed=7) == agree(ratings, seed=7)
    assert agree(ratings, seed=7)[0].ci != agree(ratings, seed=8)[0].ci


def test_an_interval_does_not_depend_on_what_else_is_asked():
    ratings = sample(1)
    together = {found.name: found for found in agree(ratings)}
    for name in NAMES:
        assert agree(ratings, [name]) == [together[name]]


def test_the_order_of_items_does_not_change_an_interval():
    ratings = sample(1)
    assert agree(part(ratings, np.arange(50)[::-1])) == agree(ratings)


def long_rows(n_items, n_annotators, missing, seed=1):
    """Judgments as they stand in a file: items and annotators by name, and a document for each two items."""
    ratings = sample(seed, n_items, n_annotators, missing=missing)
    rows = [
        (f"i{item}", f"a{who}", int(ratings.values[item, who]) + 1)
        for item, who in np.argwhere(ratings.values >= 0).tolist()
    ]
    return rows, {f"i{item}": f"doc{item // 2}" for item in range(n_items)}


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("n_annotators", [2, 5, 12])
@pytest.mark.parametrize("n_items", [20, 80])
@pytest.mark.parametrize("grouped", [False, True])
def test_the_order_of_rows_changes_nothing_to_the_last_bit(missing, n_annotators, n_items, grouped):
    rows, documents = long_rows(n_items, n_annotators, missing)
    clusters = documents if grouped else None
    first = agree(Ratings.from_long(rows, (1, 2, 3, 4, 5), "ordinal", clusters))
    rows = [rows[place] for place in np.random.default_rng(2).permutation(len(rows))]
    assert agree(Ratings.from_long(rows, (1, 2, 3, 4, 5), "ordinal", clusters)) == first


def test_the_names_of_documents_change_nothing():
    rows, documents = long_rows(80, 4, 0.2)
    first = agree(Ratings.from_long(rows, (1, 2, 3, 4, 5), "ordinal", documents))
    others = {item: document[::-1] for item, document in documents.items()}
    assert agree(Ratings.from_long(sorted(rows, key=lambda row: row[0][::-1]), (1, 2, 3, 4, 5), "ordinal", others)) == (
        first
    )


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize(("n_annotators", "n_items"), [(2, 20), (2, 80), (3, 1000), (5, 80), (12, 400)])
def test_counts_of_patterns_give_what_the_table_gives_to_the_last_bit(missing, n_annotators, n_items):
    ratings = sample(1, n_items, n_annotators, missing=missing)
    counts = Counter(tuple(sorted(value for value in row if value >= 0)) for row in ratings.values.tolist())
    counts.pop((), None)
    judged = [place for place, row in enumerate(ratings.values) if (row >= 0).any()]
    from_table = {each.name: each for each in agree(part(ratings, judged), seed=3)}
    found = agree_counts(counts, ratings.scale, n_annotators, seed=3)
    assert found == [from_table[each.name] for each in found]
    assert any(each.ci for each in found)


def test_draws_do_not_depend_on_how_many_are_held_at_a_time(monkeypatch):
    for n_items, n_annotators in ((60, 5), (2000, 3)):
        ratings = sample(1, n_items, n_annotators)
        at_once = np.concatenate([nameless for nameless, _ in Draws.of(ratings, draws=50).chunks(named=False)])
        with monkeypatch.context() as patch:
            patch.setattr(bootstrap, "CELLS", 7 * n_items)
            in_parts = np.concatenate([nameless for nameless, _ in Draws.of(ratings, draws=50).chunks(named=False)])
        assert (at_once == in_parts).all()


def test_all_items_are_drawn_in_every_draw():
    for n_annotators in (2, 5):
        draws = Draws.of(sample(1, n_items=400, n_annotators=n_annotators), draws=20)
        assert all((weights.sum(axis=1) == 400).all() for weights in draws.weights())


def test_few_patterns_are_drawn_as_patterns_and_many_as_items(monkeypatch):
    ratings = sample(1, n_items=400, n_annotators=2)
    few, many = Draws.of(ratings), Draws.of(sample(1, n_items=60, n_annotators=5))
    assert 8 * len(few.patterns.rows) < 400
    assert 8 * len(many.patterns.rows) >= 60
    calls = []
    monkeypatch.setattr(bootstrap, "_draw_members", lambda *args: calls.append(args) or np.ones((1, 1)))
    next(few.chunks(named=False))
    assert calls == []
    next(many.chunks(named=False))
    assert len(calls) == 1


@pytest.mark.parametrize("n_annotators", [2, 5])
@pytest.mark.parametrize(
    "name",
    first_of(
        ["krippendorff_alpha_ordinal"], ["cohen_kappa_quadratic", "percent_agreement"], "the same with other statistics"
    ),
)
def test_draws_of_patterns_have_the_law_of_draws_of_items(name, n_annotators):
    # The two-sample Kolmogorov-Smirnov distance stays below its 1 % point; mean and spread agree closely.
    ratings, n_draws = sample(2, n_items=400, n_annotators=n_annotators, missing=0.1), 2000
    draws = Draws.of(ratings, seed=11, draws=n_draws)
    assert (8 * len(draws.patterns.rows) < 400) == (n_annotators == 2)
    by_pattern = replicates(draws, name)
    rng = np.random.default_rng(12)
    by_item = np.array([value_of(part(ratings, rng.integers(0, 400, 400)), name) for _ in range(n_draws)])
    everywhere = np.concatenate([by_pattern, by_item])
    below = [np.searchsorted(np.sort(each), everywhere, side="right") / n_draws for each in (by_pattern, by_item)]
    assert np.abs(below[0] - below[1]).max() < 1.63 * math.sqrt(2 / n_draws)
    assert by_pattern.std() == pytest.approx(by_item.std(), rel=0.08)
    assert by_pattern.mean() == pytest.approx(by_item.mean(), abs=4 * by_item.std() / math.sqrt(n_draws / 2))


def test_draws_of_clusters_have_the_law_of_drawing_whole_clusters():
    ratings, n_draws, clusters = sample(2, n_items=200), 2000, np.arange(200) // 5
    name = "krippendorff_alpha_ordinal"
    fast = replicates(Draws.of(in_clusters(ratings, clusters), seed=11, draws=n_draws), name)
    rng = np.random.default_rng(12)
    members = np.arange(200).reshape(40, 5)
    slow = np.array([value_of(part(ratings, members[rng.integers(0, 40, 40)].ravel()), name) for _ in range(n_draws)])
    assert fast.std() == pytest.approx(slow.std(), rel=0.08)
    assert fast.mean() == pytest.approx(slow.mean(), abs=4 * slow.std() / math.sqrt(n_draws / 2))


def test_clusters_of_identical_items_widen_the_interval():
    ratings = sample(4, n_items=60)
    tenfold = part(ratings, np.repeat(np.arange(60), 10))
    (alone,) = agree(tenfold, ["krippendorff_alpha_ordinal"])
    (clustered,) = agree(in_clusters(tenfold, np.repeat(np.arange(60), 10)), ["krippendorff_alpha_ordinal"])
    assert clustered.method == "percentile bootstrap over clusters, 1000 draws, seed 0"
    assert clustered.value == alone.value
    # Ten times the items look like a tenth of the variance.
    assert 2.5 < (clustered.ci[1] - clustered.ci[0]) / (alone.ci[1] - alone.ci[0]) < 3.9


def test_clusters_are_counted_alike_with_much_and_with_little_memory(monkeypatch):
    ratings = in_clusters(sample(6, n_items=120), np.arange(120) % 40)
    by_table = Draws.of(ratings, seed=3, draws=1)
    (roomy,) = by_table.weights()
    monkeypatch.setattr(bootstrap, "CELLS", 1)
    (tight,) = Draws.of(ratings, seed=3, draws=1).weights()
    assert (roomy == tight).all()
    assert roomy.sum() == 120


@pytest.mark.parametrize("name", NAMES)
def test_sums_are_alike_dense_sparse_and_in_parts(name, monkeypatch):
    def drawn():
        return replicates(Draws.of(sample(5, n_items=100, n_annotators=5, missing=0.4), draws=30), name)

    usual = drawn()
    monkeypatch.setattr(BlockSums, "SPARSE", 0)
    assert np.allclose(drawn(), usual)
    monkeypatch.setattr(BlockSums, "SPARSE", 10**9)
    assert np.allclose(drawn(), usual)
    monkeypatch.setattr(Tally, "CELLS", 1)
    monkeypatch.setattr(TallyOfPairs, "KEPT", 0)
    assert np.allclose(drawn(), usual)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("clustered", [False, True])
def test_the_jackknife_is_that_of_leaving_out_one_unit_after_the_other(name, clustered):
    ratings = sample(7, n_items=24, n_annotators=4, missing=0.3)
    clusters = np.arange(24) // 3 if clustered else np.arange(24)
    draws = Draws.of(in_clusters(ratings, clusters) if clustered else ratings)
    weights, multiplicity = draws.without_one()
    fast = standard_error(STATISTICS[name].tally(draws.patterns).refit(weights), multiplicity)
    left_out = [value_of(part(ratings, np.flatnonzero(clusters != c)), name) for c in range(clusters.max() + 1)]
    n = len(left_out)
    assert multiplicity.sum() == n
    slow = math.sqrt((n - 1) / n * sum((v - sum(left_out) / n) ** 2 for v in left_out))
    assert fast == pytest.approx(slow, rel=1e-9)


def test_the_jackknife_is_used_below_thirty_items_and_named():
    assert agree(sample(1, n_items=29))[0].method == "jackknife over items on atanh scale"
    assert agree(sample(1, n_items=30))[0].method == "percentile bootstrap over items, 1000 draws, seed 0"
    few_clusters = in_clusters(sample(1, n_items=100), np.arange(100) % 20)
    assert agree(few_clusters)[0].method == "jackknife over clusters on atanh scale"


def test_items_with_one_judgment_do_not_make_many_of_few():
    values = np.full((1000, 2), -1)
    values[:, 0] = np.arange(1000) % 5
    values[:20, 1] = np.arange(20) % 4
    ratings = Ratings(values, (1, 2, 3, 4, 5), "ordinal", tuple(range(1000)), ("ann", "bo"))
    assert agree(ratings)[0].method == "jackknife over items on atanh scale"


def test_a_jackknife_interval_stays_in_range():
    rows = [(1, 1)] * 9 + [(1, 3)]
    for found in agree(Ratings.from_rows([*rows, (5, 5)], (1, 2, 3, 4, 5), "ordinal")):
        assert STATISTICS[found.name].lowest <= found.ci[0] < found.value < found.ci[1] <= 1.0


def test_agreement_without_exception_has_no_interval_of_no_width():
    for times, words in ((5, "leaving out any one gives the same value"), (20, "every draw gives the same value")):
        table = Ratings.from_rows([(1, 1), (2, 2)] * times, (1, 2), "nominal")
        share, alpha = agree(table, ["percent_agreement", "krippendorff_alpha_nominal"])
        assert share.ci == pytest.approx(wilson(2 * times, 2 * times)), "that of 10 in 10, and of 40 in 40"
        assert alpha.value == 1
        assert alpha.ci is None
        assert f"no interval: {words}, which does not tell how near the truth is" in alpha.method


def test_undefined_draws_are_left_out_and_counted():
    # One item in forty differs: about 36 % of draws miss it and show no variation.
    (found,) = agree(Ratings.from_rows([(1, 1)] * 39 + [(2, 2)], (1, 2), "nominal"), ["cohen_kappa"], seed=1)
    assert found.value == 1.0
    missed = int(found.method.split("undefined in ")[1].split()[0])
    assert 300 < missed < 430
    (found,) = agree(Ratings.from_rows([(1, 1)] * 9 + [(2, 2)], (1, 2), "nominal"), ["cohen_kappa"])
    assert "undefined without any of 1 items, which are left out" in found.method


def test_no_interval_is_given_for_one_item_or_without_draws():
    rows = [(1, 2, 1)]
    (found,) = agree(Ratings.from_rows(rows, (1, 2), "nominal"), ["percent_agreement"])
    assert found.ci is None
    assert found.method == "no interval: fewer than two items with two judgments"
    assert agree(sample(1), ["percent_agreement"], draws=0)[0].ci is None


def test_no_interval_is_given_that_does_not_hold_its_own_value(monkeypatch):
    # Sixty annotators, each pair with an item or two: drawing items twice over biases every pair. Hence the rule that
    # such pairs do not count, which is set aside here.
    monkeypatch.setattr("assay.statistics.pairs.ENOUGH", 1)
    values = np.full((600, 60), -1)
    rng = np.random.default_rng(1)
    for row in values:
        row[rng.choice(60, 3, replace=False)] = np.clip(np.round(rng.normal() + rng.normal(size=3) + 2), 0, 4)
    ratings = Ratings(values, (1, 2, 3, 4, 5), "ordinal", tuple(range(600)), tuple(range(60)))
    (found,) = agree(ratings, ["cohen_kappa_quadratic"])
    assert found.value is not None
    assert found.ci is None
    assert "no interval: the bias is larger than what chance explains" in found.method


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (20, 2.0860), (28, 2.0484), (120, 1.9799)],
)
def test_student_t_has_the_quantiles_of_the_tables(degrees, quantile):
    assert t_quantile(degrees) == pytest.approx(quantile, abs=5e-5)


def test_an_atanh_interval_is_longer_on_the_side_away_from_the_end_of_the_range():
    low, high = atanh_interval(0.8, 0.05, 20, lowest=-1.0)
    assert high - 0.8 < 0.8 - low


def test_an_atanh_interval_of_a_half_is_the_same_on_both_sides_for_a_share():
    low, high = atanh_interval(0.5, 0.05, 20, lowest=0.0)
    assert low + high == pytest.approx(1.0)


def test_an_interval_at_the_end_of_the_range_is_a_plain_one_cut_off_there():
    assert atanh_interval(-1.0, 0.1, 28, lowest=-1.0) == pytest.approx((-1.0, -1 + 0.20484), abs=1e-5)


def test_an_interval_without_a_lowest_value_is_one_of_the_log_of_what_is_missing_to_1():
    low, high = atanh_interval(-3.0, 0.5, 28, lowest=-math.inf)
    assert (1 - low) / 4 == pytest.approx(4 / (1 - high)) == pytest.approx(math.exp(2.0484 * 0.5 / 4), rel=1e-5)
    assert atanh_interval(1.0, 0.0, 28, lowest=-math.inf) == (1.0, 1.0)


def test_no_interval_is_given_that_has_no_lower_end():
    rows = [(1, 1, 1, 1), (1, 1, 3, None), (1, 2, 2, 2), (3, 2, 2, 1)]
    (found,) = agree(Ratings.from_rows(rows, (1, 2, 3), "ordinal"), ["icc_2_k"])
    assert found.value is not None
    assert found.ci is None
    assert "no interval: it has no lower end (jackknife over items on log scale)" in found.method


def test_the_log_scale_is_the_limit_of_the_others():
    without, far = (atanh_interval(0.4, 0.1, 28, lowest) for lowest in (-math.inf, -1e6))
    assert without == pytest.approx(far, abs=1e-5)


def test_a_value_below_its_range_is_not_cut_off_at_the_end_of_it():
    assert atanh_interval(-1.5, 0.1, 28, lowest=-1.0) == pytest.approx((-1.5 - 0.20484, -1.5 + 0.20484), abs=1e-5)


@pytest.mark.parametrize("n_items", [20, 50])
def test_intervals_cover_the_truth_about_as_often_as_they_claim(n_items):
    names = ["krippendorff_alpha_ordinal", "cohen_kappa_linear", "percent_agreement"]
    truth = {found.name: found.value for found in agree(sample(999, n_items=400_000), names, draws=0)}
    hits = dict.fromkeys(names, 0)
    for seed in range(200):
        for found in agree(sample(seed, n_items), names, seed=seed):
            hits[found.name] += found.ci[0] <= truth[found.name] <= found.ci[1]
    assert all(0.90 <= hit / 200 <= 0.99 for hit in hits.values()), hits
