"""The long table as Parquet, with typed columns."""

import csv
import secrets
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar

from assay.exchange import LONG, Column, Data, Export, Written
from assay.exchange.tables import Type, as_text, values_of
from assay.model import Judgment

NUMBER = Column("number", "the value where it is a number; empty where it is not", "number")
AT = [column.name for column in LONG].index("value") + 1
TYPED = [*LONG[:AT], NUMBER, *LONG[AT:]]
"""A column has one type here: the value is a text, and where it is a number it is a number beside it."""

IN_DUCKDB: dict[Type, str] = {
    "text": "VARCHAR",
    "JSON": "VARCHAR",
    "whole number": "BIGINT",
    "number": "DOUBLE",
    "true or false": "BOOLEAN",
    "time": "TIMESTAMPTZ",
}
LEAST_LINE = 2 << 20
MEMORY = "120MB"


class Parquet(Export):
    """The long table as Parquet, with typed columns: numbers, times and truth values are what they are.

    `value` is a text, with lists as JSON; one column more, `number`, has it where it is a number.
    """

    kind: ClassVar[str] = "parquet"
    suffix: ClassVar[str] = ".parquet"
    name: ClassVar[str] = "judgments"

    def write(self, data: Data, place: Path) -> Written:
        return Written(self.table(TYPED, map(typed_values, data.judgments()), place))

    def columns(self, data: Data) -> Iterator[tuple[str, Column]]:
        yield from (("", column) for column in TYPED)

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Any]], place: Path) -> int:
        return write_parquet(columns, rows, place)


def typed_values(judgment: Judgment) -> tuple[Any, ...]:
    """A judgment as a row of typed columns."""
    row, value = values_of(judgment), judgment.value
    number = value if type(value) in (int, float) else None
    return (*row[: AT - 1], as_text(value), number, *row[AT:])


def write_parquet(columns: Sequence[Column], rows: Iterable[Sequence[Any]], place: Path) -> int:
    """Write a table and return how many rows it had.

    The rows go through a file of text that is removed at once: the database reads it in pieces and writes row groups,
    so that memory stays small however many rows there are.
    """
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}.") as folder:
        between = Path(folder) / "rows.csv"
        # A word that no text is: an empty text and none at all are different things.
        nothing = secrets.token_hex(8)
        with open(between, "w", encoding="utf-8", newline="") as file:
            count, longest = _between(file, rows, nothing)
        _copy(between, place, columns, nothing, longest, Path(folder))
    return count


def _between(file: IO[str], rows: Iterable[Sequence[Any]], nothing: str) -> tuple[int, int]:
    writer = csv.writer(file, lineterminator="\r\n")
    count = longest = 0
    for row in rows:
        cells = [nothing if value is None else value for value in row]
        # In characters; four bytes each at most.
        longest = max(longest, writer.writerow(cells))
        count += 1
    return count, 4 * longest


def _copy(source: Path, place: Path, columns: Sequence[Column], nothing: str, longest: int, folder: Path) -> None:
    import duckdb

    kinds = ", ".join(f"{_quoted(each.name)}: '{IN_DUCKDB[each.type]}'" for each in columns)
    loads = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    settings: dict[str, Any] = {"memory_limit": MEMORY, "threads": 1, "temp_directory": str(folder), **loads}
    with duckdb.connect(":memory:", config=settings) as database:
        database.execute("set TimeZone = 'UTC'")
        line = max(LEAST_LINE, longest)
        read = (
            f"read_csv({_quoted(_literally(source))}, columns = {{{kinds}}}, auto_detect = false, header = false, "
            f"delim = ',', quote = '\"', escape = '\"', new_line = '\\r\\n', nullstr = '{nothing}', "
            f"max_line_size = {line}, buffer_size = {2 * line})"
        )
        database.execute(
            f"copy (select * from {read}) to {_quoted(str(place))} (format parquet, compression zstd, "
            "row_group_size 65536)"
        )


def _literally(path: Path) -> str:
    """A path is a pattern here; in brackets, each character that would mean others is only itself."""
    return "".join(f"[{each}]" if each in "*?[" else each for each in str(path))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
