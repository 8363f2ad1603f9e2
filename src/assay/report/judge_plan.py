"""How many items people must judge for a wanted width, from a pilot that people and judges both judged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from assay.report.data import Data
from assay.report.people_and_judges import Samples, samples_of
from assay.statistics.comparison.judge_planning import JudgePilot, items_for_width, judge_pilot

BY_PROBABILITY = (
    "items are weighed by the probabilities with which they were drawn for people, and planned to be drawn so"
)


@dataclass(frozen=True, slots=True)
class JudgePlanRow:
    """How many items people must judge until one number of the report has an interval of the wanted width."""

    dimension: str
    title: str
    what: str
    """The system, or the pair."""
    judges: list[str]
    pilot: JudgePilot
    items: int
    """How many items there are, of each system, all with a judge."""
    width: float
    alone: int | None
    """How many of them people would have to judge without a judge; None: more than there are."""
    with_judge: int | None


def judge_plan(data: Data, width: float, items: int | None = None) -> list[JudgePlanRow]:
    """Every system and every pair, on every dimension that a judge judged; with `items` of each system, or as it is."""
    return [row for found in samples_of(data) for row in _rows(found, width, items, data.seed)]


def _rows(found: Samples, width: float, items: int | None, seed: int) -> Iterator[JudgePlanRow]:
    parts: Sequence[tuple[str, ...]] = [(name,) for name in found.of_system]
    for names in [*parts, *combinations(found.of_system, 2)]:
        samples = [found.of_system[name] for name in names]
        pilot = judge_pilot(samples[0], samples[1] if len(samples) > 1 else None, seed)
        count = items or min(len(each.people) for each in samples)
        yield JudgePlanRow(
            dimension=found.dimension.name,
            title=found.dimension.title,
            what=" − ".join(name or "all items" for name in names),
            judges=found.judges,
            pilot=pilot,
            items=count,
            width=width,
            alone=None if pilot.undefined else items_for_width(pilot.without_judge, width, count),
            with_judge=None if pilot.undefined else items_for_width(pilot, width, count),
        )


def in_lines(found: Sequence[JudgePlanRow], width: float) -> list[str]:
    """The plan as a table of plain text."""
    heads = ("dimension", "of", "pilot", "foretold", "items", "people alone", "with judges")
    rows = [heads, *(_cells(row) for row in found)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
    lines = [
        "  ".join(
            cell.ljust(size) if at < 2 else cell.rjust(size)
            for at, (cell, size) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    why = [f"–: {each}" for each in dict.fromkeys(row.pilot.undefined for row in found if row.pilot.undefined)]
    return [
        f"items by people for a 95 % interval of {width:g} from end to end, with judges on all items",
        *lines,
        *why,
        *([BY_PROBABILITY] if any(row.pilot.cells for row in found) else []),
        "foretold: the part of people's variance that judges foretell; more: more items than there are",
    ]


def _cells(row: JudgePlanRow) -> tuple[str, ...]:
    needed = ["more" if each is None else f"{each:,}" for each in (row.alone, row.with_judge)]
    told = [f"{100 * row.pilot.foretold:.0f} %", f"{row.items:,}", *needed]
    return row.title, row.what, str(row.pilot.n), *(["–"] * len(told) if row.pilot.undefined else told)
