"""Somebody withdraws: they leave, and everything that they gave is deleted."""

from dataclasses import replace

from sqlalchemy import Connection

from assay.acts.erasures import erase_now, finish_erasure
from assay.acts.farewells import Farewell, say_goodbye
from assay.acts.own_record import THE_PERSON
from assay.store import Backend
from assay.store.annotator import participation
from assay.store.annotator.sessions import Annotator
from assay.store.coordinator.erase_person import Erasure
from assay.store.coordinator.record import By
from assay.study import Study


def withdraw(store: Backend, annotator: Annotator, study: Study, now: int) -> Farewell | None:
    """Delete everything of somebody who stops, in one transaction. Returns what they go back to a panel with."""
    goodbye, done = store.write(_withdraw, annotator, study, now)
    finish_erasure(store, done)
    return goodbye


def _withdraw(connection: Connection, annotator: Annotator, study: Study, now: int) -> tuple[Farewell | None, Erasure]:
    participation.leave(connection, annotator.study_id, annotator.id, now)
    # The way back to the panel is looked up first: erasing deletes what is known of it.
    gone = replace(annotator, left_at=now)
    goodbye = say_goodbye(connection, gone, study, now, submitted=0, nothing_left=False)
    by = By(annotator.study_id, THE_PERSON, now)
    return goodbye, erase_now(connection, by, annotator.name, keep=False)
