"""What tests of `assay agree` share: files to read, and what it says of them."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest
import xlsxwriter


class Said(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out, parse_constant=lambda text: pytest.fail(f"{text} in JSON"))
        return found

    def coefficients(self, dimension: int = 0) -> dict[str, dict[str, Any]]:
        return {each["name"]: each for each in self.json["dimensions"][dimension]["coefficients"]}


Run = Callable[..., Said]


def write_csv(path: Path, rows: list[dict[str, str]], sign: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=sign)
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_xlsx(path: Path, rows: list[dict[str, str]], sheet: str = "Sheet1", typed: bool = True) -> Path:
    book = xlsxwriter.Workbook(str(path))
    page = book.add_worksheet(sheet)
    page.write_row(0, 0, list(rows[0]))
    for place, row in enumerate(rows, start=1):
        for column, cell in enumerate(row.values()):
            if typed and cell.isdecimal() and not cell.startswith("0"):
                page.write_number(place, column, int(cell))
            else:
                page.write_string(place, column, cell)
    book.close()
    return path


def write_parquet(path: Path, rows: list[dict[str, str]], types: str = "varchar, varchar, integer") -> Path:
    names = [f'"{name}" {kind}' for name, kind in zip(rows[0], types.split(", "), strict=True)]
    database = duckdb.connect()
    database.execute(f"create table judged ({', '.join(names)})")
    marks = ", ".join("?" for _ in names)
    database.executemany(f"insert into judged values ({marks})", [list(row.values()) for row in rows])
    database.execute(f"copy judged to '{path}'")
    return path


def mistake(said: Said) -> str:
    assert said.code in (1, 2)
    assert "Traceback" not in said.err
    assert said.out == ""
    return said.err
