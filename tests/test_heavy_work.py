"""What another process computes is what would have been computed here."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.live import child, heavy_work
from assay.simulate import Character, simulate
from assay.store.upkeep.verify import verify
from assay.web.run_apart import run_apart as in_another_process
from tests.conftest import T0, Bench
from tests.loops import run_apart
from tests.selection import on_sqlite_first


def computed(bench: Bench, work: str, **values: str) -> str:
    return run_apart(heavy_work.compute(bench.store, work, bench.study_id, bench.study, T0, **values))


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    return lambda: monkeypatch.setattr(child, "MOST_HERE", -1)


def test_another_process_reports_and_exports_the_same(
    bench: Bench, elsewhere: Callable[[], None], tmp_path: Path
) -> None:
    works = {
        "report": {},
        "export": {"kind": "csv", "folder": ""},
        "dictionary": {"kind": "csv", "path": ""},
    }
    found: dict[str, list[str]] = {work: [] for work in works}
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        for work, values in works.items():
            at = {"folder": str(folder)} if "folder" in values else {"path": str(folder / "columns.csv")}
            said = computed(bench, work, **({**values, **at} if values else {}))
            found[work].append(said if work == "report" else Path(said).read_bytes().hex())
        elsewhere()
    for work, (here, there) in found.items():
        assert here == there != "", work


@on_sqlite_first("bench")
def test_another_process_takes_a_backup_that_holds_everything(
    bench: Bench, elsewhere: Callable[[], None], tmp_path: Path
) -> None:
    elsewhere()
    made = Path(computed(bench, "backup", path=str(tmp_path / "a.backup")))
    assert [problem for each in verify(bench.store, made) for problem in each.problems] == []


@on_sqlite_first("bench")
def test_what_cannot_be_done_is_said_as_it_is_here(bench: Bench, elsewhere: Callable[[], None]) -> None:
    bench.store.write(lambda connection: connection.exec_driver_sql("update item set series = 'withdrawn'"))
    said = []
    for _ in range(2):
        with pytest.raises(AssayError) as refused:
            computed(bench, "report")
        said.append(str(refused.value))
        elsewhere()
    assert said[0] == said[1]


def test_whoever_takes_more_memory_than_there_is_ends_and_is_told(
    sqlite_bench: Bench, elsewhere: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere()
    simulate(sqlite_bench.store, sqlite_bench.study.study, [Character("ana"), Character("ben")], seed=1, start=T0)
    monkeypatch.setenv("ASSAY_HEAVY_MB", "200")
    with pytest.raises(AssayError, match="more memory than there is"):
        computed(sqlite_bench, "report")
    with pytest.raises(AssayError, match="more memory than there is"):
        run_apart(in_another_process(sqlite_bench.store, "assay.live.figures", sqlite_bench.study.study))


def test_another_process_that_fails_does_not_go_unnoticed(sqlite_bench: Bench) -> None:
    with pytest.raises(AssayError, match="could not be computed"):
        run_apart(in_another_process(sqlite_bench.store, "assay.live.figures", "no such study"))
