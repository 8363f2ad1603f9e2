"""The first page says what was asked of whom, the answer, how far people agree, what to be careful of."""

import re
from dataclasses import replace

import pytest

import assay.report.summary_answers
from assay.report.build import Report, build
from assay.report.page import fold_apart
from assay.report.sections import PARTS, all_sections
from assay.report.summary_answers import answers_of
from assay.report.text_width import width
from assay.report.tiles_of_report import verdict_of
from tests.report.known import answers, report
from tests.report.test_known_in_car import STUDY as CARS
from tests.report.test_known_in_car import judged as in_cars
from tests.report.test_known_trajectories import STUDY as WAYS
from tests.report.test_known_trajectories import judged as ways
from tests.report.test_report import PLAIN


def two_systems(people: str = "ab", off: str = "") -> Report:
    """Thirty texts of each of two systems: `new` lies 4/3 of a point above `old`; who is off says the contrary."""
    given = []
    for index in range(30):
        for system, score in (("old", 2 + index % 2), ("new", 3 + index % 2 + (index % 3 == 0))):
            for who in people:
                value = 6 - score if who in off else score
                one = answers(f"{system}{index}", who, {"emotion": value}, system=system, group=f"g{index}")
                given += [replace(each, systems=(system,)) for each in one]
    return report(PLAIN, given)


def test_the_answer_is_a_sentence_with_interval_and_n() -> None:
    summary = two_systems().parts["summary"]
    [row] = summary.answers.rows
    assert (row.first, row.second, row.value, row.shown) == ("new", "old", pytest.approx(4 / 3), True)
    assert row.ci is not None
    low, high = row.ci
    assert summary.said == [
        f"new is above old on Emotion recognition (+1.33 [{low:.2f}, {high:.2f}]). n = 30 groups; for these annotators."
    ]
    assert "2 annotators judged 60 items of new and old" in summary.asked[1]


def test_what_an_axis_says_goes_on_as_many_lines_as_a_phone_needs() -> None:
    title = "How well the reply sees what the person is feeling"
    named = tuple(each.model_copy(update={"title": title}) for each in PLAIN.rubric)
    made = two_systems()
    study = PLAIN.model_copy(update={"rubric": named})
    page = build(replace(made.data, study=study)).html()
    narrow = page[page.index('id="figure-summary-narrow') :].partition("</svg>")[0]
    height = float(re.findall(r'viewBox="0 0 340 ([\d.]+)"', page[: page.index(narrow)])[-1])
    centred = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="middle"[^>]*>([^<]*)<', narrow)
    said = [each for each in centred if each[2] in f"{title}, first − second: points" and len(each[2]) > 3]
    assert " ".join(words for *_, words in said) == f"{title}, first − second: points"
    assert len(said) > 1
    for x, y, words in said:
        assert 0 <= float(x) - width(words) / 2 <= float(x) + width(words) / 2 <= 340
        assert float(y) < height


def test_the_tile_of_a_report_says_what_was_found_when_the_study_is_closed_or_may_be_looked_at() -> None:
    made = two_systems()
    assert made.data.fieldwork is not None
    still_open = replace(made.data, fieldwork=replace(made.data.fieldwork, state="open"))

    def tile(**analysis: object) -> str:
        study = PLAIN.model_copy(update={"analysis": PLAIN.analysis.model_copy(update=analysis)})
        data = replace(still_open, study=study)
        return verdict_of(data, build(data).parts).tiles[3].headline

    assert verdict_of(made.data, made.parts).tiles[3].headline.startswith("+1.33 [")
    assert tile() == "When it is closed"
    assert tile(looks="any").startswith("+1.33 [")
    assert tile(looks="any", blind=True) == "Hidden"


def test_the_same_number_stands_on_the_first_page_and_in_its_section() -> None:
    made = report(WAYS, ways())
    pairs = {
        (row.dimension, pair.first, pair.second): pair.claim
        for family in made.parts["systems"].families
        for row in family.dimensions
        for pair in row.pairs
    }
    nets = {
        (row.dimension, pair.system, pair.against): pair.net
        for family in made.parts["preferences"].families
        for row in family.dimensions
        for pair in row.pairs
    }
    rows = made.parts["summary"].answers.rows
    assert rows
    for row in rows:
        found = {**pairs, **nets}[row.dimension, row.first, row.second]
        assert (row.value, row.ci) == (found.value, found.ci)


def test_the_answer_carries_what_it_would_be_with_everybody() -> None:
    everybody = two_systems("abc", off="c")
    without = build(replace(everybody.data, excluded={"c": "too fast"}))
    [row] = without.parts["summary"].answers.rows
    [whole] = everybody.parts["summary"].answers.rows
    assert row.value == pytest.approx(4 / 3)
    assert row.with_everybody is not None
    assert row.with_everybody.value == whole.value == pytest.approx(4 / 9)
    assert row.with_everybody.ci == whole.ci
    assert "; with everybody +0.44 [" in without.parts["summary"].said[0]
    assert "1 annotator left out" in without.parts["summary"].asked[1]


def test_a_single_system_is_answered_by_its_means_what_is_computed_first() -> None:
    summary = report(CARS, in_cars()).parts["summary"]
    assert not summary.answers.compared
    assert summary.answers.rows[0].title == "Success score"
    assert summary.said[0].startswith("Means: Success score (")


def test_the_studys_line_is_undecided_where_its_coefficient_is_undefined_whatever_another_says() -> None:
    # Each item has two judges of its own, who say the same: kappa needs two people who share several items.
    given = [
        each
        for index in range(30)
        for who in "ab"
        for each in answers(f"i{index}", f"{who}{index}", {"emotion": 1 + index % 5})
    ]
    made = report(PLAIN, given)
    [row] = [each for each in made.parts["summary"].agreement if each.n]
    assert (row.coefficient, row.value) == ("Krippendorff's alpha (ordinal)", 1.0), "shown, and named"
    said = made.parts["summary"].agreed
    assert "The study asks for 0.40: 5 undecided, of 5 questions. On Emotion recognition, " in said
    assert "weighted kappa (linear) is undefined (" in said
    tile = verdict_of(made.data, made.parts).tiles[1]
    assert tile.tone == ""
    assert "asked for: 0.40, undecided: weighted kappa (linear) is undefined." in tile.sentence
    [line] = [each for each in made.summary() if each.startswith("Emotion recognition: Krippendorff's alpha")]
    assert "at least 0.40: undecided, weighted kappa (linear) is undefined (" in line
    for text in (said, tile.sentence, line):
        assert not re.search(r"(?<!not )\bmet\b", text), text


def test_too_few_are_said_to_be_too_few() -> None:
    given = []
    for system, score in (("old", 2), ("new", 4)):
        for index in range(5):
            one = answers(f"{system}{index}", "a", {"emotion": score}, system=system)
            given += [replace(each, systems=(system,)) for each in one]
    [said] = report(PLAIN, given).parts["summary"].said
    assert said.startswith("Too few to say (10 items, 20 are needed). new − old: Emotion recognition +2.00")


def test_a_study_without_judgments_has_a_first_page_too() -> None:
    made = report(PLAIN, [])
    assert made.parts["summary"].said == []
    assert "Nothing was judged yet" in made.html()


def test_rows_beyond_one_page_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assay.report.summary_answers, "MOST_ANSWERS", 1)
    found = answers_of(report(WAYS, ways()).data)
    assert len(found.rows) == 1
    assert found.more > 0
    assert len({each.dimension for each in found.rows}) == 1, "one question, all pairs"


def test_summary_findings_quality_methods_come_in_this_order_and_tables_stand_in_the_appendix() -> None:
    page = report(CARS, in_cars()).html()
    places = [page.index('class="summary"'), *(page.index(f'id="part-{name}"') for name in list(PARTS)[1:])]
    appendix = page.index('id="appendix"')
    assert places == sorted(places)
    assert places[-1] < appendix
    before, behind = re.sub(r"<figure.*?</figure>", "", page[:appendix], flags=re.S), page[appendix:]
    assert "<details" not in before
    assert behind.count("<details") > 5
    for section in all_sections():
        assert section.part in PARTS


def test_what_is_folded_inside_a_figure_stays_there() -> None:
    html = "<p>a</p><details>b<details>c</details></details><figure><details>d</details></figure><p>e</p>"
    assert fold_apart(html) == (
        "<p>a</p><figure><details>d</details></figure><p>e</p>",
        "<details>b<details>c</details></details>",
    )
    with_note = '<p class="muted">of what is shown</p><details>b</details><p class="muted">of the table</p>'
    assert fold_apart(with_note) == (
        '<p class="muted">of what is shown</p>',
        '<details>b</details><p class="muted">of the table</p>',
    )


def test_rows_of_one_question_are_named_by_their_systems_and_those_of_several_by_their_questions() -> None:
    assert two_systems().parts["summary"].one_question
    several = report(WAYS, ways()).parts["summary"]
    assert len({each.title for each in several.answers.rows}) > 1
    assert not several.one_question


def test_agreement_in_short_goes_from_the_least_to_the_most_and_what_is_undefined_comes_last() -> None:
    given = [
        each
        for index in range(30)
        for other, who in enumerate("ab")
        for each in answers(
            f"i{index}", who, {"emotion": 1 + index % 5, "validation": 1 + (index + other * (index % 3 == 0)) % 5}
        )
    ]
    values = [each.value for each in report(PLAIN, given).parts["summary"].agreement]
    known = [each for each in values if each is not None]
    assert known[0] < known[1] == 1, "asked in the other order"
    assert values == [*known, *[None] * (len(values) - 2)]
    assert len(values) > 2
