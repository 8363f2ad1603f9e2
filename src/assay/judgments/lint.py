"""Finds what is probably not meant in a study that can be used: rules that never act, scales without anchors, ..."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

from assay.inputs.counts import CountsInput
from assay.inputs.scale import ScaleInput
from assay.judgments.lint_care import care_warnings
from assay.judgments.lint_conditions import asked_mistakes
from assay.judgments.lint_rules import rule_mistakes, rule_warnings
from assay.judgments.warnings import LintWarning, join_words
from assay.kinds import STATISTICS
from assay.study.explain import MistakeAt
from assay.study.rubric import Dimension
from assay.study.schema import Study


def mistakes(study: Study) -> list[MistakeAt]:
    """What cannot do what it says in a study that can be read: it is refused before the study is published."""
    return [*_candidate_mistakes(study), *asked_mistakes(study), *rule_mistakes(study)]


def lint(study: Study, items: int | None = None) -> list[LintWarning]:
    """All warnings about a study. Some of them need the number of items."""
    most = min((number for number in (items, study.assignment.most_items) if number), default=None)
    return [
        *chain.from_iterable(_dimension_warnings(study, index) for index in range(len(study.rubric))),
        *rule_warnings(study),
        *_weight_warnings(study),
        *_guideline_warnings(study),
        *_assignment_warnings(study, most),
        *_pace_warnings(study, most),
        *care_warnings(study),
        *_analysis_warnings(study, items, most),
    ]


# Candidates and dimensions


def _candidate_mistakes(study: Study) -> Iterator[MistakeAt]:
    """A field with the output itself in the place of the field that names its system."""
    fields = study.items.candidates.fields if study.items.candidates is not None else ()
    for index, candidate in enumerate(fields):
        if set(candidate.show.values()) == {candidate.system}:
            what = f"{candidate.system} is the text that is shown: each text would count as a system of its own"
            hint = "name a field that says which system it is; where each system has a column: candidates.keys"
            yield MistakeAt(("items", "candidates", "fields", index, "system"), what, hint)


def _dimension_warnings(study: Study, index: int) -> Iterator[LintWarning]:
    dimension, at = study.rubric[index], ("rubric", index)
    if dimension.scope.of == "entries" and not dimension.ask:
        what = f"{dimension.dimension} is asked of each entry, but nothing says what is asked"
        yield LintWarning((*at, "dimension"), what, "add ask: with the question in one line")
    if study.items.candidates is not None and dimension.scope.of == "item" and dimension.input.level is not None:
        what = f"{dimension.dimension} is asked of the item, so what is answered belongs to neither system"
        yield LintWarning((*at, "dimension"), what, "write of: side to ask it of each, or of: pair to ask it of both")
    if dimension.unable is not None and dimension.optional:
        what = f"{dimension.dimension} is optional: it can be left out by somebody who cannot judge"
        yield LintWarning((*at, "unable"), what, "remove unable, or remove optional")
    if isinstance(dimension.input, CountsInput) and dimension.input.where_in:
        field = dimension.input.where_in
        if field not in study.items.shown_fields:
            what = f"no block shows {field}, so no number is beyond its end"
            yield LintWarning((*at, "counts", "where_in"), what, "name the field of a chat, or remove where_in")
    if isinstance(dimension.input, ScaleInput):
        yield from _scale_warnings(dimension.input, (*at, "scale"))
        yield from _boundary_warnings(dimension, dimension.input, (*at, "boundaries"))


def _scale_warnings(scale: ScaleInput, at: tuple[str | int, ...]) -> Iterator[LintWarning]:
    points = range(scale.from_, scale.to + 1)
    bare = [point for point in points if point not in scale.anchors]
    if not scale.anchors:
        yield LintWarning(at, "no point of the scale has an anchor", "add anchors: what each point means")
    elif bare and len(points) <= 7:
        what = f"the scale has no anchor at {join_words(bare)}"
        yield LintWarning((*at, "anchors"), what, "say what these points mean, or annotators will guess")
    if len(points) > 10:
        ends = [*(["below 0"] if scale.from_ < 0 else []), *(["above 9"] if scale.to > 9 else [])]
        what = f"points {join_words(ends)} have no key on the keyboard"
        yield LintWarning(at, what, "they are reached by mouse or arrows; ten points from 0 to 9 have a key each")


def _boundary_warnings(dimension: Dimension, scale: ScaleInput, at: tuple[str | int, ...]) -> Iterator[LintWarning]:
    neighbours = {frozenset(pair) for pair in pairwise(range(scale.from_, scale.to + 1))}
    for key in dimension.boundaries:
        found = re.fullmatch(r"\s*(-?\d+)\s*[-–]\s*(-?\d+)\s*", key)
        if found is None or frozenset(map(int, found.groups())) not in neighbours:
            what = f"{key} is no boundary between neighbouring points from {scale.from_} to {scale.to}"
            yield LintWarning((*at, key), what, f"write two neighbours, such as {scale.from_}-{scale.from_ + 1}")


# Derived values and guidelines


def _weight_warnings(study: Study) -> Iterator[LintWarning]:
    for index, derived in enumerate(study.derive):
        weights = derived.derivation.weights()
        total = sum((weights or {}).values())
        if weights is not None and abs(total - 1) > 1e-9:
            what = f"the weights sum to {total:.10g}, not to 1"
            hint = "change them; what is computed is divided by their sum"
            yield LintWarning(("derive", index, derived.derivation.kind), what, hint)


HEADING = re.compile(r"(#{1,6})\s+(?:dimension\s+)?(?:\d+[.:)]\s*)?(.+?)\s*#*\s*$", re.IGNORECASE)
RANGE = re.compile(r"(?<![\w.-])(\d{1,3})\s*(?:-|–|to)\s*(\d{1,3})(?![\w-]|\.\d)")
POINT = re.compile(r"\s*(?:[-*+]\s+)?\*\*\s*(-?\d{1,3})\s*[.:]?\s*\*\*(?!\w)")
CELL = re.compile(r"\s*\|\s*(?:\*\*)?\s*(.*?)\s*(?:\*\*)?\s*\|")
FENCE = re.compile(r"\s*(```|~~~)")
COLUMNS = {"", "score", "rating", "point", "points", "value", "grade", "mark", "level", "stars", "scale"}
"""Headings of a first column that holds the points of a scale, and not turns or counts."""


def _guideline_warnings(study: Study) -> Iterator[LintWarning]:
    scales = [dimension for dimension in study.rubric if isinstance(dimension.input, ScaleInput)]
    for index, entry in enumerate(study.gates):
        for document in getattr(entry.gate, "sections", ()):
            for line, dimension, point in _points_in_text(document.text, scales):
                scale: Any = dimension.input
                if not scale.from_ <= point <= scale.to:
                    what = f"{document.file}:{line} names the point {point} of {dimension.dimension}"
                    hint = f"the scale goes from {scale.from_} to {scale.to}: change the text or the scale"
                    yield LintWarning(("gates", index, entry.gate.kind), what, hint)


def _points_in_text(text: str, scales: Sequence[Dimension]) -> Iterator[tuple[int, Dimension, int]]:
    """Every point of a scale that a guideline names: the line, the dimension under whose heading it stands, itself."""
    under: list[tuple[int, Dimension | None]] = []
    column: tuple[Dimension | None, bool] | None = None
    fenced = False
    for line, words in enumerate(text.splitlines(), 1):
        fenced ^= FENCE.match(words) is not None
        heading, cell, point = HEADING.match(words), CELL.match(words), POINT.match(words)
        if fenced:
            continue
        if heading:
            depth = len(heading[1])
            under = [each for each in under if each[0] < depth]
            named = _dimension_in_heading(heading[2], scales)
            under += [(depth, named)] if named else []
            if named:
                yield from ((line, named, int(end)) for found in RANGE.findall(heading[2]) for end in found)
        dimension = under[-1][1] if under else None
        if cell and column is None:
            named = _dimension_in_heading(cell[1], scales)
            column = named or dimension, named is not None or cell[1].lower() in COLUMNS
        elif cell and column and column[0] and column[1] and re.fullmatch(r"-?\d{1,3}", cell[1]):
            yield line, column[0], int(cell[1])
        elif not cell:
            column = None
        if point and dimension:
            yield line, dimension, int(point[1])


def _dimension_in_heading(words: str, scales: Sequence[Dimension]) -> Dimension | None:
    """The dimension that a heading names, followed by nothing but a range or a remark."""
    for dimension in scales:
        for name in (dimension.dimension, dimension.heading, dimension.dimension.replace("_", " ")):
            if re.fullmatch(rf"{re.escape(name)}\s*(?:[^\w\s].*|from\s+\d.*|\d.*)?", words, re.IGNORECASE):
                return dimension
    return None


# The plan of the work


def _assignment_warnings(study: Study, most: int | None) -> Iterator[LintWarning]:
    plan, items = study.assignment, study.items
    if plan.batches == "in_order" and items.batch is None:
        yield LintWarning(
            ("assignment", "batches"), "the items have no batches", "add items.batch: the field that names it"
        )
    for key in ("together", "apart"):
        if getattr(plan, key) and items.group is None:
            yield LintWarning(("assignment", key), "the items have no groups", "add items.group: the field they share")
    if plan.duplicates is not None and most is not None:
        for key in ("count", "distance"):
            if (number := getattr(plan.duplicates, key) or 0) >= most:
                what = f"an annotator gets at most {most} items, too few for duplicates with {key} {number}"
                yield LintWarning(("assignment", "duplicates", key), what, f"write less than {most}")
    if plan.controls is not None and most is not None and plan.controls.every[0] > most:
        what = f"an annotator gets at most {most} items, and no control before item {plan.controls.every[0]}"
        yield LintWarning(("assignment", "controls", "every"), what, "write smaller distances")


def _pace_warnings(study: Study, most: int | None) -> Iterator[LintWarning]:
    pace = study.pace
    if pace.too_fast and pace.expect and pace.too_fast > pace.expect[0]:
        what = f"{pace.too_fast} seconds are too fast, but {pace.expect[0]} are expected"
        yield LintWarning(("pace", "too_fast"), what, f"write {pace.expect[0]} or less")
    for index, rest in enumerate(pace.breaks):
        at = ("pace", "breaks", index)
        if rest.after_items and most and rest.after_items >= most:
            what = f"an annotator gets at most {most} items: this break never comes"
            yield LintWarning((*at, "after_items"), what, f"write less than {most}")
        if rest.after_minutes and pace.session_minutes and rest.after_minutes >= pace.session_minutes:
            what = f"a session ends after {pace.session_minutes} minutes: this break never comes"
            yield LintWarning((*at, "after_minutes"), what, f"write less than {pace.session_minutes}")
        if rest.between_batches and study.items.batch is None:
            yield LintWarning((*at, "between_batches"), "the items have no batches", "add items.batch, or remove it")


def _analysis_warnings(study: Study, items: int | None, most: int | None) -> Iterator[LintWarning]:
    analysis = study.analysis
    for name, monitor in analysis.monitors.by_name().items():
        at_least = getattr(monitor, "at_least", None)
        if isinstance(at_least, int) and most is not None and at_least > most:
            what = f"an annotator gets at most {most} items, and {name} says nothing before {at_least}"
            yield LintWarning(("analysis", "monitors", name, "at_least"), what, f"write at_least: {most} or less")
    if analysis.pilot is not None and items is not None and analysis.pilot.items > items:
        what = f"the pilot has {analysis.pilot.items} items, and there are {items}"
        yield LintWarning(("analysis", "pilot", "items"), what, f"write {items} or less")
    agreement = analysis.agreement
    if "coefficient" in agreement.model_fields_set:
        levels = {dimension.input.level for dimension in study.scored_dimensions}
        if not levels & STATISTICS[agreement.coefficient].levels:
            what = f"{agreement.coefficient} fits none of the dimensions"
            fits = [name for name, each in STATISTICS.items() if levels & each.levels]
            hint = f"write one that does: {', '.join(fits[:5])}" if fits else "no dimension has a level of measurement"
            yield LintWarning(("analysis", "agreement", "coefficient"), what, hint)
