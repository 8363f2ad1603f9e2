"""How the scale was used: every point of it, by annotator, dimension by dimension."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.model import SIDES, Judgment
from assay.report.data import Data
from assay.report.sections import ReportPart, Section
from assay.sides_and_candidates import value_on_page


@dataclass(frozen=True, slots=True)
class CandidateUse:
    """How often each candidate was chosen, or none of the two, wherever they stood."""

    points: list[str]
    """The systems, and the answers that point at none."""
    annotators: Mapping[str, list[int]]
    all: list[int]


@dataclass(frozen=True, slots=True)
class Distribution:
    """How often each point of one dimension's scale was given; of a comparison, each side where sides are known."""

    dimension: str
    title: str
    points: list[str]
    anchors: Mapping[str, str]
    """What each point is called on the page."""
    annotators: Mapping[str, list[int]]
    """Of each annotator, how often each point was given, in the order of the points."""
    all: list[int]
    candidates: CandidateUse | None
    """Of a comparison: how often each candidate was chosen, judgments without sides among them."""


@dataclass(frozen=True, slots=True)
class DistributionsNumbers:
    """How each scale was used."""

    dimensions: list[Distribution]


class DistributionsSection(Section[DistributionsNumbers]):
    """How the scale was used: every point of it, by annotator, dimension by dimension."""

    kind: ClassVar[str] = "distributions"
    rank: ClassVar[int] = 30
    title: ClassVar[str] = "How was the scale used?"
    part: ClassVar[ReportPart] = "quality"
    stays: ClassVar[bool] = True
    figures: ClassVar[tuple[str, ...]] = ("scale_use",)

    def numbers(self, data: Data) -> DistributionsNumbers:
        return DistributionsNumbers([_distribution(data, each.dimension) for each in data.study.scored_dimensions])


def _distribution(data: Data, name: str) -> Distribution:
    dimension = data.study.dimension(name)
    points = [str(value) for value in dimension.input.values()]
    given = data.on_scale_of(name)
    compares = dimension.input.compares
    seen = [(each.annotator, value_on_page(each)) for each in given if each.left or not compares]
    anchors = (dimension.input.show(value) for value in dimension.input.values())
    return Distribution(
        dimension=name,
        title=dimension.heading,
        points=points,
        anchors=dict(zip(points, anchors, strict=True)),
        annotators=_counts(data, seen, points),
        all=_all(seen, points),
        candidates=_candidates(data, given, points) if compares else None,
    )


def _candidates(data: Data, given: Sequence[Judgment], points: Sequence[str]) -> CandidateUse:
    systems = sorted({system for each in given for system in each.systems})
    names = [*systems, *(point for point in points if point not in SIDES)]
    chosen = [(each.annotator, str(each.value)) for each in given]
    return CandidateUse(names, _counts(data, chosen, names), _all(chosen, names))


def _counts(data: Data, given: Sequence[tuple[str, str]], points: Sequence[str]) -> dict[str, list[int]]:
    """How often each annotator gave each point of the scale; without annotators who gave none."""
    counts = Counter(given)
    who = {annotator for annotator, _ in given}
    return {name: [counts[name, point] for point in points] for name in data.annotators if name in who}


def _all(given: Sequence[tuple[str, str]], points: Sequence[str]) -> list[int]:
    counts = Counter(point for _, point in given)
    return [counts[point] for point in points]
