"""What is computed once for many uses is what each of them would compute by itself."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.judgments.canonical_order import in_canonical_order
from assay.quality import MonitorData
from assay.report.annotator_work import AnnotatorWork
from assay.report.figures import FigureData
from assay.report.figures.comparisons import ComparisonsFigure
from assay.report.page import LINE, as_text
from assay.report.sections.limits import LimitsSection
from assay.statistics import Ratings
from assay.statistics.comparison.resample import Resamples
from assay.statistics.pairs import _count_at_once, _count_judgment_by_judgment
from assay.statistics.patterns import Patterns
from tests.report.comparing import ROUTES, data, scores

VALUES = {"A": [2, 3, 4, 5, 3] * 5, "B": [1, 2, 3, 4, 2] * 5}


def test_annotators_share_the_work_of_monitors_where_nobody_is_left_out() -> None:
    judgments = scores(VALUES)
    work = MonitorData(study=ROUTES, judgments=judgments, items={})
    whole = data(ROUTES, judgments, work=work)
    assert AnnotatorWork(whole).work is work
    assert AnnotatorWork(replace(whole, work=None)).work.residuals == work.residuals
    without = AnnotatorWork(replace(whole, excluded={"p1": "left"})).work
    assert without is not work
    assert {each.annotator for each in without.judgments} == {"p0"}
    assert whole.whole is whole
    assert replace(whole, excluded={"p1": "left"}).whole.excluded == {}


def test_judgments_are_put_in_order_once() -> None:
    whole = data(ROUTES, scores(VALUES))
    assert replace(whole, seed=1).judgments is whole.judgments
    some = in_canonical_order(whole.judgments).part(lambda each: each.annotator == "p1")
    assert MonitorData(study=ROUTES, judgments=some, items={}).judgments is some
    assert some == in_canonical_order(reversed(some))


def test_what_a_report_shows_twice_is_computed_once() -> None:
    whole = data(ROUTES, scores(VALUES))
    assert ComparisonsFigure().numbers(FigureData(whole)) is ComparisonsFigure().numbers(FigureData(whole))
    assert LimitsSection().numbers(whole) is LimitsSection().numbers(whole)


@given(st.lists(st.lists(st.sampled_from([-1, -1, -1, 0, 1]), min_size=7, max_size=7), min_size=1, max_size=15))
def test_items_that_two_share_are_the_same_by_whichever_way_they_are_counted(rows: list[list[int]]) -> None:
    ratings = Ratings(np.array(rows), (0, 1), "nominal", tuple(range(len(rows))), tuple("abcdefg"))
    patterns = Patterns.of(ratings)
    most = int(patterns.n_judgments.max())
    assert _count_judgment_by_judgment(patterns, most).tolist() == _count_at_once(patterns).tolist()


@pytest.mark.parametrize("clusters", [None, [at // 3 for at in range(60)]])
def test_draws_that_are_kept_are_those_that_would_be_made_again(clusters: list[int] | None) -> None:
    table = np.random.default_rng(3).integers(0, 4, (60, 2)).astype(float)
    source = Resamples(table, clusters, seed=5)
    again = [np.concatenate(list(way())) for way in (source.weights, source.weights, source._draw_in_steps)]
    assert (again[0] == again[1]).all()
    assert (again[0] == again[2]).all()


VALUE: Any = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=6), st.dictionaries(st.text(max_size=60), inner, max_size=6)),
    max_leaves=40,
)


@given(VALUE)
def test_readable_json_is_json_and_one_line_where_that_is_short(value: Any) -> None:
    text = as_text(value)
    assert json.loads(text) == value
    plain = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or len(plain) <= LINE:
        assert text == plain
    else:
        assert "\n" in text
