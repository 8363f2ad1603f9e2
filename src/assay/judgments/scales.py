"""The scales that statistics compute on, and the values of judgments on them."""

from typing import Any

from assay.assignment import lot
from assay.model import Judgment
from assay.sides_and_candidates import OTHER_ROLE, roles_by_side
from assay.study.rubric import Dimension
from assay.study.schema import Study


def scale_in(study: Study, name: str) -> tuple[Any, ...] | None:
    """The values that can be given in a version of a study; of a computed one, how it is made and from what."""
    for dimension in study.rubric:
        if dimension.dimension == name:
            return dimension.input.values()
    for derived in study.derive:
        if derived.derived == name:
            return derived.derivation, *(scale_in(study, used) for used in derived.derivation.uses())
    return None


def is_clustered(study: Study, dimension: Dimension) -> bool:
    """Whether judgments are clustered: sides and entries within an item, or items within a group."""
    return study.items.group is not None or dimension.scope.of in ("side", "entries")


def is_flipped(study: Study, item: str) -> bool:
    """Whether the second system of a pair counts as the first, where a study compares several pairs.

    With one pair of systems a preference is for the first or the second of them. With several pairs there is no first
    that they share, and by name the outcome would hang on what systems are called: it is drawn instead.
    """
    return bool(lot(study.seed, "turned", item) & 1)


def scale_of(dimension: Dimension) -> tuple[Any, ...]:
    """The values that statistics know: of a preference, the first or second system of a pair, wherever it stood."""
    values = dimension.input.values()
    if not dimension.input.compares:
        return values
    roles = roles_by_side()
    return tuple(roles.get(str(value), value) for value in values)


def value_on_scale(judgment: Judgment, dimension: Dimension, flipped: bool = False) -> Any:
    """A judgment's value on that scale."""
    if dimension.input.compares and judgment.value in judgment.systems:
        return OTHER_ROLE[str(judgment.choice)] if flipped else judgment.choice
    return judgment.value
