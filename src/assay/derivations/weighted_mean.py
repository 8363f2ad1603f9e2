"""A mean with weights, such as an overall score that is computed and not asked."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar

from pydantic import Field

from assay.derivations import MISSING, Derivation, DerivationInput, EarlierName, Missing, Weight
from assay.model import Value


class WeightedMean(Derivation):
    """A mean of dimensions, each with its weight, such as an overall score that is computed and not asked.

    The weights should sum to 1; `assay check` warns where they do not. What is computed is divided by their sum.
    """

    kind: ClassVar[str] = "weighted_mean"
    example: ClassVar[Any] = {"of": {"coherence": 0.6, "fluency": 0.4}, "missing": "leave_out"}

    of: dict[EarlierName, Weight] = Field(min_length=1, description="Each dimension with its weight.")
    missing: Missing = MISSING

    def uses(self) -> Iterator[str]:
        yield from self.of

    def weights(self) -> Mapping[str, float]:
        return self.of

    def compute(self, given: DerivationInput) -> Value:
        found = [(weight, given.numbers(name)) for name, weight in self.of.items()]
        if self.missing == "undefined" and not all(numbers for _, numbers in found):
            return None
        # Weights are what the author wrote, 0.1 and not the binary number nearest to it: so 4.5 comes out as 4.5.
        parts = [(Fraction(str(weight)), _mean(numbers)) for weight, numbers in found if numbers]
        total = sum(weight for weight, _ in parts)
        return float(sum(weight * mean for weight, mean in parts) / total) if total else None


def _mean(numbers: list[int | float]) -> Fraction:
    return sum(map(Fraction, numbers), Fraction()) / len(numbers)
