"""Searches the space of all answers: whether any of them makes an expression true."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product
from math import prod
from random import Random
from typing import Any

from assay.errors import AnswerError
from assay.inputs.counts import CountsInput
from assay.inputs.one_of import OneOf
from assay.inputs.tags import TagsInput
from assay.inputs.text import TextInput
from assay.judgments.item_rules import answer_in_rule
from assay.model import UNABLE, Value
from assay.study.evaluate import compile_tree
from assay.study.expression import CALLS, COMPARISONS, QUANTIFIERS, Tree, names
from assay.study.rubric import Dimension, Scope
from assay.study.schema import Study

MOST = 200_000
"""At most so many combinations are tried one by one. Of more, a sample is tried, and nothing is called impossible."""
SAMPLE = 20_000
MOST_TICKS = 10
MOST_MARKS = 4096
MOST_ENTRIES = 3


class TooManyAnswers(Exception):
    """The answers are too many, or of too many kinds, to be enumerated."""


class Condition:
    """An expression over variables: one for each answer, field and `implied(...)` in it.

    A dimension asked of sides or entries has one value where the rule is about them, and several where it is not.
    """

    def __init__(self, study: Study, tree: Tree, frame: Scope) -> None:
        self.study, self.frame = study, frame
        self.mentions = Counter(names(tree))
        self.variables: dict[str, str] = {}
        self.implied: dict[str, tuple[bool, ...]] = {}
        self.literals = _literals(tree)
        self.ticks = [part[2][1] for part in _subtrees(tree) if part[0] == "has"]
        self.ticks += [part[2] for part in _subtrees(tree) if part[0] == "of"]
        self.tree = self._refuse_quantifier(self._with_variables(tree))
        self.holds = compile_tree(self.tree)
        if any(part[0] in COMPARISONS and part[1][0] == part[2][0] == "name" for part in _subtrees(tree)):
            # An answer is compared with another answer or with a field, which may then have any value of an answer.
            inputs = [study.dimension(name).input for name in self.mentions if _is_dimension(study, name)]
            options = [name for each in inputs if each.answer == "list" for name in each.option_names()]
            self.literals += [*options, *(value for each in inputs for value in each.values())]
            self.ticks += self.literals if any(part[0] == "in" for part in _subtrees(tree)) else []

    def _with_variables(self, tree: Tree) -> Tree:
        op, *parts = tree
        if op in ("value", "list"):
            return tree
        if op == "implied":
            return self._variable_of_implied(tree)
        if op == "name":
            found = self._variables_for(tree[1])
            return found[0] if len(found) == 1 else ["any", *found]
        if op == "count":
            return self._count(parts)
        if op in CALLS:
            return [op, *(variable for part in parts for variable in self._variables_for(part[1]))]
        first, *rest = map(self._with_variables, parts)
        if op not in COMPARISONS:
            first = self._refuse_quantifier(first)
        return [op, first, *map(self._refuse_quantifier, rest)]

    def _count(self, parts: Sequence[Tree]) -> Tree:
        """A count of answers. Raises TooManyAnswers where any number of them is possible."""
        counted: Tree = ["count"]
        for part in parts:
            kind = part[1:] if part[0] == "of" else [part]
            name = kind[0][1]
            if not _is_dimension(self.study, name):
                continue
            if self._is_open(name):
                raise TooManyAnswers
            found = self._variables_for(name)
            counted += found if part[0] != "of" else [["of", each, part[2]] for each in found]
        return counted

    def _refuse_quantifier(self, tree: Tree) -> Tree:
        if tree[0] in QUANTIFIERS:
            raise TooManyAnswers
        return tree

    def _variable_of_implied(self, tree: Tree) -> Tree:
        """`implied(...)` as a Boolean variable: only an item decides it. It is false if its condition never holds."""
        _, link, condition = tree
        name = f"implied({link[1]}, ...)"
        other = Condition(self.study, condition, self.frame)
        possible = self.frame.of == "entries" and can_hold([other])
        self.implied[name] = (False, True) if possible else (False,)
        return ["name", name]

    def _variables_for(self, name: str) -> list[Tree]:
        copies = self._copies(name)
        keys = [name] if copies == 1 else [f"{name} ({number})" for number in range(1, copies + 1)]
        self.variables |= dict.fromkeys(keys, name)
        return [["name", key] for key in keys]

    def _is_open(self, name: str) -> bool:
        """Whether the number of answers is not known: one for each entry, in a rule that is not about an entry."""
        scope = self.study.dimension(name).scope
        return scope.of == "entries" and scope != self.frame

    def _copies(self, name: str) -> int:
        if not _is_dimension(self.study, name):
            return 1
        if self._is_open(name):
            # Each mention can be true of another entry.
            if self.mentions[name] > MOST_ENTRIES:
                raise TooManyAnswers
            return self.mentions[name]
        return 2 if self.study.dimension(name).scope.of == "side" and self.frame.of != "side" else 1


def _subtrees(tree: Any) -> Iterator[Tree]:
    """An expression and everything within it."""
    if isinstance(tree, list):
        yield tree
        for part in tree[1:]:
            yield from _subtrees(part)


def _literals(tree: Tree) -> list[Any]:
    found = [part[1:] for part in _subtrees(tree) if part[0] in ("value", "list")]
    found += [part[2:] for part in _subtrees(tree) if part[0] == "of"]
    return [value for values in found for value in values if not isinstance(value, bool)]


def _is_dimension(study: Study, name: str) -> bool:
    return any(dimension.dimension == name for dimension in study.rubric)


Space = Mapping[str, Sequence[Any]]
"""Each variable with the values that it can have; the first one is that of a question nobody has answered."""


def space_of(conditions: Sequence[Condition]) -> Space:
    """The values of every variable of some conditions: one of all that the conditions cannot tell apart."""
    literals = [value for each in conditions for value in each.literals]
    ticks = list(dict.fromkeys(value for each in conditions for value in each.ticks))
    variables = {key: (each, name) for each in conditions for key, name in each.variables.items()}
    others = [f"text {number}" for number in range(len(variables))]
    space: dict[str, Sequence[Any]] = {}
    for key, (condition, name) in variables.items():
        study = condition.study
        if _is_dimension(study, name):
            space[key] = _answers(study, study.dimension(name), [*literals, *others])
        elif name in study.items.shown_fields or _is_kept(condition, name):
            space[key] = _field_values(literals, ticks, others)
        else:
            space[key] = [None]
    return {**space, **{key: values for each in conditions for key, values in each.implied.items()}}


def _is_kept(condition: Condition, name: str) -> bool:
    frame = condition.frame
    return frame.of == "entries" and name in (*condition.study.items.entries[frame.entries].keep, "text", "id")


def _answers(study: Study, dimension: Dimension, literals: Sequence[Any]) -> list[Value]:
    """Every answer to a question; None stands for no answer."""
    name = dimension.dimension
    written = [rule.value[name] for rule in study.rules if rule.value is not None and name in rule.value]
    set_by_rules = [answer_in_rule(dimension.input, value) for value in written]
    unable = [UNABLE] if study.unable(dimension) else []
    return [None, *legal_values(dimension, literals), *unable, *set_by_rules]


def legal_values(dimension: Dimension, literals: Sequence[Any]) -> list[Value]:
    """The answers that the input takes, as far as these literals tell them apart."""
    if isinstance(dimension.input, OneOf):
        return list(dimension.input.values())
    if isinstance(dimension.input, TagsInput):
        return _tag_sets(dimension.input, literals)
    if isinstance(dimension.input, CountsInput):
        return _marks(dimension.input, literals)
    if isinstance(dimension.input, TextInput):
        texts = dict.fromkeys(text for text in literals if isinstance(text, str))
        return [text for text in texts if is_answer(dimension, text)]
    raise TooManyAnswers


def is_answer(dimension: Dimension, text: str) -> bool:
    """Whether a text is a valid answer to a dimension, unchanged."""
    try:
        return dimension.input.read([text]) == text
    except AnswerError:
        return False


def _tag_sets(tags: TagsInput, literals: Sequence[Any]) -> list[Value]:
    """Every set of the tags that are named in the conditions; of all others only the number matters."""
    named = [name for name in tags.options if name in literals]
    rest = [name for name in tags.options if name not in literals]
    if len(named) > MOST_TICKS:
        raise TooManyAnswers
    sets = [{*some, *rest[:number]} for number in range(len(rest) + 1) for some in _subsets(named)]
    return [[name for name in tags.options if name in ticked] for ticked in sets if ticked or tags.none]


def _marks(counts: CountsInput, literals: Sequence[Any]) -> list[Value]:
    """Every number of each thing that is named in the conditions, and of all others together, as far as it matters."""
    most = 1 + max((int(number) for number in literals if isinstance(number, int | float)), default=1)
    named = [name for name in counts.options if name in literals]
    names = [*named, *[name for name in counts.options if name not in literals][:1]]
    if (max(1, most) + 1) ** len(names) > MOST_MARKS:
        raise TooManyAnswers
    often = product(range(max(1, most) + 1), repeat=len(names))
    found = [[name for name, n in zip(names, each, strict=True) for _ in range(n)] for each in often]
    return [marks for marks in found if marks or counts.none]


def _subsets(values: Sequence[Any]) -> list[tuple[Any, ...]]:
    return [some for size in range(len(values) + 1) for some in combinations(values, size)]


def _field_values(literals: Sequence[Any], ticks: Sequence[Any], others: Sequence[str]) -> list[Any]:
    """What a shown field may hold: nothing, what it is compared with, numbers around that, other texts, lists."""
    if len(ticks) > MOST_TICKS:
        raise TooManyAnswers
    numbers = sorted({*range(len(others)), *(value for value in literals if not isinstance(value, str))})
    between = [(one + other) / 2 for one, other in pairwise(numbers)]
    around = [numbers[0] - 1, *numbers, *between, numbers[-1] + 1]
    texts = dict.fromkeys(["", *(value for value in literals if isinstance(value, str)), *others])
    return [None, *texts, *around, True, False, *map(list, _subsets(ticks))]


def answer_combinations(space: Space) -> Iterator[dict[str, Any]]:
    """Every combination of values, or a sample where there are too many."""
    if is_small_enough(space):
        for values in product(*space.values()):
            yield dict(zip(space, values, strict=True))
    else:
        rng = Random(0)
        for _ in range(SAMPLE):
            yield {name: rng.choice(values) for name, values in space.items()}


def is_small_enough(space: Space) -> bool:
    """Whether every combination is tried, so that what is not found does not exist."""
    return prod(map(len, space.values())) <= MOST


def can_hold(conditions: Sequence[Condition]) -> bool:
    """Whether all conditions can be true at once. True also where it would take too long to find out."""
    space = space_of(conditions)
    fires = any(all(each.holds(values) for each in conditions) for values in answer_combinations(space))
    return fires or not is_small_enough(space)
