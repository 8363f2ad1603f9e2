"""What people judged elsewhere takes places here: the items need so many fewer, and that can be taken back."""

from dataclasses import replace

from assay import acts
from assay.acts import imports
from assay.items.imported_judgments import ImportedAnswers
from assay.model import Slot
from assay.store import Backend, open_store
from assay.store.annotator.participation import recount_items
from assay.store.annotator.session_lifetime import DAY
from assay.store.annotator.submissions import decline
from assay.store.annotator.workload import workload
from assay.store.coordinator import item_plan, long_table
from assay.store.coordinator.held_places import held_places
from assay.store.coordinator.record import By
from assay.store.tables import assignment, item, study
from assay.store.upkeep.verify import verify
from tests import pages
from tests.conftest import T0, Bench
from tests.store.earlier_stores import fill_earlier_store
from tests.web.annotator import Annotator, change, rows, submissions


def by(bench: Bench) -> By:
    return By(bench.study_id, "cora", T0, "a reason")


def take_in(bench: Bench, who: str, *names: str, score: int = 3, judge: bool = False, replace: bool = False) -> int:
    """Judgments of items from a file. Returns the number of the import."""
    given = [(name, ImportedAnswers(who, judge, {Slot("emotion"): score})) for name in names]
    done = bench.store.write(imports.take_in, by(bench), bench.study, [], given, None, replace=replace)
    assert done.number is not None
    return int(done.number)


def problems(store: Backend) -> list[str]:
    return [problem for each in verify(store) for problem in each.problems]


def taken(bench: Bench) -> dict[str, int]:
    """The items of which a place is taken, and how many."""
    return {row["name"]: row["taken"] for row in rows(bench.store, item) if row["taken"]}


def names(bench: Bench) -> list[str]:
    return sorted(row["name"] for row in rows(bench.store, item) if row["series"] == "work")


def test_items_that_people_have_judged_elsewhere_are_given_to_so_many_fewer(bench: Bench) -> None:
    *judged, last = names(bench)
    for who in ("R1", "R2"):
        take_in(bench, who, *judged)
    ana = Annotator(bench).begin()
    assert "1 of 1" in " ".join(pages.text_of(ana.page()).split())
    ana.submit()
    [mine] = [row["item"] for row in submissions(bench.store, "ana")]
    assert mine == last
    assert "/submit/" not in ana.page(), "nothing is left"
    assert problems(bench.store) == []


def test_judges_and_second_passes_take_no_place(bench: Bench) -> None:
    take_in(bench, "gpt", "emp-001", judge=True)
    given = [("emp-001", ImportedAnswers("R1", False, {Slot("emotion"): 3}, pass_=2))]
    bench.store.write(imports.take_in, by(bench), bench.study, [], given, None)
    assert taken(bench) == {}
    assert problems(bench.store) == []


def test_an_import_that_is_taken_back_frees_its_places_and_a_corrected_one_takes_no_more(bench: Bench) -> None:
    first = take_in(bench, "R1", "emp-001", "emp-002")
    second = take_in(bench, "R2", "emp-001")
    assert taken(bench) == {"emp-001": 2, "emp-002": 1}
    take_in(bench, "R2", "emp-001", score=5, replace=True)
    assert taken(bench) == {"emp-001": 2, "emp-002": 1}
    bench.store.write(acts.take_import_back, by(bench), first)
    assert taken(bench) == {"emp-001": 1}
    assert problems(bench.store) == []
    assert second


def test_what_is_left_is_shared_by_those_who_take_part(bench: Bench) -> None:
    whole = bench.store.read(workload, bench.study_id)
    for who in ("R1", "R2"):
        take_in(bench, who, *names(bench)[:20])
    work = bench.store.read(workload, bench.study_id)
    assert (work.filled_places, work.filled_items) == (40, 20)
    left = work.forecast(bench.study).share
    assert left.different_items == whole.items - 20
    assert left.all_places == whole.items * 2
    assert left.places == whole.items * 2 - 40


def test_the_places_of_somebody_from_a_file_who_is_left_out_go_to_others_once(bench: Bench) -> None:
    take_in(bench, "R1", "emp-001", "emp-002")
    bench.store.write(acts.exclude, by(bench), "R1")
    [held] = bench.store.read(held_places, bench.study_id, T0 + 2 * DAY)
    assert (held.annotator, held.why, held.open, held.judged) == ("R1", "excluded", 0, 2)
    assert bench.store.write(acts.exclude, by(bench), "R1", reassign=True) == 2
    assert taken(bench) == {}
    assert bench.store.write(acts.exclude, by(bench), "R1", reassign=True) == 0, "they are given away already"
    assert taken(bench) == {}
    assert problems(bench.store) == []
    assert bench.store.write(acts.include, by(bench), "R1") == 0
    assert taken(bench) == {"emp-001": 1, "emp-002": 1}
    assert problems(bench.store) == []


def test_places_that_are_given_away_twice_are_free_once(bench: Bench) -> None:
    Annotator(bench).begin().submit()
    for _ in range(2):
        bench.store.write(acts.exclude, by(bench), "ana", reassign=True)
    assert {row["taken"] for row in rows(bench.store, item)} == {0}
    assert problems(bench.store) == []


def test_what_somebody_did_whose_part_is_over_is_not_shared_by_the_others(bench: Bench) -> None:
    ana = Annotator(bench).begin()
    ana.submit()
    address, hidden = ana.form()
    bench.store.write(acts.release, by(bench), "ana")
    assert bench.store.read(workload, bench.study_id).filled_places == 1
    assert ana.send(address, {**hidden, **pages.SCORES}).status_code == 200
    assert bench.store.read(workload, bench.study_id).filled_places == 2, "a late answer fills its place, too"
    assert problems(bench.store) == []


def test_items_taken_out_while_a_pilot_goes_on_leave_its_number_alone(bench: Bench) -> None:
    one, other = names(bench)[:2]
    change(bench.store, item, item.c.name != one, pilot=0)
    change(bench.store, item, item.c.name == one, pilot=1)
    bench.store.write(item_plan.open_pilot, bench.study_id, 1)
    bench.store.write(acts.withdraw_item, by(bench), other)
    [row] = rows(bench.store, study)
    assert row["open_count"] == 1
    assert problems(bench.store) == []


def test_a_place_that_comes_free_outside_the_pilot_is_none_of_the_pilots(bench: Bench) -> None:
    Annotator(bench).begin().page()
    [mine] = taken(bench)
    other = next(name for name in names(bench) if name != mine)
    change(bench.store, item, item.c.name != other, pilot=0)
    change(bench.store, item, item.c.name == other, pilot=1)
    bench.store.write(item_plan.open_pilot, bench.study_id, 1)
    [row] = rows(bench.store, assignment)
    bench.store.write(decline, row["annotator_id"], row["public_id"])
    assert taken(bench) == {}
    assert [each["taken_places"] for each in rows(bench.store, study)] == [0]
    assert problems(bench.store) == []


def test_the_page_of_a_link_says_what_is_left_for_somebody_who_is_new(bench: Bench) -> None:
    Annotator(bench).begin()
    count = len(names(bench))
    change(bench.store, item, item.c.name != "emp-001", taken=2)
    bench.store.write(recount_items, bench.study_id)
    page = bench.client().get(bench.link("bo")).text
    assert "There is one item to judge." in pages.text_of(page)
    work = bench.store.read(workload, bench.study_id)
    assert work.forecast(bench.study).share.total == count, "whoever has begun has a share of the whole"
    assert replace(work, taken_places=count, taken_items=count).forecast(bench.study, new=True).share.total == 0


BEFORE = """
insert into study (id, name, version, created_at, annotator_count) values (1, 's', 'v', 1, 0);
insert into item (id, study_id, name, shown, words, lot, taken, wanted) values
  (1, 1, 'i', '{}', 1, 1, 1, 2), (2, 1, 'j', '{}', 1, 2, 0, 2);
insert into annotator (id, study_id, name, created_at, judge, from_file, left_at) values
  (1, 1, 'R1', 1, false, true, null), (2, 1, 'R2', 1, false, true, null), (3, 1, 'left', 1, false, false, 5),
  (4, 1, 'judge', 1, true, false, null);
insert into assignment (id, study_id, annotator_id, item_id, position, public_id, submission_id, state, created_at)
values
  (1, 1, 1, 1, 1, 'p1', 's1', 'submitted', 1), (2, 1, 2, 1, 1, 'p2', 's2', 'submitted', 1),
  (3, 1, 3, 1, 1, 'p3', 's3', 'submitted', 1), (4, 1, 4, 1, 1, 'p4', 's4', 'submitted', 1),
  (5, 1, 1, 2, 2, 'p5', 's5', 'submitted', 1);
insert into submission (id, study_id, assignment_id, annotator_id, item_id, pass, revision, study_hash, consent,
  fingerprint, shown_at, submitted_at, source) values
  ('s1', 1, 1, 1, 1, 1, 1, 'v', '', 'f', 1, 1, 'imported'), ('s2', 1, 2, 2, 1, 1, 1, 'v', '', 'f', 1, 1, 'imported'),
  ('s3', 1, 3, 3, 1, 1, 1, 'v', '', 'f', 1, 1, 'work'), ('s4', 1, 4, 4, 1, 1, 1, 'v', '', 'f', 1, 1, 'imported'),
  ('s5', 1, 5, 1, 2, 1, 1, 'v', '', 'f', 1, 1, 'imported')
"""


def test_a_store_of_an_earlier_program_learns_which_places_files_have_filled(database: str) -> None:
    fill_earlier_store(database, "0012", BEFORE)
    after = open_store(database)
    assert [row["taken"] for row in sorted(rows(after, item), key=lambda row: row["id"])] == [2, 1]
    [found] = rows(after, study)
    assert (found["filled_places"], found["filled_items"]) == (3, 1)
    assert (found["word_count"], found["taken_places"], found["taken_items"]) == (2, 3, 1)
    freed = {row["id"]: row["freed_at"] for row in rows(after, assignment) if row["freed_at"] is not None}
    assert freed == {2: 1}, "of three judgments of an item two were wanted: the place of R2 has gone to somebody here"
    after.close()


def test_what_a_file_still_brings_of_somebody_who_is_left_out_takes_no_place(bench: Bench) -> None:
    take_in(bench, "R1", "emp-001")
    bench.store.write(acts.exclude, by(bench), "R1", reassign=True)
    take_in(bench, "R1", "emp-002")
    assert taken(bench) == {}, "others judge what they had and what came later"
    assert problems(bench.store) == []
    bench.store.write(acts.include, by(bench), "R1")
    assert taken(bench) == {"emp-001": 1, "emp-002": 1}
    assert problems(bench.store) == []


def test_judgments_of_items_that_were_taken_out_come_in_and_count_when_these_are_put_back(bench: Bench) -> None:
    take_in(bench, "R1", "emp-001", "emp-002")
    bench.store.write(acts.withdraw_item, by(bench), "emp-001", "emp-002")
    given = [("emp-001", ImportedAnswers("R1", False, {Slot("emotion"): 3}))]
    again = bench.store.write(imports.take_in, by(bench), bench.study, [], given, None)
    assert (again.number, again.judgments.known) == (None, 1), "the same file a second time changes nothing"
    take_in(bench, "R2", "emp-001")
    assert problems(bench.store) == []
    bench.store.write(acts.put_item_back, by(bench), "emp-001")
    assert taken(bench)["emp-001"] == 2
    said = bench.store.read(long_table.judgments_of_item, bench.study_id, "emp-001", ())
    assert [(each.annotator, each.withdrawn) for each in said] == [("R1", False), ("R2", False)]
    assert problems(bench.store) == []
