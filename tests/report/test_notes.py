"""Ticks are shares of items by system, with intervals; notes stand in a table by item."""

from dataclasses import replace

from assay.model import Judgment
from assay.report.build import Report
from assay.report.sections.notes import NotesSection
from tests.report.known import answers, report
from tests.report.test_report import PLAIN


def judged() -> Report:
    """Forty items of two systems, judged by two: of `old` five were ticked by both, and ten by one."""
    given: list[Judgment] = []
    for index in range(40):
        system = "old" if index % 2 else "new"
        for who in "ab":
            values: dict[str, object] = {"emotion": 3}
            if system == "old" and (index < 10 or (index < 30 and who == "a")):
                values["edge"] = ["only_understand"]
            if index == 1:
                values["note"] = f"<b>{who} says so"
            given += [replace(each, systems=(system,)) for each in answers(f"i{index:02}", who, values, system=system)]
    return report(PLAIN, given)


def test_a_tick_is_the_mean_of_item_shares_of_each_system_with_its_interval() -> None:
    [question] = judged().parts["notes"].ticked
    [option] = question.options
    assert (option.option, option.submissions) == ("only_understand", 20)
    new, old = option.systems
    assert (new.system, new.mean.value, new.mean.n) == ("new", 0.0, 20)
    assert (old.system, old.mean.value) == ("old", (5 * 1.0 + 10 * 0.5) / 20)
    assert old.mean.ci is not None
    assert old.mean.ci[0] < old.mean.value < old.mean.ci[1]
    assert new.mean.ci is not None, "none of twenty is not none of all"
    [line, _] = NotesSection().lines(judged().parts["notes"])
    assert "old 50 % [" in line


def test_notes_stand_by_item_and_are_escaped() -> None:
    made = judged()
    numbers = made.parts["notes"]
    assert (numbers.written, numbers.items_with_notes) == (2, 1)
    assert [(each.item, each.annotator) for each in numbers.notes] == [("i01", "a"), ("i01", "b")]
    page = made.html()
    assert "&lt;b&gt;a says so" in page
    assert "<b>a says so" not in page
    assert page.index("Every note, by item") > page.index('id="appendix"')


def test_a_study_without_ticks_or_notes_says_nothing_of_them() -> None:
    made = report(PLAIN, [each for index in range(3) for each in answers(f"i{index}", "a", {"emotion": 3})])
    assert NotesSection().lines(made.parts["notes"]) == []
    assert "What did people tick" not in made.html()
