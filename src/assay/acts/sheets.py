"""Judging on sheets: items are given out to be judged away from the page, and what comes back is submitted.

What goes out is an assignment like any other, under its public id: no place is given twice, whoever asks where. What
comes back is a submission like any other, and a corrected cell is a new revision of it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from assay.acts.claims import claim
from assay.errors import AssayError
from assay.exchange.submissions import file_name
from assay.items.imported_judgments import ImportedAnswers
from assay.judgments import Answers
from assay.model import IMPORTED
from assay.store.annotator import assignments, attempts, submissions
from assay.store.annotator.assignments import RawAnswers
from assay.store.annotator.names import both_names
from assay.store.annotator.participation import recount_work
from assay.store.annotator.sessions import annotator_named
from assay.store.annotator.submissions import Form, Seat
from assay.store.coordinator import imported_judgments, sheets, studies
from assay.store.coordinator.record import By, record
from assay.store.coordinator.sheets import SHEET, AssignedRow, KnownRow
from assay.study import Study

AT_A_TIME = 50
"""So many items are given out between two looks at how far it is."""

# What goes out


@dataclass(frozen=True, slots=True)
class HandedSheet:
    """What one annotator gets on a sheet."""

    annotator: str
    rows: list[AssignedRow]


def give_sheets(
    connection: Connection,
    by: By,
    study: Study,
    names: Sequence[str],
    past_gates: str = "",
    show: Callable[[int], None] = lambda _: None,
    *,
    by_name: bool = False,
) -> list[HandedSheet]:
    """Give each of these people their share of the items at once, to be judged on a sheet.

    `past_gates` is why they may begin without having passed the gates on their page; left empty, nobody may. `show` is
    called with how many items are given out; if it raises, everything is rolled back. With `by_name` items stand on the
    sheet under the ids of their file, and only what the file has twice comes a second time.
    """
    if (state := studies.state(connection, by.study_id)) != "open":
        raise AssayError(f"the study is {state}: nothing is given out", "`assay state --to open` opens it again")
    known = {name: sheets.find_or_add_person(connection, by.study_id, name, by.at) for name in names}
    recount_work(connection, by.study_id)
    # The locks of people come first and in one order; claiming then locks the pool of items.
    for annotator_id in sorted(known.values()):
        attempts.lock(connection, annotator_id)
    _pass_gates(connection, by, study, known, past_gates)
    handed: list[HandedSheet] = []
    for name in known:
        before = sum(len(each.rows) for each in handed)
        handed.append(_give_sheet(connection, by, study, name, before, show, by_name=by_name))
    return handed


def _pass_gates(connection: Connection, by: By, study: Study, known: dict[str, int], reason: str) -> None:
    waiting: dict[str, list[str]] = {}
    for name, annotator_id in known.items():
        passed = assignments.passed_gates(connection, annotator_id)
        for gate in (entry.gate for entry in study.gates):
            if (gate.kind, gate.version) in passed:
                continue
            waiting.setdefault(name, []).append(gate.kind)
            if reason:
                kept = {"by": by.who, "reason": reason}
                assignments.pass_gate(connection, annotator_id, gate.kind, gate.version, by.at, **kept)
                record(connection, By(by.study_id, by.who, by.at, reason), "pass gate", annotator_id, gate.kind)
    if waiting and not reason:
        listed = "; ".join(f"{name}: {', '.join(kinds)}" for name, kinds in waiting.items())
        raise AssayError(
            f"gates are not passed ({listed})",
            "let them pass on their page, or say how they passed: --past-gates 'consent signed on paper, guide read'",
        )


def _give_sheet(
    connection: Connection,
    by: By,
    study: Study,
    name: str,
    before: int,
    show: Callable[[int], None],
    *,
    by_name: bool,
) -> HandedSheet:
    annotator = annotator_named(connection, by.study_id, name, by.at)
    assert annotator is not None
    total = annotator.share(study).total
    for ahead in range(AT_A_TIME, total + AT_A_TIME, AT_A_TIME):
        claim(connection, annotator, study, by.at, ahead, on_paper=True, by_name=by_name)
        show(before + min(ahead, total))
    rows = sheets.keep_and_read(connection, annotator.id)
    if rows:
        record(connection, by, "sheet out", annotator.id, f"{len(rows)} items")
    return HandedSheet(name, rows)


# What comes back


@dataclass(frozen=True, slots=True)
class FilledRow:
    """One row of a sheet that is right."""

    file: str
    known: KnownRow
    study: Study
    """The version under which the sheet was written."""
    answers: Answers
    raw: RawAnswers
    overridden: tuple[str, ...] = ()


@dataclass
class SheetsTaken:
    """What taking sheets in did."""

    new: int = 0
    changed: int = 0
    known: int = 0
    declined: int = 0
    by_sheet: dict[tuple[str, int], list[int]] = field(default_factory=dict)


def take_sheets(
    connection: Connection,
    by: By,
    filled: Sequence[FilledRow],
    show: Callable[[int], None] = lambda _: None,
    *,
    declined: Sequence[KnownRow] = (),
) -> SheetsTaken:
    """Store what sheets say: what is new, and what was corrected. What is known already changes nothing.

    `declined` is what people would rather not judge: its places go to others, as from the page. `show` is called with
    how far it is; if it raises, everything is rolled back.
    """
    taken = SheetsTaken()
    elsewhere: list[FilledRow] = []
    people = {each.known.annotator_id for each in filled} | {each.annotator_id for each in declined}
    for annotator_id in sorted(people):
        attempts.lock(connection, annotator_id)
    _decline(connection, by, declined)
    taken.declined = len(declined)
    for number, each in enumerate(filled, 1):
        show(number)
        outcome = _outcome(connection, each)
        if outcome is None:
            taken.known += 1
            continue
        revision, source = outcome
        if not each.known.public_id:
            elsewhere.append(each)
        else:
            _submit(connection, by, each, revision, source)
        taken.new += revision == 1
        taken.changed += revision > 1
        counts = taken.by_sheet.setdefault((each.file, each.known.annotator_id), [0, 0])
        counts[revision > 1] += 1
    if elsewhere:
        named = [(each.known.item, ImportedAnswers(each.known.annotator, False, each.answers)) for each in elsewhere]
        imported_judgments.add(connection, by.study_id, elsewhere[0].study, named, by.at)
    for (file, annotator_id), (new, changed) in taken.by_sheet.items():
        file = _under_pseudonym(connection, annotator_id, file)
        record(connection, by, "sheet in", annotator_id, f"{file}: {new} new, {changed} changed")
    return taken


def _decline(connection: Connection, by: By, rows: Sequence[KnownRow]) -> None:
    for each in rows:
        # Of an item with a warning it is kept that it was left out for that, as where somebody does so on the page.
        submissions.decline(connection, each.annotator_id, each.public_id, "warning" if each.warned else "")
    for annotator_id, count in sorted(Counter(each.annotator_id for each in rows).items()):
        record(connection, by, "sheet in", annotator_id, f"{count} left out")


def _under_pseudonym(connection: Connection, annotator_id: int, file: str) -> str:
    """What the record calls a file: a name in it gives way to the pseudonym."""
    pseudonym, name = both_names(connection, annotator_id)
    return file.replace(file_name(name, set()), file_name(pseudonym, set())) if name else file


def _outcome(connection: Connection, each: FilledRow) -> tuple[int, str] | None:
    """Which revision a row would be, and its source; None where it says what is stored already."""
    last = sheets.last_submission(connection, each.known.public_id) if each.known.public_id else None
    if last is None:
        return 1, SHEET
    revision, source, fingerprint = last
    if fingerprint == submissions.fingerprint(each.answers):
        return None
    # What was judged elsewhere stays known as that, corrected or not.
    return revision + 1, IMPORTED if source == IMPORTED else SHEET


def _submit(connection: Connection, by: By, each: FilledRow, revision: int, source: str) -> None:
    form = Form(
        answers=each.answers,
        raw=each.raw,
        seat=Seat(draft=sheets.draft_version(connection, each.known.public_id)),
        revision=revision,
        overridden=each.overridden,
        source=source,
    )
    # Where somebody may go back on their page, they find there what the sheet said.
    go_back = each.study.navigation != "forward-only"
    known = each.known
    submissions.submit(connection, known.annotator_id, known.public_id, each.study, form, by.at, go_back=go_back)
