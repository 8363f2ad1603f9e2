"""Giving out items without the web, as its pages do."""

from sqlalchemy import Connection, select

from assay.assignment.share import Share
from assay.store.annotator import next_item, people
from assay.store.annotator.next_item import Asking
from assay.store.tables import annotator
from assay.store.tables import study as studies
from assay.study import Study
from tests.conftest import T0


def claim(connection: Connection, study_id: int, study: Study, who: int, ahead: int = 0, now: int = T0) -> None:
    """Give somebody the next item, and so many ahead."""
    plan = people.planned(connection, study_id)
    mine = connection.execute(select(annotator.c.name, annotator.c.cell).where(annotator.c.id == who)).one()
    phase = connection.execute(select(studies.c.phase).where(studies.c.id == study_id)).scalar_one()
    share = Share(study, mine.name, plan.items, plan.annotators, plan.controls, plan.cells)
    next_item.claim(connection, Asking(study_id, who, mine.name, study, share, phase, mine.cell, now), ahead)
