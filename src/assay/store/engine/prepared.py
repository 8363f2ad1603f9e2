"""Statements on the path of every request: compiled once for each database, then handed straight to the driver.

SQLAlchemy builds them, so that there is one set of tables and queries; running one costs what the driver costs.
"""

from collections import namedtuple
from collections.abc import Callable, Generator, Iterable, Mapping
from functools import cached_property
from itertools import count, islice
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.sql.expression import Executable

Arrange = Callable[[Mapping[str, Any]], Any]
"""How a driver takes named values."""
AT_ONCE = 2000
"""How many rows of a stream are fetched, or sent, together."""
NUMBERS = count()


class Prepared:
    """One statement with its named values."""

    def __init__(self, statement: Executable) -> None:
        self.statement: Any = statement
        self._compiled: dict[str, tuple[str, Arrange, dict[str, Any]]] = {}

    def row(self, connection: Connection, **values: Any) -> Any:
        """The first row of the answer, or None."""
        cursor = self._execute(connection, values)
        found = cursor.fetchone()
        cursor.close()
        return found

    def named_row(self, connection: Connection, **values: Any) -> Any:
        """The first row of the result as a named row, or None; for results with many columns."""
        found = self.row(connection, **values)
        return None if found is None else self.with_names(found)

    def named_rows(self, connection: Connection, **values: Any) -> list[Any]:
        """Every row of the answer with its columns by their names."""
        return [self.with_names(row) for row in self.rows(connection, **values)]

    def with_names(self, row: Iterable[Any]) -> Any:
        """A row of the answer with its columns by their names."""
        return self._type_of_rows(*row)

    @cached_property
    def _type_of_rows(self) -> type[tuple[Any, ...]]:
        return namedtuple("_Row", [column.key for column in self.statement.selected_columns])

    def rows(self, connection: Connection, **values: Any) -> list[Any]:
        """Every row of the answer."""
        cursor = self._execute(connection, values)
        found: list[Any] = cursor.fetchall()
        cursor.close()
        return found

    def stream(self, connection: Connection, **values: Any) -> Generator[Any]:
        """Every row of the answer, one by one as they come, however many there are."""
        text, arrange, constants = self._for(connection)
        if connection.dialect.name == "sqlite":
            cursor = _driver(connection).cursor()
        else:
            # PostgreSQL sends all rows together, unless they are asked for by a name.
            cursor = _driver(connection).cursor(f"assay_{next(NUMBERS)}")
            cursor.itersize = AT_ONCE
        try:
            cursor.execute(text, arrange({**constants, **values}))
            yield from cursor
        finally:
            cursor.close()

    def run(self, connection: Connection, **values: Any) -> int:
        """Execute the statement; returns how many rows it changed."""
        cursor = self._execute(connection, values)
        touched: int = cursor.rowcount
        cursor.close()
        return touched

    def run_many(self, connection: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
        """Execute the statement once for each set of values."""
        text, arrange, constants = self._for(connection)
        cursor = _driver(connection).cursor()
        values: Iterable[Mapping[str, Any]] = ({**constants, **row} for row in rows) if constants else rows
        given = map(arrange, values)
        if connection.dialect.name == "sqlite":
            cursor.executemany(text, given)
        else:
            # The driver waits for all of them as for one answer: what is much is not taken for silence.
            while some := list(islice(given, AT_ONCE)):
                cursor.executemany(text, some)
        cursor.close()

    def _execute(self, connection: Connection, values: dict[str, Any]) -> Any:
        text, arrange, constants = self._for(connection)
        if constants:
            values = {**constants, **values}
        return _driver(connection).execute(text, arrange(values))

    def _for(self, connection: Connection) -> tuple[str, Arrange, dict[str, Any]]:
        name = connection.dialect.name
        if name not in self._compiled:
            compiled = self.statement.compile(dialect=connection.dialect)
            order = list(compiled.positiontup) if compiled.positional else None
            constants = {key: bind.effective_value for bind, key in compiled.bind_names.items() if not bind.required}
            self._compiled[name] = (str(compiled), _arrange(order), constants)
        return self._compiled[name]


def _driver(connection: Connection) -> Any:
    return connection.connection.dbapi_connection


def _arrange(order: list[str] | None) -> Arrange:
    """Named values as a driver takes them: by their names, or in the order of a statement."""
    if order is None:
        return lambda values: values
    return itemgetter(*order) if len(order) > 1 else lambda values: [values[name] for name in order]
