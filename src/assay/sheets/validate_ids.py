"""Sheets in the layouts of the originals: every row names its item and its annotator.

Only what was given out is taken: judgments from elsewhere in the same layout come in by `assay import --sheet`.
"""

from assay.exchange.submissions import annotator_field, sheet_fields, sheet_import_of, text_fields
from assay.files.formulas import as_it_was
from assay.judgments import Question, questionnaire_of
from assay.judgments.file_judgments import OTHER_TEXT, normalise, text_mistake
from assay.mistakes import quote
from assay.sheets.cells import as_text, is_empty
from assay.sheets.columns import NOT_THIS_ONE, ROW
from assay.sheets.id_layouts import SHEET
from assay.sheets.named_people import find_annotator, is_storable, note_other_annotator, note_unknown_id
from assay.sheets.read import FilledSheet, ReadRow
from assay.sheets.validate_answers import Validator
from assay.store.coordinator import sheets
from assay.store.coordinator.sheets import KnownRow
from assay.study import Study


def has_ids(study: Study, filled: FilledSheet) -> bool:
    """Whether a sheet names items and annotators by the ids of the item file."""
    wanted = {*study.items.id[:1], annotator_field(study)}
    return len(study.items.id) == 1 and ROW not in filled.columns and wanted <= set(filled.columns)


def validate_id_sheet(validator: Validator, filled: FilledSheet) -> None:
    """Note every mistake in a sheet, and keep the rows that are right."""
    annotator = find_annotator(validator, filled, annotator_field(validator.study), SHEET, exactly=True)
    if annotator is None:
        return
    sheet = _IdSheet(validator, filled, annotator)
    for line in filled.lines:
        if line.number not in filled.broken:
            sheet.validate_row(line)


class _IdSheet:
    """One sheet of one annotator."""

    def __init__(self, validator: Validator, filled: FilledSheet, annotator: tuple[int, str]) -> None:
        self.validator, self.mistakes, self.filled = validator, validator.mistakes, filled
        self.annotator, self.study = annotator, validator.study
        self.id = self.study.items.id[0]

    def validate_row(self, line: ReadRow) -> None:
        """Note every mistake in a row, and keep it if it is right."""
        before = self.mistakes.count
        note_other_annotator(self.validator, self.filled, line, annotator_field(self.study), self.annotator[1])
        left_out = not is_empty(line.cells.get(NOT_THIS_ONE))
        known_row = self._find_row(line, left_out)
        if known_row is None or self.mistakes.count > before:
            return
        if not self.validator.is_first(known_row.public_id, self.filled, line, self.id):
            return
        if left_out:
            answers = list(sheet_fields(self.study).values())
            self.validator.leave_out(self.filled, line, known_row, NOT_THIS_ONE, answers)
            return
        self._compare_texts(line, known_row)
        if self.mistakes.count == before:
            columns, optional = self._columns(line, known_row)
            self.validator.validate_answers(self.filled, line, known_row, self.study, columns, optional)

    def _find_row(self, line: ReadRow, left_out: bool) -> KnownRow | None:
        said, where = as_it_was(as_text(line.cells[self.id]).strip()), self.filled.at(line, self.id)
        validator, (annotator_id, name) = self.validator, self.annotator
        known_row = (
            sheets.known_row_by_name(validator.connection, validator.study_id, annotator_id, said)
            if is_storable(said)
            else None
        )
        if known_row is not None:
            if known_row.state == "declined" and not left_out:
                self.mistakes.add(where, f"{name} has declined this item on their page", "remove the row")
                return None
            return known_row
        known = sheets.item_names(validator.connection, validator.study_id)
        if said in known:
            what = f"{quote(said)} was not given to {name}"
            fix = "`assay sheets out` gives items out; what was judged elsewhere comes in by `assay import --sheet`"
            self.mistakes.add(where, what, fix)
        else:
            note_unknown_id(validator, where, said, known, "item", "copy the id from the file that was given out")
        return None

    def _compare_texts(self, line: ReadRow, known_row: KnownRow) -> None:
        """Note a mistake where the texts beside an id are not the item's own: the answers may be another item's."""
        for name in text_fields(self.study):
            text, own = as_text(line.cells.get(name)), known_row.shown.get(name)
            if isinstance(own, str) and name in self.filled.columns and normalise(text) != normalise(own):
                self.mistakes.add(self.filled.at(line, name), text_mistake(name, text), OTHER_TEXT)

    def _columns(self, line: ReadRow, known_row: KnownRow) -> tuple[dict[str, Question], list[str]]:
        """The questions by their columns, and the keys of those that this sheet need not ask.

        The originals have no columns for optional questions, nor for those that `items.judgments.optional` names. A
        column that is there was given out, so an empty cell in it is a missing answer.
        """
        named, fields = sheet_fields(self.study), sheet_import_of(self.study)
        columns: dict[str, Question] = {}
        optional: list[str] = []
        for each in questionnaire_of(self.study, known_row.shown).questions:
            column = named[each.slot.dimension]
            if column not in self.filled.columns:
                if fields is not None and each.slot.dimension in fields.optional:
                    optional.append(each.key)
                    continue
                if each.dimension.optional:
                    line.cells[column] = ""
            columns[column] = each
        return columns, optional
