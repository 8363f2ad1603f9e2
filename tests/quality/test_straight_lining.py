from itertools import product
from random import Random

from assay.model import Judgment
from assay.quality import find_flags
from assay.quality.straight_lining import StraightLining
from assay.study import load
from assay.study.templates import HERE
from tests.report.test_report import judgment

STUDY = load(HERE / "empathy")
DIMENSIONS = [dimension.dimension for dimension in STUDY.scored]


def judged(annotator: str, items: int, alike: int) -> list[Judgment]:
    """So many items, of which some have the same value on every dimension."""
    chance = Random(annotator)
    made = []
    for number in range(items):
        same = chance.randint(1, 5)
        for place, dimension in enumerate(DIMENSIONS):
            value = same if number < alike else (same + place) % 5 + 1
            made.append(judgment(f"i{number}", annotator, value, dimension))
    return made


def test_a_straight_liner_is_flagged_with_the_evidence_and_a_careful_annotator_is_not() -> None:
    [flag] = find_flags(STUDY, judged("line", 20, 15) + judged("careful", 20, 2))
    assert (flag.annotator, flag.monitor) == ("line", "straight_lining")
    assert flag.reason == "15 of 20 items have the same value on every dimension"
    assert flag.items == tuple(f"i{number}" for number in range(15))


def test_the_threshold_and_the_least_number_of_items_come_from_the_study() -> None:
    half = judged("half", 20, 10)
    assert StraightLining(share=0.5).flags(STUDY, half) == []
    assert len(StraightLining(share=0.49).flags(STUDY, half)) == 1
    assert StraightLining(share=0.49, at_least=21).flags(STUDY, half) == []


def test_tags_and_notes_do_not_count() -> None:
    more = [judgment(f"i{n}", "line", "text", "note") for n in range(20)]
    assert len(StraightLining().flags(STUDY, judged("line", 20, 20) + more)) == 1


def test_one_dimension_alone_says_nothing() -> None:
    only = [judgment(f"i{n}", "ana", 3) for n, _ in product(range(20), range(1))]
    assert StraightLining().flags(STUDY, only) == []
