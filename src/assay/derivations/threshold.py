"""One of two words for a number, by a threshold."""

from collections.abc import Iterator
from typing import Any, ClassVar

from pydantic import Field

from assay.derivations import Derivation, DerivationInput, EarlierName
from assay.model import Value


class Threshold(Derivation):
    """A word for a number, such as pass from 0.75 on."""

    kind: ClassVar[str] = "threshold"
    example: ClassVar[Any] = {"of": "success", "at_least": 0.75, "then": "pass", "otherwise": "fail"}

    of: EarlierName = Field(description="The value derived before, or the dimension, that is compared.")
    at_least: float = Field(description="From here on.")
    then: str = Field(default="pass", min_length=1, description="The word from there on.")
    otherwise: str = Field(default="fail", min_length=1, description="The word below.")

    def uses(self) -> Iterator[str]:
        yield self.of

    def compute(self, given: DerivationInput) -> Value:
        numbers = given.numbers(self.of)
        if not numbers:
            return None
        return self.then if sum(numbers) / len(numbers) >= self.at_least else self.otherwise
