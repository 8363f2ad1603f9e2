"""Links and sessions: who is asking, and as what. Tokens are random, and only their hashes are stored."""

import hashlib
import secrets
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, exists, insert, select, update

from assay.assignment.share import Share, share_of
from assay.errors import NotFound
from assay.store.annotator.names import pseudonym_of
from assay.store.annotator.session_lifetime import IDLE_MS, renew_until
from assay.store.engine.prepared import Prepared
from assay.store.tables import annotator, link, message, person, session, study
from assay.study import Study
from assay.words import Translatable


@dataclass(frozen=True, slots=True)
class Annotator:
    """Somebody who judges, as their own pages know them; a script that acts for them is under the same rules."""

    id: int
    name: str
    """A pseudonym."""
    called: str
    """Their name, which is kept apart, and was the pseudonym in stores of earlier versions; empty: they have none."""
    study_id: int
    study: str
    version: str
    """The hash of the version in force."""
    state: str
    """Of the study: open, paused or closed; where it is open, of the annotator: held or released by the coordinator."""
    state_at: int
    left_at: int | None
    """When they chose not to go on, or their time was over; None: they take part."""
    ready_for: str | None
    """The study version of which every gate is known to be passed."""
    unread: bool
    """Whether a message of the coordinator waits."""
    since: int
    """When this session began."""
    items: int
    """How many items are given out by now, to all."""
    annotators: int
    """How many take part."""
    controls: int
    """How many controls the study has."""
    cells: int
    """The size of the Latin square."""
    filled_places: int
    """How many judgments are there by people who do not take part."""
    filled_items: int
    """How many items need nobody else for that."""
    cell: int | None
    """The annotator's place in it."""
    pilot: int
    """The pilot that is under way; 0: none."""

    @property
    def left(self) -> bool:
        """Whether they have left."""
        return self.left_at is not None

    @property
    def takes_part(self) -> bool:
        """Whether the study goes on for this annotator: it is open, and they have not left."""
        return self.state == "open" and not self.left

    def share(self, study: Study) -> Share:
        """What the annotator will get: what is to be judged, shared by all who take part."""
        filled = (self.filled_places, self.filled_items)
        return share_of(study, self.name, self.items, self.annotators, self.controls, self.cells, *filled)


@dataclass(frozen=True, slots=True)
class Session:
    """Who is asking: somebody in one study, known by a cookie."""

    study_id: int
    study: str
    version: str
    state: str
    """As the annotator has it; of a coordinator or viewer: the study's."""
    state_at: int
    pilot: int
    """The pilot that is under way; 0: none."""
    items: int
    """How many items are given out by now, to all."""
    csrf: str
    hash: str
    name: str
    """Of a coordinator or viewer: who it is, if the link says so."""
    reads_only: bool
    """Whether this is a viewer, who changes nothing."""
    annotator: Annotator | None
    """None: a coordinator or viewer."""
    renew_until: int = 0
    """Until when it is to last now that it is used; 0: it lasts long enough."""


def new_secret() -> str:
    """192 random bits for an address or a cookie."""
    return secrets.token_urlsafe(24)


def hash_of(secret: str) -> str:
    """How a token is kept. It has too many bits to be guessed, so a fast hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """Where a link leads."""

    study_id: int
    study: str
    version: str
    role: str
    """annotator, coordinator, or `anybody`: whoever opens it may enrol."""
    annotator_id: int | None
    """Whose personal link it is."""


def look_at_link(connection: Connection, secret: str, now: int) -> LinkTarget:
    """The study that a link leads to, and as what; the link stays usable."""
    of_link = (link.c.annotator_id, link.c.expires_at, link.c.revoked_at, link.c.enrols)
    row = connection.execute(
        select(study.c.id, study.c.name, study.c.version, study.c.state, *of_link)
        .join(study, study.c.id == link.c.study_id)
        .where(link.c.token_hash == hash_of(secret))
    ).first()
    if row is not None and row.revoked_at is None and row.expires_at <= now:
        raise NotFound(Translatable("errors.expired_link"))
    if row is None or row.revoked_at is not None:
        raise NotFound(Translatable("errors.dead_link"))
    role = "anybody" if row.enrols else "coordinator" if row.annotator_id is None else "annotator"
    if row.state == "removed" and role != "coordinator":
        raise NotFound(Translatable("errors.dead_link"))
    return LinkTarget(row.id, row.name, row.version, role, row.annotator_id)


def enter(connection: Connection, secret: str, now: int) -> str:
    """Exchange a link for a session; the cookie's value is returned and only its hash is kept."""
    role = look_at_link(connection, secret, now).role
    if role == "anybody":
        raise NotFound(Translatable("errors.dead_link"))
    connection.execute(delete(session).where(session.c.expires_at <= now))
    cookie = new_secret()
    row = {
        "token_hash": hash_of(cookie),
        "link_hash": hash_of(secret),
        "csrf": new_secret(),
        "created_at": now,
        "expires_at": now + IDLE_MS[role],
    }
    connection.execute(insert(session).values(row))
    never = (link.c.token_hash == row["link_hash"], link.c.opened_at.is_(None))
    connection.execute(update(link).where(*never).values(opened_at=now))
    return cookie


def renew(connection: Connection, session_hash: str, until: int) -> None:
    """Have a session last longer, since it is used."""
    connection.execute(update(session).where(session.c.token_hash == session_hash).values(expires_at=until))


def end_session(connection: Connection, session_hash: str) -> None:
    """End a session on the server, wherever its cookie still is."""
    connection.execute(delete(session).where(session.c.token_hash == session_hash))


# What is read of a study and of an annotator, under the name that each has in the code.
_OF_STUDY: dict[str, ColumnElement[Any]] = {
    "study_id": study.c.id,
    "study": study.c.name,
    "version": study.c.version,
    "study_state": study.c.state,
    "state_at": study.c.state_at,
    "items": study.c.open_count,
    "annotators": study.c.annotator_count,
    "controls": study.c.control_count,
    "cells": study.c.cells,
    "filled_places": study.c.filled_places,
    "filled_items": study.c.filled_items,
    "pilot": study.c.pilot,
}
_OF_ANNOTATOR: dict[str, ColumnElement[Any]] = {
    "id": annotator.c.id,
    "name": annotator.c.name,
    "called": select(person.c.name).where(person.c.annotator_id == annotator.c.id).scalar_subquery(),
    "own_state": annotator.c.state,
    "left_at": annotator.c.left_at,
    "ready_for": annotator.c.ready_for,
    "cell": annotator.c.cell,
    "unread": exists().where(message.c.annotator_id == annotator.c.id, message.c.read_at.is_(None)),
}
_OF_SESSION: dict[str, ColumnElement[Any]] = {
    "csrf": session.c.csrf,
    "expires_at": session.c.expires_at,
    "since": session.c.created_at,
    "revoked_at": link.c.revoked_at,
    "link_name": link.c.name,
    "reads_only": link.c.reads_only,
}
SESSION = Prepared(
    select(*(column.label(name) for name, column in {**_OF_STUDY, **_OF_ANNOTATOR, **_OF_SESSION}.items()))
    .select_from(session)
    .join(link, link.c.token_hash == session.c.link_hash)
    .join(study, study.c.id == link.c.study_id)
    .outerjoin(annotator, annotator.c.id == link.c.annotator_id)
    .where(session.c.token_hash == bindparam("token_hash"))
)
ANNOTATOR = Prepared(
    select(*(column.label(name) for name, column in {**_OF_STUDY, **_OF_ANNOTATOR}.items()))
    .select_from(annotator)
    .join(study, study.c.id == annotator.c.study_id)
    .where(annotator.c.study_id == bindparam("study"), annotator.c.name == bindparam("annotator_name"))
)


def session_of(connection: Connection, cookie: str, now: int) -> Session | None:
    """Who holds this cookie, if the session is still good."""
    token_hash = hash_of(cookie)
    row = SESSION.row(connection, token_hash=token_hash)
    if row is None:
        _sessions.pop(token_hash, None)
        return None
    before = _sessions.get(token_hash)
    if before is None or before[0] != row:
        if len(_sessions) >= MOST_SESSIONS:
            _sessions.clear()
        named = SESSION.with_names(row)
        before = _sessions[token_hash] = (named, _session(named, token_hash))
    found, who = before
    gone = found.study_state == "removed" and found.id is not None
    if found.expires_at <= now or found.revoked_at is not None or gone:
        return None
    idle = IDLE_MS["annotator" if who.annotator is not None else "coordinator"]
    until = renew_until(found.expires_at, found.since, idle, now)
    return replace(who, renew_until=until) if until else who


MOST_SESSIONS = 4096
_sessions: dict[str, tuple[Any, Session]] = {}
"""A cache of sessions by cookie, with the row each was made from: the row is read each time and is mostly the same."""


def _session(found: Any, token_hash: str) -> Session:
    who = None if found.id is None else _annotator(found, found.since)
    return Session(
        study_id=found.study_id,
        study=found.study,
        version=found.version,
        state=found.study_state if who is None else who.state,
        state_at=found.state_at or 0,
        pilot=found.pilot,
        items=found.items,
        csrf=found.csrf,
        hash=token_hash,
        name=found.link_name,
        reads_only=bool(found.reads_only),
        annotator=who,
    )


def annotator_named(connection: Connection, study_id: int, name: str, now: int) -> Annotator | None:
    """An annotator by name or pseudonym, as their own pages would know them from now on."""
    called = pseudonym_of(connection, study_id, name)
    found = ANNOTATOR.named_row(connection, study=study_id, annotator_name=called) if called else None
    return None if found is None else _annotator(found, now)


STATES_OF_ANNOTATOR = {"paused": "held", "released": "released"}
"""What an annotator's own page calls the state that a coordinator has given them."""


def _annotator(found: Any, since: int) -> Annotator:
    of_study = found.study_state
    return Annotator(
        id=found.id,
        name=found.name,
        called=found.called or "",
        study_id=found.study_id,
        study=found.study,
        version=found.version,
        state=STATES_OF_ANNOTATOR.get(found.own_state, "open") if of_study == "open" else of_study,
        state_at=found.state_at or 0,
        left_at=found.left_at,
        ready_for=found.ready_for,
        unread=bool(found.unread),
        since=since,
        items=found.items,
        annotators=found.annotators,
        controls=found.controls,
        cells=found.cells,
        filled_places=found.filled_places,
        filled_items=found.filled_items,
        cell=found.cell,
        pilot=found.pilot,
    )
