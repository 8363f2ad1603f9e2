"""Values that follow from the answers of one submission by the study's own formulas."""

from collections.abc import Mapping

from assay.derivations import DerivationInput, Range
from assay.model import Slot, Value
from assay.study.schema import Derived, Study


def derived_values(study: Study, answers: Mapping[Slot, Value]) -> dict[Slot, Value]:
    """Every derived value that is defined; of one computed from sides, one for each side."""
    found: dict[Slot, Value] = {}
    # Left and right on the page; judgments from a file name the candidate instead.
    sides = tuple(dict.fromkeys(slot.side for slot in answers if slot.side))
    for derived in study.derive:
        for side in sides if _is_by_side(study, derived) else ("",):
            value = derived.derivation.compute(_derivation_input(study, answers, found, side))
            if value is not None:
                found[Slot(derived.derived, side)] = value
    return found


def told_values(study: Study, answers: Mapping[Slot, Value]) -> list[tuple[str, str, Value]]:
    """The derived values that an annotator sees after the submission: heading, side and value of each."""
    told = {each.derived: each.heading for each in study.derive if each.show == "after_submit"}
    if not told:
        return []
    found = derived_values(study, answers).items()
    return [(told[slot.dimension], slot.side, value) for slot, value in found if slot.dimension in told]


def _is_by_side(study: Study, derived: Derived) -> bool:
    earlier = {each.derived: each for each in study.derive}
    return any(
        _is_by_side(study, earlier[name]) if name in earlier else study.dimension(name).scope.of == "side"
        for name in derived.derivation.uses()
    )


def _derivation_input(
    study: Study, answers: Mapping[Slot, Value], derived: Mapping[Slot, Value], side: str
) -> DerivationInput:
    by_dimension: dict[str, tuple[Value, ...]] = {}
    for slot, value in answers.items():
        if value is not None and slot.side in ("", side):
            by_dimension[slot.dimension] = (*by_dimension.get(slot.dimension, ()), value)
    before = {slot.dimension: value for slot, value in derived.items() if slot.side in ("", side)}
    return DerivationInput(by_dimension, before, _scales(study))


def _scales(study: Study) -> dict[str, Range]:
    found = {}
    for dimension in study.rubric:
        numbers = [value for value in dimension.input.values() if isinstance(value, int)]
        if numbers:
            found[dimension.dimension] = Range(min(numbers), max(numbers))
    return found
