"""Frozen types by the million, most of whose values many instances share: shared values are stored once."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

from assay.frozen_maker import maker_of, open_type

T = TypeVar("T")


def held_once(*own: str) -> Callable[[type[T]], type[T]]:
    """Have instances of a frozen type keep only some fields themselves, and the others in an object that they share.

    Making, reading, comparing and replacing work as before. `many_of` makes instances that share.

    >>> from dataclasses import make_dataclass, replace
    >>> Line = held_once("text")(make_dataclass("Line", ["file", "text"], frozen=True))
    >>> one, other = many_of(Line)({"file": "a.txt"}, [("first",), ("second",)])
    >>> one == Line("a.txt", "first"), replace(other, file="b.txt"), one.together is other.together
    (True, Line(file='b.txt', text='second'), True)
    """

    def change(kind: type[T]) -> type[T]:
        names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
        shared = [name for name in names if name not in own]

        def init(self: T, *values: Any, **named: Any) -> None:
            whole = kind(*values, **named)
            for name, value in zip(slots, [whole, *(getattr(whole, name) for name in own)], strict=True):
                object.__setattr__(self, name, value)

        def reduce(self: T) -> tuple[Any, ...]:
            return changed, tuple(getattr(self, name) for name in names)

        slots = ("together", *own)
        kept = {name: each for name, each in vars(kind).items() if name not in ("__dict__", "__weakref__", *names)}
        read_through = {name: property(attrgetter(f"together.{name}")) for name in shared}
        changed = type(kind.__name__, kind.__bases__, {**kept, **read_through, "__slots__": slots})
        changed.__init__, changed.__reduce__ = init, reduce  # type: ignore[method-assign, assignment, misc]
        return changed

    return change


def many_of(kind: type[T]) -> Callable[[Mapping[str, Any], Iterable[Iterable[Any]]], Iterator[T]]:
    """A factory of instances that share: from the shared values, by name, and from what each has of its own."""
    _, *own = kind.__slots__  # type: ignore[attr-defined]
    shared = [(each.name, each.default) for each in fields(kind) if each.name not in own]  # type: ignore[arg-type]
    hold, make = open_type(f"Shared{kind.__name__}", [name for name, _ in shared]), maker_of(kind)

    def many(values: Mapping[str, Any], each_own: Iterable[Iterable[Any]]) -> Iterator[T]:
        together = hold(*(values.get(name, default) for name, default in shared))
        for mine in each_own:
            yield make(together, *mine)

    return many
