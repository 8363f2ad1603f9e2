"""Empathy: weighted kappa against 0.4, duplicates within one, calibration, compression and halo, from a known table."""

import re
from dataclasses import replace

import pytest

from assay.model import Judgment
from assay.report.build import Report
from assay.report.method_paragraph import method_paragraph
from assay.study.assignment import DuplicateSettings
from tests.report.known import answers, line, one, report
from tests.report.test_report import PLAIN

# 30 items. Emotion: on 24 both say the same, half of them 2 and half 3; on 6 they are one apart, three each way.
EMOTION = [(2, 2)] * 12 + [(3, 3)] * 12 + [(2, 3)] * 3 + [(3, 2)] * 3
# Safety: where one says 1 the other says 3, always.
SAFETY = [(1, 3), (3, 1)] * 15


def judged() -> list[Judgment]:
    return [
        each
        for index, (emotion, safety) in enumerate(zip(EMOTION, SAFETY, strict=True))
        for who, place in (("ana", 0), ("ben", 1))
        for each in answers(f"i{index}", who, {"emotion": emotion[place], "safety": safety[place]})
    ]


def again() -> list[Judgment]:
    """Ana gets 20 items a second time: 16 times she says the same, 3 times one more, once two more."""
    apart = [0] * 16 + [1] * 3 + [2]
    return [
        each
        for index, by in enumerate(apart)
        for each in answers(
            f"i{index}", "ana", {"emotion": EMOTION[index][0] + by}, pass_=2, submission=f"again-{index}"
        )
    ]


def practice() -> list[Judgment]:
    """In calibration Ana is one too high on 4 of 10 items, of which 3 is the agreed value; Ben is right."""
    return [
        each
        for index in range(10)
        for who, value in (("ana", 4 if index < 4 else 3), ("ben", 3))
        for each in answers(f"c{index}", who, {"emotion": value}, source="practice")
    ]


@pytest.fixture(scope="module")
def made() -> Report:
    return report(PLAIN, [*judged(), *again()], practice(), expected={"emotion": 3})


def test_the_page_says_how_the_interval_of_the_coefficient_that_stands_first_was_made(made: Report) -> None:
    rows = made.numbers()["agreement"]["dimensions"]
    ways = [one(row["coefficients"], name=row["main"])["method"] for row in rows]
    assert any(ways)
    assert not all(ways), "one that is undefined has no interval"
    assert [row["how"] for row in rows] == ways
    (said,) = re.findall(r"Intervals of the one reported first: (.*?)\. The JSON file", made.html())
    assert said == "; ".join(dict.fromkeys(filter(None, ways)))
    undefined = report(PLAIN, answers("i0", "ana", {"emotion": 3})).html()
    assert "The JSON file has the way of every other" in undefined
    assert "Intervals of the one reported first" not in undefined, "where there is none"


def test_weighted_kappa_of_a_known_table_stands_in_the_sentence_and_in_the_numbers(made: Report) -> None:
    # Both margins are 15 and 15, so by chance half agree: kappa = (24/30 - 1/2) / (1 - 1/2) = 0.6.
    found = re.fullmatch(
        r"Emotion recognition: weighted kappa \(linear\) 0\.60 \[(0\.\d\d), (0\.\d\d)\], 2 annotators, 30 items; 100 % "
        r"within one point; the study asks for at least 0\.40: (undecided, the interval contains it|met)\.",
        line(made, "Emotion recognition: weighted"),
    )
    assert found
    assert float(found[1]) < 0.6 < float(found[2])
    row = one(made.numbers()["agreement"]["dimensions"], dimension="emotion")
    assert one(row["coefficients"], name="cohen_kappa_linear")["value"] == pytest.approx(0.6)
    assert one(row["coefficients"], name="percent_agreement")["value"] == pytest.approx(0.8)
    assert one(made.numbers()["figures"]["agreement"]["rows"], dimension="emotion")["value"] == pytest.approx(0.6)


def test_what_never_agrees_does_not_meet_what_the_study_asks_for(made: Report) -> None:
    # Observed disagreement 2 always; by chance half of the pairs are 2 apart: kappa = 1 - 2/1 = -1.
    said = line(made, "Safety and boundaries: weighted")
    assert said.startswith("Safety and boundaries: weighted kappa (linear) −1.00 ")
    assert "; 0 % within one point; the study asks for at least 0.40: not met" in said


def test_duplicates_are_the_same_in_16_and_within_one_in_19_of_20(made: Report) -> None:
    said = line(made, "Judged again by the same person")
    assert said.startswith("Judged again by the same person, the value was the same in 80 % [")
    assert "(Emotion recognition) of 20 second judgments, and within one point in 95 %" in said
    row = one(made.numbers()["annotators"]["dimensions"], dimension="emotion")
    assert row["with_themselves"]["exact"]["value"] == pytest.approx(0.8)
    assert row["with_themselves"]["within_one"]["value"] == pytest.approx(0.95)
    figure = one(made.numbers()["figures"]["duplicates"]["all"], annotator="ana")
    assert (figure["same"], figure["one"], figure["more"]) == (16, 3, 1)


def test_the_methods_say_that_items_came_again_where_they_did(made: Report) -> None:
    again_wanted = PLAIN.assignment.model_copy(update={"duplicates": DuplicateSettings(count=2, distance=1)})
    study = PLAIN.model_copy(update={"assignment": again_wanted})
    said = "Unmarked among the items were items that came a second time."
    assert said in method_paragraph(replace(made.data, study=study))
    once = replace(made.data, study=study, judgments=judged())
    assert said not in method_paragraph(once), "the study wanted it, and nobody got one"


def test_calibration_says_who_is_how_far_from_what_was_agreed(made: Report) -> None:
    assert line(made, "Calibration: ") == (
        "Calibration: in practice, values lay 0.00 to 0.40 points away from those agreed beforehand (mean, over "
        "annotators and dimensions; n up to 10 items); farthest to one side: ana on Emotion recognition, +0.40 points "
        "(fewer than 20 items: too few to say)."
    )
    row = one(made.numbers()["annotators"]["dimensions"], dimension="emotion")
    assert one(row["annotators"], annotator="ana")["bias"]["value"] == pytest.approx(0.4)
    assert one(row["annotators"], annotator="ben")["absolute_error"]["value"] == pytest.approx(0.0)


def test_who_uses_half_of_the_scale_is_named_with_the_ratio() -> None:
    # Ben lies halfway between 3 and what Ana says: his spread is half of hers, hers twice his.
    values = [1, 5] * 15
    given = [
        each
        for index, value in enumerate(values)
        for who, said in (("ana", value), ("ben", 3 + (value - 3) // 2))
        for each in answers(f"i{index}", who, {"emotion": said})
    ]
    made = report(PLAIN, given)
    assert line(made, "Scale use: ").startswith("Scale use: the narrowest is ben on Emotion recognition, 0.50 ")


def test_halo_is_named_for_whom_dimensions_go_together() -> None:
    # What the others see varies by itself on both dimensions; ben adds the same to both on every item.
    given = []
    for index in range(32):
        emotion, safety, more = 2 + index % 2, 2 + index // 2 % 2, index // 4 % 2
        for who in ("ana", "cem"):
            given += answers(f"i{index}", who, {"emotion": emotion, "safety": safety})
        given += answers(f"i{index}", "ben", {"emotion": emotion + more, "safety": safety + more})
    made = report(PLAIN, given)
    assert line(made, "Halo: ").startswith(
        "Halo: beyond what is in the items, the dimensions of ben go together most, 1.00"
    )


def test_who_is_left_out_changes_the_kappa_and_both_are_printed() -> None:
    wild = [each for index in range(30) for each in answers(f"i{index}", "cem", {"emotion": 1 + index % 5})]
    whole = report(PLAIN, [*judged(), *wild])
    without = report(PLAIN, [*judged(), *wild], excluded={"cem": "asleep"})
    numbers = without.numbers()["excluded"]
    assert numbers["without"]["emotion"] == pytest.approx(0.6)
    row = one(whole.numbers()["agreement"]["dimensions"], dimension="emotion")
    assert numbers["with_everybody"]["emotion"] == one(row["coefficients"], name="cohen_kappa_linear")["value"]
    # Ana and Ben give 2.5 on average, Cem 3: with him it is (2.5 + 2.5 + 3) / 3.
    row = one(numbers["comparisons"], what="Emotion recognition, mean", of="m")
    assert (row["without"], row["with_everybody"]) == (pytest.approx(2.5), pytest.approx(8 / 3))
    assert "Comparisons, with and without them" in without.html()
    assert "Left out: cem, asleep." in without.summary()
    assert line(without, "Not everybody: 1 annotator left out.")


def test_the_page_has_these_sentences_before_its_figures_and_its_figures_before_its_tables(made: Report) -> None:
    page = made.html().replace("\u00a0", " ")
    section = page[page.index('id="s-agreement"') : page.index('id="appendix"')]
    places = [section.index(part) for part in ("0.60 [", 'id="figure-agreement"')]
    assert places == sorted(places)
    assert "Every coefficient" in page[page.index('id="appendix"') :]
    assert replace(made).html() == made.html()
