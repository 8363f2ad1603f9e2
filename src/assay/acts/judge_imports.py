"""Taking in what automated judges said: as an import, which can be listed and taken back like any other."""

from collections.abc import Sequence

from sqlalchemy import Connection

from assay.acts.imports import ImportResult, take_in
from assay.items.imported_judgments import ImportedAnswers
from assay.store.coordinator.record import By
from assay.study import Study


def take_in_judged(
    connection: Connection,
    by: By,
    study: Study,
    judgments: Sequence[tuple[str, ImportedAnswers]],
    file: str,
    *,
    replace: bool = False,
) -> ImportResult:
    """Take in the judgments of a run. What is there already stays; a judge takes no item's place from a person."""
    return take_in(connection, by, study, (), judgments, None, (file,), replace=replace, partial=True)
