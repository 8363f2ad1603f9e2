"""What an annotator gives: drafts, submissions, and the wish not to judge an item."""

import hashlib
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, literal_column, select, update

from assay.errors import Conflict, NotFound
from assay.judgments import Answers, derived_values
from assay.model import PRACTICE
from assay.sides_and_candidates import by_candidate
from assay.store.annotator.assignments import MINE, OF_SUBMISSION, RawAnswers, lock_annotator
from assay.store.annotator.late_answers import late_answer_counts
from assay.store.annotator.participation import recount_work
from assay.store.annotator.places import give_back, lock_pool
from assay.store.engine.json_text import to_json
from assay.store.engine.prepared import Prepared
from assay.store.tables import WITHDRAWN, WORK, assignment, draft, item, judgment, submission, uncounted
from assay.study import Study
from assay.words import Translatable


@dataclass(frozen=True, slots=True)
class Receipt:
    """The response to a submission. A retry gets the same one."""

    submission: str
    submitted_at: int


OWN = Prepared(
    select(
        assignment.c.id,
        assignment.c.study_id,
        assignment.c.item_id,
        assignment.c["pass"],
        assignment.c.submission_id,
        assignment.c.state,
        assignment.c.created_at,
        assignment.c.swapped,
        assignment.c.attempt,
        assignment.c.expires_at,
        item.c.series,
        assignment.c.freed_at,
        draft.c.version,
        draft.c.seat,
        submission.c.id,
        submission.c.revision,
        submission.c.fingerprint,
        submission.c.submitted_at,
    )
    .join(item, item.c.id == assignment.c.item_id)
    .outerjoin(draft, draft.c.assignment_id == assignment.c.id)
    .outerjoin(submission, OF_SUBMISSION)
    .where(MINE, assignment.c.public_id == bindparam("public_id"))
    .order_by(submission.c.revision.desc())
    .limit(1)
)
# Whoever works on an item keeps it.
EXTEND = Prepared(
    update(assignment).where(assignment.c.id == bindparam("assignment")).values(expires_at=bindparam("new_expires_at"))
)


NEW_DRAFT = Prepared(insert(draft).values({column.name: bindparam(column.name) for column in draft.columns}))
CHANGE_DRAFT = Prepared(
    update(draft)
    .where(draft.c.assignment_id == bindparam("assignment"))
    .values(
        answers=bindparam("new_answers"),
        version=bindparam("new_version"),
        saved_at=bindparam("now"),
        seat=bindparam("new_seat"),
        first=bindparam("new_first"),
    )
)
# Changed and changed back: the form says again what was submitted.
AS_SUBMITTED = Prepared(
    update(draft)
    .where(draft.c.assignment_id == bindparam("assignment"), draft.c.answers == bindparam("sent"))
    .values(saved_at=bindparam("at"))
)
DROP_DRAFT = Prepared(delete(draft).where(draft.c.assignment_id == bindparam("assignment")))


@dataclass(frozen=True, slots=True)
class Seat:
    """The browser window that answers come from, and the number of the newest draft that it knew."""

    name: str = ""
    draft: int = 0


def save_draft(
    connection: Connection,
    annotator_id: int,
    public_id: str,
    answers: RawAnswers,
    seat: Seat,
    now: int,
    *,
    place_lasts_ms: int | None = None,
    go_back: bool = False,
    first: RawAnswers | None = None,
) -> int:
    """Store a draft; returns its number. Raises Conflict where another window has stored a newer one.

    `place_lasts_ms` extends the time until the item expires. With `go_back` it may be an item that was submitted: the
    answers count when they are submitted again. `first` holds the answers given before a later block was shown.
    """
    lock_annotator(connection, annotator_id)
    given = _own(connection, annotator_id, public_id)
    if given.state not in ("open", "returned") and not (go_back and given.state == "submitted"):
        raise Conflict(Translatable("errors.submitted"))
    if given.state == "open" and given.expires_at is not None and place_lasts_ms is not None:
        EXTEND.run(connection, assignment=given.id, new_expires_at=now + place_lasts_ms)
    given.refuse_other_window(seat)
    return _keep(connection, given, answers, seat, now, first)


def _keep(
    connection: Connection,
    given: "_AssignmentToWrite",
    answers: RawAnswers,
    seat: Seat,
    now: int,
    first: RawAnswers | None,
) -> int:
    kept = to_json(first) if first else None
    version = max(given.draft or 0, seat.draft) + 1
    if given.draft is None:
        row = {"answers": to_json(answers), "version": version, "saved_at": now, "seat": seat.name, "first": kept}
        NEW_DRAFT.run(connection, assignment_id=given.id, **row)
    else:
        changed = {"new_answers": to_json(answers), "new_version": version, "new_seat": seat.name, "now": now}
        CHANGE_DRAFT.run(connection, assignment=given.id, new_first=kept, **changed)
    return version


@dataclass(frozen=True, slots=True)
class _AssignmentToWrite:
    """An assignment, as far as writing needs it, with its draft and its last submission: read with one statement."""

    id: int
    study_id: int
    item_id: int
    pass_: int
    submission_id: str
    state: str
    created_at: int
    swapped: bool | None
    attempt: int
    expires_at: int | None
    series: str
    freed_at: int | None
    """When its place was given to others for good."""
    draft: int | None
    """The version of its draft; None: there is none."""
    seat: str | None
    """The window that wrote it."""
    last: str | None
    """Its last submission; None: there is none."""
    revision: int | None
    fingerprint: str | None
    submitted_at: int

    @property
    def needs_a_place(self) -> bool:
        """Whether it counts towards the number of annotators that an item needs."""
        return self.pass_ == 1 and self.series in (WORK, WITHDRAWN)

    def refuse_other_window(self, seat: Seat) -> None:
        """Raise Conflict where another window has stored a draft that this one does not know."""
        # A window that retries after a lost response is behind its own draft only.
        if self.draft is not None and seat.draft < self.draft and (not seat.name or seat.name != self.seat):
            raise Conflict(Translatable("errors.other_window"))


def _own(connection: Connection, annotator_id: int, public_id: str) -> _AssignmentToWrite:
    row = OWN.row(connection, annotator=annotator_id, public_id=public_id)
    if row is None:
        raise NotFound(Translatable("errors.no_item"))
    return _AssignmentToWrite(*row)


def fingerprint(answers: Answers) -> str:
    """A hash of the answers, to tell a retry from a different submission under the same id."""
    said = sorted((slot.key, value) for slot, value in answers.items() if value is not None)
    return hashlib.sha256(to_json(said).encode()).hexdigest()


NEW_SUBMISSION = Prepared(insert(submission).values({each.name: bindparam(each.name) for each in submission.columns}))
NEW_JUDGMENT = Prepared(insert(judgment).values({column.name: bindparam(column.name) for column in judgment.columns}))
# What agreement is computed from is brought up to date later, see `counts`.
QUEUE = Prepared(insert(uncounted).values({each.name: bindparam(each.name) for each in uncounted.columns}))
SET_STATE = Prepared(
    update(assignment).where(assignment.c.id == bindparam("assignment")).values(state=bindparam("new_state"))
)
SET_REASON = Prepared(
    update(assignment).where(assignment.c.id == bindparam("assignment")).values(declined_because=bindparam("because"))
)
# An item that a coordinator had opened again is done with this.
SET_SUBMITTED = Prepared(
    update(assignment)
    .where(assignment.c.id == bindparam("assignment"))
    .values(state=literal_column("'submitted'"), reopened_at=None)
)
LAST_SUBMISSION = Prepared(
    select(submission.c.id, submission.c.revision, submission.c.fingerprint, submission.c.submitted_at)
    .where(
        submission.c.annotator_id == bindparam("annotator"),
        submission.c.item_id == bindparam("item"),
        submission.c["pass"] == bindparam("pass_"),
    )
    .order_by(submission.c.revision.desc())
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Form:
    """A form as it was sent: what it says, and how it came about."""

    answers: Answers
    raw: RawAnswers = field(default_factory=dict)
    seat: Seat = Seat()
    revision: int = 1
    """1, or more where an earlier submission is changed."""
    shown_at: int | None = None
    active_ms: int | None = None
    events: str | None = None
    """When the page was looked at and when not, as JSON."""
    overridden: tuple[str, ...] = ()
    """Warnings that were not heeded, and answers that were changed after something was shown that comes after them."""
    first: RawAnswers = field(default_factory=dict)
    """What was answered when something was shown that comes after it."""
    source: str = WORK
    """How it came, where it is no practice: on the page, on a sheet, or from a file that was filled elsewhere."""


def submit(
    connection: Connection,
    annotator_id: int,
    public_id: str,
    study: Study,
    form: Form,
    now: int,
    *,
    go_back: bool = False,
) -> Receipt:
    """Store a submission with its judgments, once. Called again with the same answers it answers the same.

    With `go_back` the form stays as it was sent, for the annotator to come back to.
    """
    lock_annotator(connection, annotator_id)
    given = _own(connection, annotator_id, public_id)
    if given.state == "declined":
        raise Conflict(Translatable("errors.declined"))
    print_ = fingerprint(form.answers)
    before = given.revision or 0
    if given.last is not None and print_ == given.fingerprint:
        if form.revision > before:
            SET_SUBMITTED.run(connection, assignment=given.id)
        if go_back:
            AS_SUBMITTED.run(connection, assignment=given.id, sent=to_json(form.raw), at=given.submitted_at)
        return Receipt(given.last, given.submitted_at)
    if form.revision != before + 1:
        raise Conflict(Translatable("errors.submitted_otherwise"))
    given.refuse_other_window(form.seat)
    # Too late: if its place has gone to another meanwhile, it is kept, but it does not count (surplus).
    back = given.state == "returned" and given.needs_a_place
    surplus = back and not late_answer_counts(connection, given.study_id, given.item_id, given.freed_at)
    id_ = given.submission_id if given.last is None else f"{given.submission_id}.{form.revision}"
    row = {
        **_row_of_form(given, study, form, now),
        "id": id_,
        "annotator_id": annotator_id,
        "fingerprint": print_,
        "surplus": surplus if given.last is None else _was_surplus(connection, given.last),
    }
    NEW_SUBMISSION.run(connection, **row)
    store_judgments(connection, id_, study, form.answers, given.swapped)
    QUEUE.run(connection, submission_id=id_, study_id=given.study_id, item_id=given.item_id)
    SET_SUBMITTED.run(connection, assignment=given.id)
    if go_back:
        _keep(connection, given, form.raw, form.seat, now, form.first)
    elif given.draft is not None:
        DROP_DRAFT.run(connection, assignment=given.id)
    if back and not surplus:
        # It may come from somebody who has left by now: then the others have one place less to share.
        recount_work(connection, given.study_id)
    return Receipt(id_, now)


def _row_of_form(given: _AssignmentToWrite, study: Study, form: Form, now: int) -> dict[str, Any]:
    """What a submission's row has from the form and from the assignment that it answers."""
    return {
        "study_id": given.study_id,
        "assignment_id": given.id,
        "item_id": given.item_id,
        "pass": given.pass_,
        "revision": form.revision,
        "study_hash": study.hash,
        "consent": study.consent,
        "shown_at": min(max(form.shown_at or 0, given.created_at), now),
        "submitted_at": now,
        "active_ms": _believable(form.active_ms, now - given.created_at),
        "swapped": given.swapped,
        "source": PRACTICE if given.attempt else form.source,
        "events": form.events,
        "overridden": to_json(form.overridden),
        "import_number": None,
    }


def _believable(active_ms: int | None, passed_ms: int) -> int | None:
    """The active time that a page reports, at most the time since the item was given out.

    None where the clock has been set back since then, so that the time that passed is unknown.
    """
    return None if active_ms is None or passed_ms < 0 else min(active_ms, passed_ms)


def _was_surplus(connection: Connection, submission_id: str) -> bool:
    return bool(connection.execute(select(submission.c.surplus).where(submission.c.id == submission_id)).scalar_one())


def store_judgments(
    connection: Connection, submission_id: str, study: Study, answers: Answers, swapped: bool | None
) -> None:
    """Store the judgments of a submission and the scores derived from them, candidate by candidate."""
    said = by_candidate({**answers, **derived_values(study, answers)}, study.preference_dimensions, swapped)
    rows = [
        {
            "submission_id": submission_id,
            "dimension": slot.dimension,
            "side": slot.side,
            "entry": slot.entry,
            "value": to_json(value),
        }
        for slot, value in said.items()
        if value is not None
    ]
    NEW_JUDGMENT.run_many(connection, rows)


def decline(connection: Connection, annotator_id: int, public_id: str, because: str = "") -> None:
    """Decline an item: no answer, no penalty, and its place is free for another annotator."""
    lock_annotator(connection, annotator_id)
    given = _own(connection, annotator_id, public_id)
    if given.state == "submitted":
        raise Conflict(Translatable("errors.submitted"))
    if given.state in ("open", "returned"):
        lock_pool(connection, given.study_id)
        give_back(connection, given.id)
        SET_STATE.run(connection, assignment=given.id, new_state="declined")
        if because:
            SET_REASON.run(connection, assignment=given.id, because=because)
        DROP_DRAFT.run(connection, assignment=given.id)
