"""How many annotators an item wants, where everybody who takes part is to judge it (`per_item: all`)."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, literal, select

from assay.store.annotator.participation import TAKES_PART
from assay.store.tables import EVERYBODY, WORK, annotator, is_in_study, item


def wants_everybody(connection: Connection, study_id: int) -> bool:
    """Whether everybody is to judge every item of a study (`per_item: all`): then all items have the same `wanted`."""
    of_work = (is_in_study(study_id), item.c.series == WORK, item.c.wanted > 0)
    first = select(item.c.wanted).where(*of_work).limit(1)
    return bool(connection.execute(first).scalar() == EVERYBODY)


def people_who_count(study_id: int, left_out: Collection[str] = ()) -> Select[Any]:
    """The ids of everybody who judges and is not left out."""
    return select(annotator.c.id).where(
        annotator.c.study_id == study_id,
        annotator.c.judge.is_(False),
        annotator.c.excluded_at.is_(None),
        annotator.c.name.not_in(sorted(left_out)),
    )


def everybody(connection: Connection, study_id: int, left_out: Collection[str] = ()) -> list[int]:
    """The annotators that `per_item: all` means: all who take part; where nobody does, those known from files."""
    people = people_who_count(study_id, left_out)
    found = connection.execute(people.where(TAKES_PART)).scalars().all()
    return list(found or connection.execute(people.where(annotator.c.from_file)).scalars().all())


def who_is_wanted(
    connection: Connection, study_id: int, left_out: Collection[str] = ()
) -> tuple[Select[Any] | list[int], ColumnElement[int]]:
    """The annotators whose judgments count for an item, and how many of them it needs."""
    if not wants_everybody(connection, study_id):
        return people_who_count(study_id, left_out), item.c.wanted
    people = everybody(connection, study_id, left_out)
    return people, literal(max(1, len(people)))


def people_wanted(connection: Connection, study_id: int, wanted: int) -> int:
    """How many people an item wants: a number, or as many as take part."""
    return len(everybody(connection, study_id)) if wanted == EVERYBODY else wanted


def places(connection: Connection, study_id: int) -> int:
    """How often items are to be judged, all together."""
    of_work = (is_in_study(study_id), item.c.series == WORK)
    wanted = select(item.c.wanted, func.count()).where(*of_work).group_by(item.c.wanted)
    return sum(people_wanted(connection, study_id, each) * count for each, count in connection.execute(wanted).all())
