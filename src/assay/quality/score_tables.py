"""What annotators gave on one dimension, beside the others, as arrays.

Of a million judgments objects would take most of the memory of a report. Single scores are made when somebody asks for
those of one annotator.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from assay.frozen_maker import maker_of
from assay.model import Judgment
from assay.statistics.arrays import Bools, Floats, Ints, np
from assay.statistics.clusters import Clusters
from assay.statistics.groups import Groups
from assay.statistics.leave_one_out import means_of_others_by_number


@dataclass(frozen=True, slots=True)
class Score:
    """A judgment as a number on its scale, beside what the others gave to the same."""

    judgment: Judgment
    value: float
    others: float | None
    """The mean of the others, or None where nobody else judged it."""


@dataclass(frozen=True, slots=True)
class Residual:
    """An annotator's value minus the mean of the others, on one item and dimension; over sides or entries, the mean."""

    item: str
    value: float
    position: int
    at: int
    from_file: bool = False
    """Whether it was given elsewhere: then its place in the file is not its turn."""


_score, _residual = maker_of(Score), maker_of(Residual)


class ScoreTable(Mapping[str, list[Score]]):
    """The scores of one dimension, annotator by annotator, each in the order of its items."""

    def __init__(
        self, given: Sequence[Judgment], numbers: Sequence[float], group_of_item: Mapping[str, int] | None = None
    ) -> None:
        self.people = tuple(sorted({each.annotator for each in given}))
        """Everybody who gave something, by name."""
        self._place = {name: place for place, name in enumerate(self.people)}
        n = len(given)
        who = np.fromiter((self._place[each.annotator] for each in given), dtype=np.int32, count=n)
        known: dict[tuple[str, str], int] = {}
        of = ((each.item, each.key) for each in given)
        unit = np.fromiter((known.setdefault(each, len(known)) for each in of), dtype=np.int32, count=n)
        own = np.fromiter(numbers, dtype=np.float64, count=n)
        order = np.argsort(who, kind="stable")
        self.judgments = [given[index] for index in order.tolist()]
        self.own: Floats = own[order]
        self.others: Floats = means_of_others_by_number(unit, own)[order]
        """nan where nobody else judged it."""
        self.unit: Ints = unit[order]
        """What was judged, by its number: an item and, with sides or entries, which of them."""
        self.shared: Ints | None = None
        """The number of the group that the item of each row is of; None where no two items share one."""
        if group_of_item:
            of_unit = np.fromiter((group_of_item[item] for item, _ in known), dtype=np.int32, count=len(known))
            self.shared = of_unit[self.unit]
        self.groups = Groups(np.bincount(who, minlength=len(self.people)))
        self._ends = np.cumsum(self.groups.sizes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.people)

    def __len__(self) -> int:
        return len(self.people)

    def __getitem__(self, annotator: str) -> list[Score]:
        rows = self.rows(annotator)
        others = (None if each != each else each for each in self.others[rows].tolist())
        return [*map(_score, self.judgments[rows], self.own[rows].tolist(), others)]

    def rows(self, annotator: str) -> slice:
        """The rows of one annotator."""
        place = self._place[annotator]
        end = int(self._ends[place])
        return slice(end - int(self.groups.sizes[place]), end)

    @property
    def is_shared(self) -> Bools:
        """Which rows are of units that somebody else has judged, too."""
        found: Bools = ~np.isnan(self.others)
        return found


class ResidualTable(Mapping[str, list[Residual]]):
    """Value minus mean of the others, item by item: annotator by annotator, each in the order of time."""

    def __init__(self, scores: ScoreTable) -> None:
        self._scores = scores
        judgments, n = scores.judgments, len(scores.judgments)
        self._from_file: Bools = np.fromiter((each.is_from_file for each in judgments), dtype=bool, count=n)
        self._position: Ints = np.fromiter((each.position for each in judgments), dtype=np.int32, count=n)
        at = np.fromiter((each.submitted_at for each in judgments), dtype=np.int64, count=n)
        is_shared, apart = scores.is_shared, scores.own - scores.others
        index: list[Ints] = []
        values: list[Floats] = []
        for name in scores:
            rows = scores.rows(name)
            there = np.flatnonzero(is_shared[rows]) + rows.start
            found = apart[there]
            if len({judgments[row].item for row in there.tolist()}) < len(there):
                there, found = _means_by_item(judgments, there, found)
            # Rows stand in the order of their items, which decides where the time is the same.
            order = np.lexsort((at[there], self._position[there]))
            index.append(there[order].astype(np.int32))
            values.append(found[order])
        self._index, self._values = dict(zip(scores, index, strict=True)), dict(zip(scores, values, strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __getitem__(self, annotator: str) -> list[Residual]:
        rows = self._index[annotator]
        given = map(self._scores.judgments.__getitem__, rows.tolist())
        return [
            _residual(each.item, value, each.position, each.submitted_at, from_file)
            for each, value, from_file in zip(
                given, self.values_of(annotator), self._from_file[rows].tolist(), strict=True
            )
        ]

    def values_of(self, annotator: str) -> list[float]:
        """The residuals of one annotator, without the items."""
        found: list[float] = self._values[annotator].tolist()
        return found

    def by_item(self, annotator: str) -> list[tuple[str, float]]:
        """The items of one annotator, each with its residual."""
        items = (self._scores.judgments[row].item for row in self._index[annotator].tolist())
        return list(zip(items, self.values_of(annotator), strict=True))

    def n_items(self, annotator: str) -> int:
        """On how many items somebody can be compared with the others."""
        return len(self._index[annotator])

    def n_turns(self, annotator: str) -> int:
        """How many of them were judged in an order that is known."""
        rows = self._index[annotator]
        return len(rows) - int(np.count_nonzero(self._from_file[rows]))

    @property
    def groups(self) -> Groups:
        """How many items each annotator has."""
        return Groups([*map(len, self._index.values())])

    def together(self) -> tuple[Floats, Clusters | None]:
        """The residuals of all, annotator by annotator, and which of their items share a group."""
        values = np.concatenate([np.zeros(0), *self._values.values()])
        return values, self._clusters(self.groups, self._rows)

    def in_turn(self) -> tuple[Ints, Floats, Groups, Clusters | None]:
        """Positions and residuals of what was judged in a known order, annotator by annotator."""
        index, values = self._rows, np.concatenate([np.zeros(0), *self._values.values()])
        there = ~self._from_file[index]
        groups = Groups(np.bincount(self.groups.of[there], minlength=len(self)))
        return self._position[index[there]], values[there], groups, self._clusters(groups, index[there])

    @property
    def _rows(self) -> Ints:
        return np.concatenate([np.zeros(0, dtype=np.int32), *self._index.values()])

    def _clusters(self, groups: Groups, rows: Ints) -> Clusters | None:
        shared = self._scores.shared
        return None if shared is None else Clusters(groups, shared[rows])


def _means_by_item(judgments: Sequence[Judgment], rows: Ints, apart: Floats) -> tuple[Ints, Floats]:
    """The mean over the sides or entries of each item, and the row of the last of them."""
    values: dict[str, list[float]] = defaultdict(list)
    row_of: dict[str, int] = {}
    for row, value in zip(rows.tolist(), apart.tolist(), strict=True):
        item = judgments[row].item
        values[item].append(value)
        row_of[item] = row
    means = [each[0] if len(each) == 1 else fmean(each) for each in values.values()]
    return np.array(list(row_of.values()), dtype=np.int64), np.array(means, dtype=np.float64)
