"""What annotators gave beside the others, as columns: for what is computed of hundreds of people at once."""

from dataclasses import dataclass
from itertools import chain

from assay.quality.monitor_data import MonitorData
from assay.statistics.arrays import Floats, np
from assay.statistics.groups import Groups


@dataclass(frozen=True, slots=True, eq=False)
class ScoreColumns:
    """The scores of one dimension that others gave, too: those of an annotator behind one another."""

    annotators: tuple[str, ...]
    groups: Groups
    own: Floats
    others: Floats
    """The mean of the others."""
    squares: Floats
    """The mean of their squares."""


def score_columns(data: MonitorData, dimension: str) -> ScoreColumns:
    """The columns of a dimension whose values stand in an order; made once."""
    return data.once(f"score columns: {dimension}", lambda: _columns(data, dimension))


def _columns(data: MonitorData, dimension: str) -> ScoreColumns:
    of_people = data.scores[dimension]
    scores = [*chain.from_iterable(of_people.values())]
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(each.unit for each in scores))}
    at = np.fromiter((numbers[each.unit] for each in scores), dtype=np.int64, count=len(scores))
    own = np.fromiter((each.value for each in scores), dtype=np.float64, count=len(scores))
    is_shared = np.bincount(at, minlength=len(numbers))[at] > 1
    n_others = np.maximum(np.bincount(at, minlength=len(numbers))[at] - 1, 1)
    squares = (np.bincount(at, weights=own**2, minlength=len(numbers))[at] - own**2) / n_others
    others = np.fromiter((each.others or 0.0 for each in scores), dtype=np.float64, count=len(scores))
    whole = Groups([len(each) for each in of_people.values()])
    shared = Groups(np.bincount(whole.of[is_shared], minlength=len(whole)))
    return ScoreColumns(tuple(of_people), shared, own[is_shared], others[is_shared], squares[is_shared])
