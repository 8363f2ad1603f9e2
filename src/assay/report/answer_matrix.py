"""Items by annotators: what everybody said on one dimension, and how far each answer lies from the item's middle."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, stdev

from assay.judgments.what_counts import by_people_who_count, first_passes
from assay.model import Judgment, Value
from assay.quality.monitor_data import number_of, scale_positions
from assay.study.rubric import Dimension

MOST_COLUMNS = 12
"""With more annotators than this, a row shows how often each answer was given."""
FAR = 3
"""Answers this many points from the middle, or more, are marked alike."""


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """What one annotator said of one item."""

    annotator: str
    words: str
    distance: int
    """How many points from the item's median, at most `FAR`; 0 also where values have no order."""
    counts: bool
    """Whether the report counts it."""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """What was said of one item."""

    cells: dict[str, AnswerCell]
    """By annotator."""
    spread: float | None = None
    """The largest standard deviation of one question's values; None with fewer than two, or without an order."""

    @property
    def together(self) -> list[tuple[AnswerCell, list[str]]]:
        """Each answer once, with who gave it; numbers in ascending order."""
        found: dict[tuple[str, bool], list[AnswerCell]] = defaultdict(list)
        for cell in self.cells.values():
            found[cell.words, cell.counts].append(cell)
        said = sorted(found.values(), key=lambda cells: _by_size(cells[0].words))
        return [(cells[0], sorted(cell.annotator for cell in cells)) for cells in said]


@dataclass(frozen=True, slots=True)
class AnswerMatrix:
    """What was said of some items on one dimension."""

    annotators: tuple[str, ...]
    rows: dict[str, AnswerRow]
    """By the name of the item."""

    @property
    def in_columns(self) -> bool:
        """Whether every annotator has a column; with too many, a row shows how often each answer was given."""
        return len(self.annotators) <= MOST_COLUMNS


def _by_size(words: str) -> tuple[float, str]:
    try:
        return float(words.replace("−", "-")), words
    except ValueError:
        return math.inf, words


def is_ordered(dimension: Dimension) -> bool:
    """Whether a dimension's scale has an order, so that answers can be far apart."""
    return dimension.input.level in ("ordinal", "interval", "ratio")


def answer_matrix(
    judgments: Iterable[Judgment], dimension: Dimension, left_out: Collection[str] = (), name_systems: bool = True
) -> AnswerMatrix:
    """What people said on a dimension, the first time they saw an item and as they left it.

    Who is left out, and what was taken out, is shown and does not count. Where systems are not to be named, nothing
    tells which candidate was preferred or got which value.
    """
    said: dict[str, list[Judgment]] = defaultdict(list)
    for each in judgments:
        is_first = each.pass_ == 1 and not each.superseded and not each.is_practice and not each.judge
        if each.dimension == dimension.dimension and is_first:
            said[each.item].append(each)
    scale = scale_positions(dimension) if is_ordered(dimension) else {}
    rows = {name: _answer_row(found, dimension, scale, left_out, name_systems) for name, found in said.items()}
    people = sorted({who for row in rows.values() for who in row.cells})
    return AnswerMatrix(tuple(people), rows)


def _answer_row(
    said: Sequence[Judgment],
    dimension: Dimension,
    scale: Mapping[Value, float],
    left_out: Collection[str],
    name_systems: bool,
) -> AnswerRow:
    values: dict[str, list[float]] = defaultdict(list)
    for each in by_people_who_count(first_passes(said), left_out):
        if (value := number_of(each.value, scale)) is not None:
            values[each.key].append(value)
    middle = {key: median(found) for key, found in values.items()}
    spreads = [stdev(found) for found in values.values() if len(found) > 1]

    def cell(who: str) -> AnswerCell:
        given = sorted((each for each in said if each.annotator == who), key=lambda each: each.key)
        numbers = [(each.key, number_of(each.value, scale)) for each in given]
        apart = [abs(value - middle[key]) for key, value in numbers if value is not None and key in middle]
        words = [_in_words(each, dimension, name_systems) for each in given]
        return AnswerCell(
            annotator=who,
            words=" / ".join(words if name_systems else sorted(words, key=_by_size)),
            distance=min(FAR, round(max(apart, default=0))),
            counts=who not in left_out and all(each.counts for each in given),
        )

    return AnswerRow({who: cell(who) for who in {each.annotator for each in said}}, max(spreads, default=None))


def _in_words(each: Judgment, dimension: Dimension, name_systems: bool) -> str:
    """An answer as short as it can be said: the number of a scale's point, else its words."""
    if each.value is None:
        return "–"
    if isinstance(each.value, list):
        return ", ".join(each.value) or "none"
    if dimension.input.compares:
        return str(each.value) if name_systems else "given"
    if dimension.input.answer == "number":
        return f"{each.value:g}" if isinstance(each.value, int | float) else str(each.value)
    return dimension.input.show(each.value)
