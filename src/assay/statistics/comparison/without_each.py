"""What agreement would be without each of the annotators."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from assay.kinds import STATISTICS
from assay.model import Coefficient
from assay.statistics import Draws, Ratings, Statistic, agree, agree_with
from assay.statistics.arrays import Ints, np
from assay.statistics.bootstrap import CELLS, NO_DRAWS
from assay.statistics.patterns import Patterns, distinct_rows
from assay.statistics.table import MISSING


def without_each(ratings: Ratings, name: str) -> dict[Hashable, Coefficient]:
    """One coefficient of all annotators but one, for each of them in turn: values, without intervals.

    Somebody without whom the others agree better judges differently from them. This is the "alpha if item deleted" of
    test theory, with annotators in the place of questions.

    Reference: Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika 16.

    Example:
        >>> rows = [(1, 1, 3), (2, 2, 1), (3, 3, 2), (1, 1, 2)]
        >>> found = without_each(Ratings.from_rows(rows, (1, 2, 3), "ordinal"), "percent_agreement")
        >>> {who: coefficient.value for who, coefficient in found.items()}
        {0: 0.0, 1: 0.0, 2: 1.0}
    """
    if name not in STATISTICS or STATISTICS[name].by_annotator or not ratings.values.size:
        return {who: _agree_without(ratings, index, name) for index, who in enumerate(ratings.annotators)}
    return {
        who: found or _agree_without(ratings, index, name)
        for index, (who, found) in enumerate(zip(ratings.annotators, _nameless_without(ratings, name), strict=True))
    }


def _agree_without(ratings: Ratings, index: int, name: str) -> Coefficient:
    """The coefficient of the table without one of its columns."""
    values = np.delete(ratings.values, index, axis=1)
    kept = np.flatnonzero((values != MISSING).any(axis=1))
    names = ratings.annotators[:index] + ratings.annotators[index + 1 :]
    return agree(_with(ratings, values[kept], kept.tolist(), names), [name], draws=0)[0]


def _with(ratings: Ratings, values: Ints, kept: Sequence[int], names: tuple[Hashable, ...]) -> Ratings:
    clusters = None if ratings.clusters is None else np.unique(ratings.clusters[kept], return_inverse=True)[1]
    return Ratings(
        values,
        ratings.categories,
        ratings.level,
        tuple(ratings.items[item] for item in kept),
        names,
        None if clusters is None else clusters.reshape(-1),
    )


def _nameless_without(ratings: Ratings, name: str) -> Iterator[Coefficient | None]:
    """The coefficient without each annotator, where it does not matter who gave what; None where no pair is left.

    Leaving somebody out changes the patterns of the items that they judged, and no other: so each judgment is read
    once, however many annotators there are.
    """
    at_item, who = np.nonzero(ratings.values != MISSING)
    n_judged = np.bincount(at_item, minlength=len(ratings.items))
    judged_by = _PeopleOfItems(at_item, who, n_judged, len(ratings.annotators))
    most = int(n_judged.max(initial=0))
    before = np.full((len(ratings.items), most), MISSING, dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(n_judged)[:-1]]).astype(np.int64)
    before[at_item, np.arange(len(at_item)) - starts[at_item]] = ratings.values[at_item, who]
    # What is missing is below every index on the scale, and goes first.
    before.sort(axis=1)
    after = _one_less(before[at_item], ratings.values[at_item, who])
    rows, number = distinct_rows(np.concatenate([before, after]), len(ratings.scale) + 1)
    of_item, of_rest = number[: len(before)], number[len(before) :]
    every = Patterns(rows, np.bincount(of_item, minlength=len(rows)), of_item[:0], ratings.scale, is_nameless=True)
    for index, found in enumerate(_by_counts(every, of_item[at_item], of_rest, who, len(ratings.annotators), name)):
        yield found and replace(found, n_annotators=judged_by.count_others_still_sharing(index))


def _by_counts(
    every: Patterns, of_item: Ints, of_rest: Ints, who: Ints, n_annotators: int, name: str
) -> Iterator[Coefficient | None]:
    """The coefficient without each annotator: `of_item` is a judgment's pattern, `of_rest` the one without it."""
    statistic: Statistic = STATISTICS[name]
    tally = statistic.tally(every)
    n_shared, size = np.where(every.is_shared, every.n_judgments, 0), len(every.rows)
    step = max(1, CELLS // size)
    for first in range(0, n_annotators, step):
        last = min(first + step, n_annotators)
        own = (who >= first) & (who < last)
        cells, shape = (who[own] - first) * size, (last - first, size)
        counts = every.counts + np.bincount(cells + of_rest[own], minlength=shape[0] * size).reshape(shape)
        counts -= np.bincount(cells + of_item[own], minlength=shape[0] * size).reshape(shape)
        values = tally.values(counts.astype(np.float64)).tolist()
        n_items, n_ratings = (counts @ np.column_stack([n_shared > 0, n_shared])).T.tolist()
        for row, value, items, given in zip(counts, values, n_items, n_ratings, strict=True):
            if value == value and statistic.is_plain:
                yield Coefficient(name, value, None, NO_DRAWS, items, given, 0)
            else:
                yield _with_reason(every, row, statistic) if items else None


def _with_reason(every: Patterns, counts: Ints, statistic: Statistic) -> Coefficient:
    """The coefficient from how often each pattern occurs, with its note, or the reason why it is undefined."""
    there = np.flatnonzero((counts > 0) & (every.n_judgments > 0))
    longest = int(every.n_judgments[there].max(initial=0))
    left = Patterns(every.rows[there][:, -longest:], counts[there], every.of_item, every.scale, is_nameless=True)
    return agree_with(Draws(left, draws=0), [statistic])[0]


def _one_less(rows: Ints, values: Ints) -> Ints:
    """Sorted rows, each with one occurrence of the given value removed."""
    place = (rows == values[:, None]).argmax(axis=1)
    kept = np.arange(rows.shape[1]) > place[:, None]
    shifted = np.concatenate([np.full((len(rows), 1), MISSING, dtype=rows.dtype), rows[:, :-1]], axis=1)
    found: Ints = np.where(kept, rows, shifted)
    return found


class _PeopleOfItems:
    """Counts the annotators that agreement rests on when one of them is left out."""

    def __init__(self, at_item: Ints, who: Ints, n_judged: Ints, n_annotators: int) -> None:
        of_item = n_judged[at_item]
        always = np.zeros(n_annotators, dtype=bool)
        always[who[of_item >= 3]] = True
        pairs = who[of_item == 2].reshape(-1, 2)
        # Somebody who shares items with one other only drops out together with them.
        partners: list[set[int]] = [set() for _ in range(n_annotators)]
        for one, other in np.unique(pairs, axis=0).tolist():
            partners[one].add(other)
            partners[other].add(one)
        self._always = always
        self._n_always = int(always.sum())
        self._in_pairs = [index for index in np.flatnonzero(~always).tolist() if partners[index]]
        self._n_only_with = np.zeros(n_annotators, dtype=np.int64)
        for index in self._in_pairs:
            if len(partners[index]) == 1:
                self._n_only_with[next(iter(partners[index]))] += 1
        self._is_in_pairs = np.zeros(n_annotators, dtype=bool)
        self._is_in_pairs[self._in_pairs] = True

    def count_others_still_sharing(self, index: int) -> int:
        """How many of the other annotators still share an item with somebody."""
        others = self._n_always - int(self._always[index]) + len(self._in_pairs) - int(self._is_in_pairs[index])
        return others - int(self._n_only_with[index])
