"""Which items people are asked for, where a study asks them for a part only: drawn by lot, with known probabilities."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from statistics import fmean
from typing import Any

from assay.assignment import lot
from assay.model import DrawnItem
from assay.study.assignment import PeoplePart

THIRDS = (0.5, 1.0, 1.5)
"""By doubt: the factors of the share for the third of units with the least doubt, the middle one and the last."""
_WHOLE = 2**63


def draw(
    part: PeoplePart, seed: int, strata: Mapping[str, Hashable], doubts: Mapping[str, float]
) -> dict[str, DrawnItem]:
    """Draw from units (items, or groups that stay whole) that nothing was drawn from yet.

    By system, each stratum gives its share; by doubt, thirds of the units in the order of their doubt. Of a number that
    is not whole, the rest is drawn too: each unit comes with exactly the probability that is kept with it.

    Example:
        >>> part = PeoplePart(share=0.25)
        >>> found = draw(part, 1, {f"i{at}": at % 2 for at in range(80)}, {})
        >>> sum(each.drawn for each in found.values()), found["i0"].probability
        (20, 0.25)
    """
    cells: Mapping[str, tuple[Hashable, float]] = {unit: (each, part.share) for unit, each in strata.items()}
    if part.by == "doubt":
        cells = _by_doubt(part.share, seed, doubts)
    of_cell: dict[Any, list[str]] = defaultdict(list)
    for unit, cell in cells.items():
        of_cell[cell].append(unit)
    found: dict[str, DrawnItem] = {}
    for (_, probability), units in of_cell.items():
        in_order = sorted(units, key=lambda unit: lot(seed, "people", unit))
        rest = lot(seed, "people", "rest", *sorted(units)) / _WHOLE
        count = int(len(units) * probability + rest)
        found |= {unit: DrawnItem(probability, place < count) for place, unit in enumerate(in_order)}
    return found


def _by_doubt(share: float, seed: int, doubts: Mapping[str, float]) -> dict[str, tuple[int, float]]:
    """The third that each unit is in, with its probability; equal doubts are put in an order by lot."""
    order = sorted(doubts, key=lambda unit: (doubts[unit], lot(seed, "doubt", unit)))
    thirds = {unit: place * len(THIRDS) // len(order) for place, unit in enumerate(order)}
    return {unit: (third, min(1.0, share * THIRDS[third])) for unit, third in thirds.items()}


def doubt_of(
    answers: Sequence[tuple[str, Any]], spans: Mapping[str, float], stated: Sequence[float] = ()
) -> float | None:
    """How doubtful an item is: how far judges are apart on it, how unsure they say they are, or the mean of both.

    How far they are apart, from (question, value), each as often as a judge answered it, is the mean over questions: of
    numbers their standard deviation as a part of the scale, of words the share that is not the most frequent one. It is
    not known below two answers to a question. A judge that could not judge is as doubtful as can be. `stated` has what
    each judge says of itself, from 0 to 1. None where nothing is known.

    Example:
        >>> doubt_of([("tone", "kind")], {}, [0.25]), doubt_of([("tone", "kind"), ("tone", "cold")], {}, [0.0, 0.5])
        (0.25, 0.375)
        >>> doubt_of([("warmth", 1), ("warmth", 5)], {"warmth": 4.0})
        0.5
        >>> doubt_of([("tone", "kind"), ("tone", "kind"), ("tone", "cold"), ("tone", "warm")], {})
        0.5
        >>> doubt_of([("tone", None)], {}), doubt_of([("tone", "kind")], {})
        (1.0, None)
    """
    by_question: dict[str, list[Any]] = defaultdict(list)
    for question, value in answers:
        by_question[question].append(value)
    known = [each for name, values in by_question.items() if (each := _doubt(values, spans.get(name))) is not None]
    apart = [fmean(known)] if known else []
    unsure = [fmean(stated)] if stated else []
    return fmean([*apart, *unsure]) if apart or unsure else None


def _doubt(values: Sequence[Any], span: float | None) -> float | None:
    if None in values:
        return 1.0
    if len(values) < 2:
        return None
    if span:
        mean = sum(values) / len(values)
        return float((sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5 / span)
    most = max(values.count(value) for value in values)
    return 1 - most / len(values)
