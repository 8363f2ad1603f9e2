"""Where the variance of judgments lies: a generalisability study of items, annotators and systems."""

from dataclasses import dataclass
from typing import ClassVar

from assay.report.data import Data
from assay.report.sections import Section
from assay.report.variance import DimensionVariance, variances_of


@dataclass(frozen=True, slots=True)
class VarianceNumbers:
    """Where the variance lies, on every dimension."""

    dimensions: list[DimensionVariance]


class VarianceSection(Section[VarianceNumbers]):
    """Where the variance of judgments lies: a generalisability study of items, annotators and systems."""

    kind: ClassVar[str] = "variance"
    rank: ClassVar[int] = 27
    title: ClassVar[str] = "Where does the variance lie?"
    figures: ClassVar[tuple[str, ...]] = ("variance",)

    def numbers(self, data: Data) -> VarianceNumbers:
        return VarianceNumbers(variances_of(data))

    def lines(self, numbers: VarianceNumbers) -> list[str]:
        return [line for each in numbers.dimensions for line in each.in_words()]
