"""The order of the item file, from its end."""

from collections.abc import Sequence
from typing import ClassVar

from assay.assignment import OpenItem, Order


class BackwardsOrder(Order):
    """The order of the item file, from its end."""

    kind: ClassVar[str] = "backwards"
    balanced: ClassVar[bool] = False

    def rank(self, candidates: Sequence[OpenItem], start: int) -> list[OpenItem]:
        return sorted(candidates, key=lambda each: -each.item)
