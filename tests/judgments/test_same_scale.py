"""Values given under one version of a study are pooled with those of another only where they mean the same."""

from dataclasses import replace
from typing import Any

import pytest

from assay.judgments.same_scale import same_scale
from assay.live.counting import ScalePositions
from assay.model import Judgment
from assay.quality.monitor_data import MonitorData
from assay.study import Study
from tests.judgments.studies import PAIRS, Raw, a_study


def anchored(anchors: dict[int, str], **more: Any) -> Raw:
    return {"dimension": "warm", "scale": {"from": 1, "to": 3, "anchors": anchors}, **more}


def choice(**options: str) -> Raw:
    return {"dimension": "warm", "choice": {"options": options}}


def yes_no(yes: str, no: str) -> Raw:
    return {"dimension": "warm", "yes_no": {"yes": yes, "no": no}}


UP = {1: "cold", 2: "polite", 3: "warm"}
DOWN = {1: "warm", 2: "polite", 3: "cold"}
NUMBERS = {"dimension": "warm", "scale": {"from": 0, "to": 1}}
YES = {"dimension": "warm", "yes_no": {}}


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        (anchored(UP), anchored(UP), True),
        (anchored(UP), anchored({**UP, 3: "warm and close"}), True),
        (anchored(UP), anchored({1: "cold"}), True),
        (anchored(UP), anchored(DOWN), False),
        (anchored(UP), anchored({1: "cold", 2: "warm", 3: "close"}), False),
        (anchored(UP), {"dimension": "warm", "scale": {"from": 1, "to": 5, "anchors": UP}}, False),
        (NUMBERS, YES, False),
        (YES, yes_no("Done", "Not done"), True),
        (yes_no("A", "B"), yes_no("B", "A"), False),
        (choice(a="One", b="Other"), choice(b="Other", a="One"), True),
        (choice(a="One", b="Other"), choice(a="Other", b="One"), False),
        (choice(a="One", b="Other"), choice(a="One", b="Other", c="Third"), False),
        (anchored(UP), {"dimension": "other", "scale": {"from": 1, "to": 3}}, False),
    ],
)  # fmt: skip
def test_a_scale_is_the_same_where_its_points_mean_the_same(then: Raw, now: Raw, same: bool) -> None:
    assert same_scale(a_study(then), a_study(now), "warm") == same


def test_a_dimension_asked_of_something_else_is_another() -> None:
    of_sides = a_study(anchored(UP, of="side"), items=PAIRS)
    assert not same_scale(of_sides, a_study(anchored(UP), items=PAIRS), "warm")


def test_a_study_may_say_that_a_changed_scale_is_pooled() -> None:
    old = a_study(anchored(UP))
    assert same_scale(old, a_study(anchored(DOWN, pool_with=[old.hash[:12]])), "warm")
    assert not same_scale(old, a_study(anchored(DOWN, pool_with=["000000"])), "warm")


def test_a_derived_value_is_the_same_where_what_it_is_made_from_is() -> None:
    def with_mean(anchors: dict[int, str]) -> Study:
        return a_study(anchored(anchors), derive=[{"derived": "all", "weighted_mean": {"of": {"warm": 1}}}])

    assert same_scale(with_mean(UP), with_mean(UP), "all")
    assert not same_scale(with_mean(UP), with_mean(DOWN), "all")
    assert not same_scale(a_study(anchored(UP)), with_mean(UP), "all")


def test_monitors_and_live_agreement_leave_out_what_was_given_on_a_turned_scale() -> None:
    old, new = a_study(anchored(UP)), a_study(anchored(DOWN))
    then = Judgment("s1", "i1", "", (), "", "ana", "warm", "", "", 3, 1, 1, 0, 1000, None, old.hash, "")
    now = replace(then, submission="s2", annotator="bo", value=1, study_hash=new.hash)
    work = MonitorData(new, [then, now], {}, versions={old.hash: old, new.hash: new})
    assert list(work.scores["warm"]) == ["bo"]
    assert [each.annotator for each in work.by_dimension["warm"]] == ["bo"]
    assert work.first_passes == [then, now], "they were given all the same"
    positions = ScalePositions(new, {old.hash: old, new.hash: new})
    assert not positions._known["warm", old.hash]
    assert positions._known["warm", new.hash]
