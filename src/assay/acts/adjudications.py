"""Agreeing on a value where people were far apart. It stands beside the judgments, and changes none."""

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.model import Slot, Value
from assay.store.coordinator import adjudications
from assay.store.coordinator.record import By, record


def agree(connection: Connection, by: By, name: str, slot: Slot, value: Value) -> None:
    """Keep the value that was agreed on for one question of an item, with its reason. The newest counts."""
    need_reason(by, "for an agreed value", "it is kept beside the value")
    adjudications.add(connection, by, name, slot, value)
    record(connection, by, "adjudicate", about=f"{name} {slot.key}")
