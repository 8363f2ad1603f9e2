"""Responses that send a temporary file, which is deleted afterwards."""

import shutil
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.responses import FileResponse

BYTES = "application/octet-stream"


async def file_answer(name: str, write: Callable[[Path], Awaitable[Path]]) -> FileResponse:
    """The file that is written into a folder of its own, to be kept under a name."""
    workshop = tempfile.mkdtemp(prefix="assay-answer-")
    try:
        path = await write(Path(workshop))
    except BaseException:
        shutil.rmtree(workshop, ignore_errors=True)
        raise
    tidy = BackgroundTask(shutil.rmtree, workshop, ignore_errors=True)
    return FileResponse(path, filename=name, media_type=BYTES, background=tidy)
