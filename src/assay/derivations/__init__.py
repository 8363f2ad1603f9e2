"""Derived values: the kinds of computation that turn answers into a score. One file each.

They are computed on the server when a submission is stored, kept beside the judgments, and not shown while judging.
After the submission the annotator sees those that the study lets them see (`show: after_submit`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from assay.kinds import DERIVATIONS, Family, KindSettings, Reference
from assay.model import Value

Missing = Literal["undefined", "leave_out"]

Number = int | float
EarlierName = Annotated[
    str,
    Reference(("dimension", "derived value"), "there is neither a dimension {name!r} nor a value derived before"),
]
"""What a value can be computed from: a dimension, or a value that is derived before it."""
Weight = Annotated[float, Field(gt=0)]


@dataclass(frozen=True)
class Range:
    """The ends of the scale of a dimension."""

    low: float
    high: float


@dataclass(frozen=True)
class DerivationInput:
    """The answers that a value is derived from, by dimension: one for the item, or one for each entry."""

    answers: Mapping[str, tuple[Value, ...]]
    derived: Mapping[str, Value]
    questions: Mapping[str, Range]

    def numbers(self, name: str) -> list[Number]:
        """The numeric answers to a dimension, or the number derived before. Answers "cannot judge" are left out."""
        values = (self.derived[name],) if name in self.derived else self.answers.get(name, ())
        return [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]

    def count(self, name: str) -> int | None:
        """The number of tags that were ticked, or the number on a scale; None where there is no answer."""
        values = [value for value in self.answers.get(name, ()) if value is not None and not isinstance(value, str)]
        if not values:
            return None
        return sum(
            len(value) if isinstance(value, list) else int(value) for value in values if not isinstance(value, str)
        )


class Derivation(KindSettings):
    """A way to compute a value from answers. Fields of a subclass are its study-file keys."""

    family: ClassVar[Family[Any]] = DERIVATIONS
    example: ClassVar[Any]
    """Settings as the study file has them, with every key of the kind, for the reference and for tests."""

    takes: ClassVar[tuple[str, ...]] = ("number",)
    """The types of answers that it can compute from: numbers, or lists of tags too."""

    def uses(self) -> Iterator[str]:
        """The dimensions, and values derived before, that it is computed from."""
        raise NotImplementedError

    def weights(self) -> Mapping[str, float] | None:
        """Weights that should sum to 1, if it has any."""
        return None

    def compute(self, given: DerivationInput) -> Value:
        """The value, or None where it is undefined."""
        raise NotImplementedError


MISSING: Any = Field(
    default="undefined",
    description="When an answer is missing: `undefined` makes the value undefined, `leave_out` computes without it.",
)
