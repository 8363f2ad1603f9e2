"""Every quantity of the canonical cases is reproduced here, or stands here with the reason why it is not.

The cases are published numbers: `canonical.json` lists what each of them is to give, `known.json` (agreement) and
`comparisons.json` (comparisons) hold their data.
"""

import json
from dataclasses import fields
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from agreement_cases import CASES as AGREEMENT
from agreement_cases import ratings_of, value_of
from comparison_cases import CASES as COMPARISONS
from comparison_cases import played

from assay.kinds import STATISTICS
from assay.statistics import Draws, Patterns, by_category, reliability_of_mean
from assay.statistics.comparison import weighted_formulas
from assay.statistics.comparison.binary_tests import binomial_test, clopper_pearson, mcnemar_chi_square
from assay.statistics.comparison.bradley_terry import rank_systems
from assay.statistics.comparison.precision import items_for_icc
from assay.statistics.comparison.rank_tests import wilcoxon
from assay.statistics.jackknife import standard_error
from assay.statistics.rest_kappa import rest_kappa

LISTED = json.loads((Path(__file__).parent / "canonical.json").read_text("utf-8"))
"""For each case of the list the value and the tolerance of each of its quantities."""

LEFT_OUT = {
    ("kendall_tau_hollander_wolfe", "p_exact"): "tau stands beside its interval: there is no test of zero",
    ("wine_ordinal_mixed_model", "laplace"): "a cumulative logit with random effects is no statistic of this program",
    ("wine_ordinal_mixed_model", "agq10"): "a cumulative logit with random effects is no statistic of this program",
}

NAMES = {
    "observed_agreement": "percent_agreement",
    "weighted_kappa_linear": "cohen_kappa_linear",
    "weighted_kappa_quadratic": "cohen_kappa_quadratic",
    "gwet_ac:linear": "gwet_ac2_linear",
    "gwet_ac:quadratic": "gwet_ac2_quadratic",
    "krippendorff_alpha_gwet:quadratic": "krippendorff_alpha_interval",
    "krippendorff_alpha_gwet:ratio": "krippendorff_alpha_ratio",
    **{f"alpha_{level}": f"krippendorff_alpha_{level}" for level in ("nominal", "ordinal", "interval", "ratio")},
    **{f"ICC({form},{of})": f"icc_{form}_{of}" for form, of in product("123", "1k")},
}
"""The words of the list for coefficients that have a name here."""
FAMILIES = {
    "gwet_ac": "gwet_ac1",
    "krippendorff_alpha_gwet": "krippendorff_alpha_nominal",
    "fleiss": "fleiss_kappa",
}
"""What other weights are put into, where a coefficient has no name with these."""


def disagreements(weights, values):
    """Gwet's weights (2014, chapter 3), as disagreements from 0 to 1."""
    apart, total = np.abs(np.subtract.outer(values, values)), np.add.outer(values, values)
    places = np.abs(np.subtract.outer(range(len(values)), range(len(values))))
    table = {
        "identity": (apart > 0) * 1.0,
        "linear": apart,
        "quadratic": apart**2,
        "ordinal_gwet": (places + 1) * places / 2,  # pairs of the categories from the one to the other
        "ratio": (apart / np.maximum(total, 1)) ** 2,
        "radical": np.sqrt(apart),
    }[weights]
    return table / table.max()


def with_weights(name, table, patterns):
    """A coefficient with weights of disagreement under which it has no name."""
    statistic = STATISTICS[name]
    settings = {field.name: getattr(statistic, field.name) for field in fields(statistic)}
    if "metric" in settings:
        return type(statistic)(**{**settings, "metric": lambda scale: table}).tally(patterns)
    kind = type("Weighted", (type(statistic),), {"weights": lambda self, scale: table})
    return kind(**settings).tally(patterns)


def in_agreement(case, quantity):
    """One quantity of a table of ratings."""
    if case == "feinstein_cicchetti_1990_paradox":
        return [in_agreement(f"{case}_{number}", quantity) for number in (1, 2, 3, 4)]
    ratings, name = ratings_of(AGREEMENT[case]), NAMES.get(quantity, quantity)
    patterns = Patterns.of(ratings)
    if name in STATISTICS and ratings.level in STATISTICS[name].levels:
        return value_of(ratings, name)
    if quantity == "expected_agreement":
        # kappa = (p_a - p_e) / (1 - p_e), turned round.
        agreed, kappa = (value_of(ratings, n) for n in ("percent_agreement", BY_CHANCE[case]))
        return (agreed - kappa) / (1 - kappa)
    if quantity == "fleiss_category_kappa":
        return [each.value for each in by_category(ratings, draws=0).values()]
    if quantity == "weighted_kappa_custom":
        disagreement = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]])  # Cohen (1968)
        one, other = ratings.values.T.tolist()
        return rest_kappa(one, [[place] for place in other], disagreement).value
    family, _, weights = quantity.replace("_quadratic", ":quadratic").partition(":")
    table = disagreements(weights or "identity", ratings.scale.positions)
    if family == "percent_agreement":
        tally = with_weights("fleiss_kappa", table, patterns)
        apart, items = tally.sums(tally.observed_weights)[0, :2]
        return 1 - apart / items
    family = family.replace("gwet_ac2", "gwet_ac")
    return with_weights(FAMILIES.get(family, family), table, patterns).value()


BY_CHANCE = {"wikipedia_fleiss_14_raters": "fleiss_kappa", "cohen1960_ex1": "cohen_kappa"}


def baseball(quantity):
    data = COMPARISONS["agresti_baseball_1987"]["data"]
    games = [
        (a, b, times)
        for a, row in zip(data["teams"], data["wins"], strict=True)
        for b, times in zip(data["teams"], row, strict=True)
    ]
    found = rank_systems(played(games), draws=0)
    place = ("log_ability", "se").index(quantity)
    return {team: found.difference(team, "Baltimore")[place] for team in data["teams"]}


def pudding(quantity):
    games = []
    for i, j, _, wins_i, wins_j, ties in COMPARISONS["davidson1970_pudding"]["data"]["rows"]:
        games += [(i, j, wins_i), (j, i, wins_j), (i, j, ties, "tie")]
    found = rank_systems(played(games), ties=True, draws=0)
    worth = {each.system: each.worth for each in found.standings}
    return found.nu if quantity == "nu" else [worth[number] for number in sorted(worth)]


def tau(quantity):
    data = COMPARISONS["kendall_tau_hollander_wolfe"]["data"]
    x, y = np.array(data["x"]), np.array(data["y"])
    return float(getattr(weighted_formulas, quantity)(x, y)(np.ones((1, len(x))))[0])


def conover(quantity):
    data = COMPARISONS["binomial_conover"]["data"]
    k, n = data["k"], data["n"]
    return binomial_test(k, n, 0.75) if quantity == "p_value" else list(clopper_pearson(k, n))


def mcnemar_of(quantity):
    (_, b), (c, _) = COMPARISONS["mcnemar_agresti"]["data"]["table"]
    statistic, p = mcnemar_chi_square(b, c, correction=quantity.endswith("_cc"))
    return p if "_p" in quantity else statistic


def signed_ranks(quantity):
    data = COMPARISONS["wilcoxon_hollander_wolfe"]["data"]
    found = wilcoxon(np.subtract(data["x"], data["y"]))
    # Above the middle, to one side is half of to both.
    return {"V": found.value, "p_two_sided": found.p, "p_greater": found.p / 2}[quantity]


COMPARED = {
    "agresti_baseball_1987": baseball,
    "davidson1970_pudding": pudding,
    "kendall_tau_hollander_wolfe": tau,
    "binomial_conover": conover,
    "mcnemar_agresti": mcnemar_of,
    "wilcoxon_hollander_wolfe": signed_ranks,
    "walter_eliasziw_donner_1998": lambda _: items_for_icc(0.6, 0.8, k=2),
    "spearman_brown_from_shrout_fleiss": lambda _: reliability_of_mean(0.7148407148, 4),
}
QUANTITIES = [(case, quantity) for case, quantities in LISTED.items() for quantity in quantities]
ERRORS = [(case, quantity) for case, quantity in QUANTITIES if quantity == "se_kappa"]


@pytest.mark.parametrize(("case", "quantity"), [each for each in QUANTITIES if each not in {*LEFT_OUT, *ERRORS}])
def test_a_canonical_quantity_is_reproduced(case, quantity):
    expected, tolerance = LISTED[case][quantity]
    found = COMPARED[case](quantity) if case in COMPARED else in_agreement(case, quantity)
    if isinstance(expected, dict):
        found = {name: found[name] for name in expected}
    assert found == pytest.approx(expected, abs=tolerance, rel=0)


@pytest.mark.parametrize(("case", "quantity"), ERRORS)
def test_a_canonical_standard_error_by_theory_is_that_of_leaving_out_items_and_of_drawing_them(case, quantity):
    # Intervals here are no multiples of it, so it is met to what many items leave, and the draws to their number.
    expected, _ = LISTED[case][quantity]
    draws = Draws.of(ratings_of(AGREEMENT[case]), seed=1, draws=4000)
    tally = STATISTICS["cohen_kappa"].tally(draws.patterns)
    left_out, times = draws.without_one()
    assert standard_error(tally.values(left_out), times) == pytest.approx(expected, rel=0.03)
    assert np.concatenate([tally.values(each) for each in draws.weights()]).std() == pytest.approx(expected, rel=0.05)


def test_every_quantity_that_is_left_out_is_one_of_the_list_and_says_why():
    assert set(LEFT_OUT) <= set(QUANTITIES)
    assert all(len(reason) > 20 for reason in LEFT_OUT.values())


def test_the_list_is_whole():
    assert (len(LISTED), len(QUANTITIES)) == (25, 109)
