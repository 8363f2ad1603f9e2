"""A pair: two candidates beside each other; that both are one and the same is said."""

from typing import Any

from assay.model import CANDIDATES
from assay.study import load
from assay.study.templates import HERE
from tests.displays.blocks import Seen, html_of

SAID = "The two are identical."


def page(*answers: str) -> Seen:
    display: Any = next(each.display for each in load(HERE / "trajectories").items.show if each.display.kind == "pair")
    step = {"operation": "READ_TEXT", "arguments": {}, "result": "STOP"}
    return Seen(html_of(display, {CANDIDATES: [{"steps": [step], "answer": answer} for answer in answers]}))


def test_two_that_are_identical_are_said_to_be() -> None:
    assert page("a stop sign", "a stop sign").of("same") == [SAID]


def test_two_that_differ_in_one_word_are_not() -> None:
    assert page("a stop sign", "a stop light").of("same") == []
