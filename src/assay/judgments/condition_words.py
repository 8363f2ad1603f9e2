"""A condition on answers in the words of the page: titles and labels in the place of names and values."""

from typing import Any

from assay.inputs.one_of import OneOf
from assay.study.expression import Tree
from assay.study.rubric import Dimension
from assay.study.schema import Study

SIGNS = {"==": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥", "in": "=", "has": "="}


def when_asked(study: Study, dimension: Dimension) -> str:
    """When a question is asked, for somebody who reads the page; in the study's own terms where there are no others."""
    return _in_words(study, dimension.asked_tree) or dimension.ask_when or ""


def _in_words(study: Study, tree: Tree) -> str:
    op, *parts = tree
    joins = {"and": study.words("questions.and"), "or": study.words("questions.or")}
    if op in joins:
        one, other = (_in_words(study, part) for part in parts)
        return f"{one} {joins[op]} {other}" if one and other else ""
    if op not in SIGNS:
        return ""
    left, right = parts
    counts = left[0] == "count"
    about = left[1] if counts and len(left) == 2 else left
    name = about[1] if about[0] == "name" else about[1][1] if about[0] == "of" else ""
    asked = next((each for each in study.rubric if each.dimension == name), None)
    if asked is None or right[0] not in ("value", "list"):
        return ""
    values = [str(value) if counts else _label(study, asked, value) for value in right[1:]]
    either = f" {joins['or']} ".join(values)
    what = f"{asked.heading}: {_label(study, asked, about[2])}" if about[0] == "of" else asked.heading
    return f"{what} {SIGNS[op]} {either}"


def _label(study: Study, dimension: Dimension, value: Any) -> str:
    kind = dimension.input
    if isinstance(kind, OneOf):
        labels = {choice.value: choice.label for choice in kind.choices(study.sides, study.words)}
        return labels.get(value) or str(value)
    options: dict[str, str] = getattr(kind, "options", {})
    return options.get(value, str(value))
