"""The problems that annotators have reported about items."""

from sqlalchemy import Connection, select, update

from assay.fieldwork import ProblemReport
from assay.store.coordinator.item_names import longer_names
from assay.store.tables import annotator, assignment, item, problem


def problem_reports(connection: Connection, study_id: int) -> list[ProblemReport]:
    """Every problem that annotators have reported, the newest first."""
    longer = longer_names(connection, study_id)
    rows = connection.execute(
        select(
            item.c.id,
            item.c.name,
            annotator.c.name,
            problem.c.words,
            problem.c.reported_at,
            problem.c.id,
            problem.c.closed_at,
        )
        .select_from(problem)
        .join(assignment, assignment.c.id == problem.c.assignment_id)
        .join(item, item.c.id == assignment.c.item_id)
        .join(annotator, annotator.c.id == assignment.c.annotator_id)
        .where(problem.c.study_id == study_id)
        .order_by(problem.c.reported_at.desc(), problem.c.id)
    )
    return [ProblemReport(longer.get(id_, name), *rest) for id_, name, *rest in rows]


def close(connection: Connection, study_id: int, problem_id: str, now: int) -> str | None:
    """Close a report. Returns the item's name; None where there is no such report, or it is closed."""
    mine = (problem.c.id == problem_id, problem.c.study_id == study_id, problem.c.closed_at.is_(None))
    if not connection.execute(update(problem).where(*mine).values(closed_at=now)).rowcount:
        return None
    about = select(item.c.id, item.c.name).join(assignment, assignment.c.item_id == item.c.id).join(problem)
    id_, name = connection.execute(about.where(problem.c.id == problem_id)).one()
    return str(longer_names(connection, study_id).get(id_, name))
