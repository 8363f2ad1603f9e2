"""Monitors of time, of notes and of warnings: what needs nobody else to compare with."""

from typing import Any

import pytest

from assay.model import Fact, Judgment
from assay.quality.filler_notes import FillerNotesMonitor, is_mash
from assay.quality.overridden_warnings import OverriddenWarningsMonitor
from assay.quality.too_fast import TooFastMonitor
from assay.quality.too_slow import TooSlowMonitor
from assay.study.pace import Pace
from tests.quality.judged import EMPATHY, flags, given
from tests.report.test_report import judgment

# 238 words take a minute.
ITEMS = {f"i{at}": Fact(words=238) for at in range(1, 41)}


def timed(who: str, seconds: list[float | None], **more: Any) -> list[Judgment]:
    return [
        judgment(f"i{at}", who, 3, active_ms=None if each is None else round(each * 1000), position=at, **more)
        for at, each in enumerate(seconds, 1)
    ]


def paced(**pace: Any) -> Any:
    return EMPATHY.model_copy(update={"pace": Pace(**pace)})


# Too fast


def test_items_submitted_faster_than_they_can_be_read_are_flagged() -> None:
    # Three tenths of a minute are 18 seconds.
    found = flags(TooFastMonitor(), timed("fast", [17.9] * 2 + [18] * 8) + timed("careful", [60] * 10), ITEMS)
    assert set(found) == {"fast"}
    assert found["fast"].reason == "2 of 10 items took less than 30 % of the time that reading takes (median 18 s)"
    assert found["fast"].items == ("i1", "i2")
    assert (found["fast"].evidence["fast"], found["fast"].evidence["median_seconds"]) == (2, 18.0)


def test_a_share_of_fast_items_is_allowed_and_few_items_say_nothing() -> None:
    one = timed("ana", [1] + [60] * 9)
    assert flags(TooFastMonitor(), one, ITEMS) == {}
    assert set(flags(TooFastMonitor(share=0.09), one, ITEMS)) == {"ana"}
    assert flags(TooFastMonitor(), timed("ana", [1] * 4), ITEMS) == {}
    assert set(flags(TooFastMonitor(), timed("ana", [1] * 5), ITEMS)) == {"ana"}


def test_fixed_seconds_come_before_those_of_the_study_and_these_before_reading_time() -> None:
    judgments = timed("ana", [25] * 10)
    assert flags(TooFastMonitor(), judgments, ITEMS) == {}
    assert "less than 30 s" in flags(TooFastMonitor(), judgments, ITEMS, paced(too_fast=30))["ana"].reason
    assert flags(TooFastMonitor(seconds=20), judgments, ITEMS, paced(too_fast=30)) == {}
    assert flags(TooFastMonitor(seconds=25), judgments, ITEMS) == {}
    assert set(flags(TooFastMonitor(seconds=25.1), judgments, ITEMS)) == {"ana"}


def test_times_that_are_not_known_do_not_count_and_first_items_are_no_excuse() -> None:
    assert flags(TooFastMonitor(), timed("ana", [None] * 20), ITEMS) == {}
    assert set(flags(TooFastMonitor(), timed("ana", [1] * 5), ITEMS, paced(grace_items=20))) == {"ana"}


# Too slow


def test_items_that_take_too_long_are_flagged_but_not_the_first_ones() -> None:
    study = paced(at_most=300, grace_items=2)
    found = flags(
        TooSlowMonitor(),
        timed("slow", [900, 900] + [301] * 3 + [300] * 3) + timed("new", [900, 900] + [60] * 6),
        {},
        study,
    )
    assert set(found) == {"slow"}
    assert found["slow"].reason == "3 of 6 items took longer than 300 s, the first 2 left out"
    assert found["slow"].items == ("i3", "i4", "i5")
    assert found["slow"].evidence["share"] == 0.5


def test_without_a_limit_nothing_is_too_slow_and_few_items_say_nothing() -> None:
    slow = timed("slow", [900] * 5)
    assert flags(TooSlowMonitor(), slow, study=paced()) == {}
    assert set(flags(TooSlowMonitor(seconds=899), slow, study=paced())) == {"slow"}
    assert flags(TooSlowMonitor(seconds=899, at_least=6), slow, study=paced()) == {}
    assert flags(TooSlowMonitor(seconds=899), timed("ana", [900] + [60] * 3), study=paced()) == {}
    assert flags(TooSlowMonitor(seconds=899, share=0.25), timed("ana", [900, 60, 60, 60] * 2), study=paced()) == {}


# Notes


def notes(who: str, texts: list[str], **more: Any) -> list[Judgment]:
    return given(who, texts, "note", **more)


WHAT = ["grief", "fear", "anger", "joy", "hope", "doubt", "shame", "pride"]
SAID = [f"the reply misses the {what} entirely" for what in WHAT]


def test_the_same_note_again_and_again_is_filler() -> None:
    found = flags(FillerNotesMonitor(), notes("copy", ["Good answer."] * 6 + SAID[:2]) + notes("careful", SAID))
    assert set(found) == {"copy"}
    assert found["copy"].reason == "6 of 8 notes say nothing: 6 times 'good answer.', 0 others without words"
    assert found["copy"].items == tuple(f"i{at}" for at in range(1, 7))
    assert found["copy"].evidence["same"] == 6


def test_notes_without_words_are_filler() -> None:
    found = flags(
        FillerNotesMonitor(), notes("mash", ["asdf asdf", "ok", "...", "kjhgfds qwrtzp", "aaaa aaaa", *SAID[:3]])
    )
    assert found["mash"].evidence["without_words"] == 5


def test_half_may_be_filler_and_few_notes_say_nothing() -> None:
    assert flags(FillerNotesMonitor(), notes("ana", ["ok then"] * 4 + SAID[:4])) == {}
    assert set(flags(FillerNotesMonitor(share=0.49), notes("ana", ["ok then"] * 4 + SAID[:4]))) == {"ana"}
    assert flags(FillerNotesMonitor(), notes("ana", ["ok then"] * 7)) == {}
    assert flags(FillerNotesMonitor(), notes("ana", ["ok then"] * 8, control=True)) == {}


def test_phrases_that_the_study_offers_are_words_enough() -> None:
    phrases = EMPATHY.dimension("note").input.phrases
    one_word = [phrase for phrase in phrases if len(phrase.split()) == 1]
    assert one_word, "the template offers one"
    varied = [*SAID[:5], *(one_word[:1] * 3)]
    assert flags(FillerNotesMonitor(), notes("ana", varied)) == {}
    assert flags(FillerNotesMonitor(words=9), notes("ana", varied))["ana"].evidence["without_words"] == 5


@pytest.mark.parametrize("word", ["aaa", "asdf", "sdfg", "qwerty", "qwertz", "asdfasdf", "bcdfgh"])
def test_keys_struck_at_random_are_known(word: str) -> None:
    assert is_mash(word)


@pytest.mark.parametrize(
    "word",
    ["strength", "was", "rhythm", "der", "angstschweiss", "ok", "грусть", "we", "tree", "treffend", "https", "hmm"],
)
def test_words_are_not_taken_for_keys_struck_at_random(word: str) -> None:
    assert not is_mash(word)


# Warnings


def test_warnings_that_are_not_heeded_are_flagged_from_a_share_on() -> None:
    against = given("hasty", [3] * 3, overridden=("safety",)) + given("hasty", [None] * 3 + [3] * 7)
    found = flags(OverriddenWarningsMonitor(), against + given("careful", [3] * 10))
    assert set(found) == {"hasty"}
    assert found["hasty"].reason == "3 of 10 items were submitted against a warning, 3 of them about safety"
    assert found["hasty"].evidence["overridden"] == 3
    assert flags(OverriddenWarningsMonitor(share=0.3), against) == {}
    assert flags(OverriddenWarningsMonitor(at_least=11), against) == {}
