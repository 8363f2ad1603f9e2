"""A program that reads JSON lines and writes JSON lines."""

import asyncio
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field, model_validator

from assay.judges import Ask, Encode, Judge, JudgeFailure, Prompt, Reply, Surroundings
from assay.judges.over_http import as_line
from assay.judges.plain_lines import plain_body, plain_reply
from assay.kinds import Many

LONGEST_LINE = 20_000_000
TOO_LONG = b"(too long)"
LONGEST_END = 5.0
"""Seconds that a program has to end after its input was closed."""
FLUSH = "it must write a line for each line that it reads, and flush it"


class CommandJudge(Judge):
    """A program that reads JSON lines and writes JSON lines, in the study's folder.

    Each line that it reads has an `id`, and what a judge of the kind `http` gets. It writes a line with the same `id`
    and `answers` (by key) or `text`, in any order, and if it likes `model` and `tokens: {in, out}`; `error` says why
    there is no answer, and `again: true` that it may be asked once more. It is started once for a run.
    Short: `command: [python, judge.py]`.
    """

    kind: ClassVar[str] = "command"
    where: ClassVar[tuple[str, ...]] = ("run",)
    example: ClassVar[Any] = {"run": ["python", "judge.py", "--strict"], "version": "2"}
    short: ClassVar[dict[str, Any] | None] = {"type": "array", "items": {"type": "string"}}

    run: Many[str] = Field(min_length=1, description="The program and its arguments.")
    version: str = Field(default="", description="Change it when the program has changed: it is asked again then.")

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        return {"run": data} if isinstance(data, list) else data

    def identity(self, folder: Path) -> dict[str, Any]:
        return {"run": list(self.run), "version": self.version}

    def body(self, prompt: Prompt, encode: Encode) -> dict[str, Any]:
        return plain_body(prompt, encode)

    @asynccontextmanager
    async def opened(self, around: Surroundings) -> AsyncIterator[Ask]:
        program = _Program(self.run, around)
        try:
            yield program.ask
        finally:
            await program.end()


class _Program:
    """The running program. One that ended is started again with the next request."""

    def __init__(self, words: tuple[str, ...], around: Surroundings) -> None:
        self.words, self.around = words, around
        self.process: Process | None = None
        self.reading: asyncio.Future[None] | None = None
        self.waiting: dict[str, asyncio.Future[Any]] = {}
        self.numbers = count(1)
        self.starting = asyncio.Lock()
        self.ended: JudgeFailure | None = None
        """Why it has ended, where it has."""

    async def ask(self, body: dict[str, Any]) -> Reply:
        """Send one line, and wait for the line that answers it."""
        process = await self._process_at_work()
        name = str(next(self.numbers))
        answer = self.waiting[name] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(self.around.seconds):
                assert process.stdin is not None
                process.stdin.write(as_line({"id": name, **body}) + b"\n")
                await process.stdin.drain()
                return plain_reply(await answer)
        except TimeoutError:
            what = f"{self.words[0]} gave no answer within {self.around.seconds:g} seconds; {FLUSH}"
            raise JudgeFailure(what, again=True) from None
        except (BrokenPipeError, ConnectionResetError):
            raise await self._why_it_ended() from None
        finally:
            self.waiting.pop(name, None)
            if not answer.cancel() and not answer.cancelled():
                answer.exception()  # retrieved, so that asyncio does not warn that nobody has

    async def _why_it_ended(self) -> JudgeFailure:
        """Why it ended, by its last lines: that may have been before the request was written."""
        if self.reading is not None:
            await asyncio.wait([self.reading], timeout=min(LONGEST_END, self.around.seconds))
        return self.ended or JudgeFailure(f"{self.words[0]} ended before it answered", again=True)

    async def _process_at_work(self) -> Process:
        async with self.starting:
            if self.process is None or self.process.returncode is not None:
                try:
                    self.process = await asyncio.create_subprocess_exec(
                        *self.words,
                        stdin=PIPE,
                        stdout=PIPE,
                        cwd=self.around.folder,
                        env=dict(self.around.environment),
                        limit=LONGEST_LINE,
                        start_new_session=True,  # Ctrl-C is for the run, which ends the program when it is done
                    )
                except OSError as error:
                    raise JudgeFailure(f"{self.words[0]} cannot be started: {error.strerror}", stop=True) from None
                self.reading = asyncio.ensure_future(self._read(self.process))
            return self.process

    async def _read(self, process: Process) -> None:
        """Hand each line to whoever waits for it; at the end, tell those who still wait."""
        assert process.stdout is not None
        wrong = ""
        while line := await self._line(process.stdout):
            try:
                said = json.loads(line)
                answer = self.waiting.get(str(said.pop("id")))
            except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
                wrong = f"{self.words[0]} wrote a line that is no JSON object with an `id`: {line[:200]!r}"
                if line == TOO_LONG:
                    wrong = f"{self.words[0]} wrote a line that is longer than {LONGEST_LINE:,} bytes"
                break
            if answer is not None and not answer.done():
                answer.set_result(said)
        if wrong:
            _kill(process)
        code = await process.wait()
        what = wrong or f"{self.words[0]} ended with code {code} before it answered"
        self.ended = JudgeFailure(what, again=not wrong)
        for answer in self.waiting.values():
            if not answer.done():
                answer.set_exception(JudgeFailure(what, again=not wrong))

    @staticmethod
    async def _line(output: asyncio.StreamReader) -> bytes:
        try:
            return await output.readline()
        except ValueError:  # longer than the limit
            return TOO_LONG

    async def end(self) -> None:
        """Let the program end: its input is closed, and after a while it is killed."""
        process, reading = self.process, self.reading
        if process is None or reading is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(min(LONGEST_END, self.around.seconds)):
                await asyncio.shield(reading)
        except TimeoutError:
            _kill(process)
            await reading


def _kill(process: Process) -> None:
    """End a program with all that it has started, which would hold its output open."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
