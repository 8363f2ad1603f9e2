"""Items that annotators talked over, and the values they agreed on. Agreement is computed without these."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from assay.in_words import count
from assay.report.adjudication import AdjudicatedQuestion, adjudicated_question, with_agreed_values
from assay.report.data import Data
from assay.report.sections import ReportPart, Section
from assay.report.wording import many


@dataclass(frozen=True, slots=True)
class AdjudicatedNumbers:
    """Every question whose spread exceeds the threshold."""

    threshold: float | None
    """Above which standard deviation a question is talked over; None where the study names none."""
    spread: str
    items: list[AdjudicatedQuestion]
    titles: Mapping[str, str] = field(default_factory=dict)
    """What each dimension is called."""


class AdjudicatedSection(Section[AdjudicatedNumbers]):
    """Items that annotators talked over, and the values they agreed on. Agreement is computed without these."""

    kind: ClassVar[str] = "adjudicated"
    rank: ClassVar[int] = 47
    title: ClassVar[str] = "What was talked over?"
    part: ClassVar[ReportPart] = "quality"

    def numbers(self, data: Data) -> AdjudicatedNumbers:
        questions = [adjudicated_question(*each) for each in with_agreed_values(data)]
        threshold = data.study.analysis.adjudicate_above
        titles = {each.dimension: each.heading for each in data.study.rubric}
        return AdjudicatedNumbers(threshold, "standard deviation, dividing by n - 1", questions, titles)

    def lines(self, numbers: AdjudicatedNumbers) -> list[str]:
        if numbers.threshold is None:
            return []
        agreed, n = sum(each.agreed is not None for each in numbers.items), len(numbers.items)
        return [
            f"{many(n, 'question')} {'has' if n == 1 else 'have'} a {numbers.spread}, above {numbers.threshold:g}; on "
            f"{count(agreed)} of them "
            "a value was agreed afterwards. Agreement is computed on the judgments as they were given."
        ]
