"""Annotators, personal links and sessions. Tokens are random and stored as hashes only."""

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update

from assay.errors import AssayError, Conflict, NotFound
from assay.store.annotator.places import return_all_of
from assay.store.engine.prepared import Prepared
from assay.store.tables import WORK, annotator, item, link, message, session, study
from assay.words import Translatable

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
    """Of the study: open, paused or closed; where it is open, of the annotator: held or released by the coordinator."""
    state_at: int
    unread: bool
    """Whether a message of the coordinator waits."""
    phase: int
    """The pilot that is under way; 0: none."""
    controls: int
    """How many controls the study has."""
    cells: int
    """The size of the Latin square."""
    cell: int | None
    """The annotator's place in it."""
    name: str = ""
    """Of a coordinator or viewer: who it is, if the link says so."""
    reads_only: bool = False
    """Whether this is a viewer, who changes nothing."""


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
    count_people(connection, study_id)
    return links


def invite_coordinator(
    connection: Connection, study_id: int, now: int, name: str = "", *, reads_only: bool = False
) -> str:
    """Make a link to the coordinator's pages, for whoever is named; a viewer sees them and changes nothing."""
    return _new_link(connection, study_id, None, now, name=name, reads_only=reads_only)


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


def _new_link(
    connection: Connection,
    study_id: int,
    annotator_id: int | None,
    now: int,
    *,
    enrols: bool = False,
    name: str = "",
    reads_only: bool = False,
) -> str:
    secret = token()
    row = {
        "token_hash": hashed(secret),
        "study_id": study_id,
        "annotator_id": annotator_id,
        "created_at": now,
        "expires_at": now + LINK_DAYS * DAY,
        "enrols": enrols,
        "name": name,
        "reads_only": reads_only,
    }
    connection.execute(insert(link).values(row))
    return secret


def next_names(connection: Connection, study_id: int, count: int) -> list[str]:
    """Pseudonyms that are still free: a1, a2, ..."""
    known = set(connection.execute(select(annotator.c.name).where(annotator.c.study_id == study_id)).scalars())
    free = (name for number in range(1, len(known) + count + 1) if (name := f"a{number}") not in known)
    return [next(free) for _ in range(count)]


@dataclass(frozen=True, slots=True)
class Linked:
    """Where a link leads."""

    study_id: int
    study: str
    version: str
    role: str
    """annotator, coordinator, or `anybody`: whoever opens it may enrol."""


def look_at_link(connection: Connection, secret: str, now: int) -> Linked:
    """The study that a link leads to, and as what. Uses nothing up."""
    of_link = (link.c.annotator_id, link.c.expires_at, link.c.revoked_at, link.c.enrols)
    row = connection.execute(
        select(study.c.id, study.c.name, study.c.version, study.c.state, *of_link)
        .join(study, study.c.id == link.c.study_id)
        .where(link.c.token_hash == hashed(secret))
    ).first()
    if row is not None and row.revoked_at is None and row.expires_at <= now:
        raise NotFound(Translatable("errors.expired_link"))
    if row is None or row.revoked_at is not None:
        raise NotFound(Translatable("errors.dead_link"))
    role = "anybody" if row.enrols else "coordinator" if row.annotator_id is None else "annotator"
    if row.state == "removed" and role != "coordinator":
        raise NotFound(Translatable("errors.dead_link"))
    return Linked(row.id, row.name, row.version, role)


def invite_anybody(connection: Connection, study_id: int, now: int) -> str:
    """Make a link under which whoever has it can take part."""
    return _new_link(connection, study_id, None, now, enrols=True)


def enrol(connection: Connection, secret: str, name: str, most: int | None, now: int) -> str:
    """Let somebody take part under an id of their own; returns their personal link's token."""
    found = look_at_link(connection, secret, now)
    if found.role != "anybody":
        raise NotFound(Translatable("errors.dead_link"))
    # The study's row is the lock: of two who enrol at once, the second sees the first.
    connection.execute(select(study.c.id).where(study.c.id == found.study_id).with_for_update())
    of_study = annotator.c.study_id == found.study_id
    if connection.execute(select(annotator.c.id).where(of_study, annotator.c.name == name)).first() is not None:
        raise Conflict(Translatable("landing.id_taken"))
    people = (of_study, annotator.c.judge.is_(False), annotator.c.simulated.is_(False), annotator.c.left_at.is_(None))
    if most is not None and connection.execute(select(func.count()).where(*people)).scalar_one() >= most:
        raise Conflict(Translatable("landing.full"))
    return invite(connection, found.study_id, [name], now)[0][1]


@dataclass(frozen=True, slots=True)
class Planned:
    """What the work of a study is shared by, and how much there is to read."""

    items: int
    """How many are given out by now."""
    annotators: int
    controls: int
    cells: int
    words: int
    """Of an item, on average."""
    hard: int
    """How many of the items have hard content."""


def planned(connection: Connection, study_id: int) -> Planned:
    """How much work there is, and for how many."""
    of_study = (study.c.open_count, study.c.annotator_count, study.c.control_count, study.c.cells)
    row = connection.execute(select(*of_study).where(study.c.id == study_id)).one()
    of_work = (item.c.study_id == study_id, item.c.series == WORK)
    words = connection.execute(select(func.avg(item.c.words)).where(*of_work)).scalar_one()
    hard = connection.execute(select(func.count()).select_from(item).where(*of_work, item.c.tagged)).scalar_one()
    return Planned(*row, round(words or 0), int(hard))


def enter(connection: Connection, secret: str, now: int) -> str:
    """Exchange a link for a session; the cookie's value is returned and only its hash is kept."""
    if look_at_link(connection, secret, now).role == "anybody":
        raise NotFound(Translatable("errors.dead_link"))
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


STANDING = {"paused": "held", "released": "released"}

VISIT = Prepared(
    select(
        link.c.study_id,
        study.c.name.label("study"),
        study.c.version,
        study.c.open_count.label("items"),
        study.c.annotator_count.label("annotators"),
        link.c.annotator_id,
        annotator.c.name.label("annotator"),
        annotator.c.left_at,
        annotator.c.ready_for,
        session.c.csrf,
        session.c.expires_at,
        link.c.revoked_at,
        session.c.created_at.label("since"),
        study.c.state,
        study.c.state_at,
        annotator.c.state.label("standing"),
        exists().where(message.c.annotator_id == link.c.annotator_id, message.c.read_at.is_(None)).label("unread"),
        study.c.phase,
        study.c.control_count.label("controls"),
        study.c.cells,
        annotator.c.cell,
        link.c.name,
        link.c.reads_only,
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
    row = VISIT.named_row(connection, token_hash=token_hash)
    if row is None:
        return None
    gone = row.state == "removed" and row.annotator_id is not None
    if row.expires_at <= now or row.revoked_at is not None or gone:
        return None
    return Visit(
        study_id=row.study_id,
        study=row.study,
        version=row.version,
        items=row.items,
        annotators=row.annotators,
        annotator_id=row.annotator_id,
        annotator=row.annotator or "",
        left=row.left_at is not None,
        ready_for=row.ready_for,
        csrf=row.csrf,
        session_hash=token_hash,
        since=row.since,
        state=STANDING.get(row.standing, "open") if row.state == "open" else row.state,
        state_at=row.state_at or 0,
        unread=bool(row.unread),
        phase=row.phase,
        controls=row.controls,
        cells=row.cells,
        cell=row.cell,
        name=row.name,
        reads_only=bool(row.reads_only),
    )


def sign_out(connection: Connection, session_hash: str) -> None:
    """End a session on the server, wherever its cookie still is."""
    connection.execute(delete(session).where(session.c.token_hash == session_hash))


def leave(connection: Connection, study_id: int, annotator_id: int, now: int) -> None:
    """Record that somebody chose not to take part; what they have not judged goes to others."""
    connection.execute(
        update(annotator).where(annotator.c.id == annotator_id, annotator.c.left_at.is_(None)).values(left_at=now)
    )
    return_all_of(connection, study_id, annotator_id)
    count_people(connection, study_id)


def come_back(connection: Connection, study_id: int, annotator_id: int) -> None:
    """Somebody who left has changed their mind."""
    connection.execute(update(annotator).where(annotator.c.id == annotator_id).values(left_at=None))
    count_people(connection, study_id)


def count_people(connection: Connection, study_id: int) -> None:
    """Keep the number of people who take part beside the study: every page says how many items one will get."""
    taking_part = (
        annotator.c.study_id == study_id,
        annotator.c.left_at.is_(None),
        annotator.c.judge.is_(False),
        annotator.c.state != "released",
    )
    count = select(func.count()).select_from(annotator).where(*taking_part).scalar_subquery()
    connection.execute(update(study).where(study.c.id == study_id).values(annotator_count=count))


def check_name(name: str) -> str:
    """A pseudonym that can stand in files and addresses."""
    if not name or len(name) > 100 or any(ord(character) < 32 for character in name) or name != name.strip():
        raise AssayError(f"{name!r} cannot name an annotator", "1 to 100 characters, no line breaks")
    return name
