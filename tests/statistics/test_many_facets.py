"""Ratings as a model: beside an independent fit, what is known in closed form, and data with a known truth."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from assay.statistics.climb import climb
from assay.statistics.comparison.many_facets import RatingModel, rating_model
from assay.statistics.facet_likelihood import Parameters
from assay.statistics.facet_table import FacetTable

STEPS = (-1.0, 0.2, 0.8)
Row = tuple[Any, Any, Any, float]


def made_up(
    seed: int, n_items: int, severities: dict[str, float], each: int = 3, apart: float = 0.5, spread: float = 1.2
) -> list[Row]:
    """Judgments of items by some of the annotators, by the model: two systems, so far apart."""
    rng, names, rows = np.random.default_rng(seed), sorted(severities), []
    for item in range(n_items):
        place = (item % 2) * apart + spread * rng.normal()
        for who in rng.choice(names, each, replace=False).tolist():
            logits = np.concatenate([[0.0], np.cumsum(place - severities[who] - np.array(STEPS))])
            shares = np.exp(logits - logits.max())
            rows.append((item, who, "AB"[item % 2], int(rng.choice(4, p=shares / shares.sum()))))
    return rows


SEVERITIES = {"ann": -0.8, "bo": 0.1, "cy": 0.7, "di": 0.0, "eve": 0.4, "fay": -0.4}


def severities(found: RatingModel) -> dict[Any, float]:
    return {each.annotator: each.severity.value or 0.0 for each in found.annotators}


def test_the_fit_is_that_of_a_direct_search_with_another_quadrature() -> None:
    """The likelihood written down again, judgment by judgment, with Gauss-Hermite nodes, and scipy's search."""
    rows = made_up(1, 60, {"ann": -0.6, "bo": 0.2, "cy": 0.4})
    nodes, weights = np.polynomial.hermite.hermgauss(60)
    places, shares = nodes * math.sqrt(2), weights / math.sqrt(math.pi)
    by_item: dict[Any, list[Row]] = {}
    for row in rows:
        by_item.setdefault(row[0], []).append(row)

    def minus_log_likelihood(x: np.ndarray[Any, Any]) -> float:
        mean = {"A": x[0], "B": x[1]}
        severity = {"ann": x[2], "bo": x[3], "cy": -x[2] - x[3]}
        steps = [0.0, x[4], x[5], -x[4] - x[5]]
        total = 0.0
        for judged in by_item.values():
            at_node = np.ones(len(places))
            for _, who, system, value in judged:
                logits = [
                    k * (mean[system] + math.exp(x[6]) * places - severity[who]) - sum(steps[: k + 1]) for k in range(4)
                ]
                at_node *= np.exp(logits[int(value)]) / np.sum([np.exp(each) for each in logits], axis=0)
            total -= math.log(float(at_node @ shares))
        return total

    direct = minimize(minus_log_likelihood, np.zeros(7), method="BFGS", options={"gtol": 1e-6})
    found = rating_model(rows, range(4))
    assert found.log_likelihood == pytest.approx(-direct.fun, abs=1e-4)
    assert severities(found) == pytest.approx(
        {"ann": direct.x[2], "bo": direct.x[3], "cy": -sum(direct.x[2:4])}, abs=2e-3
    )
    assert found.steps == pytest.approx([*direct.x[4:6], -sum(direct.x[4:6])], abs=2e-3)
    assert found.spread == pytest.approx(math.exp(direct.x[6]), abs=2e-3)


def test_two_annotators_are_as_far_apart_as_the_conditional_estimate_says_and_not_twice_as_far() -> None:
    """Of yes and no by two people the severity is log(n10 / n01) (Rasch 1960); joint estimates are twice that."""
    places = np.linspace(-5, 5, 2001) * 1.3
    shares = np.exp(-((places / 1.3) ** 2) / 2)
    shares /= shares.sum()
    first, second = (1 / (1 + np.exp(-(places - 0.3 - severity))) for severity in (-0.5, 0.5))
    yes_no, no_yes = float(shares @ (first * (1 - second))), float(shares @ ((1 - first) * second))
    counts = {(1, 1): float(shares @ (first * second)), (1, 0): yes_no, (0, 1): no_yes}
    counts[0, 0] = 1 - sum(counts.values())
    rows: list[Row] = []
    for (one, other), share in counts.items():
        for _ in range(round(4000 * share)):
            rows += [(len(rows), "ann", "A", one), (len(rows), "bo", "A", other)]
    rows = [(at // 2, who, system, value) for at, (_, who, system, value) in enumerate(rows)]
    found = severities(rating_model(rows, (0, 1)))
    apart = found["ann"] - found["bo"]
    assert abs(apart) == pytest.approx(abs(math.log(yes_no / no_yes)), abs=0.01) == pytest.approx(1.0, abs=0.01)


def test_slope_and_curvature_are_those_of_small_steps() -> None:
    likelihood = FacetTable.of(made_up(2, 40, SEVERITIES), range(4)).likelihood()
    rng = np.random.default_rng(0)
    vector = rng.normal(0, 0.3, likelihood.size)
    small = 1e-5 * np.eye(likelihood.size)
    by_steps = [
        (likelihood.value_and_slope(vector + step)[0] - likelihood.value_and_slope(vector - step)[0]) / 2e-5
        for step in small
    ]
    assert likelihood.value_and_slope(vector)[1] == pytest.approx(by_steps, abs=1e-5)

    def of_items(x: Any) -> Any:
        at = Parameters(x[:2], x[2:8], x[8:-1], float(x[-1]))
        return likelihood.posterior(likelihood.log_probabilities(at, *likelihood._pairs[:2]))[1]

    there = np.append(vector[:-1], 1.1)
    scores, information = likelihood.scores_and_information(Parameters(there[:2], there[2:8], there[8:-1], 1.1))
    assert scores == pytest.approx(
        np.array([(of_items(there + s) - of_items(there - s)) / 2e-5 for s in small]).T, abs=1e-6
    )
    wide = 10 * small
    second = [
        [
            float(
                (
                    of_items(there + a + b)
                    - of_items(there + a - b)
                    - of_items(there - a + b)
                    + of_items(there - a - b)
                ).sum()
            )
            / 4e-8
            for b in wide
        ]
        for a in wide
    ]
    assert -information == pytest.approx(np.array(second), abs=1e-4)


def test_what_is_put_in_comes_out_and_intervals_hold_it() -> None:
    centred = {who: value - sum(SEVERITIES.values()) / 6 for who, value in SEVERITIES.items()}
    held, apart = [], []
    for seed in range(25):
        found = rating_model(made_up(seed, 120, SEVERITIES), range(4))
        for each in found.annotators:
            assert each.severity.ci is not None
            held.append(each.severity.ci[0] <= centred[str(each.annotator)] <= each.severity.ci[1])
        apart.append(severities(found)["cy"] - severities(found)["ann"])
    assert np.mean(held) > 0.91, "150 intervals of 95 %"
    assert np.mean(apart) == pytest.approx(1.5, abs=0.1)


def test_fair_averages_hold_the_truth_where_severe_people_judged_one_system() -> None:
    """A and B are alike, and the severe half of the annotators judged most of A."""
    held, fooled = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rows: list[Row] = []
        for item in range(160):
            place = 1.2 * rng.normal()
            harsh = item % 2 == 0
            who = rng.choice(["cy", "eve", "ann"] if harsh else ["ann", "fay", "cy"], 2, replace=False).tolist()
            for name in who:
                logits = np.concatenate([[0.0], np.cumsum(place - 2 * SEVERITIES[name] - np.array(STEPS))])
                shares = np.exp(logits - logits.max())
                rows.append((item, name, "A" if harsh else "B", int(rng.choice(4, p=shares / shares.sum()))))
        first, second = rating_model(rows, range(4)).systems
        assert first.fair.ci is not None
        assert second.fair.ci is not None
        held.append(first.fair.ci[0] <= (second.fair.value or 0) <= first.fair.ci[1])
        fooled.append((second.raw.value or 0) - (first.raw.value or 0))
    assert np.mean(fooled) > 0.25, "as judged, B looks better by about 0.3 points"
    assert np.mean(held) > 0.7, "the interval of one holds the other, which varies too"


def test_where_everybody_judged_everything_the_fair_average_is_the_mean() -> None:
    found = rating_model(made_up(4, 150, {"ann": -0.6, "bo": 0.2, "cy": 0.4}, each=3), range(4))
    for each in found.systems:
        assert each.fair.value == pytest.approx(each.raw.value, abs=0.02)
        assert each.fair.ci == pytest.approx(each.raw.ci, abs=0.03)


def test_judgments_by_chance_fit_badly_and_others_fit() -> None:
    rng = np.random.default_rng(3)
    rows = [
        (item, who, system, int(rng.integers(0, 4)) if who == "eve" else value)
        for item, who, system, value in made_up(3, 300, SEVERITIES, spread=2.0)
    ]
    found = {each.annotator: each for each in rating_model(rows, range(4)).annotators}
    assert found["eve"].infit > 1.4
    assert found["eve"].outfit > 1.4
    assert all(0.6 < found[who].infit < 1.3 for who in ["ann", "bo", "cy", "di", "fay"])
    own = rating_model(made_up(3, 600, SEVERITIES), range(4)).annotators
    assert np.mean([each.infit for each in own]) == pytest.approx(1, abs=0.05)
    assert np.mean([each.outfit for each in own]) == pytest.approx(1, abs=0.05)


def test_parts_that_nobody_connects_are_said() -> None:
    one, other = made_up(1, 40, {"ann": 0, "bo": 1, "cy": 0}), made_up(2, 40, {"di": 0, "eve": 1, "fay": 0})
    found = rating_model([*one, *((("b", item), *rest) for item, *rest in other)], range(4))
    assert found.undefined is not None
    assert "2 parts (3, 3) that share no items" in found.undefined
    assert not found.systems


def test_those_at_the_end_of_the_scale_and_values_that_nobody_gave_are_left_out_and_said() -> None:
    rows = [
        (item, who, system, 3 if who == "fay" else min(value, 2))
        for item, who, system, value in made_up(1, 80, SEVERITIES)
    ]
    found = rating_model(rows, range(5))
    assert found.notes == (
        "fay gave nothing but the highest value, and is left out",
        "nobody gave 3, 4: the model does without",
    ) or found.notes == ("nobody gave 4: the model does without",)
    ended = rating_model([(i, w, s, 4 if w == "fay" else min(v, 2)) for i, w, s, v in rows], range(5))
    assert "fay gave nothing but the highest value, and is left out" in ended.notes
    assert "fay" not in severities(ended)


@pytest.mark.parametrize(
    ("rows", "scale", "why"),
    [
        ([], range(5), "no judgments"),
        ([(item, "ann", "A", item % 3) for item in range(40)], range(3), "fewer than two annotators"),
        (made_up(1, 12, SEVERITIES), range(4), "12 items have two judgments or more"),
        ([(item, who, "A", 1) for item in range(30) for who in "ab"], range(3), "every judgment is the same value"),
        ([(item, who, "A", item % 40) for item in range(80) for who in "ab"], range(101), "40 values has too many"),
    ],
)
def test_what_cannot_be_fitted_says_why(rows: list[Row], scale: range, why: str) -> None:
    found = rating_model(rows, scale)
    assert found.undefined is not None
    assert why in found.undefined
    assert (found.systems, found.annotators) == ((), ())


def test_people_who_never_meet_on_the_scale_have_no_finite_severity() -> None:
    rows = [(item, who, "A", (0 if who == "ann" else 2) + item % 2) for item in range(60) for who in ("ann", "bo")]
    found = rating_model(rows, range(4))
    assert found.undefined is not None


def test_wrong_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="9, given to item 1 by annotator 'ann', is not on the scale"):
        rating_model([(1, "ann", "A", 9)], range(5))
    with pytest.raises(ValueError, match="judged an item twice"):
        rating_model([(1, "ann", "A", 1), (1, "ann", "A", 2)], range(5))


def test_neither_the_order_of_rows_nor_names_of_clusters_matter() -> None:
    rows = made_up(5, 60, SEVERITIES)
    clusters = {item: item // 4 for item in range(60)}
    one = rating_model(rows, range(4), clusters)
    other = rating_model(rows[::-1], range(4), {item: f"c{number}" for item, number in clusters.items()})
    for first, second in zip(one.systems, other.systems, strict=True):
        assert first.fair.ci == pytest.approx(second.fair.ci, abs=1e-3)
        assert "over clusters" in first.fair.method
    assert [each.n_units for each in one.systems] == [15, 15]


def test_items_of_one_source_are_one_case_and_no_model_is_made() -> None:
    found = rating_model(made_up(5, 60, SEVERITIES), range(4), dict.fromkeys(range(60), "the same"))
    assert found.undefined == "all items share one source, so nothing tells how far others would be"
    two = rating_model(made_up(5, 60, SEVERITIES), range(4), {item: item % 2 for item in range(60)})
    assert all(each.fair.ci is None for each in two.systems), "each system has items of one source only"


def test_a_climb_that_finds_no_top_says_so() -> None:
    assert not climb(lambda x: (float(x.sum()), np.ones(2)), np.zeros(2), np.ones(2)).converged
