"""One JSON object a line. Nested values stay as they are; a key that stands twice and NaN are refused."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.items import Findings, Source, text_lines


class Jsonl(Source):
    """One JSON object a line. Nested values stay as they are; a key that stands twice and NaN are refused."""

    kind: ClassVar[str] = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")

    def rows(self, path: Path, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, line in enumerate(text_lines(path), start=1):
            if not line.strip():
                continue
            try:
                row = _read(line.rstrip("\r\n"))
            except _Wrong as wrong:
                findings.add(str(wrong), "one object a line", number)
            else:
                yield number, row


class _Wrong(Exception):
    """Why a line cannot be taken."""


def _read(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise _Wrong(f"this is not JSON: {error.msg} (character {error.pos + 1})") from None
    except RecursionError:
        raise _Wrong("the line is nested too deeply") from None
    except ValueError:
        raise _Wrong("a number has too many digits") from None
    if not isinstance(row, dict):
        raise _Wrong("the line is not an object")
    return row


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _Wrong(f"the key {name!r} stands twice")
        found[name] = value
    return found


def _no_constant(text: str) -> Any:
    raise _Wrong(f"{text} is not JSON")
