"""Latin squares: which of a group's systems an annotator sees."""

from sqlalchemy import Connection, bindparam, func, literal_column, select, update

from assay.store.annotator.assignments import lock_annotator
from assay.store.engine.prepared import Prepared
from assay.store.tables import annotator

IN_CELL = Prepared(
    select(annotator.c.cell, func.count())
    .where(
        annotator.c.study_id == bindparam("study"),
        annotator.c.cell.is_not(None),
        annotator.c.left_at.is_(None),
        annotator.c.state != literal_column("'released'"),
    )
    .group_by(annotator.c.cell)
)


def take_cell(connection: Connection, study_id: int, annotator_id: int, cells: int) -> int:
    """Give an annotator a place in the Latin square, where the fewest are; one who has a place keeps it."""
    lock_annotator(connection, annotator_id)
    mine = connection.execute(select(annotator.c.cell).where(annotator.c.id == annotator_id)).scalar_one()
    if mine is not None:
        return int(mine)
    there = dict(IN_CELL.rows(connection, study=study_id))
    cell = min(range(cells), key=lambda each: (there.get(each, 0), each))
    connection.execute(update(annotator).where(annotator.c.id == annotator_id).values(cell=cell))
    return cell
