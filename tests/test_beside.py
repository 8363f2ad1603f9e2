"""What is computed in a copy of the process is what would be computed here, whatever becomes of the copy."""

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from assay import beside as module
from assay.beside import beside, copy, here
from assay.report.build import build
from assay.store.engine.lock import WriteLock
from tests.test_golden import whole_report

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "cores", lambda: 2)


def test_another_process_computes_it() -> None:
    later = beside(os.getpid)
    assert later() != os.getpid()
    assert here(os.getpid)() == os.getpid()


def test_with_one_core_it_is_computed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "cores", lambda: 1)
    assert beside(os.getpid)() == os.getpid()


def test_what_is_larger_than_a_pipe_arrives_whole() -> None:
    assert beside(lambda: "x" * 3_000_000)() == "x" * 3_000_000


def test_where_the_other_process_is_killed_it_is_computed_here() -> None:
    this = os.getpid()

    def make() -> int:
        if os.getpid() != this:
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    assert beside(make)() == this


def test_what_cannot_be_sent_is_computed_here() -> None:
    found = beside(lambda: lambda: 1)()
    assert found() == 1


def test_an_error_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        beside(lambda: 1 // 0)()


def test_no_process_is_left_behind() -> None:
    child = beside(os.getpid)()
    with pytest.raises(ChildProcessError):
        os.waitpid(child, os.WNOHANG)


def test_where_no_process_can_be_made_it_is_computed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", fork)
    before = len(os.listdir("/dev/fd"))
    assert copy(os.getpid) is None
    assert beside(os.getpid)() == os.getpid()
    assert len(os.listdir("/dev/fd")) == before


def test_a_copy_that_nobody_asks_any_more_is_ended() -> None:
    begun = copy(lambda: time.sleep(600))
    assert begun is not None
    begun.end()
    with pytest.raises(ChildProcessError):
        os.waitpid(begun.child, os.WNOHANG)
    begun.end()


def test_a_copy_that_has_answered_needs_no_end() -> None:
    begun = copy(os.getpid)
    assert begun is not None
    assert begun() != os.getpid()
    begun.end()


def test_a_copy_holds_no_lock_of_the_process_that_it_copies(tmp_path: Path) -> None:
    mine, other = WriteLock(tmp_path / "lock"), WriteLock(tmp_path / "lock")
    mine.take()
    go_on = tmp_path / "go on"

    def make() -> str:
        while not go_on.exists():
            time.sleep(0.01)
        return "done"

    later = beside(make)
    mine.close()
    until = time.monotonic() + 30
    while not other.take_at_once() and time.monotonic() < until:
        time.sleep(0.01)
    taken = other.take_at_once()
    go_on.touch()
    assert later() == "done"
    other.close()
    assert taken


def test_a_report_of_two_processes_is_the_report_of_one() -> None:
    made = whole_report("route-planning")
    begun = []

    def start(make):
        begun.append(make)
        return beside(make)

    together = build(replace(made.data), start)
    assert (together.json(), together.html()) == (made.json(), made.html())
    assert together.summary() == made.summary()
    assert len(begun) == 2
    for make in begun:
        assert beside(lambda make=make: (os.getpid(), make()))()[0] != os.getpid(), "what is sent can be sent"
