"""An IN condition whose statement is the same for any number of values, so that it is compiled once."""

import json
from collections.abc import Collection
from typing import Any, ClassVar, Self

from sqlalchemy import BindParameter, Boolean, ColumnElement, Connection
from sqlalchemy.ext.compiler import compiles


class one_of(ColumnElement[bool]):
    """Whether a column has one of many values, which are given as `many` makes them; `none_of` is the opposite."""

    inherit_cache = False
    type = Boolean()
    words: ClassVar[dict[str, str]] = {"sqlite": "IN", "postgresql": "= ANY"}

    def __init__(self, column: ColumnElement[Any], values: BindParameter[Any]) -> None:
        self.column, self.values = column, values

    def self_group(self, against: Any = None) -> Self:
        """Itself. SQLAlchemy would compare it with true on SQLite, and then no index could be used."""
        return self

    @property
    def _from_objects(self) -> list[Any]:
        return self.column._from_objects


class none_of(one_of):
    """Whether a column has none of many values."""

    inherit_cache = False
    words: ClassVar[dict[str, str]] = {"sqlite": "NOT IN", "postgresql": "<> ALL"}


@compiles(one_of)
def _compile_one_of(element: one_of, compiler: Any, **more: Any) -> str:
    column, values = (compiler.process(each, **more) for each in (element.column, element.values))
    name = compiler.dialect.name
    listed = f"SELECT value FROM json_each({values})" if name == "sqlite" else values
    return f"{column} {element.words[name]} ({listed})"


def many(connection: Connection, values: Collection[Any]) -> Any:
    """Values as the parameter of the condition: JSON on SQLite, a list on PostgreSQL."""
    return json.dumps([*values]) if connection.dialect.name == "sqlite" else [*values]
