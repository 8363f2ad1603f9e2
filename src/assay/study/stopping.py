"""The part `analysis.stop_when` of the study file: when enough was judged, declared before anything is."""

from collections.abc import Collection
from typing import Literal, Self

from pydantic import Field, model_validator

from assay.kinds import Settings
from assay.mistakes import mistake
from assay.study.field_types import AnalysedDimensions

EQUIVALENCE, NON_INFERIORITY = "equivalence", "non_inferiority"
"""What is held against a margin: that systems do not differ by it, or that the first is not worse by it."""


class StopRule(Settings):
    """When a study has judged enough: every pair of systems is settled, by any of the conditions that stand here."""

    difference_shown: bool = Field(
        default=False, description="A pair is settled when it is shown that its systems differ."
    )
    equivalence_shown: bool = Field(
        default=False,
        description="A pair is settled when no difference as large as the margin of its comparison is left (with "
        "`show: non_inferiority`: when the first is not worse by as much).",
    )
    narrower_than: float | None = Field(
        default=None,
        gt=0,
        description="A pair is settled when the interval of its difference is narrower than this, in points; where "
        "nothing is compared, the interval of each mean.",
    )
    narrower_than_net: float | None = Field(
        default=None, gt=0, lt=2, description="The same for the interval of a net win rate."
    )
    on: AnalysedDimensions = Field(default=(), description="The dimensions that count; left out: all compared ones.")
    then: Literal["say", "pause", "close"] = Field(
        default="say",
        description="What follows. `say`: the dashboard, `assay status` and the API say so, and work goes on. `pause`, "
        "`close`: the study is paused or closed as well, and nothing further is given out.",
    )

    @model_validator(mode="after")
    def _refuse_no_condition(self) -> Self:
        if not (self.difference_shown or self.equivalence_shown or self.narrower_than or self.narrower_than_net):
            what = "a stopping rule without a condition is never reached"
            hint = "add difference_shown: true, equivalence_shown: true, narrower_than or narrower_than_net"
            raise mistake(what, hint)
        return self

    def in_words(self, shows: Collection[str]) -> str:
        """The rule in a sentence: what has to be so for every pair of systems; `shows` is what comparisons ask for."""
        conditions = [
            "a difference is shown" * self.difference_shown,
            "no difference as large as the margin is left" * (self.equivalence_shown and EQUIVALENCE in shows),
            "the first is not worse by the margin or more" * (self.equivalence_shown and NON_INFERIORITY in shows),
            f"its interval is narrower than {self.narrower_than:g} points" if self.narrower_than else "",
            f"its interval of the net win rate is narrower than {self.narrower_than_net:g}"
            if self.narrower_than_net
            else "",
        ]
        about = f", on {' and '.join(self.on)}" if self.on else ""
        return f"for every pair of systems{about}: {', or '.join(filter(None, conditions))}"
