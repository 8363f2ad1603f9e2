"""The part `rules` of the study file: what must hold between answers."""

from functools import cached_property
from typing import Literal, Self

from pydantic import Field, model_validator

from assay.kinds import Many, Settings
from assay.mistakes import mistake
from assay.study.expression import Tree, parse
from assay.study.field_types import DimensionName, DimensionNames, RuleExpression

FollowingValue = int | float | str | Many[str]
"""The answer that follows by a rule; of tags it may be a list."""


class Rule(Settings):
    """What must hold between answers: one of `required`, `allowed` and `value`."""

    required: DimensionNames | None = Field(
        default=None, description="The dimension, or dimensions, that must be answered."
    )
    allowed: RuleExpression | None = Field(
        default=None, description="Which answers of one dimension are allowed, such as `safety <= 2`."
    )
    value: dict[DimensionName, FollowingValue] | None = Field(
        default=None,
        description="Dimensions whose answer follows, each with that answer: a point, a name or a text; of tags one or "
        "a list of them.",
    )
    when: RuleExpression = Field(description="When: an expression over answers and shown fields.")
    message: str = Field(default="", description="What the annotator is told.")
    mode: Literal["refuse", "warn"] = Field(
        default="refuse", description="Whether answers that break the rule are refused, or taken after a warning."
    )

    @model_validator(mode="after")
    def _one_of_three(self) -> Self:
        given = [key for key in RULES if getattr(self, key) is not None]
        if len(given) != 1:
            what = f"{' and '.join(given)} stand together" if given else "the rule asks for nothing"
            raise mistake(what, f"write one of: {', '.join(RULES)}", needs=() if given else RULES)
        return self

    @cached_property
    def tree(self) -> Tree:
        """The parsed condition."""
        return parse(self.when)

    @cached_property
    def limits(self) -> Tree:
        """The parsed `allowed`."""
        return parse(self.allowed or "true")


RULES = ("required", "allowed", "value")
