"""Monitors that set an annotator's use of the scale against that of the others on the same items."""

from random import Random

import pytest

from assay.model import CANDIDATES, Fact, Judgment
from assay.quality import MonitorData
from assay.quality.drift import DriftMonitor
from assay.quality.follows_length import FollowsLengthMonitor
from assay.quality.halo import HaloMonitor
from assay.quality.leniency import LeniencyMonitor
from assay.quality.low_agreement import LowAgreementMonitor
from assay.quality.never_used import NeverUsedMonitor
from assay.quality.scale_compression import ScaleCompressionMonitor
from tests.quality.judged import EMPATHY, PAIRS, flags, given, of_pair

LEVEL = [2, 4] * 10
"""What two careful people give to twenty items."""
ABOVE = [value + (at % 5 < 3) for at, value in enumerate(LEVEL)]
"""One point more on twelve of them."""


def careful(*names: str) -> list[Judgment]:
    return [each for name in names for each in given(name, LEVEL)]


# Leniency


def test_somebody_who_rates_higher_than_others_is_flagged_with_the_difference() -> None:
    found = flags(LeniencyMonitor(), given("high", ABOVE) + careful("ana", "bo"))
    # Twelve ones and eight zeros: mean 0.6, standard deviation 0.5026, t(19) = 2.093: 0.6 +- 0.2352.
    assert set(found) == {"high"}
    assert found["high"].reason == (
        "Emotion recognition is rated 0.60 points above what others gave the same 20 items (0.36 to 0.84)"
    )
    assert found["high"].evidence["emotion.difference"] == 0.6
    assert found["high"].evidence["emotion.low"] == 0.3648
    assert found["high"].evidence["emotion.high"] == 0.8352
    assert found["high"].evidence["emotion.n"] == 20
    assert len(found["high"].items) == 10
    assert found["high"].items[:3] == ("i1", "i11", "i12"), "of equals, by their ids"


def test_a_severe_annotator_is_flagged_in_the_other_direction() -> None:
    low = [value - (at % 5 < 3) for at, value in enumerate(LEVEL)]
    assert "0.60 points below" in flags(LeniencyMonitor(), given("low", low) + careful("ana", "bo"))["low"].reason


def test_the_difference_has_to_reach_the_points_or_the_share_of_the_scale() -> None:
    judgments = given("high", ABOVE) + careful("ana", "bo")
    assert set(flags(LeniencyMonitor(points=0.6), judgments)) == {"high"}
    assert flags(LeniencyMonitor(points=0.61), judgments) == {}
    assert set(flags(LeniencyMonitor(share=0.15), judgments)) == {"high"}
    assert flags(LeniencyMonitor(share=0.153), judgments) == {}
    assert flags(LeniencyMonitor(at_least=21), judgments) == {}


def test_a_difference_that_many_tests_find_by_chance_is_none() -> None:
    # 14 of 20 items a point above, 4 below: mean 0.5, standard deviation 0.827, t = 2.703 and p = 0.0141. The other two
    # have half of it in the other direction, with the same t and p.
    judgments = given("noisy", [4] * 14 + [2] * 4 + [3] * 2) + given("ana", [3] * 20) + given("bo", [3] * 20)
    assert flags(LeniencyMonitor(points=0.5), judgments)["noisy"].evidence["emotion.adjusted_p"] == 0.0141
    # Three more tests that find nothing make it 0.0141 * 6 / 3.
    judgments += [each for who in ("noisy", "ana", "bo") for each in given(who, [3] * 20, "safety")]
    assert flags(LeniencyMonitor(points=0.5), judgments)["noisy"].evidence["emotion.adjusted_p"] == 0.0282
    assert flags(LeniencyMonitor(points=0.5, false_discoveries=0.028), judgments) == {}


def test_controls_second_passes_and_items_of_one_person_do_not_count() -> None:
    assert flags(LeniencyMonitor(), given("high", ABOVE)) == {}
    assert flags(LeniencyMonitor(), given("high", ABOVE, control=True) + careful("ana", "bo")) == {}
    assert flags(LeniencyMonitor(), given("high", ABOVE, pass_=2) + careful("ana", "bo")) == {}


def test_the_sides_of_an_item_count_as_one_item_and_are_compared_by_candidate() -> None:
    judgments = []
    for at in range(10):
        for side, value in (("left", 2), ("right", 4)):
            judgments += [of_pair(f"i{at}", who, "coherence", value, side) for who in ("ana", "bo")]
            judgments += [of_pair(f"i{at}", "high", "coherence", value + 1, side)]
    assert flags(LeniencyMonitor(), judgments, study=PAIRS) == {}, "ten items with two sides are ten items"
    assert flags(LeniencyMonitor(at_least=10), judgments, study=PAIRS)["high"].evidence["coherence.n"] == 10
    left, right, *_ = MonitorData(PAIRS, judgments, {}).scores["coherence"]["high"]
    assert (left.others, right.others) == (2, 4)


# Drift


def test_values_that_rise_against_the_others_are_flagged_with_the_slope() -> None:
    # 20 items a point below and 20 a point above: slope 2 * sum(j - 0.5) / (40 (40^2 - 1) / 12) = 400 / 5330 an item.
    found = flags(
        DriftMonitor(points=5), given("rising", [2] * 20 + [4] * 20) + given("ana", [3] * 40) + given("bo", [3] * 40)
    )
    assert set(found) == {"rising"}, "the others fall against the mean that holds the one who rises, by half as much"
    assert found["rising"].evidence["emotion.points_in_100_items"] == 7.5047
    assert found["rising"].reason.startswith(
        "Emotion recognition rises by 7.50 points in 100 items against the others (6."
    )
    assert found["rising"].evidence["emotion.n"] == 40


def test_the_slope_has_to_reach_the_threshold_on_enough_items() -> None:
    judgments = given("rising", [2] * 20 + [4] * 20) + given("ana", [3] * 40) + given("bo", [3] * 40)
    assert set(flags(DriftMonitor(points=7.5), judgments)) == {"rising"}
    assert flags(DriftMonitor(points=7.51), judgments) == {}
    assert flags(DriftMonitor(at_least=41), judgments) == {}


def test_where_no_positions_are_known_the_order_of_the_submissions_is_taken() -> None:
    from dataclasses import replace

    judgments = given("rising", [2] * 20 + [4] * 20) + given("ana", [3] * 40) + given("bo", [3] * 40)
    unknown = [replace(each, position=0) for each in judgments]
    assert flags(DriftMonitor(points=5), unknown)["rising"].evidence["emotion.points_in_100_items"] == 7.5047


def test_tiredness_that_breaks_end_is_flagged_although_there_is_no_slope() -> None:
    tired = given("tired", ([3] * 5 + [4] * 5) * 4)
    others = given("ana", [3] * 40) + given("bo", [3] * 40)
    breaks = {"tired": [10 * 60_000 + 1, 20 * 60_000 + 1, 30 * 60_000 + 1]}
    found = flags(DriftMonitor(points=0.9), tired + others, breaks=breaks)
    assert found["tired"].reason == (
        "Emotion recognition lies 1.00 points higher before breaks than after them (nothing varies, n = 30 items)"
    )
    assert found["tired"].evidence["emotion.breaks.before_minus_after"] == 1.0
    assert flags(DriftMonitor(points=0.9), tired + others) == {}


# Scale compression

NARROW, WIDE = [2, 3, 3, 4, 3, 2, 4, 3] * 2, [1, 3, 4, 5, 2, 1, 5, 3] * 2


def test_somebody_who_keeps_to_the_middle_of_the_scale_is_flagged_with_the_ratio() -> None:
    found = flags(ScaleCompressionMonitor(), given("narrow", NARROW) + given("wide", WIDE))
    # Sums of squares 4 and 18 about the same mean: sqrt(4 / 18).
    assert set(found) == {"narrow"}
    assert found["narrow"].evidence["emotion.ratio"] == 0.4714
    assert found["narrow"].reason.startswith(
        "Emotion recognition is spread 0.47 times as widely as others' values of the same 16 items"
    )
    assert found["narrow"].reason.endswith("from 2 to 4")


def test_the_ratio_has_to_lie_below_the_limit_on_enough_items() -> None:
    judgments = given("narrow", NARROW) + given("wide", WIDE)
    assert set(flags(ScaleCompressionMonitor(below=0.48), judgments)) == {"narrow"}
    assert flags(ScaleCompressionMonitor(below=0.47), judgments) == {}
    assert flags(ScaleCompressionMonitor(at_least=17), judgments) == {}


def test_one_value_throughout_is_compressed_and_nothing_is_said_where_all_do_so() -> None:
    assert (
        flags(ScaleCompressionMonitor(), given("flat", [3] * 16) + given("wide", WIDE))["flat"].evidence[
            "emotion.ratio"
        ]
        == 0
    )
    assert flags(ScaleCompressionMonitor(), given("flat", [3] * 16) + given("too", [3] * 16)) == {}


# Low agreement


def test_somebody_who_turns_the_scale_round_is_flagged_and_those_who_agree_are_not() -> None:
    level = [1, 2, 3, 4, 5] * 5
    judgments = given("turned", [6 - value for value in level]) + given("ana", level) + given("bo", level)
    found = flags(LowAgreementMonitor(), judgments)
    # Mean squared distance 8 against 4 by chance: 1 - 8 / 4. The others have 4 against 4: 0.
    assert set(found) == {"turned"}
    assert found["turned"].evidence["emotion.kappa"] == -1
    assert found["turned"].evidence["emotion.median"] == 0
    assert found["turned"].reason.startswith("Emotion recognition: kappa with the others is −1.00 (")
    assert flags(LowAgreementMonitor(at_least=26), judgments) == {}
    assert flags(LowAgreementMonitor(below=-0.99), judgments)["turned"]
    assert flags(LowAgreementMonitor(below=0.3), given("ana", level) + given("bo", level)) == {}


def test_agreement_that_is_lower_than_that_of_others_is_no_doubt_while_it_is_not_low() -> None:
    level = [1, 2, 3, 4, 5] * 32
    judgments = [each for who in ("ana", "bo", "cy", "di") for each in given(who, level)]
    judgments += given("apart", [6 - value if at % 4 == 0 else value for at, value in enumerate(level)])
    assert flags(LowAgreementMonitor(below=0.3), judgments) == {}
    assert set(flags(LowAgreementMonitor(below=0.6), judgments)) == {"apart"}


def test_where_everybody_disagrees_nobody_is_flagged() -> None:
    chance = Random(1)
    judgments = [each for who in "abcd" for each in given(who, [chance.randint(1, 5) for _ in range(40)])]
    assert flags(LowAgreementMonitor(below=0.9), judgments) == {}


def test_preferences_agree_by_candidate() -> None:
    good = ["x", "y", "tie"] * 8
    judgments = [
        of_pair(f"i{at}", who, "preference", {"x": "y", "y": "x"}.get(value, value) if who == "turned" else value)
        for who in ("turned", "ana", "bo")
        for at, value in enumerate(good)
    ]
    found = flags(LowAgreementMonitor(), judgments, study=PAIRS)
    # A third agrees, and a third would by chance.
    assert {name: flag.evidence["preference.kappa"] for name, flag in found.items()} == {"turned": 0}


# Halo

FIRST, SECOND = [1, 2, 3, 4, 5] * 5, [2, 4, 1, 5, 3] * 5


def two(who: str, first: list[object], second: list[object]) -> list[Judgment]:
    return given(who, first) + given(who, second, "safety")


def wavering(seed: int) -> list[int]:
    chance = Random(seed)
    return [chance.choice([-1, 0, 0, 1]) for _ in FIRST]


def around(values: list[int], seed: int) -> list[object]:
    return [min(5, max(1, value + more)) for value, more in zip(values, wavering(seed), strict=True)]


def test_one_impression_for_all_dimensions_is_flagged() -> None:
    judgments = [each for n in range(5) for each in two(f"p{n}", around(FIRST, 2 * n), around(SECOND, 2 * n + 1))]
    judgments += two("halo", around(FIRST, 99), around(SECOND, 99))
    found = flags(HaloMonitor(), judgments)
    assert set(found) == {"halo"}
    assert found["halo"].evidence["n"] == 25
    assert float(found["halo"].evidence["residual"]) > float(found["halo"].evidence["others"]) + 0.25
    assert "the dimensions go together by" in found["halo"].reason
    assert found["halo"].items, "items with one value throughout on which the others saw a difference"
    assert flags(HaloMonitor(at_least=26), judgments) == {}
    assert flags(HaloMonitor(above=1.5), judgments) == {}


def test_a_correlation_of_few_items_whose_interval_holds_that_of_the_others_is_no_halo() -> None:
    judgments = [each for n in range(5) for each in two(f"p{n}", around(FIRST, 2 * n), around(SECOND, 2 * n + 1))]
    few = [each for each in judgments + two("halo", around(FIRST, 99), around(SECOND, 7)) if each.position <= 6]
    assert flags(HaloMonitor(at_least=5, above=0.01), few) == {}


def test_dimensions_that_go_together_in_the_items_are_no_halo() -> None:
    judgments = [each for n in range(3) for each in two(f"p{n}", around(FIRST, 2 * n), around(FIRST, 2 * n + 1))]
    assert flags(HaloMonitor(), judgments) == {}


def test_one_dimension_has_no_halo() -> None:
    assert flags(HaloMonitor(), given("ana", around(FIRST, 1)) + given("bo", around(FIRST, 2))) == {}


# Length

LONG = {f"i{at}": Fact(words=10 * at) for at in range(1, 26)}
RISING = [1 + (at - 1) // 5 for at in range(1, 26)]
LEVELLED = [1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 2, 3, 4, 3, 2, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1]
"""The same read from either end: it has nothing to do with length."""


def test_values_that_follow_length_are_flagged_with_both_correlations() -> None:
    found = flags(FollowsLengthMonitor(), given("long", RISING) + given("ana", LEVELLED) + given("bo", LEVELLED), LONG)
    assert found["long"].evidence["emotion.own"] == pytest.approx(0.9806, abs=1e-3)
    assert found["long"].evidence["emotion.others"] == 0
    assert found["long"].reason.startswith(
        "Emotion recognition goes with length by 0.98, the others' values of the same items by "
    )
    assert set(found) == {"long"}


def test_what_is_good_because_it_is_long_to_everybody_is_not_flagged() -> None:
    rising = given("ana", RISING) + given("bo", RISING) + given("cy", [*RISING[:-1], 4])
    assert flags(FollowsLengthMonitor(), rising, LONG) == {}


def test_length_counts_from_a_threshold_on_enough_items_and_on_named_dimensions() -> None:
    judgments = given("long", RISING) + given("ana", LEVELLED) + given("bo", LEVELLED)
    assert flags(FollowsLengthMonitor(above=0.99), judgments, LONG) == {}
    assert flags(FollowsLengthMonitor(at_least=26), judgments, LONG) == {}
    assert flags(FollowsLengthMonitor(dimensions=("safety",)), judgments, LONG) == {}
    assert set(flags(FollowsLengthMonitor(dimensions=("emotion",)), judgments, LONG)) == {"long"}


def test_of_a_side_its_own_words_count() -> None:
    items, judgments = {}, []
    for at in range(1, 21):
        left, right = at, 41 - at
        items[f"i{at}"] = Fact(words=41, shown={CANDIDATES: [{"text": "word " * left}, {"text": "word " * right}]})
        for side, words in (("left", left), ("right", right)):
            judgments.append(of_pair(f"i{at}", "long", "coherence", 1 + (words - 1) // 8, side))
            judgments += [of_pair(f"i{at}", who, "coherence", 1 + at % 5, side) for who in ("ana", "bo")]
    found = flags(FollowsLengthMonitor(), judgments, items, PAIRS)
    assert set(found) == {"long"}
    assert found["long"].evidence["coherence.n"] == 40


# Values that are never used

SAFETY = [1, 2] * 4 + [4] * 12


def test_low_values_that_only_others_give_are_flagged() -> None:
    judgments = [each for who in ("ana", "bo") for each in given(who, SAFETY, "safety")]
    judgments += given("kind", [3] * 8 + [4] * 12, "safety")
    found = flags(NeverUsedMonitor(dimensions=("safety",), values=(1, 2)), judgments)
    assert set(found) == {"kind"}
    assert (
        found["kind"].reason == "Safety and boundaries: 1, 2 was never given; others gave it to 8 of the same 20 items"
    )
    assert found["kind"].items == tuple(f"i{at}" for at in range(1, 9))
    assert found["kind"].evidence == {"safety.by_others": 8, "safety.n": 20, "safety.share": 0.4}


def test_one_use_is_enough_and_so_few_cases_say_nothing() -> None:
    others = [each for who in ("ana", "bo") for each in given(who, SAFETY, "safety")]
    never = given("kind", [3] * 8 + [4] * 12, "safety")
    once = given("kind", [3] * 8 + [4] * 11 + [2], "safety")
    assert set(flags(NeverUsedMonitor(), others + never)) == {"kind"}, "left out, it is the lower half of each scale"
    assert flags(NeverUsedMonitor(), others + once) == {}
    assert flags(NeverUsedMonitor(at_least=9), others + never) == {}
    assert flags(NeverUsedMonitor(dimensions=("emotion",)), others + never) == {}
    assert flags(NeverUsedMonitor(values=(5,)), others + never) == {}


# Values that are not on the scale


def test_values_of_an_older_scale_are_left_out() -> None:
    work = MonitorData(EMPATHY, given("ana", [7, 3]) + given("bo", [3, 3]), {})
    assert [(score.value, score.others) for score in work.scores["emotion"]["ana"]] == [(3, 3)]
    assert [(score.value, score.others) for score in work.scores["emotion"]["bo"]] == [(3, None), (3, 3)]
