"""Judgments from a file are replaced by a corrected file, for a reason: the old ones are kept, and count no more."""

import csv
from pathlib import Path
from typing import Any

import pytest

from assay.acts import imports
from assay.errors import AssayError, ItemMistakes
from assay.items.imported_judgments import ImportedAnswers
from assay.live.counting import count_new_submissions
from assay.model import Slot
from assay.store.coordinator import import_list, long_table, pattern_counts, record
from assay.store.coordinator.record import By
from assay.store.tables import item, submission
from assay.study.templates import copy_template
from tests.conftest import T0, Bench
from tests.servers import command
from tests.store.test_undo_import import problems, undo
from tests.web.annotator import Annotator, rows

WHY = "two columns were exchanged"


def take_in(bench: Bench, *judged: tuple[str, str, int], replace: bool = False, reason: str = WHY) -> Any:
    """An import of judgments: the item, who judged it, and what on the first dimension."""
    given = [(name, ImportedAnswers(who, who == "gpt", {Slot("emotion"): score})) for name, who, score in judged]
    by = By(bench.study_id, "cora", T0, reason)
    return bench.store.write(imports.take_in, by, bench.study, [], given, None, ["s.csv"], replace=replace)


def said(bench: Bench, name: str = "emp-001") -> list[tuple[str, Any, int, bool]]:
    found = bench.store.read(long_table.judgments_of_item, bench.study_id, name, ())
    return sorted((each.annotator, each.value, each.revision, each.superseded) for each in found)


def totals(bench: Bench) -> Any:
    count_new_submissions(bench.store, bench.study_id, bench.study)
    return bench.store.read(pattern_counts.totals, bench.study_id)["emotion"]


def test_a_corrected_import_supersedes_the_earlier_one_and_says_so(bench: Bench) -> None:
    take_in(bench, ("emp-001", "R1", 3), ("emp-001", "R2", 3), ("emp-001", "gpt", 1))
    assert totals(bench) == {(2, 2): 1}
    done = take_in(bench, ("emp-001", "R1", 5), ("emp-001", "R2", 3), ("emp-001", "gpt", 2), replace=True)
    assert (done.judgments.submissions, done.judgments.replaced, done.judgments.known) == (2, 2, 1)
    assert said(bench) == [
        *(("R1", 3, 1, True), ("R1", 5, 2, False), ("R2", 3, 1, False)),
        *(("gpt", 1, 1, True), ("gpt", 2, 2, False)),
    ]
    assert totals(bench) == {(2, 4): 1}
    assert problems(bench.store) == []
    newest = bench.store.read(import_list.entries, bench.study_id)[0]
    assert newest.content == "2 judged items by R1, R2, gpt, 2 of them in the place of earlier ones"
    entries = bench.store.read(record.entries, bench.study_id)
    entry = next(each for each in entries if each.what == "import")
    assert (entry.about, entry.reason) == (f"2: {newest.content}", WHY)


def test_the_corrected_file_a_second_time_changes_nothing(bench: Bench) -> None:
    take_in(bench, ("emp-001", "R1", 3))
    take_in(bench, ("emp-001", "R1", 5), replace=True)
    assert take_in(bench, ("emp-001", "R1", 5)).number is None
    assert take_in(bench, ("emp-001", "R1", 5), replace=True).number is None


def test_without_replace_other_answers_are_refused_with_what_to_do(bench: Bench) -> None:
    take_in(bench, ("emp-001", "R1", 3))
    with pytest.raises(ItemMistakes, match="R1 has judged it before, with other answers") as no:
        take_in(bench, ("emp-001", "R1", 5))
    assert "--replace with --reason" in no.value.mistakes[0].hint
    with pytest.raises(AssayError, match="a reason is needed to replace judgments"):
        take_in(bench, ("emp-001", "R1", 5), replace=True, reason="")


def test_what_was_judged_on_the_page_is_never_replaced(bench: Bench) -> None:
    assert Annotator(bench, "ana").begin().submit().status_code == 200
    [sent] = rows(bench.store, submission)
    [name] = [each["name"] for each in rows(bench.store, item) if each["id"] == sent["item_id"]]
    with pytest.raises(ItemMistakes, match="with other answers") as no:
        take_in(bench, (name, "ana", 1), replace=True)
    assert "on the page or on a sheet is never replaced" in no.value.mistakes[0].hint
    assert len(rows(bench.store, submission)) == 1


def test_two_rows_of_one_file_that_contradict_each_other_are_refused(bench: Bench) -> None:
    with pytest.raises(ItemMistakes, match="with other answers") as no:
        take_in(bench, ("emp-001", "R1", 3), ("emp-001", "R1", 5), replace=True)
    assert "it stands twice" in no.value.mistakes[0].hint


def test_a_correction_that_is_taken_back_lets_the_earlier_judgments_count_again(bench: Bench) -> None:
    take_in(bench, ("emp-001", "R1", 3), ("emp-001", "R2", 3))
    take_in(bench, ("emp-001", "R1", 5), replace=True)
    with pytest.raises(AssayError, match=r"import 2: R1 has judged 1 item \(emp-001\)"):
        undo(bench, 1)
    undo(bench, 2)
    taken_back = bench.store.read(import_list.entries, bench.study_id)[0]
    assert taken_back.content == "1 judged item by R1, 1 of them in the place of earlier ones", (
        "the list stays as it was"
    )
    assert said(bench) == [("R1", 3, 1, False), ("R2", 3, 1, False)]
    assert totals(bench) == {(2, 2): 1}
    assert problems(bench.store) == []
    undo(bench, 1)
    assert rows(bench.store, submission) == []


def test_a_corrected_sheet_comes_in_by_command(tmp_path: Path) -> None:
    copy_template("route-planning", tmp_path)
    sheet = tmp_path / "existing.csv"
    assert command("import", str(tmp_path)).returncode == 0
    first = command("import", str(tmp_path), "--sheet", str(sheet))
    assert first.returncode == 0, first.stderr
    with sheet.open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    found[0]["coherence"] = "1" if found[0]["coherence"] != "1" else "2"
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(found[0]))
        writer.writeheader()
        writer.writerows(found)
    refused = command("import", str(tmp_path), "--sheet", str(sheet))
    assert refused.returncode == 2
    assert "--replace with --reason" in refused.stderr
    done = command("import", str(tmp_path), "--sheet", str(sheet), "--replace", "--reason", WHY)
    assert "1 judged item taken in, 1 of them in the place of earlier ones" in done.stdout, done.stderr
    assert "in the place of earlier ones from existing.csv" in command("import", str(tmp_path), "--list").stdout
    assert command("verify", str(tmp_path)).returncode == 0
