"""Whether each annotator says the same again, and how each differs from the others."""

import math
from collections.abc import Sequence
from typing import ClassVar

from assay.in_words import count
from assay.judgments.units import Units
from assay.report.annotator_estimates import (
    AnnotatorHalo,
    AnnotatorOnDimension,
    AnnotatorsNumbers,
    AnnotatorsOnDimension,
    DifferenceFromOthers,
    TestedEstimate,
)
from assay.report.annotators import about_annotators
from assay.report.charts import interval, number, with_sign
from assay.report.data import TOO_FEW, Data
from assay.report.sections import ReportPart, Section
from assay.report.wording import estimate_in_words, many, range_in_words, share_in_words, too_few_to_say

MOST_SAID = 4
"""How many differences are named in a sentence; all of them are in the tables."""
SMALL = 0.005
"""A difference that is printed as 0."""


class AnnotatorsSection(Section[AnnotatorsNumbers]):
    """Whether each annotator says the same again, and how each differs from the others."""

    kind: ClassVar[str] = "annotators"
    rank: ClassVar[int] = 28
    title: ClassVar[str] = "Is each annotator consistent, and like the others?"
    part: ClassVar[ReportPart] = "quality"
    stays: ClassVar[bool] = True
    figures: ClassVar[tuple[str, ...]] = ("duplicates", "leniency", "drift")

    def numbers(self, data: Data) -> AnnotatorsNumbers:
        return about_annotators(data) if data.that_count else AnnotatorsNumbers(None, {}, [], [], [])

    def lines(self, numbers: AnnotatorsNumbers) -> list[str]:
        rows = [row for row in numbers.dimensions if row.annotators]
        if not rows:
            return []
        return [
            _self_consistency(rows),
            *_calibration(rows),
            *_differences(numbers, rows),
            *_scale_use(rows),
            *_halo(numbers.halo, numbers.halo_of),
        ]


def _self_consistency(rows: Sequence[AnnotatorsOnDimension]) -> str:
    """How often annotators said the same again: on the dimension with the least, and on the one with the most."""
    twice = sorted(
        (row for row in rows if row.with_themselves.exact.value is not None),
        key=lambda row: row.with_themselves.exact.value or 0.0,
    )
    if not twice:
        return "No item came to the same person twice: whether people would say the same again is not known."
    ends = twice[:1] if len(twice) == 1 else [twice[0], twice[-1]]
    shares = " to ".join(f"{share_in_words(row.with_themselves.exact)} ({row.title})" for row in ends)
    counts = sorted({row.with_themselves.exact.n for row in twice})
    n = " to ".join(map(count, dict.fromkeys((counts[0], counts[-1]))))
    line = f"Judged again by the same person, the value was the same in {shares} of {n} second judgments"
    close = [value for row in twice if (value := row.with_themselves.within_one.value) is not None]
    if close:
        least, most = (f"{100 * value:.0f}" for value in (min(close), max(close)))
        line += f", and within one point in {least if least == most else f'{least} to {most}'} %"
    kappas = [(row.with_themselves.kappa_with_self.value, row.with_each_other.kappa.value) for row in twice]
    both = [(own, others) for own, others in kappas if own is not None and others is not None]
    if both:
        line += f"; kappa with oneself {range_in_words([own for own, _ in both])}, "
        line += f"with others {range_in_words([others for _, others in both])}"
    few = any(row.with_themselves.exact.too_few for row in twice)
    return f"{line}{too_few_to_say(0) if few else ''}."


def _calibration(rows: Sequence[AnnotatorsOnDimension]) -> list[str]:
    """How far values in practice lay from the references: the range, and who is farthest above or below."""
    found = [
        (abs(each.bias.value), row, each) for row in rows for each in row.annotators if each.bias.value is not None
    ]
    if not found:
        return []
    away = [each.absolute_error.value for _, _, each in found if each.absolute_error.value is not None]
    farthest, about, most = max(found, key=lambda each: each[0])
    n = max(each.bias.n for _, _, each in found)
    line = f"Calibration: in practice, values lay {range_in_words(away)} points away from those agreed beforehand "
    line += f"(mean, over annotators and dimensions; n up to {many(n, 'item')})"
    if farthest >= SMALL:
        line += f"; farthest to one side: {most.annotator} on {about.title}, {with_sign(most.bias.value)} points"
    return [f"{line}{too_few_to_say(n)}."]


def _scale_use(rows: Sequence[AnnotatorsOnDimension]) -> list[str]:
    """Compression: who uses least of a scale, beside the others on the same items."""
    found: list[tuple[float, AnnotatorsOnDimension, AnnotatorOnDimension]] = [
        (each.spread.value, row, each)
        for row in rows
        for each in row.annotators
        if row.level != "nominal" and each.spread.value is not None
    ]
    if not found:
        return []
    _, about, least = min(found, key=lambda each: each[0])
    return [
        f"Scale use: the narrowest is {least.annotator} on {about.title}, {estimate_in_words(least.spread)} times as "
        f"spread out as the others on the same {Units(about.of, least.spread.n)}{_too_few(least.spread)}."
    ]


def _too_few(found: TestedEstimate) -> str:
    """The warning for an estimate from few items, or from few groups of items."""
    return too_few_to_say(found.n) if found.n_groups is None else too_few_to_say(found.n_groups, "groups")


def _halo(found: Sequence[AnnotatorHalo], of: str) -> list[str]:
    """Whose dimensions correlate most beyond what the others' values explain."""
    known = [(each.value, each) for each in found if each.value is not None]
    if not known:
        return []
    _, most = max(known, key=lambda each: each[0])
    return [
        f"Halo: beyond what is in the items, the dimensions of {most.annotator} go together most, "
        f"{estimate_in_words(most)} (a correlation; 0 is none), n = {Units(of, most.n)}{too_few_to_say(most.n)}."
    ]


def _differences(numbers: AnnotatorsNumbers, rows: Sequence[AnnotatorsOnDimension]) -> list[str]:
    """Who differs from the others beyond chance, after correction for everybody who was looked at."""
    tests = {name: several for name, several in numbers.tests.items() if several}
    people = {each.annotator for row in rows for each in row.annotators}
    if len(people) < 2 or all(row.level == "nominal" for row in rows):
        return []
    same = _without_interval(rows, len(people))
    if not tests:
        beside = [each.severity for row in rows for each in row.annotators]
        grouped = any(each.n_groups is not None for each in beside)
        items = f"items of {TOO_FEW} groups" if grouped else f"{TOO_FEW} items"
        why = "where anything varies, " if same else ""
        return [
            f"Whether an annotator differs from the others cannot be said: {why}nobody shares {items} with them.",
            *same,
        ]
    counted = ", ".join(f"{count(several)} of {name}" for name, several in tests.items())
    rate = f"{100 * (numbers.false_discoveries or 0):.0f} % false discoveries"
    how = f"Benjamini and Hochberg, {rate} over all of these tests: {counted}"
    found = [each for each in numbers.differ if len(people) > 2 or not _is_mirrored(each)]
    if not found:
        return [f"No annotator differs from the others beyond chance ({how}).", *same]
    ranked = sorted(found, key=lambda each: (round(each.p_adjusted or 0, 6), -_size(each)))
    first = [
        f"{each.annotator}, {each.title}: {_difference_in_words(each)}, n = {_n_in_words(each)}"
        for each in ranked[:MOST_SAID]
    ]
    more = f"; and {len(found) - MOST_SAID} more" if len(found) > MOST_SAID else ""
    line = f"Beyond chance ({how}): {'; '.join(first)}{more}."
    return [line + (" Of two annotators nothing says which of them is right." if len(people) == 2 else ""), *same]


def _without_interval(rows: Sequence[AnnotatorsOnDimension], people: int) -> list[str]:
    """Differences that are the same on every item, so that nothing tells how sure they are: they are not tested."""
    found = [
        (f"{each.annotator}, {row.title}", cell)
        for row in rows
        for each in row.annotators
        for cell in (each.severity, each.spread, each.drift)
        if cell.is_without_interval and not cell.too_few and (people > 2 or not _is_mirrored(cell))
    ]
    if not found:
        return []
    first = [f"{about}: {_difference_in_words(cell)}, n = {_n_in_words(cell)}" for about, cell in found[:MOST_SAID]]
    more = f"; and {len(found) - MOST_SAID} more" if len(found) > MOST_SAID else ""
    return [f"Not tested, since nothing varies that would tell how sure it is: {'; '.join(first)}{more}."]


def _n_in_words(found: TestedEstimate) -> str:
    """How many items an estimate is from, and how many groups these belong to."""
    return count(found.n) + ("" if found.n_groups is None else f" in {many(found.n_groups, 'group')}")


def _size(found: DifferenceFromOthers) -> float:
    """How large a difference is; a ratio is as large as its logarithm."""
    value = found.value or 0.0
    if found.name == "spread":
        return abs(math.log(value)) if value else math.inf
    return abs(value)


def _is_mirrored(found: TestedEstimate) -> bool:
    """Whether a difference is below zero. Of two annotators only the one above is reported: the other mirrors it."""
    return (found.value or 0.0) < (1 if found.name == "spread" else 0)


def _difference_in_words(found: TestedEstimate) -> str:
    """A difference by its size, with the interval of its size, if it has one."""
    value = found.value or 0.0
    if found.name == "spread":
        return f"{estimate_in_words(found)} times as widely spread as the others"
    ends = found.ci if found.ci is None or value > 0 else (-found.ci[1], -found.ci[0])
    size = f"{number(abs(value))} points {interval(ends)}".strip()
    if found.name == "severity":
        return f"{size} {'above' if value > 0 else 'below'} the others"
    return f"{size} {'up' if value > 0 else 'down'} in 100 items, against the others"
