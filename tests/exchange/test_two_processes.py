"""An export that two processes work on: the bytes are those of one, of one moment, and nothing is left behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assay import beside
from assay import each_beside as parts
from assay.each_beside import each_beside
from assay.exchange import Export
from assay.kinds import EXPORTS
from assay.live import export_data as module
from assay.live.export_data import export_data
from assay.store import Backend
from assay.store.coordinator import long_table
from tests.conftest import T0, Bench
from tests.exchange.test_stored import judged
from tests.web.annotator import Annotator

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")

IN_PARTS = ("csv", "jsonl", "parquet", "huggingface", "xlsx")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every submission is a part, and the first alone is worked on by one process. What another is sent is noted."""
    monkeypatch.setattr(beside, "cores", lambda: 2)
    monkeypatch.setattr(parts, "FEW", 1)
    monkeypatch.setattr(long_table, "AT_ONCE", 1)
    monkeypatch.setattr(module, "secrets", SimpleNamespace(token_bytes=bytes))
    sent: list[int] = []
    send = parts._Copy.send

    def noted(copy: Any, *given: Any) -> None:
        sent.append(copy.child)
        send(copy, *given)

    monkeypatch.setattr(parts._Copy, "send", noted)
    return sent


def content(bench: Bench, kind: str, place: Path, at_work: Any, **more: Any) -> dict[str, bytes]:
    """The files that a format writes, by name."""
    format_: Export = EXPORTS[kind]()
    data = export_data(bench.store, bench.study_id, bench.study, T0, at_work=at_work, **more)
    place.mkdir()
    out = place / "out" if format_.suffix else place
    format_.write(data, out)
    return {str(each.relative_to(place)): each.read_bytes() for each in place.rglob("*") if each.is_file()}


def test_an_export_with_two_processes_has_the_same_bytes_as_with_one(
    store: Backend, tmp_path: Path, small_parts: list[int]
) -> None:
    bench = judged(store, tmp_path / "study")
    for kind in IN_PARTS:
        for name, more in (("all", {}), ("counted", {"counted": True}), ("anonymous", {"anonymised": True})):
            one = content(bench, kind, tmp_path / f"{kind}-{name}-one", map, **more)
            assert not small_parts
            assert content(bench, kind, tmp_path / f"{kind}-{name}-two", each_beside, **more) == one
            assert len(small_parts) > 1, f"another process worked on {kind}"
            small_parts.clear()


def test_somebody_who_submits_meanwhile_does_not_split_the_moment(store: Backend, tmp_path: Path) -> None:
    bench = judged(store, tmp_path / "study")
    before = content(bench, "csv", tmp_path / "before", each_beside)
    late = Annotator(bench, "quentin").begin()

    def meanwhile(work: Callable[[Any], Any], parts: Iterable[Any]) -> Iterator[Any]:
        def disturbed() -> Iterator[Any]:
            for number, part in enumerate(parts):
                yield part
                if number < 3:
                    bench.clock.now += 1000
                    late.submit()

        return each_beside(work, disturbed())

    assert content(bench, "csv", tmp_path / "meanwhile", meanwhile) == before
    assert b"quentin" not in before["out"]
    after = content(bench, "csv", tmp_path / "after", each_beside)["out"]
    assert after.startswith(before["out"]), "what came later stands at the end, of the next export alone"
    assert after.count(b"\r\n") == before["out"].count(b"\r\n") + 15


STOPPED = """
import sys, time
from pathlib import Path
from assay import beside, each_beside as parts
from assay.exchange.atomic import atomic_file
beside.cores = lambda: 2
def work(part):
    time.sleep(0.01)
    return part
with atomic_file(Path(sys.argv[1])) as path, path.open("w") as file:
    for each in parts.each_beside(work, range(10_000)):
        file.write(f"{each} ")
        if each == 30:
            print("go", flush=True)
"""


def test_an_export_that_is_stopped_leaves_neither_a_file_nor_a_process(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("the old one")
    command = [sys.executable, "-c", STOPPED, str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"go\n"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to both of them
        _, said = process.communicate()
    assert said.count(b"KeyboardInterrupt") == 1, "only one of them says so"
    assert list(tmp_path.iterdir()) == [out]
    assert out.read_text() == "the old one"
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
