"""A function in a Python file of the study's folder."""

import asyncio
import hashlib
import json
import runpy
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from assay.errors import AssayError
from assay.judges import Ask, Encode, Judge, JudgeFailure, Prompt, Reply, Surroundings
from assay.judges.plain_lines import plain_body, plain_reply


class PythonJudge(Judge):
    """A function in a Python file of the study's folder. When the file changes, it is asked again.

    It takes one mapping, with what a judge of the kind `http` gets, and returns such an answer. Several calls may run
    at the same time, in threads.
    """

    kind: ClassVar[str] = "python"
    where: ClassVar[tuple[str, ...]] = ("file", "function")
    example: ClassVar[Any] = {"file": "judge.py", "function": "judge", "version": "2"}

    file: str = Field(min_length=1, description="The Python file, beside the study file.")
    function: str = Field(default="judge", min_length=1, description="The function in it.")
    version: str = Field(default="", description="Change it when something that the file uses has changed.")

    def identity(self, folder: Path) -> dict[str, Any]:
        content = self._path(folder).read_bytes()
        return {"function": self.function, "version": self.version, "file": hashlib.sha256(content).hexdigest()}

    def _path(self, folder: Path) -> Path:
        path = (folder / self.file).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file():
            raise AssayError(f"there is no file {self.file} in the study's folder", "its path counts from there")
        return path

    def body(self, prompt: Prompt, encode: Encode) -> dict[str, Any]:
        return plain_body(prompt, encode)

    @asynccontextmanager
    async def opened(self, around: Surroundings) -> AsyncIterator[Ask]:
        path = self._path(around.folder)
        try:
            function = runpy.run_path(str(path)).get(self.function)
        except (Exception, SystemExit) as error:
            raise AssayError(f"{self.file} cannot be run: {type(error).__name__}: {error}") from error
        if not callable(function):
            raise AssayError(f"{self.file} has no function {self.function!r}", "`function` names it")

        async def ask(body: dict[str, Any]) -> Reply:
            try:
                async with asyncio.timeout(around.seconds):
                    return plain_reply(_as_json(await _in_thread(function, body)))
            except TimeoutError:
                raise JudgeFailure(f"no answer within {around.seconds:g} seconds", again=True) from None
            except JudgeFailure:
                raise
            except Exception as error:  # whatever somebody's function stumbles over
                raise JudgeFailure(f"{type(error).__name__}: {error}") from error

        yield ask


def _as_json(whole: Any) -> Any:
    """What a function returned, as JSON values; what JSON cannot hold is replaced by its `repr`."""
    if isinstance(whole, dict) and "answers" in whole:
        json.dumps(whole["answers"])  # an answer that is no JSON is none
    return json.loads(json.dumps(whole, default=repr))


async def _in_thread(function: Callable[[dict[str, Any]], Any], body: dict[str, Any]) -> Any:
    """Call a function in a thread of its own: one that never ends holds up nobody else."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def tell(what: Callable[[Any], None], value: Any) -> None:
        if not done.done():
            what(value)

    def call() -> None:
        try:
            said = (done.set_result, function(body))
        except BaseException as error:  # SystemExit, too: it is the function's, and not the program's
            said = (done.set_exception, JudgeFailure(f"{type(error).__name__}: {error}"))
        with suppress(RuntimeError):  # the run has ended long ago
            loop.call_soon_threadsafe(tell, *said)

    threading.Thread(target=call, daemon=True).start()
    return await done
