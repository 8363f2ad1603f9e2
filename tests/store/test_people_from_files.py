"""Whoever is known only because a file holds what they judged is counted as that, and not among those who take part."""

from sqlalchemy import text

from assay import acts
from assay.acts import imports
from assay.items.imported_judgments import ImportedAnswers
from assay.model import Slot
from assay.store import Backend, open_store
from assay.store.annotator.workload import workload
from assay.store.coordinator.record import By
from assay.store.upkeep.verify import verify
from tests.conftest import T0, Bench
from tests.store.earlier_stores import fill_earlier_store

ANSWERS = {Slot("emotion"): 3}


def take_in(bench: Bench, *judged: tuple[str, str]) -> None:
    """Judgments from a file: the item, and who judged it."""
    given = [(item, ImportedAnswers(who, False, ANSWERS)) for item, who in judged]
    bench.store.write(imports.take_in, By(bench.study_id, "cora", T0), bench.study, [], given, None)


def problems(store: Backend) -> list[str]:
    return [problem for each in verify(store) for problem in each.problems]


def taking_part(bench: Bench) -> int:
    return bench.store.read(workload, bench.study_id).annotators


def test_a_store_with_judgments_from_a_file_is_whole(bench: Bench) -> None:
    take_in(bench, ("emp-001", "R1"), ("emp-001", "R2"))
    assert problems(bench.store) == []


def test_the_work_is_not_shared_with_people_who_only_came_from_files(bench: Bench) -> None:
    take_in(bench, ("emp-001", "R1"), ("emp-001", "R2"))
    bench.store.write(acts.invite, By(bench.study_id, "cora", T0), ["ana"])
    assert taking_part(bench) == 1
    assert problems(bench.store) == []


def test_somebody_from_a_file_who_is_invited_takes_part(bench: Bench) -> None:
    take_in(bench, ("emp-001", "R1"), ("emp-001", "R2"))
    bench.store.write(acts.invite, By(bench.study_id, "cora", T0), ["R1"])
    assert taking_part(bench) == 1
    take_in(bench, ("emp-002", "R1"))
    assert taking_part(bench) == 1
    assert problems(bench.store) == []


def test_somebody_from_a_file_who_gets_a_sheet_takes_part(bench: Bench) -> None:
    take_in(bench, ("emp-001", "R1"))
    bench.store.write(acts.give_sheets, By(bench.study_id, "cora", T0), bench.study, ["R1"], "read on paper")
    assert taking_part(bench) == 1
    assert problems(bench.store) == []


BEFORE = """
insert into study (id, name, version, created_at, annotator_count) values (1, 's', 'v', 1, 0);
insert into item (id, study_id, name, shown, words, lot) values (1, 1, 'i', '{}', 1, 1);
insert into annotator (id, study_id, name, created_at, judge) values
  (1, 1, 'file', 1, false), (2, 1, 'invited', 1, false), (3, 1, 'both', 1, false), (4, 1, 'sheet', 1, false),
  (5, 1, 'judge', 1, true);
insert into link (token_hash, study_id, annotator_id, created_at, expires_at) values
  ('x', 1, 2, 1, 9), ('y', 1, 3, 1, 9);
insert into assignment (id, study_id, annotator_id, item_id, position, public_id, submission_id, state, created_at)
values
  (1, 1, 1, 1, 1, 'p1', 's1', 'submitted', 1), (3, 1, 3, 1, 1, 'p3', 's3', 'submitted', 1),
  (4, 1, 4, 1, 1, 'p4', 's4', 'open', 1), (5, 1, 5, 1, 1, 'p5', 's5', 'submitted', 1);
insert into submission (id, study_id, assignment_id, annotator_id, item_id, pass, revision, study_hash, consent,
  fingerprint, shown_at, submitted_at, source) values
  ('s1', 1, 1, 1, 1, 1, 1, 'v', '', 'f', 1, 1, 'imported'), ('s3', 1, 3, 3, 1, 1, 1, 'v', '', 'f', 1, 1, 'imported'),
  ('s5', 1, 5, 5, 1, 1, 1, 'v', '', 'f', 1, 1, 'imported')
"""


def test_a_store_of_an_earlier_program_learns_who_only_came_from_files(database: str) -> None:
    fill_earlier_store(database, "0009", BEFORE)
    after = open_store(database)
    known = after.read(lambda c: c.execute(text("select name from annotator where from_file")).scalars().all())
    assert known == ["file"]
    assert after.read(lambda c: c.execute(text("select annotator_count from study")).scalar()) == 3
    after.close()
