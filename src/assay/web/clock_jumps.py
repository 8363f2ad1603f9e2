"""Detects jumps of the system clock: times in a study before and after one cannot be compared."""

import time
from collections.abc import Callable

LEAST_JUMP_MS = 2_000
"""Smaller jumps are the usual corrections of a clock."""


def steady_clock() -> int:
    """The monotonic clock in milliseconds."""
    return time.monotonic_ns() // 1_000_000


class ClockWatch:
    """Compares the system clock with the monotonic clock."""

    def __init__(self, clock: Callable[[], int], steady: Callable[[], int] = steady_clock) -> None:
        self._clock, self._steady = clock, steady
        self._apart = clock() - steady()

    def jump(self) -> int:
        """How many milliseconds the system clock has jumped since the last call; 0 for a usual correction or none."""
        apart = self._clock() - self._steady()
        jumped, self._apart = apart - self._apart, apart
        return jumped if abs(jumped) >= LEAST_JUMP_MS else 0
