"""What a long day may leave behind in memory and files, and what it may not."""

import statistics
from dataclasses import dataclass
from itertools import pairwise

from tools.day_people import SCALES, Done

from assay.live.child import MOST_HERE

LOOKS = 10
"""So often an hour the server is looked at."""
MOST_LOG = 64.0
"""MB: SQLite's log is written over again and again, and must not grow."""


@dataclass(frozen=True)
class Size:
    """How much is tried."""

    annotators: int
    items: int
    hours: int
    speed: float
    """How many times as fast the study's clock runs."""
    more_memory: float
    """By which share memory may grow after the first hour that is compared."""
    most_memory: float
    """MB."""
    more_a_submission: float
    """How many times as much as in the first hour the files may grow for each submission."""


@dataclass(frozen=True)
class Look:
    """The server at one moment."""

    hour: float
    submitted: int
    memory: float
    """MB, resident."""
    handles: int
    threads: int
    data: float
    """MB of tables and indexes."""
    log: float
    """MB of the database's log."""


def hours_of(looks: list[Look]) -> list[Look]:
    """Each hour at its end, with the middle of what memory was during its second half."""
    found = []
    for end in range(LOOKS, len(looks) + 1, LOOKS):
        last, half = looks[end - 1], looks[end - LOOKS // 2 : end]
        memory = statistics.median(each.memory for each in half)
        found.append(Look(last.hour, last.submitted, memory, last.handles, last.threads, last.data, last.log))
    return found


def print_table(hours: list[Look], before: float) -> None:
    print("hour  submitted   memory  handles  threads      data  bytes a submission      log")
    submitted, data = 0, before
    for each in hours:
        bytes_each = 1e6 * (each.data - data) / max(1, each.submitted - submitted)
        print(
            f"{each.hour:>4.0f} {each.submitted:>10,} {each.memory:>5.1f} MB {each.handles:>8} {each.threads:>8}"
            f" {each.data:>6.1f} MB {bytes_each:>19,.0f} {each.log:>5.1f} MB"
        )
        submitted, data = each.submitted, each.data


def settled_hour(hours: list[Look]) -> Look:
    """The hour from which on memory may not grow.

    That is the first one, unless the study was small then: up to `MOST_HERE` submissions the server computes the
    coordinator's figures itself, and takes the more memory the more there are. Later another process does.
    """
    for before, each in pairwise(hours):
        if before.submitted > MOST_HERE:
            return each
    return hours[0]


def in_short(hours: list[Look], before: float) -> str:
    """What a day has left behind, in a line."""
    last, settled = hours[-1], settled_hour(hours)
    return (
        f"{last.submitted:,} submissions; memory {last.memory:.0f} MB, "
        f"{100 * (last.memory / settled.memory - 1):+.1f} % since the hour {settled.hour:.0f}; every row "
        f"explained, {1e6 * (last.data - before) / last.submitted:,.0f} "
        "bytes for each submission"
    )


def growth_not_explained(hours: list[Look], before: float, size: Size) -> list[str]:
    """What has grown that should not have."""
    first, last, found = hours[0], hours[-1], []
    settled = settled_hour(hours)
    if last.memory > settled.memory * (1 + size.more_memory):
        found.append(f"memory grew from {settled.memory:.1f} to {last.memory:.1f} MB after the hour {settled.hour:.0f}")
    if (most := max(each.memory for each in hours)) > size.most_memory:
        found.append(f"the server took {most:.1f} MB")
    if last.handles > 2 * first.handles or last.threads > 2 * first.threads:
        found.append(f"open files {first.handles}, then {last.handles}; threads {first.threads}, then {last.threads}")
    at_first = (first.data - before) / max(1, first.submitted)
    later = (last.data - first.data) / max(1, last.submitted - first.submitted)
    if later > at_first * size.more_a_submission:
        found.append(f"a submission took {1e6 * at_first:,.0f} bytes in the first hour, and {1e6 * later:,.0f} later")
    if last.log > max(MOST_LOG, 2 * first.log):
        found.append(f"the database's log grew from {first.log:.1f} to {last.log:.1f} MB")
    return found


def rows_not_explained(before: dict[str, int], after: dict[str, int], done: Done, size: Size) -> list[str]:
    """Tables with other rows than people's acts account for: a table that is not named here may not grow at all."""
    exactly = {
        "submission": done.submitted,
        "judgment": len(SCALES) * done.submitted,
        "problem": done.problems,
    }
    given_out = done.submitted + done.declined + done.too_late + size.annotators
    at_most = {
        "assignment": given_out,
        "draft": given_out,
        "break": done.breaks + size.annotators,
        "session": done.entered + 1,
        "gate_pass": 3 * size.annotators,
        "gate_attempt": 3 * size.annotators,
        "uncounted": done.submitted,
        "tally": size.items,
        "pattern": 10 * len(SCALES),
        "counted": 1,
        "computed": 10,
        "action": 1,
        "link": 1,
    }
    more = {name: after[name] - before[name] for name in after}
    wrong = [name for name, count in exactly.items() if more[name] != count]
    wrong += [name for name, count in more.items() if name not in exactly and count > at_most.get(name, 0)]
    return [f"{name}: {more[name]} rows more, {exactly.get(name, at_most.get(name, 0))} expected" for name in wrong]
