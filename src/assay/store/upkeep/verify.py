"""Whether a store is whole: the file, what refers to what, and everything that can be computed a second time.

Each check says what it looked at, how often, and which rows are wrong. Nothing is changed.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Table, Text, and_, func, select

from assay.errors import StoreError
from assay.store import SCHEMA, schema_of
from assay.store.engine.archive import columns_of, connect_to, file_faults, is_damage, rows_of, table_names
from assay.store.engine.backend import Backend
from assay.store.tables import assignment, metadata, submission
from assay.store.upkeep.drawn_pseudonyms import DrawnPseudonyms
from assay.store.upkeep.erased_person_rows import ErasedRows
from assay.store.upkeep.kept_counts import compare_counts
from assay.store.upkeep.recompute import find_wrong_submissions, pictures, recomputed_items, study_versions
from assay.store.upkeep.undone_import_rows import TakenBack

MOST = 100
"""How many rows each check names; the rest is counted."""

Found = Iterator[str | None]
"""What a check comes to: None for each thing that is right, words for each that is not."""


@dataclass
class Verified:
    """What one check has found."""

    what: str
    looked_at: int = 0
    wrong: int = 0
    problems: list[str] = field(default_factory=list)

    def add(self, problem: str | None) -> None:
        """Count one thing that was looked at."""
        self.looked_at += 1
        if problem is not None:
            self.wrong += 1
            if len(self.problems) < MOST:
                self.problems.append(problem)


Show = Callable[[str], None]


def verify(store: Backend, against: Path | None = None, show: Show = lambda _: None) -> Iterator[Verified]:
    """Run every check on one snapshot; a damaged file can end them early, and that is a finding too."""
    try:
        yield from store.stream(_verify, against, show)
    except Exception as error:
        if not is_damage(error):
            raise
        yield Verified("the rest", 1, 1, [str(getattr(error, "orig", error))])


def _verify(connection: Connection, against: Path | None, show: Show) -> Iterator[Verified]:
    found = schema_of(connection)
    if found != SCHEMA:
        raise StoreError(
            f"the store has the tables of an older version (schema {found}, here {SCHEMA})",
            "make a backup; `assay status` then brings it up to date",
        )
    for what, check in CHECKS.items():
        show(what)
        yield _run(what, check(connection))
    if against is not None:
        show("unchanged since the backup")
        yield _run("rows of the backup that are still as they were", _find_changed_rows(connection, against))


def _run(what: str, found: Found) -> Verified:
    checked = Verified(what)
    try:
        for problem in found:
            checked.add(problem)
    except Exception as error:
        if not is_damage(error) and not isinstance(error, ValueError | LookupError | TypeError):
            raise
        checked.add(f"could not be looked at to the end: {str(getattr(error, 'orig', error)).splitlines()[0]}")
    return checked


def _file(connection: Connection) -> Found:
    """The integrity check of the database file; PostgreSQL looks after its pages itself."""
    if connection.dialect.name != "sqlite":
        return
    faults: list[str | None] = [*file_faults(connection, MOST)]
    yield from faults or [None]


def _references(connection: Connection) -> Found:
    """Check all foreign keys."""
    for table in metadata.sorted_tables:
        for key in table.foreign_key_constraints:
            other = key.referred_table.alias()
            pairs = [element.parent == other.c[element.column.name] for element in key.elements]
            there = [element.parent.is_not(None) for element in key.elements]
            lost = select(*table.primary_key.columns).outerjoin(other, and_(*pairs)).where(*there)
            lost = lost.where(other.c[key.elements[0].column.name].is_(None)).limit(MOST)
            count = connection.execute(select(func.count()).select_from(table)).scalar_one()
            wrong = connection.execute(lost).all()
            yield from [None] * (count - len(wrong))
            to = key.referred_table.name
            yield from (f"{_name_of_row(table, row)} refers to a row of {to} that is not there" for row in wrong)


def _uniqueness(connection: Connection) -> Found:
    """Check all unique constraints."""
    for table in metadata.sorted_tables:
        for constraint in table.constraints:
            columns: list[Column[Any]] = list(getattr(constraint, "columns", ()))
            if type(constraint).__name__ not in ("PrimaryKeyConstraint", "UniqueConstraint"):
                continue
            known = [column.is_not(None) for column in columns]
            twice = select(*columns).where(*known).group_by(*columns).having(func.count() > 1).limit(MOST)
            rows = connection.execute(twice).all()
            names = ", ".join(column.name for column in columns)
            yield from (
                (f"{table.name}: {names} = {_values(row)} is there more than once" for row in rows) if rows else [None]
            )


JSON_COLUMNS = [
    (table, column)
    for table in metadata.sorted_tables
    for column in table.columns
    if (column.comment or "").startswith("as JSON") or (table.name, column.name) in {
        ("study_version", "document"), ("item", "shown"), ("item_hidden", "hidden"), ("draft", "answers"),
    }
]  # fmt: skip


def _json(connection: Connection) -> Found:
    """Check that all JSON can be parsed."""
    for table, column in JSON_COLUMNS:
        for *key, value in connection.execution_options(yield_per=1000).execute(
            select(*table.primary_key.columns, column).where(column.is_not(None))
        ):
            try:
                json.loads(value)
            except (ValueError, TypeError):
                yield f"{_name_of_row(table, key)}: {column.name} is not JSON: {str(value)[:40]!r}"
            else:
                yield None


def rows_with_nul(connection: Connection) -> Iterator[str]:
    """Texts with a NUL character, which PostgreSQL cannot keep: a few of each column, by their rows."""
    for table in metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, Text):
                held = func.instr(column, func.char(0)) > 0
                rows = connection.execute(select(*table.primary_key.columns).where(held).limit(MOST)).all()
                yield from (f"{_name_of_row(table, row)}: {column.name} holds a NUL character" for row in rows)


def _texts(connection: Connection) -> Found:
    """Check that texts are texts on both databases; PostgreSQL enforces it itself."""
    if connection.dialect.name != "sqlite":
        return
    faults: list[str | None] = [*rows_with_nul(connection)]
    yield from faults or [None]


def _submissions(connection: Connection) -> Found:
    """Check that every submission belongs to its assignment, and that no revision is missing."""
    same = ("study_id", "annotator_id", "item_id", "pass")
    given = [assignment.c[name] for name in same]
    rows = connection.execute(
        select(
            submission.c.id, submission.c.revision, *(submission.c[name] for name in same), assignment.c.state, *given
        )
        .join(assignment, assignment.c.id == submission.c.assignment_id)
        .order_by(submission.c.assignment_id, submission.c.revision, submission.c.id)
    )
    last: tuple[Any, ...] = ()
    revision = 0
    for id_, number, *rest in rows:
        mine, state, theirs = tuple(rest[:4]), rest[4], tuple(rest[5:])
        revision = revision + 1 if mine == last else 1
        last = mine
        if mine != theirs:
            yield f"submission {id_}: its assignment is of another study, annotator, item or pass"
        elif state != "submitted":
            yield f"submission {id_}: its assignment is {state}, not submitted"
        elif number != revision:
            yield f"submission {id_}: is revision {number} where {revision} was expected"
        else:
            yield None


def _assignments(connection: Connection) -> Found:
    """Check that every submitted assignment has a submission."""
    rows = connection.execute(
        select(assignment.c.id, assignment.c.public_id, assignment.c.state, func.count(submission.c.id))
        .outerjoin(submission, submission.c.assignment_id == assignment.c.id)
        .group_by(assignment.c.id, assignment.c.public_id, assignment.c.state)
    )
    for id_, _, state, count in rows:
        if state not in ("open", "submitted", "declined", "returned"):
            yield f"assignment {id_}: has the state {state!r}"
        else:
            yield (
                f"assignment {id_}: is submitted, but there is no submission"
                if (state == "submitted" and not count)
                else None
            )


def _counts(connection: Connection) -> Found:
    """Check the cached counts."""
    return (None if each is None else each.says for each in compare_counts(connection))


COUNTS = "counters of items and studies"
"""The check whose findings are no damage: `put_counts_right` mends them."""

CHECKS: dict[str, Callable[[Connection], Found]] = {
    "the database file": _file,
    "references between rows": _references,
    "what must be unique": _uniqueness,
    "stored JSON": _json,
    "text without NUL characters": _texts,
    "versions of studies: hash and document": study_versions,
    "items: hidden part and number of words": recomputed_items,
    "pictures: hash and content": pictures,
    "assignments": _assignments,
    "submissions and their assignments": _submissions,
    "judgments: fingerprint and derived values": find_wrong_submissions,
    COUNTS: _counts,
}

CHANGES: dict[str, set[str]] = {
    "study": {
        "name",
        "version",
        "item_count",
        "annotator_count",
        "state",
        "state_at",
        "pilot",
        "arranged_for",
        "open_count",
    }
    | {"control_count", "cells", "batch_count", "filled_places", "filled_items", "arriving_from"}
    | {"word_count", "hard_count", "taken_places", "taken_items"},
    "item": {"taken", "wanted", "pilot", "group_number", "pair", "cell", "tagged", "queue", "series", "warnings"},
    "reference": {"answers", "reason"},
    "annotator": {"left_at", "ready_for", "state", "excluded_at", "cell", "from_file"},
    "link": {"revoked_at", "opened_at"},
    "token": {"revoked_at"},
    "gate_attempt": {"ended_at", "passed", "seen", "result"},
    "break": {"ended_at"},
    "message": {"read_at"},
    "person_answer": {"value", "answered_at"},
    "problem": {"closed_at"},
    "assignment": {"state", "expires_at", "freed_at", "opened_at", "declined_because"},
    "import": {"undone_at", "undone_by", "undone_reason"},
}
"""What may change while work goes on. All other columns stay as they were written."""

COMES_AND_GOES = {"draft", "session", "flag", "pilot", "uncounted", "tally", "pattern", "counted", "computed", "repeat"}
"""Tables whose rows are replaced or taken away while work goes on."""


def lasting_columns(connection: Connection, table: str) -> list[str]:
    """The columns of a table that are never changed."""
    return [name for name in columns_of(connection, table) if name not in CHANGES.get(table, ())]


def _find_changed_rows(connection: Connection, against: Path) -> Found:
    """Check that every row of a backup is still there, and equal in columns that never change.

    Rows of undone imports and of erased people may be gone, and people may have got pseudonyms.
    """
    drawn = DrawnPseudonyms(connection)
    with connect_to(against) as archive:
        taken_back, erased = TakenBack(connection, archive), ErasedRows(connection, archive)
        for table in table_names(archive):
            if table in COMES_AND_GOES or table not in metadata.tables:
                continue
            known = metadata.tables[table]
            columns = [name for name in lasting_columns(archive, table) if name in known.c]
            now = {hash(row) for row in rows_of(connection, table, columns)}
            key = [columns.index(column.name) for column in known.primary_key.columns]
            for row in rows_of(archive, table, columns):
                said = dict(zip(columns, row, strict=True))
                as_now = tuple(drawn.as_now(table, said).values())
                same = hash(as_now) in now or taken_back.explains(table, said) or erased.explains(table, said)
                yield (
                    None if same else f"{_name_of_row(known, [row[n] for n in key])}: is no longer as the backup has it"
                )


def _name_of_row(table: Table, key: Any) -> str:
    return f"{table.name} {_values(key)}"


def _values(row: Any) -> str:
    return ", ".join(str(value).replace("\0", "\\0") for value in row)
