"""One JSON object a line. Nested values stay as they are; a key that stands twice and NaN are refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.items import Mistakes, Options, Source, text_lines
from assay.items.json import InvalidJson, parse_json


class JsonlSource(Source):
    """One JSON object a line. Nested values stay as they are; a key that stands twice and NaN are refused."""

    kind: ClassVar[str] = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl", ".ndjson")
    by_rows: ClassVar[bool] = True

    def rows(
        self, path: Path, mistakes: Mistakes, options: Options = Options()
    ) -> Iterator[tuple[int | str, dict[str, Any]]]:
        for number, line in enumerate(text_lines(path), start=1):
            if not line.strip():
                continue
            try:
                row = parse_json(line.rstrip("\r\n"))
            except InvalidJson as wrong:
                mistakes.add(str(wrong), "one object a line; what is not known is null", number)
                continue
            if isinstance(row, dict):
                yield number, row
            else:
                mistakes.add("the line is not an object", "one object a line", number)
