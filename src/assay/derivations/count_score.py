"""A score that follows from how many faults were counted."""

from collections.abc import Iterator
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from assay.derivations import Derivation, DerivationInput, EarlierName
from assay.kinds import Many, Settings
from assay.mistakes import mistake
from assay.model import Value


class CountStep(Settings):
    """One line of the table: from this many on, this score."""

    counts: dict[EarlierName, int] = Field(
        min_length=1, description="The least count of each dimension; any one is enough."
    )
    score: int | float = Field(description="The score that follows.")


class CountScore(Derivation):
    """A score that follows from counts: ticks of tags, or numbers on a scale. The first step that is reached counts."""

    kind: ClassVar[str] = "count_score"
    example: ClassVar[Any] = {
        "steps": [
            {"counts": {"critical": 1, "moderate": 3}, "score": 0},
            {"counts": {"moderate": 1}, "score": 1},
        ],
        "otherwise": 2,
    }

    takes: ClassVar[tuple[str, ...]] = ("number", "list")

    steps: Many[CountStep] = Field(min_length=1, description="From the worst to the best.")
    otherwise: int | float = Field(description="The score when no step is reached.")

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        for index, step in enumerate(self.steps):
            for earlier in self.steps[:index]:
                if all(earlier.counts.get(name, least + 1) <= least for name, least in step.counts.items()):
                    raise mistake(
                        f"step {index + 1} is never reached: an earlier one covers it",
                        "order the steps from the highest counts to the lowest",
                        "steps",
                        index,
                    )
        return self

    def uses(self) -> Iterator[str]:
        for step in self.steps:
            yield from step.counts

    def compute(self, given: DerivationInput) -> Value:
        counts = {name: given.count(name) for name in self.uses()}
        if all(count is None for count in counts.values()):
            return None
        for step in self.steps:
            if any((counts[name] or 0) >= least for name, least in step.counts.items()):
                return step.score
        return self.otherwise
