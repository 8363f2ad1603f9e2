"""How the scale was used: every point of it, by annotator, dimension by dimension."""

from collections import Counter
from typing import Any, ClassVar

from assay.judgments.scales import value_on_page
from assay.report.data import Data
from assay.report.section import Section


class Distributions(Section[dict[str, Any]]):
    """How the scale was used: every point of it, by annotator, dimension by dimension."""

    kind: ClassVar[str] = "distributions"
    rank: ClassVar[int] = 30
    title: ClassVar[str] = "How was the scale used?"
    figures: ClassVar[tuple[str, ...]] = ("scale_use",)

    def numbers(self, data: Data) -> dict[str, Any]:
        return {"dimensions": [self._dimension(data, name) for name in data.ratings]}

    @staticmethod
    def _dimension(data: Data, name: str) -> dict[str, Any]:
        dimension = data.study.dimension(name)
        points = [str(value) for value in dimension.input.values()]
        counts: dict[str, Counter[str]] = {annotator: Counter() for annotator in data.annotators}
        for judgment in data.that_count:
            if judgment.dimension == name and judgment.value is not None and data.on_this_scale(judgment):
                counts[judgment.annotator][value_on_page(judgment)] += 1
        return {
            "dimension": name,
            "title": dimension.heading,
            "points": points,
            "anchors": {
                point: dimension.input.show(value)
                for point, value in zip(points, dimension.input.values(), strict=True)
            },
            "annotators": {who: [given[point] for point in points] for who, given in counts.items() if given},
            "all": [sum(given[point] for given in counts.values()) for point in points],
        }
