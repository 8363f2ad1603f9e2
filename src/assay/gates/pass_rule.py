"""The pass rule of a gate with items, as the study file writes it. `acts/attempt_result.py` decides by it."""

from typing import Self

from pydantic import Field, model_validator

from assay.kinds import STATISTICS, Settings
from assay.mistakes import mistake


class PassRule(Settings):
    """When a calibration is passed: by differences from the reference, or by agreement with it."""

    max_difference: int | None = Field(default=None, ge=0, description="A larger difference counts as far apart.")
    except_: int = Field(default=0, ge=0, alias="except", description="On so many items of a dimension it may happen.")
    at_least: float | None = Field(default=None, ge=-1, le=1, description="Or: agreement with the reference.")
    coefficient: str = Field(default="cohen_kappa_linear", description="By which coefficient.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.max_difference is None) == (self.at_least is None):
            raise mistake("it is not clear when this is passed", "write either max_difference or at_least")
        if self.coefficient not in STATISTICS:
            known = ", ".join(STATISTICS)
            raise mistake(f"there is no coefficient {self.coefficient!r}", f"write one of: {known}", "coefficient")
        return self
