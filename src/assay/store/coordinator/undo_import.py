"""Taking an import back: what stands in the way of it, and how everything that it brought is deleted.

What somebody has judged is never deleted: an import of which an item was judged, on the page, on a sheet or in a later
import, stays. Its own judgments go with it: the files that they came from still have them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, or_, select

from assay.store.annotator.annotator_counts import forget_had
from assay.store.annotator.places import lock_pool
from assay.store.annotator.versions import version_in_force
from assay.store.coordinator.delete_rows import count_without, delete_rows, free_places
from assay.store.coordinator.item_plan import arrange
from assay.store.coordinator.items import CHUNK
from assay.store.coordinator.unused_pictures import delete_unused, pictures_of
from assay.store.tables import (
    WORK,
    adjudication,
    annotator,
    assignment,
    computed,
    draft,
    duplicate,
    flag,
    item,
    item_hidden,
    judgment,
    metadata,
    problem,
    submission,
    tally,
    uncounted,
)

MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Hindrance:
    """One reason why an import cannot be undone."""

    what: str
    later: int | None = None
    """The import that brought it; empty: people did it."""


def hindrances(connection: Connection, study_id: int, number: int) -> list[Hindrance]:
    """Everything that keeps an import from being undone: judgments, agreed values, later imports that need it."""
    lock_pool(connection, study_id)
    # Waits for submissions that are under way, so that they are seen.
    given = select(assignment.c.id).join(item).where(_of_import(item, study_id, number)).order_by(assignment.c.id)
    connection.execute(given.with_for_update(of=assignment)).all()
    return [
        *_judgments_in_the_way(connection, study_id, number),
        *_repetitions_in_the_way(connection, study_id, number),
        *_agreed_values_in_the_way(connection, study_id, number),
    ]


def _of_import(table: Any, study_id: int, number: int) -> ColumnElement[bool]:
    return and_(table.c.study_id == study_id, table.c.import_number == number)


def _judgments_in_the_way(connection: Connection, study_id: int, number: int) -> Iterator[Hindrance]:
    """Judgments of its items, and corrections of its judgments."""
    own = submission.alias("own")
    corrected = exists().where(
        own.c.assignment_id == submission.c.assignment_id,
        own.c.revision < submission.c.revision,
        _of_import(own, study_id, number),
    )
    rows = connection.execute(
        select(annotator.c.name, submission.c.import_number, item.c.name)
        .select_from(submission)
        .join(item, item.c.id == submission.c.item_id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(submission.c.study_id == study_id, submission.c.import_number.is_distinct_from(number))
        .where(or_(item.c.import_number == number, corrected))
        .order_by(item.c.id)
    )
    found: dict[tuple[str, int | None], dict[str, None]] = defaultdict(dict)
    for who, later, name in rows:
        found[who, later][name] = None
    for (who, later), names in sorted(found.items(), key=lambda each: (each[0][1] or 0, each[0][0])):
        said = f"{who} has judged {_some(list(names))}"
        yield Hindrance(said if later is None else f"import {later}: {said}", later)


def _repetitions_in_the_way(connection: Connection, study_id: int, number: int) -> Iterator[Hindrance]:
    """Items of later imports that repeat one of its items."""
    rows = connection.execute(
        select(duplicate.c.import_number, duplicate.c.name)
        .join(item, item.c.id == duplicate.c.item_id)
        .where(_of_import(item, study_id, number), duplicate.c.import_number.is_distinct_from(number))
        .order_by(duplicate.c.name)
    )
    found: dict[int, list[str]] = defaultdict(list)
    for later, name in rows:
        found[later].append(name)
    for later, names in sorted(found.items()):
        yield Hindrance(f"import {later}: {_some(names)} repeat its items", later)


def _agreed_values_in_the_way(connection: Connection, study_id: int, number: int) -> Iterator[Hindrance]:
    """Values that people agreed on for what it brought."""
    judged = exists().where(submission.c.item_id == item.c.id, _of_import(submission, study_id, number))
    rows = connection.execute(
        select(adjudication.c.by, item.c.name)
        .join(item, item.c.id == adjudication.c.item_id)
        .where(adjudication.c.study_id == study_id, or_(item.c.import_number == number, judged))
        .order_by(adjudication.c.id)
    )
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for who, name in rows:
        found[who][name] = None
    yield from (Hindrance(f"{who} has adjudicated {_some(list(names))}") for who, names in found.items())


def _some(names: Sequence[str]) -> str:
    listed = ", ".join(names[:MOST_NAMED]) + (", ..." if len(names) > MOST_NAMED else "")
    return f"{len(names):,} item{'' if len(names) == 1 else 's'} ({listed})"


def items_at_work(connection: Connection, study_id: int, number: int) -> list[str]:
    """The items of an import that are in the study."""
    mine = (_of_import(item, study_id, number), item.c.series == WORK)
    return list(connection.execute(select(item.c.name).where(*mine).order_by(item.c.id)).scalars())


@dataclass(frozen=True, slots=True)
class LostReport:
    """A problem that was reported about an item which is now deleted."""

    annotator_id: int
    item: str
    words: str


def take_back(connection: Connection, study_id: int, number: int) -> list[LostReport]:
    """Delete everything that an import brought. Returns the reports of problems that go with its items."""
    mine = _of_import(item, study_id, number)
    items = list(connection.execute(select(item.c.id).where(mine)).scalars())
    rows = connection.execute(
        select(submission.c.id, submission.c.item_id, submission.c.annotator_id).where(
            _of_import(submission, study_id, number)
        )
    ).all()
    submissions = [row.id for row in rows]
    delete_rows(connection, judgment.c.submission_id, submissions)
    delete_rows(connection, uncounted.c.submission_id, submissions)
    delete_rows(connection, submission.c.id, submissions)
    count_without(connection, study_id, {row.item_id for row in rows})
    reports = _delete_assignments(connection, study_id, number)
    connection.execute(delete(duplicate).where(_of_import(duplicate, study_id, number)))
    pictures = pictures_of(connection, mine)
    for column in (tally.c.item_id, item_hidden.c.item_id, item.c.id):
        delete_rows(connection, column, items)
    delete_unused(connection, study_id, pictures)
    _delete_annotators(connection, {row.annotator_id for row in rows})
    connection.execute(delete(computed).where(computed.c.study_id == study_id))
    arrange(connection, study_id, version_in_force(connection, study_id))
    forget_had(connection, study_id)
    return reports


def _delete_assignments(connection: Connection, study_id: int, number: int) -> list[LostReport]:
    """Delete the assignments of its items and of its judgments."""
    empty = and_(assignment.c.state == "submitted", ~exists().where(submission.c.assignment_id == assignment.c.id))
    gone = select(assignment.c.id).join(item).where(assignment.c.study_id == study_id)
    ids = list(connection.execute(gone.where(or_(item.c.import_number == number, empty))).scalars())
    free_places(connection, ids)
    lost: list[LostReport] = []
    for start in range(0, len(ids), CHUNK):
        rows = connection.execute(
            select(assignment.c.annotator_id, item.c.name, problem.c.words)
            .select_from(problem)
            .join(assignment, assignment.c.id == problem.c.assignment_id)
            .join(item, item.c.id == assignment.c.item_id)
            .where(problem.c.assignment_id.in_(ids[start : start + CHUNK]))
            .order_by(problem.c.reported_at)
        )
        lost += [LostReport(*row) for row in rows]
    for column in (draft.c.assignment_id, problem.c.assignment_id, assignment.c.id):
        delete_rows(connection, column, ids)
    return lost


TO_ANNOTATORS = [
    column
    for table in metadata.sorted_tables
    if table is not flag
    for column in table.columns
    if column.references(annotator.c.id)
]


def _delete_annotators(connection: Connection, ids: Iterable[int]) -> None:
    """Delete the annotators who are known from this import alone."""
    for each in sorted(ids):
        known_from_files = (annotator.c.id == each, annotator.c.judge | annotator.c.from_file)
        others = [exists().where(column == each) for column in TO_ANNOTATORS]
        if connection.execute(select(annotator.c.id).where(*known_from_files, ~or_(*others))).first() is not None:
            connection.execute(delete(flag).where(flag.c.annotator_id == each))
            connection.execute(delete(annotator).where(annotator.c.id == each))
