"""How much work there is for each annotator: what is to be judged, shared by all who take part."""

from dataclasses import dataclass, replace

from sqlalchemy import Connection, exists, func, select

from assay.assignment.share import Share
from assay.assignment.workload import WorkloadForecast
from assay.store.annotator.assignments import AT_WORK, MINE
from assay.store.annotator.participation import TAKES_PART
from assay.store.engine.prepared import Prepared
from assay.store.tables import annotator, assignment, study
from assay.study import Study


@dataclass(frozen=True, slots=True)
class Workload:
    """The work of a study, and among how many annotators it is shared."""

    items: int
    """How many are given out by now."""
    annotators: int
    controls: int
    cells: int
    filled_places: int
    """How many judgments are there by people who do not take part."""
    filled_items: int
    """How many items need nobody else for that."""
    words: int
    """Of an item, on average."""
    hard: int
    """How many of the items have hard content."""
    taken_places: int
    """How many judgments are there or given out, whoever gives them."""
    taken_items: int
    """How many items need nobody else for that."""
    waiting: int
    """How many of those who take part have been given nothing yet."""

    def forecast(self, study: Study, *, more: int = 0, new: bool = False) -> WorkloadForecast:
        """What one annotator will get, shared among those who take part and so many more.

        Where nobody takes part yet, it is shared among the fewest people who can do it. With `new` it is the share of
        somebody new: a part of what is left, but no more than everybody gets.
        """
        filled = (self.filled_places, self.filled_items)
        share = Share(study, "", self.items, self.annotators + more, self.controls, self.cells, *filled)
        if not share.annotators:
            share = replace(share, annotators=share.fewest_people)
        if new and study.assignment.per_item != "all":
            left = max(0, share.all_places - self.taken_places)
            among = 1 if study.assignment.per_annotator is not None else max(1, self.waiting + more)
            share = replace(share, at_most=min(self.items - self.taken_items, -(-left // among)))
        return WorkloadForecast(share, self.words, self.hard)


def workload(connection: Connection, study_id: int) -> Workload:
    """How much work there is, and for how many."""
    row = connection.execute(select(study).where(study.c.id == study_id)).one()
    begun = exists().where(assignment.c.annotator_id == annotator.c.id, AT_WORK)
    of_people = (annotator.c.study_id == study_id, TAKES_PART, ~begun)
    waiting = connection.execute(select(func.count()).select_from(annotator).where(*of_people)).scalar_one()
    return Workload(
        items=row.open_count,
        annotators=row.annotator_count,
        controls=row.control_count,
        cells=row.cells,
        filled_places=row.filled_places,
        filled_items=row.filled_items,
        words=round(row.word_count / row.item_count) if row.item_count else 0,
        hard=row.hard_count,
        taken_places=row.taken_places,
        taken_items=row.taken_items,
        waiting=int(waiting),
    )


HAS_BEGUN = Prepared(select(assignment.c.id).where(MINE, AT_WORK).limit(1))


def has_begun(connection: Connection, annotator_id: int) -> bool:
    """Whether somebody has been given an item."""
    return HAS_BEGUN.row(connection, annotator=annotator_id) is not None
