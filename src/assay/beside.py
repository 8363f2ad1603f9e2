"""A part of a computation in a fork of this process, beside it: two cores are used where there are two."""

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
    """Start no fork: compute in this process, when the result is asked for."""
    return make


class Copy(Generic[T]):
    """A fork of this process that computes something."""

    def __init__(self, make: Callable[[], T], child: int, reading: int) -> None:
        self._make, self.child, self._reading = make, child, reading
        self._is_there = True

    def __call__(self) -> T:
        """Its result, which can be taken once; computed in this process where the fork failed."""
        self._is_there = False
        with os.fdopen(self._reading, "rb") as source:
            found: tuple[T, ...] = _receive_result(source)
        _, status = os.waitpid(self.child, 0)
        return self._make() if status else found[0]

    def end(self) -> None:
        """Kill the fork, unless its result was taken already."""
        if self._is_there:
            self._is_there = False
            os.close(self._reading)
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)


def copy(make: Callable[[], T]) -> Copy[T] | None:
    """Start to compute something in a fork of this process, which has everything in memory that this one has.

    None: there is no second core, or this system cannot fork.
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
    """Start to compute something in a fork, and return a function for the result, which cannot fail for lack of a fork.

    Where there is no second core, where this system cannot fork, or where the fork fails (an error, no memory), it is
    computed in this process when it is asked for: the result is the same, and so is an error.

    Example:
        >>> later = beside(lambda: sum(range(10)))
        >>> later()
        45
    """
    return copy(make) or make


def _send(make: Callable[[], T], writing: int) -> None:
    """In the fork: compute, write the result, and exit at once, since what is open belongs to the parent process.

    A lock on a file is held for as long as any copy of its descriptor is open, whoever has taken it.
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


def _receive_result(source: IO[bytes]) -> tuple[T, ...]:
    """The result in a tuple; an empty one where the fork ended too early, which its exit status says as well."""
    try:
        found: tuple[T, ...] = pickle.load(source)
    except (EOFError, pickle.UnpicklingError):
        return ()
    return found


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
