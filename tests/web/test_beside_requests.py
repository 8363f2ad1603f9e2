"""What a server does beside the requests goes on, whatever happens to it once."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing

import pytest

from assay.store.coordinator import pattern_counts
from assay.store.coordinator.record import entries
from assay.web import background_work
from tests.conftest import Bench
from tests.web.annotator import Annotator


def until(is_so: Callable[[], object]) -> None:
    """Wait for something that comes about by itself."""
    for _ in range(1000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("it does not come about")


def test_a_clock_that_is_set_while_the_server_runs_is_noted_even_if_not_at_once(
    sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background_work, "EVERY", 0.02)
    with sqlite_bench.client(), closing(sqlite3.connect(sqlite_bench.store.address, isolation_level=None)) as other:
        other.execute("alter table action rename to elsewhere")
        sqlite_bench.clock.now += 3_600_000
        until(lambda: "counting has failed" in caplog.text or "counting waits" in caplog.text)
        other.execute("alter table elsewhere rename to action")
        until(lambda: sqlite_bench.store.read(entries, sqlite_bench.study_id))
    [noted] = sqlite_bench.store.read(entries, sqlite_bench.study_id)
    assert noted.what == "clock"
    assert noted.about.endswith("forward")


def test_counting_goes_on_after_an_error_that_nobody_thought_of(
    sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background_work, "EVERY", 0.02)
    with sqlite_bench.client(), closing(sqlite3.connect(sqlite_bench.store.address, isolation_level=None)) as other:
        other.execute("alter table uncounted rename to elsewhere")
        until(lambda: "counting has failed" in caplog.text)
        other.execute("alter table elsewhere rename to uncounted")
        Annotator(sqlite_bench, "ana").begin().submit()
        until(lambda: not sqlite_bench.store.read(pattern_counts.studies_waiting))
