"""What annotators gave beside the others, as arrays: for what is computed of hundreds of people at once."""

from dataclasses import dataclass

from assay.quality.monitor_data import MonitorData
from assay.statistics.arrays import Floats, np
from assay.statistics.clusters import Clusters
from assay.statistics.groups import Groups


@dataclass(frozen=True, slots=True, eq=False)
class ScoreColumns:
    """The scores of one dimension on units that others judged too, annotator by annotator."""

    annotators: tuple[str, ...]
    groups: Groups
    own: Floats
    others: Floats
    """The mean of the others."""
    squares: Floats
    """The mean of their squares."""
    clusters: Clusters | None = None
    """Which rows share a group of items; None where no two items share one."""


def score_columns(data: MonitorData, dimension: str) -> ScoreColumns:
    """The columns of a dimension whose values stand in an order; made once."""
    return data.once(f"score columns: {dimension}", lambda: _columns(data, dimension))


def _columns(data: MonitorData, dimension: str) -> ScoreColumns:
    table = data.scores[dimension]
    own, unit, is_shared = table.own, table.unit, table.is_shared
    n_others = np.maximum(np.bincount(unit)[unit] - 1, 1)
    squares = (np.bincount(unit, weights=own**2)[unit] - own**2) / n_others
    shared = Groups(np.bincount(table.groups.of[is_shared], minlength=len(table)))
    clusters = None if table.shared is None else Clusters(shared, table.shared[is_shared])
    return ScoreColumns(table.people, shared, own[is_shared], table.others[is_shared], squares[is_shared], clusters)
