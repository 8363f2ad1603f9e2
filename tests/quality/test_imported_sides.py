"""Judgments about the sides of a pair that came from a file: nobody saw a side, and monitors find the same."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from assay.kinds import MONITORS
from assay.model import CANDIDATES, Fact, Flag, Judgment
from assay.quality import MonitorData
from tests.quality.judged import PAIRS, of_pair

SIDED = [each.dimension for each in PAIRS.rubric if each.scope.of == "side"]
ITEMS = [f"i{at}" for at in range(1, 41)]
KNOWN = ITEMS[:8]
"""Of these, what is right is known: the left is poor, the right is good."""
ALIKE = ITEMS[8:12]
"""Of these, both candidates are one and the same."""


def fact(item: str) -> Fact:
    chance = Random(item)
    left, right = ("so " * chance.randint(5, 200) for _ in range(2))
    expected: dict[str, Any] = {"coherence.a": 1, "coherence.b": 5} if item in KNOWN else {}
    return Fact(10, {CANDIDATES: [left, left if item in ALIKE else right]}, expected)


FACTS = {item: fact(item) for item in ITEMS}


def value(who: str, item: str, side: str, dimension: str, pass_: int) -> int:
    """Most see what is there. The odd one is taken in by length, likes everything, and differs the second time."""
    there = Random(f"{item} {side if item not in ALIKE else ''} {dimension}").randint(1, 5)
    if item in KNOWN and dimension == "coherence":
        there = 1 if side == "left" else 5
    if who != "odd":
        return max(1, min(5, there + Random(f"{who} {item} {side} {dimension}").choice([-1, 0, 0, 0, 0, 0, 1])))
    length = len(FACTS[item].shown[CANDIDATES][side == "right"].split()) / 40
    seen = max(2, min(5, round(0.5 * there + 0.5 * length + 1)))
    return seen if pass_ == 1 else 7 - seen


def on_the_page() -> list[Judgment]:
    return [
        of_pair(
            item,
            who,
            dimension,
            value(who, item, side, dimension, pass_),
            side,
            pass_=pass_,
            submission=f"{who}-{item}-{pass_}",
            position=at,
            submitted_at=at * 60_000,
            control=item in KNOWN,
        )
        for who in ("ana", "ben", "cem", "odd")
        for pass_ in (1, 2)
        for at, item in enumerate(ITEMS, 1)
        if pass_ == 1 or item in ITEMS[12:24]
        for dimension in SIDED
        for side in ("left", "right")
    ]


def found(judgments: list[Judgment]) -> dict[str, list[Flag]]:
    """What every monitor says that has something to say, but those that look at how the page was used."""
    work = MonitorData(PAIRS, judgments, FACTS)
    flags = {name: monitor().flags(work) for name, monitor in MONITORS.items() if not monitor.of_page}
    return {name: each for name, each in flags.items() if each}


@pytest.fixture(scope="module")
def page() -> dict[str, list[Flag]]:
    return found(on_the_page())


def test_these_annotators_give_monitors_something_to_say(page: dict[str, list[Flag]]) -> None:
    asking_for_the_candidate = {"duplicates", "failed_controls", "follows_length", "halo", "identical_candidates"}
    assert page.keys() >= asking_for_the_candidate | {"leniency"}
    assert [flag.annotator for flag in page["follows_length"]] == ["odd"]


def test_monitors_keep_the_sides_of_imported_judgments_apart(page: dict[str, list[Flag]]) -> None:
    imported = [replace(each, side="", left="", source="imported") for each in on_the_page()]
    assert found(imported) == page
