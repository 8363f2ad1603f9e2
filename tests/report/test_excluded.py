"""Who is left out of a report: by a coordinator or by a rule declared beforehand, and always said."""

from dataclasses import replace

import pytest

from assay.excluded_annotators import exclusions_by_rule
from assay.fieldwork import AnnotatorProgress
from assay.model import Flag
from assay.report.build import build
from assay.study import Study, load_with_mistakes
from assay.study.analysis import Exclusion
from assay.study.templates import copy_template
from tests.report.test_report import STUDY, judgment, pairs, report


def with_rules(*rules: dict[str, object]) -> Study:
    made = tuple(Exclusion.model_validate(rule) for rule in rules)
    return STUDY.model_copy(update={"analysis": STUDY.analysis.model_copy(update={"exclude": made})})


def test_without_a_rule_nobody_is_left_out_whatever_the_flags_say() -> None:
    assert (
        exclusions_by_rule(STUDY, [Flag("straight_lining", "ana", "always the same")], [AnnotatorProgress("ana", 9, 1)])
        == {}
    )


def test_a_declared_rule_leaves_out_whom_its_monitor_flags_and_says_why() -> None:
    study = with_rules({"annotators": "straight_lining", "reason": "preregistered"})
    flags = [Flag("straight_lining", "ana", "8 of 9 alike"), Flag("leniency", "ben", "high")]
    found = exclusions_by_rule(study, flags, [])
    assert set(found) == {"ana"}
    assert all(part in found["ana"].reason for part in ("straight lining", "preregistered", "8 of 9 alike"))


@pytest.mark.parametrize(("at_least", "out"), [(None, {"half", "most"}), (0.5, set()), (0.6, {"half"})])
def test_who_did_too_little_is_left_out_by_rule(at_least: float | None, out: set[str]) -> None:
    study = with_rules({"annotators": "unfinished", "at_least": at_least})
    people = [
        AnnotatorProgress("all", 10, 10),
        AnnotatorProgress("most", 10, 9),
        AnnotatorProgress("half", 10, 5),
        AnnotatorProgress("none", 0, 0),
    ]
    assert set(exclusions_by_rule(study, [], people)) == out


def test_a_rule_needs_a_monitor_that_watches(tmp_path) -> None:  # type: ignore[no-untyped-def]
    copy_template("route-planning", tmp_path / "s")
    file = tmp_path / "s" / "study.yaml"
    whole = file.read_text("utf-8")
    file.write_text(whole.replace("analysis:\n", "analysis:\n  exclude: [{annotators: failed_controls}]\n"), "utf-8")
    [problem] = load_with_mistakes(tmp_path / "s")[1]
    assert "no failed_controls is watched" in problem.what
    assert "analysis.monitors.failed_controls" in problem.hint
    file.write_text(whole.replace("analysis:\n", "analysis:\n  exclude: [{annotators: bad_mood}]\n"), "utf-8")
    assert "there is no monitor 'bad_mood'" in load_with_mistakes(tmp_path / "s")[1][0].what


def test_a_report_computes_without_them_prints_who_and_why_and_sets_both_results_side_by_side() -> None:
    said = pairs([(2, 2)] * 10 + [(4, 4)] * 10) + [judgment(f"i{index}", "bad", 1 + index % 2) for index in range(20)]
    data = replace(report(said).data, excluded={"bad": "by hand: asleep"})
    made = build(data)
    numbers = made.numbers()
    assert numbers["excluded"]["annotators"] == [{"annotator": "bad", "reason": "by hand: asleep"}]
    assert numbers["excluded"]["without"]["emotion"] == pytest.approx(1.0)
    assert numbers["excluded"]["with_everybody"]["emotion"] < 0.6
    # Of each item the mean of two people is 2 or 4; with the third, who says 1 or 2, 11/6 or 19/6 on average.
    of_m = {"what": "Emotion recognition, mean", "of": "m", "without": 3.0, "with_everybody": pytest.approx(2.5)}
    assert numbers["excluded"]["comparisons"] == [of_m]
    assert report(said).numbers()["excluded"]["comparisons"] == [], "with nobody left out there is one result"
    assert "Left out: bad, by hand: asleep." in made.summary()
    assert "bad" not in {each.annotator for each in data.that_count}
    assert "bad" in {each.annotator for each in data.by_people}, "the judgments are still there"


def test_where_the_studys_coefficient_does_not_fit_the_first_that_does_is_set_side_by_side() -> None:
    said = pairs([(2, 2)] * 10 + [(4, 4)] * 10) + [judgment(f"i{index}", "bad", 1 + index % 2) for index in range(20)]
    agreement = STUDY.analysis.agreement.model_copy(update={"coefficient": "krippendorff_alpha_ratio"})
    analysis = STUDY.analysis.model_copy(update={"agreement": agreement})
    data = report(said).data
    study = data.study.model_copy(update={"analysis": analysis})
    made = build(replace(data, study=study, excluded={"bad": "by hand: asleep"}))
    (emotion, *_) = made.numbers()["agreement"]["dimensions"]
    names = [each["name"] for each in emotion["coefficients"]]
    assert "krippendorff_alpha_ratio" not in names
    assert names
    assert made.numbers()["excluded"]["without"]["emotion"] == emotion["coefficients"][0]["value"]


def test_what_came_too_late_is_counted_nowhere_and_printed() -> None:
    said = pairs([(2, 2)] * 10 + [(4, 4)] * 10)
    late = [replace(judgment(f"i{index}", "late", 5), surplus=True) for index in range(3)]
    made = report([*said, *late])
    assert made.numbers()["excluded"]["surplus_submissions"] == 3
    assert any("3 submissions came after their place had gone" in line for line in made.summary())
    assert made.numbers()["agreement"] == report(said).numbers()["agreement"]


def test_practice_and_controls_count_in_no_result() -> None:
    said = pairs([(2, 2)] * 10 + [(4, 4)] * 10)
    more = [replace(judgment("p", "ana", 1), source="practice"), replace(judgment("c", "ben", 1), control=True)]
    assert report([*said, *more]).numbers()["agreement"] == report(said).numbers()["agreement"]
