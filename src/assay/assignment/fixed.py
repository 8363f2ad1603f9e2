"""The order of the item file, the same for everybody."""

from collections.abc import Sequence
from typing import ClassVar

from assay.assignment import OpenItem, Order


class FixedOrder(Order):
    """The order of the item file, the same for everybody."""

    kind: ClassVar[str] = "fixed"
    balanced: ClassVar[bool] = False

    def rank(self, candidates: Sequence[OpenItem], start: int) -> list[OpenItem]:
        return sorted(candidates, key=lambda each: each.item)
