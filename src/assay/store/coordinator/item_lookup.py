"""One item, found by its name or by the public id of an annotator's page."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from assay.errors import NotFound
from assay.sides_and_candidates import in_page_order, on_screen
from assay.store.coordinator.item_names import item_called
from assay.store.tables import WORK, assignment, item, item_hidden, reference
from assay.words import Translatable


@dataclass(frozen=True, slots=True)
class CoordinatorItem:
    """An item as a coordinator sees it."""

    id: int
    shown: dict[str, Any]
    systems: tuple[str, ...]
    series: str = WORK


def item_named(connection: Connection, study_id: int, name: str) -> CoordinatorItem:
    """An item by its name in results."""
    row = connection.execute(
        select(item.c.id, item.c.shown, item_hidden.c.systems, item.c.series)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .where(item.c.id == item_called(connection, study_id, name))
    ).first()
    if row is None:
        raise NotFound(Translatable("errors.no_item"))
    return CoordinatorItem(row.id, json.loads(row.shown), tuple(json.loads(row.systems)), row.series)


@dataclass(frozen=True, slots=True)
class ItemBehind:
    """The item behind a public id, with hidden facts. For bots, never for a page."""

    name: str
    systems: tuple[str, ...]
    """In the order of the screen, where there are two."""
    shown: dict[str, Any]
    words: int
    expected: dict[str, Any]
    """The known answers, where it is a control or for practice: by form field, with a candidate's role for its side."""
    swapped: bool | None


def item_behind(connection: Connection, public_id: str) -> ItemBehind:
    """Which item stands behind a public id, as the annotator sees it, and whose work it is."""
    row = connection.execute(
        select(
            item.c.name,
            item_hidden.c.systems,
            item.c.shown,
            item.c.words,
            assignment.c.swapped,
            reference.c.answers,
        )
        .select_from(assignment)
        .join(item, item.c.id == assignment.c.item_id)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .outerjoin(reference, reference.c.item_id == item.c.id)
        .where(assignment.c.public_id == public_id)
    ).one()
    systems = tuple(json.loads(row.systems))
    shown = on_screen(json.loads(row.shown), row.swapped)
    expected = json.loads(row.answers) if row.answers else {}
    return ItemBehind(row.name, tuple(in_page_order(systems, row.swapped)), shown, row.words, expected, row.swapped)
