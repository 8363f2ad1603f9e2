"""Workbooks and Parquet files are read in a child process with limits on time and memory: a hostile file harms nothing.

The child writes a JSON line for each row, `[number, cells]`, and the names of the columns first. A mistake is a line
`["wrong", what, hint, row, column]`. The last line is `["end"]`.
"""

import contextlib
import datetime as dt
import json
import math
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

# Bytes of address space. DuckDB reserves much that it does not use, and limits what it uses by itself.
MOST_MEMORY = {"xlsx": 1 << 30, "parquet": 1 << 32}
MOST_SECONDS = 120
MOST_ROWS = 1_048_576

OTHERWISE = "save it as CSV or as JSON lines"
DAMAGED = ("the file is damaged and cannot be read", "open it, save it again, and try that one")
TOO_MUCH = ("the file needs too much memory to be read", OTHERWISE)
TOO_LONG = (f"the file takes more than {MOST_SECONDS} seconds to be read", OTHERWISE)

Line = list[Any]


def read_in_child(kind: str, path: Path, say: Callable[..., None], sheet: str = "") -> Iterator[tuple[int, list[Any]]]:
    """Every row of a file with its number, the names of the columns first. `say` is called with each mistake."""
    # -P keeps the folder that the program was started in out of the child's path.
    command = [sys.executable, "-P", "-m", "assay.files"]
    asked = json.dumps({"kind": kind, "path": str(path), "sheet": sheet}).encode()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert child.stdin is not None
    assert child.stdout is not None
    whole = False
    try:
        # A child that could not start is known by its end.
        with contextlib.suppress(BrokenPipeError), child.stdin as stdin:
            stdin.write(asked)
        for line in child.stdout:
            if not line.endswith(b"\n"):
                break
            match json.loads(line):
                case ["end"]:
                    whole = True
                case ["wrong", *words]:
                    say(*words)
                case [number, cells]:
                    yield number, cells
        if not whole:
            say(*_reason_of_exit(child.wait()))
    finally:
        child.kill()
        child.stdout.close()
        child.wait()


def _reason_of_exit(code: int) -> tuple[str, str]:
    if sys.platform != "win32" and code in (-signal.SIGXCPU, -signal.SIGKILL):
        return TOO_LONG
    return TOO_MUCH if code == -signal.SIGABRT else DAMAGED


class UnreadableFile(Exception):
    """A file that cannot be read at all: why, and what to do."""


def json_value(value: Any) -> Any:
    """A value as JSON has it. Raises ValueError, in words for the file's author, where there is no such value."""
    match value:
        case None | bool() | str() | int():
            return value
        case float() if math.isfinite(value):
            return value
        case float():
            raise ValueError(f"{'NaN' if math.isnan(value) else 'infinity'} is not a number")
        case Decimal():
            near = float(value)
            return near if Decimal(repr(near)) == value else str(value)
        case dt.date() | dt.time():
            return value.isoformat()
        case dt.timedelta():
            seconds = value.total_seconds()
            rest = f"{seconds % 60:09.6f}".removesuffix(".000000")
            return f"{int(seconds // 3600):02}:{int(seconds // 60 % 60):02}:{rest}"
        case UUID():
            return str(value)
        case list() | tuple():
            return [json_value(each) for each in value]
        case dict():
            return {str(json_value(key)): json_value(each) for key, each in value.items()}
    raise ValueError("this is binary data, not a text")
