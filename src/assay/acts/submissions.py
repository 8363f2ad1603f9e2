"""Submitting: what an annotator answers to an item is checked by the study's rules, stored once, and counted."""

from dataclasses import dataclass

from sqlalchemy import Connection

from assay.acts.claims import claim
from assay.acts.later_blocks import changed_answers, early_answers, first_answers
from assay.acts.may_judge import can_go_back_to, state_of_work
from assay.errors import AnswersRefused
from assay.judgments import Answers, overridden_warnings, read_answers
from assay.store.annotator import attempts, breaks, submissions
from assay.store.annotator.assignments import Assignment, RawAnswers
from assay.store.annotator.sessions import Annotator
from assay.store.annotator.submissions import Form, Receipt, Seat
from assay.study import Study

NO_SEAT = Seat()
"""A script has no window."""


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form as it was sent, by a page or a script."""

    answers: RawAnswers
    seat: Seat = NO_SEAT
    revision: int = 1
    shown_at: int | None = None
    active_ms: int | None = None
    events: str | None = None
    """When the page was looked at and when not, as JSON."""
    seen: tuple[str, ...] = ()
    """The proofs of the blocks that have come after some answers."""


def read_form(
    annotator: Annotator, study: Study, assignment: Assignment, sent: SentForm, *, refuse_unasked: bool = False
) -> Form:
    """A form as it is stored; raises AnswersRefused where the answers break the study's rules."""
    answers = _read(study, assignment, sent, refuse_unasked)
    asked = {slot.key for slot in answers}
    raw = {key: given for key, given in sent.answers.items() if key in asked}
    return Form(
        answers=answers,
        raw=raw,
        seat=sent.seat,
        # Whoever may not go back can only repeat the first submission.
        revision=sent.revision if can_go_back_to(annotator, study, assignment) else 1,
        shown_at=sent.shown_at,
        active_ms=sent.active_ms,
        events=sent.events if study.pace.events else None,
        overridden=(*overridden_warnings(study, assignment.shown, answers), *changed_answers(assignment, raw)),
        first=first_answers(study, assignment, raw),
    )


def _read(study: Study, assignment: Assignment, sent: SentForm, refuse_unasked: bool) -> Answers:
    """The answers as values. Refuses also answers to questions whose block was not sent yet."""
    early = early_answers(study, assignment, sent.answers, sent.seen)
    in_time = {key: given for key, given in sent.answers.items() if key not in early}
    too_early = {key: study.words.say(words) for key, words in early.items()}
    try:
        answers = read_answers(study, assignment.shown, in_time, refuse_unasked=refuse_unasked)
    except AnswersRefused as refusal:
        raise AnswersRefused({**refusal.reasons, **too_early}) from None
    if too_early:
        raise AnswersRefused(too_early)
    return answers


def submit(
    connection: Connection, annotator: Annotator, study: Study, assignment: Assignment, form: Form, now: int
) -> Receipt:
    """Store a submission and give out the next item in one transaction: the next page then only reads."""
    keep = study.navigation != "forward-only" and not assignment.attempt
    receipt = submissions.submit(connection, annotator.id, assignment.public_id, study, form, now, go_back=keep)
    breaks.end_break(connection, annotator.id, now)
    # At a gate the feedback comes first.
    if annotator.takes_part and not assignment.attempt:
        claim(connection, annotator, study, now)
    return receipt


def submit_and_look(
    connection: Connection, annotator: Annotator, study: Study, assignment: Assignment, form: Form, now: int
) -> tuple[Receipt, str]:
    """Submit, and say whether the annotator may go on after it (`state_of_work`), in one transaction."""
    receipt = submit(connection, annotator, study, assignment, form, now)
    return receipt, state_of_work(connection, annotator, study, now)


def decline(connection: Connection, annotator: Annotator, study: Study, assignment: Assignment, now: int) -> None:
    """The annotator would rather not judge this item: no reason is asked, and another one comes.

    That it was left out at its warning, before it was shown, is kept.
    """
    because = "warning" if assignment.is_covered else ""
    submissions.decline(connection, annotator.id, assignment.public_id, because)
    if assignment.attempt:
        attempts.make_room(connection, assignment.public_id)
    elif annotator.state == "open":
        claim(connection, annotator, study, now)


def save_draft(
    connection: Connection,
    annotator: Annotator,
    study: Study,
    assignment: Assignment,
    answers: RawAnswers,
    seat: Seat,
    now: int,
    seen: tuple[str, ...] = (),
) -> int:
    """Store half-finished answers and extend the assignment's time. Returns the draft's version.

    Answers to questions whose block was not sent yet are not kept.
    """
    early = early_answers(study, assignment, answers, seen)
    in_time = {key: given for key, given in answers.items() if key not in early}
    return submissions.save_draft(
        connection,
        annotator.id,
        assignment.public_id,
        in_time,
        seat,
        now,
        place_lasts_ms=study.assignment.place_lasts_ms,
        go_back=can_go_back_to(annotator, study, assignment),
        first=first_answers(study, assignment, in_time),
    )
