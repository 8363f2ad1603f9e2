"""Items that annotators talked over, and the values they agreed on. Agreement is computed without these."""

from dataclasses import dataclass
from typing import ClassVar

from assay.model import Value
from assay.report.adjudication import adjudication_queue
from assay.report.data import Data
from assay.report.section import Section


@dataclass(frozen=True, slots=True)
class AdjudicatedQuestion:
    """One question on one item where people were too far apart."""

    item: str
    dimension: str
    system: str
    entry: str
    values: tuple[float, ...]
    standard_deviation: float
    agreed: Value
    """None where nothing has been agreed yet."""
    reason: str | None


@dataclass(frozen=True, slots=True)
class AdjudicatedNumbers:
    """Every question whose spread exceeds the threshold."""

    threshold: float | None
    """Above which standard deviation a question is talked over; None where the study names none."""
    spread: str
    items: list[AdjudicatedQuestion]


class AdjudicatedSection(Section[AdjudicatedNumbers]):
    """Items that annotators talked over, and the values they agreed on. Agreement is computed without these."""

    kind: ClassVar[str] = "adjudicated"
    rank: ClassVar[int] = 47
    title: ClassVar[str] = "What was talked over?"

    def numbers(self, data: Data) -> AdjudicatedNumbers:
        known = {(each.item, each.dimension, each.system, each.entry): each for each in data.agreed}
        questions = []
        for each in adjudication_queue(data):
            agreed = known.get((each.item, each.dimension, each.system, each.entry))
            questions.append(
                AdjudicatedQuestion(
                    item=each.item,
                    dimension=each.dimension,
                    system=each.system,
                    entry=each.entry,
                    values=each.values,
                    standard_deviation=each.spread,
                    agreed=agreed.value if agreed else None,
                    reason=agreed.reason if agreed else None,
                )
            )
        threshold = data.study.analysis.adjudicate_above
        return AdjudicatedNumbers(threshold, "standard deviation, dividing by n - 1", questions)

    def lines(self, numbers: AdjudicatedNumbers) -> list[str]:
        if numbers.threshold is None:
            return []
        agreed = sum(each.agreed is not None for each in numbers.items)
        return [
            f"{len(numbers.items)} questions have a {numbers.spread}, above {numbers.threshold:g}; on {agreed} of them "
            "a value was agreed afterwards. Agreement is computed on the judgments as they were given."
        ]
