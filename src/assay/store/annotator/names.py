"""Who is meant by a name: a pseudonym, or what somebody is called apart from their work. Cannot reach what is hidden.

Within a study no name is the pseudonym of anybody else, so that either of them means one person.
"""

import secrets

from sqlalchemy import ColumnElement, Connection, or_, select

from assay.store.tables import annotator, person

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The letters of pseudonyms, without any that could be mistaken for another."""


def is_called(study_id: int, name: str) -> ColumnElement[bool]:
    """The condition that an annotator of the study has this pseudonym or this name."""
    apart = select(person.c.annotator_id).where(person.c.study_id == study_id, person.c.name == name)
    return (annotator.c.study_id == study_id) & or_(annotator.c.name == name, annotator.c.id.in_(apart))


def pseudonym_of(connection: Connection, study_id: int, name: str) -> str | None:
    """The pseudonym of whoever is meant; None where nobody is called so."""
    return connection.execute(select(annotator.c.name).where(is_called(study_id, name))).scalar()


def both_names(connection: Connection, annotator_id: int) -> tuple[str, str]:
    """Somebody's pseudonym, and what they are called apart from their work; empty: by the pseudonym alone."""
    rows = select(annotator.c.name, person.c.name).outerjoin(person, person.c.annotator_id == annotator.c.id)
    pseudonym, name = connection.execute(rows.where(annotator.c.id == annotator_id)).one()
    return pseudonym, name or ""


def names_apart(connection: Connection, study_id: int) -> dict[str, str]:
    """What people are called, by pseudonym: for those who may know it. Whoever has a pseudonym alone is left out."""
    rows = select(annotator.c.name, person.c.name).join(person, person.c.annotator_id == annotator.c.id)
    return {row[0]: row[1] for row in connection.execute(rows.where(annotator.c.study_id == study_id))}


def all_names(connection: Connection, study_id: int) -> set[str]:
    """Everything that somebody in the study is called by: names and pseudonyms."""
    pseudonyms = connection.execute(select(annotator.c.name).where(annotator.c.study_id == study_id)).scalars()
    return {*pseudonyms, *connection.execute(select(person.c.name).where(person.c.study_id == study_id)).scalars()}


def draw_pseudonym(connection: Connection, study_id: int) -> str:
    """A pseudonym that nobody has, and that says nothing about whoever gets it."""
    while True:
        name = "p-" + "".join(secrets.choice(LETTERS) for _ in range(6))
        if pseudonym_of(connection, study_id, name) is None:
            return name
