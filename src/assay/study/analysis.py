"""The part of the study file that says what the report computes, and what is watched."""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from assay.kinds import MONITORS, STATISTICS, Many, Settings
from assay.problems import wrong
from assay.study.parts import LATER, Name, refuse_nothing
from assay.study.plan import Pilot


class Agreement(Settings):
    """Which coefficient counts, and from where on."""

    coefficient: str = Field(default="krippendorff_alpha_ordinal", description="The coefficient shown first.")
    at_least: float | None = Field(default=None, ge=-1, le=1, description="The value that the study asks for.")

    @model_validator(mode="after")
    def _known_coefficient(self) -> Self:
        if self.coefficient not in STATISTICS:
            raise wrong(
                f"there is no coefficient {self.coefficient!r}",
                f"write one of: {', '.join(STATISTICS)}",
                "coefficient",
            )
        return self


class Monitors(Settings):
    """Which monitors watch, with their thresholds."""

    @model_validator(mode="after")
    def _something(self) -> Self:
        refuse_nothing(self, self.model_fields_set)
        return self

    def chosen(self) -> dict[str, Any]:
        """The monitors that are set, by name."""
        return {name: monitor for name in MONITORS if (monitor := getattr(self, name, None)) is not None}


class Exclusion(Settings):
    """Judgments that the report computes without, beside the result with them. Nothing is deleted."""

    annotators: Literal["failed_controls", "too_fast", "no_variation", "unfinished"] = Field(
        description="Which annotators."
    )
    at_least: float | None = Field(default=None, ge=0, description="From which number or share on, where it has one.")
    reason: str = Field(default="", description="Why, for the report.")


class Comparison(Settings):
    """Systems compared on some dimensions."""

    on: Many[Name] = Field(default=(), description="The dimensions; left out: all that are scored.")
    systems: Many[str] = Field(default=(), description="The systems; left out: all, each with each.")
    correction: Literal["holm", "bonferroni", "none"] = Field(
        default="holm", description="How several tests at once are corrected for."
    )


class Analysis(Settings):
    """What the report computes."""

    agreement: Agreement = Field(default=Agreement.model_construct(), description="Agreement between annotators.")
    monitors: Monitors = Field(default=Monitors(), description="What is watched while the work goes on.")
    pilot: Pilot | None = Field(
        default=None, description="What a pilot has to show before the main part opens." + LATER
    )
    exclude: Many[Exclusion] = Field(default=(), description="What is left out, beside the result with it." + LATER)
    compare: Many[Comparison] = Field(default=(), description="Which systems are compared, on what." + LATER)
    adjudicate_above: float | None = Field(
        default=None,
        gt=0,
        description="The standard deviation (n - 1) above which an item is talked over again." + LATER,
    )
