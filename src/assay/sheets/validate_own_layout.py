"""Sheets in the program's own layout: every row is compared with the store and the study's rules.

A row is right when its id is one that this annotator was given, it stands there once, beside the texts that it went out
with, and its answers would be taken by the page.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assay.judgments import Question, questionnaire_of
from assay.judgments.file_judgments import normalise
from assay.mistakes import quote
from assay.sheets.cells import as_text, is_empty, same_number
from assay.sheets.columns import (
    ANNOTATOR,
    HEAD,
    NOT_THIS_ONE,
    ROW,
    ROW_ID,
    STUDY,
    SheetLayout,
    layout_of,
    questions_by_column,
    sheet_name,
)
from assay.sheets.content import ContentColumn
from assay.sheets.read import FilledSheet, ReadRow
from assay.sheets.validate_answers import Validator
from assay.store.annotator import versions
from assay.store.coordinator import sheets
from assay.store.coordinator.sheets import KnownRow
from assay.study import Study


def validate_sheet(validator: Validator, filled: FilledSheet) -> None:
    """Note every mistake in a sheet, and keep the rows that are right."""
    if missing := [name for name in HEAD if name not in filled.columns]:
        fix = (
            f"a sheet that was given out begins with the columns {', '.join(HEAD)}, or with those of its layout; "
            "judgments in a layout of your own come in by `assay import --sheet`"
        )
        validator.mistakes.add(filled.at(), f"there is no column {', '.join(map(quote, missing))}", fix)
        return
    known_rows = {
        line.number: _find_row(validator, filled, line) for line in filled.lines if line.number not in filled.broken
    }
    whose = Counter(known_row.annotator for known_row in known_rows.values() if known_row is not None)
    if not filled.lines:
        validator.mistakes.add(filled.at(), "there are no rows", "take the file that was given out")
    if not whose:
        return
    [(name, _)] = whose.most_common(1)
    _validate_file_name(validator, filled, name)
    sheet = _AnnotatorSheet(
        validator, filled, name, [known_row.shown for known_row in known_rows.values() if known_row is not None]
    )
    for line in filled.lines:
        known_row = known_rows.get(line.number)
        if known_row is not None:
            validator.results.people.setdefault(known_row.annotator, known_row.annotator_id)
            sheet.validate_row(line, known_row)


def _find_row(validator: Validator, filled: FilledSheet, line: ReadRow) -> KnownRow | None:
    where, value = filled.at(line, ROW), line.cells[ROW]
    known = ROW_ID.fullmatch(as_text(value).strip())
    if is_empty(value):
        validator.mistakes.add(where, "the row has no id", "copy it from the file that was given out")
        return None
    known_row = sheets.known_row(validator.connection, validator.study_id, known[1]) if known else None
    if known_row is None:
        fix = "ids begin with r: take the row from the file that was given out"
        validator.mistakes.add(where, f"{quote(value)} is no row that this study gave out", fix)
    return known_row


def _validate_file_name(validator: Validator, filled: FilledSheet, name: str) -> None:
    """Note a mistake where the name of the file and its rows name different annotators."""
    meant = sheet_name(validator.study, name)
    names = validator.names_of(validator.people[name])
    if not any(filled.is_called(sheet_name(validator.study, each)) for each in names):
        what = f"the file is called {filled.path.name!r}, and its rows were given to {name!r}"
        validator.mistakes.add(filled.at(), what, f"call it {meant}{filled.path.suffix}, if it is this person's")


class _AnnotatorSheet:
    """One sheet of one annotator."""

    def __init__(
        self, validator: Validator, filled: FilledSheet, name: str, items: Sequence[Mapping[str, Any]]
    ) -> None:
        self.validator, self.mistakes, self.filled, self.name = validator, validator.mistakes, filled, name
        self.versions = versions.versions(validator.connection, validator.study_id)
        self.layouts: dict[str, SheetLayout] = {}
        self.items = items
        self.texts: dict[tuple[str, ...], Counter[str]] = {}

    def validate_row(self, line: ReadRow, known_row: KnownRow) -> None:
        """Note every mistake in a row, and keep it if it is right."""
        before = self.mistakes.count
        if not self.validator.is_first(known_row.public_id, self.filled, line, ROW):
            return
        self._validate_annotator(line, known_row)
        study = self._find_version(line)
        if not is_empty(line.cells.get(NOT_THIS_ONE)):
            self._leave_out(line, known_row, study)
            return
        if known_row.state == "declined":
            where = self.filled.at(line, ROW)
            self.mistakes.add(where, f"{known_row.annotator} has declined this item on their page", "remove the row")
        if study is None or self.mistakes.count > before:
            return
        if not self._has_its_own_texts(line, known_row, study):
            return
        questions = questionnaire_of(study, known_row.shown).questions
        by_column = questions_by_column(study, questions, known_row.shown)
        self._note_extra_answers(line, by_column, study)
        if self.mistakes.count == before:
            self.validator.validate_answers(self.filled, line, known_row, study, by_column)

    def _leave_out(self, line: ReadRow, known_row: KnownRow, study: Study | None) -> None:
        """A row that somebody would rather not judge: it has no answers, and nothing was submitted for it before."""
        if study is not None:
            answers = [each.name for each in self._layout(study).answers]
            self.validator.leave_out(self.filled, line, known_row, NOT_THIS_ONE, answers)

    def _validate_annotator(self, line: ReadRow, known_row: KnownRow) -> None:
        # In a CSV an apostrophe stands before a name that a spreadsheet would run as a formula.
        said = as_text(line.cells[ANNOTATOR]).strip()
        names = self.validator.names_of(known_row.annotator_id)
        meant = {*names, *(f"'{name}" for name in names)}
        if known_row.annotator != self.name:
            what = f"this row belongs to another annotator: {known_row.annotator!r}, and the sheet is of {self.name!r}"
            self.mistakes.add(self.filled.at(line, ROW), what, "move the row back into the other sheet")
        elif said not in meant and not any(same_number(said, name) for name in names):
            what = f"{quote(said)}, but the row was given to {known_row.annotator!r}"
            self.mistakes.add(
                self.filled.at(line, ANNOTATOR), what, f"write {known_row.annotator}, or use that person's own sheet"
            )

    def _find_version(self, line: ReadRow) -> Study | None:
        said = as_text(line.cells[STUDY]).strip()
        name, _, version = said.partition("@")
        found = [each for hash_, each in self.versions.items() if version and hash_.startswith(version)]
        if name != self.validator.study.study or len(found) != 1:
            what = f"{quote(said)} is no version of {self.validator.study.study!r} that was in force"
            self.mistakes.add(self.filled.at(line, STUDY), what, "copy it from the file that was given out")
            return None
        return found[0]

    def _layout(self, study: Study) -> SheetLayout:
        if study.hash not in self.layouts:
            self.layouts[study.hash] = layout_of(study, self.items)
        return self.layouts[study.hash]

    def _has_its_own_texts(self, line: ReadRow, known_row: KnownRow, study: Study) -> bool:
        """Whether a row has its own texts. Sorting some columns alone would give every answer to another item."""
        content = [each for each in self._layout(study).content if each.heading in line.cells]
        here = "\x1f".join(normalise(as_text(line.cells[each.heading])) for each in content)
        if here == _text_key(content, known_row.shown):
            return True
        names = tuple(each.heading for each in content)
        if (study.hash, *names) not in self.texts:
            self.texts[study.hash, *names] = Counter(_text_key(content, each) for each in self.items)
        where = self.filled.at(line, names[0])
        if self.texts[study.hash, *names][here]:
            what = "the text beside this id is that of another row: some columns were sorted without the others"
            self.mistakes.add(where, what, "sort whole rows only: undo it, or start from the file that was given out")
            return False
        self.mistakes.warn(where, "the text was changed; what counts is the text that was given out")
        return True

    def _note_extra_answers(self, line: ReadRow, by_column: Mapping[str, Question], study: Study) -> None:
        """Note answers in columns that this item's list is too short for."""
        for each in self._layout(study).answers:
            value = line.cells.get(each.name)
            if each.name not in by_column and not is_empty(value):
                what = f"{quote(value)}, but nothing is asked here: the item has fewer entries"
                self.mistakes.add(self.filled.at(line, each.name), what, "empty the cell")


def _text_key(content: Sequence[ContentColumn], shown: Mapping[str, Any]) -> str:
    return "\x1f".join(normalise(each.text(shown)) for each in content)
