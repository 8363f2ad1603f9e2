"""What a statistic is: a sum over items, and a formula on the sums.

Point estimate, item bootstrap, cluster bootstrap and jackknife differ only in how often each item counts, so all of
them come from the two methods `contributions` and `combine`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeVar

from assay.kinds import STATISTICS
from assay.model import Level
from assay.statistics.arrays import Floats, Ints, np
from assay.statistics.patterns import Patterns
from assay.statistics.scale import Scale
from assay.statistics.table import Ratings

ALL_LEVELS: frozenset[Level] = frozenset({"nominal", "ordinal", "interval", "ratio"})
ORDERED_LEVELS: frozenset[Level] = frozenset({"ordinal", "interval", "ratio"})

S = TypeVar("S", bound="Statistic")


class Interval(NamedTuple):
    """A 95 % interval, or None, and how it was made or why it was not."""

    ci: tuple[float, float] | None
    method: str


class ColumnBlock(NamedTuple):
    """Some columns of the contributions, which are zero but for these patterns."""

    where: Ints
    table: Floats


@dataclass(frozen=True)
class KnownAnswer:
    """Ratings with the right answer, from a source outside this program. Every statistic brings at least one."""

    rows: tuple[tuple[Any, ...], ...]
    categories: tuple[Any, ...]
    level: Level
    value: float
    source: str
    tolerance: float = 0.0005
    counts: tuple[int, ...] | None = None
    """How many items have each row; one each when left out."""

    @classmethod
    def of_table(
        cls, table: Sequence[Sequence[int]], level: Level, value: float, source: str, tolerance: float = 0.0005
    ) -> Self:
        """From a table of two annotators: `table[i][j]` items got category i from one and j from the other."""
        categories = range(len(table))
        rows = tuple((i, j) for i in categories for j in categories)
        counts = tuple(table[i][j] for i in categories for j in categories)
        return cls(rows, tuple(categories), level, value, source, tolerance, counts)

    def ratings(self) -> Ratings:
        """The ratings as a table."""
        counts = self.counts or (1,) * len(self.rows)
        rows = [row for row, count in zip(self.rows, counts, strict=True) for _ in range(count)]
        return Ratings.from_rows(rows, self.categories, self.level)


@dataclass(frozen=True, kw_only=True)
class Statistic:
    """A coefficient of agreement. A kind subclasses it, with formula and reference, and registers an instance."""

    name: str
    title: str
    """What it is called in a sentence."""
    doc: str
    """What it tells, in one line."""
    levels: frozenset[Level]
    """The levels of measurement for which it means something."""
    rank: int
    """Where it stands in a list of coefficients, low first."""
    known: tuple[KnownAnswer, ...]
    headline: frozenset[Level] = frozenset()
    """The levels for which it is the first one to report."""
    by_annotator: bool = True
    """Whether it matters who gave which value. If not, the fewer `nameless` patterns (of values alone) suffice."""
    is_share: bool = False
    """Whether it is a mean over items of shares: contributions are (share, 1), and its interval is Wilson's."""
    lowest: float = -1.0
    """The lower end of its range, for intervals (minus infinity if it has none); the upper end is 1."""

    def contributions(self, patterns: Patterns) -> Floats | list[ColumnBlock]:
        """What one item of each pattern adds to each sum: (P, C), or blocks of columns if most of it is zero."""
        raise NotImplementedError

    def combine(self, sums: Floats, scale: Scale) -> Floats:
        """The coefficient of each row of sums (B, C), nan where it is undefined."""
        raise NotImplementedError

    def tally(self, patterns: Patterns) -> "Tally":
        """This statistic on given patterns. What cannot be written as sums over items brings a tally of its own."""
        return Tally(self, patterns)

    def note(self, tally: "Tally") -> str:
        """What a reader must know of how this value came about, or an empty text."""
        return ""

    @property
    def is_plain(self) -> bool:
        """Whether its values need no remark: it neither adds a note nor can lack data (see `note` and `lacks`)."""
        return type(self).note is Statistic.note and type(self).lacks is Statistic.lacks

    def theory(self, tally: "Tally") -> Interval | None:
        """An analytic interval, where there is one that is better than a bootstrap over items."""
        return None

    def is_biased(self, patterns: Patterns) -> bool:
        """Whether few judgments bias it, and a bootstrap more so: its interval then comes from a jackknife."""
        return False

    def lacks(self, patterns: Patterns) -> str | None:
        """What the data lack for a value to mean something, though the formula may give one; or None."""
        return None

    def why_undefined(self, patterns: Patterns) -> str:
        """Why there is no value, in words that can stand in a report."""
        return why_no_agreement(patterns) or self.lacks(patterns) or "the judgments leave nothing to divide by"

    def refuses(self, patterns: Patterns) -> bool:
        """Whether there is nothing to compute, because of the level of the scale or of what the data lack."""
        return self.misses(patterns.scale.level) is not None or self.lacks(patterns) is not None

    def misses(self, level: Level) -> str | None:
        """Why it cannot be used at this level of measurement, or None if it can."""
        if level in self.levels:
            return None
        needed = " or ".join(sorted(self.levels, key=("nominal", "ordinal", "interval", "ratio").index))
        return f"{self.name} needs a scale of level {needed}, and this one is {level}"


def register(statistic: S) -> S:
    """Make a statistic known by its name."""
    STATISTICS.register(statistic.name, statistic)
    return statistic


def why_no_agreement(patterns: Patterns) -> str | None:
    """What is missing for any measure of agreement corrected for chance, or None."""
    if not patterns.n_judgments.any():
        return "there are no judgments"
    if patterns.n_annotators == 1:
        return "there is only one annotator"
    if not patterns.is_shared.any():
        return "no item has two judgments"
    if np.count_nonzero(patterns.frequencies.any(axis=0)) == 1:
        return "every judgment is the same value"
    if np.count_nonzero(patterns.frequencies[patterns.is_shared].any(axis=0)) == 1:
        return "every judgment on an item that has two or more is the same value"
    return None


def ratio(top: Floats, bottom: Floats) -> Floats:
    """The quotient, and nan where there is nothing to divide by."""
    quotient: Floats = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)
    return quotient


class BlockSums:
    """What items of each pattern add to each sum, in blocks of columns: from weights to sums."""

    # A block with values in fewer than one in this many patterns is multiplied by these alone.
    SPARSE = 4

    def __init__(self, blocks: Sequence[ColumnBlock], n_patterns: int) -> None:
        self.width = sum(block.table.shape[1] for block in blocks)
        self._sparse: list[tuple[slice, ColumnBlock]] = []
        dense: list[tuple[slice, ColumnBlock]] = []
        start = 0
        for block in blocks:
            columns = slice(start, start + block.table.shape[1])
            (self._sparse if self.SPARSE * len(block.where) < n_patterns else dense).append((columns, block))
            start = columns.stop
        self._columns, self._dense = _join_blocks(dense, n_patterns)

    def of(self, weights: Floats) -> Floats:
        """The sums (B, C) when each pattern counts as often as each row of weights (B, P) says."""
        sums = np.empty((len(weights), self.width))
        sums[:, self._columns] = weights @ self._dense
        for columns, block in self._sparse:
            sums[:, columns] = weights[:, block.where] @ block.table
        return sums


class Tally:
    """A statistic on given patterns: from how often each pattern counts to the coefficient."""

    # Sums of at most this many cells (128 MB) are held at a time.
    CELLS = 2**24

    def __init__(self, statistic: Statistic, patterns: Patterns) -> None:
        self.statistic = statistic
        self.patterns = patterns
        found = statistic.contributions(patterns)
        blocks = found if isinstance(found, list) else [ColumnBlock(np.arange(len(found)), found)]
        self._sums = BlockSums(blocks, len(patterns.rows))
        self.width = self._sums.width

    def sums(self, weights: Floats) -> Floats:
        """The sums (B, C) when each pattern counts as often as each row of weights (B, P) says."""
        return self._sums.of(weights)

    def values(self, weights: Floats) -> Floats:
        """The coefficient for each row of weights, nan where it is undefined."""
        values = np.empty(len(weights))
        step = max(1, self.CELLS // max(1, self.width))
        for start in range(0, len(weights), step):
            part = slice(start, start + step)
            values[part] = self.statistic.combine(self.sums(weights[part]), self.patterns.scale)
        return values

    def refit(self, weights: Floats) -> Floats:
        """Like `values`, for few rows of weights, with nothing fixed at its value from all data (see `icc_two_way`)."""
        return self.values(weights)

    @property
    def observed_weights(self) -> Floats:
        """The weights of the data as they are: one row, each pattern as often as it occurs."""
        return self.patterns.weights

    def value(self) -> float | None:
        """The coefficient of the data, None where it is undefined."""
        return self._value

    @cached_property
    def _value(self) -> float | None:
        """The cached value: each interval needs it again."""
        value = float(self.values(self.observed_weights)[0])
        return None if value != value else value

    def note(self) -> str:
        """The statistic's note on this value."""
        return self.statistic.note(self)


def _join_blocks(blocks: Iterable[tuple[slice, ColumnBlock]], n_patterns: int) -> tuple[Ints, Floats]:
    """Several blocks as one table over all patterns, with the numbers of its columns."""
    blocks = list(blocks)
    columns = [np.arange(where.start, where.stop) for where, _ in blocks]
    table = np.zeros((n_patterns, sum(map(len, columns))))
    start = 0
    for _, block in blocks:
        table[block.where, start : start + block.table.shape[1]] = block.table
        start += block.table.shape[1]
    return np.concatenate([np.empty(0, dtype=np.int64), *columns]), table
