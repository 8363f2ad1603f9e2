"""The scales that statistics compute on, and the values of judgments on them."""

from dataclasses import replace
from typing import Any

from assay.model import ROLES, Coefficient, Comparison, Judgment
from assay.sides_and_candidates import OTHER_ROLE, roles_by_side
from assay.study.rubric import Dimension
from assay.study.schema import Study


def is_clustered(study: Study, dimension: Dimension) -> bool:
    """Whether judgments are clustered: sides and entries within an item, or items within a group."""
    return study.items.group is not None or dimension.scope.of in ("side", "entries")


def scale_of(dimension: Dimension) -> tuple[Any, ...]:
    """The values that statistics know: of a preference, the first or second system of a pair, wherever it stood."""
    values = dimension.input.values()
    if not dimension.input.compares:
        return values
    roles = roles_by_side()
    return tuple(roles.get(str(value), value) for value in values)


def value_on_scale(judgment: Judgment, dimension: Dimension, comparison: Comparison | None = None) -> Any:
    """A judgment's value on that scale; of a preference in the direction of a comparison, else by names."""
    if dimension.input.compares and judgment.value in judgment.systems:
        return ROLES[(comparison or judgment.systems).index(str(judgment.value))]
    return judgment.value


def mirror_preference(value: Any) -> Any:
    """A preference in the other direction: what is for the first is for the second, and the reverse.

    >>> [mirror_preference(value) for value in ("a", "tie", "b")]
    ['b', 'tie', 'a']
    """
    return OTHER_ROLE.get(value, value)


def points_of_choice(value: Any) -> float:
    """What a preference counts: 1 for the first system, -1 for the second, 0 for neither.

    >>> [points_of_choice(value) for value in ("a", "tie", "b")]
    [1.0, 0.0, -1.0]
    """
    return float(value == ROLES[0]) - float(value == ROLES[1])


def count_once(found: Coefficient) -> Coefficient:
    """A coefficient of a table in which each item stands in both directions, with its numbers halved."""
    how = "each item in both directions; no interval"
    return replace(found, n_items=found.n_items // 2, n_ratings=found.n_ratings // 2, method=how)
