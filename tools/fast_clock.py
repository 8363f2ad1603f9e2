"""The program as it is, in a world where time goes by faster: `python -m tools.fast_clock 60 serve STUDY`.

The clock that dates everything, and the steady one that it is compared with, run so many times as fast from the start
on. What waits for the machine (time-outs, what is done every few seconds) waits as long as ever.
"""

import sys
import time
from collections.abc import Callable

from assay.cli import main


def faster(clock: Callable[[], int], times: float) -> Callable[[], int]:
    """A clock that shows what another one does now, and runs away from it."""
    start = clock()
    return lambda: start + round((clock() - start) * times)


if __name__ == "__main__":
    speed = float(sys.argv.pop(1))
    time.time_ns, time.monotonic_ns = faster(time.time_ns, speed), faster(time.monotonic_ns, speed)
    main()
