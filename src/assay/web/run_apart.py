"""Having another process do what computes for long: here it would hold up the pages of everybody."""

import asyncio
import os
import sys

from assay.store import Backend

MOST_HERE = 3000
"""With more submissions than so many, what takes long is computed by another process."""


async def run_apart(store: Backend, program: str, study: str) -> None:
    """Run a module as a program for one study, and wait for it; it ends when this does."""
    environment = {**os.environ, "ASSAY_DATABASE": store.address}
    asked = (sys.executable, "-m", program, study)
    process = await asyncio.create_subprocess_exec(*asked, env=environment, stdout=asyncio.subprocess.DEVNULL)
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
