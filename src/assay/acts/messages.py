"""Messages to annotators: somebody has read theirs. A coordinator sends them in `annotators`."""

from sqlalchemy import Connection

from assay.store.annotator import messages
from assay.store.annotator.sessions import Annotator


def confirm_message(connection: Connection, annotator: Annotator, message: int, now: int) -> None:
    """Somebody has read what the coordinator wrote to them; a message to others stays as it is."""
    messages.mark_read(connection, annotator.id, message, now)
