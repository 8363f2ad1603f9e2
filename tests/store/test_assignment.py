"""What assignment promises, for any study and any people: exactly k, evenly, nothing twice, nothing starved."""

import shutil
import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from assay import acts
from assay.items.reader import ImportedRow
from assay.items.reference_items import ReferenceItem
from assay.model import CANDIDATES, Item, Slot
from assay.store import Backend, open_store
from assay.store.annotator import assignments, places, submissions
from assay.store.annotator.annotator_counts import read_had
from assay.store.annotator.draw_sides import MOST_ALIKE
from assay.store.annotator.latin_square import take_cell
from assay.store.annotator.submissions import Form
from assay.store.coordinator import items, record, studies
from assay.store.coordinator.item_plan import arrange
from assay.store.coordinator.record import By
from assay.store.tables import annotator, assignment, item, submission
from assay.study import Study
from assay.study.schema import study_type
from tests.conftest import T0
from tests.examples import AS_FOUND
from tests.giving import claim
from tests.inviting import invite

HOUR = 60 * 60 * 1000
SYSTEMS = ("ant", "bee", "cat")


def a_study(pairs: bool = False, **plan: Any) -> Study:
    fields = [{"system": "m1", "show": {"text": "t1"}}, {"system": "m2", "show": {"text": "t2"}}]
    shown: dict[str, Any] = {"candidates": {"fields": fields}, "show": [{"pair": [{"text": {"field": "text"}}]}]}
    if not pairs:
        shown = {"system": "system", "show": [{"text": {"field": "text"}}]}
    analysis = {"pilot": plan.pop("pilot")} if "pilot" in plan else {}
    return study_type().model_validate(
        {
            "study": "any",
            "title": "",
            "seed": plan.pop("seed", 7),
            "items": {"source": "x.json", "group": "group", "duplicate_of": "again", **shown},
            "rubric": [{"dimension": "warmth", "scale": {"from_": 1, "to": 5}}],
            "assignment": plan,
            "analysis": analysis,
        }
    )


def an_item(number: int, group: int, pairs: bool, tagged: bool = False) -> ImportedRow:
    name = f"{number:03}"
    systems = (SYSTEMS[number % 3], SYSTEMS[(number + 1) % 3]) if pairs else (SYSTEMS[number % 3],)
    shown = {CANDIDATES: [{"text": "one"}, {"text": "two"}]} if pairs else {"text": name}
    hidden = {"kind": "grief" if tagged else "news"}
    return ImportedRow(name, Item(name, shown, hidden, systems=systems, group=f"g{group}", batch=f"b{group % 3}"))


@dataclass
class Office:
    """A study at work, without pages."""

    store: Backend
    study: Study
    study_id: int
    now: int = T0
    ids: dict[str, int] = field(default_factory=dict)

    def join(self, name: str) -> None:
        self.store.write(invite, self.study_id, [name], self.now)
        wanted = select(annotator.c.id).where(annotator.c.name == name)
        self.ids[name] = int(self.store.read(lambda c: c.execute(wanted).scalar_one()))
        if self.study.assignment.counterbalance:
            self.store.write(take_cell, self.study_id, self.ids[name], len(SYSTEMS))

    def ask(self, name: str, ahead: int = 0) -> assignments.Assignment | None:
        self.store.write(claim, self.study_id, self.study, self.ids[name], ahead, self.now)
        return self.store.read(assignments.current, self.ids[name])

    def submit(self, name: str, task: assignments.Assignment) -> None:
        form = Form({Slot("warmth"): 3}, shown_at=self.now, active_ms=1000)
        self.store.write(submissions.submit, self.ids[name], task.public_id, self.study, form, self.now)

    def work_off(self, order: list[str]) -> None:
        """Everybody asks in turn until there is nothing left for anybody."""
        going = [name for name in order if name in self.ids]
        while going:
            for name in list(going):
                task = self.ask(name)
                if task is None:
                    going.remove(name)
                else:
                    self.submit(name, task)

    def rows(self, table: Any = assignment, *which: Any) -> list[dict[str, Any]]:
        wanted = select(table).where(*which)
        return self.store.read(lambda c: [dict(row._mapping) for row in c.execute(wanted)])

    def items(self) -> dict[int, dict[str, Any]]:
        return {row["id"]: row for row in self.rows(item)}

    def given(self, name: str) -> list[dict[str, Any]]:
        mine = self.rows(assignment, assignment.c.annotator_id == self.ids[name])
        return sorted(mine, key=lambda row: row["position"])


def an_office(store: Backend, study: Study, intakes: list[ImportedRow], controls: int = 0) -> Office:
    study_id = store.write(studies.publish, study, T0).id
    store.write(items.add, study_id, intakes, study.seed)
    pairs = study.items.candidates is not None
    known = [ReferenceItem(an_item(900 + number, 0, pairs), {Slot("warmth"): 1}, "") for number in range(controls)]
    store.write(items.add_known, study_id, known, study.seed, "controls")
    store.write(arrange, study_id, study)
    return Office(store, study, study_id)


@st.composite
def plans(draw: st.DrawFn) -> dict[str, Any]:
    plan: dict[str, Any] = {
        "per_item": draw(st.integers(1, 4)),
        "order": draw(st.sampled_from(["random", "fixed"])),
        "batches": draw(st.sampled_from(["mixed", "in_order"])),
        "together": draw(st.booleans()),
        "seed": draw(st.integers(0, 10**6)),
    }
    if plan["order"] == "random" and not plan["together"]:
        plan["apart"] = draw(st.booleans())
    if draw(st.booleans()):
        plan["duplicates"] = {"count": draw(st.integers(1, 5)), "distance": draw(st.integers(1, 8))}
    if draw(st.booleans()):
        least = draw(st.integers(1, 5))
        plan["controls"] = {"items": "c.csv", "every": [least, least + draw(st.integers(0, 5))]}
    if draw(st.booleans()):
        plan["overlap"] = {"share": draw(st.sampled_from([0.2, 0.5])), "per_item": plan["per_item"] + 1}
    return plan


ANY = settings(max_examples=25, phases=AS_FOUND, suppress_health_check=[HealthCheck.function_scoped_fixture])
MANY = st.lists(st.sampled_from("vwxyz"), min_size=1, max_size=5, unique=True)


@pytest.fixture(scope="module")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with tables only, to be copied: making the tables takes longer than the work of a small study."""
    path = tmp_path_factory.mktemp("office") / "empty.db"
    open_store(path).close()
    return path


@ANY
@given(plan=plans(), groups=st.lists(st.integers(0, 7), min_size=1, max_size=24), who=MANY, pairs=st.booleans())
def test_the_promises_hold_for_any_study_and_any_people(
    empty_store: Path, plan: dict[str, Any], groups: list[int], who: list[str], pairs: bool
) -> None:
    intakes = [an_item(number, group, pairs) for number, group in enumerate(sorted(groups))]

    def run() -> Office:
        store = open_store(shutil.copyfile(empty_store, empty_store.with_name(f"{uuid4()}.db")))
        office = an_office(store, a_study(pairs, **plan), intakes, controls=3)
        for name in who:
            office.join(name)
        office.work_off(who)
        return office

    office = run()
    keeps_its_promises(office, who)
    # The same seed and the same course of events: the same items, in the same order, on the same sides.
    again = run()
    course = ("position", "item_id", "pass", "swapped")
    for name in who:
        assert [[row[key] for key in course] for row in office.given(name)] == [
            [row[key] for key in course] for row in again.given(name)
        ]
    office.store.close()
    again.store.close()


def keeps_its_promises(office: Office, who: list[str]) -> None:
    plan = office.study.assignment
    known = office.items()
    judged = Counter(row["item_id"] for row in office.rows() if row["pass"] == 1)
    for id_, row in known.items():
        if row["series"] == "work":
            # Exactly k, or everybody where there are fewer people than that: so nothing is starved either.
            assert judged[id_] == row["taken"] == min(row["wanted"], len(who))
    public = [row["public_id"] for row in office.rows()]
    assert len(public) == len(set(public)), "a duplicate has a name of its own"
    for name in who:
        given = office.given(name)
        assert [row["position"] for row in given] == list(range(1, len(given) + 1))
        once = [row["item_id"] for row in given if row["pass"] == 1]
        assert len(once) == len(set(once)), "nothing comes twice but duplicates"
        check_duplicates(given, known, plan.duplicates)
        check_controls(given, known, plan.controls)
        check_order(office, [row for row in given if row["pass"] == 1 and known[row["item_id"]]["series"] == "work"])
        check_sides([row["swapped"] for row in given])


def check_duplicates(given: list[dict[str, Any]], known: dict[int, dict[str, Any]], asked: Any) -> None:
    at = {row["item_id"]: row["position"] for row in given if row["pass"] == 1}
    again = [row for row in given if row["pass"] == 2]
    assert len(again) == len({row["item_id"] for row in again})
    if asked is None:
        assert again == []
        return
    assert len(again) <= asked.count
    for row in again:
        assert row["position"] - at[row["item_id"]] > asked.distance
        assert known[row["item_id"]]["series"] == "work", "a control does not come twice"


def check_controls(given: list[dict[str, Any]], known: dict[int, dict[str, Any]], asked: Any) -> None:
    places = [row["position"] for row in given if known[row["item_id"]]["series"] == "controls"]
    if asked is None:
        assert places == []
        return
    for before, after in pairwise([0, *places]):
        assert after - before >= asked.every[0]


def check_order(office: Office, given: list[dict[str, Any]]) -> None:
    plan, known = office.study.assignment, office.items()
    if plan.together:
        groups = [known[row["item_id"]]["group_number"] for row in given]
        assert len([key for key, _ in groupby(groups)]) == len(set(groups)), "a group comes in one piece"
        for _, rows in groupby(given, lambda row: known[row["item_id"]]["group_number"]):
            names = [known[row["item_id"]]["name"] for row in rows]
            assert names == sorted(names), "in the order of the file"
    if plan.batches == "in_order" and not plan.together:
        batches = [known[row["item_id"]]["batch"] for row in given]
        assert batches == sorted(batches)


def check_sides(sides: list[bool | None]) -> None:
    if None in sides:
        assert set(sides) <= {None}
        return
    assert all(len(list(same)) <= MOST_ALIKE for _, same in groupby(sides))


def test_an_item_that_fewer_people_have_comes_first(store: Backend) -> None:
    office = an_office(store, a_study(per_item=3), [an_item(number, number, False) for number in range(12)])
    for name in "uvwxy":
        office.join(name)
    for turn in range(45):
        name = "uvwxy"[turn * 7 % 5]
        mine = {row["item_id"] for row in office.given(name)}
        free = {id_: row["taken"] for id_, row in office.items().items() if row["taken"] < 3 and id_ not in mine}
        task = office.ask(name)
        if task is None:
            assert not free
            continue
        newest = office.given(name)[-1]["item_id"]
        assert free[newest] == min(free.values())
        office.submit(name, task)


@pytest.mark.parametrize("k", [pytest.param(1, marks=pytest.mark.thorough("one annotator for each item")), 3])
def test_five_hundred_requests_at_once_give_every_item_to_exactly_k(store: Backend, k: int) -> None:
    office = an_office(store, a_study(per_item=k), [an_item(number, number, False) for number in range(20)])
    names = [f"p{number}" for number in range(50)]
    for name in names:
        office.join(name)
    together = threading.Barrier(50)

    def ask(name: str) -> None:
        together.wait()
        for _ in range(10):
            task = office.ask(name, ahead=2)
            if task is not None:
                office.submit(name, task)

    threads = [threading.Thread(target=ask, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    given = Counter(row["item_id"] for row in office.rows(assignment, assignment.c.state != "returned"))
    assert max(given.values()) <= k
    office.work_off(names)
    assert set(Counter(row["item_id"] for row in office.rows(submission)).values()) == {k}
    assert not any(row["surplus"] for row in office.rows(submission))


def test_what_is_left_lying_goes_to_another_and_a_late_answer_is_surplus(store: Backend) -> None:
    office = an_office(store, a_study(per_item=1, expires_after_hours=2), [an_item(0, 0, False)])
    office.join("ana")
    office.join("ben")
    late = office.ask("ana")
    assert late is not None
    office.now += 2 * HOUR - 1
    assert office.ask("ben") is None, "it is hers for two hours"
    office.now += 2
    task = office.ask("ben")
    assert task is not None, "then it is his"
    office.submit("ben", task)
    assert office.ask("ana") is None
    office.submit("ana", late)
    counted = {row["annotator_id"]: row["surplus"] for row in office.rows(submission)}
    assert counted == {office.ids["ana"]: True, office.ids["ben"]: False}, "kept, and not counted"
    assert office.items().popitem()[1]["taken"] == 1


def test_only_what_was_not_done_in_time_goes_to_others(store: Backend) -> None:
    office = an_office(store, a_study(per_item=1, expires_after_hours=2), [an_item(n, 0, False) for n in range(2)])
    for name in ("ana", "ben", "cem", "dee"):
        office.join(name)
    late = office.ask("ana")
    office.now += HOUR
    in_time = office.ask("ben")
    assert late is not None
    assert in_time is not None
    office.now += HOUR + 1
    assert office.ask("cem") is not None
    assert [each["item_id"] for each in office.given("cem")] == [each["item_id"] for each in office.given("ana")]
    assert office.ask("dee") is None, "what ben has is his for another hour"
    office.submit("ben", in_time)
    assert [row["surplus"] for row in office.rows(submission)] == [False]


def test_what_nobody_took_meanwhile_is_still_there_and_an_answer_to_it_counts(store: Backend) -> None:
    office = an_office(store, a_study(per_item=1, expires_after_hours=2), [an_item(0, 0, False)])
    office.join("ana")
    late = office.ask("ana")
    assert late is not None
    office.now += 3 * HOUR
    store.write(places.return_expired, office.study_id, office.now)
    assert office.items().popitem()[1]["taken"] == 0
    office.submit("ana", late)
    assert [row["surplus"] for row in office.rows(submission)] == [False]
    assert office.items().popitem()[1]["taken"] == 1
    assert office.ask("ana") is None


def test_whoever_comes_back_too_late_finds_the_item_as_it_was_left_where_nobody_else_has_it(store: Backend) -> None:
    office = an_office(store, a_study(per_item=1, expires_after_hours=2), [an_item(n, 0, False) for n in range(3)])
    office.join("ana")
    left = office.ask("ana")
    assert left is not None
    begun = {"warmth": ["4"]}
    store.write(submissions.save_draft, office.ids["ana"], left.public_id, begun, submissions.Seat(), office.now)
    office.now += 3 * HOUR
    store.write(places.return_expired, office.study_id, office.now)
    found = office.ask("ana")
    assert found is not None
    assert (found.public_id, found.answers) == (left.public_id, begun)
    assert len(office.given("ana")) == 1


def test_an_item_stays_with_whoever_fills_in_its_form_and_no_longer_than_the_study_says(store: Backend) -> None:
    office = an_office(store, a_study(per_item=1, expires_after_hours=1), [an_item(0, 0, False)])
    office.join("ana")
    office.join("ben")
    task = office.ask("ana")
    assert task is not None
    lasts = {"place_lasts_ms": office.study.assignment.place_lasts_ms}
    for number in range(5):
        office.now += HOUR // 2
        given = {"warmth": [str(number + 1)]}
        seat = submissions.Seat("here", number)
        store.write(submissions.save_draft, office.ids["ana"], task.public_id, given, seat, office.now, **lasts)
        assert office.ask("ben") is None
    office.now += HOUR
    assert office.ask("ben") is None
    office.now += 1
    assert office.ask("ben") is not None


def test_whoever_is_released_leaves_their_items_to_the_others(store: Backend) -> None:
    office = an_office(store, a_study(per_item=1), [an_item(number, number, False) for number in range(6)])
    for name in ("ana", "ben"):
        office.join(name)
    office.ask("ana", ahead=5)
    assert office.ask("ben", ahead=5) is not None
    store.write(acts.release, By(office.study_id, "me", office.now, "enough"), "ana")
    office.work_off(["ben"])
    assert {row["annotator_id"] for row in office.rows(submission)} == {office.ids["ben"]}
    assert len(office.rows(submission)) == 6
    [done] = store.read(record.entries, office.study_id)
    assert (done.what, done.annotator, done.by, done.reason) == ("release", "ana", "me", "enough")


def test_nobody_gets_more_hard_content_than_the_study_allows(store: Backend) -> None:
    exposure = {"field": "kind", "values": ["grief"], "at_most": 2}
    for together in (False, True):
        again = {"count": 6, "distance": 1}
        study = a_study(per_item=2, exposure=exposure, together=together, duplicates=again)
        study = study.model_copy(update={"study": f"s{together}"})
        intakes = [an_item(number, number // 3, False, tagged=number % 2 == 0) for number in range(12)]
        office = an_office(store, study, intakes)
        for name in (f"u{together}", f"v{together}", f"w{together}"):
            office.join(name)
        office.work_off(list(office.ids))
        tagged = {id_ for id_, row in office.items().items() if row["tagged"]}
        assert len(tagged) == 6 * (1 + together)
        for name in office.ids:
            assert sum(row["item_id"] in tagged for row in office.given(name)) == 2, "and none of them again"
            assert any(row["pass"] == 2 for row in office.given(name))


def test_of_each_group_an_annotator_sees_one_system_and_all_of_them_equally_often(store: Backend) -> None:
    study = a_study(per_item=1, counterbalance=True)
    office = an_office(store, study, [an_item(number, number // 3, False) for number in range(27)])
    for name in "uvw":
        office.join(name)
    office.work_off(list("uvw"))
    seen: dict[int, list[int]] = defaultdict(list)
    for name in "uvw":
        rows = [office.items()[row["item_id"]] for row in office.given(name)]
        assert len({row["group_number"] for row in rows}) == len(rows) == 9, "one of each group"
        assert set(Counter(row["pair"] for row in rows).values()) == {3}, "every system three times"
        for row in rows:
            seen[row["group_number"]].append(row["pair"])
    assert all(sorted(systems) == [0, 1, 2] for systems in seen.values()), "together they see all of it"


def test_items_of_one_group_go_to_different_people_where_there_are_enough(store: Backend) -> None:
    """As the comparisons of a dialogue: eight groups of four items, for two people each, and eight people."""
    office = an_office(store, a_study(per_item=2, apart=True), [an_item(n, n // 4, True) for n in range(32)])
    who = list("stuvwxyz")
    for name in who:
        office.join(name)
    office.work_off(who)
    keeps_its_promises(office, who)
    known = office.items()
    for name in who:
        groups = [known[row["item_id"]]["group_number"] for row in office.given(name)]
        assert len(groups) == 8
        assert len(set(groups)) >= 7, "at the end there may be nothing else left"


def test_few_people_get_items_of_one_group_far_from_each_other_and_one_comparison_first(store: Backend) -> None:
    """Twelve dialogues of three turns with two comparisons each, and three people who judge all of it."""
    rows = [an_item(n, n // 6, True) for n in range(72)]
    both = [
        replace(row, item=replace(row.item, systems=("ant", "bee") if n % 2 else ("ant", "cat")))
        for n, row in enumerate(rows)
        if row.item is not None
    ]
    office = an_office(store, a_study(per_item=3, apart=True), both)
    for name in "uvw":
        office.join(name)
    office.work_off(list("uvw"))
    keeps_its_promises(office, list("uvw"))
    known = office.items()
    for name in "uvw":
        given = [known[row["item_id"]] for row in office.given(name)]
        beside = [one for one, other in pairwise(given) if one["group_number"] == other["group_number"]]
        assert len(beside) <= 2, "next to each other only where nothing else is left"
        first: dict[int, set[int]] = defaultdict(set)
        for row in given[:24]:
            first[row["group_number"]].add(row["pair"])
        assert sum(len(pairs) > 1 for pairs in first.values()) <= 3, "of most dialogues one comparison comes first"


def test_a_dialogue_that_is_longer_than_the_others_does_not_lie_together_at_the_end(store: Backend) -> None:
    """Groups of three, and one of ten, for three people who judge all of it: four others lie between any two."""
    groups = [*(number // 3 for number in range(36)), *[12] * 10]
    rows = [an_item(number, group, True) for number, group in enumerate(groups)]
    office = an_office(store, a_study(per_item=3, apart=True), rows)
    for name in "uvw":
        office.join(name)
    office.work_off(list("uvw"))
    keeps_its_promises(office, list("uvw"))
    known = office.items()
    for name in "uvw":
        last: dict[int, int] = {}
        for at, row in enumerate(office.given(name)):
            group = known[row["item_id"]]["group_number"]
            assert at - last.get(group, -100) > 4, (name, at)
            last[group] = at


def test_a_block_is_judged_by_more_people_than_the_rest(store: Backend) -> None:
    study = a_study(per_item=1, overlap={"share": 0.25, "per_item": 3})
    office = an_office(store, study, [an_item(number, number, False) for number in range(20)])
    for name in "uvw":
        office.join(name)
    office.work_off(list("uvw"))
    counts = Counter(Counter(row["item_id"] for row in office.rows(submission)).values())
    assert counts == {1: 15, 3: 5}


def test_sides_are_even_for_every_pair_of_systems(store: Backend) -> None:
    office = an_office(store, a_study(True, per_item=1), [an_item(number, number, True) for number in range(60)])
    office.join("ana")
    office.work_off(["ana"])
    of_pair: dict[int, list[bool]] = defaultdict(list)
    for row in office.given("ana"):
        of_pair[office.items()[row["item_id"]]["pair"]].append(row["swapped"])
    assert len(of_pair) == 3
    for sides in of_pair.values():
        assert abs(sum(sides) - (len(sides) - sum(sides))) <= 3
    check_sides([row["swapped"] for row in office.given("ana")])


def test_nobody_gets_more_than_the_study_allows(store: Backend) -> None:
    office = an_office(
        store, a_study(per_item=1, most_per_annotator=3), [an_item(number, number, False) for number in range(8)]
    )
    for name in ("ana", "ben"):
        office.join(name)
    office.work_off(["ana", "ben"])
    assert Counter(row["annotator_id"] for row in office.rows(submission)) == dict.fromkeys(office.ids.values(), 3)


def test_a_control_is_not_to_be_told_from_an_item_and_counts_for_none(store: Backend) -> None:
    study = a_study(per_item=1, controls={"items": "c.csv", "every": [2, 3]})
    office = an_office(store, study, [an_item(number, number, False) for number in range(12)], controls=4)
    office.join("ana")
    office.work_off(["ana"])
    known = office.items()
    given = office.given("ana")
    places = [row["position"] for row in given if known[row["item_id"]]["series"] == "controls"]
    assert 3 <= len(places) <= 4
    assert all(2 <= after - before <= 3 for before, after in pairwise([0, *places]))
    assert store.read(read_had, office.ids["ana"]).controls == len(places), "the next one comes by how many there were"
    assert all(row["taken"] == 0 for row in known.values() if row["series"] == "controls")
    first = store.read(assignments.by_public_id, office.ids["ana"], given[places[0] - 1]["public_id"])
    other = store.read(assignments.by_public_id, office.ids["ana"], given[places[0]]["public_id"])
    told = {"public_id", "submission", "position", "shown"}
    for name in set(assignments.Assignment.__slots__) - told:
        assert getattr(first, name) == getattr(other, name), name


def test_only_the_pilot_is_given_out_until_the_main_part_opens(store: Backend, tmp_path: Path) -> None:
    from assay import acts
    from assay.store.coordinator import pilots

    pilot = {"items": 3, "go": 0.4, "revise": 0.25, "rounds": 2}
    study = a_study(per_item=2, pilot=pilot)
    office = an_office(store, study, [an_item(number, number, False) for number in range(10)])
    for name in ("ana", "ben"):
        office.join(name)
    office.work_off(["ana", "ben"])
    first = {row["item_id"] for row in office.rows(submission)}
    assert len(first) == 3
    by = By(office.study_id, "me", T0, "revised")
    store.write(acts.keep_pilot_decision, by, {"verdict": "revise"}, opens=False)
    assert office.ask("ana") is None, "recorded, and still closed"
    assert store.write(acts.begin_next_pilot, by) == 2
    office.work_off(["ana", "ben"])
    second = {row["item_id"] for row in office.rows(submission)} - first
    assert len(second) == 3, "others than in the first"
    store.write(acts.keep_pilot_decision, by, {"verdict": "go"}, opens=True)
    office.work_off(["ana", "ben"])
    assert len({row["item_id"] for row in office.rows(submission)}) == 10
    assert [each.opened for each in store.read(pilots.decisions, office.study_id)] == [False, True]


def test_in_the_order_of_the_file_one_batch_still_comes_after_the_other(store: Backend) -> None:
    study = a_study(per_item=1, order="fixed", batches="in_order")
    office = an_office(store, study, [an_item(number, number, False) for number in range(6)])
    office.join("ana")
    office.work_off(["ana"])
    known = office.items()
    given = [known[row["item_id"]]["name"] for row in office.given("ana")]
    assert given == ["000", "003", "001", "004", "002", "005"], "three batches, each in the order of the file"


def test_the_same_round_of_items_is_drawn_again_from_the_same_seed(store: Backend) -> None:
    pilot = {"items": 4, "go": 0.4, "revise": 0.25, "rounds": 1}
    intakes = [an_item(number, number, False) for number in range(12)]
    drawn = []
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        study = a_study(pilot=pilot, seed=seed).model_copy(update={"study": name})
        office = an_office(store, study, intakes)
        mine = item.c.study_id == office.study_id
        drawn.append({row["name"] for row in office.rows(item, mine) if row["pilot"] == 1})
    assert drawn[0] == drawn[1] != drawn[2]


def a_duplicate(of: ImportedRow) -> ImportedRow:
    """A row of the file that is an item once more, under an id of its own."""
    assert of.item is not None
    return ImportedRow(f"again-{of.name}", None, of.name, (), (), of.item.systems, of.item.shown)


@pytest.mark.parametrize(("named", "count"), [(5, 5), (3, 5), (5, 2)])
def test_what_the_file_has_twice_comes_twice_before_anything_that_is_drawn(
    store: Backend, named: int, count: int
) -> None:
    intakes = [an_item(number, number, False) for number in range(30)]
    twice = intakes[2 : 2 + named]
    study = a_study(per_item=2, duplicates={"count": count, "distance": 4})
    office = an_office(store, study, [*intakes, *map(a_duplicate, twice)])
    for name in "xy":
        office.join(name)
    office.work_off(["x", "y"])
    keeps_its_promises(office, ["x", "y"])
    for name in "xy":
        again = {office.items()[row["item_id"]]["name"] for row in office.given(name) if row["pass"] == 2}
        assert len(again) == count
        assert len(again & {row.name for row in twice}) == min(named, count)


def test_what_is_drawn_again_far_into_the_work_is_far_enough_behind_and_not_what_came_first(store: Backend) -> None:
    study = a_study(per_item=1, duplicates={"count": 20, "distance": 20})
    office = an_office(store, study, [an_item(number, number, False) for number in range(120)])
    office.join("ana")
    office.work_off(["ana"])
    given = office.given("ana")
    check_duplicates(given, office.items(), study.assignment.duplicates)
    at = {row["item_id"]: row["position"] for row in given if row["pass"] == 1}
    drawn = [at[row["item_id"]] for row in given if row["pass"] == 2]
    assert len(drawn) == 20
    assert max(drawn) > 60, "drawn from everything that lies behind"


def test_an_annotator_is_told_of_the_batches_of_their_own_study_alone(store: Backend) -> None:
    intakes = [an_item(number, number, False) for number in range(6)]
    an_office(store, a_study().model_copy(update={"study": "other"}), intakes)
    office = an_office(store, a_study(), intakes[::3])
    office.join("ana")
    task = office.ask("ana")
    assert task is not None
    assert (task.batch, task.batches) == (1, 1), "the other one has three"


def test_what_the_file_of_another_study_has_twice_holds_no_duplicate_of_this_one_up(store: Backend) -> None:
    intakes = [an_item(number, number, False) for number in range(30)]
    plan = {"per_item": 1, "duplicates": {"count": 5, "distance": 4}}
    other = a_study(**plan).model_copy(update={"study": "other"})
    an_office(store, other, [*intakes, *map(a_duplicate, intakes[:10])])
    office = an_office(store, a_study(**plan), intakes)
    office.join("ana")
    office.work_off(["ana"])
    again = [row["position"] for row in office.given("ana") if row["pass"] == 2]
    assert len(again) == 5
    assert again[0] <= 30, "not all of them after everything else"


def test_whoever_takes_over_the_part_of_others_gets_duplicates_and_controls_all_along(store: Backend) -> None:
    plan = {"duplicates": {"share": 0.2, "distance": 3}, "controls": {"items": "c.csv", "every": [4, 5]}}
    office = an_office(store, a_study(per_item=1, **plan), [an_item(n, n, False) for n in range(30)], controls=8)
    for name in ("ana", "ben", "cem", "dia", "eli", "fay"):
        office.join(name)
    office.work_off(["ana"])
    given = office.given("ana")
    known = office.items()
    assert sum(row["pass"] == 2 for row in given) >= 6
    places = [row["position"] for row in given if known[row["item_id"]]["series"] == "controls"]
    assert len(places) == 8
    assert all(4 <= after - before <= 5 for before, after in pairwise([0, *places]))


def test_an_item_that_was_out_while_the_plan_changed_comes_back_to_the_place_of_the_new_one(store: Backend) -> None:
    intakes = [an_item(number, number, False) for number in range(6)]
    office = an_office(store, a_study(batches="in_order"), intakes)
    by = By(office.study_id, "cora", T0, "broken")
    store.write(acts.withdraw_item, by, "005")
    office.study = a_study(per_item=2)
    store.write(studies.publish, office.study, T0)
    store.write(acts.put_item_back, by, "005")
    for name in "xy":
        office.join(name)
    office.work_off(["x", "y"])
    keeps_its_promises(office, ["x", "y"])
    assert {row["wanted"] for row in office.items().values()} == {2}
