"""Signs of a program: each is found, one alone is not enough, and careful people have hardly any."""

from dataclasses import replace
from typing import Any

import pytest

from assay.false_alarm_rates import LOOKED_AT, false_alarms
from assay.model import Judgment
from assay.quality.automation import AutomationMonitor
from assay.study import load
from assay.study.templates import HERE, template_names
from tests.examples import THOROUGH
from tests.quality.judged import EMPATHY, flags, given
from tests.quality.test_cast import facts, watched
from tests.selection import first_of

OTHERS = [each for each in template_names() if each != "empathy"]
PASTED = '[[0,"visible"],[0,"focus"],[900,"paste"]]'
N = 10


def work(
    who: str, seconds: list[float], notes: list[str] | None = None, events: str | None = LOOKED_AT
) -> list[Judgment]:
    """Ten items: a score each, with its time, and a note each where there are some."""
    found = given(who, [3] * N)
    found += given(who, notes, "note") if notes else []
    return [
        replace(
            each,
            submission=f"{who}/{each.item}",
            active_ms=round(1000 * seconds[(each.position - 1) % len(seconds)]),
            events=events,
        )
        for each in found
    ]


HUMAN = [41.0, 77, 52, 95, 33, 60, 48, 81, 70, 39]
OWN = [f"the reply names feeling number {n} and stays with it" for n in range(N)]


def test_somebody_at_work_has_no_sign() -> None:
    assert flags(AutomationMonitor(), work("ana", HUMAN, OWN)) == {}


@pytest.mark.parametrize(
    ("sign", "how"),
    [
        ("regular_times", {"seconds": [60.0, 61, 59]}),
        ("without_events", {"seconds": HUMAN, "events": None}),
        ("pasted_notes", {"seconds": HUMAN, "notes": OWN, "events": PASTED}),
        ("typed_fast", {"seconds": [1.0, 2, 1.5], "notes": OWN}),
    ],
)
def test_each_sign_is_found_and_is_not_enough_alone(sign: str, how: dict[str, Any]) -> None:
    found = flags(AutomationMonitor(signs=1), work("bot", **how))
    assert set(found["bot"].evidence) == {sign, "signs", "n"}
    assert flags(AutomationMonitor(), work("bot", **how)) == {}


def test_the_same_text_by_two_people_is_a_sign_for_both_and_a_phrase_of_the_study_is_none() -> None:
    both = [*work("one", HUMAN, OWN), *work("two", HUMAN[::-1], OWN)]
    found = flags(AutomationMonitor(signs=1), both)
    assert {who: flag.evidence["same_texts"] for who, flag in found.items()} == {"one": N, "two": N}
    short = ["too short a note"] * N
    assert flags(AutomationMonitor(signs=1), [*work("one", HUMAN, short), *work("two", HUMAN, short)]) == {}


def test_two_signs_are_a_flag_that_says_which_with_their_numbers() -> None:
    [flag] = flags(AutomationMonitor(), work("bot", [60.0, 61, 59], events=None)).values()
    assert flag.reason.startswith("2 signs of a program: times vary by 1 % of their mean; 100 % of the pages")
    assert flag.evidence["regular_times"] == pytest.approx(0.0125, abs=0.002)
    assert flag.evidence["without_events"] == 1


def test_without_events_is_no_sign_where_the_study_keeps_none_and_of_files_nothing_is_known() -> None:
    quiet = EMPATHY.model_copy(update={"pace": EMPATHY.pace.model_copy(update={"events": False})})
    assert flags(AutomationMonitor(signs=1), work("ana", HUMAN, events=None), study=quiet) == {}
    from_file = [replace(each, source="imported") for each in work("ana", [60.0], events=None)]
    assert flags(AutomationMonitor(signs=1), from_file) == {}


@pytest.mark.parametrize("name", first_of(["empathy"], OTHERS, "three hundred people in each template"))
def test_few_careful_people_are_flagged(name: str) -> None:
    people = 300 if THOROUGH else 60
    rate = false_alarms(watched(name), facts(name), annotators=people, seed=5)["automation"]
    assert rate.n >= people
    assert rate.share is not None
    assert rate.share <= 0.02
    assert "automation" not in load(HERE / name).analysis.monitors.by_name(), "a study names it where it wants it"
