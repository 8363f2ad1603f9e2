"""What is computed in a copy of the process is what would be computed here, whatever becomes of the copy."""

import os
import signal
from dataclasses import replace

import pytest

from assay import beside as module
from assay.beside import beside, here
from assay.report.build import build
from tests.test_golden import whole_report

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_cores", lambda: 2)


def test_another_process_computes_it() -> None:
    later = beside(os.getpid)
    assert later() != os.getpid()
    assert here(os.getpid)() == os.getpid()


def test_with_one_core_it_is_computed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_cores", lambda: 1)
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
