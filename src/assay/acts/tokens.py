"""Tokens for scripts: made and revoked, and both recorded. The token itself is in no record."""

from collections.abc import Collection

from sqlalchemy import Connection

from assay.acts.invitations import valid_name
from assay.store.coordinator import tokens
from assay.store.coordinator.record import By, record


def make_token(connection: Connection, by: By, name: str, scopes: Collection[str], *, days: int, only: str = "") -> str:
    """Make a token for scripts, good for so many days and, with `only`, for one annotator. It is returned once."""
    secret = tokens.make(connection, by.study_id, valid_name(name), scopes, by.at, days=days, only=only)
    record(connection, by, "make token", about=f"{name}: {', '.join(sorted(set(scopes)))}, {days} days")
    return secret


def revoke_token(connection: Connection, by: By, name: str) -> None:
    """A token is good for nothing from now on."""
    if tokens.revoke(connection, by.study_id, name, by.at):
        record(connection, by, "revoke token", about=name)
