"""How much work there is for each annotator: what is to be judged, shared by all who take part."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from assay.assignment.forecast import WorkloadForecast
from assay.assignment.share import Share
from assay.store.tables import WORK, item, study
from assay.study import Study


@dataclass(frozen=True, slots=True)
class Workload:
    """What the work of a study is shared by, and how much there is to read."""

    items: int
    """How many are given out by now."""
    annotators: int
    controls: int
    cells: int
    words: int
    """Of an item, on average."""
    hard: int
    """How many of the items have hard content."""
    taken: int = 0
    """How many of the places that the items have are taken."""

    def share(self, study: Study, annotator: str = "", *, among: int | None = None) -> Share:
        """What one annotator will get, shared among so many; left out: among those who take part."""
        return Share(
            study, annotator, self.items, self.annotators if among is None else among, self.controls, self.cells
        )

    def forecast(self, study: Study, annotator: str = "", *, among: int | None = None) -> WorkloadForecast:
        """What that comes to."""
        return WorkloadForecast(self.share(study, annotator, among=among), self.words, self.hard)


def workload(connection: Connection, study_id: int) -> Workload:
    """How much work there is, and for how many."""
    of_study = (study.c.open_count, study.c.annotator_count, study.c.control_count, study.c.cells)
    row = connection.execute(select(*of_study).where(study.c.id == study_id)).one()
    of_work = (item.c.study_id == study_id, item.c.series == WORK)
    words = connection.execute(select(func.avg(item.c.words)).where(*of_work)).scalar_one()
    hard = connection.execute(select(func.count()).select_from(item).where(*of_work, item.c.tagged)).scalar_one()
    taken = connection.execute(select(func.sum(item.c.taken)).where(*of_work)).scalar_one()
    return Workload(*row, round(words or 0), int(hard), int(taken or 0))
