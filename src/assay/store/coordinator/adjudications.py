"""The values that were agreed on where people were far apart, beside the raw ones. The newest of each counts."""

import json

from sqlalchemy import Connection, insert, select

from assay.errors import AssayError
from assay.model import Agreed, Slot, Value
from assay.sides_and_candidates import systems_by_role
from assay.store.coordinator.record import By
from assay.store.engine.json_text import to_json
from assay.store.tables import WORK, adjudication, is_in_study, item, item_hidden


def add(connection: Connection, by: By, name: str, slot: Slot, value: Value) -> None:
    """Store an agreed value with its reason; None takes an earlier one back. Earlier ones stay in the data."""
    named = (is_in_study(by.study_id), item.c.series == WORK, item.c.name == name)
    found = connection.execute(select(item.c.id).where(*named)).scalar()
    if found is None:
        raise AssayError(f"there is no item {name!r}", "items are named as in their file")
    row = {"study_id": by.study_id, "item_id": found, "dimension": slot.dimension, "side": slot.side}
    agreed = {"entry": slot.entry, "value": to_json(value), "reason": by.reason.strip(), "by": by.who, "at": by.at}
    connection.execute(insert(adjudication).values({**row, **agreed}))


def agreed_slots(connection: Connection, study_id: int, name: str) -> dict[Slot, int]:
    """The questions of an item on which a value is agreed, with a candidate's role for its side, and since when."""
    columns = (adjudication.c.dimension, adjudication.c.side, adjudication.c.entry)
    rows = connection.execute(
        select(*columns, adjudication.c.value, adjudication.c.at)
        .join(item, item.c.id == adjudication.c.item_id)
        .where(adjudication.c.study_id == study_id, item.c.series == WORK, item.c.name == name)
        .order_by(adjudication.c.id)
    )
    newest = {Slot(row.dimension, row.side, row.entry): (json.loads(row.value), row.at) for row in rows}
    return {slot: at for slot, (value, at) in newest.items() if value is not None}


def agreed_values(connection: Connection, study_id: int) -> list[Agreed]:
    """The newest agreed value of every question that has one: one that was taken back counts no more."""
    rows = connection.execute(
        select(adjudication, item.c.name, item_hidden.c.systems)
        .join(item, item.c.id == adjudication.c.item_id)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .where(adjudication.c.study_id == study_id)
        .order_by(adjudication.c.id)
    )
    newest: dict[tuple[str, str, str, str], Agreed] = {}
    for row in rows:
        systems = json.loads(row.systems)
        system = systems_by_role(systems).get(row.side, "")
        newest[row.name, row.dimension, system, row.entry] = Agreed(
            row.name, row.dimension, system, row.entry, json.loads(row.value), row.reason, row.by, row.at
        )
    return [each for each in newest.values() if each.value is not None]
