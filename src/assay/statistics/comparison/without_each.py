"""What agreement would be without each of the annotators."""

from collections.abc import Hashable, Sequence
from dataclasses import replace

from assay.kinds import STATISTICS
from assay.model import Coefficient
from assay.statistics import Ratings, agree
from assay.statistics.arrays import Ints, np
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
    found = {}
    nameless = name in STATISTICS and not STATISTICS[name].by_annotator
    for index, who in enumerate(ratings.annotators):
        values = np.delete(ratings.values, index, axis=1)
        kept = np.flatnonzero((values != MISSING).any(axis=1))
        names = ratings.annotators[:index] + ratings.annotators[index + 1 :]
        rest = _with(ratings, values[kept], kept.tolist(), names)
        found[who] = _agree_nameless(rest, name) if nameless else agree(rest, [name], draws=0)[0]
    return found


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


def _agree_nameless(ratings: Ratings, name: str) -> Coefficient:
    """A coefficient for which it does not matter who gave what: of many annotators who share few items, far faster."""
    judged = ratings.values != MISSING
    most = int(judged.sum(axis=1).max()) if judged.size else 0
    if most < 2 or most == len(ratings.annotators):
        return agree(ratings, [name], draws=0)[0]
    # What is missing is below every index on the scale, and goes first.
    values = np.sort(ratings.values, axis=1)[:, -most:]
    found = agree(replace(ratings, values=values, annotators=tuple(range(most))), [name], draws=0)[0]
    shared = judged[judged.sum(axis=1) >= 2]
    return replace(found, n_annotators=int(np.count_nonzero(shared.any(axis=0))))
