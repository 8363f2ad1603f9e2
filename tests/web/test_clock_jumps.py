"""A clock that is set is noticed, and the record of each study says so."""

from assay.acts.clock import record_clock_jump
from assay.store.coordinator.record import entries
from assay.web.clock_jumps import ClockWatch
from tests.conftest import T0, Bench, Clock

HOUR = 60 * 60 * 1000


def test_a_clock_that_is_set_is_noticed_once_and_one_that_goes_on_is_not() -> None:
    shown, steady = Clock(), Clock()
    watch = ClockWatch(shown, steady)
    shown.now += 90_000
    steady.now += 90_001
    assert watch.jump() == 0
    shown.now -= HOUR
    assert watch.jump() == -HOUR
    assert watch.jump() == 0
    shown.now += 24 * HOUR
    steady.now += 3_000
    assert watch.jump() == 24 * HOUR - 3_000


def test_the_record_of_a_study_says_that_the_clock_was_set(bench: Bench) -> None:
    bench.store.write(record_clock_jump, -HOUR, T0)
    [entry] = bench.store.read(entries, bench.study_id)
    assert (entry.by, entry.what, entry.about) == ("the server", "clock", "the clock was set 3,600 seconds back")
