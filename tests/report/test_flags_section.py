"""What the report says of flags: a few in sentences, more of them by monitor."""

import pytest

from assay.model import Flag
from assay.report.sections.flags import MOST_SAID, FlagsNumbers, FlagsSection, WatchingMonitor

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
