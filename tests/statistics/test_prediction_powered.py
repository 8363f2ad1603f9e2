"""Estimates from people and judges: the numbers of ppi-python, and what must hold whatever a judge says.

`ppi.json` holds what ppi-python gave, in an environment of its own: it brings 667 MB with it, numba among them, which
is too much for a test. `tools/ppi_oracle.py` writes it. How often intervals hold the truth is drawn in
`test_coverage_tool.py`.
"""

import json
from importlib.util import find_spec
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.coverage_judges import SCENARIOS
from tools.coverage_scenario import share_of
from tools.ppi_oracle import differences as apart
from tools.ppi_oracle import drawn
from tools.ppi_oracle import main as oracle

from assay.statistics.comparison.prediction_powered import difference_with_judge, mean_with_judge
from assay.statistics.estimate import mean_of
from assay.statistics.powered_sample import PoweredSample

FILE = json.loads((Path(__file__).parent / "ppi.json").read_text("utf-8"))
KNOWN, DIFFERENCES = FILE["cases"], FILE["differences"]
Z = NormalDist().inv_cdf(0.975)


def sample(people, judge, **more):
    """People on the first items, judges on all."""
    judges = judge if isinstance(judge[0], list) else [judge]
    return PoweredSample.of(dict(enumerate(people)), [dict(enumerate(each)) for each in judges], **more)


@pytest.mark.parametrize("case", KNOWN, ids=lambda case: case["name"])
@pytest.mark.parametrize("at", range(4))
def test_with_a_given_weight_the_mean_and_its_error_are_those_of_ppi_python(case, at):
    known, n, every = case["known"][at], len(case["people"]), len(case["judge"])
    # Theirs is the weight of items without people, ours of all items.
    weight = known["lam"] * every / (every - n)
    found = mean_with_judge(sample(case["people"], case["judge"]), weights=[weight])
    assert found.both.value == pytest.approx(known["value"], abs=1e-12)
    # Theirs is a normal interval with variances divided by n, ours divides that of people's items by n - 1.
    theirs = ((known["ci"][1] - known["ci"][0]) / 2 / Z) ** 2
    others = known["lam"] ** 2 * np.var(case["judge"][n:]) / (every - n)
    assert found.errors[1] ** 2 == pytest.approx(others + (theirs - others) * n / (n - 1), rel=1e-9)


@pytest.mark.parametrize("case", KNOWN, ids=lambda case: case["name"])
def test_with_a_fitted_weight_the_mean_is_near_that_of_ppi_python(case):
    found = mean_with_judge(sample(case["people"], case["judge"]))
    tuned = case["tuned"]
    if "hostile" in case["name"]:  # there the weight is cut off at 0: people alone
        assert found.weights[0] < -0.3
        assert tuned["value"] == pytest.approx(found.people.value)
        return
    assert found.both.value == pytest.approx(tuned["value"], abs=np.ptp(tuned["ci"]) / 8)
    assert np.ptp(found.both.ci) == pytest.approx(np.ptp(tuned["ci"]), rel=0.1)


def two_samples(case):
    """Both systems of a case; answers to the same prompt are one unit."""
    for at in (0, 1):
        clusters = {item: item if case["paired"] else f"{at}-{item}" for item in range(len(case["judge"][at]))}
        yield PoweredSample.of(
            dict(enumerate(case["people"][at])), [dict(enumerate(case["judge"][at]))], clusters=clusters
        )


@pytest.mark.parametrize("case", DIFFERENCES, ids=lambda case: case["name"])
@pytest.mark.parametrize("at", range(4))
def test_with_given_weights_a_difference_and_its_error_are_those_of_ppi_python(case, at):
    known, n, every = case["known"][at], len(case["people"][0]), len(case["judge"][0])
    weight = known["lam"] * every / (every - n)
    found = difference_with_judge(*two_samples(case), weights=[weight, weight])
    assert found.both.value == pytest.approx(known["value"], abs=1e-12)
    theirs = ((known["ci"][1] - known["ci"][0]) / 2 / Z) ** 2
    one, two = (np.array(each[n:]) for each in case["judge"])
    spread = np.var(one - two) if case["paired"] else np.var(one) + np.var(two)
    others = known["lam"] ** 2 * spread / (every - n)
    if case["paired"]:
        assert found.errors[1] ** 2 == pytest.approx(others + (theirs - others) * n / (n - 1), rel=1e-9)
    else:  # units of both systems stand in one sum, which is divided once
        assert found.errors[1] ** 2 == pytest.approx(others + (theirs - others) * n / (n - 1), rel=0.02)


@pytest.mark.parametrize("case", DIFFERENCES, ids=lambda case: case["name"])
def test_with_fitted_weights_a_difference_is_near_that_of_ppi_python(case):
    found, tuned = difference_with_judge(*two_samples(case)), case["tuned"]
    assert found.both.value == pytest.approx(tuned["value"], abs=np.ptp(tuned["ci"]) / 8)
    assert np.ptp(found.both.ci) == pytest.approx(np.ptp(tuned["ci"]), rel=0.1)


def test_the_data_of_the_oracle_are_what_its_tool_draws():
    for kind, cases in drawn().items():
        stored = {each["name"]: each for each in FILE[kind]}
        for each in cases:
            assert each == {name: stored[each["name"]][name] for name in each}


def test_the_oracle_says_what_it_lacks_or_gives_the_stored_numbers(capsys):
    if find_spec("ppi_py") is None:
        assert oracle([]) == 2
        assert "ppi_py is not installed here" in capsys.readouterr().err
    else:
        assert oracle([]) == 0, capsys.readouterr().out


def test_a_number_that_is_not_the_stored_one_is_found():
    changed = json.loads(json.dumps(FILE))
    changed["differences"][0]["tuned"]["value"] += 1e-6
    assert [each.split(":")[0] for each in apart(changed, FILE)] == ["/differences/0/tuned/value"]
    assert list(apart(FILE, FILE)) == []


def test_people_alone_are_the_mean_with_students_interval():
    people = KNOWN[0]["people"]
    found, known = mean_with_judge(sample(people, KNOWN[0]["judge"])).people, mean_of(people)
    assert (found.value, *found.ci) == pytest.approx((known.value, known.low, known.high))


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.floats(-9, 9), st.floats(0.1, 9))
def test_a_judge_on_another_scale_gives_the_same_estimate(seed, shift, factor):
    rng = np.random.default_rng(seed)
    judge = rng.normal(size=60)
    people = (judge[:25] + rng.normal(size=25)).tolist()
    found = mean_with_judge(sample(people, judge.tolist()), seed=seed)
    turned = mean_with_judge(sample(people, (shift - factor * judge).tolist()), seed=seed)
    assert turned.both.value == pytest.approx(found.both.value, abs=1e-9)
    assert turned.both.ci == pytest.approx(found.both.ci, abs=1e-9)
    assert turned.weights[0] == pytest.approx(-found.weights[0] / factor, abs=1e-9)


def test_a_judge_that_always_says_the_same_has_no_weight():
    found = mean_with_judge(sample([1.0, 2, 3, 4, 5] * 4, [3.0] * 60))
    assert found.weights == (0.0,)
    assert found.both.ci == pytest.approx(found.people.ci)
    assert found.times == pytest.approx(1.0)


def test_a_judge_that_is_people_makes_people_of_all_items():
    rng = np.random.default_rng(4)
    values = rng.normal(size=400)
    found = mean_with_judge(sample(values[:100].tolist(), values.tolist()))
    assert found.both.value == pytest.approx(values.mean(), abs=0.01)
    assert found.times == pytest.approx(4.0, rel=0.15)
    assert found.variance[1] < 0.05 * found.variance[0]


def test_strata_count_by_their_items_and_not_by_the_people_that_were_asked():
    people = {item: 1.0 + 0.01 * (item % 5) for item in range(10)} | {100 + item: 5.0 for item in range(30)}
    judge = {item: float(item % 7) for item in [*range(90), *range(100, 190)]}
    strata = {item: item // 100 for item in judge}
    found = mean_with_judge(PoweredSample.of(people, [judge], strata=strata))
    assert found.people.value == pytest.approx((1.02 + 5.0) / 2)
    assert mean_with_judge(PoweredSample.of(people, [judge])).people.value == pytest.approx(4.005)


def test_what_two_systems_have_in_common_cancels_out_of_their_difference():
    rng = np.random.default_rng(1)
    hard = 3 * rng.normal(size=200)
    first, second = (dict(enumerate(hard + 0.3 * rng.normal(size=200) + shift)) for shift in (0.5, 0.0))
    judges = [{item: value + 0.1 for item, value in each.items()} for each in (first, second)]
    asked = [{item: each[item] for item in range(60)} for each in (first, second)]
    together = difference_with_judge(*(PoweredSample.of(asked[at], [judges[at]]) for at in (0, 1)))
    apart = {item: f"other {item}" for item in range(200)}
    alone = difference_with_judge(
        PoweredSample.of(asked[0], [judges[0]]), PoweredSample.of(asked[1], [judges[1]], apart)
    )
    assert np.ptp(together.both.ci) < 0.2 < np.ptp(alone.people.ci)
    assert together.both.value == pytest.approx(0.5, abs=0.1)


def test_two_judges_have_a_weight_each_and_with_few_items_one_between_them():
    rng = np.random.default_rng(3)
    truth = rng.normal(size=300)
    judges = [(truth + 0.5 * rng.normal(size=300)).tolist(), rng.normal(size=300).tolist()]
    many = mean_with_judge(sample(truth[:80].tolist(), judges))
    assert many.weights[0] > 0.6 > 0.2 > abs(many.weights[1])
    assert len(mean_with_judge(sample(truth[:15].tolist(), judges)).weights) == 1


@pytest.mark.parametrize(
    ("people", "judge", "why"),
    [
        ([1.0] * 5, [1.0] * 60, "fewer than 10 independent items"),
        ([1.0, 2.0] * 30, [1.0] * 60, "people judged every item"),
    ],
)
def test_where_there_is_nothing_to_put_together_it_says_why(people, judge, why):
    found = mean_with_judge(sample(people, judge))
    assert found.both.value is None
    assert why in found.both.undefined


def test_a_stratum_that_nobody_has_judged_yet_has_no_estimate():
    people, judge = dict.fromkeys(range(20), 1.0), dict.fromkeys(range(60), 1.0)
    found = mean_with_judge(PoweredSample.of(people, [judge], strata={item: item // 30 for item in range(60)}))
    assert "fewer than two items so far" in found.both.undefined


def test_a_share_never_leaves_its_ends_and_has_a_width_where_all_say_yes():
    rng = np.random.default_rng(2)
    found = mean_with_judge(sample([1.0] * 30, rng.random(90).tolist()), ends=(0.0, 1.0))
    assert found.both.value == 1.0
    assert found.both.ci[0] == pytest.approx(0.886, abs=0.01)
    assert found.both.ci[1] == 1.0


@pytest.mark.thorough("4,000 simulated studies with good, poor and hostile judges")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.name)
def test_intervals_with_a_judge_hold_in_four_thousand_studies(scenario):
    found = share_of(scenario, 4000, first=9000)
    assert scenario.least <= found.value <= scenario.most, found.value
