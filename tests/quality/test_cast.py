"""The whole cast: for each way of working badly somebody who does so, among careful people, and who flags them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from assay import false_alarm_rates
from assay.bots import Character
from assay.false_alarm_rates import Rate, _sample_items, careful_annotator, false_alarms, simulate_judgments
from assay.items.reader import read_items
from assay.kinds import MONITORS
from assay.model import CANDIDATES, Fact
from assay.quality import MonitorData, find_flags
from assay.study import Study, load
from assay.study.assignment import Controls, DuplicateSettings
from assay.study.schema import study_type
from assay.study.templates import HERE
from tests.selection import on_templates


@cache
def facts(name: str, copies: int = 1) -> dict[str, Fact]:
    """The items of a template, several times under other names where there are few."""
    study = load(HERE / name)
    taken = [intake.item for intake in read_items(study, HERE / name / study.items.source)]
    return {f"{item.id}-{n}": Fact(item.words, item.shown) for n in range(copies) for item in taken}


@cache
def watched(name: str, **plan: Any) -> Study:
    """A template with every monitor as it comes."""
    study = load(HERE / name)
    monitors = study_type().model_fields["analysis"].annotation.model_fields["monitors"].annotation  # type: ignore[union-attr]
    analysis = study.analysis.model_copy(update={"monitors": monitors.model_validate({kind: {} for kind in MONITORS})})
    return study.model_copy(
        update={"analysis": analysis, "assignment": study.assignment.model_copy(update={"per_item": 3, **plan})}
    )


def flagged(work: MonitorData, who: str) -> set[str]:
    return {flag.monitor for flag in find_flags(work) if flag.annotator == who}


def among_careful(name: str, somebody: Character, seed: int = 1) -> MonitorData:
    study = watched(name, duplicates=DuplicateSettings(count=12, distance=5))
    people = [careful_annotator(f"careful-{n}", seed) for n in range(5)]
    items = facts(name, 96 // len(facts(name)))
    return simulate_judgments(study, items, [*people, somebody], seed, most=96)


# Somebody, what they must be flagged for, and what follows from it and may be flagged too.
CAST: list[tuple[Character, set[str], set[str]]] = [
    (Character("random", skill=0), {"low_agreement", "duplicates"}, {"near_identical"}),
    (Character("straight", line=1), {"straight_lining", "low_agreement"}, {"near_identical", "halo", "leniency"}),
    (Character("lenient", bias=0.25), {"leniency", "never_used"}, set()),
    (Character("severe", bias=-0.25), {"leniency"}, {"low_agreement"}),
    (Character("drifting", drift=0.6), {"drift"}, {"duplicates", "leniency"}),
    (Character("fast", speed=8), {"too_fast"}, set()),
    (Character("copying", note="good answer"), {"filler_notes"}, set()),
    (Character("inattentive", attention=0.3), {"low_agreement", "duplicates"}, {"near_identical"}),
    (Character("halo", halo=1), {"halo"}, {"straight_lining"}),
    (Character("compressed", spread=0.35), {"scale_compression"}, {"straight_lining", "low_agreement"}),
    (Character("by-the-yard", length=0.5, skill=0.5), {"follows_length"}, {"halo", "low_agreement"}),
    (Character("unworried", lowest=0.5), {"never_used"}, {"scale_compression", "leniency"}),
    (Character("ordinary"), set(), set()),
]


@pytest.mark.parametrize(("somebody", "must", "may"), CAST, ids=[each.name for each, *_ in CAST])
def test_everybody_is_flagged_for_what_they_do_and_for_nothing_else(
    somebody: Character, must: set[str], may: set[str]
) -> None:
    work = among_careful("empathy", somebody)
    assert must <= flagged(work, somebody.name) <= must | may
    others = [flag for flag in find_flags(work) if flag.annotator != somebody.name]
    assert len(others) <= 1, "of five careful people watched by all monitors"


def test_somebody_who_takes_ten_minutes_for_each_is_flagged_where_the_study_sets_a_limit() -> None:
    slow = Character("slow", speed=0.25)
    assert "too_slow" in flagged(among_careful("trajectories", slow), "slow")
    assert "too_slow" not in flagged(among_careful("empathy", slow), "slow")


def with_controls() -> tuple[Study, dict[str, Fact]]:
    study = watched("trajectories", controls=Controls(items="controls.json", every=(3, 5)))
    items = dict(facts("trajectories", 3))
    for name in sorted(items)[:8]:
        expected = {"preference": "ab"[len(name) % 2], "coherence.a": 5, "coherence.b": 1}
        items[name] = Fact(items[name].words, items[name].shown, expected)
    same = sorted(items)[8:14]
    for name in same:
        candidate = items[name].shown[CANDIDATES][0]
        items[name] = Fact(items[name].words, {**items[name].shown, CANDIDATES: [candidate, candidate]})
    return study, items


def test_controls_and_identical_candidates_are_passed_by_the_careful_and_failed_by_the_inattentive() -> None:
    study, items = with_controls()
    people = [*(careful_annotator(f"careful-{n}") for n in range(4)), Character("inattentive", attention=0.3)]
    work = simulate_judgments(study, items, people, 2)
    assert len({judgment.item for judgment in work.judgments if judgment.control}) == 8
    by_monitor = Counter(
        flag.annotator
        for flag in find_flags(work)
        if flag.monitor in ("failed_controls", "identical_candidates", "near_identical")
    )
    assert set(by_monitor) == {"inattentive"}
    assert {"failed_controls", "identical_candidates"} <= flagged(work, "inattentive")


def test_practice_that_is_off_is_flagged() -> None:
    practice = {f"cal-{n}": Fact(expected={"emotion": 2 + n % 3, "safety": 3}) for n in range(10)}
    items = {**facts("empathy"), **practice}
    people = [careful_annotator(f"careful-{n}") for n in range(4)]
    work = simulate_judgments(watched("empathy"), items, [*people, Character("lenient", bias=0.3)], 1)
    assert {flag.annotator for flag in find_flags(work) if flag.monitor == "calibration_bias"} == {"lenient"}


@on_templates("in-car", "trajectories")
def test_few_careful_people_are_flagged_by_any_monitor_as_it_comes(name: str) -> None:
    rates = false_alarms(watched(name), facts(name, -(-60 // len(facts(name)))), annotators=40, seed=11)
    assert set(rates) == set(MONITORS)
    assert {kind: rate.share for kind, rate in rates.items() if rate.share > 0.1} == {}


@on_templates("dialog-pairs", "empathy", "route-planning")
def test_few_careful_people_are_flagged_by_the_monitors_of_a_template(name: str) -> None:
    study = load(HERE / name)
    rates = false_alarms(study, facts(name))
    assert set(rates) == set(study.analysis.monitors.by_name())
    assert {kind: rate.share for kind, rate in rates.items() if rate.share > 0.1} == {}


def test_false_alarms_are_counted_with_their_interval_and_the_same_again() -> None:
    study, items = load(HERE / "route-planning"), facts("route-planning")
    first = false_alarms(study, items, annotators=10, seed=3)
    false_alarm_rates._kept.clear()
    assert false_alarms(study, items, annotators=10, seed=3) == first
    # Teams of four: three are needed for ten people.
    assert first["too_fast"] == Rate(0, 12, 0.0, pytest.approx(0.2425, abs=1e-4))
    assert first["too_fast"].share == 0
    assert false_alarms(study, items, annotators=10, seed=4) != first


def test_a_monitor_that_flags_everybody_has_a_rate_of_one() -> None:
    study = watched("empathy")
    strict = study.analysis.monitors.model_copy(update={"too_fast": MONITORS["too_fast"](seconds=10_000)})
    study = study.model_copy(update={"analysis": study.analysis.model_copy(update={"monitors": strict})})
    rate = false_alarms(study, facts("empathy"), annotators=8)["too_fast"]
    assert (rate.flagged, rate.n, rate.share, rate.high) == (8, 8, 1.0, 1.0)


def test_of_a_large_study_some_items_are_drawn_and_all_controls(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at, judged = [], set()

    def counted(study: Study, items: Mapping[str, Fact], *more: Any) -> MonitorData:
        work = simulate_judgments(study, items, *more)
        looked_at.append(len(items))
        judged.update(Counter(each.annotator for each in work.first_passes if each.dimension == "emotion").values())
        return work

    monkeypatch.setattr(false_alarm_rates, "simulate_judgments", counted)
    many = {f"i{n}": Fact(200, {"response": f"reply {n}"}) for n in range(50_000)}
    known = {f"c{n}": Fact(200, {"response": f"control {n}"}, {"emotion": 3}) for n in range(5)}
    study = watched("empathy", controls=Controls(items="controls.csv", every=(3, 5)))
    assert false_alarms(study, {**many, **known}, annotators=4)["failed_controls"].n == 4
    assert looked_at == [605], "one team, on some of the items and on every control"
    assert max(judged) <= false_alarm_rates.MOST_ITEMS
    assert set(_sample_items({**many, **known}, 1)) >= set(known)


def test_rates_are_worked_out_once_for_a_study_and_its_items(monkeypatch: pytest.MonkeyPatch) -> None:
    teams = []

    def counted(*given: Any) -> MonitorData:
        teams.append(given)
        return simulate_judgments(*given)

    monkeypatch.setattr(false_alarm_rates, "simulate_judgments", counted)
    study, items = watched("empathy"), facts("empathy")
    first = false_alarms(study, items, annotators=3, seed=17)
    assert (false_alarms(study, dict(reversed(items.items())), annotators=3, seed=17), len(teams)) == (first, 1)
    name = next(iter(items))
    false_alarms(study, {**items, name: replace(items[name], words=1)}, annotators=3, seed=17)
    assert len(teams) == 2, "another item is another study"


def test_a_study_without_items_has_no_rates_to_tell() -> None:
    assert {rate.n for rate in false_alarms(load(HERE / "empathy"), {}).values()} == {0}


def test_the_plan_of_the_study_is_kept() -> None:
    study = watched("empathy", per_item=2, duplicates=DuplicateSettings(count=4, distance=5), most_per_annotator=None)
    work = simulate_judgments(study, facts("empathy"), [careful_annotator(f"c{n}") for n in range(3)], 1)
    people = Counter((each.item, each.pass_) for each in work.judgments if each.dimension == "emotion")
    assert {times for (_, pass_), times in people.items() if pass_ == 1} == {2}
    again = Counter(each.annotator for each in work.judgments if each.dimension == "emotion" and each.pass_ == 2)
    assert again == {"c0": 4, "c1": 4, "c2": 4}
    assert all(work.breaks.values()), "the study has a break after 30 items"


def test_a_guessing_partner_makes_nobody_look_as_if_one_impression_coloured_all() -> None:
    study = watched("empathy", per_item=2)
    for seed in range(1, 6):
        work = simulate_judgments(
            study, facts("empathy"), [careful_annotator("careful", seed), Character("guess", skill=0)], seed
        )
        assert "halo" not in flagged(work, "careful")
