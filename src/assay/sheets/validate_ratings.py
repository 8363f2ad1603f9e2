"""Workbooks `human_ratings_<annotator>.xlsx`, as the in-car study has them: read back like any other sheet.

Scores stand under `dim_<dimension>`, the answers to entries by their text under `target_statuses_json`; what was
computed from them is computed anew. Items that were not given out here come in as judged elsewhere.
"""

import json
from collections.abc import Mapping
from typing import Any

from assay.exchange.human_ratings import HumanRatingsExport
from assay.judgments import Question, entries_of, questionnaire_of
from assay.mistakes import quote
from assay.model import UNABLE
from assay.sheets.cells import as_text, is_empty, same_number
from assay.sheets.named_people import find_annotator, is_storable, note_other_annotator, note_unknown_id
from assay.sheets.read import FilledSheet, ReadRow
from assay.sheets.validate_answers import Validator
from assay.store.coordinator import sheets
from assay.store.coordinator.sheets import KnownRow

ANNOTATOR = "annotator_id"
STATUSES = "target_statuses_json"
FILE_PREFIX = "human_ratings_"


def validate_ratings(validator: Validator, filled: FilledSheet) -> None:
    """Note every mistake in a workbook with ratings, and keep the rows that are right."""
    study, found = validator.study, validator.mistakes
    if why := HumanRatingsExport().refuses(study):
        found.add(filled.at(), f"the study {study.study!r} does not suit this layout: {why}", "name the study it is of")
        return
    item = "_".join(study.items.id)
    if missing := [name for name in (item, ANNOTATOR, STATUSES) if name not in filled.columns]:
        found.add(filled.at(), f"there is no column {', '.join(map(quote, missing))}", "save the workbook as it was")
        return
    name = find_annotator(validator, filled, ANNOTATOR, FILE_PREFIX)
    if name is None:
        return
    other = as_text(filled.about.get(ANNOTATOR)).strip()
    if other and other != name[1] and not same_number(other, name[1]):
        what = f"the sheet Metadata says {other!r}, and the ratings are by {name[1]!r}"
        validator.mistakes.add(filled.at(), what, "one workbook has one person's ratings")
    book = _RatingsWorkbook(validator, filled, item, name)
    for line in filled.lines:
        if line.number not in filled.broken:
            book.validate_row(line)


class _RatingsWorkbook:
    """One workbook of one annotator."""

    def __init__(self, validator: Validator, filled: FilledSheet, item: str, annotator: tuple[int, str]) -> None:
        self.validator, self.filled, self.item, self.annotator = validator, filled, item, annotator
        self.mistakes, self.study = validator.mistakes, validator.study
        [self.target] = [
            each for each in self.study.rubric if each.scope.of == "entries" and each.input.values() == (0, 1)
        ]

    def validate_row(self, line: ReadRow) -> None:
        """Note every mistake in a row, and keep it if it is right."""
        before = self.mistakes.count
        note_other_annotator(self.validator, self.filled, line, ANNOTATOR, self.annotator[1])
        known_row = self._find_row(line)
        if known_row is None or self.mistakes.count > before:
            return
        if not self.validator.is_first(f"{self.annotator[1]}\x1f{known_row.item}", self.filled, line, self.item):
            return
        statuses = self._statuses(line, known_row)
        if statuses is None:
            return
        questions = questionnaire_of(self.study, known_row.shown).questions
        columns, cells = self._columns(questions, line, statuses, known_row)
        read = FilledSheet(self.filled.path, self.filled.sheet, self.filled.columns, [], self.filled.about)
        self.validator.validate_answers(
            read, ReadRow(line.number, {**line.cells, **cells}), known_row, self.study, columns
        )

    def _find_row(self, line: ReadRow) -> KnownRow | None:
        said, where = as_text(line.cells[self.item]).strip(), self.filled.at(line, self.item)
        connection, study_id = self.validator.connection, self.validator.study_id
        known_row = (
            sheets.known_row_of_item(connection, self.study, study_id, self.annotator, said)
            if is_storable(said)
            else None
        )
        if known_row is None:
            known = sheets.item_names(connection, study_id)
            note_unknown_id(self.validator, where, said, known, "item", "take the items in first: assay import")
        elif known_row.state == "declined":
            self.mistakes.add(where, f"{self.annotator[1]} has declined this item on their page", "remove the row")
            return None
        return known_row

    def _statuses(self, line: ReadRow, known_row: KnownRow) -> Mapping[str, Any] | None:
        """The answers to the entries, by the entries' ids."""
        where, cell = self.filled.at(line, STATUSES), line.cells[STATUSES]
        if is_empty(cell):
            return {}
        try:
            found = json.loads(as_text(cell))
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            self.mistakes.add(where, f"{quote(cell)} is no JSON object", 'write {"text of the goal": 1}')
            return None
        ids = self._ids(known_row)
        unknown = [text for text in found if text not in ids and _without_number(text) not in known_row.dropped]
        for text in unknown:
            fix = f"entries here: {', '.join(map(quote, ids)) or 'none'}"
            self.mistakes.add(where, f"the item has no entry {quote(text)}", fix[:400])
        return None if unknown else {ids[text]: value for text, value in found.items() if text in ids}

    def _ids(self, known_row: KnownRow) -> dict[str, str]:
        """The entries' ids by their texts; a repeated text has a number behind it."""
        ids: dict[str, str] = {}
        for entry in entries_of(known_row.shown, self.target.scope.entries):
            text, number = entry["text"], 1
            while text in ids:
                number += 1
                text = f"{entry['text']} ({number})"
            ids[text] = entry["id"]
        return ids

    def _columns(
        self, questions: tuple[Question, ...], line: ReadRow, statuses: Mapping[str, Any], known_row: KnownRow
    ) -> tuple[dict[str, Question], dict[str, Any]]:
        """The questions by their columns, and the answers that do not stand in cells of their own."""
        columns: dict[str, Question] = {}
        cells: dict[str, Any] = {}
        texts = {id_: text for text, id_ in self._ids(known_row).items()}
        for each in questions:
            name = each.slot.dimension
            if name == self.target.dimension:
                name = f"{STATUSES}: {texts[each.slot.entry]}"
                value = statuses.get(each.slot.entry)
                unable = value is None and each.slot.entry in statuses and each.unable is not None
                cells[name] = UNABLE if unable else value
            elif f"dim_{name}" in line.cells:
                name = f"dim_{name}"
            elif name not in line.cells:
                # The original has no column for what is asked besides.
                cells[name] = ""
            columns[name] = each
        return columns, cells


def _without_number(text: str) -> str:
    """A text without the number that `_ids` adds to a repeated one."""
    head, _, behind = text.rpartition(" (")
    return head if head and behind.endswith(")") and behind[:-1].isdigit() else text
