"""How many items one annotator will get, and at which positions hidden duplicates and controls come, drawn by lot."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from assay.assignment import lot
from assay.study.schema import Study

ALL_LOTS = 1 << 63
"""The upper bound of a lot."""


MOST_KEPT = 4096
"""So many shares are cached: of everybody who is at work, and of some who were."""


@dataclass(frozen=True)
class Share:
    """What one annotator is to get, as far as it can be said beforehand."""

    study: Study
    annotator: str
    """The annotator's name; empty where a share is worked out before it is known whose it will be."""
    items: int
    """How many items there are to be judged at the moment."""
    annotators: int
    controls_there: int = 0
    cells: int = 1
    filled_places: int = 0
    """How often they are judged already by people who do not share the work: in files, or before they left."""
    filled_items: int = 0
    """How many of them need nobody else for that."""
    at_most: int | None = None
    """How many different items are left for somebody who is new; None: for those who have begun."""

    @cached_property
    def most_items(self) -> int:
        """How many different items one person can get at most."""
        left = max(0, self.items - self.filled_items)
        return -(-left // self.cells) if self.study.assignment.counterbalance else left

    @cached_property
    def all_places(self) -> int:
        """How often items are to be judged, all together."""
        plan = self.study.assignment
        usual = plan.annotators_of_item(self.annotators)
        more = plan.overlap.per_item - usual if plan.overlap is not None else 0
        return self.items * usual + self.block * more

    @cached_property
    def places(self) -> int:
        """How many of these judgments are left for those who take part; all of them where each judges every item."""
        return max(0, self.all_places - (0 if self.study.assignment.per_item == "all" else self.filled_places))

    @cached_property
    def fewest_people(self) -> int:
        """The fewest people who can do it: as many as an item needs, or fewer once somebody has judged every item."""
        left = max(1, self.items - self.filled_items)
        return max(1, min(self.study.assignment.annotators_of_item(1), -(-self.places // left)))

    @cached_property
    def block(self) -> int:
        """How many items are to be judged by more people than the rest."""
        overlap = self.study.assignment.overlap
        return 0 if overlap is None else -(-self.items * round(overlap.share * 10**6) // 10**6)

    @cached_property
    def different_items(self) -> int:
        """How many different items the annotator gets."""
        return self.fair_items if self.at_most is None else min(self.fair_items, self.at_most)

    @cached_property
    def fair_items(self) -> int:
        """How many different items one person gets when all who take part share the work."""
        share = min(self.most_items, -(-self.places // max(1, self.annotators)))
        most = self.study.assignment.most_items
        if self.study.assignment.per_annotator is not None:
            # Whoever comes gets as much as everybody else, and not a part of what is there.
            share = self.most_items
        if most is None:
            return share
        # What comes a second time and what has a known answer are among the most that one person gets.
        return max(0, bisect_right(range(min(share, most) + 1), most, key=self._total_of) - 1)

    @cached_property
    def duplicates(self) -> int:
        """How many of them come a second time: as many as the study asks for and as the distance leaves room for."""
        return self._duplicates_of(self.different_items)

    def _duplicates_of(self, items: int) -> int:
        asked = self.study.assignment.duplicates
        if asked is None:
            return 0
        wanted = asked.count if asked.count is not None else round((asked.share or 0) * items)
        return max(0, min(wanted, items - asked.distance))

    @cached_property
    def _all_control_positions(self) -> tuple[int, ...]:
        """The position of each control: at random distances, or at the average one where no annotator is named."""
        asked = self.study.assignment.controls
        if asked is None:
            return ()
        least, most = asked.every
        numbers = range(1, self.controls_there + 1)
        if not self.annotator:
            return tuple(number * (least + most) // 2 for number in numbers)
        drawn = (lot(self.study.seed, "control", self.annotator, str(number)) for number in numbers)
        return tuple(accumulate(least + each % (most - least + 1) for each in drawn))

    @cached_property
    def control_positions(self) -> tuple[int, ...]:
        """Where controls come within what the annotator is to get."""
        return self._controls_of(self.different_items)

    def _controls_of(self, items: int) -> tuple[int, ...]:
        length = items + self._duplicates_of(items)
        among = enumerate(self._all_control_positions, 1)
        return tuple(position for number, position in among if position <= length + number)

    def _total_of(self, items: int) -> int:
        return items + self._duplicates_of(items) + len(self._controls_of(items))

    @cached_property
    def total(self) -> int:
        """How many items the annotator's page announces: hidden duplicates and controls are among them."""
        return self._total_of(self.different_items)

    def controls_due(self, position: int) -> int:
        """How many controls have come when so many items are given out."""
        return bisect_right(self._all_control_positions, position)

    def is_control(self, position: int, given: int, last: int) -> bool:
        """Whether a control comes at `position`, after so many `given` ones, the last of them at position `last`.

        A control that had to wait for a group of items comes after the group, and the least distance between two
        controls still holds.
        """
        asked = self.study.assignment.controls
        return asked is not None and self.controls_due(position) > given and position - last >= asked.every[0]

    def is_duplicate(self, position: int, given: int) -> bool:
        """Whether a duplicate comes next, when so many were given already.

        Drawn anew at each position with the chance that is left, so that all of them come, and nobody knows when.
        """
        if position > self.total:
            # Others have left their part to this annotator: more items, and as many more of them again. What was had
            # beside items does not count: else one more would come after the last.
            items = position - 1 - given - self.controls_due(position - 1)
            return given < self._duplicates_of(items)
        missing = self.duplicates - given
        left = self.total - position + 1 - (len(self.control_positions) - self.controls_due(position - 1))
        if missing <= 0:
            return False
        return (
            missing >= left
            or lot(self.study.seed, "duplicate", self.annotator, str(position)) < ALL_LOTS // left * missing
        )


def share_of(study: Study, annotator: str, *counts: int) -> Share:
    """The share of somebody, cached while nothing of it changes; `counts` are the fields from `items` on."""
    key: tuple[str | int, ...] = (study.hash, annotator, *counts)
    found = _shares.get(key)
    # A study that was changed in memory alone keeps its hash.
    if found is None or found.study is not study:
        if len(_shares) >= MOST_KEPT:
            _shares.clear()
        found = _shares[key] = Share(study, annotator, *counts)
    return found


_shares: dict[tuple[str | int, ...], Share] = {}
