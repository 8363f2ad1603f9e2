"""Whether judgments given under two versions of a study may be pooled: their scale means the same in both."""

from collections import defaultdict
from typing import Any

from assay.derivations import Derivation
from assay.inputs.one_of import OneOf
from assay.study.rubric import Dimension
from assay.study.schema import Study


def same_scale(then: Study, now: Study, name: str) -> bool:
    """Whether values given under one version of a study mean the same in another, and may be pooled.

    They do not where the range, the level, the kind of question or what it is asked of is another, or where the words
    of one point stand at another point. A reworded anchor means the same; a study may also say so (`pool_with`).
    """
    old, new = _find_dimension(then, name), _find_dimension(now, name)
    if old is not None and new is not None:
        return _means_the_same(old, new) or then.hash.startswith(new.pool_with)
    made, making = _derivation(then, name), _derivation(now, name)
    return making is not None and made == making and all(same_scale(then, now, used) for used in making.uses())


def is_pooled_by_declaration(then: Study, now: Study, name: str) -> bool:
    """Whether values are pooled only because the study says that they may be: their scale has another meaning."""
    old, new = _find_dimension(then, name), _find_dimension(now, name)
    if old is not None and new is not None:
        return not _means_the_same(old, new) and then.hash.startswith(new.pool_with)
    making = _derivation(now, name)
    if making is None or not same_scale(then, now, name):
        return False
    return any(is_pooled_by_declaration(then, now, used) for used in making.uses())


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


def _find_dimension(study: Study, name: str) -> Dimension | None:
    return next((each for each in study.rubric if each.dimension == name), None)


def _derivation(study: Study, name: str) -> Derivation | None:
    return next((each.derivation for each in study.derive if each.derived == name), None)
