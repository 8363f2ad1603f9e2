"""The long table as JSON lines, exactly as it is stored."""

import json
from collections.abc import Iterable
from typing import IO, ClassVar

from assay.exchange import Export, as_row
from assay.model import Judgment


class Jsonl(Export):
    """The long table as JSON lines: one object for each judgment, values exactly as stored."""

    kind: ClassVar[str] = "jsonl"
    suffix: ClassVar[str] = ".jsonl"

    def write(self, judgments: Iterable[Judgment], file: IO[str]) -> int:
        count = 0
        for judgment in judgments:
            file.write(json.dumps(as_row(judgment), ensure_ascii=False, allow_nan=False) + "\n")
            count += 1
        return count
