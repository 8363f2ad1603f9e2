"""What a study's files bring into the store: its items, those with known answers, and their places in the work."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection

from assay.items.reader import ImportedRow
from assay.items.reference_items import read_reference_items, reference_files
from assay.store.coordinator import arriving, items
from assay.store.coordinator.item_plan import arrange
from assay.store.tables import EVERYBODY
from assay.study import Study


def take_in(
    connection: Connection,
    study_id: int,
    study: Study,
    intakes: Iterable[ImportedRow],
    folder: Path,
    number: int | None = None,
) -> items.ImportedItems:
    """Take in items, and what else the study's folder holds for the work. `number` is that of the import."""
    arriving.delete_all(connection, study_id)
    wanted = study.assignment.annotators_of_item(EVERYBODY)
    done = items.add(connection, study_id, intakes, study.seed, number=number, wanted=wanted)
    return replace(done, corrected=take_in_known(connection, study_id, study, folder))


def take_in_known(connection: Connection, study_id: int, study: Study, folder: Path) -> dict[str, list[str]]:
    """Import the items with known answers that a study names, and compute the places of all items.

    Returns the items whose known answers have changed, by file.
    """
    arriving.delete_all(connection, study_id)
    corrected = add_known(connection, study_id, study, folder)
    arrange(connection, study_id, study)
    return corrected


def add_known(connection: Connection, study_id: int, study: Study, folder: Path) -> dict[str, list[str]]:
    """Import the items with known answers alone. Returns those whose known answers have changed."""
    corrected = {
        file.file: items.add_known(
            connection, study_id, read_reference_items(study, file, folder), study.seed, file.name
        )
        for file in reference_files(study)
    }
    return {file: names for file, names in corrected.items() if names}
