from random import Random

import pytest

from assay.model import Judgment
from assay.quality import MonitorData, find_flags
from assay.quality.straight_lining import StraightLiningMonitor
from tests.quality.judged import EMPATHY, PAIRS, flags, of_pair
from tests.report.test_report import judgment

DIMENSIONS = [dimension.dimension for dimension in EMPATHY.scored_dimensions]


def judged(annotator: str, items: int, alike: int, **more: object) -> list[Judgment]:
    """So many items, of which some have the same value on every dimension."""
    chance = Random(annotator)
    made = []
    for number in range(items):
        same = chance.randint(1, 5)
        for place, dimension in enumerate(DIMENSIONS):
            value = same if number < alike else (same + place) % 5 + 1
            made.append(judgment(f"i{number}", annotator, value, dimension, **more))
    return made


def test_a_straight_liner_is_flagged_with_the_evidence_and_a_careful_annotator_is_not() -> None:
    found = flags(StraightLiningMonitor(), judged("line", 20, 15) + judged("careful", 20, 2))
    assert set(found) == {"line"}
    assert found["line"].reason == "15 of 20 items have the same value on every dimension"
    assert found["line"].items == tuple(sorted(f"i{number}" for number in range(15)))
    assert found["line"].evidence == {"alike": 15, "n": 20, "share": 0.75, "low": 0.5313, "high": 0.8881}


def test_the_study_says_which_monitors_watch() -> None:
    [flag] = find_flags(MonitorData(EMPATHY, judged("line", 20, 15), {}))
    assert (flag.monitor, flag.annotator) == ("straight_lining", "line")


def test_the_threshold_and_the_least_number_of_items_come_from_the_study() -> None:
    half = judged("half", 20, 10)
    assert flags(StraightLiningMonitor(share=0.5), half) == {}
    assert len(flags(StraightLiningMonitor(share=0.49), half)) == 1
    assert flags(StraightLiningMonitor(share=0.49, at_least=21), half) == {}
    assert len(flags(StraightLiningMonitor(share=0.49, at_least=20), half)) == 1


@pytest.mark.parametrize("more", [{"pass_": 2}, {"control": True}])
def test_second_passes_and_controls_do_not_count(more: dict[str, object]) -> None:
    assert flags(StraightLiningMonitor(), judged("line", 20, 20, **more)) == {}


def test_tags_and_notes_do_not_count() -> None:
    more = [judgment(f"i{n}", "line", "text", "note") for n in range(20)]
    assert len(flags(StraightLiningMonitor(), judged("line", 20, 20) + more)) == 1


def test_a_line_does_not_end_at_a_question_of_another_kind() -> None:
    line = [
        of_pair(f"i{n}", "line", name, 3, side)
        for n in range(12)
        for name in ("coherence", "efficiency", "thoroughness")
        for side in ("left", "right")
    ]
    more = [of_pair(f"i{n}", "line", "correctness", 1, "left") for n in range(12)]
    more += [of_pair(f"i{n}", "line", "preference", "x") for n in range(12)]
    assert set(flags(StraightLiningMonitor(), line + more, study=PAIRS)) == {"line"}


def test_one_dimension_alone_says_nothing() -> None:
    assert flags(StraightLiningMonitor(), [judgment(f"i{n}", "ana", 3) for n in range(20)]) == {}
