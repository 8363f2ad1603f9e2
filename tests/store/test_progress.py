"""How far annotators are: gates as they are now, and people only."""

from sqlalchemy import select
from sqlalchemy.dialects import postgresql

from assay.assignment.share import Share
from assay.items.imported_judgments import ImportedAnswers
from assay.model import Slot
from assay.store.annotator import assignments, workload
from assay.store.coordinator import imported_judgments, long_table, study_status
from assay.store.engine.text_order import by_code
from assay.store.tables import annotator
from tests.conftest import Bench
from tests.inviting import invite


def test_a_gate_counts_in_the_version_that_is_in_force(bench: Bench) -> None:
    [(_, _)] = bench.store.write(invite, bench.study_id, ["ana"], 0)
    gate = bench.study.gates[0].gate
    mine = 1
    bench.store.write(assignments.pass_gate, mine, gate.kind, "an older text", 0)
    [before] = bench.store.read(study_status.progress, bench.study_id, bench.study.gate_versions)
    assert before.gates == 0
    bench.store.write(assignments.pass_gate, mine, gate.kind, gate.version, 0)
    [after] = bench.store.read(study_status.progress, bench.study_id, bench.study.gate_versions)
    assert after.gates == 1


def test_an_automated_judge_is_no_annotator_and_finishes_no_item(bench: Bench) -> None:
    name = "emp-001"
    said = [
        (name, ImportedAnswers("judge", True, {Slot("emotion"): 3})),
        (name, ImportedAnswers("ben", False, {Slot("emotion"): 4})),
    ]
    bench.store.write(imported_judgments.add, bench.study_id, bench.study, said, 0)
    assert [row.annotator for row in bench.store.read(study_status.progress, bench.study_id)] == ["ben"]
    assert bench.store.read(study_status.item_counts, bench.study_id).finished == 0
    more = [(name, ImportedAnswers("cem", False, {Slot("emotion"): 4}))]
    bench.store.write(imported_judgments.add, bench.study_id, bench.study, more, 0)
    assert bench.store.read(study_status.item_counts, bench.study_id).finished == 1
    kinds = {
        (each.annotator, each.judge, each.source) for each in bench.store.stream(long_table.judgments, bench.study_id)
    }
    assert kinds == {("judge", True, "imported"), ("ben", False, "imported"), ("cem", False, "imported")}


def test_an_automated_judge_takes_no_share_of_the_items(bench: Bench) -> None:
    said = [("emp-001", ImportedAnswers(f"judge {number}", True, {Slot("emotion"): 3})) for number in range(9)]
    bench.store.write(imported_judgments.add, bench.study_id, bench.study, said, 0)
    bench.store.write(invite, bench.study_id, ["ana", "ben"], 0)
    whole = bench.store.read(study_status.item_counts, bench.study_id).items
    plan = bench.store.read(workload.workload, bench.study_id)
    assert Share(bench.study, "ana", plan.items, plan.annotators).total == whole


def test_names_stand_in_the_same_order_on_every_database(bench: Bench) -> None:
    """PostgreSQL sorts by the language that it was set up for, unless it is told."""
    names = ["Zoe", "ana", "Émile", "ben_2", "ben-1", "Ben 3"]
    bench.store.write(invite, bench.study_id, names, 0)
    found = bench.store.read(study_status.progress, bench.study_id)
    assert [row.annotator for row in found] == sorted(names)
    statement = select(annotator.c.name).order_by(by_code(annotator.c.name))
    assert 'COLLATE "C"' in str(statement.compile(dialect=postgresql.dialect()))
