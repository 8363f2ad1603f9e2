"""Values that were agreed on in the place of the judgments they settle: in comparisons alone, and where a study asks.

Agreement never sees them: it is about what people say before they talk.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.candidates import on_sides, systems_by_role
from assay.judgments import derived_values
from assay.judgments.scales import scale_in
from assay.model import Agreed, Judgment, Target, Value
from assay.study.schema import Study

AGREED = "(agreed)"
"""Who gave an agreed value: nobody alone."""


@dataclass(frozen=True)
class WithAgreed:
    """What comparisons rest on."""

    judgments: Sequence[Judgment]
    derived: Sequence[Judgment]
    values: int = 0
    """How many agreed values stand in it."""
    replaced: int = 0
    """In the place of how many judgments."""
    by_dimension: dict[str, int] = field(default_factory=dict)
    """How many agreed values each dimension has."""

    def in_words(self) -> str:
        """What the report says of it; nothing where nothing was agreed."""
        if not self.values:
            return ""
        values = "1 value agreed on stands" if self.values == 1 else f"{self.values} values agreed on stand"
        judgments = "1 judgment" if self.replaced == 1 else f"{self.replaced} judgments"
        return (
            f"{values} in place of {judgments} wherever systems or judges are compared; agreement does not know them."
        )


def put_agreed_values(
    study: Study, agreed: Iterable[Agreed], judgments: Sequence[Judgment], derived: Sequence[Judgment]
) -> WithAgreed:
    """The judgments that count, and what is computed from them, with agreed values in the place of what they settle."""
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
    """An agreed value as a judgment of nobody, whose sides nobody saw."""
    value = _meant(agreed.value, instead_of.systems)
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


def _meant(value: Value, systems: tuple[str, ...]) -> Value:
    """A preference by the system's name: talked over, candidates stand in the order of the item's systems."""
    return {**on_sides(systems), **systems_by_role(systems)}.get(str(value), value)


def _is_legal(study: Study, judgment: Judgment) -> bool:
    """Whether the scale in force has such a value: it may have been agreed on under another."""
    values = scale_in(study, judgment.dimension)
    return values is not None and judgment.value is not None and judgment.value in (*values, *judgment.systems)


def _derive_again(
    study: Study, found: Mapping[Target, Judgment], judgments: Iterable[Judgment], derived: Sequence[Judgment]
) -> Sequence[Judgment]:
    """What is computed from answers, computed again for each person with the agreed values among them."""
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
