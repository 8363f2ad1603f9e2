"""A part of a computation in a copy of this process, beside it: two cores are used where there are two."""

import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Generic, TypeVar

T = TypeVar("T")

FIRST_FILE = 3
"""Before it come standard input, output and errors."""

Start = Callable[[Callable[[], T]], Callable[[], T]]
"""Begins to compute something; what it returns gives the result, and waits for it."""


def here(make: Callable[[], T]) -> Callable[[], T]:
    """Nothing is begun: it is computed in this process, when it is asked for."""
    return make


class Copy(Generic[T]):
    """A copy of this process that computes something."""

    def __init__(self, make: Callable[[], T], child: int, reading: int) -> None:
        self._make, self.child, self._reading = make, child, reading
        self._is_there = True

    def __call__(self) -> T:
        """What it has found, once; where it did not come to its end, the same computed here."""
        self._is_there = False
        with os.fdopen(self._reading, "rb") as source:
            found: tuple[T, ...] = _received(source)
        _, status = os.waitpid(self.child, 0)
        return self._make() if status else found[0]

    def end(self) -> None:
        """Stop it, unless it was asked for what it has found: nobody will ask."""
        if self._is_there:
            self._is_there = False
            os.close(self._reading)
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)


def copy(make: Callable[[], T]) -> Copy[T] | None:
    """Begin to compute something in a copy of this process, which knows everything that this one knows.

    None: there is no second core, or processes cannot be copied.
    """
    if not hasattr(os, "fork") or cores() < 2:
        return None
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:  # no more processes, or no memory for one
        os.close(reading)
        os.close(writing)
        return None
    if not child:
        _send(make, writing)
    os.close(writing)
    return Copy(make, child, reading)


def beside(make: Callable[[], T]) -> Callable[[], T]:
    """The same, whatever becomes of the copy.

    Where there is no second core, where processes cannot be copied, or where the copy does not come to its end (an
    error, no memory), it is computed here when it is asked for: what comes out is the same, and so is an error.

    Example:
        >>> later = beside(lambda: sum(range(10)))
        >>> later()
        45
    """
    return copy(make) or make


def _send(make: Callable[[], T], writing: int) -> None:
    """Compute, write the result, and end at once: what this process has open belongs to the one that it copies.

    A lock on a file would be held for as long as any of its copies is open, whoever has taken it.
    """
    try:
        close_files(writing)
        with os.fdopen(writing, "wb") as target:
            pickle.dump((make(),), target, protocol=pickle.HIGHEST_PROTOCOL)
    except BaseException:
        os._exit(1)  # the other process computes it again, and says what is wrong
    os._exit(0)


def close_files(*but: int) -> None:
    """Close the copies of all files that are open, but for some."""
    with suppress(OSError):
        for number in map(int, os.listdir("/dev/fd")):
            if number >= FIRST_FILE and number not in but:
                with suppress(OSError):  # the folder that was listed
                    os.close(number)


def _received(source: IO[bytes]) -> tuple[T, ...]:
    """The result, alone in a tuple; nothing where the copy ended before it was done, and its status says so."""
    try:
        found: tuple[T, ...] = pickle.load(source)
    except (EOFError, pickle.UnpicklingError):
        return ()
    return found


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
