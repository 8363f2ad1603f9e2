"""People and links for tests that are about something else: made without a record of who invited them."""

from collections.abc import Sequence

from sqlalchemy import Connection

from assay.store.annotator.participation import recount_work
from assay.store.coordinator import annotators, links


def invite(
    connection: Connection, study_id: int, names: Sequence[str], now: int, *, simulated: bool = False
) -> list[tuple[str, str]]:
    """Annotators with the token of a link each."""
    ids = [annotators.find_or_add(connection, study_id, name, now, simulated=simulated) for name in names]
    recount_work(connection, study_id)
    return [(name, links.add(connection, study_id, each, now)) for name, each in zip(names, ids, strict=True)]


def invite_coordinator(
    connection: Connection, study_id: int, now: int, name: str = "", *, reads_only: bool = False
) -> str:
    """The token of a coordinator's or viewer's link."""
    return links.add(connection, study_id, None, now, name=name, reads_only=reads_only)
