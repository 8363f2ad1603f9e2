"""Stage 6: judgments -> flags. A monitor raises doubts with evidence; it never deletes anything."""

from collections.abc import Sequence
from typing import Any, ClassVar

from assay.kinds import MONITORS, Family, KindSettings
from assay.model import Flag, Judgment
from assay.study.schema import Study


class Monitor(KindSettings):
    """Watches judgments and raises flags. Its fields are its thresholds in the study file."""

    family: ClassVar[Family[Any]] = MONITORS

    def flags(self, study: Study, judgments: Sequence[Judgment]) -> list[Flag]:
        """The doubts that these judgments give rise to, each with its reason."""
        raise NotImplementedError


def find_flags(study: Study, judgments: Sequence[Judgment]) -> list[Flag]:
    """Every flag that the study's monitors raise."""
    monitors = study.analysis.monitors.chosen().values()
    return [flag for monitor in monitors for flag in monitor.flags(study, judgments)]
