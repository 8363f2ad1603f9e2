"""Stage 6: judgments -> flags. A monitor raises doubts with evidence; it never deletes anything."""

from typing import Any, ClassVar

from assay.kinds import MONITORS, Family, KindSettings
from assay.model import Fact, Flag
from assay.quality.work import Work

__all__ = ["Fact", "Monitor", "Work", "find_flags"]


class Monitor(KindSettings):
    """Watches work and raises flags. Its fields are its thresholds in the study file."""

    family: ClassVar[Family[Any]] = MONITORS

    def flags(self, work: Work) -> list[Flag]:
        """The doubts that this work gives rise to, one for an annotator at most, each with its reason."""
        raise NotImplementedError


def find_flags(work: Work) -> list[Flag]:
    """Every flag that the study's monitors raise."""
    monitors = work.study.analysis.monitors.chosen().values()
    return [flag for monitor in monitors for flag in monitor.flags(work)]
