"""The questionnaire of an item: its questions, and the rules between their answers.

Every page and every submission needs it, and most items of a study have the same one: the text of a reply changes no
question, and matters to a rule only by being empty or not. So questionnaires are cached by what they depend on.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.judgments.item_rules import ItemRule, item_rules
from assay.judgments.questions import Question, questions_of
from assay.study.evaluate import holds
from assay.study.expression import COMPARISONS, Tree, names
from assay.study.schema import Study

MOST_CACHED = 2000

CacheKey = tuple[str, ...]
"""What the questionnaire of an item depends on."""


@dataclass(frozen=True)
class Questionnaire:
    """The questions of an item, in order, and the rules between them."""

    questions: tuple[Question, ...]
    rules: tuple[ItemRule, ...]
    key: CacheKey

    @property
    def possible(self) -> tuple[Question, ...]:
        """The questions without those that are not asked of this item, whatever is answered."""
        never = {rule.slot for rule in self.rules if rule.kind == "asked" and rule.when == ["value", False]}
        return tuple(question for question in self.questions if question.slot not in never)


def questionnaire_of(study: Study, shown: Mapping[str, Any]) -> Questionnaire:
    """The questionnaire of an item with these shown fields."""
    key = _cache_key(study, shown)
    if key not in _cache:
        if len(_cache) >= MOST_CACHED:
            _cache.clear()
        questions = questions_of(study, shown)
        _cache[key] = Questionnaire(questions, item_rules(study, questions, shown), key)
    return _cache[key]


_cache: dict[CacheKey, Questionnaire] = {}


def _cache_key(study: Study, shown: Mapping[str, Any]) -> CacheKey:
    entries = json.dumps([shown.get(name) for name in study.entries]) if study.entries else ""
    facts = [json.dumps(_fact_about(part, shown)) for part in _field_conditions(study)]
    return (study.hash, entries, *facts)


def _fact_about(part: Tree, shown: Mapping[str, Any]) -> Any:
    """Whether a condition holds for the fields; of a field that is compared with an answer, its value."""
    return shown.get(part[1]) if part[0] == "name" else holds(part, dict(shown))


def _field_conditions(study: Study) -> list[Tree]:
    """Every part of the study's rules that depends on fields alone."""
    if study.hash not in _conditions_cache:
        _conditions_cache[study.hash] = _find_field_conditions(study)
    return _conditions_cache[study.hash]


_conditions_cache: dict[str, list[Tree]] = {}


def _find_field_conditions(study: Study) -> list[Tree]:
    dimensions = {dimension.dimension for dimension in study.rubric}
    fields = set(study.items.shown_fields) - dimensions
    found: list[Tree] = []
    trees = [dimension.asked_tree for dimension in study.rubric]
    trees += [tree for rule in study.rules for tree in (rule.tree, rule.limits)]
    for tree in trees:
        found += [part for part in _parts_about(tree, fields) if part not in found]
    return found


def _parts_about(tree: Tree, fields: set[str]) -> Iterator[Tree]:
    used = set(names(tree))
    if not used & fields:
        return
    if tree[0] in ("empty", "answered"):
        yield from ([tree[0], part] for part in tree[1:] if part[1] in fields)
    elif tree[0] in COMPARISONS and used <= fields:
        yield tree
    elif tree[0] in ("and", "or", "not", "implied"):
        for part in tree[1:]:
            yield from _parts_about(part, fields)
    else:
        yield from (["name", name] for name in sorted(used & fields))


__all__ = ["Questionnaire", "questionnaire_of"]
