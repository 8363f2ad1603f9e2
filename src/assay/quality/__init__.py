"""Stage 6: judgments -> flags. A monitor raises doubts with evidence; it never deletes anything."""

from typing import Any, ClassVar

from assay.kinds import MONITORS, Family, KindSettings
from assay.model import Fact, Flag
from assay.quality.monitor_data import MonitorData

__all__ = ["Fact", "Monitor", "MonitorData", "find_flags", "gravity"]


class Monitor(KindSettings):
    """Watches judgments and raises flags. Its fields are its thresholds in the study file."""

    family: ClassVar[Family[Any]] = MONITORS
    of_page: ClassVar[bool] = False
    """Whether it looks at how judgments were given on the page: of those from files it knows nothing."""

    looks_for_paste: ClassVar[bool] = False
    """Whether it wants to know that something was pasted into an answer."""

    gravity: ClassVar[int] = 2
    """How much a flag of it says against the work: 1, attention was missing; 3, a habit that does no harm."""

    def flags(self, data: MonitorData) -> list[Flag]:
        """The doubts that these judgments raise, one for an annotator at most, each with its reason."""
        raise NotImplementedError


def find_flags(data: MonitorData) -> list[Flag]:
    """Every flag that the study's monitors raise."""
    monitors = data.study.analysis.monitors.by_name().values()
    return [flag for monitor in monitors for flag in monitor.flags(data)]


def gravity(monitor: str) -> int:
    """How grave the flags of a monitor are: 1 is the gravest. A monitor that is not known any more has 3, the least."""
    known = MONITORS.get(monitor)
    return known.gravity if known is not None else 3
