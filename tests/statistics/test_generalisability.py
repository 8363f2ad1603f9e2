"""Variance components: published numbers, what another program finds, and exactly no bias in a design with gaps."""

import math

import numpy as np
import pytest

from assay.statistics.comparison.generalisability import FACTORS, variance_study

SHROUT_AND_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def drawn(seed, sizes, deviations, gaps=0.0):
    """Judgments of a design with all seven effects; some cells may be empty."""
    rng = np.random.default_rng(seed)
    levels = dict(zip(FACTORS, sizes, strict=True))
    sets = [("item",), ("system",), ("annotator",), ("item", "system"), ("item", "annotator"), ("system", "annotator")]
    effects = {
        each: deviation * rng.normal(size=[levels[name] for name in each])
        for each, deviation in zip(sets, deviations, strict=False)
    }
    rows = []
    for cell in np.ndindex(*sizes):
        at = dict(zip(FACTORS, cell, strict=True))
        value = 3 + sum(effect[tuple(at[name] for name in each)] for each, effect in effects.items())
        if rng.random() >= gaps:
            rows.append((*cell, float(value + deviations[-1] * rng.normal())))
    return rows


def test_the_table_of_shrout_and_fleiss_gives_their_correlations():
    rows = [(item, "", who, value) for item, given in enumerate(SHROUT_AND_FLEISS) for who, value in enumerate(given)]
    found = variance_study(rows)
    # BMS = 11.24, JMS = 32.49, EMS = 1.02.
    assert found.of("item") == pytest.approx((11.2417 - 1.0194) / 4, abs=1e-3)
    assert found.of("annotator") == pytest.approx((32.4861 - 1.0194) / 6, abs=1e-3)
    one, four = found.item_score(1), found.item_score(4)
    assert [round(each, 2) for each in (*one, *four)] == [0.71, 0.29, 0.91, 0.62]


def test_a_complete_design_gives_what_mixed_models_by_reml_give():
    pd, smf = pytest.importorskip("pandas"), pytest.importorskip("statsmodels.formula.api")
    rows = drawn(5, (12, 1, 5), (1.0, 0.0, 0.7, 0.0, 0.0, 0.0, 0.6))
    found = variance_study(rows)
    table = pd.DataFrame(rows, columns=["item", "system", "annotator", "value"]).assign(all=1)
    parts = {"item": "0 + C(item)", "annotator": "0 + C(annotator)"}
    model = smf.mixedlm("value ~ 1", table, groups="all", re_formula="0", vc_formula=parts).fit(reml=True)
    by_name = dict(zip(model.model.exog_vc.names, model.vcomp, strict=True))
    assert found.of("item") == pytest.approx(by_name["item"], rel=2e-3)
    assert found.of("annotator") == pytest.approx(by_name["annotator"], rel=2e-3)
    assert found.of("item", "annotator") == pytest.approx(model.scale, rel=2e-3)


@pytest.mark.parametrize("gaps", [0.0, 0.4])
def test_no_component_is_biased_whatever_the_gaps(gaps):
    """An estimate is a quadratic form: over the columns of an effect it adds up to 1 for this one, to 0 for others."""
    rows = drawn(8, (9, 3, 4), (1.0,) * 7, gaps)
    effects = [each.effect for each in variance_study(rows).components]
    assert len(effects) == 7
    for effect in effects:
        places = [FACTORS.index(name) for name in effect]
        cells = {tuple(row[place] for place in places) for row in rows}
        sums = dict.fromkeys(effects, 0.0)
        for cell in cells:
            column = [(*row[:3], float(tuple(row[place] for place in places) == cell)) for row in rows]
            for name, value in _signed(column).items():
                sums[name] += value
        assert sums == pytest.approx({name: float(name == effect) for name in effects}, abs=1e-8)


def _signed(rows):
    """The estimates with their signs: those below 0 are 0 in what is shown."""
    from assay.statistics.comparison.generalisability import _Cells, _codes

    codes = {name: _codes([row[place] for row in rows]) for place, name in enumerate(FACTORS)}
    cells = _Cells(codes, list(FACTORS))
    values = np.array([row[3] for row in rows])
    found = cells.solve(values, cells.effects(), np.ones(len(values), dtype=bool))
    return dict(zip(cells.effects(), found.tolist(), strict=True))


def test_intervals_over_items_hold_the_true_component():
    held = 0
    for seed in range(60):
        rows = drawn(seed, (60, 1, 4), (1.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.8), gaps=0.3)
        low, high = next(each.ci for each in variance_study(rows).components if each.effect == ("item",))
        held += low <= 1.0 <= high
    assert held >= 52


def test_what_the_design_cannot_tell_apart_is_told_together_or_not_at_all():
    nested = [(f"{system}{at}", system, who, at % 3 + who) for system in "AB" for at in range(6) for who in range(3)]
    assert [each.effect for each in variance_study(nested).components] == [
        ("system",), ("annotator",), ("item", "system"), ("system", "annotator"), ("item", "system", "annotator")
    ]  # fmt: skip
    alone = variance_study([(at, "A", at % 2, at % 5) for at in range(20)])
    assert alone.components == ()
    assert alone.undefined == "no item has two annotators, so what they differ about cannot be told from items"
    assert variance_study([(at, "A", "ann", 3.0) for at in range(9)]).undefined == "fewer than two annotators judged"
    assert variance_study([]).undefined == "fewer than two items were judged"


def test_more_items_and_more_annotators_buy_what_the_formulas_say():
    found = variance_study(drawn(3, (40, 3, 6), (1.0, 0.6, 0.4, 0.5, 0.3, 0.3, 0.7)))
    parts = found.of("item", "system"), found.of("system", "annotator"), found.of(*FACTORS)
    assert found.variance_of_difference(40, 6) == pytest.approx(2 * (parts[0] / 40 + parts[1] / 6 + parts[2] / 240))
    assert found.variance_of_difference(10**9, 6) == pytest.approx(2 * parts[1] / 6)
    assert found.variance_of_difference(10**9, 6, others=False) == pytest.approx(0, abs=1e-8)
    g, phi = found.system_score(40, 6)
    assert g == pytest.approx(found.of("system") / (found.of("system") + found.variance_of_difference(40, 6) / 2))
    assert phi < g
    assert math.isclose(sum(found.share(each) for each in found.components), 1.0)
