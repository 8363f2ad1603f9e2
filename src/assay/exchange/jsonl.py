"""The long table as JSON lines, exactly as it is stored."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

from assay.exchange import LONG, Column, Export, ExportData, ExportResult
from assay.exchange.export_columns import columns_in_common
from assay.exchange.long_lines import LongLines, Text, encode_lines, write_made

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
EVENTS = Column("events", "when the page was looked at and when not: a list of [milliseconds, what]", "JSON")


def _with_events(fields: Mapping[str, Any]) -> list[Any]:
    return [*columns_in_common(fields), fields["events"]]


WITH_EVENTS = LongLines([*LONG, EVENTS], shared_values=_with_events)


class JsonlExport(Export):
    """The long table as JSON lines: one object for each judgment, values exactly as stored.

    It has one key more: `events`, what the page has noted of the submission, as a list of `[milliseconds, what]`:
    `visible`, `hidden`, `focus` or `blur`, counted from when the browser first showed the item, and at the end
    `with:5/0/wide`: how many answers were given by key and by pointer, and whether the page was `narrow` (below 700
    pixels) or `wide`. It is empty where `pace.events` is off. Of a judge that says how unsure it is, it holds
    `doubt:0.3`, from 0 to 1.
    """

    kind: ClassVar[str] = "jsonl"
    suffix: ClassVar[str] = ".jsonl"
    name: ClassVar[str] = "judgments"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        def text_of(place: int) -> Text:
            column = WITH_EVENTS.columns[place]
            name = f"{_encode(column.name)}: "
            if column is EVENTS:
                return lambda value: name + _encode(json.loads(value) if value else None)
            return lambda value: name + _encode(value)

        lines = WITH_EVENTS.maker(text_of, "{", ", ", "}\n")
        with open(path, "wb") as file, closing(data.in_parts(lambda some: encode_lines(lines(some)))) as parts:
            count, _ = write_made(file, parts)
        return ExportResult(count)

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        yield from (("", column) for column in WITH_EVENTS.columns)

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Any]], path: Path) -> int:
        names = [column.name for column in columns]
        count = 0
        with open(path, "w", encoding="utf-8", newline="") as file:
            for row in rows:
                file.write(_encode(dict(zip(names, row, strict=True))) + "\n")
                count += 1
        return count
