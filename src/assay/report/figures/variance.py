"""Where the variance of a single judgment lies: between items, systems, annotators, and what they do together."""

from dataclasses import dataclass
from typing import ClassVar

from assay.in_words import count
from assay.report.charts import interval, number, share
from assay.report.figures import Figure, FigureData, Nothing, Part, Table
from assay.report.variance import DimensionVariance, variances_of


@dataclass(frozen=True, slots=True)
class VarianceFigureNumbers:
    """The components of every dimension that has them."""

    n: int
    rows: list[DimensionVariance]


def _share_between_items(about: DimensionVariance) -> float:
    """The share of the variance that has nothing to do with annotators: between items, systems and their like."""
    return sum(each.share for each in about.components if "annotator" not in each.effect)


class VarianceFigure(Figure[VarianceFigureNumbers]):
    """Where the variance of a single judgment lies: between items, systems, annotators, and what they do together."""

    kind: ClassVar[str] = "variance"
    rank: ClassVar[int] = 60
    part: ClassVar[Part] = "good"
    question: ClassVar[str] = "Where does the variance lie?"

    def numbers(self, data: FigureData) -> VarianceFigureNumbers | Nothing:
        found = variances_of(data.report)
        known = [each for each in found if not each.undefined]
        if not known:
            why = next((each.undefined for each in found if each.undefined), "nothing that is a number was judged yet")
            return Nothing(f"It cannot be told: {why}.")
        return VarianceFigureNumbers(max(each.n_judgments for each in known), known)

    def finding(self, numbers: VarianceFigureNumbers) -> str:
        known = [row for row in numbers.rows if not row.few]
        if not known:
            return ""
        least = min(known, key=_share_between_items)
        most = max((each for each in least.components if "annotator" in each.effect), key=lambda each: each.share)
        where = "is" if most.title.startswith("the rest") else "lies between"
        said = f"Least lies between items and systems on {least.title}: {share(_share_between_items(least))}"
        return f"{said}; {share(most.share)} {where} {most.title}"

    def caption(self, numbers: VarianceFigureNumbers) -> str:
        return (
            "Each part's share in the variance of a single judgment, with 95 % intervals over items; up to "
            f"n = {count(numbers.n)} judgments. Much between items is what a study wants; much between annotators, or "
            "between them item by item, takes more of them."
        )

    def table(self, numbers: VarianceFigureNumbers) -> Table:
        columns = ("Dimension", "Between", "Share", "Variance", "95 % interval", "Judgments")
        rows = [
            [
                each.title,
                f"{row.title} (estimate below 0)" if row.below_zero else row.title,
                share(row.share),
                number(row.value, 3),
                interval(row.ci, 3),
                each.n_judgments,
            ]
            for each in numbers.rows
            for row in each.components
        ]
        return columns, rows
