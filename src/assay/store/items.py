"""Items into the store: all of them or none."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from assay.assignment import lot
from assay.errors import ItemProblems, Problem
from assay.model import Item
from assay.store.tables import item, item_hidden, study

CHUNK = 1000
MOST_PROBLEMS = 100


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    added: int
    known: int


def to_json(value: Any) -> str:
    """JSON as it is kept: readable, exact, and never with a NaN in it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def add(connection: Connection, study_id: int, items: Iterable[Item], seed: int) -> Imported:
    """Store items that are new. One that is there with another content is refused, and then nothing is stored."""
    added = known = 0
    problems: list[Problem] = []
    for chunk in _chunks(items):
        stored = _stored(connection, study_id, [each.id for each in chunk])
        new = []
        for each in chunk:
            if each.id not in stored:
                new.append(each)
            elif stored[each.id] == _content(each):
                known += 1
            else:
                problems.append(
                    Problem(
                        f"item {each.id}",
                        "is in the store with another content",
                        "an item keeps its content: give the changed one a new id",
                    )
                )
        _insert(connection, study_id, new, seed)
        added += len(new)
    if problems:
        more = len(problems) - MOST_PROBLEMS
        rest = [Problem("the store", f"and {more} more items with another content")] if more > 0 else []
        raise ItemProblems([*problems[:MOST_PROBLEMS], *rest])
    count = select(func.count()).select_from(item).where(item.c.study_id == study_id).scalar_subquery()
    connection.execute(update(study).where(study.c.id == study_id).values(item_count=count))
    return Imported(added, known)


def _chunks(items: Iterable[Item]) -> Iterator[list[Item]]:
    rest = iter(items)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


def _content(each: Item) -> tuple[str, str, str, str]:
    return to_json(each.shown), to_json(each.hidden), each.system, each.group


def _stored(connection: Connection, study_id: int, names: list[str]) -> dict[str, tuple[str, str, str, str]]:
    rows = connection.execute(
        select(item.c.name, item.c.shown, item_hidden.c.hidden, item_hidden.c.system, item_hidden.c.group)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .where(item.c.study_id == study_id, item.c.name.in_(names))
    )
    return {row.name: (row.shown, row.hidden, row.system, row.group) for row in rows}


def _insert(connection: Connection, study_id: int, items: list[Item], seed: int) -> None:
    if not items:
        return
    rows = [
        {
            "study_id": study_id,
            "name": each.id,
            "shown": to_json(each.shown),
            "words": each.words,
            "lot": lot(seed, "item", each.id),
        }
        for each in items
    ]
    connection.execute(insert(item), rows)
    names = [each.id for each in items]
    found = connection.execute(
        select(item.c.name, item.c.id).where(item.c.study_id == study_id, item.c.name.in_(names))
    )
    ids = {row.name: row.id for row in found}
    hidden = [
        {"item_id": ids[each.id], "system": each.system, "group": each.group, "hidden": to_json(each.hidden)}
        for each in items
    ]
    connection.execute(insert(item_hidden), hidden)
