"""Pairs in the store: sides are drawn, kept and undone; judgments come in from files once; pictures by their hash."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest
from sqlalchemy import Connection, select

from assay.errors import ItemMistakes
from assay.items.imported_judgments import GroupAndSystem, ImportedAnswers, ItemName
from assay.items.reader import ImportedRow
from assay.model import CANDIDATES, UNABLE, Item, Judgment, Slot, Value
from assay.pictures import Picture
from assay.store import Backend
from assay.store.annotator import assignments
from assay.store.annotator import submissions as sent
from assay.store.annotator.draw_sides import MOST_ALIKE
from assay.store.annotator.submissions import Form
from assay.store.coordinator import imported_judgments, item_lookup, items, long_table, studies, study_status
from assay.store.coordinator.item_plan import arrange
from assay.store.tables import annotator, assignment, submission
from assay.study import Study
from assay.study.schema import study_type
from tests.conftest import T0
from tests.giving import claim
from tests.inviting import invite

SYSTEMS = ("ant", "bee")


def a_study(name: str = "pairs", per_item: int = 3) -> Study:
    scale = {"from_": 1, "to": 5}
    fields = [{"system": "m1", "show": {"text": "t1"}}, {"system": "m2", "show": {"text": "t2"}}]
    return study_type().model_validate(
        {
            "study": name,
            "title": "",
            "seed": 7,
            "items": {
                "source": "x.json",
                "candidates": {"fields": fields},
                "show": [{"pair": [{"text": {"field": "text"}}]}],
            },
            "rubric": [
                {"dimension": "warmth", "of": "side", "scale": scale, "unable": "?"},
                {"dimension": "better", "of": "pair", "preference": {"neither": "Neither"}},
                {"dimension": "sure", "of": "pair", "scale": scale},
            ],
            "derive": [{"derived": "half", "weighted_mean": {"of": {"warmth": 1.0}}}],
            "assignment": {"per_item": per_item},
        }
    )


def pairs(count: int) -> list[ImportedRow]:
    return [
        ImportedRow(f"{n:03}", Item(f"{n:03}", {CANDIDATES: [{"text": "ant's"}, {"text": "bee's"}]}, systems=SYSTEMS))
        for n in range(count)
    ]


def published(store: Backend, study: Study, count: int) -> int:
    study_id = store.write(studies.publish, study, T0).id
    store.write(items.add, study_id, pairs(count), study.seed)
    store.write(arrange, study_id, study)
    return study_id


def person(store: Backend, study_id: int, name: str) -> int:
    store.write(invite, study_id, [name], T0)
    wanted = select(annotator.c.id).where(annotator.c.name == name, annotator.c.study_id == study_id)
    return int(store.read(lambda c: c.execute(wanted).scalar_one()))


def next_task(store: Backend, study_id: int, study: Study, who: int, name: str) -> assignments.Assignment | None:
    store.write(claim, study_id, study, who)
    return store.read(assignments.current, who)


def left_of(task: assignments.Assignment) -> str:
    """Whose text stands on the left of the page."""
    return str(task.shown[CANDIDATES][0]["text"].removesuffix("'s"))


def submit(store: Backend, who: int, task: assignments.Assignment, study: Study, answers: dict[Slot, Value]) -> None:
    store.write(sent.submit, who, task.public_id, study, Form(answers, shown_at=T0, active_ms=1), T0 + 5)


def preferring(side: str, left: int = 5, right: int = 2) -> dict[Slot, Value]:
    return {
        Slot("warmth", "left"): left,
        Slot("warmth", "right"): right,
        Slot("better"): side,
        Slot("sure"): 4,
    }


def all_judgments(store: Backend, study_id: int, study: Study) -> list[Judgment]:
    return list(store.stream(long_table.judgments, study_id, study.preference_dimensions))


def sides_of(store: Backend, who: int) -> list[bool]:
    wanted = select(assignment.c.swapped).where(assignment.c.annotator_id == who).order_by(assignment.c.position)
    return store.read(lambda c: list(c.execute(wanted).scalars()))


def give_all(store: Backend, study_id: int, study: Study, name: str) -> int:
    """Let somebody work through everything; returns who it was."""
    who = person(store, study_id, name)

    def all_of_it(connection: Connection) -> None:
        while True:
            claim(connection, study_id, study, who)
            task = assignments.current(connection, who)
            if task is None:
                return
            form = Form(preferring("left"), shown_at=T0, active_ms=1)
            sent.submit(connection, who, task.public_id, study, form, T0 + 5)

    store.write(all_of_it)
    return who


def test_sides_are_balanced_and_never_the_same_way_round_for_long(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 200)
    for name in ("ana", "ben", "cem"):
        sides = sides_of(store, give_all(store, study_id, study, name))
        assert len(sides) == 200
        assert 0.43 <= sum(sides) / 200 <= 0.57
        assert max(len(list(run)) for _, run in groupby(sides)) <= MOST_ALIKE == 3


def test_sides_differ_between_annotators_and_come_again_from_the_same_seed(store: Backend) -> None:
    study = a_study(per_item=2)
    study_id = published(store, study, 40)
    ana, ben = (sides_of(store, give_all(store, study_id, study, name)) for name in ("ana", "ben"))
    assert ana != ben
    other = a_study("again", per_item=2)
    again = published(store, other, 40)
    assert sides_of(store, give_all(store, again, other, "ana")) == ana


def test_a_side_is_kept_however_often_the_page_is_asked_for(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 5)
    ana = person(store, study_id, "ana")
    first = next_task(store, study_id, study, ana, "ana")
    assert first is not None
    for _ in range(10):
        assert next_task(store, study_id, study, ana, "ana") == first
        assert store.read(assignments.by_public_id, ana, first.public_id) == first


def test_an_item_without_sides_has_none(store: Backend) -> None:
    data = {
        "study": "plain",
        "title": "",
        "items": {"source": "x", "show": [{"text": {"field": "text"}}]},
        "rubric": [{"dimension": "a", "scale": {"from_": 1, "to": 5}}],
    }
    study = study_type().model_validate(data)
    study_id = store.write(studies.publish, study, T0).id
    store.write(items.add, study_id, [ImportedRow("1", Item("1", {"text": "x"}, systems=("ant",)))], 1)
    ana = person(store, study_id, "ana")
    task = next_task(store, study_id, study, ana, "ana")
    assert task is not None
    assert task.swapped is None
    submit(store, ana, task, study, {Slot("a"): 3})
    [judgment] = all_judgments(store, study_id, study)
    assert (judgment.system, judgment.side, judgment.left, judgment.value) == ("ant", "", "", 3)


@pytest.mark.parametrize("side", ["left", "right", "tie", "neither"])
def test_a_judgment_says_who_was_meant_wherever_they_stood(store: Backend, side: str) -> None:
    study = a_study()
    study_id = published(store, study, 12)
    ana = person(store, study_id, "ana")
    lefts = {}
    while (task := next_task(store, study_id, study, ana, "ana")) is not None:
        lefts[task.public_id] = left_of(task)
        submit(store, ana, task, study, preferring(side))
    assert set(lefts.values()) == set(SYSTEMS), "both ways round were drawn"
    found = all_judgments(store, study_id, study)
    assert len(found) == 12 * (2 + 1 + 1 + 2)
    for judgment in found:
        left = judgment.left
        right = next(system for system in SYSTEMS if system != left)
        assert judgment.systems == SYSTEMS
        if judgment.dimension in ("warmth", "half"):
            assert judgment.system == {"left": left, "right": right}[judgment.side]
            assert judgment.value == {"left": 5, "right": 2}[judgment.side]
        else:
            assert (judgment.system, judgment.side) == ("", "")
        if judgment.dimension == "better":
            assert judgment.value == {"left": left, "right": right}.get(side, side)
    assert Counter(judgment.left for judgment in found if judgment.dimension == "better") == Counter(lefts.values())


def test_bots_see_the_candidates_as_the_page_shows_them(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 12)
    ana = person(store, study_id, "ana")
    seen = set()
    while (task := next_task(store, study_id, study, ana, "ana")) is not None:
        behind = store.read(item_lookup.item_behind, task.public_id)
        assert behind.shown == task.shown
        assert behind.systems[0] == left_of(task)
        seen.add(behind.systems)
        submit(store, ana, task, study, preferring("left"))
    assert len(seen) == 2


def test_what_could_not_be_judged_is_kept_without_a_value(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 1)
    ana = person(store, study_id, "ana")
    task = next_task(store, study_id, study, ana, "ana")
    assert task is not None
    submit(store, ana, task, study, {**preferring("left"), Slot("warmth", "right"): UNABLE})
    warmth = {each.side: each.value for each in all_judgments(store, study_id, study) if each.dimension == "warmth"}
    assert warmth == {"left": 5, "right": None}


# Judgments from files


def said(better: str = "a", annotator_: str = "label-1", judge: bool = False) -> ImportedAnswers:
    return ImportedAnswers(annotator_, judge, {Slot("better"): better, Slot("warmth", "a"): 4, Slot("warmth", "b"): 2})


def take(
    store: Backend, study_id: int, study: Study, found: Sequence[tuple[ItemName, ImportedAnswers]]
) -> imported_judgments.ImportedJudgments:
    return store.write(imported_judgments.add, study_id, study, found, T0)


def test_judgments_are_taken_in_once_and_a_second_time_changes_nothing(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 3)
    found = [(name, said(annotator_=who)) for name in ("000", "001") for who in ("label-1", "label-2")]
    taken = take(store, study_id, study, found)
    assert (taken.submissions, taken.known, taken.annotators) == (4, 0, {"label-1", "label-2"})
    before = all_judgments(store, study_id, study)
    again = take(store, study_id, study, [*found, ("002", said())])
    assert (again.submissions, again.known) == (1, 4)
    assert [each for each in all_judgments(store, study_id, study) if each.item != "002"] == before


def test_imported_judgments_say_which_system_was_meant_and_that_they_are_imported(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 1)
    take(store, study_id, study, [("000", said("b"))])
    found = {(each.dimension, each.system): each for each in all_judgments(store, study_id, study)}
    assert found["better", ""].value == "bee"
    assert found["warmth", "ant"].value == 4
    assert found["warmth", "bee"].value == 2
    assert {(each.source, each.judge, each.left, each.side) for each in found.values()} == {("imported", False, "", "")}


def test_derived_values_of_imported_judgments_are_computed_for_each_candidate(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 1)
    take(store, study_id, study, [("000", said())])
    found = {each.system: each.value for each in all_judgments(store, study_id, study) if each.dimension == "half"}
    assert found == {"ant": 4.0, "bee": 2.0}


def test_other_answers_of_the_same_person_are_refused_and_nothing_is_stored(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 2)
    take(store, study_id, study, [("000", said("a"))])
    before = all_judgments(store, study_id, study)
    with pytest.raises(ItemMistakes, match="label-1 has judged it before, with other answers"):
        take(store, study_id, study, [("001", said("a")), ("000", said("b"))])
    assert all_judgments(store, study_id, study) == before


def test_a_judgment_of_an_item_that_is_not_there_is_refused(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 1)
    with pytest.raises(ItemMistakes, match="item 009: is judged, but not in the store"):
        take(store, study_id, study, [("009", said())])


def test_an_automated_judge_is_kept_apart_from_people(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 1)
    taken = take(store, study_id, study, [("000", said(annotator_="m-9", judge=True)), ("000", said())])
    assert (taken.judges, taken.annotators) == ({"m-9"}, {"label-1"})
    assert {each.annotator: each.judge for each in all_judgments(store, study_id, study)} == {
        "m-9": True,
        "label-1": False,
    }
    assert [each.annotator for each in store.read(study_status.progress, study_id)] == ["label-1"]
    with pytest.raises(ItemMistakes, match="annotator m-9: is a person and a judge"):
        take(store, study_id, study, [("000", said(annotator_="m-9"))])


def test_an_item_that_fewer_have_judged_elsewhere_than_are_to_is_still_given_out(store: Backend) -> None:
    study = a_study(per_item=2)
    study_id = published(store, study, 1)
    take(store, study_id, study, [("000", said())])
    ana = person(store, study_id, "ana")
    task = next_task(store, study_id, study, ana, "ana")
    assert task is not None
    submit(store, ana, task, study, preferring("tie"))
    kept = store.read(lambda c: sorted(c.execute(select(submission.c.source)).scalars()))
    assert kept == ["imported", "work"]
    assert next_task(store, study_id, study, person(store, study_id, "ben"), "ben") is None, "two were to judge it"


@pytest.mark.parametrize("state", ["open", "declined"])
def test_a_judgment_from_somebody_who_has_the_item_on_the_page_is_refused_in_words(store: Backend, state: str) -> None:
    study = a_study()
    study_id = published(store, study, 1)
    ana = person(store, study_id, "ana")
    task = next_task(store, study_id, study, ana, "ana")
    assert task is not None
    if state == "declined":
        store.write(sent.decline, ana, task.public_id)
    with pytest.raises(ItemMistakes, match="item 000: ana was given it on the page"):
        take(store, study_id, study, [("000", said(annotator_="ana"))])


def replies(store: Backend) -> tuple[Study, int]:
    """A study of single replies: two systems on each of two prompts."""
    data = {
        "study": "replies",
        "title": "",
        "items": {"source": "x", "show": [{"text": {"field": "text"}}]},
        "rubric": [{"dimension": "warmth", "scale": {"from_": 1, "to": 5}}],
    }
    study = study_type().model_validate(data)
    study_id = store.write(studies.publish, study, T0).id
    found = [Item(f"{g}-{s}", {"text": "x"}, {}, (s,), g) for g in ("p1", "p2") for s in SYSTEMS]
    store.write(items.add, study_id, [ImportedRow(each.id, each) for each in found], 1)
    return study, study_id


def of_a_judge(value: int, pass_: int = 1) -> ImportedAnswers:
    return ImportedAnswers("m-9", True, {Slot("warmth"): value}, pass_)


def test_a_judge_s_runs_are_kept_as_passes_of_the_item_of_a_group_and_system(store: Backend) -> None:
    study, study_id = replies(store)
    found = [(GroupAndSystem("p1", "bee"), of_a_judge(2)), (GroupAndSystem("p1", "bee"), of_a_judge(4, 2))]
    found += [(GroupAndSystem("p9", "bee"), of_a_judge(1)), (GroupAndSystem("p8", "bee"), of_a_judge(1))]
    taken = take(store, study_id, study, found)
    assert (taken.submissions, taken.known, taken.elsewhere, taken.judges) == (2, 0, 2, {"m-9"})
    kept = [(each.item, each.system, each.pass_, each.value) for each in all_judgments(store, study_id, study)]
    assert sorted(kept) == [("p1-bee", "bee", 1, 2), ("p1-bee", "bee", 2, 4)]
    again = take(store, study_id, study, found)
    assert (again.submissions, again.known, again.elsewhere) == (0, 2, 2)


def test_a_sheet_of_which_nothing_is_in_the_store_is_refused(store: Backend) -> None:
    study, study_id = replies(store)
    with pytest.raises(ItemMistakes, match="none of its items is in the store") as refused:
        take(store, study_id, study, [(GroupAndSystem("p1", "bee-2"), of_a_judge(1))])
    said = str(refused.value)
    assert "of 'p1' by 'bee-2'; systems of the sheet: bee-2; systems of the items: ant, bee; items.names" in said


def test_a_system_of_a_sheet_that_no_item_is_by_is_refused_unless_that_is_wanted(store: Backend) -> None:
    study, study_id = replies(store)
    found = [(GroupAndSystem("p1", system), of_a_judge(2)) for system in ("bee", "Ant")]
    with pytest.raises(ItemMistakes, match="the sheet: no item is by 'Ant'"):
        take(store, study_id, study, found)
    taken = store.write(imported_judgments.add, study_id, study, found, T0, partial=True)
    assert (taken.submissions, taken.elsewhere) == (1, 1)


# Duplicates


def test_a_duplicate_is_its_original_once_more(store: Backend) -> None:
    study = a_study()
    study_id = published(store, study, 2)
    shown: dict[str, Any] = {CANDIDATES: [{"text": "ant's"}, {"text": "bee's"}]}
    twice = ImportedRow("000-again", None, "000", shown=shown)
    assert store.write(items.add, study_id, [twice], 1) == items.ImportedItems(0, 0, 1)
    assert store.write(items.add, study_id, [twice], 1) == items.ImportedItems(0, 0, 0)
    take(store, study_id, study, [("000", said("a")), ("000-again", said("b"))])
    found = [each for each in all_judgments(store, study_id, study) if each.dimension == "better"]
    assert sorted((each.item, each.pass_, each.value) for each in found) == [("000", 1, "ant"), ("000", 2, "bee")]


def test_a_duplicate_of_nothing_is_refused(store: Backend) -> None:
    study_id = published(store, a_study(), 1)
    with pytest.raises(ItemMistakes, match="item x: is a duplicate of 'nowhere', which is not there"):
        store.write(items.add, study_id, [ImportedRow("x", None, "nowhere")], 1)


# Pictures


def with_picture(name: str, picture: Picture) -> ImportedRow:
    shown: dict[str, Any] = {CANDIDATES: [{"text": "a"}, {"text": "b"}]}
    return ImportedRow(name, Item(name, shown, systems=SYSTEMS), pictures=(picture,))


def test_a_picture_is_found_by_its_hash_in_its_own_study_alone(store: Backend) -> None:
    here, elsewhere = published(store, a_study(), 0), published(store, a_study("other"), 0)
    one = Picture("0" * 64, b"\x89PNG\x00\xff", 2, 1, "image/png")
    other = replace(one, hash="1" * 64, content=b"jpeg", media_type="image/jpeg")
    store.write(items.add, here, [with_picture("a", one), with_picture("b", one)], 1)
    store.write(items.add, here, [with_picture("c", one)], 1)
    store.write(items.add, elsewhere, [with_picture("a", other)], 1)
    assert store.read(assignments.picture_of, here, one.hash) == ("image/png", b"\x89PNG\x00\xff")
    assert store.read(assignments.picture_of, elsewhere, other.hash) == ("image/jpeg", b"jpeg")
    assert store.read(assignments.picture_of, elsewhere, one.hash) is None
    assert store.read(assignments.picture_of, here, other.hash) is None
    assert store.read(assignments.picture_of, here, "none") is None
