"""Judging on sheets: items that are given out to be judged away from the page, and what comes back on them.

What goes out is an assignment like any other, under its public id: no place is given twice, whoever asks where. What
comes back is a submission like any other, and a corrected cell is a new revision of it.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from assay.assignment.share import Share
from assay.candidates import on_screen
from assay.errors import AssayError
from assay.items.imported_judgments import ImportedAnswers
from assay.judgments import Answers
from assay.store.annotator import assignments, next_item, people, submissions
from assay.store.annotator.assignments import AT_WORK, LOCK, MINE, OPEN, RawAnswers
from assay.store.annotator.latin_square import take_cell
from assay.store.annotator.next_item import Asking
from assay.store.annotator.submissions import Form, Seat
from assay.store.coordinator import actions, imported_judgments, studies
from assay.store.coordinator.actions import By
from assay.store.engine.prepared import Prepared
from assay.store.tables import annotator, assignment, draft, item, item_hidden, submission
from assay.store.tables import study as study_table
from assay.study import Study

SHEET = "sheet"
"""Where a submission came from whose item was given out here, and judged on a sheet."""
IMPORTED = "imported"

AT_A_TIME = 50
"""So many items are given out between two looks at how far it is."""


@dataclass(frozen=True, slots=True)
class Row:
    """One item on a sheet: what the page would show, and nothing else."""

    public_id: str
    shown: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Handed:
    """What one annotator gets on a sheet."""

    annotator: str
    rows: list[Row]


# What goes out

ROWS = Prepared(
    select(assignment.c.public_id, item.c.shown, assignment.c.swapped)
    .join(item, item.c.id == assignment.c.item_id)
    .where(MINE, AT_WORK, OPEN)
    .order_by(assignment.c.position)
)
# A sheet may lie on a desk for weeks: what stands on it does not go back by itself.
KEEP = Prepared(update(assignment).where(MINE, AT_WORK, OPEN).values(expires_at=None))


def give(
    connection: Connection,
    by: By,
    study: Study,
    names: Sequence[str],
    past_gates: str = "",
    show: Callable[[int], None] = lambda _: None,
) -> list[Handed]:
    """Give each of these people their share of the items at once, to be judged on a sheet.

    `past_gates` is why they may begin without having passed the gates on their page; left empty, nobody may. `show` is
    told how many items are given out, and may stop it: then nothing of it stays.
    """
    if (state := studies.state(connection, by.study_id)) != "open":
        raise AssayError(f"the study is {state}: nothing is given out", "`assay state --to open` opens it again")
    known = {name: _taking_part(connection, by, name) for name in names}
    people.count_people(connection, by.study_id)
    # The locks of people come first and in one order; claiming then locks the pool of items.
    for mine in sorted(known.values()):
        LOCK.row(connection, annotator=mine)
    _pass_gates(connection, by, study, known, past_gates)
    handed: list[Handed] = []
    for name, mine in known.items():
        before = sum(len(each.rows) for each in handed)
        handed.append(_share(connection, by, study, name, mine, lambda count, before=before: show(before + count)))  # type: ignore[misc]
    return handed


def _taking_part(connection: Connection, by: By, name: str) -> int:
    """Somebody who can be given items; a new name is a new annotator."""
    named = (annotator.c.study_id == by.study_id, annotator.c.name == name)
    found = connection.execute(select(annotator).where(*named)).first()
    if found is None:
        row = {"study_id": by.study_id, "name": name, "created_at": by.at}
        return int(connection.execute(insert(annotator).values(row).returning(annotator.c.id)).scalar_one())
    if found.judge or found.simulated:
        raise AssayError(f"{name!r} is {'an automated judge' if found.judge else 'a bot'}, not a person")
    if found.left_at is not None:
        raise AssayError(f"{name} has left the study", "give the items to somebody else")
    if found.state != "active":
        raise AssayError(f"{name} is {found.state}", f"`assay annotator {name} resume` lets them go on")
    return int(found.id)


def _pass_gates(connection: Connection, by: By, study: Study, known: dict[str, int], reason: str) -> None:
    gates = [entry.gate for entry in study.gates]
    waiting: dict[str, list[str]] = {}
    for name, mine in known.items():
        passed = assignments.passed_gates(connection, mine)
        for gate in gates:
            if (gate.kind, gate.version) in passed:
                continue
            waiting.setdefault(name, []).append(gate.kind)
            if reason:
                assignments.pass_gate(connection, mine, gate.kind, gate.version, by.at, by=by.who, reason=reason)
                acting = By(by.study_id, by.who, by.at, reason)
                actions.record(connection, acting, "pass gate", mine, gate.kind)
    if waiting and not reason:
        listed = "; ".join(f"{name}: {', '.join(kinds)}" for name, kinds in waiting.items())
        raise AssayError(
            f"gates are not passed ({listed})",
            "let them pass on their page, or say how they passed: --past-gates 'consent signed on paper, guide read'",
        )


def _share(connection: Connection, by: By, study: Study, name: str, mine: int, show: Callable[[int], None]) -> Handed:
    planned = people.planned(connection, by.study_id)
    share = Share(study, name, planned.items, planned.annotators, planned.controls, planned.cells)
    cell = take_cell(connection, by.study_id, mine, planned.cells) if study.assignment.counterbalance else None
    phase = connection.execute(select(study_table.c.phase).where(study_table.c.id == by.study_id)).scalar_one()
    asking = Asking(by.study_id, mine, name, study, share, phase, cell, by.at, on_paper=True)
    for ahead in range(AT_A_TIME, share.total + AT_A_TIME, AT_A_TIME):
        next_item.claim(connection, asking, ahead)
        show(min(ahead, share.total))
    KEEP.run(connection, annotator=mine)
    rows = [
        Row(public_id, on_screen(json.loads(shown), swapped))
        for public_id, shown, swapped in ROWS.rows(connection, annotator=mine)
    ]
    if rows:
        actions.record(connection, by, "sheet out", mine, f"{len(rows)} items")
    return Handed(name, rows)


# What comes back


@dataclass(frozen=True, slots=True)
class Place:
    """What the store knows of one row of a sheet."""

    public_id: str
    """Empty: the item was never given to this annotator."""
    annotator_id: int
    annotator: str
    item: str
    shown: dict[str, Any]
    state: str
    last: str = ""
    """Tells what was submitted last; empty: nothing was."""
    dropped: frozenset[str] = frozenset()
    """The texts of entries that the item has and that are not asked."""


PLACE = Prepared(
    select(
        annotator.c.id,
        annotator.c.name,
        item.c.name,
        item.c.shown,
        assignment.c.swapped,
        assignment.c.state,
        item.c.id,
        assignment.c["pass"],
    )
    .select_from(assignment)
    .join(item, item.c.id == assignment.c.item_id)
    .join(annotator, annotator.c.id == assignment.c.annotator_id)
    .where(assignment.c.study_id == bindparam("study"), assignment.c.public_id == bindparam("public_id"), AT_WORK)
)


def place(connection: Connection, study_id: int, public_id: str) -> Place | None:
    """The row of a sheet by its public id."""
    row = PLACE.row(connection, study=study_id, public_id=public_id)
    if row is None:
        return None
    mine, name, of, shown, swapped, state, item_id, pass_ = row
    last = submissions.LAST_SUBMISSION.row(connection, annotator=mine, item=item_id, pass_=pass_)
    seen = on_screen(json.loads(shown), swapped)
    return Place(public_id, mine, name, of, seen, state, "" if last is None else last[2])


RATED = Prepared(
    select(item.c.id, item.c.shown, item_hidden.c.hidden)
    .join(item_hidden, item_hidden.c.item_id == item.c.id)
    .where(item.c.study_id == bindparam("study"), item.c.name == bindparam("name"), item.c.series == "work")
)
FIRST_TIME = Prepared(
    select(assignment.c.public_id).where(
        MINE, AT_WORK, assignment.c.item_id == bindparam("item"), assignment.c["pass"] == 1
    )
)


def place_of_item(
    connection: Connection, study: Study, study_id: int, mine: tuple[int, str], name: str
) -> Place | None:
    """The row of a sheet that names the item itself, whether it was given to the annotator here or not."""
    row = RATED.row(connection, study=study_id, name=name)
    if row is None:
        return None
    item_id, shown, hidden = row
    dropped = _dropped(study, json.loads(hidden), json.loads(shown))
    found = FIRST_TIME.row(connection, annotator=mine[0], item=item_id)
    known = place(connection, study_id, found[0]) if found else None
    if known is None:
        return Place("", mine[0], mine[1], name, json.loads(shown), "open", "", dropped)
    return Place(known.public_id, *mine, name, known.shown, known.state, known.last, dropped)


def _dropped(study: Study, hidden: dict[str, Any], shown: dict[str, Any]) -> frozenset[str]:
    """The texts of entries that stand in an item's file and are not asked."""
    found: set[str] = set()
    for name in study.entries:
        settings = study.items.entries[name]
        for each in hidden.get(settings.from_) or ():
            found.add(str(each.get(settings.text or "text")) if isinstance(each, dict) else str(each))
        found -= {entry["text"] for entry in shown.get(name) or ()}
    return frozenset(found)


def names(connection: Connection, study_id: int) -> dict[str, int]:
    """Every person in a study by pseudonym."""
    of_study = (annotator.c.study_id == study_id, annotator.c.judge.is_(False))
    return {row.name: row.id for row in connection.execute(select(annotator.c.name, annotator.c.id).where(*of_study))}


def item_names(connection: Connection, study_id: int) -> list[str]:
    """The names of all items that are to be judged."""
    of_work = (item.c.study_id == study_id, item.c.series == "work")
    return list(connection.execute(select(item.c.name).where(*of_work)).scalars())


def still_open(connection: Connection, annotator_id: int) -> int:
    """How many items somebody has been given and has not judged."""
    return int(next_item.OPEN_COUNT.row(connection, annotator=annotator_id)[0])


@dataclass(frozen=True, slots=True)
class Filled:
    """One row of a sheet that is right."""

    file: str
    place: Place
    study: Study
    """The version under which the sheet was written."""
    answers: Answers
    raw: RawAnswers
    overridden: tuple[str, ...] = ()


@dataclass
class Taken:
    """What taking sheets in did."""

    new: int = 0
    changed: int = 0
    known: int = 0
    by_sheet: dict[tuple[str, int], list[int]] = field(default_factory=dict)


def take(
    connection: Connection, by: By, filled: Sequence[Filled], show: Callable[[int], None] = lambda _: None
) -> Taken:
    """Store what sheets say: what is new, and what was corrected. What is known already changes nothing.

    `show` is told how far it is, and may stop it: then nothing of it stays.
    """
    taken = Taken()
    elsewhere: list[Filled] = []
    for mine in sorted({each.place.annotator_id for each in filled}):
        LOCK.row(connection, annotator=mine)
    for number, each in enumerate(filled, 1):
        show(number)
        outcome = _outcome(connection, each)
        if outcome is None:
            taken.known += 1
            continue
        revision, source = outcome
        if not each.place.public_id:
            elsewhere.append(each)
        else:
            _submit(connection, by, each, revision, source)
        taken.new += revision == 1
        taken.changed += revision > 1
        counts = taken.by_sheet.setdefault((each.file, each.place.annotator_id), [0, 0])
        counts[revision > 1] += 1
    if elsewhere:
        named = [(each.place.item, ImportedAnswers(each.place.annotator, False, each.answers)) for each in elsewhere]
        imported_judgments.add(connection, by.study_id, elsewhere[0].study, named, by.at)
    for (file, mine), (new, changed) in taken.by_sheet.items():
        actions.record(connection, by, "sheet in", mine, f"{file}: {new} new, {changed} changed")
    return taken


LAST = Prepared(
    select(submission.c.revision, submission.c.source, submission.c.fingerprint)
    .join(
        assignment,
        # By what the store has an index for: a sheet can have ten thousand rows.
        (submission.c.annotator_id == assignment.c.annotator_id)
        & (submission.c.item_id == assignment.c.item_id)
        & (submission.c["pass"] == assignment.c["pass"]),
    )
    .where(assignment.c.public_id == bindparam("public_id"))
    .order_by(submission.c.revision.desc())
    .limit(1)
)


def _outcome(connection: Connection, each: Filled) -> tuple[int, str] | None:
    """Which revision a row would be, and its source; None where it says what is stored already."""
    last = LAST.row(connection, public_id=each.place.public_id) if each.place.public_id else None
    if last is None:
        return 1, SHEET
    if last[2] == submissions.fingerprint(each.answers):
        return None
    # What was judged elsewhere takes nobody's place here, corrected or not.
    return last[0] + 1, IMPORTED if last[1] == IMPORTED else SHEET


# A sheet is the coordinator's act: what a page has kept unfinished does not stand in its way.
KEPT = Prepared(
    select(draft.c.version)
    .join(assignment, assignment.c.id == draft.c.assignment_id)
    .where(assignment.c.public_id == bindparam("public_id"))
)


def _submit(connection: Connection, by: By, each: Filled, revision: int, source: str) -> None:
    kept = KEPT.row(connection, public_id=each.place.public_id)
    form = Form(
        answers=each.answers,
        raw=each.raw,
        seat=Seat(draft=kept[0] if kept else 0),
        revision=revision,
        overridden=each.overridden,
        source=source,
    )
    # Where somebody may go back on their page, they find there what the sheet said.
    go_back = each.study.navigation != "forward-only"
    place = each.place
    submissions.submit(connection, place.annotator_id, place.public_id, each.study, form, by.at, go_back=go_back)
