"""What monitors find on single dimensions, gathered into one flag for an annotator."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any

from assay.in_words import about, count, many, number, p_value
from assay.model import Flag
from assay.quality.score_tables import Residual
from assay.statistics.estimate import IntervalEstimate
from assay.statistics.wilson import wilson
from assay.study import Study

MOST_SHOWN = 10
"""The most items that a flag names, where every item contributes to it."""


@dataclass(frozen=True)
class Finding:
    """One doubt about an annotator on one dimension, or on the work as a whole."""

    annotator: str
    words: str
    items: tuple[str, ...] = ()
    dimension: str = ""
    evidence: dict[str, int | float | str] = field(default_factory=dict)


def flags_from(monitor: str, findings: Iterable[Finding]) -> list[Flag]:
    """One flag for each annotator. Numbers about one dimension get its name."""
    by_annotator: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_annotator[finding.annotator].append(finding)
    return [
        Flag(
            monitor=monitor,
            annotator=annotator,
            reason="; ".join(each.words for each in found),
            items=tuple(dict.fromkeys(item for each in found for item in each.items)),
            evidence={
                evidence_name(each.dimension, name): value for each in found for name, value in each.evidence.items()
            },
        )
        for annotator, found in sorted(by_annotator.items())
    ]


def evidence_name(dimension: str, name: str) -> str:
    """The name that a number has in the evidence of a flag."""
    return f"{dimension}.{name}" if dimension else name


def estimate_evidence(estimate: IntervalEstimate, name: str) -> dict[str, int | float | str]:
    """An estimate as evidence; of what does not vary there is no interval."""
    ends = {"low": round_off(estimate.low), "high": round_off(estimate.high)} if estimate.has_interval else {}
    groups = {} if estimate.n_groups is None else {"groups": estimate.n_groups}
    return {name: round_off(estimate.value), **ends, "n": estimate.n, **groups}


def share_evidence(found: int, n: int, name: str) -> dict[str, int | float | str]:
    """A count out of n as evidence, with its share and Wilson's interval."""
    low, high = wilson(found, n)
    return {name: found, "n": n, "share": round_off(found / n), "low": round_off(low), "high": round_off(high)}


def round_off(value: float) -> float:
    """A number with four digits, as evidence has it; a zero has no sign."""
    return round(value, 4) + 0.0


def estimate_words(estimate: IntervalEstimate) -> str:
    """The interval of an estimate in words, or why it has none."""
    return interval_words(estimate.low, estimate.high) if estimate.has_interval else "nothing varies"


def items_words(estimate: IntervalEstimate, n: int | None = None) -> str:
    """On how many items an estimate rests, and of how many groups they are.

    >>> items_words(IntervalEstimate(0.5, 0.25, 0.75, 80, n_groups=20)), items_words(IntervalEstimate(1, 0, 2, 40))
    ('80 items in 20 groups', '40 items')
    """
    groups = "" if estimate.n_groups is None else f" in {many(estimate.n_groups, 'group')}"
    return f"{count(estimate.n if n is None else n)} items{groups}"


def interval_words(low: float, high: float) -> str:
    """An interval in words."""
    return f"{number(low)} to {number(high)}"


def items_most_apart(residuals: Sequence[Residual], sign: float, most: int = MOST_SHOWN) -> tuple[str, ...]:
    """The items on which an annotator lies farthest from the others in this direction; of equals, by their ids."""
    return most_apart(((each.item, each.value) for each in residuals), sign, most)


def most_apart(given: Iterable[tuple[str, float]], sign: float, most: int = MOST_SHOWN) -> tuple[str, ...]:
    """The same, from items and the residual of each.

    >>> most_apart([("a", 0.5), ("c", 1.5), ("b", 1.5), ("d", -2.0)], 1.0, 2)
    ('b', 'c')
    """
    in_this_direction = ((-sign * apart, item) for item, apart in given if sign * apart > 0)
    return tuple(item for _, item in nsmallest(most, in_this_direction))


def evidence_in_words(study: Study, evidence: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The numbers behind a flag for people: what each line is about, a dimension or the whole, and its numbers.

    >>> evidence_in_words(None, {"fast": 4, "n": 24, "share": 0.1667, "low": 0.0668, "high": 0.358})  # type: ignore
    [('', 'fast 4; n 24; share 0.167 [0.0668, 0.358]')]
    """
    lines: dict[str, dict[str, Any]] = {}
    for name, value in evidence.items():
        subject, _, what = name.rpartition(".")
        lines.setdefault(subject, {})[what] = value
    return [(_subject(study, name), _numbers(found)) for name, found in lines.items()]


def _subject(study: Study, name: str) -> str:
    dimension, _, more = name.partition(".")
    known = {each.dimension: each.heading for each in study.rubric} if dimension else {}
    return f"{known.get(dimension, dimension)}{f', {more}' if more else ''}"


def _numbers(found: dict[str, Any]) -> str:
    """The numbers of one line; an interval stands behind `share`, or else behind the first number."""
    low, high = found.pop("low", None), found.pop("high", None)
    parts = [f"{name.replace('_', ' ')} {_value_in_words(name, value)}" for name, value in found.items()]
    if low is not None and high is not None:
        belongs = "share" if "share" in found else next(iter(found))
        place = list(found).index(belongs)
        parts[place] += f" [{about(low)}, {about(high)}]"
    return "; ".join(parts)


def _value_in_words(name: str, value: Any) -> str:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return str(value)
    return p_value(value) if name in ("p", "adjusted_p") else about(value)
