"""Freed memory, given back to the system."""

import ctypes
from collections.abc import Callable
from functools import cache


def give_back_freed_memory() -> None:
    """Return memory that the C library keeps after it was freed: after large tables hundreds of megabytes a process.

    It takes a few thousandths of a second. Where the library knows no such thing (it is one of glibc), nothing is done.
    """
    _trim()(0)


@cache
def _trim() -> Callable[[int], int]:
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another library, or none that can be asked
        return lambda _: 0
    return found
