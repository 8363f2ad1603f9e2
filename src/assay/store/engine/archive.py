"""A backup is one SQLite file, whichever database it was made from: the tables, and beside them what they must hold.

Its table `backup` says for every other table how many rows it has and what their digest is, so a copy that was changed
or damaged since is found out before anything is restored from it.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.pool import NullPool

from assay.errors import StoreError

MANIFEST = "backup"
VERSION = "alembic_version"
AT_A_TIME = 1000
WHOLE = 1 << 128

Row = tuple[Any, ...]
Show = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Content:
    """What a table holds: how many rows, and a digest of them that does not depend on their order."""

    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds."""

    schema: str
    made_at: int
    program: str
    tables: dict[str, Content]

    @property
    def rows(self) -> int:
        """How many rows there are in all."""
        return sum(each.rows for each in self.tables.values())


class Digest:
    """A digest of rows that does not depend on their order."""

    def __init__(self) -> None:
        self.rows = self._sum = 0

    def add(self, row: Row) -> None:
        """Take in one row."""
        self.rows += 1
        said = repr(row).encode("utf-8", "surrogatepass")
        self._sum += int.from_bytes(hashlib.blake2b(said, digest_size=16).digest())

    @property
    def content(self) -> Content:
        """What has come in so far."""
        return Content(self.rows, f"{self._sum % WHOLE:032x}")


def plain(row: Sequence[Any]) -> Row:
    """A row as both databases hold it: true and false are 1 and 0."""
    return tuple(int(value) if value is True or value is False else value for value in row)


def table_names(connection: Connection) -> list[str]:
    """The tables with data, in order of their names."""
    return sorted(set(inspect(connection).get_table_names()) - {VERSION, MANIFEST})


def columns_of(connection: Connection, table: str) -> list[str]:
    """The columns of a table in order of their names: the order in the database may be an accident."""
    return sorted(str(column["name"]) for column in inspect(connection).get_columns(table))


def rows_of(connection: Connection, table: str, columns: Sequence[str]) -> Iterator[Row]:
    """Every row of a table, without gathering them."""
    quote = connection.dialect.identifier_preparer.quote
    statement = f"select {', '.join(map(quote, columns))} from {quote(table)}"
    yield from map(plain, connection.execution_options(yield_per=AT_A_TIME).exec_driver_sql(statement))


def content_of(connection: Connection, show: Show = lambda _: None) -> dict[str, Content]:
    """What every table holds."""
    found: dict[str, Content] = {}
    before = 0
    for table in table_names(connection):
        digest = Digest()
        for row in rows_of(connection, table, columns_of(connection, table)):
            digest.add(row)
            if digest.rows % AT_A_TIME == 0:
                show(before + digest.rows)
        before += digest.rows
        found[table] = digest.content
    return found


def connect_to(path: Path, *, read_only: bool = True) -> Connection:
    """A connection to a SQLite file of our own that nobody else uses."""
    mode = "?mode=ro&uri=true" if read_only else ""
    quoted = str(path.resolve()).replace("%", "%25").replace("?", "%3f").replace("#", "%23") if read_only else path
    address = f"sqlite:///{'file:' if read_only else ''}{quoted}{mode}"
    engine = create_engine(address, poolclass=NullPool, connect_args={"isolation_level": None}, hide_parameters=True)
    return engine.connect().execution_options(isolation_level="AUTOCOMMIT")


def write_manifest(connection: Connection, manifest: Manifest) -> None:
    """Keep what the archive holds in the archive."""
    connection.exec_driver_sql(f"create table {MANIFEST} (manifest text not null)")
    connection.exec_driver_sql(f"insert into {MANIFEST} values (?)", (json.dumps(asdict(manifest)),))


def read_manifest(connection: Connection) -> Manifest | None:
    """What an archive says that it holds; None where it is no archive."""
    if not inspect(connection).has_table(MANIFEST):
        return None
    try:
        said = json.loads(connection.exec_driver_sql(f"select manifest from {MANIFEST}").scalar_one())
        tables = {name: Content(**each) for name, each in said.pop("tables").items()}
        return Manifest(**said, tables=tables)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise StoreError("the backup's list of contents is damaged", "take another backup") from None


def differences(wanted: dict[str, Content], found: dict[str, Content]) -> list[str]:
    """In words, which tables do not hold what they should."""
    said = []
    for table in sorted({*wanted, *found}):
        one, other = wanted.get(table), found.get(table)
        if one is None or other is None:
            said.append(f"{table}: {'not expected' if one is None else 'is not there'}")
        elif one.rows != other.rows:
            said.append(f"{table}: {other.rows} rows instead of {one.rows}")
        elif one.digest != other.digest:
            said.append(f"{table}: the same number of rows, but other content")
    return said


def file_faults(connection: Connection, most: int = 100) -> list[str]:
    """What SQLite itself finds wrong with a file."""
    try:
        said = [str(row[0]) for row in connection.exec_driver_sql(f"pragma integrity_check({most})")]
        lost = list(connection.exec_driver_sql("pragma foreign_key_check"))
    except Exception as error:
        if not is_damage(error):
            raise
        return [str(getattr(error, "orig", error))]
    found = [] if said == ["ok"] else said
    return found + [f"{row[0]}, row {row[1]}: what it refers to in {row[2]} is not there" for row in lost[:most]]


def is_damage(error: BaseException) -> bool:
    """Whether it is the database file that is wrong, and not the program."""
    cause = getattr(error, "orig", error)
    if isinstance(cause, sqlite3.DatabaseError | UnicodeDecodeError):
        return True
    return isinstance(error, StoreError) and error.__cause__ is not None and is_damage(error.__cause__)
