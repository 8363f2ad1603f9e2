"""The pilots of a study: which one is under way, what each has shown, and the opening of the main part."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from assay.errors import AssayError
from assay.store.coordinator.actions import By, record
from assay.store.coordinator.item_plan import open_phase
from assay.store.tables import WORK, item, pilot, study


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was found and decided about one pilot."""

    round: int
    verdict: str
    opened: bool
    """Whether the main part was opened then."""
    by: str
    reason: str
    at: int
    result: dict[str, Any]


def under_way(connection: Connection, study_id: int) -> int:
    """Which pilot is under way; 0 where the main part is open."""
    return int(connection.execute(select(study.c.phase).where(study.c.id == study_id)).scalar_one())


def items_of(connection: Connection, study_id: int, round_: int) -> set[str]:
    """The names of the items of one pilot."""
    of_round = (item.c.study_id == study_id, item.c.series == WORK, item.c.phase == round_)
    return set(connection.execute(select(item.c.name).where(*of_round)).scalars())


def recorded(connection: Connection, study_id: int) -> list[Recorded]:
    """Every pilot that something was decided about."""
    rows = connection.execute(select(pilot).where(pilot.c.study_id == study_id).order_by(pilot.c.round))
    return [
        Recorded(row.round, row.verdict, row.opened, row.by, row.reason, row.at, json.loads(row.result)) for row in rows
    ]


def decide(connection: Connection, by: By, result: dict[str, Any], *, opens: bool) -> None:
    """Record what the pilot under way has shown, and open the main part or leave it closed."""
    round_ = under_way(connection, by.study_id)
    if not round_:
        raise AssayError("no pilot is under way: the main part is open", "")
    which = (pilot.c.study_id == by.study_id, pilot.c.round == round_)
    connection.execute(delete(pilot).where(*which))
    row = {"study_id": by.study_id, "round": round_, "result": json.dumps(result, allow_nan=False)}
    decided = {"verdict": result["verdict"], "opened": opens, "by": by.who, "reason": by.reason, "at": by.at}
    connection.execute(insert(pilot).values({**row, **decided}))
    record(connection, by, "open the main part" if opens else "record the pilot", about=f"pilot {round_}")
    if opens:
        open_phase(connection, by.study_id, 0)


def again(connection: Connection, by: By) -> int:
    """Begin the next pilot, with items that nobody has seen; returns which one it is."""
    now = under_way(connection, by.study_id)
    if not now or not any(each.round == now for each in recorded(connection, by.study_id)):
        raise AssayError("the pilot under way has not been decided yet", "assay pilot --decide does that")
    fresh = select(func.count()).where(item.c.study_id == by.study_id, item.c.series == WORK, item.c.phase == now + 1)
    if not connection.execute(fresh).scalar_one():
        raise AssayError(
            f"there is no pilot {now + 1}",
            "analysis.pilot.rounds says how many there are, as far as there are items",
        )
    open_phase(connection, by.study_id, now + 1)
    record(connection, by, "begin a pilot", about=f"pilot {now + 1}")
    return now + 1
