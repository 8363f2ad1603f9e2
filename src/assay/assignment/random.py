"""An order of its own for each annotator, drawn from the study's seed; the least judged items come first."""

from collections.abc import Sequence
from typing import ClassVar

from assay.assignment import OpenItem, Order, lots


class RandomOrder(Order):
    """An order of its own for each annotator, drawn from the study's seed; the least judged items come first."""

    kind: ClassVar[str] = "random"
    balanced: ClassVar[bool] = True

    def rank(self, candidates: Sequence[OpenItem], start: int) -> list[OpenItem]:
        # Drawn again among the candidates: taking the nearest would favour items with a gap before them.
        drawn = lots(start)
        return sorted(candidates, key=lambda each: (each.n_annotators, drawn(each.lot)))
