"""Which rows of a backup may be gone because their import was undone or interrupted since."""

import re
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, inspect, select

from assay.store.engine.archive import columns_of, rows_of
from assay.store.tables import NONE_ARRIVES, import_

PICTURE = re.compile("[0-9a-f]{64}")


class TakenBack:
    """The rows of a backup that came with imports which were taken back since, or were under way and broken off."""

    def __init__(self, connection: Connection, archive: Connection) -> None:
        undone = select(import_.c.study_id, import_.c.number).where(import_.c.undone_at.is_not(None))
        self.imports = {tuple(row) for row in connection.execute(undone)}
        self.arriving = _first_items_to_arrive(archive)
        self.gone: dict[str, tuple[str, set[Any]]] = {}
        """For each table the column by which its rows are known, and its values in rows that may be gone."""
        if (self.imports or self.arriving) and inspect(archive).has_table(import_.name):
            self._find(archive)

    def explains(self, table: str, row: dict[str, Any]) -> bool:
        """Whether a row of the backup that is not there any more came with such an import."""
        column, found = self.gone.get(table, ("", set()))
        return row.get(column) in found

    def _find(self, archive: Connection) -> None:
        items = dict(self._came(archive, "item", "shown"))
        submissions = dict(self._came(archive, "submission", "annotator_id"))
        assignments = {
            id_
            for id_, item, first in rows_of(archive, "assignment", ("id", "item_id", "submission_id"))
            if item in items or first in submissions
        }
        self.gone = {
            "item": ("id", set(items)),
            "item_hidden": ("item_id", set(items)),
            "picture": ("hash", {each for shown in items.values() for each in PICTURE.findall(shown)}),
            "duplicate": ("name", {name for name, _ in self._came(archive, "duplicate", "item_id", key="name")}),
            "submission": ("id", set(submissions)),
            "judgment": ("submission_id", set(submissions)),
            "annotator": ("id", set(submissions.values())),
            "assignment": ("id", assignments),
            "problem": ("assignment_id", assignments),
        }

    def _came(self, archive: Connection, table: str, column: str, key: str = "id") -> Iterator[tuple[Any, Any]]:
        for found, value, study, number in rows_of(archive, table, (key, column, "study_id", "import_number")):
            if (study, number) in self.imports or (table == "item" and found >= self.arriving.get(study, NONE_ARRIVES)):
                yield found, value


def _first_items_to_arrive(archive: Connection) -> dict[int, int]:
    """The first item that was not in the study yet, for each study into which an import was under way."""
    columns = ("id", "arriving_from")
    if not set(columns) <= set(columns_of(archive, "study")):
        return {}
    return {study: first for study, first in rows_of(archive, "study", columns) if first < NONE_ARRIVES}
