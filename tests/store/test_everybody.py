"""Everybody judges everything (`per_item: all`), batch after batch, whoever comes, leaves or is left out meanwhile."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from assay import acts
from assay.assignment.share import Share
from assay.assignment.workload import WorkloadForecast
from assay.false_alarm_rates import false_alarms
from assay.model import Fact
from assay.store import Backend
from assay.store.annotator import participation
from assay.store.annotator.workload import workload
from assay.store.coordinator import annotators_per_item, export_rows, studies, study_status
from assay.store.coordinator.item_plan import arrange
from assay.store.coordinator.item_search import ItemFilter, search_items
from assay.store.coordinator.record import By
from assay.store.tables import EVERYBODY, item, submission
from assay.store.upkeep.kept_counts import compare_counts
from assay.study.schema import study_type
from tests.conftest import T0
from tests.store.test_assignment import HOUR, Office, a_study, an_item, an_office
from tests.study.small import SMALL, said

ITEMS = 6


def office_of(store: Backend, *people: str, **plan: object) -> Office:
    intakes = [an_item(number, number, False) for number in range(ITEMS)]
    office = an_office(store, a_study(per_item="all", **plan), intakes)
    for name in people:
        office.join(name)
    return office


def judged(office: Office) -> dict[str, int]:
    names = {id_: name for name, id_ in office.ids.items()}
    found = dict.fromkeys(office.ids, 0)
    for row in office.rows(submission):
        found[names[row["annotator_id"]]] += not row["surplus"]
    return found


def finished(office: Office, *left_out: str) -> int:
    return office.store.read(study_status.item_counts, office.study_id, left_out).finished


@pytest.mark.parametrize("order", ["random", "fixed"])
def test_everybody_gets_every_item_once_batch_after_batch(store: Backend, order: str) -> None:
    office = office_of(store, *"xyz", order=order, batches="in_order")
    office.work_off(["x", "y", "z"])
    known = office.items()
    for name in "xyz":
        given = [known[row["item_id"]] for row in office.given(name)]
        assert sorted(row["name"] for row in given) == sorted(row["name"] for row in known.values())
        assert all(one["batch"] <= other["batch"] for one, other in pairwise(given)), "a batch is finished first"
    assert finished(office) == ITEMS
    assert [each for each in store.read(lambda c: list(compare_counts(c))) if each] == []


def test_a_newcomer_gets_everything_too_and_until_then_nothing_is_finished(store: Backend) -> None:
    office = office_of(store, "x", "y")
    office.work_off(["x", "y"])
    assert finished(office) == ITEMS
    office.join("z")
    assert finished(office) == 0
    assert store.read(annotators_per_item.places, office.study_id) == 3 * ITEMS
    office.work_off(["z"])
    assert judged(office) == {"x": ITEMS, "y": ITEMS, "z": ITEMS}
    assert finished(office) == ITEMS


def test_a_list_of_unfinished_items_holds_what_somebody_who_takes_part_has_not_judged(store: Backend) -> None:
    office = office_of(store, "x", "y")

    def unfinished() -> list[tuple[int, int]]:
        found = store.read(search_items, office.study_id, ItemFilter(unfinished=True), ())
        return [(each.judged, each.wanted) for each in found.items]

    office.work_off(["x"])
    assert unfinished() == [(1, 2)] * ITEMS
    office.work_off(["y"])
    assert unfinished() == []
    everything = store.read(search_items, office.study_id, ItemFilter(), ()).items
    assert [each.finished for each in everything] == [True] * ITEMS


def test_who_leaves_half_way_takes_nobody_s_place_and_is_not_waited_for(store: Backend) -> None:
    office = office_of(store, "x", "y")
    for _ in range(3):
        task = office.ask("x")
        assert task is not None
        office.submit("x", task)
    store.write(participation.leave, office.study_id, office.ids["x"], office.now)
    office.work_off(["y"])
    assert judged(office) == {"x": 3, "y": ITEMS}
    assert finished(office) == ITEMS


def test_who_is_left_out_is_not_waited_for_and_their_judgments_do_not_stand_in(store: Backend) -> None:
    office = office_of(store, "x", "y")
    office.work_off(["x"])
    assert finished(office) == 0
    assert finished(office, "y") == ITEMS, "without y everybody is x"
    store.write(acts.exclude, By(office.study_id, "dora", T0, "too fast"), "x", reassign=True)
    assert finished(office) == 0
    office.work_off(["y"])
    assert finished(office) == ITEMS


def test_what_was_left_lying_comes_back_to_the_same_person(store: Backend) -> None:
    office = office_of(store, "x", "y", expires_after_hours=1)
    first = office.ask("x")
    assert first is not None
    office.now += 2 * HOUR
    office.work_off(["y"])
    again = office.ask("x")
    assert again is not None
    assert again.public_id == first.public_id
    office.work_off(["x"])
    assert [row["surplus"] for row in office.rows(submission)] == [False] * 2 * ITEMS


def test_between_a_number_and_everybody_a_study_can_change_its_mind(store: Backend) -> None:
    office = office_of(store, "x", "y")
    assert {row["wanted"] for row in office.rows(item)} == {EVERYBODY}
    for k, number in ((1, 1), ("all", EVERYBODY)):
        study = a_study(per_item=k)
        store.write(studies.publish, study, office.now, even_if_begun=True)
        store.write(arrange, office.study_id, study)
        office.study = study
        assert {row["wanted"] for row in office.rows(item)} == {number}


def test_lists_say_how_many_people_everybody_is(store: Backend) -> None:
    office = office_of(store, "x", "y")
    listed = list(store.stream(export_rows.items, office.study_id))
    assert {each.wanted for each in listed} == {2}
    [first, *_] = store.read(study_status.batches, office.study_id)
    assert (first.items, first.places) == (2, 4)
    plan = store.read(workload, office.study_id).forecast(office.study)
    assert (plan.judgments, plan.shortfall, plan.share.different_items) == (2 * ITEMS, 0, ITEMS)


def test_with_nobody_there_is_nothing_to_share_and_nothing_finished(store: Backend) -> None:
    office = office_of(store)
    assert finished(office) == 0
    assert store.read(annotators_per_item.places, office.study_id) == 0
    nobody = WorkloadForecast(Share(office.study, "", ITEMS, 0), 100)
    assert (nobody.judgments, nobody.shortfall) == (0, 0)


def test_false_alarms_are_simulated_with_a_team_that_judges_everything() -> None:
    data = json.loads(a_study(per_item="all").document())
    watched = study_type().model_validate_json(json.dumps({**data, "analysis": {"monitors": {"leniency": {}}}}))
    facts = {f"i{number}": Fact(words=50, shown={"text": "so"}) for number in range(30)}
    assert false_alarms(watched, facts, annotators=6)["leniency"].n == 6


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("per_item: 0", "0 is no number of annotators"),
        ("per_item: every", '"every" is no number of annotators'),
        ("per_item: 1001", "1001 is no number of annotators"),
        ("per_item: 2.5", "2.5 is no number of annotators"),
        ("per_item: true", "true is no number of annotators"),
        ("{per_item: all, most_per_annotator: 5}", "everybody judges every item, and most_per_annotator says"),
        ("{per_item: all, counterbalance: true}", "everybody judges every item, and counterbalance says"),
        ("{per_item: all, overlap: {share: 0.5, per_item: 3}}", "everybody judges every item, and overlap says"),
        (
            "{per_item: all, exposure: {field: kind, values: [x], at_most: 1}}",
            "everybody judges every item, and exposure says",
        ),
    ],
)
def test_what_is_no_number_of_annotators_is_said(more: str, words: str, tmp_path: Path) -> None:
    text = f"{SMALL}assignment: {more if more.startswith('{') else '{' + more + '}'}\n"
    [(_, found)] = said(tmp_path, text)
    assert words in found


def test_everybody_is_a_study_that_can_be_read(tmp_path: Path) -> None:
    assert said(tmp_path, f"{SMALL}assignment: {{per_item: all}}\n") == []
