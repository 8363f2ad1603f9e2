"""The child process: reads the file that standard input names, and writes its rows to standard output."""

import json
import sys

from assay.files import MOST_MEMORY, MOST_SECONDS, TOO_MUCH, Line, UnreadableFile
from assay.files.parquet import read_parquet
from assay.files.workbook import read_workbook

if sys.platform != "win32":
    import resource


def main() -> None:
    """Read one file under the limits."""
    asked = json.load(sys.stdin)
    kind = asked.pop("kind")
    _limit(MOST_MEMORY[kind])
    reader = {"xlsx": read_workbook, "parquet": read_parquet}[kind]
    try:
        for line in reader(**asked):
            _write(line)
    except UnreadableFile as refused:
        _write(["wrong", *refused.args])
    except MemoryError:
        _write(["wrong", *TOO_MUCH])
    _write(["end"])
    sys.stdout.flush()


def _write(line: Line) -> None:
    sys.stdout.buffer.write(json.dumps(line, allow_nan=False).encode() + b"\n")


def _limit(memory: int) -> None:
    if sys.platform != "win32":
        limits = {resource.RLIMIT_AS: memory, resource.RLIMIT_CPU: MOST_SECONDS, resource.RLIMIT_CORE: 0}
        for name, most in limits.items():
            _, allowed = resource.getrlimit(name)
            most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
            resource.setrlimit(name, (most, most))


if __name__ == "__main__":
    main()
