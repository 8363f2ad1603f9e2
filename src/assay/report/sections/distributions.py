"""How the scale was used: every point of it, by annotator, dimension by dimension."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from assay.report.data import Data
from assay.report.section import Section
from assay.sides_and_candidates import value_on_page


@dataclass(frozen=True, slots=True)
class Distribution:
    """How often each point of one dimension's scale was given."""

    dimension: str
    title: str
    points: list[str]
    anchors: Mapping[str, str]
    """What each point is called on the page."""
    annotators: Mapping[str, list[int]]
    """Of each annotator, how often each point was given, in the order of the points."""
    all: list[int]


@dataclass(frozen=True, slots=True)
class DistributionsNumbers:
    """How each scale was used."""

    dimensions: list[Distribution]


class DistributionsSection(Section[DistributionsNumbers]):
    """How the scale was used: every point of it, by annotator, dimension by dimension."""

    kind: ClassVar[str] = "distributions"
    rank: ClassVar[int] = 30
    title: ClassVar[str] = "How was the scale used?"
    figures: ClassVar[tuple[str, ...]] = ("scale_use",)

    def numbers(self, data: Data) -> DistributionsNumbers:
        return DistributionsNumbers([_distribution(data, name) for name in data.ratings])


def _distribution(data: Data, name: str) -> Distribution:
    dimension = data.study.dimension(name)
    points = [str(value) for value in dimension.input.values()]
    counts: dict[str, Counter[str]] = {annotator: Counter() for annotator in data.annotators}
    for judgment in data.that_count:
        if judgment.dimension == name and judgment.value is not None and data.on_this_scale(judgment):
            counts[judgment.annotator][value_on_page(judgment)] += 1
    anchors = (dimension.input.show(value) for value in dimension.input.values())
    return Distribution(
        dimension=name,
        title=dimension.heading,
        points=points,
        anchors=dict(zip(points, anchors, strict=True)),
        annotators={who: [given[point] for point in points] for who, given in counts.items() if given},
        all=[sum(given[point] for given in counts.values()) for point in points],
    )
