"""People are asked for a part of the items: drawn by lot, kept with its probability, and nothing else given out."""

from collections import Counter
from typing import Any

import pytest

from assay import acts
from assay.assignment.tuning_part import TuningPart
from assay.errors import AssayError
from assay.items.imported_judgments import ImportedAnswers
from assay.live.report_data import gather
from assay.live.work_plan import work_plan
from assay.model import UNABLE, Slot
from assay.store import Backend
from assay.store.coordinator import items, people_part, studies, study_status
from assay.store.coordinator.item_plan import arrange
from assay.store.coordinator.people_part import drawn_items
from assay.store.coordinator.record import By
from assay.store.tables import item, submission
from assay.store.upkeep.kept_counts import compare_counts
from tests.conftest import T0
from tests.store.test_assignment import Office, a_study, an_item, an_office

N = 90


def alone(number: int) -> Any:
    return an_item(number, number, False)


def rows(count: int = N) -> list[Any]:
    return [alone(number) for number in range(count)]


def judged(
    office: Office, judge: str, value: Any, pass_: int = 1, only: Any = None, doubt: Any = None, replace: bool = False
) -> None:
    """What a judge gives, brought from a file; `doubt` is how unsure it says it is."""
    names = [f"{number:03}" for number in range(N)] if only is None else only
    given = [
        (
            name,
            ImportedAnswers(
                judge,
                True,
                {Slot("warmth"): value(int(name))},
                pass_,
                doubt=None if doubt is None else doubt(int(name)),
            ),
        )
        for name in names
    ]
    by = By(office.study_id, "coordinator", office.now, "a reason")
    office.store.write(acts.take_in, by, office.study, [], given, None, replace=replace)


def test_a_share_of_each_system_is_drawn_and_nothing_else_is_given_out(store: Backend) -> None:
    office = an_office(store, a_study(per_item=2, people={"share": 0.3}), rows())
    drawn = store.read(drawn_items, office.study_id)
    assert {each.probability for each in drawn.values()} == {0.3}
    by_system = Counter(int(name) % 3 for name, each in drawn.items() if each.drawn)
    assert by_system == {0: 9, 1: 9, 2: 9}
    for name in "uv":
        office.join(name)
    office.work_off(list("uv"))
    names = {row["id"]: row["name"] for row in office.rows(item)}
    given = Counter(names[row["item_id"]] for row in office.rows(submission))
    assert given == dict.fromkeys((name for name, each in drawn.items() if each.drawn), 2)
    counts = store.read(study_status.item_counts, office.study_id)
    assert (counts.items, counts.finished, counts.judges_alone) == (27, 27, 63)
    assert [each for each in store.read(lambda c: list(compare_counts(c))) if each is not None] == []


def test_the_plan_says_which_part_people_are_asked_for(store: Backend) -> None:
    office = an_office(store, a_study(per_item=2, people={"share": 0.3}), rows())
    plan = work_plan(store, office.study_id, office.study, T0)
    assert plan.forecast.judgments == 54
    assert "  People are asked for 27 of 90 items, drawn by lot within each system." in plan.sentences()
    assert (plan.as_json()["items_in_all"], plan.as_json()["judges_alone"]) == (27, 63)


def test_what_was_drawn_stays_drawn_when_more_items_come(store: Backend) -> None:
    study = a_study(people={"share": 0.25})
    office = an_office(store, study, rows(40))
    before = store.read(drawn_items, office.study_id)
    for number in range(40, 80):
        store.write(items.add, office.study_id, [alone(number)], study.seed)
        store.write(arrange, office.study_id, study)
    after = store.read(drawn_items, office.study_id)
    assert {name: after[name] for name in before} == before
    # Also where items come one at a time a quarter of them is drawn.
    assert 3 <= sum(each.drawn for name, each in after.items() if name not in before) <= 20


def test_items_of_one_group_are_drawn_together(store: Backend) -> None:
    intakes = [an_item(number, number // 3, False) for number in range(N)]
    office = an_office(store, a_study(people={"share": 0.4}), intakes)
    drawn = store.read(drawn_items, office.study_id)
    of_group = {
        group: {drawn[f"{number:03}"].drawn for number in range(group * 3, group * 3 + 3)} for group in range(30)
    }
    assert all(len(each) == 1 for each in of_group.values())
    assert sum(True in each for each in of_group.values()) == 12


def test_by_doubt_lots_wait_for_two_judges_on_all_items_and_fall_more_often_where_they_differ(store: Backend) -> None:
    office = an_office(store, a_study(people={"share": 0.3, "by": "doubt"}), rows())
    plan = work_plan(store, office.study_id, office.study, T0)
    assert any("drawn when two judges" in line for line in plan.sentences())
    office.join("u")
    assert office.ask("u") is None
    judged(office, "gpt", lambda number: 3)
    assert store.read(drawn_items, office.study_id) == {}
    judged(office, "other", lambda number: 3 + number % 3, only=[f"{number:03}" for number in range(N - 1)])
    assert store.read(drawn_items, office.study_id) == {}
    judged(office, "other", lambda number: 3 + number % 3, only=[f"{N - 1:03}"])
    drawn = store.read(drawn_items, office.study_id)
    probability = {int(name) % 3: each.probability for name, each in drawn.items()}
    assert probability == pytest.approx({0: 0.15, 1: 0.3, 2: 0.45})
    by_doubt = Counter(int(name) % 3 for name, each in drawn.items() if each.drawn)
    assert by_doubt[0] in (4, 5)
    assert by_doubt[1] == 9
    assert by_doubt[2] in (13, 14)
    assert office.ask("u") is not None


def test_one_judge_that_ran_twice_leaves_a_doubt_too(store: Backend) -> None:
    office = an_office(store, a_study(people={"share": 0.3, "by": "doubt"}), rows())
    judged(office, "gpt", lambda number: 3)
    judged(office, "gpt", lambda number: 3 + number % 3, pass_=2)
    assert len(store.read(drawn_items, office.study_id)) == N


def test_one_judge_that_says_how_unsure_it_is_leaves_a_doubt_too(store: Backend) -> None:
    """Where it could not judge at all it is as unsure as can be."""
    office = an_office(store, a_study(people={"share": 0.3, "by": "doubt"}), rows())
    judged(office, "gpt", lambda number: 3, only=[f"{number:03}" for number in range(30)])
    assert store.read(drawn_items, office.study_id) == {}, "without a word of doubt nothing is drawn"
    middle = range(30, N)
    judged(office, "gpt", lambda number: 3, only=[f"{number:03}" for number in middle], doubt=lambda number: 0.5)
    assert store.read(drawn_items, office.study_id) == {}
    # The same answers with a doubt: a new revision, and what was said before does not count beside it.
    first = [f"{number:03}" for number in range(30)]
    judged(office, "gpt", lambda number: 3, only=first, doubt=lambda number: number % 2, replace=True)
    drawn = store.read(drawn_items, office.study_id)
    probability = {name: each.probability for name, each in drawn.items()}
    assert [probability[f"{number:03}"] for number in range(30)] == pytest.approx([0.15, 0.45] * 15)
    doubts = store.read(people_part.doubts, office.study_id, office.study)
    by_name = {row["name"]: doubts[row["id"]] for row in office.rows(item)}
    assert [by_name[name] for name in ("000", "001", "040")] == [0.0, 1.0, 0.5]
    judged(office, "other", lambda number: 3 if number else UNABLE)
    after = store.read(people_part.doubts, office.study_id, office.study)
    now = {row["name"]: after[row["id"]] for row in office.rows(item)}
    # Unable: as far apart as can be, and as unsure; the one that says 0 takes half of the second away.
    assert [now[name] for name in ("000", "001", "040")] == [0.75, 0.5, 0.25]
    assert store.read(drawn_items, office.study_id) == drawn, "what was drawn stays drawn"


def test_a_pilot_and_a_block_are_taken_from_what_people_are_asked_for(store: Backend) -> None:
    plan = {"overlap": {"share": 0.5, "per_item": 3}, "pilot": {"items": 10, "go": 0.6, "revise": 0.3, "rounds": 1}}
    office = an_office(store, a_study(people={"share": 0.4}, **plan), rows())
    found = office.items().values()
    assert Counter(row["wanted"] for row in found) == {0: 54, 1: 18, 3: 18}
    assert {row["wanted"] > 0 for row in found if row["pilot"]} == {True}
    assert sum(row["pilot"] > 0 for row in found) == 10


def test_without_the_key_everything_is_for_people_again(store: Backend) -> None:
    office = an_office(store, a_study(people={"share": 0.3}), rows())
    store.write(studies.publish, a_study(), T0)
    assert {row["wanted"] for row in office.rows(item)} == {1}
    assert store.read(drawn_items, office.study_id) == {}


def test_the_report_gets_what_was_drawn_and_reads_judges_on_what_was_not(store: Backend) -> None:
    office = an_office(store, a_study(people={"share": 0.4}), rows())
    judged(office, "gpt", lambda number: 1 + number % 5)
    office.join("u")
    office.work_off(["u"])
    data = gather(store, office.study_id, office.study, T0)
    assert (data.items, data.finished, len(data.drawn)) == (36, 36, N)
    assert len({each.item for each in data.by_judges}) == N


def test_a_part_for_tuning_is_drawn_once_holds_groups_whole_and_keeps_the_probabilities_of_people(
    store: Backend,
) -> None:
    intakes = [an_item(number, number // 3, False) for number in range(N)]
    office = an_office(store, a_study(people={"share": 0.4}), intakes)
    before = store.read(drawn_items, office.study_id)
    by = By(office.study_id, "coordinator", office.now)
    assert gather(store, office.study_id, office.study, T0).tuning == frozenset()
    part = store.write(acts.draw_tuning_part, by, TuningPart(0.3, 5, "abc"))
    assert store.write(acts.draw_tuning_part, by, TuningPart(0.3, 6, "def")) == part
    with pytest.raises(AssayError, match=r"0\.3 of the items were drawn"):
        store.write(acts.draw_tuning_part, by, TuningPart(0.5, 5, "abc"))
    tuning = set(gather(store, office.study_id, office.study, T0).tuning)
    groups = [{f"{number:03}" for number in range(group * 3, group * 3 + 3)} for group in range(30)]
    assert all(group <= tuning or not group & tuning for group in groups)
    assert 4 <= len(tuning) / 3 <= 15
    assert store.read(drawn_items, office.study_id) == before
    store.write(items.add, office.study_id, [an_item(number, 99, False) for number in (200, 201)], 1)
    more = set(gather(store, office.study_id, office.study, T0).tuning)
    assert more - tuning in (set(), {"200", "201"})
    assert tuning <= more
