"""What a coordinator does about one annotator. Nothing that was judged is ever deleted by it."""

from collections.abc import Callable

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.store.annotator import messages
from assay.store.annotator.participation import recount_work
from assay.store.annotator.places import free_all_of, return_all_of, take_back_all_of
from assay.store.coordinator import annotators, excluded_by_rule
from assay.store.coordinator.record import By, record

RULE_HINT = "publish a study.yaml with another analysis.exclude or monitor; `assay status` then applies its rules again"


def pause(connection: Connection, by: By, name: str) -> None:
    """Somebody gets no new items until they are resumed. What is on its way is still taken."""
    _set_state(connection, by, name, "paused", "pause")


def resume(connection: Connection, by: By, name: str) -> None:
    """Somebody who was paused or released goes on."""
    by_rule = excluded_by_rule.people(connection, by.study_id).get(name)
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


def exclude(connection: Connection, by: By, name: str, *, reassign: bool = False) -> int:
    """The report leaves somebody out from now on, and says so. Their judgments stay in the data.

    With `reassign` their part is over, and every place of theirs goes to others. Returns how many items that they had
    judged are unfinished again.
    """
    need_reason(by, "to leave somebody out of the report", "it is kept and printed: --reason '...'")
    annotator_id = annotators.annotator_id(connection, by.study_id, name)
    # The report prints why somebody is left out: giving their places away later does not change that.
    what = "reassign" if reassign and name in annotators.excluded(connection, by.study_id) else "exclude"
    annotators.set_excluded(connection, annotator_id, by.at)
    if not reassign:
        record(connection, by, "exclude", annotator_id)
        return 0
    freed = free_all_of(connection, by.study_id, annotator_id, by.at)
    annotators.set_state(connection, by.study_id, annotator_id, "released")
    record(connection, by, what, annotator_id, f"{freed} places given to others")
    return freed


def include(connection: Connection, by: By, name: str) -> int:
    """The report counts somebody again. Returns how many of their places others have by now, and keep."""
    annotator_id = annotators.annotator_id(connection, by.study_id, name)
    if by_rule := excluded_by_rule.people(connection, by.study_id).get(name):
        raise AssayError(f"{name} is left out {by_rule.reason}", RULE_HINT)
    annotators.set_excluded(connection, annotator_id, None)
    back, away = take_back_all_of(connection, by.study_id, annotator_id)
    recount_work(connection, by.study_id)
    about = f"{back} places taken back, {away} stay with others" if back or away else ""
    record(connection, by, "include", annotator_id, about)
    return away


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
