"""What the monitors found. A flag is a doubt to look into; nothing is left out because of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.false_alarm_rates import Rate
from assay.model import Flag
from assay.report.data import Data
from assay.report.section import Section

MOST_SAID = 6
"""So many flags stand in sentences; of more there is a table."""


@dataclass(frozen=True, slots=True)
class FalseAlarms:
    """How often a monitor flags somebody who is careful, by simulation."""

    flagged: int
    careful_annotators: int
    share: float
    ci: tuple[float, float]


@dataclass(frozen=True, slots=True)
class WatchingMonitor:
    """A monitor of the study."""

    monitor: str
    thresholds: Mapping[str, Any]
    """Its settings in the study file."""
    false_alarms: FalseAlarms | None


@dataclass(frozen=True, slots=True)
class FlagsNumbers:
    """The monitors of the study, and the flags they raised."""

    said: int
    """So many flags stand in sentences."""
    monitors: list[WatchingMonitor]
    flags: list[Flag]


class FlagsSection(Section[FlagsNumbers]):
    """What the monitors found. A flag is a doubt to look into; nothing is left out because of one."""

    kind: ClassVar[str] = "flags"
    rank: ClassVar[int] = 40
    title: ClassVar[str] = "Is anything doubtful?"

    def numbers(self, data: Data) -> FlagsNumbers:
        monitors = [
            WatchingMonitor(
                monitor=name,
                thresholds=monitor.model_dump(mode="json"),
                false_alarms=_false_alarms(data.alarms[name]) if name in data.alarms else None,
            )
            for name, monitor in data.study.analysis.monitors.by_name().items()
        ]
        return FlagsNumbers(MOST_SAID, monitors, data.flags)

    def lines(self, numbers: FlagsNumbers) -> list[str]:
        if not numbers.monitors:
            return ["No monitor watches this study."]
        flags = numbers.flags
        if not flags:
            names = ", ".join(_in_words(each.monitor) for each in numbers.monitors)
            return [f"No flags ({names} watched)."]
        if len(flags) <= MOST_SAID:
            return [f"Flag: {flag.annotator}, {_in_words(flag.monitor)}: {flag.reason}." for flag in flags]
        who: dict[str, list[str]] = {}
        for flag in flags:
            who.setdefault(_in_words(flag.monitor), []).append(flag.annotator)
        by_monitor = "; ".join(f"{monitor}: {', '.join(people)}" for monitor, people in who.items())
        return [f"{len(flags)} flags. By monitor, whom it flags: {by_monitor}. The reasons are in the table."]


def _false_alarms(rate: Rate) -> FalseAlarms:
    return FalseAlarms(rate.flagged, rate.n, rate.share, (rate.low, rate.high))


def _in_words(monitor: str) -> str:
    return monitor.replace("_", " ")
