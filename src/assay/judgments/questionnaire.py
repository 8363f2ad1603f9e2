"""The questionnaire of an item: its questions, and the rules between their answers.

Every page and every submission needs it, and most items of a study have the same one: the text of a reply changes no
question, and matters to a rule only by being empty or not. So questionnaires are cached by what they depend on.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.inputs.counts import CountsInput
from assay.judgments.item_rules import ItemRule, item_rules
from assay.judgments.questions import Question, questions_of
from assay.study.evaluate import compile_tree
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

    @cached_property
    def only_refuses(self) -> bool:
        """Whether there is no rule that only warns."""
        return all(rule.refuses for rule in self.rules)

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
    return (study.hash, entries, *[fact(shown) for fact in _facts_about_fields(study)])


Fact = Callable[[Mapping[str, Any]], str]
"""Something about the fields of an item that a question or a rule depends on."""


def _facts_about_fields(study: Study) -> list[Fact]:
    """What a questionnaire depends on, as functions of the shown fields: numbers of places, and parts of rules."""
    if study.hash not in _facts_cache:
        counted = [each.input for each in study.rubric if isinstance(each.input, CountsInput) and each.input.where_in]
        of_rules = [_fact(part) for part in _find_field_conditions(study)]
        _facts_cache[study.hash] = [*map(_most_places, counted), *of_rules]
    return _facts_cache[study.hash]


_facts_cache: dict[str, list[Fact]] = {}


def _most_places(counts: CountsInput) -> Fact:
    return lambda shown: str(counts.most_places(shown))


def _fact(part: Tree) -> Fact:
    """A function of the shown fields: whether a condition holds, or the value of a field compared with an answer."""
    if part[0] == "name":
        name = part[1]
        return lambda shown: json.dumps(shown.get(name))
    is_true = compile_tree(part)
    return lambda shown: "true" if is_true(shown) else "false"


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
