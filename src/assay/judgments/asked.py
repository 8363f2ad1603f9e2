"""What is asked of one item: its questions and the rules between them. Items that differ in neither share it.

Every page and every submission needs it, and most items of a study are alike in it: the text of a reply matters to no
question, and to a rule only in that it is empty or not. So it is made once for each such case, and kept.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.judgments.questions import Question, questions_of
from assay.judgments.rules import Concrete, concrete_rules
from assay.study.expression import COMPARISONS, Tree, holds, names
from assay.study.schema import Study

MOST_KEPT = 2000

Case = tuple[str, ...]
"""What of an item decides its questions and rules."""


@dataclass(frozen=True)
class Asked:
    """The questions of an item, in order, and the rules between them."""

    questions: tuple[Question, ...]
    rules: tuple[Concrete, ...]
    case: Case


def asked(study: Study, shown: Mapping[str, Any]) -> Asked:
    """What is asked of an item that shows this."""
    case = _case(study, shown)
    if case not in _kept:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        questions = questions_of(study, shown)
        _kept[case] = Asked(questions, concrete_rules(study, questions, shown), case)
    return _kept[case]


_kept: dict[Case, Asked] = {}


def _case(study: Study, shown: Mapping[str, Any]) -> Case:
    entries = json.dumps([shown.get(name) for name in study.entries]) if study.entries else ""
    facts = [json.dumps(_said(part, shown)) for part in _about_fields(study)]
    return (study.hash, entries, *facts)


def _said(part: Tree, shown: Mapping[str, Any]) -> Any:
    """Whether something holds of the fields; of a field that stands beside an answer, what it holds."""
    return shown.get(part[1]) if part[0] == "name" else holds(part, dict(shown))


def _about_fields(study: Study) -> list[Tree]:
    """Every part of the rules that speaks of fields."""
    if study.hash not in _fields:
        _fields[study.hash] = _find_about_fields(study)
    return _fields[study.hash]


_fields: dict[str, list[Tree]] = {}


def _find_about_fields(study: Study) -> list[Tree]:
    dimensions = {dimension.dimension for dimension in study.rubric}
    fields = set(study.items.shown_fields) - dimensions
    found: list[Tree] = []
    for rule in study.rules:
        for tree in (rule.tree, rule.limits):
            found += [part for part in _parts(tree, fields) if part not in found]
    return found


def _parts(tree: Tree, fields: set[str]) -> Iterator[Tree]:
    used = set(names(tree))
    if not used & fields:
        return
    if tree[0] in ("empty", "answered"):
        yield from ([tree[0], part] for part in tree[1:] if part[1] in fields)
    elif tree[0] in COMPARISONS and used <= fields:
        yield tree
    elif tree[0] in ("and", "or", "not", "implied"):
        for part in tree[1:]:
            yield from _parts(part, fields)
    else:
        yield from (["name", name] for name in sorted(used & fields))


__all__ = ["Asked", "asked"]
