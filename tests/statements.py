"""SQL is compiled once for all stores of a process, and not once for each: a test has a store of its own."""

from collections import defaultdict
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

_compiled: defaultdict[type, Any] = defaultdict(lambda: LRUCache(5000))


class _Shared:
    """What an engine has compiled: the same for each of its kind."""

    def __get__(self, engine: Engine, _: type) -> Any:
        return _compiled[type(engine.dialect)]

    def __set__(self, engine: Engine, own: Any) -> None:
        """An engine makes one of its own, which nobody asks for."""


def share() -> None:
    """Let engines of one kind of database find whatever another of them has compiled."""
    Engine._compiled_cache = _Shared()
    # A statement is found by its dialect too: one of a kind is like any other.
    DefaultDialect.__eq__ = lambda self, other: type(self) is type(other)
    DefaultDialect.__hash__ = lambda self: hash(type(self))
