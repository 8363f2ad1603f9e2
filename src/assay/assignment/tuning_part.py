"""The items that judges are tuned on: a part that is drawn by lot, and that no report says anything of judges from."""

from dataclasses import dataclass

from assay.assignment import lot
from assay.errors import AssayError

SHARE = 0.2
"""Which part of the items is drawn, where nobody says."""
_WHOLE = 2**63


@dataclass(frozen=True, slots=True)
class TuningPart:
    """How the part was drawn. Whether an item is in it follows from that and from its name, whatever else comes in."""

    share: float
    seed: int
    version: str
    """The version of the study that was in force then."""

    def holds(self, unit: str) -> bool:
        """Whether a unit, an item or a group that stays whole, is in the part. Each comes with the same probability.

        What people are asked for plays no part in it: the items that are left are like all items, and what was drawn
        for people keeps its probability.

        Example:
            >>> part = TuningPart(0.25, 7, "")
            >>> sum(part.holds(f"i{number}") for number in range(1000))
            237
        """
        return lot(self.seed, "tuning", unit) / _WHOLE < self.share


def part_to_use(known: TuningPart | None, share: float | None, seed: int, version: str) -> TuningPart:
    """The part that was drawn before, or else a new one. Raises AssayError where another share than before is wanted.

    A judge that was chosen by some items must never be measured by them: so a part stays as it was drawn.

    Example:
        >>> part_to_use(TuningPart(0.5, 7, "abc"), None, 8, "def")
        TuningPart(share=0.5, seed=7, version='abc')
    """
    if known is None:
        return TuningPart(SHARE if share is None else share, seed, version)
    if share not in (None, known.share):
        hint = "leave --share out: a part is drawn once, so that no judge is measured by what it was chosen by"
        raise AssayError(f"{known.share:g} of the items were drawn for tuning before", hint)
    return known
