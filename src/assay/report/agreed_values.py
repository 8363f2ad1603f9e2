"""Agreed values in place of the judgments they settle: only in comparisons, and where the study asks for it.

Agreement is computed without them: it is about what annotators say before they talk.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.in_words import count, many
from assay.judgments import derived_values
from assay.model import Agreed, Judgment, Target, Value
from assay.sides_and_candidates import on_sides, systems_by_role
from assay.study.schema import Study

AGREED = "(agreed)"
"""The annotator of an agreed value."""


@dataclass(frozen=True)
class WithAgreed:
    """The judgments that systems and judges are compared on."""

    judgments: Sequence[Judgment]
    derived: Sequence[Judgment]
    values: int = 0
    """How many agreed values are among them."""
    replaced: int = 0
    """How many judgments they replace."""
    by_dimension: dict[str, int] = field(default_factory=dict)
    """How many agreed values each dimension has."""

    def in_words(self) -> str:
        """The sentence of the report about it; empty where there are no agreed values."""
        if not self.values:
            return ""
        values = "1 value agreed on stands" if self.values == 1 else f"{count(self.values)} values agreed on stand"
        judgments = many(self.replaced, "judgment")
        return (
            f"{values} in place of {judgments} wherever systems or judges are compared; agreement does not know them."
        )


def put_agreed_values(
    study: Study, agreed: Iterable[Agreed], judgments: Sequence[Judgment], derived: Sequence[Judgment]
) -> WithAgreed:
    """The judgments that count and their derived scores, with agreed values in place of the judgments they settle."""
    known = {each.target: each for each in agreed}
    about: dict[Target, list[Judgment]] = defaultdict(list)
    for each in judgments:
        if each.target in known:
            about[each.target].append(each)
    found: dict[Target, Judgment] = {}
    for target, same in about.items():
        one = _as_judgment(known[target], same[0])
        if _is_legal(study, one):
            found[target] = one
    others = [each for each in judgments if each.target not in found]
    return WithAgreed(
        [*others, *found.values()],
        _derive_again(study, found, judgments, derived),
        len(found),
        len(judgments) - len(others),
        dict(Counter(dimension for _, dimension, _, _ in found)),
    )


def _as_judgment(agreed: Agreed, instead_of: Judgment) -> Judgment:
    """An agreed value as a judgment without an annotator, times or sides."""
    value = _preferred_system(agreed.value, instead_of.systems)
    name = f"{AGREED} {agreed.item}"
    return replace(
        instead_of,
        submission=name,
        annotator=AGREED,
        value=value,
        left="",
        study_hash="",
        active_ms=None,
        shown_at=agreed.at,
        submitted_at=agreed.at,
        position=0,
        events=None,
        overridden=(),
    )


def _preferred_system(value: Value, systems: tuple[str, ...]) -> Value:
    """A preference as a system's name: when an item is talked over, candidates stand in the order of its systems."""
    return {**on_sides(systems), **systems_by_role(systems)}.get(str(value), value)


def _is_legal(study: Study, judgment: Judgment) -> bool:
    """Whether the value is on the scale in force: it may have been agreed on under another version."""
    asked = (each.input.values() for each in study.rubric if each.dimension == judgment.dimension)
    return any(judgment.value in (*values, *judgment.systems) for values in asked)


def _derive_again(
    study: Study, found: Mapping[Target, Judgment], judgments: Iterable[Judgment], derived: Sequence[Judgment]
) -> Sequence[Judgment]:
    """The derived scores of each person, computed again with the agreed values among the answers."""
    touched = {item for item, *_ in found}
    if not touched or not study.derive:
        return derived
    by_submission: dict[str, list[Judgment]] = defaultdict(list)
    for each in judgments:
        if each.item in touched:
            by_submission[each.submission].append(found.get(each.target, each))
    again = {
        name: derived_values(study, {one.slot: one.value for one in together})
        for name, together in by_submission.items()
    }
    computed = []
    for each in derived:
        if each.submission in again:
            value = again[each.submission].get(each.slot)
            if value is not None:
                computed.append(replace(each, value=value))
        else:
            computed.append(each)
    return computed
