"""What a coordinator does about one annotator. Nothing that was judged is ever deleted by it."""

from collections.abc import Callable

from sqlalchemy import Connection

from assay.acts.exclusions import RULE_HINT, exclude, include
from assay.errors import AssayError
from assay.store.annotator import messages
from assay.store.annotator.places import return_all_of
from assay.store.coordinator import annotators, excluded_by_rule
from assay.store.coordinator.record import By, record


def pause(connection: Connection, by: By, name: str) -> None:
    """Somebody gets no new items until they are resumed. What is on its way is still taken."""
    _set_state(connection, by, name, "paused", "pause")


def resume(connection: Connection, by: By, name: str) -> None:
    """Somebody who was paused or released goes on."""
    _, pseudonym = annotators.find(connection, by.study_id, name)
    by_rule = excluded_by_rule.people(connection, by.study_id).get(pseudonym)
    if by_rule is not None and by_rule.reassign:
        raise AssayError(f"{name} is left out {by_rule.reason}: their part is over", RULE_HINT)
    _set_state(connection, by, name, "active", "resume")


def release(connection: Connection, by: By, name: str) -> None:
    """Somebody's work for the study is over: what they have not judged goes to others."""
    return_all_of(connection, by.study_id, _set_state(connection, by, name, "released", "release"))


def _set_state(connection: Connection, by: By, name: str, state: str, what: str) -> int:
    annotator_id = annotators.annotator_id(connection, by.study_id, name)
    annotators.set_state(connection, by.study_id, annotator_id, state)
    record(connection, by, what, annotator_id)
    return annotator_id


def send_message(connection: Connection, by: By, name: str, words: str) -> None:
    """Send one person a message. It is shown to them once, before the next item."""
    if not words.strip():
        raise AssayError("the message is empty", "write what the person should read")
    annotator_id = annotators.annotator_id(connection, by.study_id, name)
    messages.add(connection, annotator_id, words.strip(), by.at)
    record(connection, by, "message", annotator_id, words.strip())


def keep_note(connection: Connection, by: By, name: str, words: str) -> None:
    """Keep a note about one person in the record. They never see it."""
    if not words.strip():
        raise AssayError("the note is empty", "write what is to be remembered")
    record(connection, by, "note", annotators.annotator_id(connection, by.study_id, name), words.strip())


CHANGES: dict[str, Callable[[Connection, By, str], int | None]] = {
    "pause": pause,
    "resume": resume,
    "release": release,
    "exclude": exclude,
    "include": include,
}
"""The acts that need nothing but a name, by the word that pages, commands and scripts use for each."""
