"""Simulated annotators: what they answer follows from what they are like, and from what is before them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.bots import Character, SimulatedAnnotator, TrueQuality
from assay.false_alarm_rates import SimulatedItem
from assay.model import CANDIDATES, SIDES, Slot
from assay.study import load
from assay.study.templates import HERE
from tests.ruled import ASKED, ruled

EMPATHY, PAIRS = load(HERE / "empathy"), load(HERE / "trajectories")
REPLY = SimulatedItem(
    "i1", ("m",), {"user_statement": "I lost my keys", "response": "Look under the mat near the door"}, 11
)


def pair(left: str, right: str, swapped: bool = False, **more: object) -> SimulatedItem:
    shown = {"question_text": "How many?", CANDIDATES: [{"steps": [], "answer": left}, {"steps": [], "answer": right}]}
    systems = ("y", "x") if swapped else ("x", "y")
    return replace(SimulatedItem("i1", systems, shown, 10, swapped=swapped), **more)  # type: ignore[arg-type]


def annotator(study: object = EMPATHY, **habits: object) -> SimulatedAnnotator:
    return SimulatedAnnotator(Character("bot", **habits), study, TrueQuality(3, ["x", "y"]))  # type: ignore[arg-type]


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("better", ["a", "x"])
def test_a_known_answer_is_given_on_the_side_where_its_candidate_stands(swapped: bool, better: str) -> None:
    expected = {"preference": better, "coherence.a": 5, "coherence.b": 1}
    answers = annotator(PAIRS).answers(pair("four", "five", swapped, expected=expected))
    first, second = SIDES[::-1] if swapped else SIDES
    assert answers["preference"] == [first]
    assert (answers[f"coherence.{first}"], answers[f"coherence.{second}"]) == (["5"], ["1"])


def test_a_known_tie_is_a_tie() -> None:
    assert annotator(PAIRS).answers(pair("four", "five", expected={"preference": "tie"}))["preference"] == ["tie"]


def test_whoever_does_not_look_misses_known_answers() -> None:
    expected = {"coherence.a": 5, "efficiency.a": 5, "thoroughness.a": 5, "coherence.b": 1, "efficiency.b": 1}
    given = [
        annotator(PAIRS, attention=0).answers(replace(pair("four", "five", expected=expected), name=f"i{n}"))
        for n in range(5)
    ]
    right = {"coherence.left": ["5"], "efficiency.left": ["5"], "thoroughness.left": ["5"], "coherence.right": ["1"]}
    assert not any(right.items() <= answers.items() for answers in given)


def test_two_candidates_that_are_the_same_get_the_same() -> None:
    for number in range(10):
        answers = annotator(PAIRS).answers(replace(pair("four", "four"), name=f"i{number}"))
        assert answers["preference"] == ["tie"]
        assert all(answers[f"{name}.left"] == answers[f"{name}.right"] for name in ("coherence", "efficiency"))


def test_a_second_look_is_a_new_one_and_the_first_is_the_same_again() -> None:
    def both(skill: float) -> tuple[object, object]:
        bot = annotator(skill=skill)
        items = [replace(REPLY, name=f"i{n}") for n in range(20)]
        first = [bot.values(item)[Slot("emotion")] for item in items]
        for item in items:
            bot.remember(item)
        return first, [bot.values(item)[Slot("emotion")] for item in items]

    first, second = both(0)
    assert first != second
    assert both(0) == (first, second)


def test_notes_are_about_the_item_or_always_the_same() -> None:
    rating = [replace(REPLY, name=f"i{n}") for n in range(30)]
    careful = {answers["note"][0] for item in rating if "note" in (answers := annotator(bias=0.5).answers(item))}
    copied = {
        answers["note"][0] for item in rating if "note" in (answers := annotator(bias=0.5, note="ok").answers(item))
    }
    assert len(careful) > 5
    assert copied == {"ok"}


def test_one_line_goes_through_all_dimensions_and_leaves_the_comparison_alone() -> None:
    for number in range(10):
        item = replace(pair("four", "five"), name=f"i{number}")
        answers = annotator(PAIRS, line=1).answers(item)
        asked = ("coherence", "efficiency", "thoroughness")
        assert len({answers[f"{name}.{side}"][0] for name in asked for side in SIDES}) == 1
        assert answers["preference"] == annotator(PAIRS).answers(item)["preference"]


@pytest.mark.parametrize(
    "rule",
    [
        {"allowed": "count(kinds) == 0", "when": "right == 1"},
        {"allowed": "count(kinds) >= 2", "when": "right == 0"},
        {"value": {"kinds": ["name"]}, "when": "right == 0"},
        {"allowed": 'note == "so"', "when": "answered(right)"},
        {"value": {"note": "ok"}, "when": "answered(right)"},
    ],
)
def test_answers_keep_the_rules_about_ticks_and_texts(tmp_path: Path, rule: dict[str, Any]) -> None:
    ruled(rules=[rule, {"required": "note", "when": "answered(right)"}])(tmp_path)
    study = load(tmp_path)
    for number in range(20):
        bot = SimulatedAnnotator(Character("bot"), study, TrueQuality(number, ["x"]))
        assert bot.answers(replace(REPLY, shown={"text": "one two three"}, name=f"i{number}"))


def test_answers_are_given_only_to_what_is_asked(tmp_path: Path) -> None:
    ruled("asking", ASKED, ())(tmp_path)
    study = load(tmp_path)
    seen = set()
    for number in range(30):
        bot = SimulatedAnnotator(Character("bot"), study, TrueQuality(number, ["x"]))
        item = replace(REPLY, shown={"text": "one two three"}, name=f"i{number}")
        answers = bot.answers(item)
        assert {slot.key for slot, value in bot.values(item).items() if value is not None} == set(answers)
        seen.add(tuple(answers))
    assert seen == {("right", "sure"), ("right", "kinds", "sure"), ("right", "kinds", "grave", "sure")}


def test_what_need_not_be_counted_is_sometimes_counted_and_goes_with_the_score() -> None:
    study = load(HERE / "in-car")
    conversation = {"turns": [{"question": "Play jazz", "answer": "Here is rock"}], "goals": []}
    given = []
    for number in range(60):
        bot = SimulatedAnnotator(Character("bot"), study, TrueQuality(3, ["m"]))
        given.append(bot.values(SimulatedItem(f"i{number}", ("m",), conversation, 20)))
    score, counts = Slot("instruction_constraint_adherence"), Slot("instruction_failures")
    assert {len(each[counts] or ()) for each in given} >= {0, 1, 2}, "sometimes, and not always as often"
    assert all(each[score] == 2 - min(2, len(each[counts])) for each in given if each[counts])
    low = [each for each in given if each[score] != 2]
    assert 0 < sum(each[counts] is None for each in low) < len(low), "nor whenever it could be"
