"""Giving out items without the web, as its pages do."""

from sqlalchemy import Connection, select

from assay import acts
from assay.store.annotator.sessions import annotator_named
from assay.store.tables import annotator
from assay.study import Study
from tests.conftest import T0


def claim(connection: Connection, study_id: int, study: Study, who: int, ahead: int = 0, now: int = T0) -> None:
    """Give somebody the next item, and so many ahead."""
    name = connection.execute(select(annotator.c.name).where(annotator.c.id == who)).scalar_one()
    asking = annotator_named(connection, study_id, name, now)
    assert asking is not None
    acts.claim(connection, asking, study, now, ahead)
