"""What the report says of flags: a few in sentences, more of them by monitor."""

import pytest

from assay.false_alarm_rates import Rate
from assay.model import Flag
from assay.report.sections.flags import MOST_SAID, FlagsNumbers, FlagsSection, WatchingMonitor
from assay.study import load
from assay.study.templates import HERE
from tests.report.known import report

MONITORS = [WatchingMonitor(name, {}, None, name == "too_fast", True) for name in ("too_fast", "low_agreement")]


def lines(*flags: tuple[str, str]) -> list[str]:
    found = [Flag(monitor, who, f"{who} in question") for who, monitor in flags]
    return FlagsSection().lines(FlagsNumbers(MOST_SAID, MONITORS, found, from_files=0))


def test_without_a_flag_the_monitors_that_watched_are_named() -> None:
    assert lines() == ["No flags (too fast, low agreement watched)."]


@pytest.mark.parametrize("many", [1, MOST_SAID])
def test_a_few_flags_are_said_each_with_its_reason(many: int) -> None:
    found = lines(*((f"p{n}", "too_fast") for n in range(many)))
    assert found == [f"Flag: p{n}, too fast: p{n} in question." for n in range(many)]


def test_more_flags_are_said_by_monitor_with_everybody_whom_it_flags() -> None:
    fast = [(f"p{n}", "too_fast") for n in range(MOST_SAID - 1)]
    assert lines(*fast, ("ana", "low_agreement"), ("p0", "low_agreement")) == [
        "7 flags. By monitor, whom it flags: too fast: p0, p1, p2, p3, p4; low agreement: ana, p0. "
        "The reasons are in the table."
    ]


def test_a_rate_of_nobody_is_no_rate_of_zero() -> None:
    assert Rate(0, 0, 0.0, 1.0).share is None
    made = report(load(HERE / "empathy"), [], alarms={"too_fast": Rate(0, 0, 0.0, 1.0), "halo": Rate(1, 8, 0.0, 0.5)})
    rows = {row["monitor"]: row["false_alarms"] for row in made.numbers()["flags"]["monitors"]}
    assert rows["too_fast"] is None
    assert rows["halo"]["share"] == 0.125
