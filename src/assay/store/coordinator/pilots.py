"""The pilots of a study: which one is under way, what each has shown, and the opening of the main part."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from assay.fieldwork import PilotDecision
from assay.store.coordinator import finished_items
from assay.store.coordinator.record import By
from assay.store.tables import WORK, is_in_study, item, pilot, study


def under_way(connection: Connection, study_id: int) -> int:
    """Which pilot is under way; 0 where the main part is open."""
    return int(connection.execute(select(study.c.pilot).where(study.c.id == study_id)).scalar_one())


@dataclass(frozen=True, slots=True)
class PilotProgress:
    """How far the pilot under way is; of a study whose main part is open, nothing."""

    is_finished: bool = False
    """Whether every item of it has all its judgments."""
    verdict: str = ""
    """What it had shown when somebody decided about it; empty: nobody has."""
    finished_behind: int = 0
    """How many items behind it have all their judgments, as from files."""


def progress(connection: Connection, study_id: int) -> PilotProgress:
    """How far the pilot under way is."""
    number = under_way(connection, study_id)
    if not number:
        return PilotProgress()
    wanted = len(items_of(connection, study_id, number))
    finished = finished_items.count_finished_in_pilot(connection, study_id, number)
    decided = [each.verdict for each in decisions(connection, study_id) if each.round == number]
    behind = finished_items.count_finished_behind_pilot(connection, study_id, number)
    return PilotProgress(0 < wanted <= finished, "".join(decided), behind)


def items_of(connection: Connection, study_id: int, number: int) -> set[str]:
    """The names of the items of one pilot."""
    of_pilot = (is_in_study(study_id), item.c.series == WORK, item.c.pilot == number)
    return set(connection.execute(select(item.c.name).where(*of_pilot)).scalars())


def decisions(connection: Connection, study_id: int) -> list[PilotDecision]:
    """Every pilot that something was decided about."""
    rows = connection.execute(select(pilot).where(pilot.c.study_id == study_id).order_by(pilot.c.round))
    return [
        PilotDecision(row.round, row.verdict, row.opened, row.by, row.reason, row.at, json.loads(row.result))
        for row in rows
    ]


def keep(connection: Connection, by: By, result: dict[str, Any], *, opened: bool) -> None:
    """Store the outcome of the pilot under way and the decision, in place of an earlier decision about it."""
    number = under_way(connection, by.study_id)
    connection.execute(delete(pilot).where(pilot.c.study_id == by.study_id, pilot.c.round == number))
    row = {"study_id": by.study_id, "round": number, "result": json.dumps(result, allow_nan=False)}
    decided = {"verdict": result["verdict"], "opened": opened, "by": by.who, "reason": by.reason, "at": by.at}
    connection.execute(insert(pilot).values({**row, **decided}))


def has_items(connection: Connection, study_id: int, number: int) -> bool:
    """Whether there are items for a pilot."""
    of_pilot = (is_in_study(study_id), item.c.series == WORK, item.c.pilot == number)
    return connection.execute(select(item.c.id).where(*of_pilot).limit(1)).first() is not None
