"""What judges answered, in the study's folder: an append-only file, in which no answer that was paid for is lost.

Each line is one answer, known by the hash of its request. It is on the disk before anything is made of it: whatever
ends the program, and at whatever moment, the same request is never sent again once its answer is in the file.
"""

import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from assay.errors import AssayError

try:
    import fcntl
except ImportError:  # not a POSIX system: nobody is kept from running two at the same time
    fcntl = None  # type: ignore[assignment]

FOLDER = "judged"
ANSWERS = "answers.jsonl"
PASSES = "passes.jsonl"

Record = dict[str, Any]


SHORTEST_SECRET = 8
"""Letters: what is shorter stands for no key ("none", "ollama"), and may well stand in an answer."""


def without_secrets(said: Any, secrets: Sequence[str]) -> Any:
    """What came back, with stars in the place of keys: in all texts of it.

    >>> without_secrets({"error": ["wrong key sk-12345678"]}, ["sk-12345678", "err"])
    {'error': ['wrong key ***']}
    """
    if isinstance(said, str):
        for secret in secrets:
            said = said.replace(secret, "***") if len(secret) >= SHORTEST_SECRET else said
        return said
    if isinstance(said, Mapping):
        return {without_secrets(name, secrets): without_secrets(value, secrets) for name, value in said.items()}
    return [without_secrets(each, secrets) for each in said] if isinstance(said, list) else said


def request_key(request: Mapping[str, Any]) -> str:
    """The hash of a request: the same for the same content, whoever asks and whenever."""
    text = json.dumps(request, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class GrowingFile:
    """An append-only file of JSON lines. A line is there whole or not at all, and on the disk when `append` returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        new = not path.exists()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self._writing = threading.Lock()
        if new:
            _to_disk(path.parent)

    def take_lock(self) -> None:
        """Lock the file for writing until this process ends. Raises AssayError where another process has the lock."""
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            hint = "let it end, or stop it: what it has is kept"
            raise AssayError("another `assay judge` is running in this folder", hint) from None

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line, with its offset. What a crash left of an incomplete last line is cut off."""
        at = 0
        with self.path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    os.ftruncate(self._file, at)
                    return
                yield at, line
                at += len(line)

    def append(self, record: Mapping[str, Any]) -> int:
        """Append a line; returns its offset. When this returns, it is on the disk."""
        line = json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        with self._writing:
            at = os.lseek(self._file, 0, os.SEEK_END)
            rest = memoryview(line)
            try:
                while rest:
                    rest = rest[os.write(self._file, rest) :]
                os.fsync(self._file)
            except OSError as error:
                os.ftruncate(self._file, at)  # half a line would damage the one that comes after it
                what = f"{self.path} cannot be written to: {error.strerror}"
                raise AssayError(what, "make room on the disk; the same command goes on from here") from None
            return at

    def read_at(self, at: int) -> Record:
        """The record at this offset."""
        with self.path.open("rb") as file:
            file.seek(at)
            found: Record = json.loads(file.readline())
            return found

    def close(self) -> None:
        """Close the file, and release its lock."""
        os.close(self._file)


def _to_disk(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read_all(file: GrowingFile, note: Callable[[int, Record], None]) -> None:
    for number, (at, line) in enumerate(file.lines(), 1):
        try:
            note(at, json.loads(line))
        except (ValueError, KeyError, TypeError):
            what = f"{file.path}, line {number}: cannot be read; the file was changed or damaged"
            raise AssayError(what, "take it from a backup, or remove the line: its request is sent again") from None


class AnswerLog:
    """The answers by the hash of their requests, and what was made of them, item by item."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER
        try:
            self.folder.mkdir(exist_ok=True)
            self.answers = GrowingFile(self.folder / ANSWERS)
            self.passes = GrowingFile(self.folder / PASSES)
        except OSError as error:
            what = f"{error.filename} cannot be written to ({error.strerror}), and answers are kept there"
            raise AssayError(
                what, "make room for the folder `judged` in the study's folder, and let it be written to"
            ) from None
        self.places: dict[str, int] = {}
        self.spent: dict[str, tuple[int, int]] = {}
        """The tokens that each judge has cost so far: sent, and received."""
        self.largest: dict[str, tuple[int, int]] = {}
        """The most tokens that one answer of each judge has taken so far: sent, and received."""
        self.known: dict[tuple[str, str, int], tuple[str, ...]] = {}
        """The requests behind what each judge said of each item in each pass, as it was said last."""

    def __enter__(self) -> Self:
        """Read what is there; nobody else may add to it meanwhile."""
        try:
            self.answers.take_lock()
            _read_all(self.answers, self._note)
            _read_all(self.passes, self._note_pass)
        except AssayError:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the files."""
        self.answers.close()
        self.passes.close()

    def _note(self, at: int, record: Record) -> None:
        self.places[record["key"]] = at
        judge, sent, received = record["judge"], record["tokens"]["in"], record["tokens"]["out"]
        before, most = self.spent.get(judge, (0, 0)), self.largest.get(judge, (0, 0))
        self.spent[judge] = (before[0] + sent, before[1] + received)
        self.largest[judge] = (max(most[0], sent), max(most[1], received))

    def _note_pass(self, at: int, record: Record) -> None:
        self.known[record["judge"], record["item"], record["pass"]] = tuple(record["requests"])

    def find(self, key: str) -> Record | None:
        """The answer to a request that was sent before."""
        return self.answers.read_at(self.places[key]) if key in self.places else None

    def keep(self, record: Record) -> None:
        """Keep an answer. When this returns, it is on the disk."""
        self._note(self.answers.append(record), record)

    def keep_pass(self, record: Record) -> None:
        """Keep what was made of the answers about one item, unless that is kept already."""
        place = (record["judge"], record["item"], record["pass"])
        if self.known.get(place) != tuple(record["requests"]):
            self.passes.append(record)
            self.known[place] = tuple(record["requests"])
