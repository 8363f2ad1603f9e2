"""What two processes make of the parts of something is what one makes of them, whatever becomes of the other."""

import os
import signal

import pytest

from assay import beside as module
from assay.each_beside import FEW, each_beside

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be copied here")


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "cores", lambda: 2)


def who(part: object) -> tuple[object, int]:
    return part, os.getpid()


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_two_processes_work_on_parts_and_the_results_come_in_order() -> None:
    found = list(each_beside(who, range(500)))
    assert [part for part, _ in found] == list(range(500))
    others = {process for _, process in found} - {os.getpid()}
    assert len(others) == 1, "and this one worked on some"
    assert not is_there(others.pop()), "no process is left behind"


def test_for_few_parts_no_other_process_is_begun() -> None:
    assert {process for _, process in each_beside(who, range(FEW - 1))} == {os.getpid()}
    assert list(each_beside(who, [])) == []


def test_parts_are_worked_on_here_where_there_is_one_core_or_no_process_can_be_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> int:
        raise BlockingIOError("no more processes")

    with monkeypatch.context() as one_core:
        one_core.setattr(module, "cores", lambda: 1)
        assert list(each_beside(who, range(50))) == [who(part) for part in range(50)]
    there = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    monkeypatch.setattr(os, "fork", refuse)
    assert list(each_beside(who, range(50))) == [who(part) for part in range(50)]
    assert not there or len(os.listdir("/proc/self/fd")) == len(there), "nothing stays open"


def test_parts_and_results_that_are_larger_than_a_pipe_arrive_whole() -> None:
    parts = [f"{number}" * 3_000_000 for number in range(10, 40)]
    assert list(each_beside(lambda part: part[::-1], parts)) == [part[::-1] for part in parts]


def test_what_a_killed_copy_had_not_answered_is_done_here() -> None:
    this = os.getpid()

    def work(part: int) -> tuple[int, bool]:
        if os.getpid() != this and part >= 20:
            os.kill(os.getpid(), signal.SIGKILL)
        return part, os.getpid() == this

    found = list(each_beside(work, range(500)))
    assert [part for part, _ in found] == list(range(500))
    assert not all(is_here for _, is_here in found)
    assert found[-1] == (499, True)


def test_parts_and_results_that_cannot_be_sent_are_worked_on_here() -> None:
    assert [type(each) for each in each_beside(lambda _: object(), range(50))] == [object] * 50
    parts = [object() for _ in range(50)]
    assert list(each_beside(who, parts)) == [(part, os.getpid()) for part in parts]


def test_an_error_in_a_part_is_raised_here_after_the_results_before_it() -> None:
    results = each_beside(lambda part: 1 / (part - 100), range(500))
    assert len([next(results) for _ in range(100)]) == 100
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_whoever_wants_no_more_results_ends_the_copy() -> None:
    results = each_beside(who, range(1000))
    [copy] = {next(results)[1] for _ in range(FEW + 20)} - {os.getpid()}
    assert is_there(copy)
    results.close()
    assert not is_there(copy)


def test_the_copy_leaves_it_to_this_process_to_be_stopped() -> None:
    this = os.getpid()

    def work(part: int) -> bool:
        if os.getpid() != this:
            os.kill(os.getpid(), signal.SIGINT)
        return os.getpid() == this

    found = list(each_beside(work, range(200)))
    assert found.count(False) > 1, "it works on"
