"""On which side each candidate of a pair stands: drawn once for each annotator and item, and kept."""

from sqlalchemy import Connection, bindparam, select

from assay.assignment import lot
from assay.store.annotator.assignments import MINE
from assay.store.engine.prepared import Prepared
from assay.store.tables import assignment
from assay.study import Study

MOST_ALIKE = 3
"""The most times in a row that the candidates stand the same way round."""

UNEVEN = 2
"""How many more times one way than the other, for one pair of systems, before the other way is forced."""

LAST_SIDES = Prepared(
    select(assignment.c.swapped)
    .where(MINE, assignment.c.attempt == bindparam("attempt"), assignment.c.swapped.is_not(None))
    .order_by(assignment.c.position.desc())
    .limit(MOST_ALIKE)
)


def draw_swapped(
    connection: Connection,
    study: Study,
    annotator_id: int,
    name: str,
    position: int,
    lean: int,
    attempt: int = 0,
) -> bool | None:
    """Whether the sides are swapped: by lot, not the same too often in a row, and balanced for each pair of systems.

    `lean` is how often this pair of systems stood swapped − how often it did not.
    """
    if study.items.candidates is None:
        return None
    before = [bool(row[0]) for row in LAST_SIDES.rows(connection, annotator=annotator_id, attempt=attempt)]
    if len(before) == MOST_ALIKE and len(set(before)) == 1:
        return not before[0]
    if abs(lean) >= UNEVEN:
        return lean < 0
    return bool(lot(study.seed, name, "side", str(position)) & 1)
