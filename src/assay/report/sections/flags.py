"""What the monitors found. A flag is a doubt to look into; nothing is left out because of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.false_alarm_rates import Rate
from assay.model import Flag
from assay.report.data import Data
from assay.report.sections import ReportPart, Section
from assay.report.wording import many

MOST_SAID = 6
"""With more flags than this, only some have a sentence, and a table has all."""


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
    of_page: bool
    """Whether it looks at how judgments were given on the page."""
    watches: bool
    """Whether there is something that it could look at: what came from files says nothing of how it was given."""


@dataclass(frozen=True, slots=True)
class FlagsNumbers:
    """The monitors of the study, and the flags they raised."""

    said: int
    """How many flags have a sentence."""
    monitors: list[WatchingMonitor]
    flags: list[Flag]
    from_files: int
    """How many submissions came from files, which monitors of the page do not see."""


class FlagsSection(Section[FlagsNumbers]):
    """What the monitors found. A flag is a doubt to look into; nothing is left out because of one."""

    kind: ClassVar[str] = "flags"
    rank: ClassVar[int] = 40
    title: ClassVar[str] = "Is anything doubtful?"
    part: ClassVar[ReportPart] = "quality"
    stays: ClassVar[bool] = True

    def numbers(self, data: Data) -> FlagsNumbers:
        monitors = [
            WatchingMonitor(
                monitor=name,
                thresholds=monitor.model_dump(mode="json"),
                false_alarms=_false_alarms(data.alarms.get(name)),
                of_page=monitor.of_page,
                watches=not (monitor.of_page and data.sources.is_elsewhere),
            )
            for name, monitor in data.study.analysis.monitors.by_name().items()
        ]
        return FlagsNumbers(MOST_SAID, monitors, data.flags, data.sources.file)

    def lines(self, numbers: FlagsNumbers) -> list[str]:
        if not numbers.monitors:
            return ["No monitor watches this study."]
        return [*_lines_of_flags(numbers), *_lines_of_idle_monitors(numbers)]


def _lines_of_flags(numbers: FlagsNumbers) -> list[str]:
    flags = numbers.flags
    if not flags:
        names = ", ".join(_in_words(each.monitor) for each in numbers.monitors if each.watches)
        return [f"No flags ({names or 'nothing'} watched)."]
    if len(flags) <= MOST_SAID:
        return [f"Flag: {flag.annotator}, {_in_words(flag.monitor)}: {flag.reason}." for flag in flags]
    who: dict[str, list[str]] = {}
    for flag in flags:
        who.setdefault(_in_words(flag.monitor), []).append(flag.annotator)
    by_monitor = "; ".join(f"{monitor}: {', '.join(people)}" for monitor, people in who.items())
    return [f"{len(flags)} flags. By monitor, whom it flags: {by_monitor}. The reasons are in the table."]


def _lines_of_idle_monitors(numbers: FlagsNumbers) -> list[str]:
    """Which monitors had nothing to look at: files do not say how their judgments were given."""
    idle = sum(not each.watches for each in numbers.monitors)
    if idle:
        monitors = "1 monitor had" if idle == 1 else f"{idle} monitors had"
        return [f"{monitors} nothing to watch: of judgments from files it is not known how they were given."]
    names = ", ".join(_in_words(each.monitor) for each in numbers.monitors if each.of_page)
    if not (names and numbers.from_files):
        return []
    return [f"Not watched ({names}): {many(numbers.from_files, 'submission')} from files."]


def _false_alarms(rate: Rate | None) -> FalseAlarms | None:
    if rate is None or rate.share is None:
        return None
    return FalseAlarms(rate.flagged, rate.n, rate.share, (rate.low, rate.high))


def _in_words(monitor: str) -> str:
    return monitor.replace("_", " ")
