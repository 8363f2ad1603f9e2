"""Stage 3: which item an annotator gets next. Pure: the store hands in candidates, chance comes from the seed."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple

from assay.kinds import ORDERS

WINDOW = 16
"""How many items are looked at when one is given out."""


class OpenItem(NamedTuple):
    """An item that still needs an annotator."""

    item: int
    lot: int
    """A number drawn by lot when it was imported: it orders items at random."""
    n_annotators: int
    """How many annotators have been given it."""
    group_number: int = 0
    """The number of the group of items that it comes together with."""
    pair: int = 0
    """The pair of systems that it compares."""
    tagged: bool = False
    """Whether its content is hard."""


class Order:
    """A rule for who gets what next. A subclass that names its `kind` is registered by existing."""

    kind: ClassVar[str]
    balanced: ClassVar[bool]
    """Whether the store offers the least judged items first, at random among equals, or all in the file's order."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        ORDERS.register(cls.kind, cls)

    def rank(self, candidates: Sequence[OpenItem], start: int) -> list[OpenItem]:
        """The candidates, best first. `start` is drawn anew for each annotator and each item they get."""
        raise NotImplementedError


def lot(seed: int, *parts: str) -> int:
    """A pseudo-random number of 63 bits: the same for the same seed and parts, on every machine and in every run."""
    text = "\x1f".join((str(seed), *parts))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def lots(seed: int, *parts: str) -> Callable[[object], int]:
    """The same for many that differ in their last part: what comes before it is hashed once.

    >>> lots(7, "item")("a") == lot(7, "item", "a")
    True
    """
    begun = blake2b("".join(f"{part}\x1f" for part in (seed, *parts)).encode(), digest_size=8)

    def lot_of(part: object) -> int:
        mine = begun.copy()
        mine.update(str(part).encode())
        return int.from_bytes(mine.digest(), "big") >> 1

    return lot_of
