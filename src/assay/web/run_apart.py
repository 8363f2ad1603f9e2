"""Runs long computations in another process: in this one they would delay everybody's pages."""

import asyncio
import os

from assay.live import child
from assay.store import Backend


async def run_apart(store: Backend, program: str, study: str) -> None:
    """Run a module as a program for one study, and wait for it; it ends when this does.

    Raises AssayError where it does not come to its end.
    """
    environment = {**os.environ, "ASSAY_DATABASE": store.address}
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*child.program(program, study), env=environment, stdout=quiet)
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
    child.see_that_it_is_done(process.returncode)
