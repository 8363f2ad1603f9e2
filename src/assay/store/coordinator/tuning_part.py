"""The part of the items that judges are tuned on: a row of the record, written once for a study."""

import json

from sqlalchemy import Connection, select

from assay.assignment.tuning_part import TuningPart
from assay.store.coordinator.record import By, record
from assay.store.tables import WORK, action, is_in_study, item, item_hidden

DRAWN = "draw the tuning part"


def tuning_part(connection: Connection, study_id: int) -> TuningPart | None:
    """How the part was drawn; None where it was not."""
    of_study = (action.c.study_id == study_id, action.c.what == DRAWN)
    row = connection.execute(select(action.c.about).where(*of_study).order_by(action.c.id)).first()
    return None if row is None else TuningPart(**json.loads(row.about))


def keep(connection: Connection, by: By, part: TuningPart) -> None:
    """Record how the part was drawn."""
    about = {"share": part.share, "seed": part.seed, "version": part.version}
    record(connection, by, DRAWN, about=json.dumps(about))


def items_of(connection: Connection, study_id: int, part: TuningPart | None) -> frozenset[str]:
    """The items of a part by name; groups stay whole. None where there is no part."""
    if part is None:
        return frozenset()
    rows = connection.execute(
        select(item.c.name, item_hidden.c.group)
        .join(item_hidden, item_hidden.c.item_id == item.c.id)
        .where(is_in_study(study_id), item.c.series == WORK)
    )
    return frozenset(row.name for row in rows if part.holds(row.group or row.name))
