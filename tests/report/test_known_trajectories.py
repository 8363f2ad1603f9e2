"""Trajectories: means of each system, preference, confidence, agreement and speed flags, by hand."""

from collections.abc import Mapping

import pytest

from assay.model import Judgment
from assay.report.build import Report
from tests.report.comparing import WAYS, ungrouped
from tests.report.known import line, one, report
from tests.report.test_report import judgment

STUDY = ungrouped(WAYS)
PAIR = ("base", "tuned")
SECONDS = {"ana": 150, "ben": 120, "quick": 12}


def judged() -> list[Judgment]:
    """25 items by three people: tuned gets 4 and base 3, but on every fifth it is the other way round."""
    given = []
    for index in range(25):
        better = PAIR[1] if index % 5 else PAIR[0]
        for who, seconds in SECONDS.items():
            about = {"item": f"i{index}", "annotator": who, "systems": PAIR, "left": PAIR[index % 2]}
            for system in PAIR:
                values = {"coherence": 4 if system == better else 3, "correctness": int(system == better)}
                for name, value in values.items():
                    side = "left" if system == about["left"] else "right"
                    given.append(_one(about, name, value, seconds, system=system, side=side))
            given.append(_one(about, "preference", better if index < 20 else "tie", seconds, system=""))
            given.append(_one(about, "confidence", 5 if index < 20 else 1, seconds, system=""))
    return given


def _one(about: Mapping[str, object], dimension: str, value: object, seconds: int, **more: object) -> Judgment:
    made = {**about, **more, "active_ms": seconds * 1000, "study_hash": "now", "group": ""}
    item, who = str(made.pop("item")), str(made.pop("annotator"))
    return judgment(item, who, value, dimension, **made)


@pytest.fixture(scope="module")
def made() -> Report:
    return report(STUDY, judged())


def test_each_system_has_its_mean_and_a_yes_is_a_share(made: Report) -> None:
    # Tuned: 4 on 20 of 25 and 3 on 5: 3.8. Base: 3.2. Correct: 80 % and 20 %.
    rows = made.numbers()["systems"]["families"][0]["dimensions"]
    means = {each["system"]: each["value"] for each in one(rows, dimension="coherence")["systems"]}
    assert means == {"base": pytest.approx(3.2), "tuned": pytest.approx(3.8)}
    assert line(made, "Coherence, mean of item means: ").startswith("Coherence, mean of item means: base 3.20 [")
    assert "; base − tuned: −0.60 [" in line(made, "Coherence, mean of item means: ")
    said = line(made, "Correctness, share of “Yes”, mean over items: ")
    assert said.startswith("Correctness, share of “Yes”, mean over items: base 20 % [")
    assert "; tuned 80 % [" in said


def test_preference_and_confidence_are_said_by_hand_counted_shares(made: Report) -> None:
    # Of items 0 to 19 base wins 4 and tuned 16; 5 are ties: 16, 20 and 64 % of 75 judgments.
    said = line(made, "Preference, base against tuned: ")
    assert said.startswith("Preference, base against tuned: won 16 % [")
    assert "tied 20 % [" in said
    assert "lost 64 % [" in said
    assert "of 75 judgments of 25 items; net win rate −48 % [" in said
    # (20 * 5 + 5 * 1) / 25 = 4.2.
    assert line(made, "Confidence, mean of item means: ").startswith("Confidence, mean of item means: all items 4.20 [")


def test_the_higher_score_was_preferred_always_and_at_full_confidence(made: Report) -> None:
    figure = made.numbers()["figures"]["scores_and_choice"]
    whole = one(figure["rows"], level="")
    sure = one(figure["rows"], level="5")
    assert (whole["value"], whole["n"], sure["n"]) == (1.0, 60, 60)


def test_people_of_one_mind_agree_wholly_on_sides_and_pairs(made: Report) -> None:
    said = line(made, "Coherence: Krippendorff's alpha (ordinal)")
    assert said.startswith("Coherence: Krippendorff's alpha (ordinal) 1.00, ")
    assert ", 3 annotators, 50 sides of 25 items; 100 % within one point" in said


def test_who_is_faster_than_thirty_seconds_is_flagged_and_times_are_medians(made: Report) -> None:
    assert "Flagged for speed: quick (too fast); why stands under “Is anything doubtful?”." in made.summary()
    assert "Flag: quick, too fast: 25 of 25 items took less than 30 s (median 12 s)." in made.summary()
    # 12, 120 and 150 s for 25 items each: the middle is 120, the quarters are 12 and 150; 7050 s are 1.96 hours.
    assert line(made, "An item took ") == (
        "An item took 120 s (median; the middle half 12 to 150 s) of active time; 75 submitted items of 3 annotators, "
        "2.0 hours in all; the study expects 120 to 180 s."
    )
    quick = one(made.numbers()["time"]["annotators"], annotator="quick")
    # 119 words are half a minute of reading, and seven questions 35 s more: 12 of 65 s.
    assert quick["of_expected"]["median"] == pytest.approx(12 / (30 + 5 * len(STUDY.rubric)))
    assert quick["active_minutes"] == pytest.approx(5.0)
