"""Taking in items, with what was judged elsewhere."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.items.imported_judgments import ImportedAnswers, ItemName
from assay.items.reader import ImportedRow
from assay.store import Backend
from assay.store.coordinator import arriving, import_list, imported_judgments, imports, items, studies
from assay.store.coordinator.import_list import ImportEntry
from assay.store.coordinator.imported_judgments import ImportedJudgments
from assay.store.coordinator.item_plan import arrange
from assay.store.coordinator.items import ImportedItems
from assay.store.coordinator.record import By, record
from assay.store.coordinator.studies import REMOVED
from assay.study import Study


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did."""

    items: ImportedItems
    judgments: ImportedJudgments
    number: int | None
    """Its number in the list of imports; empty: nothing came in."""


@dataclass(frozen=True, slots=True)
class ImportedFiles:
    """What besides items is taken in, and how."""

    judgments: Sequence[tuple[ItemName, ImportedAnswers]] = ()
    """Read after the last row, so that it may grow with the rows."""
    folder: Path | None = None
    """The study's. Without one there are no items with known answers to take in: rows come from a script."""
    names: Sequence[str] = ()
    """Those that the list of imports has for the files."""
    replace: bool = False
    """Judgments stand in the place of those that an earlier import brought, for a reason that is recorded."""
    partial: bool = False
    """Answers may be missing; the record keeps which."""


def take_in(
    connection: Connection,
    by: By,
    study: Study,
    rows: Iterable[ImportedRow],
    judgments: Sequence[tuple[ItemName, ImportedAnswers]],
    folder: Path | None,
    names: Sequence[str] = (),
    *,
    replace: bool = False,
    partial: bool = False,
) -> ImportResult:
    """Take in items and what was judged elsewhere, all or nothing, in one step, and lay the items out for work.

    Whoever saves an answer waits for it: many items go by steps (`import_steps.py`).
    """
    files = ImportedFiles(judgments, folder, names, replace, partial)
    refuse(connection, by, files)
    number = import_list.next_number(connection, by.study_id)
    if folder is not None:
        added = imports.take_in(connection, by.study_id, study, rows, folder, number)
    else:
        arriving.delete_all(connection, by.study_id)
        added = items.add(connection, by.study_id, rows, study.seed, number=number)
        arrange(connection, by.study_id, study)
    return take_in_judgments(connection, by, study, files, added, number)


def look_at_what_came(store: Backend, *, items: int = 0, judged: int = 0) -> None:
    """Have the database update its planner statistics after many items or judgments came in."""
    store.rows_came(
        {
            **dict.fromkeys(("item", "item_hidden"), items),
            **dict.fromkeys(("assignment", "submission", "judgment"), judged),
        }
    )


def refuse(connection: Connection, by: By, files: ImportedFiles) -> None:
    """Refuse what cannot be taken in at all."""
    refuse_where_removed(connection, by.study_id)
    if files.replace:
        need_reason(by, "to replace judgments")


def take_in_judgments(
    connection: Connection, by: By, study: Study, files: ImportedFiles, added: ImportedItems, number: int
) -> ImportResult:
    """Take in what was judged elsewhere, once its items are in the study, and keep what the whole import brought."""
    done = imported_judgments.add(
        connection,
        by.study_id,
        study,
        files.judgments,
        by.at,
        number,
        replace=files.replace,
        partial=files.partial,
    )
    if study.assignment.people is not None and done.judges:
        # Items may be drawn for people by the doubt of judges, which these judgments have changed.
        arrange(connection, by.study_id, study)
    record_corrections(connection, by, added.corrected)
    if not (added.added or added.duplicates or done.submissions):
        return ImportResult(added, done, None)
    who = (*sorted(done.annotators), *sorted(done.judges)) if done.submissions else ()
    entry = ImportEntry(
        number=number,
        at=by.at,
        by=by.who,
        files=tuple(files.names),
        items=added.added,
        duplicates=added.duplicates,
        judged=done.submissions,
        annotators=who,
        replaced=done.replaced,
    )
    import_list.keep(connection, by.study_id, entry, done.runs)
    record(connection, by, "import", about=entry.in_record)
    if done.submissions:
        _record_gaps(connection, by, study, files.judgments, done.missing)
    return ImportResult(added, done, number)


def refuse_where_removed(connection: Connection, study_id: int) -> None:
    """Refuse to take anything into a study that is removed."""
    if studies.state(connection, study_id) == REMOVED:
        hint = "`assay remove --undo` brings it back; `assay remove --set-aside` keeps it and lets you begin again"
        raise AssayError("the study is removed: nothing is taken in", hint)


def _record_gaps(
    connection: Connection,
    by: By,
    study: Study,
    judgments: Sequence[tuple[ItemName, ImportedAnswers]],
    by_rule: Mapping[str, int],
) -> None:
    """Keep in the record which answers were missing in what came in all the same."""
    blank = Counter(slot.dimension for _, given in judgments for slot in given.blank)
    missing = {name: count for name, count in blank.items() if study.dimension(name).is_always_asked}
    gaps = [f"{name}: {count}" for name, count in (missing | dict(by_rule)).items()]
    if gaps:
        record(connection, by, "gaps", about=f"answers missing in judgments from files: {', '.join(gaps)}")


def record_corrections(connection: Connection, by: By, corrected: Mapping[str, Sequence[str]]) -> None:
    """Keep in the record which known answers of which file were corrected."""
    for file, names in corrected.items():
        record(connection, by, "correct answers", about=f"{file}: {', '.join(names)}")
