"""Short writes of an event loop: done there, one after the other, and committed together by a thread.

To hand each write to a thread would cost more than the write: whenever that thread comes back from the database it
waits until the loop lets it go on. So only the commit, which waits for the disk, is handed over; what comes meanwhile
is the next group.
"""

from asyncio import AbstractEventLoop, Future
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import Connection

MOST_AT_ONCE = 32
"""A loop does nothing else meanwhile: a few milliseconds."""

Job = tuple[Any, Callable[[Connection], Any]]
"""A write, and the future of its result."""
Done = list[tuple[Any, Any]]
"""Futures with their results, to be told after the commit."""


class NotNow(Exception):
    """Raised where another process is writing: a thread can wait for it, an event loop cannot."""


def answer(done: Done, group: list[Job], failure: BaseException | None) -> None:
    """Set the results of a group's futures, or the failure of all."""
    if failure is None:
        for future, result in done:
            if not future.done():
                future.set_result(result)
        return
    for future, _ in group:
        if not future.done():
            future.set_exception(failure)


class LoopWrites:
    """The writes of one event loop."""

    def __init__(
        self,
        loop: AbstractEventLoop,
        begin: Callable[[], bool],
        do: Callable[[list[Job]], tuple[Done, BaseException | None]],
        end: Callable[[BaseException | None], BaseException | None],
    ) -> None:
        self._loop, self._begin, self._do, self._end = loop, begin, do, end
        self._waiting: list[Job] = []
        self._busy = False
        self._committer = ThreadPoolExecutor(1, "assay-commit")

    def add(self, act: Callable[[Connection], Any]) -> Future[Any]:
        """Run a write soon. The future gets its result after the commit, or `NotNow`."""
        future: Future[Any] = self._loop.create_future()
        self._waiting.append((future, act))
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._next_group)
        return future

    def _next_group(self) -> None:
        group, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        group = [job for job in group if not job[0].done()]
        try:
            begun = bool(group) and self._begin()
        except BaseException as error:
            answer([], group, error)
            group, begun = [], False
        if begun:
            done, failure = self._do(group)
            ended = self._loop.run_in_executor(self._committer, self._end, failure)
            ended.add_done_callback(lambda end: self._end_group(done, group, end.exception() or end.result()))
        else:
            self._end_group([], group, NotNow())

    def _end_group(self, done: Done, group: list[Job], failure: BaseException | None) -> None:
        answer(done, group, failure)
        self._busy = bool(self._waiting)
        if self._busy:
            self._loop.call_soon(self._next_group)

    def close(self) -> None:
        """Finish the commit that is under way."""
        self._committer.shutdown()
