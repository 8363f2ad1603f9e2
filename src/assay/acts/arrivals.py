"""Strangers from a panel arrive: they get a place, and come back to it. How they leave: `farewells`."""

import hmac
from dataclasses import dataclass

from sqlalchemy import Connection

from assay.acts.enrolment import refuse_too_many
from assay.errors import Conflict, NotFound, OverQuota
from assay.panels import Arrival
from assay.panels.setup import PanelSetup
from assay.store.annotator import arrivals
from assay.store.annotator.arrivals import Known
from assay.store.annotator.names import draw_pseudonym
from assay.store.annotator.participation import come_back, leave, recount_work
from assay.store.annotator.sessions import hash_of, look_at_link, new_secret
from assay.store.annotator.work_for_another import has_work_for_another
from assay.store.coordinator import annotators, links, studies
from assay.store.coordinator.record import By, record
from assay.study import Study
from assay.words import Translatable


@dataclass(frozen=True, slots=True)
class Entry:
    """The way in for somebody who has arrived."""

    token: str
    """Of a personal link, to be exchanged for a session at once."""
    device: str
    """The cookie that their device is known by."""


def arrive(connection: Connection, token: str, study: Study, said: Arrival, device: str, now: int) -> Entry:
    """Let somebody in whom a panel has sent: to a new place, or back to theirs. Raises OverQuota where none is free.

    `device` is the cookie of an earlier arrival on this device, if there is one. A place is theirs from now on; it
    lapses where they do not agree in time, or take longer than the study gives.
    """
    found, enrol = look_at_link(connection, token, now), study.assignment.enrol
    if found.role != "anybody" or enrol is None:
        raise NotFound(Translatable("errors.dead_link"))
    # Of two who arrive at once, the second sees the first.
    studies.lock(connection, found.study_id)
    free_places_of_late(connection, found.study_id, study, now)
    known = arrivals.find(connection, found.study_id, said.person)
    device = device or new_secret()
    if known is None:
        if lacks_signature(connection, found.study_id, study, said):
            raise Conflict(Translatable("landing.not_signed"))
        if words := why_nobody_new(connection, found.study_id, study, now):
            raise OverQuota(words)
        refuse_too_many(connection, found.study_id, enrol, now)
        name = draw_pseudonym(connection, found.study_id)
        annotator_id = annotators.find_or_add(connection, found.study_id, name, now)
        arrivals.add(connection, found.study_id, annotator_id, said, hash_of(device), now)
        recount_work(connection, found.study_id)
    else:
        annotator_id = known.annotator_id
        if not _is_same_person(known, said, device):
            raise Conflict(Translatable("landing.other_device"))
        arrivals.come_again(connection, annotator_id, said, hash_of(device))
        if known.outcome == "timed_out":
            arrivals.refuse_over_quota(connection, found.study_id, enrol)
            _begin_again(connection, found.study_id, annotator_id, now)
        elif known.outcome == "over_quota":
            arrivals.refuse_over_quota(connection, found.study_id, enrol)
            arrivals.end(connection, annotator_id, "", now)
    return Entry(links.add(connection, found.study_id, annotator_id, now), device)


def lacks_signature(connection: Connection, study_id: int, study: Study, said: Arrival) -> bool:
    """Whether the panel signs its addresses and this one is unsigned: anybody could take an unused id with it."""
    panel = study.assignment.panel
    asked = panel is not None and panel.signature is not None
    return asked and not said.signed and bool(arrivals.setup_of(connection, study_id).key)


def _is_same_person(known: Known, said: Arrival, device: str) -> bool:
    """Whether somebody is who they say: by the panel's signature, by their device, or by the panel's session.

    A panel's id alone is no proof: others may know it.
    """
    if said.signed or hmac.compare_digest(known.device_hash, hash_of(device)):
        return True
    return bool(said.session) and hmac.compare_digest(known.said.session.encode(), said.session.encode())


def why_nobody_new(connection: Connection, study_id: int, study: Study, now: int) -> Translatable | None:
    """Why nobody new is let in: the study is not open, or every place or all work is taken. None: they are let in.

    People whose time is over do not count as holding a place. The reason is shown before any question is asked.
    """
    state = studies.state(connection, study_id)
    if state == "closed":
        return Translatable("landing.closed")
    if state != "open" or studies.enrolment(connection, study_id) == "stopped":
        return Translatable("landing.stopped")
    late = arrivals.over_time(connection, study_id, study, now)
    enrol = study.assignment.enrol
    most = None if enrol is None else enrol.at_most
    if most is not None and arrivals.places_taken(connection, study_id) - len(late) >= most:
        return Translatable("landing.full")
    return None if has_work_for_another(connection, study_id, study, late, now) else Translatable("landing.full")


def free_places_of_late(connection: Connection, study_id: int, study: Study, now: int) -> int:
    """Give the places of those who take too long to others. Returns how many those are."""
    late = arrivals.over_time(connection, study_id, study, now)
    for annotator_id in late:
        leave(connection, study_id, annotator_id, now)
        arrivals.end(connection, annotator_id, "timed_out", now)
    return len(late)


def _begin_again(connection: Connection, study_id: int, annotator_id: int, now: int) -> None:
    come_back(connection, study_id, annotator_id)
    arrivals.end(connection, annotator_id, "", now)
    arrivals.restart(connection, annotator_id, now)


def keep_panel_setup(connection: Connection, by: By, setup: PanelSetup) -> bool:
    """Store what `panel.yaml` says; False where nothing changed. The record names its keys, never their values."""
    if arrivals.setup_of(connection, by.study_id) == setup:
        return False
    arrivals.keep_setup(connection, by.study_id, setup)
    record(connection, by, "panel", about=", ".join(sorted(setup.model_fields_set)))
    return True
