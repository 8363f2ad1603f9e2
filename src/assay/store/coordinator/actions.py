"""What coordinators do about people, each time with who, when and why. Nothing that was judged is ever deleted."""

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from assay.errors import AssayError
from assay.store.annotator.people import count_people
from assay.store.annotator.places import return_all_of
from assay.store.tables import action, annotator, message


@dataclass(frozen=True, slots=True)
class By:
    """Who does something in which study, when, and why."""

    study_id: int
    who: str
    at: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """Something that was done."""

    at: int
    by: str
    what: str
    annotator: str
    about: str
    reason: str


def record(connection: Connection, by: By, what: str, annotator_id: int | None = None, about: str = "") -> None:
    """Keep what was done, by whom and why."""
    row = {"study_id": by.study_id, "at": by.at, "by": by.who, "what": what, "annotator_id": annotator_id}
    connection.execute(insert(action).values({**row, "about": about, "reason": by.reason}))


def done(connection: Connection, study_id: int, most: int = 1000) -> list[Done]:
    """What was done in a study, the newest first."""
    columns = (action.c.at, action.c.by, action.c.what, annotator.c.name, action.c.about, action.c.reason)
    rows = connection.execute(
        select(*columns)
        .outerjoin(annotator, annotator.c.id == action.c.annotator_id)
        .where(action.c.study_id == study_id)
        .order_by(action.c.id.desc())
        .limit(most)
    )
    return [Done(at, who, what, name or "", about, reason) for at, who, what, name, about, reason in rows]


def annotator_id(connection: Connection, study_id: int, name: str) -> int:
    """Who is called so in a study."""
    named = (annotator.c.study_id == study_id, annotator.c.name == name)
    found = connection.execute(select(annotator.c.id).where(*named)).scalar()
    if found is None:
        raise AssayError(f"nobody in this study is called {name!r}", "`assay status` lists everybody")
    return int(found)


def pause(connection: Connection, by: By, name: str) -> None:
    """Somebody gets no new items until they are resumed. What is on its way is still taken."""
    _to_state(connection, by, name, "paused", "pause")


def resume(connection: Connection, by: By, name: str) -> None:
    """Somebody who was paused or released goes on."""
    _to_state(connection, by, name, "active", "resume")


def release(connection: Connection, by: By, name: str) -> None:
    """Somebody's work for the study is over: what they have not judged goes to others."""
    mine = _to_state(connection, by, name, "released", "release")
    return_all_of(connection, by.study_id, mine)
    count_people(connection, by.study_id)


def _to_state(connection: Connection, by: By, name: str, state: str, what: str) -> int:
    mine = annotator_id(connection, by.study_id, name)
    connection.execute(update(annotator).where(annotator.c.id == mine).values(state=state))
    count_people(connection, by.study_id)
    record(connection, by, what, mine)
    return mine


def exclude(connection: Connection, by: By, name: str) -> None:
    """The report leaves somebody out from now on, and says so. Their judgments stay in the data."""
    _needs_reason(by, "to leave somebody out of the report")
    _set_excluded(connection, by, name, by.at, "exclude")


def include(connection: Connection, by: By, name: str) -> None:
    """The report counts somebody again."""
    _set_excluded(connection, by, name, None, "include")


def _set_excluded(connection: Connection, by: By, name: str, at: int | None, what: str) -> None:
    mine = annotator_id(connection, by.study_id, name)
    connection.execute(update(annotator).where(annotator.c.id == mine).values(excluded_at=at))
    record(connection, by, what, mine)


def excluded(connection: Connection, study_id: int) -> dict[str, str]:
    """Who is left out of the report by a coordinator, with the reason that was given last."""
    rows = connection.execute(
        select(annotator.c.name, action.c.reason)
        .join(action, action.c.annotator_id == annotator.c.id)
        .where(annotator.c.study_id == study_id, annotator.c.excluded_at.is_not(None), action.c.what == "exclude")
        .order_by(action.c.id)
    )
    return {row[0]: row[1] for row in rows}


def send(connection: Connection, by: By, name: str, words: str) -> None:
    """Say something to one person. It stands in their way once, between two items."""
    if not words.strip():
        raise AssayError("the message is empty", "write what the person should read")
    mine = annotator_id(connection, by.study_id, name)
    connection.execute(insert(message).values(annotator_id=mine, words=words.strip(), sent_at=by.at))
    record(connection, by, "message", mine, words.strip())


@dataclass(frozen=True, slots=True)
class Message:
    """What a coordinator has to say to one person."""

    id: int
    words: str


def unread(connection: Connection, annotator_id: int) -> Message:
    """The oldest message that somebody has not read; an empty one where another window has just read it."""
    waiting = (message.c.annotator_id == annotator_id, message.c.read_at.is_(None))
    row = connection.execute(select(message.c.id, message.c.words).where(*waiting).order_by(message.c.id)).first()
    return Message(0, "") if row is None else Message(row.id, row.words)


def mark_read(connection: Connection, annotator_id: int, message_id: int, now: int) -> None:
    """Somebody has read a message."""
    mine = (message.c.id == message_id, message.c.annotator_id == annotator_id, message.c.read_at.is_(None))
    connection.execute(update(message).where(*mine).values(read_at=now))


def _needs_reason(by: By, what: str) -> None:
    if not by.reason.strip():
        raise AssayError(f"a reason is needed {what}", "it is kept and printed: --reason '...'")
