"""The order of texts: as Python has it, on every database and whatever language that was set up for."""

from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class by_code(FunctionElement[str]):
    """A text to sort by. SQLite compares letters by their numbers, as Python does; PostgreSQL has to be told."""

    inherit_cache = True


@compiles(by_code)
def _as_it_is(element: by_code, compiler: Any, **more: Any) -> str:
    return str(compiler.process(element.clauses, **more))


@compiles(by_code, "postgresql")
def _compile_for_postgres(element: by_code, compiler: Any, **more: Any) -> str:
    return f'{compiler.process(element.clauses, **more)} COLLATE "C"'
