"""The long table as Parquet, with typed columns."""

import secrets
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar

from assay.exchange import LONG, Column, Export, ExportData, ExportResult
from assay.exchange.csv import as_line, lines_in_parts, own_part
from assay.exchange.tables import Type, as_text, values_of
from assay.model import Judgment

NUMBER = Column("number", "the value where it is a number; empty where it is not", "number")
AFTER_VALUE = [column.name for column in LONG].index("value") + 1
TYPED = [*LONG[:AFTER_VALUE], NUMBER, *LONG[AFTER_VALUE:]]
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


class ParquetExport(Export):
    """The long table as Parquet, with typed columns: numbers, times and truth values are what they are.

    `value` is a text, with lists as JSON; one column more, `number`, has it where it is a number.
    """

    kind: ClassVar[str] = "parquet"
    suffix: ClassVar[str] = ".parquet"
    name: ClassVar[str] = "judgments"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        return ExportResult(write_parquet(TYPED, map(typed_row, data.judgments()), path, own_part(TYPED)))

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        yield from (("", column) for column in TYPED)

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Any]], path: Path) -> int:
        return write_parquet(columns, rows, path)


def typed_row(judgment: Judgment) -> tuple[Any, ...]:
    """A judgment as a row of typed columns."""
    row, value = values_of(judgment), judgment.value
    number = value if type(value) in (int, float) else None
    return (*row[: AFTER_VALUE - 1], as_text(value), number, *row[AFTER_VALUE:])


def write_parquet(
    columns: Sequence[Column], rows: Iterable[Sequence[Any]], path: Path, own: slice | None = None
) -> int:
    """Write a table and return how many rows it had; `own` are the columns in which a row differs from the one before.

    The rows go through a file of text that is removed at once: the database reads it in pieces and writes row groups,
    so that memory stays small however many rows there are.
    """
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        between = Path(folder) / "rows.csv"
        # A word that no text is: an empty text and none at all are different things.
        nothing = secrets.token_hex(8)
        with open(between, "w", encoding="utf-8", newline="") as file:
            count, longest = _write_rows(file, rows, nothing, own)
        _copy(between, path, columns, nothing, longest, Path(folder))
    return count


def _write_rows(file: IO[str], rows: Iterable[Sequence[Any]], nothing: str, own: slice | None) -> tuple[int, int]:
    def cells(row: Sequence[Any]) -> list[Any]:
        return [nothing if value is None else value for value in row]

    count = longest = 0
    for line in lines_in_parts(map(tuple, rows), own, cells) if own else map(as_line, map(cells, rows)):
        file.write(line)
        # In characters; four bytes each at most.
        longest = max(longest, len(line))
        count += 1
    return count, 4 * longest


def _copy(source: Path, path: Path, columns: Sequence[Column], nothing: str, longest: int, folder: Path) -> None:
    import duckdb

    kinds = ", ".join(f"{_sql_text(each.name)}: '{IN_DUCKDB[each.type]}'" for each in columns)
    loads = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    settings: dict[str, Any] = {"memory_limit": MEMORY, "threads": 1, "temp_directory": str(folder), **loads}
    with duckdb.connect(":memory:", config=settings) as database:
        database.execute("set TimeZone = 'UTC'")
        line = max(LEAST_LINE, longest)
        read = (
            f"read_csv({_sql_text(_as_pattern(source))}, columns = {{{kinds}}}, auto_detect = false, header = false, "
            f"delim = ',', quote = '\"', escape = '\"', new_line = '\\r\\n', nullstr = '{nothing}', "
            f"max_line_size = {line}, buffer_size = {2 * line})"
        )
        database.execute(
            f"copy (select * from {read}) to {_sql_text(str(path))} (format parquet, compression zstd, "
            "row_group_size 65536)"
        )


def _as_pattern(path: Path) -> str:
    """A path that is taken as a pattern: each special character stands in brackets, so that it means only itself."""
    return "".join(f"[{each}]" if each in "*?[" else each for each in str(path))


def _sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
