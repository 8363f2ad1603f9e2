"""People whom a panel has sent, as rows: who it says they are, by which device they came, and how it ended."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, exists, func, insert, or_, select, update

from assay.errors import OverQuota
from assay.panels import Arrival
from assay.panels.setup import PanelSetup
from assay.store.annotator.participation import are_people, people_taking_part
from assay.store.tables import annotator, arrival, assignment, gate_pass, panel_setup
from assay.study import Study
from assay.study.assignment import Enrolment
from assay.words import Translatable

MINUTE = 60 * 1000


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody who has come before."""

    annotator_id: int
    said: Arrival
    """What the panel's address said of them last."""
    device_hash: str
    outcome: str
    """How it ended; empty: it goes on."""


def _known_arrival(row: Any) -> Known:
    return Known(row.annotator_id, Arrival(row.person, row.session, row.survey), row.device_hash, row.outcome)


def find(connection: Connection, study_id: int, person: str) -> Known | None:
    """The person with this panel id; None where nobody has come with it."""
    which = (arrival.c.study_id == study_id, arrival.c.person == person)
    row = connection.execute(select(arrival).where(*which)).first()
    return None if row is None else _known_arrival(row)


def of_annotator(connection: Connection, annotator_id: int) -> Known | None:
    """The arrival of an annotator; None where no panel has sent them."""
    row = connection.execute(select(arrival).where(arrival.c.annotator_id == annotator_id)).first()
    return None if row is None else _known_arrival(row)


def add(connection: Connection, study_id: int, annotator_id: int, said: Arrival, device_hash: str, now: int) -> None:
    """Store the arrival of a new annotator."""
    row = {
        "study_id": study_id,
        "annotator_id": annotator_id,
        "person": said.person,
        "session": said.session,
        "survey": said.survey,
        "device_hash": device_hash,
        "arrived_at": now,
    }
    connection.execute(insert(arrival).values(row))


def come_again(connection: Connection, annotator_id: int, said: Arrival, device_hash: str) -> None:
    """Update an arrival when somebody comes again, perhaps in a new session of the panel or with another device."""
    row = {"session": said.session, "survey": said.survey, "device_hash": device_hash}
    connection.execute(update(arrival).where(arrival.c.annotator_id == annotator_id).values(row))


def end(connection: Connection, annotator_id: int, outcome: str, now: int) -> None:
    """Store the outcome for somebody whom a panel has sent; an empty one takes the earlier outcome back."""
    row = {"outcome": outcome, "ended_at": now if outcome else None}
    changed = (arrival.c.annotator_id == annotator_id, arrival.c.outcome != outcome)
    connection.execute(update(arrival).where(*changed).values(row))


def over_time(connection: Connection, study_id: int, study: Study, now: int) -> list[int]:
    """The annotators whose time is over: they have not consented in time, or have taken longer than the study allows.

    Where the study asks for no consent, passing any gate or getting an item counts instead.
    """
    enrol = study.assignment.enrol
    if enrol is None:
        return []
    passed = exists().where(gate_pass.c.annotator_id == arrival.c.annotator_id)
    given = exists().where(assignment.c.annotator_id == arrival.c.annotator_id)
    begun = passed.where(gate_pass.c.gate == "consent") if study.consent else or_(passed, given)
    idle = and_(~begun, arrival.c.arrived_at < now - enrol.consent_within_minutes * MINUTE)
    late: ColumnElement[bool] = idle
    if enrol.most_minutes is not None:
        late = or_(idle, arrival.c.arrived_at < now - enrol.most_minutes * MINUTE)
    here = (arrival.c.study_id == study_id, arrival.c.outcome == "", annotator.c.left_at.is_(None))
    joined = select(arrival.c.annotator_id).join(annotator, annotator.c.id == arrival.c.annotator_id)
    return list(connection.execute(joined.where(*here, late)).scalars())


def places_taken(connection: Connection, study_id: int) -> int:
    """How many people have a place; whoever has failed a gate or found no item left has none."""
    needless = exists().where(
        arrival.c.annotator_id == annotator.c.id, arrival.c.outcome.in_(("failed_gate", "over_quota"))
    )
    without = select(func.count()).select_from(annotator).where(*are_people(study_id), needless)
    return people_taking_part(connection, study_id) - int(connection.execute(without).scalar_one())


def refuse_over_quota(connection: Connection, study_id: int, enrol: Enrolment) -> None:
    """Raise OverQuota where every place is taken."""
    if enrol.at_most is not None and places_taken(connection, study_id) >= enrol.at_most:
        raise OverQuota(Translatable("landing.full"))


def setup_of(connection: Connection, study_id: int) -> PanelSetup:
    """The ways back to the panel, and the key of its signatures."""
    found = connection.execute(select(panel_setup.c.document).where(panel_setup.c.study_id == study_id)).scalar()
    return PanelSetup() if found is None else PanelSetup.model_validate_json(found)


def keep_setup(connection: Connection, study_id: int, setup: PanelSetup) -> None:
    """Store the ways back and the key, in place of earlier ones."""
    document = setup.model_dump_json(exclude_unset=True)
    which = panel_setup.c.study_id == study_id
    if connection.execute(update(panel_setup).where(which).values(document=document)).rowcount == 0:
        connection.execute(insert(panel_setup).values(study_id=study_id, document=document))


def restart(connection: Connection, annotator_id: int, now: int) -> None:
    """Restart the time of somebody who had run out of it and has a place again."""
    connection.execute(update(arrival).where(arrival.c.annotator_id == annotator_id).values(arrived_at=now))
