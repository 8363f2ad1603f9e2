"""Filled sheets, held against the store and the study's rules, before any of them is taken in."""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection

from assay.sheets.human_ratings import validate_ratings
from assay.sheets.own_layout import validate_sheet
from assay.sheets.read import read_sheet
from assay.sheets.validator import SheetResults, Validator
from assay.study import Study


def validate_files(
    connection: Connection, study_id: int, study: Study, files: Sequence[Path], *, partial: bool = False
) -> SheetResults:
    """Read some files and hold every row against the store and the study's rules."""
    validator = Validator(connection, study_id, study, partial)
    for path in files:
        filled = read_sheet(path, validator.mistakes)
        if filled is not None:
            (validate_ratings if filled.has_ratings else validate_sheet)(validator, filled)
    return validator.results
