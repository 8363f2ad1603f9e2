"""The long table as JSON lines, exactly as it is stored."""

import json
from collections.abc import Iterable, Mapping
from typing import IO, Any, ClassVar

from assay.exchange import Export, as_row
from assay.model import Judgment


class Jsonl(Export):
    """The long table as JSON lines: one object for each judgment, values exactly as stored.

    It has one key more: `events`, what the page has noted of the submission, as a list of `[milliseconds, what]`:
    `visible`, `hidden`, `focus` or `blur`, counted from when the browser first showed the item. It is empty where
    `pace.events` is off.
    """

    kind: ClassVar[str] = "jsonl"
    suffix: ClassVar[str] = ".jsonl"

    def write(self, judgments: Iterable[Judgment], file: IO[str]) -> int:
        rows = ({**as_row(each), "events": json.loads(each.events) if each.events else None} for each in judgments)
        return self.table((), rows, file)

    def table(self, columns: Iterable[str], rows: Iterable[Mapping[str, Any]], file: IO[str]) -> int:
        count = 0
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")
            count += 1
        return count
