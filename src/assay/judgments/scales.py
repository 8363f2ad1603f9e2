"""The scales that statistics compute on, and the values of judgments on them."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

from assay.derivations import Derivation
from assay.inputs.one_of import OneOf
from assay.model import ROLES, Coefficient, Comparison, Judgment
from assay.sides_and_candidates import OTHER_ROLE, roles_by_side
from assay.study.rubric import Dimension
from assay.study.schema import Study


def same_scale(then: Study, now: Study, name: str) -> bool:
    """Whether values given under one version of a study mean the same in another, and may be pooled.

    They do not where the range, the level, the kind of question or what it is asked of is another, or where the words
    of one point stand at another point. A reworded anchor means the same; a study may also say so (`pool_with`).
    """
    old, new = _asked(then, name), _asked(now, name)
    if old is not None and new is not None:
        return _means_the_same(old, new) or then.hash.startswith(new.pool_with)
    made, making = _derivation(then, name), _derivation(now, name)
    return making is not None and made == making and all(same_scale(then, now, used) for used in making.uses())


def _means_the_same(old: Dimension, new: Dimension) -> bool:
    if (old.input.kind, old.scope, old.input.level) != (new.input.kind, new.scope, new.input.level):
        return False
    values, others = old.input.values(), new.input.values()
    if values != others and (new.input.level != "nominal" or set(values) != set(others)):
        return False
    labels, now = _labels(old), _labels(new)
    return all(labels[label] == now[label] for label in labels.keys() & now.keys())


def _labels(dimension: Dimension) -> dict[str, set[Any]]:
    """At which values the words of an answer stand."""
    found: dict[str, set[Any]] = defaultdict(set)
    if isinstance(dimension.input, OneOf):
        for choice in dimension.input.choices():
            if choice.label:
                found[choice.label].add(choice.value)
    return found


def _asked(study: Study, name: str) -> Dimension | None:
    return next((each for each in study.rubric if each.dimension == name), None)


def _derivation(study: Study, name: str) -> Derivation | None:
    return next((each.derivation for each in study.derive if each.derived == name), None)


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


def mirrored(value: Any) -> Any:
    """A preference in the other direction: what is for the first is for the second, and the reverse.

    >>> [mirrored(value) for value in ("a", "tie", "b")]
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
    """A coefficient of items that stood in their table twice, in both directions."""
    how = "each item in both directions; no interval"
    return replace(found, n_items=found.n_items // 2, n_ratings=found.n_ratings // 2, method=how)
