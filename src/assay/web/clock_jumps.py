"""When the system's clock is set, and how far: times in a study before and after it cannot be compared."""

import time
from collections.abc import Callable

LEAST_JUMP_MS = 2_000
"""What is less is how clocks are kept right all the time."""


def steady_clock() -> int:
    """Milliseconds since some time, by a clock that nobody sets."""
    return time.monotonic_ns() // 1_000_000


class ClockWatch:
    """Compares the clock that is shown with one that nobody sets."""

    def __init__(self, clock: Callable[[], int], steady: Callable[[], int] = steady_clock) -> None:
        self._clock, self._steady = clock, steady
        self._apart = clock() - steady()

    def jump(self) -> int:
        """By how many milliseconds the clock was set since the last look; 0: it went on as it should."""
        apart = self._clock() - self._steady()
        jumped, self._apart = apart - self._apart, apart
        return jumped if abs(jumped) >= LEAST_JUMP_MS else 0
