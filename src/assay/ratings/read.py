"""A file of judgments in any common format -> a table.

CSV, TSV and Parquet are read by DuckDB, straight into arrays. Whatever that cannot take is read row by row, and so is
every other format: slower, and with words for each mistake.
"""

from pathlib import Path

from assay.errors import AssayError, Mistake
from assay.items import Options
from assay.ratings.duckdb_reader import read_by_duckdb
from assay.ratings.row_reader import read_by_row
from assay.ratings.table import TableFile, TableMistakes

FORMATS = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json", ".xlsx", ".parquet")
BY_DUCKDB = (".csv", ".tsv", ".tab", ".parquet")


def read_table(path: Path, sheet: str = "") -> TableFile:
    """The table in a file.

    Raises:
        AssayError: There is no such file, or none of a known kind.
        TableMistakes: What is wrong in it, with locations.
    """
    if not path.is_file():
        raise AssayError(f"there is no file {path}", "give the path of a table of judgments")
    if path.suffix.lower() not in FORMATS:
        raise AssayError(f"{path.name}: this kind of file cannot be read", f"known endings: {', '.join(FORMATS)}")
    if path.stat().st_size == 0:
        raise TableMistakes([Mistake(path.name, "the file is empty", "a table has a row of names and then judgments")])
    if path.suffix.lower() in BY_DUCKDB:
        table = read_by_duckdb(path)
        if table is not None:
            return table
    return read_by_row(path, Options(sheet=sheet, nameless=True))
