"""Warnings about rules that never act, that limit nothing, or that contradict each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from assay.judgments.answer_space import (
    Condition,
    Space,
    TooManyAnswers,
    answer_combinations,
    can_hold,
    is_answer,
    legal_values,
    space_of,
)
from assay.judgments.item_rules import target_dimensions
from assay.judgments.warnings import LintWarning, join_words
from assay.mistakes import quote
from assay.model import Value
from assay.study.expression import holds
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
            return [self.rule.value[name]]
        legal = legal_values(self.study.dimension(name), [*self.limits.literals, *literals, "text 0"])
        return [value for value in legal if holds(self.limits.tree, {**values, name: value})]


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
            yield from _warn_of_limits(case)
        except TooManyAnswers:
            continue
    for earlier, later in combinations(cases, 2):
        yield from _warn_of_collision(earlier, later)


def _warn_of_targets(study: Study, rule: Rule, at: tuple[str | int, ...]) -> Iterator[LintWarning]:
    for name in rule.required or ():
        if not study.dimension(name).optional:
            yield LintWarning((*at, "required"), f"{name} must be answered anyway", f"add optional: true to {name}")
    for name, value in (rule.value or {}).items():
        kind = study.dimension(name).input
        known = kind.values()
        taken = value in known if known else isinstance(value, str) and is_answer(study.dimension(name), value)
        if not taken:
            what = f"this is a mistake: {quote(value)} is no answer to {name}, and would be stored all the same"
            hint = f"write one of: {', '.join(map(str, known))}" if known else f"{kind.kind} cannot have this value"
            yield LintWarning((*at, "value", name), what, hint)


def _warn_of_limits(case: _RuleConditions) -> Iterator[LintWarning]:
    if case.rule.allowed is None:
        return
    at, name = ("rules", case.index, "allowed"), case.about[0]
    space = {key: values for key, values in space_of([case.limits]).items() if key != name}
    left = [len(case.allows(name, values)) for values in answer_combinations(space)]
    if not any(left):
        yield LintWarning(at, f"this leaves no answer to {name}", "compare it with the answers that there are")
    elif set(left) == {len(legal_values(case.study.dimension(name), [*case.limits.literals, "text 0"]))}:
        yield LintWarning(at, f"this forbids no answer to {name}", "compare it with the answers that there are")


@dataclass(frozen=True)
class _RulePair:
    """Two rules about one dimension."""

    earlier: _RuleConditions
    later: _RuleConditions
    name: str

    def allowed_answers(self, values: Mapping[str, Any]) -> tuple[list[Value], list[Value]]:
        literals = [*self.earlier.limits.literals, *self.later.limits.literals]
        return self.earlier.allows(self.name, values, literals), self.later.allows(self.name, values, literals)

    def excludes(self, values: Mapping[str, Any]) -> bool:
        """Whether both rules allow something, but nothing in common."""
        one, other = self.allowed_answers(values)
        return bool(one and other) and not any(value in other for value in one)

    def clashes(self, values: Mapping[str, Any]) -> bool:
        return all(holds(case.when.tree, values) for case in (self.earlier, self.later)) and self.excludes(values)

    def space(self) -> Space:
        return space_of([condition for case in (self.earlier, self.later) for condition in (case.when, case.limits)])

    def warning(self) -> LintWarning | None:
        """A warning with the first answers for which the two rules contradict each other."""
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
            f"rule {self.later.index + 1} only {other}; the earlier one wins"
        )
        return LintWarning(("rules", self.later.index), what, "say in one of them when it does not apply")

    def _condition_in_words(self, values: dict[str, Any], space: Space) -> str:
        """The condition of the collision: every variable whose value matters to it."""
        values = dict(values)
        for name in values:
            if self.clashes({**values, name: space[name][0]}):
                values[name] = space[name][0]
        needed = [n for n in values if not all(self.clashes({**values, n: value}) for value in space[n])]
        said = [words for name in needed for words in _variable_in_words(name, values[name])]
        return f"when {' and '.join(said)}" if said else "always"


def _warn_of_collision(earlier: _RuleConditions, later: _RuleConditions) -> Iterator[LintWarning]:
    """One warning for two rules, however many dimensions they collide on."""
    try:
        shared = [name for name in earlier.about if name in later.about]
        found = (_RulePair(earlier, later, name).warning() for name in shared)
        yield from [warning for warning in found if warning is not None][:1]
    except TooManyAnswers:
        return


def _variable_in_words(name: str, value: Any) -> list[str]:
    """A variable and its value, as one would say it."""
    if isinstance(value, list) and value:
        return [f"{name} has {each}" for each in value]
    if isinstance(value, bool):
        return [f"{name} is {str(value).lower()}"]
    return [f"{name} is {_value_in_words(value)}"]


def _value_in_words(value: Any) -> str:
    return "empty" if value in (None, "", []) else ", ".join(value) if isinstance(value, list) else str(value)
