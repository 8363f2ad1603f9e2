"""What is said of a long file is found out by another process, and is the same; none is left behind."""

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from assay import beside
from assay.errors import ItemMistakes
from assay.items import import_plan
from assay.items.import_plan import ImportFiles, ImportPlan
from assay.items.import_summary import ImportSummary
from assay.items.judgment_fields import ONLY_JUDGES
from tests.items.files import a_study, written

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")
LINES = [
    "id,text,system",
    *(f"i{number},linnet says {number % 9},{('linnet', 'wren')[number % 2]}" for number in range(40)),
]


@contextmanager
def silently(what: str, total: int | None) -> Iterator[Any]:
    yield lambda _: None


def say_where(summary: ImportSummary) -> None:
    """Notes in which process a summary is made."""
    summary.samples.append(f"process {os.getpid()}")


def plan_of(folder: Path, lines: list[str] = LINES, name: str = "items.csv") -> ImportPlan:
    path = written(folder, name, "\n".join(lines) + "\n")
    return ImportPlan(a_study(system="system"), ImportFiles(path, None, [], None, ONLY_JUDGES), silently, say_where)


def where_made(plan: ImportPlan) -> int:
    return next(
        int(each.removeprefix("process ")) for each in plan.what_it_says.warnings if each.startswith("process ")
    )


def without_place(plan: ImportPlan) -> tuple[Any, ...]:
    """All that is said, but for the process that said it."""
    warnings = [each for each in plan.what_it_says.warnings if not each.startswith("process ")]
    return [*plan.lines()], warnings, {**plan.as_json(), "warnings": warnings}, [each.name for each in plan.rows()]


MADE: list[int] = []
"""The copies of this process that a test has made."""


def need_no_process() -> None:
    assert MADE
    for child in MADE:
        with pytest.raises(ChildProcessError):
            os.waitpid(child, os.WNOHANG)


@pytest.fixture(autouse=True)
def noted_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    MADE.clear()
    fork = os.fork

    def noted() -> int:
        child = fork()
        MADE.append(child)
        return child

    monkeypatch.setattr(os, "fork", noted)


@pytest.fixture(autouse=True)
def long_files_and_two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_plan, "LONG_BYTES", 500)
    monkeypatch.setattr(beside, "cores", lambda: 2)


def made_here(monkeypatch: pytest.MonkeyPatch, folder: Path) -> ImportPlan:
    with monkeypatch.context() as patch:
        patch.setattr(beside, "cores", lambda: 1)
        plan = plan_of(folder)
    assert plan.is_said
    assert where_made(plan) == os.getpid()
    return plan


def test_of_a_long_file_another_process_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = made_here(monkeypatch, tmp_path)
    plan = plan_of(tmp_path)
    assert not plan.is_said
    assert where_made(plan) != os.getpid()
    assert without_place(plan) == without_place(here)
    assert any("'linnet' stands in" in each for each in plan.what_it_says.warnings)
    plan.end()
    need_no_process()


def test_a_short_file_is_summarised_while_it_is_read(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, LINES[:5])
    assert plan.is_said
    assert where_made(plan) == os.getpid()


def test_where_no_process_can_be_made_the_summary_is_made_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", fork)
    plan = plan_of(tmp_path)
    assert plan.is_said
    assert where_made(plan) == os.getpid()


def test_where_the_other_process_is_killed_the_file_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, this = made_here(monkeypatch, tmp_path), os.getpid()
    add = ImportSummary.add

    def killed(summary: ImportSummary, row: Any) -> Any:
        if os.getpid() != this:
            os.kill(os.getpid(), signal.SIGKILL)
        return add(summary, row)

    monkeypatch.setattr(ImportSummary, "add", killed)
    plan = plan_of(tmp_path)
    assert where_made(plan) == this
    assert without_place(plan) == without_place(here)
    need_no_process()


def test_a_mistake_in_a_long_file_is_said_and_no_process_is_left(tmp_path: Path) -> None:
    with pytest.raises(ItemMistakes, match="already in row 2"):
        plan_of(tmp_path, [*LINES, LINES[1]])
    need_no_process()


def test_a_plan_that_nobody_asks_any_more_leaves_no_process(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    plan.end()
    need_no_process()


def test_a_file_that_is_not_read_row_by_row_is_read_once(tmp_path: Path) -> None:
    rows = ",".join(f'{{"id": "{number}", "text": "a text", "system": "wren"}}' for number in range(40))
    plan = plan_of(tmp_path, [f"[{rows}]"], "items.json")
    assert plan.is_said
    assert plan.rows_read == 40


def test_an_item_that_was_stored_is_held_no_longer(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    rows = plan.rows()
    first, _ = next(rows), next(rows)
    holders = [each for each in gc.get_referrers(first) if isinstance(each, list)]
    assert holders == []
    rows.close()
    plan.end()


def test_whoever_did_not_come_to_the_end_of_the_items_gets_all_of_them_again(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    rows = plan.rows()
    for _ in range(3):
        next(rows)
    rows.close()
    assert [each.name for each in plan.rows()] == [f"i{number}" for number in range(40)]
    plan.end()
