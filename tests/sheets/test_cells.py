"""One cell: what a person writes and what a spreadsheet makes of it say the same."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.count_marks import AT
from assay.errors import AnswersRefused
from assay.inputs.counts import CountsInput
from assay.inputs.one_of import OneOf
from assay.inputs.tags import TagsInput
from assay.judgments import Question, questionnaire_of, questions_of, read_answer, read_answers
from assay.model import UNABLE
from assay.sheets.cells import form_strings, same_number
from assay.sheets.columns import cell_choices, choices_of, layout_of, questions_by_column
from assay.sheets.read import SheetMistakes, read_sheet
from assay.sheets.write import JUDGMENTS
from assay.study import Study
from tests.exchange.sample import items_of, study_of
from tests.sheets.filling import save

TEMPLATES = ("route-planning", "empathy", "in-car", "dialog-pairs", "trajectories")


def question(template: str, name: str) -> tuple[Study, Question]:
    study = study_of(template)
    shown = items_of(template)[0].item.shown
    return study, next(each for each in questions_of(study, shown) if each.slot.dimension == name)


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_answer_is_understood_as_value_as_label_as_both_and_as_a_spreadsheet_changes_it(template: str) -> None:
    study = study_of(template)
    for each in questions_of(study, items_of(template)[0].item.shown):
        for choice in choices_of(study, each):
            value = choice.value
            written: list[Any] = [
                value,
                f" {value} ",
                f"{value} – {choice.label or 'so'}",
                f"{value}: so",
                str(value).upper(),
            ]
            written += [choice.label, choice.label.upper()] if choice.label else []
            written += [float(value), f"{value}.0", f"{value},0"] if isinstance(value, int) else []
            for cell in written:
                assert read_answer(each, form_strings(study, each, cell)) == value, cell
        for cell in cell_choices(study, each):
            assert read_answer(each, form_strings(study, each, cell)) in {
                choice.value for choice in choices_of(study, each)
            }


@pytest.mark.parametrize(("cell", "value"), [(True, 1), (False, 0), ("TRUE", 1), ("false", 0), ("Done", 1), ("No", 0)])
def test_yes_and_no_may_come_as_truth_values(cell: Any, value: int) -> None:
    study, goal = question("in-car", "goal")
    assert read_answer(goal, form_strings(study, goal, cell)) == value


@pytest.mark.parametrize(
    ("cell", "tags"),
    [
        ("empty; crisis", ["empty", "crisis"]),
        ("crisis,empty", ["empty", "crisis"]),
        ("Good advice, no empathy | Medical claim, no referral", ["advice_only", "diagnosis"]),
        ('["repeats"]', ["repeats"]),
        ("Empty or incoherent\nrepeats", ["empty", "repeats"]),
        ("  ", None),
        (None, None),
    ],
)
def test_tags_may_be_written_by_name_or_label_with_any_sign_between_them(cell: Any, tags: list[str] | None) -> None:
    study, edge = question("empathy", "edge")
    assert read_answer(edge, form_strings(study, edge, cell)) == tags


@pytest.mark.parametrize("cell", ["none", "None of these", "0", 0, "[]"])
def test_no_tag_at_all_is_an_answer_where_the_study_asks_for_one(cell: Any) -> None:
    study, caps = question("route-planning", "caps")
    assert read_answer(caps, form_strings(study, caps, cell)) == []


def test_somebody_who_cannot_judge_says_so() -> None:
    study, goal = question("in-car", "goal")
    from dataclasses import replace

    from assay.inputs.one_of import Choice

    unable = replace(goal, unable=Choice(UNABLE, "", "Dropped"))
    for cell in ("unable", "Dropped", "UNABLE"):
        assert read_answer(unable, form_strings(study, unable, cell)) is UNABLE


def test_numbers_that_a_spreadsheet_takes_for_the_same_are_told() -> None:
    assert same_number("007", 7)
    assert same_number("1e5", "100000.0")
    assert not same_number("NA", "ana")


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)


def values_of(each: Question) -> st.SearchStrategy[Any]:
    kind = each.dimension.input
    if isinstance(kind, OneOf):
        return st.sampled_from(kind.values())
    if isinstance(kind, TagsInput):
        some = st.lists(st.sampled_from(list(kind.options)), min_size=1, unique=True)
        return some.map(lambda found: [name for name in kind.options if name in found])
    if isinstance(kind, CountsInput):
        # What is found decides a score, so that few random answers keep the rules: mostly nothing is.
        where = [f"{name}{AT}3" for name in kind.options] if kind.where else []
        return st.none() | st.lists(st.sampled_from([*kind.options, *where]), min_size=1, max_size=3).map(kind.in_order)
    return TEXTS.map(lambda text: kind.read([text]))


@st.composite
def forms(draw: st.DrawFn, template: str) -> list[tuple[Any, dict[Any, Any]]]:
    """For some items, answers that the rules allow."""
    study, found = study_of(template), []
    for listed in items_of(template)[:8]:
        shown = listed.item.shown
        questions = questionnaire_of(study, shown).questions
        given_ = {each.key: each.dimension.input.write(draw(values_of(each))) for each in questions}
        try:
            found.append((shown, dict(read_answers(study, shown, given_))))
        except AnswersRefused:
            continue
    return found


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("template", ["route-planning", "in-car", "dialog-pairs"])
def test_any_valid_answers_come_back_from_a_sheet_as_they_were(template: str, ending: str, tmp_path: Path) -> None:
    study = study_of(template)

    @settings(
        max_examples=3 if ending == "xlsx" else 15,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
    )
    @given(forms(template))
    def holds(found: list[tuple[Any, dict[Any, Any]]]) -> None:
        layout = layout_of(study, [shown for shown, _ in found])
        table = []
        for shown, answers in found:
            row: dict[str, Any] = dict(zip(layout.names(), layout.row("x", "ana", shown), strict=True))
            for name, each in questions_by_column(study, questionnaire_of(study, shown).questions, shown).items():
                value = answers[each.slot]
                row[name] = json.dumps(value) if isinstance(value, list) else value
            table.append(row)
        if not table:
            return
        wrong = SheetMistakes()
        filled = read_sheet(save(tmp_path / f"x.{ending}", table, JUDGMENTS), wrong)
        assert wrong.count == 0
        assert filled is not None
        for line, (shown, answers) in zip(filled.lines, found, strict=True):
            columns = questions_by_column(study, questionnaire_of(study, shown).questions, shown)
            form = {each.key: form_strings(study, each, line.cells[name]) for name, each in columns.items()}
            assert read_answers(study, shown, form) == answers

    holds()
