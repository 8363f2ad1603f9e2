"""A part of a computation in a copy of this process, beside it: two cores are used where there are two."""

import os
import pickle
from collections.abc import Callable
from typing import IO, TypeVar

T = TypeVar("T")

Start = Callable[[Callable[[], T]], Callable[[], T]]
"""Begins to compute something; what it returns gives the result, and waits for it."""


def here(make: Callable[[], T]) -> Callable[[], T]:
    """Nothing is begun: it is computed in this process, when it is asked for."""
    return make


def beside(make: Callable[[], T]) -> Callable[[], T]:
    """Begin to compute something in a copy of this process, which knows everything that this one knows.

    Where there is no second core, where processes cannot be copied, or where the copy does not come to its end (an
    error, no memory), it is computed here when it is asked for: what comes out is the same, and so is an error.

    Example:
        >>> later = beside(lambda: sum(range(10)))
        >>> later()
        45
    """
    if not hasattr(os, "fork") or _cores() < 2:
        return make
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _send(make, writing)
    os.close(writing)

    def result() -> T:
        with os.fdopen(reading, "rb") as source:
            found: tuple[T, ...] = _received(source)
        _, status = os.waitpid(child, 0)
        return make() if status else found[0]

    return result


def _send(make: Callable[[], T], writing: int) -> None:
    """Compute, write the result, and end at once: what this process has open belongs to the one that it copies."""
    try:
        with os.fdopen(writing, "wb") as target:
            pickle.dump((make(),), target, protocol=pickle.HIGHEST_PROTOCOL)
    except BaseException:
        os._exit(1)  # the other process computes it again, and says what is wrong
    os._exit(0)


def _received(source: IO[bytes]) -> tuple[T, ...]:
    """The result, alone in a tuple; nothing where the copy ended before it was done, and its status says so."""
    try:
        found: tuple[T, ...] = pickle.load(source)
    except (EOFError, pickle.UnpicklingError):
        return ()
    return found


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
