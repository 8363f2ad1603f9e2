"""Taking in items, with what was judged elsewhere."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from assay.items.imported_judgments import ImportedAnswers, ItemName
from assay.items.reader import ImportedRow
from assay.store.coordinator import imported_judgments, imports, items
from assay.store.coordinator.imported_judgments import ImportedJudgments
from assay.store.coordinator.item_plan import arrange
from assay.store.coordinator.items import ImportedItems
from assay.store.coordinator.record import By, record
from assay.study import Study


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did."""

    items: ImportedItems
    judgments: ImportedJudgments


def take_in(
    connection: Connection,
    by: By,
    study: Study,
    rows: Iterable[ImportedRow],
    judgments: Sequence[tuple[ItemName, ImportedAnswers]],
    folder: Path | None,
) -> ImportResult:
    """Take in items and what was judged elsewhere, all or nothing, and lay the items out for work.

    `judgments` is read after the last row, so that it may grow with the rows. Without a folder there are no items with
    known answers to take in: rows come from a script.
    """
    if folder is not None:
        added = imports.take_in(connection, by.study_id, study, rows, folder)
    else:
        added = items.add(connection, by.study_id, rows, study.seed)
        arrange(connection, by.study_id, study)
    done = imported_judgments.add(connection, by.study_id, study, judgments, by.at)
    if added.added:
        record(connection, by, "items", about=f"{added.added} taken in")
    record_corrections(connection, by, added.corrected)
    return ImportResult(added, done)


def record_corrections(connection: Connection, by: By, corrected: Mapping[str, Sequence[str]]) -> None:
    """Keep in the record which known answers of which file were corrected."""
    for file, names in corrected.items():
        record(connection, by, "correct answers", about=f"{file}: {', '.join(names)}")
