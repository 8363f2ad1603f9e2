"""When a calibration is passed, by dimension; `acts/attempt_result.py` decides about a whole attempt by it."""

from typing import Self

from pydantic import Field, model_validator

from assay.kinds import STATISTICS, Settings
from assay.mistakes import mistake

EXACT = 1e-9
"""Tolerance for rounding where a coefficient is compared with its threshold."""


class PassRule(Settings):
    """When a calibration is passed: by differences from the reference, or by agreement with it."""

    max_difference: int | None = Field(default=None, ge=0, description="A larger difference counts as far apart.")
    except_: int = Field(
        default=0, ge=0, alias="except", description="On how many items of a dimension this may happen."
    )
    at_least: float | None = Field(default=None, ge=-1, le=1, description="Or: the least agreement with the reference.")
    coefficient: str = Field(default="cohen_kappa_linear", description="By which coefficient.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.max_difference is None) == (self.at_least is None):
            raise mistake("it is not clear when this is passed", "write either max_difference or at_least")
        if self.coefficient not in STATISTICS:
            known = ", ".join(STATISTICS)
            raise mistake(f"there is no coefficient {self.coefficient!r}", f"write one of: {known}", "coefficient")
        return self

    def holds(self, compared: int, far: int, missing: int, agreement: float | None) -> bool:
        """Whether one dimension is passed. Without data it is not, and what was not answered counts as far apart.

        Args:
            compared: How many answers stand beside a reference.
            far: On how many items one of them is further away than `max_difference`.
            missing: How many items have no answer beside the reference.
            agreement: The coefficient, or None where it is undefined.
        """
        if compared == 0:
            return False
        if self.max_difference is not None:
            return far + missing <= self.except_
        enough = agreement is not None and self.at_least is not None and agreement >= self.at_least - EXACT
        return enough and missing <= self.except_
