"""Every import has a number and is listed; it is taken back whole as long as nobody has judged its items."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from assay import acts
from assay.acts import imports
from assay.errors import AssayError
from assay.items.imported_judgments import ImportedAnswers
from assay.items.reader import ImportedRow
from assay.live.counting import count_new_submissions
from assay.model import Item, Slot
from assay.pictures import Picture
from assay.store import Backend, open_store
from assay.store.annotator.participation import recount_items
from assay.store.annotator.problems import report_problem
from assay.store.coordinator import import_list, items_taken_out, long_table, pattern_counts, record
from assay.store.coordinator.record import By
from assay.store.engine.backup import back_up
from assay.store.tables import assignment, picture
from assay.store.upkeep.restore import restore
from assay.store.upkeep.verify import verify
from tests.conftest import T0, Bench
from tests.store.earlier_stores import fill_earlier_store
from tests.web.annotator import Annotator, everything, rows

BY = "cora"
WHY = "the wrong file"


def row(name: str, **more: Any) -> ImportedRow:
    shown = {"user_statement": "It rained.", "response": f"Oh, {name}."}
    return ImportedRow(name, Item(name, shown, {}, systems=("m",), group=f"g-{name}"), **more)


def again(name: str, original: str) -> ImportedRow:
    """A row of a file that is another one's item once more."""
    shown = {"user_statement": "It rained.", "response": f"Oh, {original}."}
    return ImportedRow(name, None, duplicate_of=original, systems=("m",), shown=shown)


def take_in(bench: Bench, new: list[ImportedRow], *judged: tuple[str, str, int], file: str = "a.csv") -> int:
    """An import of items and of judgments: the item, who judged it, and what on the first dimension."""
    given = [(name, ImportedAnswers(who, who == "gpt", {Slot("emotion"): score})) for name, who, score in judged]
    by = By(bench.study_id, BY, T0)
    done = bench.store.write(imports.take_in, by, bench.study, new, given, None, [file])
    assert done.number is not None
    return int(done.number)


def undo(bench: Bench, number: int, reason: str = WHY) -> None:
    bench.store.write(acts.take_import_back, By(bench.study_id, BY, T0 + 5, reason), number)


def content(store: Backend) -> dict[str, Any]:
    """All that is stored but what tells of imports, and that nothing is to be counted."""
    found = everything(store)
    return {name: each for name, each in found.items() if name not in ("import", "action", "tally")}


def problems(store: Backend, against: Path | None = None) -> list[str]:
    return [problem for each in verify(store, against) for problem in each.problems]


def test_imports_are_numbered_and_listed_with_what_came_in(bench: Bench) -> None:
    assert take_in(bench, [row("new-1"), row("new-2"), again("again-1", "new-1")]) == 1
    assert take_in(bench, [], ("new-1", "R1", 3), ("new-1", "gpt", 4), file="sheet.csv") == 2
    second, first = bench.store.read(import_list.entries, bench.study_id)
    assert (first.number, first.at, first.by, first.files) == (1, T0, BY, ("a.csv",))
    assert first.content == "2 items, 1 duplicate"
    assert second.content == "2 judged items by R1, gpt"
    entries = [(each.what, each.by, each.about) for each in bench.store.read(record.entries, bench.study_id)]
    assert entries[:2] == [("import", BY, "2: 2 judged items by R1, gpt"), ("import", BY, "1: 2 items, 1 duplicate")]


def test_an_import_that_brings_nothing_has_no_number(bench: Bench) -> None:
    take_in(bench, [row("new-1")])
    done = bench.store.write(imports.take_in, By(bench.study_id, BY, T0), bench.study, [row("new-1")], [], None)
    assert done.number is None
    assert len(bench.store.read(import_list.entries, bench.study_id)) == 1


def test_an_import_that_is_taken_back_leaves_the_store_as_it_was(bench: Bench) -> None:
    before = content(bench.store)
    shown = Picture(hash="f" * 64, media_type="image/png", width=1, height=1, content=b"x")
    with_picture = ImportedRow("pic", Item("pic", {"user_statement": shown.hash, "response": ""}), pictures=(shown,))
    number = take_in(
        bench,
        [row("new-1"), row("new-2"), again("again-1", "new-1"), with_picture],
        *(("new-1", "R1", 3), ("again-1", "R1", 2), ("new-1", "R2", 4), ("new-2", "gpt", 4), ("emp-001", "gpt", 1)),
    )
    assert len(rows(bench.store, picture)) == 1
    undo(bench, number)
    assert content(bench.store) == before
    assert problems(bench.store) == []
    [entry] = bench.store.read(import_list.entries, bench.study_id)
    assert (entry.undone_at, entry.undone_by, entry.undone_reason) == (T0 + 5, BY, WHY)
    last = bench.store.read(record.entries, bench.study_id)[0]
    assert (last.what, last.reason) == ("take import back", WHY)
    assert take_in(bench, [row("new-1")]) == number + 1, "a number is never given twice"


def test_a_corrected_file_comes_in_after_the_wrong_one_was_taken_back(bench: Bench) -> None:
    undo(bench, take_in(bench, [row("new-1")], ("new-1", "R1", 3)))
    corrected = ImportedRow("new-1", Item("new-1", {"user_statement": "It snowed.", "response": "Oh."}))
    take_in(bench, [corrected], ("new-1", "R1", 5))
    said = bench.store.read(long_table.judgments_of_item, bench.study_id, "new-1", ())
    assert [(each.annotator, each.value) for each in said] == [("R1", 5)]


def test_agreement_forgets_what_was_taken_back(bench: Bench) -> None:
    take_in(bench, [], *(("emp-001", who, 3) for who in ("R1", "R2")))
    number = take_in(bench, [], *(("emp-001", who, 5) for who in ("R3", "R4")), file="b.csv")

    def totals() -> Any:
        count_new_submissions(bench.store, bench.study_id, bench.study)
        return bench.store.read(pattern_counts.totals, bench.study_id)["emotion"]

    assert totals() == {(2, 2, 4, 4): 1}
    undo(bench, number)
    assert totals() == {(2, 2): 1}


def test_what_was_judged_is_named_and_nothing_is_taken_back(bench: Bench) -> None:
    number = take_in(bench, [row(f"new-{place}") for place in range(60)])
    ana = Annotator(bench).begin()
    for _ in range(20):
        assert ana.submit().status_code == 200
    before = content(bench.store)
    with pytest.raises(AssayError, match=rf"import {number} cannot be taken back: ana has judged \d+ items \(") as no:
        undo(bench, number)
    assert "--take-out" in no.value.hint
    assert content(bench.store) == before


def test_items_that_were_given_out_and_not_judged_are_taken_back_with_what_was_reported(bench: Bench) -> None:
    number = take_in(bench, [row(f"new-{place}") for place in range(400)])
    ana = Annotator(bench).begin()
    assert "It rained." in ana.page(), "one of the many new ones lies before Ana"
    [given] = rows(bench.store, assignment)
    reported = (given["annotator_id"], given["public_id"], "r1", "The text is cut off.", T0)
    bench.store.write(report_problem, *reported)
    undo(bench, number)
    assert problems(bench.store) == []
    [lost] = [each for each in bench.store.read(record.entries, bench.study_id) if each.what.startswith("problem")]
    assert (lost.annotator, lost.about.split(": ")[1]) == ("ana", "The text is cut off.")
    assert "It rained." not in ana.page()
    assert ana.submit().status_code == 200, "work goes on with what there is"


def test_a_later_import_that_builds_on_it_is_taken_back_first(bench: Bench) -> None:
    first = take_in(bench, [row("new-1")])
    second = take_in(bench, [], ("new-1", "R1", 3), file="sheet.csv")
    third = take_in(bench, [again("again-1", "new-1")], file="more.csv")
    with pytest.raises(AssayError, match=r"import 2: R1 has judged 1 item \(new-1\); import 3: 1 item") as no:
        undo(bench, first)
    assert no.value.hint == (
        "take back what came after it first: import 3, then import 2; or take its items out of the study, and what "
        "was judged stays (--undo 1 --take-out)"
    )
    for number in (third, second, first):
        undo(bench, number)
    assert problems(bench.store) == []


def test_what_people_agreed_on_is_not_taken_back(bench: Bench) -> None:
    number = take_in(bench, [], ("emp-001", "R1", 1), ("emp-001", "R2", 5))
    by = By(bench.study_id, "dora", T0, "talked over")
    bench.store.write(acts.agree, by, "emp-001", Slot("emotion"), 3)
    with pytest.raises(AssayError, match=r"dora has adjudicated 1 item \(emp-001\)"):
        undo(bench, number)


def test_the_items_of_an_import_can_be_taken_out_and_their_judgments_stay(bench: Bench) -> None:
    number = take_in(bench, [row("new-1"), row("new-2")], ("new-1", "R1", 3))
    by = By(bench.study_id, BY, T0, WHY)
    assert bench.store.write(acts.take_import_out, by, number) == 2
    assert bench.store.read(items_taken_out.withdrawn_items, bench.study_id) == ["new-1", "new-2"]
    said = bench.store.read(long_table.judgments_of_item, bench.study_id, "new-1", ())
    assert [(each.value, each.withdrawn) for each in said] == [(3, True)]
    assert problems(bench.store) == []


def test_items_that_were_taken_out_do_not_come_back_with_their_file_and_it_is_said(bench: Bench) -> None:
    new = [row("new-1"), row("new-2"), row("new-3")]
    take_in(bench, new)
    by = By(bench.study_id, BY, T0, WHY)
    bench.store.write(acts.withdraw_item, by, "new-1", "new-3")
    done = bench.store.write(imports.take_in, by, bench.study, new, [], None)
    assert (done.items.known, done.items.taken_out) == (3, ("new-1", "new-3"))


@pytest.mark.parametrize(
    ("number", "reason", "words"),
    [(7, WHY, "there is no import 7"), (1, " ", "a reason is needed"), (2, WHY, "was taken back already")],
)
def test_what_cannot_be_taken_back_is_said(sqlite_bench: Bench, number: int, reason: str, words: str) -> None:
    take_in(sqlite_bench, [row("new-1")])
    undo(sqlite_bench, take_in(sqlite_bench, [row("new-2")]))
    with pytest.raises(AssayError, match=words):
        undo(sqlite_bench, number, reason)


def test_a_backup_from_before_finds_no_damage_in_what_was_taken_back(bench: Bench, tmp_path: Path) -> None:
    kept = take_in(bench, [row("kept")], ("kept", "R1", 3))
    number = take_in(bench, [row("new-1"), again("again-1", "new-1")], ("new-1", "R2", 3), ("emp-001", "gpt", 1))
    back_up(bench.store, tmp_path / "b.backup", T0)
    undo(bench, number)
    take_in(bench, [row("other")], ("other", "R3", 3))
    assert problems(bench.store, tmp_path / "b.backup") == []
    bench.store.write(lambda c: c.execute(text("update item set shown = '{}', words = 0 where name = 'kept'")))
    bench.store.write(recount_items, bench.study_id)
    assert len(problems(bench.store, tmp_path / "b.backup")) == 1
    assert kept == 1


def test_a_backup_carries_the_list_of_imports(bench: Bench, tmp_path: Path) -> None:
    undo(bench, take_in(bench, [row("new-1")], ("new-1", "R1", 3)))
    take_in(bench, [row("new-1")], ("new-1", "R1", 4))
    back_up(bench.store, tmp_path / "b.backup", T0)
    restore(tmp_path / "b.backup", str(tmp_path / "other.db"), T0)
    other = open_store(tmp_path / "other.db")
    assert other.read(import_list.entries, bench.study_id) == bench.store.read(import_list.entries, bench.study_id)
    other.write(acts.take_import_back, By(bench.study_id, BY, T0, WHY), 2)
    assert problems(other) == []
    other.close()


BEFORE = """
insert into study (id, name, version, created_at, item_count) values (1, 's', 'v', 1, 1);
insert into item (id, study_id, name, shown, words, lot) values (1, 1, 'i', '{}', 1, 1);
insert into duplicate (study_id, name, item_id) values (1, 'again', 1);
insert into annotator (id, study_id, name, created_at) values (1, 1, 'ana', 1);
insert into assignment (id, study_id, annotator_id, item_id, position, public_id, submission_id, state, created_at)
values (1, 1, 1, 1, 1, 'p1', 's1', 'submitted', 1);
insert into submission (id, study_id, assignment_id, annotator_id, item_id, pass, revision, study_hash, consent,
  fingerprint, shown_at, submitted_at, source) values ('s1', 1, 1, 1, 1, 1, 1, 'v', '', 'f', 1, 1, 'imported')
"""


def test_what_came_in_before_imports_had_numbers_is_kept_and_has_none(database: str) -> None:
    fill_earlier_store(database, "0010", BEFORE)
    after = open_store(database)
    assert after.read(import_list.entries, 1) == []
    assert after.read(import_list.items_without_number, 1) == 1
    for table in ("item", "duplicate", "submission"):
        assert after.read(lambda c, t=table: c.execute(text(f"select import_number from {t}")).all()) == [(None,)]
    assert after.read(import_list.next_number, 1) == 1
    after.close()
