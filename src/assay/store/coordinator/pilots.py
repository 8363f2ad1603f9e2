"""The pilots of a study: which one is under way, what each has shown, and the opening of the main part."""

import json
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from assay.fieldwork import PilotDecision
from assay.store.coordinator.record import By
from assay.store.tables import WORK, item, pilot, study


def under_way(connection: Connection, study_id: int) -> int:
    """Which pilot is under way; 0 where the main part is open."""
    return int(connection.execute(select(study.c.pilot).where(study.c.id == study_id)).scalar_one())


def items_of(connection: Connection, study_id: int, number: int) -> set[str]:
    """The names of the items of one pilot."""
    of_pilot = (item.c.study_id == study_id, item.c.series == WORK, item.c.pilot == number)
    return set(connection.execute(select(item.c.name).where(*of_pilot)).scalars())


def decisions(connection: Connection, study_id: int) -> list[PilotDecision]:
    """Every pilot that something was decided about."""
    rows = connection.execute(select(pilot).where(pilot.c.study_id == study_id).order_by(pilot.c.round))
    return [
        PilotDecision(row.round, row.verdict, row.opened, row.by, row.reason, row.at, json.loads(row.result))
        for row in rows
    ]


def keep(connection: Connection, by: By, result: dict[str, Any], *, opened: bool) -> None:
    """Keep what the pilot under way has shown and what was decided, in place of an earlier decision about it."""
    number = under_way(connection, by.study_id)
    connection.execute(delete(pilot).where(pilot.c.study_id == by.study_id, pilot.c.round == number))
    row = {"study_id": by.study_id, "round": number, "result": json.dumps(result, allow_nan=False)}
    decided = {"verdict": result["verdict"], "opened": opened, "by": by.who, "reason": by.reason, "at": by.at}
    connection.execute(insert(pilot).values({**row, **decided}))


def has_items(connection: Connection, study_id: int, number: int) -> bool:
    """Whether there are items for a pilot."""
    of_pilot = (item.c.study_id == study_id, item.c.series == WORK, item.c.pilot == number)
    return connection.execute(select(item.c.id).where(*of_pilot).limit(1)).first() is not None
