"""A run in front of somebody, who may look at how far it is and stop it."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress

from assay.judging.run import JudgeRun
from assay.judging.run_tally import RunTally

SECONDS_BETWEEN_LOOKS = 0.2


def run_until_stopped(run: JudgeRun, look: Callable[[], None], say_stopping: Callable[[], None]) -> RunTally:
    """Carry out a run. The first Ctrl-C waits for the answers under way, which cost something; the second does not."""
    return asyncio.run(_run(run, look, say_stopping))


async def _run(run: JudgeRun, look: Callable[[], None], say_stopping: Callable[[], None]) -> RunTally:
    asking = asyncio.ensure_future(run.go())

    def stop() -> None:
        if run.tally.interrupted:
            asking.cancel()
            return
        say_stopping()
        run.interrupt()

    with suppress(NotImplementedError):  # not a POSIX system: Ctrl-C ends it at once
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop)
    while not asking.done():
        await asyncio.wait([asking], timeout=SECONDS_BETWEEN_LOOKS)
        look()
    return run.tally if asking.cancelled() else asking.result()
