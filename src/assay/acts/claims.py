"""Claiming: an annotator is given the next item, and some ahead of it."""

from sqlalchemy import Connection

from assay.store.annotator import assignments, next_item, pace_state
from assay.store.annotator.claim import Claim
from assay.store.annotator.latin_square import take_cell
from assay.store.annotator.sessions import Annotator
from assay.study import Study


def claim(
    connection: Connection,
    annotator: Annotator,
    study: Study,
    now: int,
    ahead: int = 0,
    *,
    on_paper: bool = False,
    by_name: bool = False,
) -> None:
    """Give out the next item, and some ahead of it, but no more ahead than is the annotator's share.

    `on_paper`: for a sheet. `by_name`: for a sheet on which items stand under the ids of their file.

    On the page nothing comes to somebody who has worked long enough for this session or this day. Whoever claims has
    passed every gate: that is remembered, so that it need not be asked again with each page.
    """
    if annotator.ready_for != study.hash:
        assignments.mark_ready(connection, annotator.id, study.hash)
    if not on_paper and pace_state.limit(connection, annotator.id, study, now) is not None:
        return
    cell = annotator.cell
    if study.assignment.counterbalance and cell is None:
        cell = take_cell(connection, annotator.study_id, annotator.id, annotator.cells)
    next_item.give(connection, Claim(annotator, study, cell, now, on_paper, by_name), ahead)
