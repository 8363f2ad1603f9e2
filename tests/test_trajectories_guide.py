"""The guide of the trajectories template says what its page asks, and what the document fixes as facts."""

import re
from pathlib import Path

import pytest

from assay.study import load
from assay.study.rubric import Dimension
from assay.study.templates import HERE

FOLDER = HERE / "trajectories"
STUDY = load(FOLDER)
GUIDE = {path.stem: path.read_text("utf-8") for path in Path(FOLDER, "guide").glob("*.md")}
SCORED = ("coherence", "efficiency", "thoroughness")
POINTS_IN_DOCUMENT = {
    "coherence": {1: 4, 2: 5, 3: 4, 4: 4, 5: 5},
    "efficiency": {1: 5, 2: 5, 3: 4, 4: 4, 5: 5},
    "thoroughness": {1: 4, 2: 4, 3: 4, 4: 4, 5: 5},
}
"""How many points the document lists for each level."""


def section_of(dimension: Dimension) -> str:
    """What the criteria say of one dimension."""
    _, _, rest = GUIDE["criteria"].partition(f"## {dimension.heading}\n")
    return rest.partition("\n## ")[0]


def worked_scores(title: str) -> list[dict[str, str]]:
    """The scores of a worked example, for each of its trajectories."""
    _, _, rest = GUIDE["examples"].partition(f"## {title}")
    rows = [
        [cell.strip() for cell in line.strip("|\n ").split("|")]
        for line in rest.partition("\n## ")[0].splitlines()
        if line.startswith("| ") and not line.startswith("| Criterion")
    ]
    columns = len(rows[0]) - 2
    return [{row[0]: row[1 + column] for row in rows} for column in range(columns)]


@pytest.mark.parametrize("dimension", STUDY.rubric, ids=lambda each: each.dimension)
def test_the_criteria_say_what_the_page_asks(dimension: Dimension) -> None:
    if dimension.input.answer == "text":
        return
    said = section_of(dimension)
    assert f"**Key question:** {dimension.ask}" in said
    for value, anchor in getattr(dimension.input, "anchors", {}).items():
        assert re.search(rf"\*\*{value}\*?\*? {re.escape(anchor)}\.", said), "each point with the words of the page"
    for lines in dimension.levels.values():
        assert all(f"- {line}\n" in said for line in lines)
    for between, words in dimension.boundaries.items():
        low, high = between.split("-")
        assert f"- **{low} or {high}?** {words}\n" in said


@pytest.mark.parametrize("name", SCORED)
def test_each_level_has_as_many_points_as_the_document_and_the_highest_an_illustration(name: str) -> None:
    levels = STUDY.dimension(name).levels
    illustrations = {
        value: [line for line in lines if line.startswith("For example")] for value, lines in levels.items()
    }
    assert {value: len(lines) - len(illustrations[value]) for value, lines in levels.items()} == POINTS_IN_DOCUMENT[
        name
    ]
    assert {value for value, found in illustrations.items() if found} == {5}


@pytest.mark.parametrize("name", SCORED)
def test_no_boundary_counts(name: str) -> None:
    """The document counts once: a coherent trajectory may have one small contradiction or unclear transition."""
    counted = [
        words
        for words in STUDY.dimension(name).boundaries.values()
        if re.search(r"\b(two|three|four|five|half|most|\d) (steps?|operations?|contradictions?|gaps?)\b", words, re.I)
    ]
    assert counted == []


def test_the_worked_examples_have_the_scores_of_the_document() -> None:
    assert worked_scores("Example 1") == [{"Coherence": "4", "Efficiency": "2", "Thoroughness": "3"}]
    assert worked_scores("Example 2") == [{"Coherence": "1", "Efficiency": "4", "Thoroughness": "4"}]


def test_a_wrong_answer_by_good_reasoning_scores_higher_than_a_right_one_by_poor_reasoning() -> None:
    lucky, honest = worked_scores("Example 3")
    assert (lucky["Correct"], honest["Correct"]) == ("Yes", "No")
    assert all(int(honest[name.title()]) > int(lucky[name.title()]) for name in SCORED)


def test_every_worked_score_is_an_answer_that_exists() -> None:
    titles = re.findall(r"^## (Example \d+)", GUIDE["examples"], re.M)
    assert len(titles) == 4
    for title in titles:
        for scores in worked_scores(title):
            assert {scores[name.title()] for name in SCORED} <= set("12345")
            assert scores.get("Correct", "Yes") in ("Yes", "No")


def test_the_points_of_confidence_fit_a_tie_as_well_as_a_difference() -> None:
    kind = STUDY.dimension("confidence").input
    anchors = kind.anchors  # type: ignore[attr-defined]
    assert not [words for words in anchors.values() if "difference" in words or "call" in words]
    assert "for two that are the same step by step that is a 5" in GUIDE["criteria"]
    assert "5 if every step is the same" in GUIDE["special-cases"]


def test_one_look_is_thorough_where_nothing_can_be_in_doubt_and_examples_say_where_something_is() -> None:
    assert (
        STUDY.dimension("thoroughness")
        .boundaries["4-5"]
        .endswith("Where nothing can be in doubt, one good look may do.")
    )
    assert "a notable gap" in GUIDE["examples"].partition("## Example 2")[0]
    assert "A small doubt is left" in GUIDE["examples"].partition("## Example 4")[2]


def test_times_are_those_of_the_study_file() -> None:
    pace = STUDY.pace
    assert (pace.expect, pace.at_most, pace.too_fast, pace.session_minutes) == ((120, 180), 300, 30, 120)
    assert [(each.after_minutes, each.minutes) for each in pace.breaks] == [(30, 5)]
    assert "two to three minutes. Five minutes" in GUIDE["overview"]
    assert "After 30 minutes, rest for five. After two hours the sitting ends" in GUIDE["overview"]
    assert "less than 30 seconds" in GUIDE["consent"]


def test_the_patterns_to_watch_for_are_five_good_and_five_bad() -> None:
    _, _, table = GUIDE["criteria"].partition("| Good signs | Bad signs |\n|---|---|\n")
    assert [line.count("|") for line in table.strip().splitlines()] == [3] * 5


def test_every_phrase_that_special_cases_ask_for_can_be_picked() -> None:
    phrases = STUDY.dimension("comment").input.phrases  # type: ignore[attr-defined]
    assert set(phrases) == {"breaks off", "both the same", "wrong picture", "reference looks wrong"}
    for case in ("breaks off, with no final answer", "are the same, or nearly", "does not belong to the question"):
        assert case in GUIDE["special-cases"]
