"""An annotator who is about to be given items, with what decides which ones: study, share, order, time."""

from dataclasses import dataclass
from functools import cached_property

from assay.assignment import Order
from assay.assignment.share import Share
from assay.kinds import ORDERS
from assay.store.annotator.sessions import Annotator
from assay.study import Study


@dataclass(frozen=True)
class Claim:
    """An annotator who is about to be given items."""

    annotator: Annotator
    study: Study
    cell: int | None
    """The annotator's place in the Latin square, where there is one."""
    now: int
    on_paper: bool = False
    """Whether it is given out on a sheet: what comes a second time is drawn before the first time is answered."""
    by_name: bool = False
    """Whether items go out under the ids of their file: only what the file has twice can come a second time."""

    @cached_property
    def share(self) -> Share:
        """What the annotator is to get in all."""
        return self.annotator.share(self.study)

    @cached_property
    def order(self) -> Order:
        """How the study orders items."""
        found: Order = ORDERS[self.study.assignment.order]()
        return found

    @property
    def expires_at(self) -> int:
        """When an item that is given out now expires."""
        return self.now + self.study.assignment.place_lasts_ms
