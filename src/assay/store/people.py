"""Annotators, personal links and sessions. Tokens are random and stored as hashes only."""

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from assay.errors import AssayError, NotFound
from assay.store.prepared import Prepared
from assay.store.tables import annotator, item, link, session, study
from assay.words import Said

DAY = 24 * 60 * 60 * 1000
LINK_DAYS = 30
SESSION_DAYS = 7


@dataclass(frozen=True, slots=True)
class Visit:
    """Who is asking: one person in one study, known by a session."""

    study_id: int
    study: str
    version: str
    items: int
    annotators: int
    annotator_id: int | None
    annotator: str
    left: bool
    ready_for: str | None
    csrf: str
    session_hash: str
    since: int
    """When this session began."""
    state: str
    """Of the study: open, paused or closed."""
    state_at: int


def token() -> str:
    """192 random bits for an address or a cookie."""
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """How a token is kept. It has too many bits to be guessed, so a fast hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def invite(
    connection: Connection, study_id: int, names: list[str], now: int, *, simulated: bool = False
) -> list[tuple[str, str]]:
    """Make a personal link for each name, old or new. An earlier link of the same annotator stays good."""
    links = []
    for name in names:
        annotator_id = _annotator(connection, study_id, name, now, simulated)
        links.append((name, _new_link(connection, study_id, annotator_id, now)))
    _count(connection, study_id)
    return links


def invite_coordinator(connection: Connection, study_id: int, now: int) -> str:
    """Make a link to the coordinator's page."""
    return _new_link(connection, study_id, None, now)


def _annotator(connection: Connection, study_id: int, name: str, now: int, simulated: bool) -> int:
    named = (annotator.c.study_id == study_id, annotator.c.name == name)
    found = connection.execute(select(annotator.c.id, annotator.c.simulated).where(*named)).first()
    if found is None:
        row = {"study_id": study_id, "name": name, "created_at": now, "simulated": simulated}
        return int(connection.execute(insert(annotator).values(row).returning(annotator.c.id)).scalar_one())
    if found.simulated != simulated:
        is_ = "a simulated annotator" if found.simulated else "a person"
        raise AssayError(f"{name!r} is {is_} already", "choose another name")
    return int(found.id)


def _new_link(connection: Connection, study_id: int, annotator_id: int | None, now: int) -> str:
    secret = token()
    row = {
        "token_hash": hashed(secret),
        "study_id": study_id,
        "annotator_id": annotator_id,
        "created_at": now,
        "expires_at": now + LINK_DAYS * DAY,
    }
    connection.execute(insert(link).values(row))
    return secret


def next_names(connection: Connection, study_id: int, count: int) -> list[str]:
    """Pseudonyms that are still free: a1, a2, ..."""
    known = set(connection.execute(select(annotator.c.name).where(annotator.c.study_id == study_id)).scalars())
    free = (name for number in range(1, len(known) + count + 1) if (name := f"a{number}") not in known)
    return [next(free) for _ in range(count)]


def look_at_link(connection: Connection, secret: str, now: int) -> tuple[int, str, str, bool]:
    """The study (id, name, version) that a link leads to, and whether it is the coordinator's. Uses nothing up."""
    row = connection.execute(
        select(study.c.id, study.c.name, study.c.version, link.c.annotator_id, link.c.expires_at, link.c.revoked_at)
        .join(study, study.c.id == link.c.study_id)
        .where(link.c.token_hash == hashed(secret))
    ).first()
    if row is not None and row.revoked_at is None and row.expires_at <= now:
        raise NotFound(Said("errors.expired_link"))
    if row is None or row.revoked_at is not None:
        raise NotFound(Said("errors.dead_link"))
    return row.id, row.name, row.version, row.annotator_id is None


def reading(connection: Connection, study_id: int, per_item: int) -> tuple[int, int]:
    """What one annotator is in for: about how many items, and how many words to read."""
    taking_part = select(study.c.annotator_count).where(study.c.id == study_id)
    people = max(1, int(connection.execute(taking_part).scalar_one()))
    of_study = select(func.count(), func.coalesce(func.sum(item.c.words), 0)).where(item.c.study_id == study_id)
    items, words = connection.execute(of_study).one()
    share = min(items, -(-items * per_item // people))
    return share, int(words) * share // max(1, items)


def enter(connection: Connection, secret: str, now: int) -> str:
    """Exchange a link for a session; the cookie's value is returned and only its hash is kept."""
    look_at_link(connection, secret, now)
    cookie = token()
    row = {
        "token_hash": hashed(cookie),
        "link_hash": hashed(secret),
        "csrf": token(),
        "created_at": now,
        "expires_at": now + SESSION_DAYS * DAY,
    }
    connection.execute(insert(session).values(row))
    return cookie


VISIT = Prepared(
    select(
        link.c.study_id,
        study.c.name,
        study.c.version,
        study.c.item_count,
        study.c.annotator_count,
        link.c.annotator_id,
        annotator.c.name,
        annotator.c.left_at,
        annotator.c.ready_for,
        session.c.csrf,
        session.c.expires_at,
        link.c.revoked_at,
        session.c.created_at,
        study.c.state,
        study.c.state_at,
    )
    .select_from(session)
    .join(link, link.c.token_hash == session.c.link_hash)
    .join(study, study.c.id == link.c.study_id)
    .outerjoin(annotator, annotator.c.id == link.c.annotator_id)
    .where(session.c.token_hash == bindparam("token_hash"))
)


def visit(connection: Connection, cookie: str, now: int) -> Visit | None:
    """Who holds this cookie, if the session is still good."""
    token_hash = hashed(cookie)
    row = VISIT.row(connection, token_hash=token_hash)
    if row is None:
        return None
    (study_id, name, version, items, people, annotator_id, pseudonym, left_at, ready_for, csrf, *rest) = row
    expires_at, revoked, since, state, state_at = rest
    if expires_at <= now or revoked is not None:
        return None
    return Visit(
        study_id=study_id,
        study=name,
        version=version,
        items=items,
        annotators=people,
        annotator_id=annotator_id,
        annotator=pseudonym or "",
        left=left_at is not None,
        ready_for=ready_for,
        csrf=csrf,
        session_hash=token_hash,
        since=since,
        state=state,
        state_at=state_at or 0,
    )


def sign_out(connection: Connection, session_hash: str) -> None:
    """End a session on the server, wherever its cookie still is."""
    connection.execute(delete(session).where(session.c.token_hash == session_hash))


def leave(connection: Connection, study_id: int, annotator_id: int, now: int) -> None:
    """Record that somebody chose not to take part."""
    connection.execute(
        update(annotator).where(annotator.c.id == annotator_id, annotator.c.left_at.is_(None)).values(left_at=now)
    )
    _count(connection, study_id)


def come_back(connection: Connection, study_id: int, annotator_id: int) -> None:
    """Somebody who left has changed their mind."""
    connection.execute(update(annotator).where(annotator.c.id == annotator_id).values(left_at=None))
    _count(connection, study_id)


def _count(connection: Connection, study_id: int) -> None:
    """Keep the number of people who take part beside the study: every page says how many items one will get."""
    taking_part = (annotator.c.study_id == study_id, annotator.c.left_at.is_(None), annotator.c.judge.is_(False))
    count = select(func.count()).select_from(annotator).where(*taking_part).scalar_subquery()
    connection.execute(update(study).where(study.c.id == study_id).values(annotator_count=count))


def check_name(name: str) -> str:
    """A pseudonym that can stand in files and addresses."""
    if not name or len(name) > 100 or any(ord(character) < 32 for character in name) or name != name.strip():
        raise AssayError(f"{name!r} cannot name an annotator", "1 to 100 characters, no line breaks")
    return name
