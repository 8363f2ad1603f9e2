"""One impression that colours all dimensions."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import Any, ClassVar

from pydantic import Field

from assay.in_words import count, number
from assay.model import Flag
from assay.quality import Monitor, MonitorData
from assay.quality.findings import MOST_SHOWN, Finding, flags_from, interval_words, round_off
from assay.quality.score_tables import ScoreTable
from assay.statistics.arrays import Bools, Floats, Ints, np
from assay.statistics.groups import Groups
from assay.statistics.halo import HaloMeasure as Found
from assay.statistics.halo import halos_of

EXPLAINED = 0.2
"""From this correlation with the others on, their means explain enough of the items for residuals to mean something."""

Unit = tuple[str, str, str]
"""What is judged: an item, and with sides or entries which of them."""
Rows = dict[Unit, dict[str, tuple[float, float]]]


class HaloMonitor(Monitor):
    """One impression that colours all dimensions: they are correlated more than those of the others.

    An annotator's values are regressed on the others' means; the correlation between dimensions of the residuals is
    compared with that of the other annotators. It is flagged when it is larger by `above`, and its interval lies above
    theirs. Where the others' means explain next to nothing (of two people, one may be guessing), nothing is said: low
    agreement is another monitor's matter.
    """

    kind: ClassVar[str] = "halo"

    above: float = Field(default=0.25, gt=0, lt=2, description="Flag from this much more correlation on.")
    at_least: int = Field(default=20, ge=5, description="Say nothing before this many items that others judged too.")

    def flags(self, data: MonitorData) -> list[Flag]:
        every = halos(data)
        measured = {name: found for name in sorted(every) if (found := every[name].of(self.at_least)) is not None}
        flagged = []
        for annotator, found in measured.items():
            others = [each.residual for name, each in measured.items() if name != annotator]
            # Where there are no others, a halo is measured from nothing, and nothing is said of them.
            usual = max(0.0, fmean(others)) if others else 0.0
            if found.shared >= EXPLAINED and found.residual - usual >= self.above and found.low > usual:
                words = f"the dimensions go together by {number(found.residual)} beyond what is in the items "
                words += f"({interval_words(found.low, found.high)}, n = {count(found.n)})"
                words += f"; of the others by {number(usual)}" if others else ""
                numbers = {
                    "residual": round_off(found.residual),
                    "low": round_off(found.low),
                    "high": round_off(found.high),
                }
                evidence: dict[str, int | float | str] = {**numbers, "n": found.n}
                if others:
                    evidence["others"] = round_off(usual)
                if found.consensus is not None:
                    evidence["consensus"] = round_off(found.consensus)
                flagged.append(
                    Finding(annotator, words, _items_with_one_value(beside_others(data, annotator)), evidence=evidence)
                )
        return flags_from(self.kind, flagged)


def beside_others(data: MonitorData, annotator: str) -> Rows:
    """What an annotator and the others gave: by item, candidate and entry, on each dimension.

    It is made anew for each annotator: of all of them together it would take more memory than their judgments.
    """
    rows: Rows = defaultdict(dict)
    for dimension, table in data.scores.items():
        for each in table.get(annotator, ()):
            if each.others is not None:
                about = each.judgment
                rows[about.item, about.role, about.entry][dimension] = (each.value, each.others)
    return rows


@dataclass(frozen=True, slots=True)
class Measured:
    """The halo of one annotator, and how many items it rests on."""

    n_items: int
    halo: Found | None

    def of(self, at_least: int) -> Found | None:
        """The halo, or None where there are fewer items than so many, or too few dimensions to say."""
        return self.halo if self.n_items >= at_least else None


def halos(data: MonitorData) -> dict[str, Measured]:
    """The halo of everybody who has something beside others; computed once."""
    return data.once("halos", lambda: _halos(data))


def _halos(data: MonitorData) -> dict[str, Measured]:
    people = list(dict.fromkeys(chain.from_iterable(data.scores.values())))
    every = _rows_of_all(data, people)
    names, found = list(data.scores), dict[int, Measured]()
    for has, rows in _most_asked_dimensions(every):
        dimensions = sorted(np.flatnonzero(has).tolist(), key=names.__getitem__)
        who, sizes = np.unique(every.who[rows], return_counts=True)
        table = every.values[rows][:, dimensions]
        of_people = np.unique(every.who[rows] * len(every.item) + every.item[every.unit[rows]]) // len(every.item)
        n_items = np.bincount(of_people)[who].tolist()
        measured = map(Measured, n_items, halos_of(table[:, :, 0], table[:, :, 1], Groups(sizes)))
        found |= zip(who.tolist(), measured, strict=True)
    return {name: found[number] for number, name in enumerate(people) if number in found}


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """What everybody gave beside others: a row for each unit, annotator by annotator, in their order."""

    who: Ints
    unit: Ints
    item: Ints
    """Of each unit, the number of its item."""
    values: Floats
    """(rows, dimensions, 2): their own value, and the mean of the others."""
    has: Bools
    """(rows, dimensions): where there are both."""


def _rows_of_all(data: MonitorData, people: Sequence[str]) -> _Rows:
    place, units, items = {name: at for at, name in enumerate(people)}, dict[Unit, int](), dict[str, int]()
    tables = list(data.scores.values())
    there = [np.flatnonzero(table.is_shared) for table in tables]
    numbers = [_numbers_of_units(table, units) for table in tables]
    unit = _concatenate(known[table.unit[rows]] for known, table, rows in zip(numbers, tables, there, strict=True))
    who = _concatenate(
        np.array([place[name] for name in table], dtype=np.int64)[table.groups.of[rows]]
        for table, rows in zip(tables, there, strict=True)
    )
    asked = np.repeat(np.arange(len(tables)), [*map(len, there)])
    cells, first, row = np.unique(who * max(1, len(units)) + unit, return_index=True, return_inverse=True)
    order = np.lexsort((first, who[first]))
    row = np.argsort(order)[row]
    values, has = np.zeros((len(cells), len(tables), 2)), np.zeros((len(cells), len(tables)), dtype=bool)
    # Of what somebody gave twice to the same, the last counts.
    for column, name in enumerate(("own", "others")):
        values[row, asked, column] = _concatenate(
            getattr(table, name)[rows] for table, rows in zip(tables, there, strict=True)
        )
    has[row, asked] = True
    item = np.array([items.setdefault(each, len(items)) for each, *_ in units], dtype=np.int64)
    return _Rows(who[first[order]], unit[first[order]], item, values, has)


def _concatenate(parts: Iterable[Any]) -> Any:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _numbers_of_units(table: ScoreTable, units: dict[Unit, int]) -> Ints:
    """The units that the table numbers for itself, by numbers that all dimensions share."""
    _, first = np.unique(table.unit, return_index=True)
    given = map(table.judgments.__getitem__, first.tolist())
    keys = ((each.item, each.role, each.entry) for each in given)
    return np.array([units.setdefault(each, len(units)) for each in keys], dtype=np.int64)


def _most_asked_dimensions(every: _Rows) -> Iterator[tuple[Bools, Ints]]:
    """For each annotator the largest set of dimensions that were judged on the same units, with these units' rows.

    Annotators with the same set come together, and each annotator comes once.
    """
    _, example, kind = np.unique(np.packbits(every.has, axis=1), axis=0, return_index=True, return_inverse=True)
    kind, n_asked = kind.reshape(-1), every.has[example].sum(axis=1)
    asked, first, n = np.unique(every.who * max(1, len(example)) + kind, return_index=True, return_counts=True)
    who, kinds = np.divmod(asked, max(1, len(example)))
    order = np.lexsort((first, -n, -n_asked[kinds], who))
    best = order[np.unique(who[order], return_index=True)[1]]
    chosen = np.full(int(every.who.max(initial=-1)) + 1, -1)
    chosen[who[best]] = kinds[best]
    for each in np.unique(kinds[best]).tolist():
        yield every.has[example[each]], np.flatnonzero((chosen[every.who] == kind) & (kind == each))


def _items_with_one_value(rows: Rows) -> tuple[str, ...]:
    """Items with one value throughout although the others saw differences, the largest first."""
    spread = {
        unit[0]: max(others) - min(others)
        for unit, values in rows.items()
        if len({value for value, _ in values.values()}) == 1 and (others := [mean for _, mean in values.values()])
    }
    ranked = sorted(spread, key=lambda item: -spread[item])
    return tuple(item for item in ranked[:MOST_SHOWN] if spread[item] > 0)
