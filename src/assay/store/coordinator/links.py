"""Personal links as rows: makes, lists and ends them, and how long one is valid. Only the hash of a token is stored."""

from dataclasses import dataclass

from sqlalchemy import Connection, case, delete, func, insert, select, update

from assay.errors import AssayError
from assay.store.annotator.session_lifetime import DAY
from assay.store.annotator.sessions import hash_of, new_secret
from assay.store.tables import link, session

LINK_DAYS = 30
SHORTEST_HASH = 12
"""How many characters of a link's hash identify it."""


def add(
    connection: Connection,
    study_id: int,
    annotator_id: int | None,
    now: int,
    *,
    enrols: bool = False,
    name: str = "",
    reads_only: bool = False,
) -> str:
    """Make a link and return its token: an annotator's, or without one a coordinator's, a viewer's, or anybody's."""
    secret = new_secret()
    row = {
        "token_hash": hash_of(secret),
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


def end_links_of(connection: Connection, annotator_id: int, now: int) -> int:
    """Have all links and sessions of an annotator end at once. Returns how many links that were."""
    mine = (link.c.annotator_id == annotator_id, link.c.revoked_at.is_(None))
    hashes = list(connection.execute(select(link.c.token_hash).where(*mine)).scalars())
    _end(connection, hashes, now)
    return len(hashes)


def end_link(connection: Connection, study_id: int, hash_: str, now: int) -> str:
    """Have the link of a coordinator, of a viewer, or the one for anybody end at once. Returns whose it was."""
    which = (link.c.study_id == study_id, link.c.annotator_id.is_(None), link.c.token_hash.startswith(hash_))
    found = connection.execute(select(link.c.token_hash, link.c.name).where(*which)).all()
    if len(hash_) < SHORTEST_HASH or len(found) != 1:
        raise AssayError("there is no such link", "the page of links lists them")
    _end(connection, [found[0].token_hash], now)
    return str(found[0].name)


def link_of_session(connection: Connection, session_hash: str) -> str:
    """The beginning of the hash of the link by which somebody came."""
    came_by = select(func.substr(session.c.link_hash, 1, 16)).where(session.c.token_hash == session_hash)
    return str(connection.execute(came_by).scalar() or "")


def _end(connection: Connection, hashes: list[str], at: int) -> None:
    connection.execute(update(link).where(link.c.token_hash.in_(hashes)).values(revoked_at=at))
    connection.execute(delete(session).where(session.c.link_hash.in_(hashes)))


@dataclass(frozen=True, slots=True)
class SharedLink:
    """A link that is no annotator's."""

    hash: str
    role: str
    name: str
    created_at: int
    expires_at: int


def shared_links(connection: Connection, study_id: int, now: int) -> list[SharedLink]:
    """The links of coordinators and viewers, and those for anybody, that are good now."""
    good = (link.c.study_id == study_id, link.c.annotator_id.is_(None), link.c.revoked_at.is_(None))
    role = case((link.c.enrols, "anybody"), (link.c.reads_only, "viewer"), else_="coordinator")
    rows = connection.execute(
        select(func.substr(link.c.token_hash, 1, 16), role, link.c.name, link.c.created_at, link.c.expires_at)
        .where(*good, link.c.expires_at > now)
        .order_by(link.c.created_at.desc())
    )
    return [SharedLink(*row) for row in rows]
