"""Which systems a study compares with each other, and in which direction."""

import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import JSON, ColumnElement, Connection, Select, cast, func, select, type_coerce

from assay.items.direction import direction_of
from assay.model import ROLES, Comparison
from assay.store.tables import WORK, is_in_study, item, item_hidden
from assay.study import Study
from assay.study.items import CandidateFields


def comparisons(connection: Connection, study_id: int, study: Study) -> list[Comparison]:
    """The comparisons of a study, in the order of their names.

    Where two fields name the systems now in one order and now in the other, the file gives no direction.
    """
    candidates = study.items.candidates
    if candidates is None:
        return []
    found: dict[tuple[str, ...], set[Comparison]] = {}
    rows = _fields(connection, study_id, candidates.fields) if candidates.fields else _first_rows(connection, study_id)
    for systems, row in rows:
        if len(systems) == len(ROLES):
            found.setdefault(systems, set()).add(direction_of(study, systems, row))
    return sorted(named.pop() if len(named) == 1 else direction_of(study, systems) for systems, named in found.items())


def _items(study_id: int, *columns: ColumnElement[Any]) -> Select[Any]:
    return (
        select(item_hidden.c.systems, *columns)
        .join(item, item.c.id == item_hidden.c.item_id)
        .where(is_in_study(study_id), item.c.series == WORK)
    )


def _first_rows(connection: Connection, study_id: int) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """The fields of one item of each pair of systems: of the item whose id sorts first."""
    # By code points on both databases, whatever language PostgreSQL sorts texts in.
    name = item.c.name.collate("C") if connection.dialect.name == "postgresql" else item.c.name
    first = _items(study_id, func.min(name).label("name")).group_by(item_hidden.c.systems)
    names = [row.name for row in connection.execute(first)]
    for systems, hidden in connection.execute(_items(study_id, item_hidden.c.hidden).where(item.c.name.in_(names))):
        yield tuple(json.loads(systems)), json.loads(hidden)


def _fields(
    connection: Connection, study_id: int, fields: tuple[CandidateFields, ...]
) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """The systems of each pair as two fields name them, in each order that occurs."""
    names = [each.system for each in fields]
    columns = [_hidden_text(connection, name).label(f"named_{place}") for place, name in enumerate(names)]
    for systems, *named in connection.execute(_items(study_id, *columns).distinct()):
        yield tuple(json.loads(systems)), dict(zip(names, named, strict=True))


def _hidden_text(connection: Connection, name: str) -> ColumnElement[Any]:
    """A field of what is hidden, as `value_at` finds it: under its whole name, else by its path."""
    text = item_hidden.c.hidden
    hidden = cast(text, JSON) if connection.dialect.name == "postgresql" else type_coerce(text, JSON)
    return func.coalesce(hidden[name].as_string(), hidden[tuple(name.split("."))].as_string())
