"""A mean over scales of different length, each brought to 0 to 1, and the share of entries that were reached."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from pydantic import Field

from assay.derivations import MISSING, Derivation, DerivationInput, EarlierName, Missing, Weight
from assay.kinds import Settings
from assay.model import Value


class Ratio(Settings):
    """The share of entries that were answered with the top value."""

    of: EarlierName = Field(description="The dimension that is asked of each entry.")
    weight: float = Field(default=1.0, gt=0, description="Its weight beside the others.")
    empty: Literal["leave_out", "undefined", "zero"] = Field(
        default="leave_out", description="When there is no entry: compute without it, nothing at all, or with 0."
    )


class NormalisedMean(Derivation):
    """A weighted mean of dimensions, each brought to 0 to 1 by its own scale, and of the share of entries reached.

    An entry that somebody could not judge (or that was dropped) is left out of the share.
    """

    kind: ClassVar[str] = "normalised_mean"
    example: ClassVar[Any] = {
        "of": {"plan": 1.0, "safety": 2.0},
        "ratio": {"of": "goal", "weight": 1.0, "empty": "leave_out"},
        "missing": "undefined",
    }

    of: dict[EarlierName, Weight] = Field(min_length=1, description="Each dimension with its weight.")
    ratio: Ratio | None = Field(default=None, description="The share of entries that were reached.")
    missing: Missing = MISSING

    def uses(self) -> Iterator[str]:
        yield from self.of
        if self.ratio is not None:
            yield self.ratio.of

    def compute(self, given: DerivationInput) -> Value:
        total = weights = 0.0
        for name, weight in self.of.items():
            numbers = given.numbers(name)
            if numbers:
                scale = given.questions[name]
                total += weight * ((sum(numbers) / len(numbers) - scale.low) / (scale.high - scale.low))
                weights += weight
            elif self.missing == "undefined":
                return None
        if self.ratio is not None:
            share = self._share(self.ratio, given)
            if share is None and self.ratio.empty == "undefined":
                return None
            if share is not None or self.ratio.empty == "zero":
                total += self.ratio.weight * (share or 0.0)
                weights += self.ratio.weight
        return total / weights if weights else None

    @staticmethod
    def _share(ratio: Ratio, given: DerivationInput) -> float | None:
        numbers = given.numbers(ratio.of)
        top = given.questions[ratio.of].high
        return sum(number == top for number in numbers) / len(numbers) if numbers else None
