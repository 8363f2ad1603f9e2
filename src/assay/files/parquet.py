"""Reads the rows of a Parquet file, in the child process."""

import os
import re
from collections.abc import Iterator
from typing import Any

from assay.files import MOST_ROWS, TOO_MUCH, Line, UnreadableFile, json_value


def read_parquet(path: str, sheet: str = "") -> Iterator[Line]:
    """The rows of a Parquet file. DuckDB can open this file only, and loads no extensions."""
    import duckdb

    full = os.path.abspath(path)
    # DuckDB takes a path as a pattern: characters with a meaning are put in brackets.
    pattern = re.sub(r"[*?\[]", r"[\g<0>]", full)
    settings: dict[str, Any] = {
        "memory_limit": "250MB",
        "threads": 1,
        "temp_directory": "",
        "allow_community_extensions": False,
    }
    loads = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    try:
        database = duckdb.connect(":memory:", config={**settings, **loads})
        database.execute("set TimeZone = 'UTC'")
        quoted = ", ".join("'" + each.replace("'", "''") + "'" for each in (full, pattern))
        database.execute(f"set allowed_paths = [{quoted}]")
        database.execute("set enable_external_access = false")
        database.execute("set lock_configuration = true")
        [(count,)] = database.execute("select sum(num_rows) from parquet_file_metadata(?)", [pattern]).fetchall()
        if count > MOST_ROWS:
            raise UnreadableFile(f"the file has {count:,} rows, more than {MOST_ROWS:,}", "take a part of it")
        yield [
            0,
            _top_level_columns(
                database.execute("select name, num_children from parquet_schema(?)", [pattern]).fetchall()
            ),
        ]
        yield from _rows(database, pattern)
    except duckdb.OutOfMemoryException:
        raise UnreadableFile(*TOO_MUCH) from None
    except duckdb.Error:
        raise UnreadableFile("this is not a Parquet file, or it is damaged", "write it again") from None


def _top_level_columns(schema: list[tuple[str, int | None]]) -> list[str]:
    """The names of the columns as the file has them: the database would rename those that differ only in capitals."""
    names, inside = [], 0
    for name, children in schema[1:]:
        if inside == 0:
            names.append(name)
        inside = max(0, inside - 1) + (children or 0)
    return names


def _rows(database: Any, pattern: str) -> Iterator[Line]:
    table = "read_parquet($path, hive_partitioning = false)"
    columns = database.execute(f"describe select * from {table}", {"path": pattern}).fetchall()
    wanted = ", ".join(_column_expression(name, kind) for name, kind, *_ in columns)
    found = database.execute(f"select {wanted} from {table}", {"path": pattern})
    number = 0
    while batch := found.fetchmany(500):
        for values in batch:
            number += 1
            cells = []
            for value, (name, *_) in zip(values, columns, strict=True):
                try:
                    cells.append(json_value(value))
                except ValueError as error:
                    cells.append(None)
                    yield ["wrong", str(error), "write a number or a text", number, name]
            yield [number, cells]


def _column_expression(name: str, kind: str) -> str:
    column = '"' + name.replace('"', '""') + '"'
    # A time with a zone is read as text, in UTC: as an object it would need a library that is not installed.
    zoned = "TIMESTAMP WITH TIME ZONE"
    if kind == zoned:
        return f"replace({column}::VARCHAR, ' ', 'T')"
    return f"{column}::{kind.replace(zoned, 'VARCHAR')}" if zoned in kind else column
