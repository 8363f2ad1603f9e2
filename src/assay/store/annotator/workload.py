"""How much work there is for each annotator: what is to be judged, shared by all who take part."""

from dataclasses import dataclass, replace

from sqlalchemy import Connection, case, exists, func, select

from assay.assignment.forecast import WorkloadForecast
from assay.assignment.share import Share
from assay.store.annotator.assignments import AT_WORK, MINE
from assay.store.annotator.participation import GIVEN_OUT, TAKES_PART
from assay.store.engine.prepared import Prepared
from assay.store.tables import WORK, annotator, assignment, item, study
from assay.study import Study


@dataclass(frozen=True, slots=True)
class Workload:
    """What the work of a study is shared by, and how much there is to read."""

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

        Where that is nobody yet, it is shared by as few as can do it. Those who are new have before them what is left,
        each a part of it, or as much as everybody gets.
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
    of_study = (
        *(study.c.open_count, study.c.annotator_count, study.c.control_count, study.c.cells),
        *(study.c.filled_places, study.c.filled_items),
    )
    row = connection.execute(select(*of_study).where(study.c.id == study_id)).one()
    of_work = (item.c.study_id == study_id, item.c.series == WORK)
    words, hard = connection.execute(
        select(func.avg(item.c.words), func.count().filter(item.c.tagged)).where(*of_work)
    ).one()
    needed = case((item.c.taken < item.c.wanted, item.c.taken), else_=item.c.wanted)
    taken, full = connection.execute(
        select(func.sum(needed), func.count().filter(item.c.taken >= item.c.wanted))
        .select_from(item)
        .join(study, study.c.id == item.c.study_id)
        .where(*of_work, GIVEN_OUT)
    ).one()
    begun = exists().where(assignment.c.annotator_id == annotator.c.id, AT_WORK)
    of_people = (annotator.c.study_id == study_id, TAKES_PART, ~begun)
    waiting = connection.execute(select(func.count()).select_from(annotator).where(*of_people)).scalar_one()
    return Workload(*row, round(words or 0), int(hard), int(taken or 0), int(full), int(waiting))


HAS_BEGUN = Prepared(select(assignment.c.id).where(MINE, AT_WORK).limit(1))


def has_begun(connection: Connection, annotator_id: int) -> bool:
    """Whether somebody has been given an item."""
    return HAS_BEGUN.row(connection, annotator=annotator_id) is not None
