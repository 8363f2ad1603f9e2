"""The plan of an import: what is counted, and what looks wrong before any of it is taken in."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from assay.items.import_summary import ImportSummary
from assay.items.imported_judgments import ImportedAnswers
from assay.items.leaks import LEAST_OUTPUTS, MOST_SEARCHED
from assay.items.reader import ImportedRow, read_items
from assay.model import CANDIDATES, Item, Slot
from assay.study import Study, load
from assay.study.assignment import AssignmentSettings, DuplicateSettings
from assay.study.schema import study_type
from assay.study.templates import HERE, template_names
from tests.study.small import SMALL, folder_with

WARMTH = {"dimension": "warmth", "scale": {"from_": 1, "to": 5}}
PAIR = {
    "source": "x.json",
    "candidates": {"fields": [{"system": "m1", "show": {"text": "t1"}}, {"system": "m2", "show": {"text": "t2"}}]},
    "show": [{"pair": [{"text": {"field": "text"}}]}],
}


def a_study(**items: Any) -> Study:
    section = {"source": "x.json", "system": "model", "group": "prompt", "show": [{"text": {"field": "text"}}], **items}
    return study_type().model_validate({"study": "s", "title": "", "items": section, "rubric": [WARMTH]})


def output(name: str, text: str, system: str = "ant", group: str = "", **more: Any) -> ImportedRow:
    return ImportedRow(name, Item(name, {"text": text}, {"model": system}, (system,), group, **more))


def pair(name: str, one: str, other: str) -> ImportedRow:
    return ImportedRow(name, Item(name, {CANDIDATES: [{"text": one}, {"text": other}]}, {}, ("ant", "bee")))


def summarise(study: Study, intakes: Iterable[ImportedRow]) -> ImportSummary:
    summary = ImportSummary(study)
    for intake in intakes:
        assert summary.add(intake) is intake, "it is handed on"
    return summary


def each_of(systems: Iterable[str], count: int, said: dict[str, str]) -> list[ImportedRow]:
    """As many outputs of each system, all different, each as its system says things."""
    return [
        output(f"{at}-{n}", said[system].format(n=n), system, group=f"p{n}")
        for at, system in enumerate(systems)
        for n in range(count)
    ]


# The plan


def test_the_plan_counts_what_is_there() -> None:
    given = (ImportedAnswers("ana", False, {Slot("warmth"): 3}), ImportedAnswers("m-9", True, {Slot("warmth"): 3}))
    found = [
        output("1", "two words", batch="first"),
        output("2", "three more words", "bee", batch="first"),
        output("3", "one", batch="second"),
        ImportedRow("1", None, judgments=given),
        ImportedRow("1-again", None, "1"),
    ]
    summary = summarise(a_study(), found)
    assert (summary.rows, summary.items, summary.words, summary.duplicates) == (5, 3, 6, 1)
    assert summary.longest == (3, "2")
    lines = "\n".join(summary.lines())
    for words in (
        "items:     3 from 5 rows",
        "system:    ant: 2 outputs, content ",
        "system:    bee: 1 outputs, content ",
        "batches:   first (2), second (1)",
        "shown:     text",
        "hidden:    model (will not reach the browser)",
        "repeated:  1 row marked as hidden duplicates",
        "judged by: ana: 1 item",
        "judged by: m-9 (automated judge): 1 item",
        "6 words, the longest item has 3 (2)",
    ):
        assert words in lines
    told = summary.as_json()
    assert (told["rows"], told["items"], told["words"], told["duplicates"]) == (5, 3, 6, 1)
    assert told["batches"] == {"first": 2, "second": 1}
    assert told["judged_by"] == [
        {"name": "ana", "judge": False, "items": 1},
        {"name": "m-9", "judge": True, "items": 1},
    ]
    assert json.loads(json.dumps(told)) == told


def test_what_is_judged_several_times_is_counted_once_as_an_item() -> None:
    runs = tuple(ImportedAnswers("m-9", True, {Slot("warmth"): 3}, pass_=number) for number in (1, 2, 3))
    summary = summarise(a_study(), [output("1", "two words"), ImportedRow("1", None, judgments=runs)])
    assert "judged by: m-9 (automated judge): 1 item, judged 3 times in all" in summary.lines()
    assert summary.as_json()["judged_by"] == [{"name": "m-9", "judge": True, "items": 1}]


def test_duplicates_that_nobody_would_get_are_warned_of() -> None:
    found = [output("1", "two words"), ImportedRow("1-again", None, "1")]
    said = "1 row marked as hidden duplicates, but nobody gets an item twice: assignment.duplicates is missing"
    assert list(summarise(a_study(), found).warnings()) == [said]
    plan = AssignmentSettings(duplicates=DuplicateSettings(count=1))
    assert list(summarise(a_study().model_copy(update={"assignment": plan}), found).warnings()) == []


def test_a_placeholder_without_words_is_warned_of_where_others_have_words() -> None:
    found = [output("1", "at [hotel_name] , [hotel_stars] [1]"), output("2", "[hotel_stars] and [hotel_stars]")]
    said = "the placeholder [hotel_stars] in 2 items has no words: add it to chips"
    for chips, warned in (({"hotel_name": "name of the hotel"}, [said]), (True, [])):
        study = a_study(show=[{"text": {"field": "text", "chips": chips}}])
        assert list(summarise(study, found).warnings()) == warned


def test_the_content_of_a_system_is_known_by_its_outputs_in_any_order() -> None:
    found = [output(str(n), f"reply {n}") for n in range(5)]
    first = summarise(a_study(), found).systems["ant"].hash
    assert summarise(a_study(), found[::-1]).systems["ant"].hash == first
    assert summarise(a_study(), [*found[:-1], output("4", "another reply")]).systems["ant"].hash != first
    assert summarise(a_study(), found[:-1]).systems["ant"].hash != first


def test_a_plan_of_nothing_can_be_said() -> None:
    summary = summarise(a_study(), [])
    assert next(iter(summary.lines())) == "items:     0"
    assert list(summary.warnings()) == []


@pytest.mark.parametrize("name", template_names())
def test_every_template_has_a_plan(name: str) -> None:
    study = load(HERE / name)
    summary = summarise(study, read_items(study, HERE / name / study.items.source))
    assert summary.items > 3
    assert summary.words > 100
    assert f"items:     {summary.items}" in "\n".join(summary.lines())


# What looks wrong


def test_outputs_that_are_the_same_across_systems_are_counted() -> None:
    found = [
        output("1", "same", "ant", "p1"),
        output("2", "same", "bee", "p1"),
        output("3", "same", "bee", "p2"),
        output("4", "other", "ant", "p2"),
    ]
    summary = summarise(a_study(), found)
    assert summary.identical == 1
    assert "the same text by different systems: 1 output" in list(summary.warnings())


def test_pairs_that_show_the_same_text_twice_are_counted() -> None:
    study = study_type().model_validate(
        {"study": "s", "title": "", "items": PAIR, "rubric": [{"dimension": "b", "of": "pair", "preference": {}}]}
    )
    summary = summarise(study, [pair("1", "x", "x"), pair("2", "x", "y")])
    assert list(summary.warnings()) == ["the same text by different systems: 1 pair"]


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_empty_outputs_are_named(text: str) -> None:
    summary = summarise(a_study(), [output("1", text), output("2", "x")])
    assert list(summary.warnings()) == ["1 item with an empty field text: 1"]


def test_of_many_empty_outputs_some_are_named() -> None:
    [said] = summarise(a_study(), [output(str(n), "") for n in range(20)]).warnings()
    assert said == "20 items with an empty field text: 0, 1, 2, 3, 4, ..."


def test_an_item_that_stands_in_the_guidelines_is_named(tmp_path: Path) -> None:
    example = "Nobody sees how hard you try, and that would wear anyone down over time."
    folder = folder_with(tmp_path, SMALL.replace("gates:\n", "gates:\n  - reading: [guide/examples.md]\n"))
    (folder / "guide" / "examples.md").write_text(f"# Examples\n\n> “{example.upper()}” is a 5.\n", "utf-8")
    found = [
        ImportedRow(name, Item(name, {"response": text}, systems=("ant",)))
        for name, text in (("1", f"Well. {example}"), ("2", "Something else that nobody has written anywhere before."))
    ]
    [said] = summarise(load(folder), found).warnings()
    assert said.startswith("1 item in the guidelines too: 1;")


def test_a_few_shared_words_are_a_coincidence(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, SMALL.replace("gates:\n", "gates:\n  - reading: [guide/examples.md]\n"))
    (folder / "guide" / "examples.md").write_text("I am sorry to hear that you are sad.\n", "utf-8")
    found = [ImportedRow("1", Item("1", {"response": "I am sorry to hear that you lost it."}, systems=("ant",)))]
    assert list(summarise(load(folder), found).warnings()) == []


# What gives a system away


@pytest.mark.parametrize("text", ["I am Ant-7, your helper", "ANT-7: hello", "(ant-7)"])
def test_a_system_s_name_in_a_shown_text_is_a_leak(text: str) -> None:
    summary = summarise(a_study(), [output("1", text, "ant-7"), output("2", "hello", "bee")])
    assert list(summary.leak_search.leaks_in_words()) == ["the name 'ant-7' stands in 1 of 2 items' shown texts"]
    assert any(said.startswith("blinding: the name 'ant-7'") for said in summary.warnings())


def test_a_name_inside_another_word_is_none() -> None:
    summary = summarise(a_study(), [output("1", "I want a giant plant", "ant")])
    assert list(summary.leak_search.leaks_in_words()) == []


def test_a_marker_that_only_one_system_writes_is_a_leak() -> None:
    said = {"ant": "<assistant>: reply {n}", "bee": "reply {n} of bees"}
    leaks = list(summarise(a_study(), each_of(("ant", "bee"), 20, said)).leak_search.leaks_in_words())
    assert any("'<assistant>'" in leak and "20 of 20 outputs of ant" in leak for leak in leaks)
    assert not any("outputs of bee" in leak and "<assistant>" in leak for leak in leaks)


def test_a_marker_that_several_systems_write_is_none() -> None:
    said = {"ant": "<assistant>: reply {n}", "bee": "<assistant>: another {n}"}
    assert list(summarise(a_study(), each_of(("ant", "bee"), 20, said)).leak_search.leaks_in_words()) == []


def test_a_marker_in_few_outputs_is_none() -> None:
    found = each_of(("ant", "bee"), 20, {"ant": "reply {n}", "bee": "answer {n}"})
    found += [output("odd", "reply with <b> in it", "ant", "p99")]
    assert list(summarise(a_study(), found).leak_search.leaks_in_words()) == []


def test_of_a_handful_of_outputs_nothing_is_said() -> None:
    said = {"ant": "<assistant>: reply {n}", "bee": "reply {n}"}
    assert (
        list(summarise(a_study(), each_of(("ant", "bee"), LEAST_OUTPUTS - 1, said)).leak_search.leaks_in_words()) == []
    )


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ("- point {n}", "point {n}", "the marker '-'"),
        ("**bold** {n}", "bold {n}", "the marker '**'"),
        ("# Heading {n}", "Heading {n}", "the marker '#'"),
        ("One line\nand another {n}", "One line and another {n}", "a line break"),
        ("small letters {n}", "Capital letters {n}", "a small letter at the beginning"),
    ],
)
def test_a_way_of_writing_that_only_one_system_has_is_a_leak(one: str, other: str, words: str) -> None:
    leaks = list(
        summarise(a_study(), each_of(("ant", "bee"), 12, {"ant": one, "bee": other})).leak_search.leaks_in_words()
    )
    assert any(leak.startswith(words) and "outputs of ant" in leak for leak in leaks)


def test_a_large_import_is_searched_only_in_part() -> None:
    summary = summarise(a_study(), (output(str(n), f"reply {n}") for n in range(MOST_SEARCHED + 100)))
    assert summary.leak_search.systems["ant"].searched == MOST_SEARCHED
    assert summary.items == summary.systems["ant"].items == MOST_SEARCHED + 100


def test_names_that_differ_by_case_alone_are_warned_of() -> None:
    rows = [output("1", "a"), output("2", "b", "Ant"), output("3", "c", "bee")]
    given = [ImportedAnswers(who, judge, {Slot("warmth"): 1}) for who, judge in (("R1", False), ("r1", False))]
    rows += [ImportedRow("1", None, judgments=tuple(given))]
    assert list(summarise(a_study(), rows).warnings()) == [
        "systems that differ by capitals alone: Ant, ant; items.names can map them",
        "annotators that differ by capitals alone: R1, r1",
    ]
