"""What another process computes is what would have been computed here."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.live import apart
from tests.conftest import T0, Bench
from tests.loops import run_apart


def computed(bench: Bench, work: str, **values: str) -> str:
    return run_apart(apart.compute(bench.store, work, bench.study_id, bench.study, T0, **values))


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    return lambda: monkeypatch.setattr(apart, "MOST_HERE", -1)


def test_another_process_reports_and_exports_the_same(
    bench: Bench, elsewhere: Callable[[], None], tmp_path: Path
) -> None:
    works = {"report": {}, "export": {"kind": "csv", "folder": ""}, "dictionary": {"kind": "csv", "path": ""}}
    found: dict[str, list[str]] = {work: [] for work in works}
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        for work, values in works.items():
            at = {"folder": str(folder)} if "folder" in values else {"path": str(folder / "columns.csv")}
            said = computed(bench, work, **({**values, **at} if values else {}))
            found[work].append(said if work == "report" else Path(said).read_text("utf-8"))
        elsewhere()
    for work, (here, there) in found.items():
        assert here == there != "", work


def test_what_cannot_be_done_is_said_as_it_is_here(bench: Bench, elsewhere: Callable[[], None]) -> None:
    bench.store.write(lambda connection: connection.exec_driver_sql("update item set series = 'withdrawn'"))
    said = []
    for _ in range(2):
        with pytest.raises(AssayError) as refused:
            computed(bench, "report")
        said.append(str(refused.value))
        elsewhere()
    assert said[0] == said[1]
