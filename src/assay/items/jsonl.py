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
                row = json.loads(line, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
            except json.JSONDecodeError as error:
                findings.add(f"this is not JSON: {error.msg} (character {error.pos + 1})", "one object a line", number)
            except (ValueError, RecursionError) as error:
                findings.add(str(error) or "nested too deeply", "one flat object a line is best", number)
            else:
                if isinstance(row, dict):
                    yield number, row
                else:
                    findings.add("the line is not an object", 'write {"id": ..., ...}', number)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {name!r} stands twice")
        found[name] = value
    return found


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is not JSON")
