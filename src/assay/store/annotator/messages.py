"""Messages of the coordinator to one annotator. Each is shown to them once, before the next item."""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from assay.store.tables import message


@dataclass(frozen=True, slots=True)
class Message:
    """What a coordinator has to say to one person."""

    id: int
    words: str


def add(connection: Connection, annotator_id: int, words: str, now: int) -> None:
    """Store a message until it is read."""
    connection.execute(insert(message).values(annotator_id=annotator_id, words=words, sent_at=now))


def unread(connection: Connection, annotator_id: int) -> Message:
    """The oldest message that somebody has not read; an empty one where another window has just read it."""
    waiting = (message.c.annotator_id == annotator_id, message.c.read_at.is_(None))
    row = connection.execute(select(message.c.id, message.c.words).where(*waiting).order_by(message.c.id)).first()
    return Message(0, "") if row is None else Message(row.id, row.words)


def mark_read(connection: Connection, annotator_id: int, message_id: int, now: int) -> None:
    """Mark a message as read."""
    mine = (message.c.id == message_id, message.c.annotator_id == annotator_id, message.c.read_at.is_(None))
    connection.execute(update(message).where(*mine).values(read_at=now))
