"""Scores as columns are what each judgment says by itself, and none of them is held as an object."""

import gc
from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from hypothesis import given
from hypothesis import strategies as st

from assay.judgments.canonical_order import in_canonical_order
from assay.model import Judgment
from assay.quality import MonitorData, find_flags
from assay.quality.score_tables import Residual, ResidualTable, Score, ScoreTable
from tests.report.comparing import ROUTES, scores

SIDE = st.sampled_from(["left", "right"])
GIVEN = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 3), SIDE), st.tuples(st.integers(1, 5), st.integers(0, 3)), max_size=30
)


def judgment(item: str, who: str, side: str, value: int, position: int) -> Judgment:
    system = {"left": "A", "right": "B"}[side]
    about = item, system, ("A", "B"), "", who, "coherence", side, "", value
    return Judgment(f"{who}-{item}", *about, 1, 1, 0, 1000 + value, None, "", "", position=position)


def tables(rows: dict[tuple[int, int, str], tuple[int, int]]) -> tuple[Sequence[Judgment], ScoreTable]:
    given = in_canonical_order(
        judgment(f"i{item}", f"p{who}", side, value, position) for (item, who, side), (value, position) in rows.items()
    )
    return given, ScoreTable(given, [float(str(each.value)) for each in given])


@given(GIVEN)
def test_a_score_stands_beside_the_mean_of_the_others_on_the_same(
    rows: dict[tuple[int, int, str], tuple[int, int]],
) -> None:
    given, table = tables(rows)
    assert list(table) == sorted({each.annotator for each in given})
    for who in table:
        for score in table[who]:
            about = score.judgment
            others = [each.value for each in given if each.unit == about.unit and each.annotator != who]
            assert (about.annotator, about.value) == (who, score.value)
            assert score.others == (fmean(float(str(each)) for each in others) if others else None)
        assert [each.judgment for each in table[who]] == [each for each in given if each.annotator == who]


@given(GIVEN)
def test_a_residual_is_the_mean_over_the_sides_of_an_item_in_the_order_of_time(
    rows: dict[tuple[int, int, str], tuple[int, int]],
) -> None:
    _, table = tables(rows)
    found = ResidualTable(table)
    for who in table:
        apart: dict[str, list[float]] = defaultdict(list)
        last: dict[str, Judgment] = {}
        for each in table[who]:
            if each.others is not None:
                apart[each.judgment.item].append(each.value - each.others)
                last[each.judgment.item] = each.judgment
        expected = [
            Residual(item, fmean(values), last[item].position, last[item].submitted_at)
            for item, values in apart.items()
        ]
        assert found[who] == sorted(expected, key=lambda each: (each.position, each.at, each.item))
        assert found.values_of(who) == [each.value for each in found[who]]
        assert found.n_items(who) == found.n_turns(who) == len(expected)


def test_no_score_is_held_as_an_object_when_monitors_have_looked_at_it() -> None:
    work = MonitorData(study=ROUTES, judgments=scores({"A": [2, 3, 4, 5, 3] * 9, "B": [1, 2, 3, 4, 2] * 9}), items={})
    before = held()
    find_flags(work)
    [table, *_] = work.residuals.values()
    assert sum(map(len, table.values())) == 180
    assert held() <= before


def held() -> set[int]:
    return {id(each) for each in gc.get_objects() if isinstance(each, Score | Residual)}
