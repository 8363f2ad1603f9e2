"""How many items there are."""

from dataclasses import dataclass
from typing import ClassVar

from assay.report.figures import Figure, FigureData, Nothing, Part, Table


@dataclass(frozen=True, slots=True)
class ItemsFigureNumbers:
    """The number of items."""

    n: int


class ItemsFigure(Figure[ItemsFigureNumbers]):
    """How many items there are."""

    kind: ClassVar[str] = "items"
    rank: ClassVar[int] = 99
    part: ClassVar[Part] = "moving"
    question: ClassVar[str] = "How many items are there?"

    def numbers(self, data: FigureData) -> ItemsFigureNumbers | Nothing:
        return ItemsFigureNumbers(data.report.items)

    def caption(self, numbers: ItemsFigureNumbers) -> str:
        return f"Items, n = {numbers.n}."

    def table(self, numbers: ItemsFigureNumbers) -> Table:
        return ("Items",), [[numbers.n]]
