"""What a filled sheet must be like to be taken in: read, told by its layout, and validated row by row.

Each layout has its own rules: `validate_own_layout.py`, `validate_ids.py` and `validate_ratings.py`. How the answers of
one row are read by the study's rules is the same for all of them: `validate_answers.py`.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy import Connection

from assay.sheets.read import FilledSheet, read_sheet
from assay.sheets.validate_answers import SheetResults, Validator
from assay.sheets.validate_ids import has_ids, validate_id_sheet
from assay.sheets.validate_own_layout import validate_sheet
from assay.sheets.validate_ratings import validate_ratings
from assay.study import Study


def validate_files(
    connection: Connection, study_id: int, study: Study, files: Sequence[Path], *, partial: bool = False
) -> SheetResults:
    """Read some files, and compare every row with the store and the study's rules."""
    validator = Validator(connection, study_id, study, partial)
    for path in files:
        filled = read_sheet(path, validator.mistakes)
        if filled is not None:
            _validator_of(study, filled)(validator, filled)
    return validator.results


def _validator_of(study: Study, filled: FilledSheet) -> Callable[[Validator, FilledSheet], None]:
    """The function that validates a sheet of this layout, which is told by its sheets, else by its columns."""
    if filled.has_ratings:
        return validate_ratings
    return validate_id_sheet if has_ids(study, filled) else validate_sheet
