"""Drawing the part of the items that judges are tuned on: once in a study's life."""

from sqlalchemy import Connection

from assay.assignment.tuning_part import TuningPart, part_to_use
from assay.store.coordinator import tuning_part
from assay.store.coordinator.record import By


def draw_tuning_part(connection: Connection, by: By, part: TuningPart) -> TuningPart:
    """The part that was drawn before, or else this one, which is kept. Raises AssayError for a part of another size."""
    known = tuning_part.tuning_part(connection, by.study_id)
    if known is None:
        tuning_part.keep(connection, by, part)
    return part_to_use(known, part.share, part.seed, part.version)
