"""The long table as Parquet, with typed columns."""

import secrets
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

from assay.beside import cores
from assay.exchange import LONG, Column, Export, ExportData, ExportResult
from assay.exchange.csv import END, as_line, cell_in_line
from assay.exchange.export_columns import OWN_COLUMNS, Type, as_text, own_values
from assay.exchange.long_lines import LongLines, Made, encode_lines, in_pieces, write_made
from assay.submission_rows import Own

NUMBER = Column("number", "the value where it is a number; empty where it is not", "number")
AFTER_VALUE = [column.name for column in LONG].index("value") + 1
TYPED = [*LONG[:AFTER_VALUE], NUMBER, *LONG[AFTER_VALUE:]]
"""A column has one type here: the value is a text, and where it is a number it is a number beside it."""


def _typed_values(own: Own) -> tuple[Any, ...]:
    *others, value, missing = own_values(own)
    return *others, as_text(value), missing, value if type(value) in (int, float) else None


TYPED_LINES = LongLines(TYPED, own=(*OWN_COLUMNS, NUMBER.name), own_values=_typed_values)

IN_DUCKDB: dict[Type, str] = {
    "text": "VARCHAR",
    "JSON": "VARCHAR",
    "whole number": "BIGINT",
    "number": "DOUBLE",
    "true or false": "BOOLEAN",
    "time": "TIMESTAMPTZ",
}
LEAST_LINE = 2 << 20
MEMORY, MOST_THREADS = "120MB", 2
"""Each thread needs some of the memory. Rows keep their order with any number of them."""


class ParquetExport(Export):
    """The long table as Parquet, with typed columns: numbers, times and truth values are what they are.

    `value` is a text, with lists as JSON; one column more, `number`, has it where it is a number.
    """

    kind: ClassVar[str] = "parquet"
    suffix: ClassVar[str] = ".parquet"
    name: ClassVar[str] = "judgments"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        return ExportResult(write_judgments(data, path))

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        yield from (("", column) for column in TYPED)

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[Any]], path: Path) -> int:
        return write_parquet(columns, rows, path)


def write_judgments(data: ExportData, path: Path) -> int:
    """Write the long table and return how many judgments it has."""

    def pieces(nothing: str) -> Generator[Made]:
        def text(value: Any) -> str:
            return nothing if value is None else cell_in_line(value)

        lines = TYPED_LINES.maker(lambda _: text, "", ",", END)
        return data.in_parts(lambda some: encode_lines(lines(some)))

    return _through_text(TYPED, pieces, path)


def write_parquet(columns: Sequence[Column], rows: Iterable[Sequence[Any]], path: Path) -> int:
    """Write a table and return how many rows it had."""

    def pieces(nothing: str) -> Generator[Made]:
        return in_pieces(as_line([nothing if value is None else value for value in row]) for row in rows)

    return _through_text(columns, pieces, path)


def _through_text(columns: Sequence[Column], pieces: Callable[[str], Generator[Made]], path: Path) -> int:
    """Write a table by way of a temporary CSV file.

    The database reads it in pieces and writes row groups, so that memory stays small however many rows there are.
    """
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        between = Path(folder) / "rows.csv"
        # A word that no text is: an empty text and none at all are different things.
        nothing = secrets.token_hex(8)
        with open(between, "wb") as file, closing(pieces(nothing)) as some:
            count, longest = write_made(file, some)
        # In characters; four bytes each at most.
        _copy(between, path, columns, nothing, 4 * longest, Path(folder))
    return count


def _copy(source: Path, path: Path, columns: Sequence[Column], nothing: str, longest: int, folder: Path) -> None:
    import duckdb

    kinds = ", ".join(f"{_sql_text(each.name)}: '{IN_DUCKDB[each.type]}'" for each in columns)
    loads = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    settings: dict[str, Any] = {
        "memory_limit": MEMORY,
        "threads": min(2, cores()),
        "temp_directory": str(folder),
        **loads,
    }
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
    """A path escaped as a glob pattern: each special character stands in brackets, so that it means only itself."""
    return "".join(f"[{each}]" if each in "*?[" else each for each in str(path))


def _sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
