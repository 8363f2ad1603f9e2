"""What a sequence gives away: candidates that come again, a history that answers, orders, runs, pictures."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from assay.assignment.planned_order import people_for_one_each, planned_order, sequence_notes
from assay.items.reader import read_items
from assay.items.sequence_audit import SeenItem, SequenceFinding, add_up, audit, seen_item
from assay.judgments.lint import lint
from assay.model import CANDIDATES, Item
from assay.study import Study, load
from assay.study.schema import study_type
from assay.study.templates import HERE

WARMTH = {"dimension": "warmth", "scale": {"from_": 1, "to": 5}}
FIELDS = [{"system": "m1", "show": {"text": "t1"}}, {"system": "m2", "show": {"text": "t2"}}]
TURNS = {"user": "User", "reply": "System"}
PAIRS: dict[str, Any] = {
    "group": "dialogue",
    "candidates": {"fields": FIELDS},
    "show": [{"chat": {"field": "earlier", "turns": TURNS, "last": "user"}}, {"pair": [{"text": {"field": "text"}}]}],
}


def a_study(items: dict[str, Any] | None = None, **plan: Any) -> Study:
    single = {
        "system": "model",
        "group": "prompt_id",
        "show": [{"text": {"field": "prompt"}}, {"text": {"field": "text"}}],
    }
    section = {"source": "x.json", **(single if items is None else items)}
    return study_type().model_validate(
        {"study": "s", "title": "", "seed": 3, "items": section, "rubric": [WARMTH], "assignment": plan}
    )


def dialogue(name: str, turns: int) -> list[Item]:
    """Both comparisons of each turn, one after the other: ant and bee, then ant and the person whom the history has."""
    earlier: list[dict[str, str]] = []
    found = []
    for turn in range(turns):
        said = {who: f"{who} says {turn} in {name}" for who in ("ant", "bee", "person")}
        for one, other in (("ant", "bee"), ("ant", "person")):
            shown = {
                "earlier": list(earlier),
                "user": f"user {turn} of {name}",
                CANDIDATES: [{"text": said[one]}, {"text": said[other]}],
            }
            found.append(Item(f"{name}/{turn}/{one}+{other}", shown, {}, (one, other), name))
        earlier.append({"user": f"user {turn} of {name}", "reply": said["person"]})
    return found


def dialogues(count: int = 4, turns: int = 3) -> list[Item]:
    return [item for number in range(count) for item in dialogue(f"d{number}", turns)]


def seen(study: Study, items: list[Item]) -> list[SeenItem]:
    return [seen_item(study, each) for each in items]


def findings(study: Study, items: list[Item]) -> dict[str, SequenceFinding]:
    return {each.kind: each for each in audit(seen(study, items))}


# Candidates that come again


def test_a_reply_that_comes_twice_in_a_row_is_one_system_s() -> None:
    found = findings(a_study(PAIRS), dialogues())["recurs"]
    assert (found.found, found.of, found.near, found.nearest, found.systems) == (12, 12, 12, 1, {"ant": 12})
    assert found.in_words() == (
        "the candidate that comes again below the same text is ant's in 12 of 12 cases, "
        "12 of them directly one after the other"
    )
    assert found.is_for_the_order


def test_far_from_each_other_they_are_said_and_are_not_the_order_s_fault() -> None:
    items = dialogues(8, 1)
    found = findings(a_study(PAIRS), items[::2] + items[1::2])["recurs"]
    assert (found.near, found.nearest, found.is_for_the_order) == (0, 8, False)
    assert found.in_words().endswith("never less than 8 items apart")


def test_of_each_two_of_three_none_stands_out() -> None:
    texts = {"ant": "a", "bee": "b", "cat": "c"}
    pairs = [("ant", "bee"), ("ant", "cat"), ("bee", "cat")]
    items = [
        Item(f"{one}{other}", {CANDIDATES: [{"text": texts[one]}, {"text": texts[other]}]}, {}, (one, other), "d")
        for one, other in pairs
    ]
    assert "recurs" not in findings(a_study(PAIRS), items)


def test_the_same_words_at_another_turn_do_not_come_again() -> None:
    items = [item for item in dialogues(2, 4) if item.systems == ("ant", "bee")]
    thanks = [
        Item(each.id, {**each.shown, CANDIDATES: [{"text": "thanks"}, {"text": each.id}]}, {}, each.systems, each.group)
        for each in items
    ]
    assert "recurs" not in findings(a_study(PAIRS), thanks)


# Items that answer others


def test_a_history_that_prints_what_one_candidate_said_gives_it_away() -> None:
    found = findings(a_study(PAIRS), dialogues(4, 3))["printed"]
    # The last turn of each dialogue is printed nowhere.
    assert (found.found, found.of, found.near, found.systems) == (8, 12, 8, {"person": 8})


def test_one_comparison_of_each_dialogue_gives_nothing_away() -> None:
    items = [item for number in range(8) for item in dialogue(f"d{number}", 3)[number % 6 : number % 6 + 1]]
    assert findings(a_study(PAIRS), items) == {}


def test_a_reply_that_both_systems_gave_is_printed_and_gives_nothing_away() -> None:
    items = dialogue("d", 2)
    alike = Item("x", {**items[1].shown, CANDIDATES: [{"text": "same"}, {"text": "same"}]}, {}, ("ant", "person"), "d")
    after = Item("y", {**items[2].shown, "earlier": [{"user": "u", "reply": "same"}]}, {}, ("ant", "bee"), "d")
    assert "printed" not in findings(a_study(PAIRS), [alike, after])


def test_single_replies_are_given_away_by_a_history_too() -> None:
    shown = [{"chat": {"field": "earlier", "turns": TURNS, "last": "user"}}, {"text": {"field": "text"}}]
    study = a_study({"system": "model", "group": "dialogue", "show": shown})
    items = [
        Item("1", {"earlier": [], "user": "u", "text": "ant's words"}, {}, ("ant",), "d"),
        Item("2", {"earlier": [], "user": "u", "text": "bee's words"}, {}, ("bee",), "d"),
        Item("3", {"earlier": [{"user": "u", "reply": "bee's words"}], "user": "v", "text": "x"}, {}, ("ant",), "d"),
    ]
    found = findings(study, items)["printed"]
    assert (found.found, found.systems) == (1, {"bee": 1})


def test_what_is_shown_only_after_an_answer_is_known_from_an_earlier_item() -> None:
    shown = [{"text": {"field": "text"}}, {"text": {"field": "truth"}, "after": ["warmth"]}]
    study = a_study({"system": "model", "group": "prompt", "show": shown})
    items = [
        Item("1", {"text": "a", "truth": "four"}, {}, ("ant",), "p1"),
        Item("2", {"text": "b", "truth": "nine"}, {}, ("ant",), "p2"),
        Item("3", {"text": "c", "truth": "four"}, {}, ("bee",), "p1"),
        Item("4", {"text": "d", "truth": "four"}, {}, ("bee",), "p3"),
    ]
    found = findings(study, items)["revealed"]
    assert (found.found, found.of, found.nearest) == (1, 4, 2)
    assert "in an earlier item: 1 of 4 items" in found.in_words()


# Groups, runs, pictures


def replies(order: str, count: int = 10) -> list[Item]:
    names = {"a": "ant", "b": "bee", "c": "cat"}
    return [
        Item(
            f"{number}{letter}",
            {"prompt": f"p{number}", "text": f"{letter}{number}"},
            {},
            (names[letter],),
            f"p{number}",
        )
        for number in range(count)
        for letter in order
    ]


def test_systems_that_come_in_the_same_order_in_every_group_are_known_by_their_place() -> None:
    found = findings(a_study(), replies("abc"))["order"]
    assert (found.found, found.of) == (10, 10)
    assert found.in_words().endswith("in 10 of 10 cases: ant, then bee, then cat")
    mixed = [item for part in ("abc", "cab", "bca") for item in replies(part)[:9]]
    assert findings(a_study(), mixed) == {}


def test_a_file_that_is_sorted_by_system_is_seen_in_runs() -> None:
    items = sorted(replies("abc"), key=lambda each: each.systems)
    found = findings(a_study(), items)
    assert (found["runs"].found, found["runs"].of) == (27, 29)
    assert "runs" not in findings(a_study(), replies("abc"))
    assert "runs" not in findings(a_study(), replies("a", 30)), "one system has nothing to be told from"


def test_a_picture_that_comes_with_one_system_alone_gives_it_away() -> None:
    def item(number: int, system: str, picture: str) -> Item:
        shown = {"file": {"picture": picture, "width": 1, "height": 1}, "text": f"{system}{number}"}
        return Item(f"{system}{number}", shown, {}, (system,), f"p{number}")

    logo = [item(n, "ant", "logo") for n in range(4)] + [item(n, "bee", f"photo{n}") for n in range(4)]
    found = findings(a_study(), logo)["pictures"]
    assert (found.found, found.systems) == (1, {"ant": 1})
    both = [item(n, system, f"photo{n}") for n in range(4) for system in ("ant", "bee")]
    assert "pictures" not in findings(a_study(), both)


def test_findings_of_several_people_add_up() -> None:
    one, other = (audit(seen(a_study(PAIRS), dialogues(count, 3))) for count in (4, 2))
    found = {each.kind: each for each in add_up([one, other, []])}
    assert (found["recurs"].found, found["recurs"].of, found["recurs"].systems) == (18, 18, {"ant": 18})
    assert found["recurs"].nearest == 1


# What is planned


def test_the_planned_order_is_the_files_or_drawn_and_groups_that_come_together_are_in_one_piece() -> None:
    def order_of(**plan: Any) -> list[str]:
        study = a_study(PAIRS, **plan)
        return [each.id for each in planned_order(study, seen(study, in_file))]

    in_file = dialogues(6, 2)
    names = [each.id for each in in_file]
    assert order_of(order="fixed") == names
    drawn = order_of()
    assert drawn != names
    assert sorted(drawn) == sorted(names)
    together = order_of(together=True)
    first = list(dict.fromkeys(name.split("/")[0] for name in drawn))
    assert together == sorted(names, key=lambda name: (first.index(name.split("/")[0]), names.index(name)))


@pytest.mark.parametrize(
    ("plan", "advice"),
    [
        ({"order": "fixed"}, "write order: random in assignment"),
        ({"order": "fixed", "together": True}, "write order: random in assignment, and remove together"),
    ],
)
def test_systems_that_are_known_by_their_place_are_to_come_in_an_order_that_is_drawn(
    plan: dict[str, Any], advice: str
) -> None:
    study = a_study(**plan)
    assert [each.advice for each in sequence_notes(study, seen(study, replies("abc")))] == [advice]


@pytest.mark.parametrize(
    ("plan", "advice"),
    [
        ({}, "assignment.apart: true keeps items of one group apart"),
        ({"together": True}, "assignment.apart: true keeps items of one group apart, without together"),
    ],
)
def test_items_that_give_each_other_away_are_to_be_kept_apart(plan: dict[str, Any], advice: str) -> None:
    study = a_study(PAIRS, **plan)
    assert {each.advice for each in sequence_notes(study, seen(study, dialogues(8, 3)))} == {advice}


def test_in_a_latin_square_of_three_systems_one_annotator_gets_a_third_and_one_of_each_group() -> None:
    study = a_study(counterbalance=True)
    order = planned_order(study, seen(study, replies("abc", 9)))
    assert len(order) == len({each.group for each in order}) == 9
    assert people_for_one_each(study, []) == 0


@pytest.mark.parametrize(
    "plan",
    [{"order": "fixed", "together": True}, {"together": True}, {"order": "fixed"}],
    ids=["fixed, together", "together", "fixed"],
)
def test_a_plan_that_puts_such_items_beside_each_other_is_warned_of(plan: dict[str, Any]) -> None:
    study = a_study(PAIRS, **plan)
    notes = [each for each in sequence_notes(study, seen(study, dialogues(8, 3))) if each.is_warning]
    assert any("comes again" in each.words and "apart" in each.advice for each in notes)


def test_a_plan_that_keeps_them_apart_says_what_is_left_and_how_many_people_avoid_it() -> None:
    study = a_study(PAIRS, apart=True, per_item=3)
    notes = sequence_notes(study, seen(study, dialogues(12, 3)))
    assert notes
    assert not any(each.is_warning for each in notes)
    assert "to somebody who gets all 72 items" in notes[0].words
    assert notes[0].advice == "with 18 annotators nobody needs to get two items of one group"
    assert people_for_one_each(study, seen(study, dialogues(12, 3))) == 18


def test_who_gets_no_more_items_than_there_are_groups_gets_one_of_each() -> None:
    study = a_study(PAIRS, apart=True, most_per_annotator=12)
    order = planned_order(study, seen(study, dialogues(24, 3)))
    assert len({each.group for each in order}) == len(order) == 12
    assert sequence_notes(study, seen(study, dialogues(24, 3))) == []


def test_with_a_latin_square_nobody_sees_both_comparisons_of_a_turn() -> None:
    study = a_study(PAIRS, apart=True, counterbalance=True)
    order = planned_order(study, seen(study, dialogues(12, 3)))
    assert len(order) == 36
    assert "recurs" not in {each.kind for each in audit(order)}


def test_without_groups_the_advice_is_to_name_them() -> None:
    study = a_study({**PAIRS, "group": None}, order="fixed")
    items = [Item(each.id, each.shown, {}, each.systems) for each in dialogues(8, 1)]
    note = sequence_notes(study, seen(study, items))[0]
    assert "add items.group" in note.advice


def test_batches_and_the_most_of_one_annotator_are_heeded() -> None:
    study = a_study(batches="in_order", most_per_annotator=20)
    items = [replace(each, batch=f"b{n % 2}") for n, each in enumerate(replies("abc"))]
    order = planned_order(study, seen(study, items))
    assert len(order) == 20
    assert [each.batch for each in order] == ["b0"] * 15 + ["b1"] * 5


def test_the_template_of_dialogues_puts_nothing_that_gives_away_beside_each_other() -> None:
    study = load(HERE / "dialog-pairs")
    rows = read_items(study, HERE / "dialog-pairs" / study.items.source)
    items = [row.item for row in rows if row.item is not None]
    assert findings(study, items)["recurs"].near == 24, "in the order of the file"
    notes = sequence_notes(study, seen(study, items))
    assert not [each for each in notes if each.is_warning]
    planned = audit(planned_order(study, seen(study, items)))
    assert {each.kind: each.near for each in planned} == {"recurs": 0, "printed": 0}


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"apart": True, "together": True}, "together and apart"),
        ({"apart": True, "order": "fixed"}, "cannot be kept apart where the order is fixed"),
    ],
)
def test_a_plan_that_contradicts_itself_is_refused(plan: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        a_study(PAIRS, **plan)


def test_items_without_groups_cannot_be_kept_apart_and_lint_says_so() -> None:
    study = a_study({**PAIRS, "group": None}, apart=True)
    assert any(each.at == ("assignment", "apart") for each in lint(study))
    assert not any(each.at == ("assignment", "apart") for each in lint(a_study(PAIRS, apart=True)))


def test_keeping_apart_belongs_to_the_version_and_its_absence_changes_none() -> None:
    assert "apart" not in a_study(PAIRS).document()
    assert a_study(PAIRS, apart=True).hash != a_study(PAIRS).hash
