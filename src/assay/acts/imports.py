"""Taking a study into the store: publishing its file, and taking in its items with what was judged elsewhere."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from assay.errors import Mistake, StudyMistakes
from assay.items.imported_judgments import ImportedAnswers, ItemName
from assay.items.reader import ImportedRow
from assay.judgments.lint_rules import rule_mistakes
from assay.store.coordinator import imported_judgments, imports, items, studies
from assay.store.coordinator.imported_judgments import ImportedJudgments
from assay.store.coordinator.item_plan import arrange
from assay.store.coordinator.items import ImportedItems
from assay.store.coordinator.record import By, record
from assay.store.coordinator.studies import Published
from assay.study import Study
from assay.study.load import locator


def publish(
    connection: Connection, who: str, study: Study, folder: Path, now: int, *, even_if_begun: bool = False
) -> Published:
    """Put a study into force: at once while nobody has judged, later only when asked to.

    The items with known answers that it names come in with it. A version that goes live while work is under way is
    recorded. Rules that cannot do what they say are refused, except in a version that was published before.
    """
    if not studies.has_version(connection, study):
        _refuse_rule_mistakes(study, folder)
    published = studies.publish(connection, study, now, even_if_begun=even_if_begun)
    if published.changed:
        corrected = imports.take_in_known(connection, published.id, study, folder)
        _record_corrections(connection, By(published.id, who, now), corrected)
    if published.changed and published.begun:
        record(connection, By(published.id, who, now), "publish", about=study.hash[:12])
    return published


def _refuse_rule_mistakes(study: Study, folder: Path) -> None:
    mistakes = list(rule_mistakes(study))
    if mistakes:
        place = locator(folder)
        raise StudyMistakes([Mistake(place(each.at), each.what, each.hint) for each in mistakes])


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
    _record_corrections(connection, by, added.corrected)
    return ImportResult(added, done)


def _record_corrections(connection: Connection, by: By, corrected: Mapping[str, Sequence[str]]) -> None:
    for file, names in corrected.items():
        record(connection, by, "correct answers", about=f"{file}: {', '.join(names)}")
