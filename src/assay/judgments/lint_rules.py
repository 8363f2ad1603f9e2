"""Rules that cannot do what they say, which are mistakes, and rules that are probably not meant, which are warned of.

A mistake is refused when a version is checked or published, and not when one is read: versions that were published
before such mistakes were looked for can still be opened.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

from assay.inputs.one_of import OneOf
from assay.judgments.answer_space import (
    Condition,
    Space,
    TooManyAnswers,
    answer_combinations,
    can_hold,
    is_small_enough,
    legal_values,
    space_of,
)
from assay.judgments.item_rules import answer_in_rule, target_dimensions
from assay.judgments.warnings import LintWarning, join_words
from assay.mistakes import quote
from assay.model import Value
from assay.study.explain import MistakeAt
from assay.study.rubric import Scope
from assay.study.rules import Rule
from assay.study.schema import Study


class _RuleConditions:
    """A rule with its condition and its limits, as expressions over variables."""

    def __init__(self, study: Study, index: int) -> None:
        self.study, self.index, self.rule = study, index, study.rules[index]
        self.about = target_dimensions(self.rule, [dimension.dimension for dimension in study.rubric])
        scopes = [study.dimension(name).scope for name in self.about]
        sides, entries = ([scope for scope in scopes if scope.of == of] for of in ("side", "entries"))
        frame = next(iter([*sides, *entries]), Scope("item"))
        self.when, self.limits = (Condition(study, tree, frame) for tree in (self.rule.tree, self.rule.limits))

    def allows(self, name: str, values: Mapping[str, Any], literals: Sequence[Any] = ()) -> list[Value]:
        """The answers to a dimension that the rule allows where its condition holds."""
        if self.rule.value is not None:
            follows = answer_in_rule(self.study.dimension(name).input, self.rule.value[name])
            return [] if follows is None else [follows]
        legal = legal_values(self.study.dimension(name), [*self.limits.literals, *literals, "text 0"])
        return [value for value in legal if self.limits.holds({**values, name: value})]

    def space_beside(self, name: str) -> Space:
        """The variables that the limits depend on besides the dimension itself, with their values."""
        return {key: values for key, values in space_of([self.limits]).items() if key != name}

    def leaves_something(self, name: str) -> bool:
        """Whether the limits allow some answer, or to leave an optional one empty."""
        dimension = self.study.dimension(name)
        no_answer: list[Value] = [None] if dimension.optional and not isinstance(dimension.input, OneOf) else []
        return any(
            self.allows(name, values) or any(self.limits.holds({**values, name: each}) for each in no_answer)
            for values in answer_combinations(self.space_beside(name))
        )


def rule_mistakes(study: Study) -> Iterator[MistakeAt]:
    """The rules of a study that cannot do what they say: no answer is what they allow or fill in."""
    limits = []
    for index, rule in enumerate(study.rules):
        yield from _values_that_are_no_answers(study, rule, ("rules", index))
        try:
            case = _RuleConditions(study, index)
            if rule.allowed is not None:
                yield from _limits_that_leave_nothing(case)
                limits += [case] if rule.mode == "refuse" else []
        except TooManyAnswers:
            continue
    for collision in _collisions(limits, leave_nothing=True):
        yield MistakeAt(collision.at, collision.in_words, HINT_ON_COLLISIONS)


def rule_warnings(study: Study) -> Iterator[LintWarning]:
    """What is probably not meant in the rules of a study."""
    cases = []
    for index, rule in enumerate(study.rules):
        yield from _warn_of_targets(study, rule, ("rules", index))
        try:
            case = _RuleConditions(study, index)
            cases += [case] if rule.mode == "refuse" and rule.required is None else []
            if not can_hold([case.when]):
                what = (
                    f"no answer to {join_words(case.when.mentions)} makes this true"
                    if case.when.mentions
                    else "never true"
                )
                yield LintWarning(
                    ("rules", index, "when"), f"{what}: the rule never acts", "compare it with the answers"
                )
            yield from _limits_that_forbid_nothing(case)
        except TooManyAnswers:
            continue
    for collision in _collisions(cases, leave_nothing=False):
        yield LintWarning(collision.at, collision.in_words, HINT_ON_COLLISIONS)


def _warn_of_targets(study: Study, rule: Rule, at: tuple[str | int, ...]) -> Iterator[LintWarning]:
    for name in rule.required or ():
        if not study.dimension(name).optional:
            yield LintWarning((*at, "required"), f"{name} must be answered anyway", f"add optional: true to {name}")


def _values_that_are_no_answers(study: Study, rule: Rule, at: tuple[str | int, ...]) -> Iterator[MistakeAt]:
    for name, value in (rule.value or {}).items():
        kind = study.dimension(name).input
        if answer_in_rule(kind, value) is None:
            known = kind.values() or kind.option_names()
            hint = f"write one of: {', '.join(map(str, known))}" if known else f"{kind.kind} cannot have this value"
            yield MistakeAt((*at, "value", name), f"{quote(value)} is no answer to {name}", hint)


def _limits_that_leave_nothing(case: _RuleConditions) -> Iterator[MistakeAt]:
    name = case.about[0]
    if not case.leaves_something(name) and is_small_enough(case.space_beside(name)):
        what = f"this leaves no answer to {name}"
        yield MistakeAt(("rules", case.index, "allowed"), what, "compare it with the answers that there are")


def _limits_that_forbid_nothing(case: _RuleConditions) -> Iterator[LintWarning]:
    if case.rule.allowed is None:
        return
    name = case.about[0]
    most = len(legal_values(case.study.dimension(name), [*case.limits.literals, "text 0"]))
    left = {len(case.allows(name, values)) for values in answer_combinations(case.space_beside(name))}
    if most and left == {most}:
        what = f"this forbids no answer to {name}"
        yield LintWarning(("rules", case.index, "allowed"), what, "compare it with the answers that there are")


@dataclass(frozen=True)
class _RulePair:
    """Two rules about one dimension."""

    earlier: _RuleConditions
    later: _RuleConditions
    name: str

    @property
    def one_wins(self) -> bool:
        """Whether the later rule is ignored. Two limits of ticks or texts both apply."""
        is_limit = [each.rule.allowed is not None for each in (self.earlier, self.later)]
        return isinstance(self.earlier.study.dimension(self.name).input, OneOf) or not all(is_limit)

    @property
    def leaves_nothing(self) -> bool:
        """Whether a question that has to be answered has no answer where the two contradict each other."""
        return not self.one_wins and not self.earlier.study.dimension(self.name).optional

    def allowed_answers(self, values: Mapping[str, Any]) -> tuple[list[Value], list[Value]]:
        literals = [*self.earlier.limits.literals, *self.later.limits.literals]
        return self.earlier.allows(self.name, values, literals), self.later.allows(self.name, values, literals)

    def excludes(self, values: Mapping[str, Any]) -> bool:
        """Whether both rules allow something, but nothing in common."""
        one, other = self.allowed_answers(values)
        return bool(one and other) and not any(value in other for value in one)

    def clashes(self, values: Mapping[str, Any]) -> bool:
        return all(case.when.holds(values) for case in (self.earlier, self.later)) and self.excludes(values)

    def space(self) -> Space:
        """What decides whether they clash. The answer that both limit counts only where a condition asks for it."""
        cases = (self.earlier, self.later)
        space = space_of([condition for case in cases for condition in (case.when, case.limits)])
        if any(self.name in case.when.variables for case in cases):
            return space
        return {key: values for key, values in space.items() if key != self.name}

    def collision(self) -> "_Collision | None":
        """The first answers for which the two rules contradict each other, in words."""
        needs_fields = {*self.earlier.limits.variables, *self.later.limits.variables} - {self.name}
        if not needs_fields and not self.excludes({}):
            return None
        space = self.space()
        found = next(filter(self.clashes, answer_combinations(space)), None)
        if found is None:
            return None
        one, other = (join_words(map(_value_in_words, values), "or") for values in self.allowed_answers(found))
        when = self._condition_in_words(found, space)
        what = (
            f"{when}: rule {self.earlier.index + 1} allows only {one} for {self.name}, "
            f"rule {self.later.index + 1} only {other}" + ("; the earlier one wins" if self.one_wins else "")
        )
        return _Collision(("rules", self.later.index), what)

    def _condition_in_words(self, values: dict[str, Any], space: Space) -> str:
        """The condition of the collision: every variable whose value matters to it."""
        values = dict(values)
        for name in values:
            if self.clashes({**values, name: space[name][0]}):
                values[name] = space[name][0]
        needed = [n for n in values if not all(self.clashes({**values, n: value}) for value in space[n])]
        said = [words for name in needed for words in _variable_in_words(name, values[name])]
        return f"when {' and '.join(said)}" if said else "always"


HINT_ON_COLLISIONS = "say in one of them when it does not apply"


@dataclass(frozen=True, slots=True)
class _Collision:
    """Two rules that contradict each other."""

    at: tuple[str | int, ...]
    in_words: str


def _collisions(cases: Sequence[_RuleConditions], *, leave_nothing: bool) -> Iterator[_Collision]:
    """The rules that collide and leave no answer (`leave_nothing`), or some; each pair once, whatever it is about.

    Which of the two kinds a collision would be is known before the search, which takes long.
    """
    for earlier, later in combinations(cases, 2):
        try:
            pairs = [_RulePair(earlier, later, name) for name in earlier.about if name in later.about]
            searched = (pair.collision() for pair in pairs if pair.leaves_nothing == leave_nothing)
            yield from islice(filter(None, searched), 1)
        except TooManyAnswers:
            continue


def _variable_in_words(name: str, value: Any) -> list[str]:
    """A variable and its value, as one would say it."""
    if isinstance(value, list) and value:
        return [f"{name} has {each}" for each in value]
    if isinstance(value, bool):
        return [f"{name} is {str(value).lower()}"]
    return [f"{name} is {_value_in_words(value)}"]


def _value_in_words(value: Any) -> str:
    return "empty" if value in (None, "", []) else ", ".join(value) if isinstance(value, list) else str(value)
