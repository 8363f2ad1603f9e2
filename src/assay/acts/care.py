"""Care for those who judge: what stands before an item, opening it after a warning, saying how one is."""

from collections.abc import Sequence

from sqlalchemy import Connection

from assay.errors import NotFound, NotYet
from assay.store.annotator import assignments, care
from assay.store.annotator.assignments import Assignment
from assay.store.annotator.sessions import Annotator
from assay.study import Study
from assay.words import Translatable

ANSWERS = ("well", "so_so", "not_well")
"""How somebody can say that they are."""


def check_in_is_due(connection: Connection, annotator: Annotator, study: Study) -> bool:
    """Whether somebody is asked how they are before the next item."""
    return items_before_check_in(connection, annotator, study) == 0


def items_before_check_in(connection: Connection, annotator: Annotator, study: Study) -> int | None:
    """How many items come before the next check-in; None: the study has none."""
    asked = study.care.check_in
    if asked is None:
        return None
    state = care.check_in_state(connection, annotator.id, assignments.count_submitted(connection, annotator.id))
    return max(0, asked.every - (state.judged - state.last))


def answer_check_in(connection: Connection, annotator: Annotator, study: Study, answer: str, now: int) -> None:
    """Somebody says how they are. What they say is stored only where the study says that coordinators see it."""
    asked = study.care.check_in
    if asked is None or answer not in ANSWERS:
        raise NotFound(Translatable("errors.no_page"))
    assignments.lock_annotator(connection, annotator.id)
    if check_in_is_due(connection, annotator, study):
        judged = assignments.count_submitted(connection, annotator.id)
        care.keep_check_in(connection, annotator.id, judged, answer if asked.coordinator_sees else "", now)


def open_item(connection: Connection, annotator: Annotator, assignment: Assignment, now: int) -> None:
    """Somebody has read the warning and asks for the item."""
    care.open_item(connection, annotator.id, assignment.public_id, now)


def refuse_covered(assignment: Assignment) -> None:
    """Nothing of an item is sent before the warning was read."""
    if assignment.is_covered:
        raise NotYet(Translatable("errors.warning_first"))


def items_to_send_ahead(
    connection: Connection, annotator: Annotator, study: Study, found: Sequence[Assignment]
) -> list[Assignment]:
    """The next items that a page may prefetch: those before the first warning and before the next check-in."""
    last = None
    if (left := items_before_check_in(connection, annotator, study)) is not None:
        now = assignments.current(connection, annotator.id)
        last = (now.position if now is not None else 0) + left - 1
    kept: list[Assignment] = []
    for each in found:
        if each.is_covered or (last is not None and each.position > last):
            break
        kept.append(each)
    return kept
