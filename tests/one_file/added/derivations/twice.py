"""Twice a number."""

from collections.abc import Iterator
from typing import Any, ClassVar

from pydantic import Field

from assay.derivations import Derivation, DerivationInput, EarlierName
from assay.model import Value


class Twice(Derivation):
    """Twice a number."""

    kind: ClassVar[str] = "twice"
    example: ClassVar[Any] = {"of": "clarity"}

    of: EarlierName = Field(description="What is doubled.")

    def uses(self) -> Iterator[str]:
        yield self.of

    def compute(self, given: DerivationInput) -> Value:
        numbers = given.numbers(self.of)
        return 2 * numbers[0] if numbers else None
