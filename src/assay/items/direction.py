"""Which of two systems is compared against which: as the study says, else as its file does."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from assay.items.fields import value_at
from assay.model import Comparison
from assay.study.items import Candidates
from assay.study.schema import Study


def direction_of(study: Study, systems: Collection[str], row: Mapping[str, Any] | None = None) -> Comparison:
    """A comparison in the direction that `analysis.compare` names, else its file, else in the order of names.

    `row` is what the file says of one item that compares the two. No coefficient depends on the direction; wins and
    losses, and the order of words, do.
    """
    by_name = Comparison(*sorted(systems))
    for compared in study.analysis.compare:
        if set(systems) <= set(compared.systems):
            return Comparison(*sorted(systems, key=compared.systems.index))
    if study.items.candidates is None or row is None:
        return by_name
    written = _pairs_of_row(row, study.items.candidates)
    named = ([study.items.system_name(name.strip()) for name in each] for each in written)
    return Comparison(*next((each for each in named if sorted(each) == list(by_name)), by_name))


def _pairs_of_row(row: Mapping[str, Any], candidates: Candidates) -> list[Sequence[str]]:
    """The pairs of systems that a row names, each in its order: by a key such as `A vs. B`, or by two fields."""
    if candidates.keys:
        return [key.split(candidates.keys) for key in row]
    return [[str(value_at(dict(row), each.system)) for each in candidates.fields]]
