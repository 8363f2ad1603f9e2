"""CSV, TSV and Parquet by DuckDB: it encodes columns as integers, so that no row is ever a Python object."""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from assay.errors import Mistake
from assay.items import Mistakes, Options, UnreadableText, text_lines
from assay.items.csv import is_usable_header, name_columns
from assay.ratings.row_reader import read_by_row
from assay.ratings.table import Columns, TableFile, TableMistakes
from assay.statistics.arrays import Ints, np
from assay.statistics.factors import Factor

SCALAR_TYPES = {"VARCHAR", "BOOLEAN", "DATE", "TIME", "UUID", "FLOAT", "DOUBLE"}
SCALAR_TYPES |= {f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG", "HUGE")}
SCALAR_TYPES |= {"INTEGER", "UINTEGER"}
WHITE = " \t\r\n\v\f\u00a0\u2003\u3000"
"""What is taken away around a text: the blanks that keyboards and spreadsheets make."""
MANY_NAMES = 100_000
"""Above so many names a column is taken as ids, which need no order."""


class LazyNames(Sequence[str]):
    """The names of a long column, looked up one at a time: only messages need them."""

    def __init__(self, database: Any, table: str, count: int) -> None:
        self._database, self._table, self._count = database, table, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: Any) -> Any:
        [(name,)] = self._database.execute(f"select v from {self._table} where rowid = ?", [int(number)]).fetchall()
        return name

    def __iter__(self) -> Iterator[str]:
        found = self._database.execute(f"select v from {self._table} order by rowid").fetchall()
        return (name for (name,) in found)


def read_by_duckdb(path: Path) -> TableFile | None:
    """The table in a CSV, TSV or Parquet file, or None where the other reader has to say what is wrong."""
    import duckdb

    try:
        database = _open(duckdb, path)
        if path.suffix.lower() == ".parquet":
            names, chosen = _parquet_columns(database, path)
        else:
            found = _text_columns(path)
            if found is None:
                return None
            names, chosen = found
        table = _DuckdbTable(database, path, chosen)
        [(some,)] = database.execute(f"select count(*) from (select 1 from {table.source} limit 1)").fetchall()
        return TableFile(path, names, table.take_or_reread, table.locations) if some else None
    except duckdb.Error:
        return None


def _open(duckdb: Any, path: Path) -> Any:
    """A database in memory that sees this file and no other, and loads nothing."""
    loads = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    database = duckdb.connect(":memory:", config={"temp_directory": "", "allow_community_extensions": False, **loads})
    database.execute("set TimeZone = 'UTC'")
    database.execute("set enable_progress_bar = false")
    database.execute(f"set allowed_paths = [{_sql_text(str(path.resolve()))}, {_sql_path(path)}]")
    database.execute("set enable_external_access = false")
    database.execute("set lock_configuration = true")
    return database


def _sql_path(path: Path) -> str:
    # DuckDB takes a path as a glob pattern; in brackets a special character means only itself.
    return _sql_text(re.sub(r"[*?\[]", r"[\g<0>]", str(path.resolve())))


def _sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _parquet_columns(database: Any, path: Path) -> tuple[list[str], dict[str, str]]:
    source = f"read_parquet({_sql_path(path)}, hive_partitioning = false, file_row_number = true)"
    columns = database.execute(f"describe select * from {source}").fetchall()
    chosen, names = {}, []
    for written, kind, *_ in columns:
        name = written.strip() if written.strip() and written.strip() not in names else written
        names.append(name)
        column = '"' + written.replace('"', '""') + '"'
        if kind in ("FLOAT", "DOUBLE"):
            # 4.0 is 4, as in every other format; what is not a number is no judgment.
            whole = f"{column} = trunc({column}) and abs({column}) < 9007199254740992"
            text = f"case when {whole} then ({column}::bigint)::varchar else {column}::varchar end"
            column = f"case when isnan({column}) then null else {text} end"
        elif kind == "VARCHAR":
            pass
        elif kind in SCALAR_TYPES or kind.startswith(("DECIMAL", "TIMESTAMP", "ENUM")):
            column = f"{column}::varchar"
        else:
            continue
        chosen[name] = column
    chosen.pop("file_row_number")
    return [name for name in names if name != "file_row_number"], {"": source, **chosen}


def _text_columns(path: Path) -> tuple[list[str], dict[str, str]] | None:
    sign = _delimiter(path)
    try:
        first = next(csv.reader(text_lines(path), strict=True, delimiter=sign), None)
    except (UnreadableText, csv.Error):
        return None
    if first is None or len(first) < 2:
        return None
    header = [name.strip() for name in name_columns(first)]
    if not is_usable_header(header, Mistakes(path)):
        return None
    columns = ", ".join(f"'c{number}': 'VARCHAR'" for number in range(len(header)))
    dialect = f"""delim = {_sql_text(sign)}, quote = '"', escape = '"', header = true, auto_detect = false"""
    source = f"read_csv({_sql_path(path)}, columns = {{{columns}}}, {dialect}, max_line_size = 16000000)"
    return header, {"": source, **{name: f"c{number}" for number, name in enumerate(header)}}


def _trim(column: str) -> str:
    """A text without white space around it; nothing where there is nothing else."""
    return f"nullif(trim({column}, {_sql_text(WHITE)}), '')"


def _delimiter(path: Path) -> str:
    return "," if path.suffix.lower() == ".csv" else "\t"


class _DuckdbTable:
    """The columns of a file that the database reads."""

    def __init__(self, database: Any, path: Path, chosen: dict[str, str]) -> None:
        self.database, self.path = database, path
        self.source = chosen.pop("")
        self.chosen = chosen

    def take_or_reread(self, names: Sequence[str], lists: bool = False) -> Columns:
        """Some columns; where the database fails in the middle of the file, the other reader says why."""
        import duckdb

        try:
            return self.take(names)
        except duckdb.Error:
            return read_by_row(self.path, Options(nameless=True)).take(names, lists)

    def locations(self) -> Sequence[int | str]:
        """Where each row stands: Parquet has nothing but rows, text has a header and perhaps blank lines."""
        if self.path.suffix.lower() == ".parquet":
            return range(1, 2**62)
        lines = csv.reader(text_lines(self.path), delimiter=_delimiter(self.path))
        return [number for number, cells in enumerate(lines, start=1) if cells][1:]

    def take(self, names: Sequence[str]) -> Columns:
        """Some columns as numbers."""
        for name in names:
            if name not in self.chosen:
                what = f"the column {name!r} holds neither texts nor numbers"
                raise TableMistakes([Mistake(self.path.name, what, "name another column")])
        picked = [f"{self.chosen[name]} as k{number}" for number, name in enumerate(names)]
        # Parquet is faster read again for each column than copied into a table; text is parsed once.
        kind, at = ("view", "file_row_number") if self.source.startswith("read_parquet") else ("table", "rowid")
        picked += [at] if kind == "view" else []
        self.database.execute(f"create or replace temp {kind} taken as select {', '.join(picked)} from {self.source}")
        factors = [self._names_of(number) for number in range(len(names))]
        codes = ", ".join(f"w{number}.code as k{number}" for number in range(len(names)))
        joins = " ".join(f"left join w{number} on w{number}.written = taken.k{number}" for number in range(len(names)))
        found = self.database.execute(f"select taken.{at} as at, {codes} from taken {joins}").fetchnumpy()
        columns = {
            name: Factor(_without_mask(found[f"k{number}"]), factors[number]) for number, name in enumerate(names)
        }
        return Columns(columns, found["at"])

    def _names_of(self, number: int) -> Sequence[str]:
        """Number the distinct values of a column by their row in a table of them, sorted unless they are very many.

        White space is trimmed once for each distinct value, and not in every row: table `w` has the number of each.
        """
        run = self.database.execute
        written = f"select distinct k{number} as written from taken where k{number} is not null"
        run(f"create or replace temp table t{number} as select written, {_trim('written')} as v from ({written})")
        [(changed,)] = run(f"select count(*) from t{number} where v is distinct from written").fetchall()
        names = f"select distinct v from t{number} where v is not null" if changed else f"select v from t{number}"
        run(f"create or replace temp table n{number} as {names}")
        [(count,)] = run(f"select count(*) from n{number}").fetchall()
        many = count > MANY_NAMES
        if not many:
            run(f"create or replace temp table n{number} as select v from n{number} order by v")
        numbered = f"select v as written, rowid::integer as code from n{number}"
        if changed:
            numbered = f"select written, n{number}.rowid::integer as code from t{number} join n{number} using (v)"
        run(f"create or replace temp table w{number} as {numbered}")
        if many:
            return LazyNames(self.database, f"n{number}", count)
        return [name for (name,) in run(f"select v from n{number} order by rowid").fetchall()]


def _without_mask(codes: Any) -> Ints:
    filled: Ints = codes.filled(-1) if isinstance(codes, np.ma.MaskedArray) else codes
    return filled
