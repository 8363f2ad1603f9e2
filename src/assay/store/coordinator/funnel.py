"""How far people come: how many took each step from the invitation to the last item, and how long it took them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from sqlalchemy import Connection, and_, case, func, select

from assay.fieldwork import FunnelStep, PeopleAtStep
from assay.in_words import many
from assay.model import IMPORTED, PRACTICE
from assay.store.annotator.assignments import AT_WORK
from assay.store.annotator.participation import filled_places
from assay.store.annotator.session_lifetime import DAY
from assay.store.annotator.workload import workload
from assay.store.coordinator.nothing_left import with_nothing_left
from assay.store.tables import annotator, assignment, gate_pass, link, study, submission
from assay.study import Study

MINUTE = 60_000


STILL_AT_WORK = 2 * DAY
"""Somebody who has done nothing for this long counts as stopped."""


def funnel(connection: Connection, study_id: int, of: Study, now: int | None = None) -> list[FunnelStep]:
    """How many people took each step: invited, opened the link, passed each gate as it is now, judged items.

    With `now` it also counts who is still on the way and has not stopped.
    """
    taken, at_work = _times_of_steps(connection, study_id, of, now)
    steps = [FunnelStep("Invited", len(taken[0][1]))]
    for (_, before), (name, came) in pairwise(taken):
        waits = [at - was for who, at in came.items() if at is not None and (was := before.get(who)) is not None]
        waits = [wait for wait in waits if wait >= 0]
        on_the_way = len((before.keys() - came.keys()) & at_work)
        steps.append(FunnelStep(name, len(came), median(waits) / MINUTE if waits else None, on_the_way))
    return steps


def people_at_steps(connection: Connection, study_id: int, of: Study, now: int) -> list[PeopleAtStep]:
    """Who took each step, who is on the way to it, and who stopped before it, by name."""
    taken, at_work = _times_of_steps(connection, study_id, of, now)
    names = _names(connection, study_id)

    def names_of(people: Iterable[int]) -> tuple[str, ...]:
        return tuple(sorted(names[who] for who in people))

    steps = [PeopleAtStep(taken[0][0], names_of(taken[0][1]), (), ())]
    for (_, before), (name, came) in pairwise(taken):
        missing = before.keys() - came.keys()
        steps.append(PeopleAtStep(name, names_of(came), names_of(missing & at_work), names_of(missing - at_work)))
    return steps


def people_finished_and_at_work(
    connection: Connection, study_id: int, of: Study, now: int
) -> tuple[set[str], set[str]]:
    """Who has come to the end, and who is still at work, by name."""
    taken, at_work = _times_of_steps(connection, study_id, of, now)
    names, finished = _names(connection, study_id), taken[-1][1].keys()
    return {names[who] for who in finished}, {names[who] for who in at_work - finished}


def _names(connection: Connection, study_id: int) -> dict[int, str]:
    named = select(annotator.c.id, annotator.c.name).where(annotator.c.study_id == study_id)
    return dict(connection.execute(named).all())


def _times_of_steps(
    connection: Connection, study_id: int, of: Study, now: int | None
) -> tuple[list[tuple[str, Mapping[int, int | None]]], set[int]]:
    """When each of those who were invited took each step; and who is still at work."""
    invited = _times_of_invitation(connection, study_id)
    later = [*_gates(connection, study_id, of), *_items(connection, study_id, of, len(invited))]
    # A session that is over is not kept: whoever went further has opened the link, too, at a time that is not known.
    went_on: dict[int, int | None] = dict.fromkeys(who for _, times in later for who in times)
    taken: list[tuple[str, Mapping[int, int | None]]] = [
        ("Invited", invited),
        ("Opened the link", {**went_on, **_times_of_opening(connection, study_id)}),
        *later,
    ]
    taken = [(name, {who: at for who, at in times.items() if who in invited}) for name, times in taken]
    return taken, set() if now is None else _at_work(connection, study_id, now, [times for _, times in taken])


def _at_work(connection: Connection, study_id: int, now: int, steps: Sequence[Mapping[int, int | None]]) -> set[int]:
    """Active annotators who have done something lately; none in a study that is not open."""
    if connection.execute(select(study.c.state).where(study.c.id == study_id)).scalar() != "open":
        return set()
    mine = select(annotator.c.id).where(
        annotator.c.study_id == study_id, annotator.c.state == "active", annotator.c.left_at.is_(None)
    )
    last = dict.fromkeys(connection.execute(mine).scalars(), 0)
    worked = connection.execute(
        select(submission.c.annotator_id, func.max(submission.c.submitted_at))
        .where(submission.c.annotator_id.in_(mine), submission.c.source != IMPORTED)
        .group_by(submission.c.annotator_id)
    )
    for who, at in (*worked, *(each for times in steps for each in times.items())):
        if who in last:
            last[who] = max(last[who], at or 0)
    return {who for who, at in last.items() if now - at < STILL_AT_WORK}


def _times_of_invitation(connection: Connection, study_id: int) -> dict[int, int | None]:
    """When each annotator was invited. People who are known from files alone were never invited."""
    here = (annotator.c.study_id == study_id, annotator.c.judge.is_(False), annotator.c.from_file.is_(False))
    return dict(connection.execute(select(annotator.c.id, annotator.c.created_at).where(*here)).all())


def _times_of_opening(connection: Connection, study_id: int) -> dict[int, int | None]:
    """When each annotator first opened a link."""
    rows = connection.execute(
        select(link.c.annotator_id, func.min(link.c.opened_at))
        .where(link.c.study_id == study_id, link.c.annotator_id.is_not(None), link.c.opened_at.is_not(None))
        .group_by(link.c.annotator_id)
    )
    return dict(rows.all())


def _gates(connection: Connection, study_id: int, of: Study) -> list[tuple[str, dict[int, int | None]]]:
    """When each annotator passed each gate in force; of gates with one heading the first alone is named by it."""
    rows = connection.execute(
        select(gate_pass.c.version, gate_pass.c.annotator_id, gate_pass.c.passed_at)
        .join(annotator, annotator.c.id == gate_pass.c.annotator_id)
        .where(annotator.c.study_id == study_id, gate_pass.c.version.in_(sorted(of.gate_versions)))
    )
    passed: dict[str, dict[int, int | None]] = {entry.gate.version: {} for entry in of.gates}
    for version, who, at in rows:
        passed[version][who] = at
    return [(entry.gate.title(of.words), passed[entry.gate.version]) for entry in of.gates]


def _items(
    connection: Connection, study_id: int, of: Study, people: int
) -> Sequence[tuple[str, dict[int, int | None]]]:
    """Who submitted the first item, half of theirs, and all, and when.

    "All" is the number on the annotators' pages, or fewer for somebody with nothing left to judge.
    """
    whole = _share(connection, study_id, of, people)
    # By annotator, and not by study: so the index by annotator and time is gone through in its order.
    mine = select(annotator.c.id).where(annotator.c.study_id == study_id)
    at_work = (submission.c.annotator_id.in_(mine), submission.c.source.not_in((PRACTICE, IMPORTED)))
    counted = connection.execute(
        select(
            submission.c.annotator_id,
            func.sum(case((submission.c.revision == 1, 1), else_=0)),
            func.min(submission.c.submitted_at),
            func.max(submission.c.submitted_at),
        )
        .where(*at_work)
        .group_by(submission.c.annotator_id)
    ).all()
    fewer = {who: last for who, count, _, last in counted if count < whole}
    through = with_nothing_left(connection, study_id, of, fewer)
    half = {who: -(-(count if who in through else whole) // 2) for who, count, _, _ in counted}
    passed = _times_of_submission(connection, study_id, half)
    # A number is given where it is the same for everybody.
    halves, end = f"Half ({many(-(-whole // 2), 'item')})", f"All ({many(whole, 'item')})"
    if through:
        halves, end = "Half of their items", "All their items"
    return [
        ("Item 1", {who: first for who, _, first, _ in counted}),
        (halves, {who: passed.get(who) for who, count, _, _ in counted if count >= half[who]}),
        (end, {who: last for who, count, _, last in counted if count >= whole or who in through}),
    ]


def _times_of_submission(connection: Connection, study_id: int, places: Mapping[int, int]) -> dict[int, int]:
    """When each annotator submitted the item at their position in `places`."""
    same = [submission.c[name] == assignment.c[name] for name in ("annotator_id", "item_id", "pass")]
    here = (assignment.c.annotator_id == annotator.c.id, AT_WORK, assignment.c.position.in_(sorted({*places.values()})))
    rows = connection.execute(
        select(annotator.c.id, assignment.c.position, submission.c.submitted_at)
        .select_from(annotator)
        .join(assignment, and_(*here))
        .join(submission, and_(*same, submission.c.revision == 1))
        .where(annotator.c.study_id == study_id)
    )
    return {who: at for who, position, at in rows if places.get(who) == position}


def _share(connection: Connection, study_id: int, of: Study, people: int) -> int:
    """How many items the annotators' pages say that one will get."""
    # Shared by all who were ever asked: what those did who have left since is a part of it.
    places, items = filled_places(connection, study_id, annotator.c.from_file)
    work = replace(workload(connection, study_id), annotators=people, filled_places=places, filled_items=items)
    return max(1, work.forecast(of).share.total)
