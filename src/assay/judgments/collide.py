"""Rules that never act, that limit nothing, or that collide."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from assay.judgments.rules import targets
from assay.judgments.space import Condition, Space, TooMany, assignments, can_hold, legal_values, reads, space_of
from assay.judgments.warnings import Warning_, listed
from assay.mistakes import quote
from assay.model import Value
from assay.study.expression import holds
from assay.study.rubric import Scope
from assay.study.rules import Rule
from assay.study.schema import Study


class _Case:
    """A rule with its condition and its limits over variables."""

    def __init__(self, study: Study, index: int) -> None:
        self.study, self.index, self.rule = study, index, study.rules[index]
        self.about = targets(self.rule, [dimension.dimension for dimension in study.rubric])
        scopes = [study.dimension(name).scope for name in self.about]
        sides, entries = ([scope for scope in scopes if scope.of == of] for of in ("side", "entries"))
        frame = next(iter([*sides, *entries]), Scope("item"))
        self.when, self.limits = (Condition(study, tree, frame) for tree in (self.rule.tree, self.rule.limits))

    def allows(self, name: str, values: Mapping[str, Any], literals: Sequence[Any] = ()) -> list[Value]:
        """The answers of a dimension that the rule leaves, where its condition holds."""
        if self.rule.value is not None:
            return [self.rule.value[name]]
        legal = legal_values(self.study.dimension(name), [*self.limits.literals, *literals, "text 0"])
        return [value for value in legal if holds(self.limits.tree, {**values, name: value})]


def rule_warnings(study: Study) -> Iterator[Warning_]:
    """What is probably not meant in the rules of a study."""
    cases = []
    for index, rule in enumerate(study.rules):
        yield from _asked_for(study, rule, ("rules", index))
        try:
            case = _Case(study, index)
            cases += [case] if rule.mode == "refuse" and rule.required is None else []
            if not can_hold([case.when]):
                what = (
                    f"no answer to {listed(case.when.mentions)} makes this true" if case.when.mentions else "never true"
                )
                yield Warning_(("rules", index, "when"), f"{what}: the rule never acts", "compare it with the answers")
            yield from _leaves(case)
        except TooMany:
            continue
    for earlier, later in combinations(cases, 2):
        yield from _collision(earlier, later)


def _asked_for(study: Study, rule: Rule, at: tuple[str | int, ...]) -> Iterator[Warning_]:
    for name in rule.required or ():
        if not study.dimension(name).optional:
            yield Warning_((*at, "required"), f"{name} must be answered anyway", f"add optional: true to {name}")
    for name, value in (rule.value or {}).items():
        kind = study.dimension(name).input
        known = kind.values()
        taken = value in known if known else isinstance(value, str) and reads(study.dimension(name), value)
        if not taken:
            what = f"this is a mistake: {quote(value)} is no answer to {name}, and would be stored all the same"
            hint = f"write one of: {', '.join(map(str, known))}" if known else f"{kind.kind} cannot have this value"
            yield Warning_((*at, "value", name), what, hint)


def _leaves(case: _Case) -> Iterator[Warning_]:
    if case.rule.allowed is None:
        return
    at, name = ("rules", case.index, "allowed"), case.about[0]
    space = {key: values for key, values in space_of([case.limits]).items() if key != name}
    left = [len(case.allows(name, values)) for values in assignments(space)]
    if not any(left):
        yield Warning_(at, f"this leaves no answer to {name}", "compare it with the answers that there are")
    elif set(left) == {len(legal_values(case.study.dimension(name), [*case.limits.literals, "text 0"]))}:
        yield Warning_(at, f"this forbids no answer to {name}", "compare it with the answers that there are")


@dataclass(frozen=True)
class _Pair:
    """Two rules about one dimension."""

    earlier: _Case
    later: _Case
    name: str

    def allowed(self, values: Mapping[str, Any]) -> tuple[list[Value], list[Value]]:
        literals = [*self.earlier.limits.literals, *self.later.limits.literals]
        return self.earlier.allows(self.name, values, literals), self.later.allows(self.name, values, literals)

    def excludes(self, values: Mapping[str, Any]) -> bool:
        """Whether the two leave nothing in common. A rule that leaves nothing by itself is another matter."""
        one, other = self.allowed(values)
        return bool(one and other) and not any(value in other for value in one)

    def clashes(self, values: Mapping[str, Any]) -> bool:
        return all(holds(case.when.tree, values) for case in (self.earlier, self.later)) and self.excludes(values)

    def space(self) -> Space:
        return space_of([condition for case in (self.earlier, self.later) for condition in (case.when, case.limits)])

    def warning(self) -> Warning_ | None:
        """The first answers for which the two collide, in words."""
        needs_fields = {*self.earlier.limits.variables, *self.later.limits.variables} - {self.name}
        if not needs_fields and not self.excludes({}):
            return None
        space = self.space()
        found = next(filter(self.clashes, assignments(space)), None)
        if found is None:
            return None
        one, other = (listed(map(_shown, values), "or") for values in self.allowed(found))
        what = (
            f"{self._in_words(found, space)}: rule {self.earlier.index + 1} allows only {one} for {self.name}, "
            f"rule {self.later.index + 1} only {other}; the earlier one wins"
        )
        return Warning_(("rules", self.later.index), what, "say in one of them when it does not apply")

    def _in_words(self, values: dict[str, Any], space: Space) -> str:
        """What the collision needs: every variable that could not have just any value."""
        values = dict(values)
        for name in values:
            if self.clashes({**values, name: space[name][0]}):
                values[name] = space[name][0]
        needed = [n for n in values if not all(self.clashes({**values, n: value}) for value in space[n])]
        said = [words for name in needed for words in _words(name, values[name])]
        return f"when {' and '.join(said)}" if said else "always"


def _collision(earlier: _Case, later: _Case) -> Iterator[Warning_]:
    """One warning for two rules, however many dimensions they collide on."""
    try:
        shared = [name for name in earlier.about if name in later.about]
        found = (_Pair(earlier, later, name).warning() for name in shared)
        yield from [warning for warning in found if warning is not None][:1]
    except TooMany:
        return


def _words(name: str, value: Any) -> list[str]:
    """A variable and its value, as one would say it."""
    if isinstance(value, list) and value:
        return [f"{name} has {each}" for each in value]
    if isinstance(value, bool):
        return [f"{name} is {str(value).lower()}"]
    return [f"{name} is {_shown(value)}"]


def _shown(value: Any) -> str:
    return "empty" if value in (None, "", []) else ", ".join(value) if isinstance(value, list) else str(value)
