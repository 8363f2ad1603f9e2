"""Whom a panel has sent, as those who run the study may know them: for paying, and for letting somebody in."""

from dataclasses import dataclass

from sqlalchemy import Connection, select

from assay.panels import Arrival
from assay.store.tables import annotator, arrival


@dataclass(frozen=True, slots=True)
class PanelPerson:
    """Somebody whom a panel has sent, under both names."""

    annotator: str
    said: Arrival
    arrived_at: int
    outcome: str
    """How it ended; empty: it goes on."""
    ended_at: int | None


def panel_people(connection: Connection, study_id: int) -> dict[str, PanelPerson]:
    """Everybody whom a panel has sent, by pseudonym."""
    rows = connection.execute(
        select(annotator.c.name, arrival)
        .join(annotator, annotator.c.id == arrival.c.annotator_id)
        .where(arrival.c.study_id == study_id)
        .order_by(arrival.c.arrived_at, arrival.c.annotator_id)
    )
    return {
        row.name: PanelPerson(
            row.name, Arrival(row.person, row.session, row.survey), row.arrived_at, row.outcome, row.ended_at
        )
        for row in rows
    }
