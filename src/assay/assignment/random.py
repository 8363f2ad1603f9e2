"""An order of its own for each annotator, drawn from the study's seed; the least judged items come first."""

from collections.abc import Sequence
from typing import ClassVar

from assay.assignment import Candidate, Order, lot


class RandomOrder(Order):
    """An order of its own for each annotator, drawn from the study's seed; the least judged items come first."""

    kind: ClassVar[str] = "random"
    balanced: ClassVar[bool] = True

    def rank(self, candidates: Sequence[Candidate], start: int) -> list[Candidate]:
        # Drawn again among the candidates: taking the nearest would favour items with a gap before them.
        return sorted(candidates, key=lambda each: (each.taken, lot(start, str(each.lot))))
