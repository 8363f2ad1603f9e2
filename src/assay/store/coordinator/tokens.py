"""Tokens for scripts: their rights and ends, and the stored responses that make retried requests idempotent.

Like links, tokens are random and kept as hashes only.
"""

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from assay.errors import AssayError
from assay.store.annotator.names import is_called
from assay.store.annotator.session_lifetime import DAY
from assay.store.annotator.sessions import hash_of
from assay.store.annotator.sessions import new_secret as new_secret
from assay.store.engine.json_text import to_json
from assay.store.engine.prepared import Prepared
from assay.store.tables import annotator, repeat, study, token

SCOPES = {
    "read": "see progress, items, judgments, flags and the report",
    "manage": "take items in, invite, pause, deal with flags, let somebody pass a gate",
    "judge": "act for annotators: see what they see, and submit judgments",
    "export": "take judgments out in any format",
}
PREFIX = "assay_"
"""How every token begins, so that a leaked one can be recognised."""
MOST_DAYS = 366
KEPT_DAYS = 7
"""For so long a repeated request gets the answer of the first."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """A script, by its token."""

    id: int
    name: str
    scopes: frozenset[str]
    study_id: int
    study: str
    version: str
    annotator_id: int | None
    """The only annotator it may act for; None: all of the study."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A token as it is listed."""

    name: str
    scopes: tuple[str, ...]
    annotator: str
    created_at: int
    expires_at: int
    revoked_at: int | None


def make(
    connection: Connection, study_id: int, name: str, scopes: Collection[str], now: int, *, days: int, only: str = ""
) -> str:
    """Make a token; it is returned once and only its hash is kept."""
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        what = f"there is no scope {unknown[0]!r}" if unknown else "no scope is named"
        raise AssayError(what, f"scopes: {', '.join(SCOPES)}")
    if not 1 <= days <= MOST_DAYS:
        raise AssayError(f"a token cannot be good for {days} days", f"1 to {MOST_DAYS}")
    if connection.execute(select(token.c.id).where(token.c.study_id == study_id, token.c.name == name)).first():
        raise AssayError(f"there is a token {name!r} already", "choose another name: what it did stands under it")
    secret = PREFIX + new_secret()
    row = {
        "study_id": study_id,
        "name": name,
        "token_hash": hash_of(secret),
        "scopes": to_json(sorted(set(scopes))),
        "annotator_id": _annotator_id(connection, study_id, only) if only else None,
        "created_at": now,
        "expires_at": now + days * DAY,
    }
    connection.execute(insert(token).values(row))
    return secret


def _annotator_id(connection: Connection, study_id: int, name: str) -> int:
    found = connection.execute(select(annotator.c.id).where(is_called(study_id, name))).scalar()
    if found is None:
        raise AssayError(f"nobody in this study is called {name!r}", "`assay invite` adds people")
    return int(found)


def list_tokens(connection: Connection, study_id: int) -> list[Listed]:
    """Every token of a study, also those that are no longer good."""
    columns = (token.c.name, token.c.scopes, annotator.c.name, token.c.created_at, token.c.expires_at)
    rows = connection.execute(
        select(*columns, token.c.revoked_at)
        .outerjoin(annotator, annotator.c.id == token.c.annotator_id)
        .where(token.c.study_id == study_id)
        .order_by(token.c.id)
    )
    return [
        Listed(name, tuple(json.loads(scopes)), only or "", made, until, revoked)
        for name, scopes, only, made, until, revoked in rows
    ]


def revoke(connection: Connection, study_id: int, name: str, now: int) -> bool:
    """Revoke a token. It stays in the list. False if it was revoked before."""
    named = (token.c.study_id == study_id, token.c.name == name)
    if connection.execute(select(token.c.id).where(*named)).first() is None:
        raise AssayError(f"there is no token {name!r}", "`assay token --list` names them")
    changed = connection.execute(update(token).where(*named, token.c.revoked_at.is_(None)).values(revoked_at=now))
    return changed.rowcount > 0


BEARER = Prepared(
    select(
        token.c.id,
        token.c.name,
        token.c.scopes,
        token.c.study_id,
        study.c.name,
        study.c.version,
        token.c.annotator_id,
        token.c.expires_at,
        token.c.revoked_at,
        study.c.state,
    )
    .join(study, study.c.id == token.c.study_id)
    .where(token.c.token_hash == bindparam("token_hash"))
)


def bearer(connection: Connection, secret: str, now: int) -> Bearer | None:
    """Who holds this token, if it is still good."""
    row = BEARER.row(connection, token_hash=hash_of(secret))
    if row is None or row[7] <= now or row[8] is not None or row[9] == "removed":
        return None
    return Bearer(row[0], row[1], frozenset(json.loads(row[2])), row[3], row[4], row[5], row[6])


class OtherRequest(Exception):
    """Raised where a request reuses the key of an earlier one with other content."""


@dataclass(frozen=True, slots=True)
class Once:
    """An idempotent request: the key that it carries, and the fingerprint of its content."""

    token_id: int
    key: str
    fingerprint: str


def kept_answer(connection: Connection, request: Once | None) -> dict[str, Any] | None:
    """The stored response to an earlier request with this key; None where there is none, or no key."""
    if request is None:
        return None
    mine = (repeat.c.token_id == request.token_id, repeat.c.key == request.key)
    found = connection.execute(select(repeat.c.fingerprint, repeat.c.answer).where(*mine)).first()
    if found is None:
        return None
    if found.fingerprint != request.fingerprint:
        raise OtherRequest
    kept: dict[str, Any] = json.loads(found.answer)
    return kept


def once(
    connection: Connection, request: Once | None, now: int, act: Callable[[Connection], dict[str, Any]]
) -> dict[str, Any]:
    """Run `act` and store its response, in one transaction; a retry gets the stored response and runs nothing."""
    if request is None:
        return act(connection)
    # The token's row is the lock: of two that come at once, the second finds the answer of the first.
    connection.execute(select(token.c.id).where(token.c.id == request.token_id).with_for_update())
    if (kept := kept_answer(connection, request)) is not None:
        return kept
    answer = act(connection)
    old = (repeat.c.token_id == request.token_id, repeat.c.at < now - KEPT_DAYS * DAY)
    connection.execute(delete(repeat).where(*old))
    row = {"token_id": request.token_id, "key": request.key, "fingerprint": request.fingerprint}
    connection.execute(insert(repeat).values({**row, "answer": to_json(answer), "at": now}))
    return answer
