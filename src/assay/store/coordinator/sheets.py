"""Rows of sheets in the store: what an annotator has to judge away from the page, and what is known of a row.

What goes out on a sheet is an assignment like any other, under its public id; what comes back is a submission like any
other. The acts themselves are in `acts.sheets`.
"""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, literal_column, or_, select, update

from assay.errors import AssayError
from assay.sides_and_candidates import on_screen
from assay.store.annotator import next_item, submissions
from assay.store.annotator.assignments import AT_WORK, MINE, OPEN
from assay.store.annotator.names import is_called, names_apart
from assay.store.coordinator import annotators
from assay.store.engine.prepared import Prepared
from assay.store.tables import (
    annotator,
    assignment,
    draft,
    duplicate,
    is_in_study,
    item,
    item_hidden,
    person,
    submission,
)
from assay.study import Study

SHEET = "sheet"
"""Where a submission came from whose item was given out here, and judged on a sheet."""


@dataclass(frozen=True, slots=True)
class AssignedRow:
    """One item on a sheet: what the page would show, and nothing else."""

    public_id: str
    shown: dict[str, Any]
    name: str = ""
    """Its id in the item file, for layouts with ids; of a second pass the duplicate's, or empty where it was drawn."""
    warnings: tuple[str, ...] = ()
    """The tags of hard content that are warned of."""


# What goes out

ROWS = Prepared(
    select(
        assignment.c.public_id,
        item.c.shown,
        assignment.c.swapped,
        assignment.c["pass"],
        item.c.name,
        select(func.min(duplicate.c.name)).where(duplicate.c.item_id == item.c.id).scalar_subquery(),
        item.c.warnings,
    )
    .join(item, item.c.id == assignment.c.item_id)
    .where(MINE, AT_WORK, OPEN)
    .order_by(assignment.c.position)
)
# A sheet may lie on a desk for weeks: what stands on it does not go back by itself.
KEEP = Prepared(update(assignment).where(MINE, AT_WORK, OPEN).values(expires_at=None))


def keep_and_read(connection: Connection, annotator_id: int) -> list[AssignedRow]:
    """The open assignments of somebody as rows of a sheet. They do not expire from now on."""
    KEEP.run(connection, annotator=annotator_id)
    return [
        AssignedRow(
            public_id,
            on_screen(json.loads(shown), swapped),
            name if pass_ == 1 else again or "",
            tuple(json.loads(warnings)),
        )
        for public_id, shown, swapped, pass_, name, again, warnings in ROWS.rows(connection, annotator=annotator_id)
    ]


def find_or_add_person(connection: Connection, study_id: int, name: str, now: int) -> int:
    """The annotator of this name; a new name adds one. Raises AssayError where they cannot be given items."""
    found = connection.execute(select(annotator).where(is_called(study_id, name))).first()
    if found is None:
        return annotators.find_or_add_person(connection, study_id, name, now)
    if found.judge or found.simulated:
        raise AssayError(f"{name!r} is {'an automated judge' if found.judge else 'a bot'}, not a person")
    if found.left_at is not None:
        raise AssayError(f"{name} has left the study", "give the items to somebody else")
    if found.state != "active":
        raise AssayError(f"{name} is {found.state}", f"`assay annotator {name} resume` lets them go on")
    annotators.ask_to_take_part(connection, found.id)
    return int(found.id)


# What comes back


@dataclass(frozen=True, slots=True)
class KnownRow:
    """What the store knows of one row of a sheet."""

    public_id: str
    """Empty: the item was never given to this annotator."""
    annotator_id: int
    annotator: str
    """What the sheet calls them: by name, or by pseudonym where they have none."""
    item: str
    shown: dict[str, Any]
    state: str
    last: str = ""
    """Tells what was submitted last; empty: nothing was."""
    dropped: frozenset[str] = frozenset()
    """The texts of entries that the item has and that are not asked."""
    warned: bool = False
    """Whether the item has hard content that is warned of."""


KNOWN = Prepared(
    select(
        annotator.c.id,
        func.coalesce(person.c.name, annotator.c.name),
        item.c.name,
        item.c.shown,
        assignment.c.swapped,
        assignment.c.state,
        item.c.id,
        assignment.c["pass"],
        item.c.warnings,
    )
    .select_from(assignment)
    .join(item, item.c.id == assignment.c.item_id)
    .join(annotator, annotator.c.id == assignment.c.annotator_id)
    .outerjoin(person, person.c.annotator_id == annotator.c.id)
    .where(assignment.c.study_id == bindparam("study"), assignment.c.public_id == bindparam("public_id"), AT_WORK)
)


def known_row(connection: Connection, study_id: int, public_id: str) -> KnownRow | None:
    """The row of a sheet by its public id."""
    row = KNOWN.row(connection, study=study_id, public_id=public_id)
    if row is None:
        return None
    mine, name, of, shown, swapped, state, item_id, pass_, warnings = row
    last = submissions.LAST_SUBMISSION.row(connection, annotator=mine, item=item_id, pass_=pass_)
    seen = on_screen(json.loads(shown), swapped)
    fingerprint = "" if last is None else last[2]
    return KnownRow(public_id, mine, name, of, seen, state, fingerprint, warned=warnings != "[]")


RATED = Prepared(
    select(item.c.id, item.c.shown, item_hidden.c.hidden)
    .join(item_hidden, item_hidden.c.item_id == item.c.id)
    .where(is_in_study(bindparam("study")), item.c.name == bindparam("name"), item.c.series == "work")
)
FIRST_TIME = Prepared(
    select(assignment.c.public_id).where(
        MINE, AT_WORK, assignment.c.item_id == bindparam("item"), assignment.c["pass"] == 1
    )
)


NAMED = Prepared(
    select(assignment.c.public_id)
    .join(item, item.c.id == assignment.c.item_id)
    .outerjoin(duplicate, duplicate.c.item_id == item.c.id)
    .where(
        MINE,
        AT_WORK,
        or_(
            and_(assignment.c["pass"] == 1, item.c.name == bindparam("name")),
            and_(assignment.c["pass"] > 1, duplicate.c.name == bindparam("name")),
        ),
    )
    # Controls have ids of their own, which the study's items may have too.
    .order_by(item.c.series != literal_column("'work'"), assignment.c.id)
    .limit(1)
)


def known_row_by_name(connection: Connection, study_id: int, annotator_id: int, name: str) -> KnownRow | None:
    """The row of a sheet that names the item, or a duplicate of it, by its id in the item file.

    None where it was not given to this annotator.
    """
    found = NAMED.row(connection, annotator=annotator_id, name=name)
    return known_row(connection, study_id, found[0]) if found else None


def known_row_of_item(
    connection: Connection, study: Study, study_id: int, mine: tuple[int, str], name: str
) -> KnownRow | None:
    """The row of a sheet that names the item itself, whether it was given to the annotator here or not."""
    row = RATED.row(connection, study=study_id, name=name)
    if row is None:
        return None
    item_id, shown, hidden = row
    dropped = _dropped_texts(study, json.loads(hidden), json.loads(shown))
    found = FIRST_TIME.row(connection, annotator=mine[0], item=item_id)
    known = known_row(connection, study_id, found[0]) if found else None
    if known is None:
        return KnownRow("", mine[0], mine[1], name, json.loads(shown), "open", "", dropped)
    return KnownRow(known.public_id, *mine, name, known.shown, known.state, known.last, dropped)


def _dropped_texts(study: Study, hidden: dict[str, Any], shown: dict[str, Any]) -> frozenset[str]:
    """The texts of an item's entries that are in its file but not asked about."""
    found: set[str] = set()
    for name in study.entries:
        settings = study.items.entries[name]
        for each in hidden.get(settings.from_) or ():
            found.add(str(each.get(settings.text or "text")) if isinstance(each, dict) else str(each))
        found -= {entry["text"] for entry in shown.get(name) or ()}
    return frozenset(found)


def names(connection: Connection, study_id: int) -> dict[str, int]:
    """Every person in a study by pseudonym, and by name where they have one."""
    of_study = (annotator.c.study_id == study_id, annotator.c.judge.is_(False))
    rows = connection.execute(select(annotator.c.name, annotator.c.id).where(*of_study))
    ids: dict[str, int] = {row.name: row.id for row in rows}
    return ids | {name: ids[pseudonym] for pseudonym, name in names_apart(connection, study_id).items()}


def item_names(connection: Connection, study_id: int) -> list[str]:
    """The names of all items that are to be judged."""
    of_work = (is_in_study(study_id), item.c.series == "work")
    return list(connection.execute(select(item.c.name).where(*of_work)).scalars())


def open_count(connection: Connection, annotator_id: int) -> int:
    """How many items somebody has been given and has not judged."""
    return int(next_item.OPEN_COUNT.row(connection, annotator=annotator_id)[0])


LAST = Prepared(
    select(submission.c.revision, submission.c.source, submission.c.fingerprint)
    .join(
        assignment,
        # By what the store has an index for: a sheet can have ten thousand rows.
        (submission.c.annotator_id == assignment.c.annotator_id)
        & (submission.c.item_id == assignment.c.item_id)
        & (submission.c["pass"] == assignment.c["pass"]),
    )
    .where(assignment.c.public_id == bindparam("public_id"))
    .order_by(submission.c.revision.desc())
    .limit(1)
)


def last_submission(connection: Connection, public_id: str) -> tuple[int, str, str] | None:
    """The revision, the source and the fingerprint of what was submitted last for a row of a sheet."""
    row = LAST.row(connection, public_id=public_id)
    return None if row is None else tuple(row)


# A sheet is the coordinator's act: what a page has kept unfinished does not stand in its way.
KEPT = Prepared(
    select(draft.c.version)
    .join(assignment, assignment.c.id == draft.c.assignment_id)
    .where(assignment.c.public_id == bindparam("public_id"))
)


def draft_version(connection: Connection, public_id: str) -> int:
    """The version of an assignment's draft; 0 without a draft."""
    row = KEPT.row(connection, public_id=public_id)
    return row[0] if row else 0
