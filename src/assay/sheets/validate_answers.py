"""What is found in filled sheets, and how the answers of one row are read by the study's rules."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sqlalchemy import Connection

from assay.acts.sheets import FilledRow
from assay.errors import AnswersRefused
from assay.judgments import MISSING, NOTHING, Question, not_asked, overridden_warnings, read_answers
from assay.mistakes import quote
from assay.sheets.cells import as_text, form_strings, is_empty
from assay.sheets.columns import choices_of
from assay.sheets.read import FilledSheet, ReadRow, SheetMistakes
from assay.store.annotator.submissions import fingerprint
from assay.store.coordinator import sheets
from assay.store.coordinator.sheets import KnownRow
from assay.study import Study


@dataclass
class SheetResults:
    """What validating some sheets has found."""

    mistakes: SheetMistakes = field(default_factory=SheetMistakes)
    right: list[FilledRow] = field(default_factory=list)
    empty: int = 0
    """Rows that nobody has judged yet."""
    people: dict[str, int] = field(default_factory=dict)
    """Whose sheets they are."""
    declined: list[KnownRow] = field(default_factory=list)
    """What they would rather not judge."""

    @property
    def n_new(self) -> int:
        """The number of rows with answers to items that had none before."""
        return sum(not each.known.last for each in self.right)

    @property
    def n_changed(self) -> int:
        """The number of rows with other answers than before."""
        return sum(bool(each.known.last) and each.known.last != fingerprint(each.answers) for each in self.right)


@dataclass
class Validator:
    """Validates sheets, one after another, and keeps what it found."""

    connection: Connection
    study_id: int
    study: Study
    """The version in force."""
    partial: bool = False
    results: SheetResults = field(default_factory=SheetResults)
    seen: dict[str, str] = field(default_factory=dict)
    """Where each row was found first."""

    @cached_property
    def people(self) -> dict[str, int]:
        """Who is meant by a name or a pseudonym."""
        return sheets.names(self.connection, self.study_id)

    def names_of(self, annotator_id: int) -> list[str]:
        """The names that a sheet may call an annotator by: the pseudonym first, then the name."""
        return [name for name, mine in self.people.items() if mine == annotator_id]

    @property
    def mistakes(self) -> SheetMistakes:
        """What is wrong."""
        return self.results.mistakes

    def is_first(self, key: str, filled: FilledSheet, line: ReadRow, column: str) -> bool:
        """Whether a row stands in the sheets for the first time."""
        where = filled.at(line, column)
        if key in self.seen:
            self.mistakes.add(where, f"this row stands in {self.seen[key]} too", "keep one of the two")
            return False
        self.seen[key] = f"{filled.path.name}, row {line.number}"
        return True

    def validate_answers(
        self,
        filled: FilledSheet,
        line: ReadRow,
        known_row: KnownRow,
        study: Study,
        by_column: Mapping[str, Question],
        optional: Collection[str] = (),
    ) -> None:
        """Validate the answers of a row by the rules of the study; valid ones are kept to be stored.

        The questions with the keys of `optional` have no column on this sheet, and need none.
        """
        missing = [name for name in by_column if name not in line.cells]
        for name in missing:
            if self.is_first_mention(filled, name):
                fix = "the column was removed or renamed: put it back as it was"
                self.mistakes.add(filled.at(), f"there is no column {quote(name)}", fix)
        if missing:
            return
        form = {each.key: form_strings(study, each, line.cells[name]) for name, each in by_column.items()}
        if not any(form.values()):
            self.note_empty_row(filled, line, known_row)
            return
        names = {question.key: name for name, question in by_column.items()}
        try:
            said = read_answers(study, known_row.shown, form, refuse_unasked=True, optional=optional)
        except AnswersRefused as refused:
            for key, reason in refused.reasons.items():
                self._note_refusal(filled, line, names[key], by_column[names[key]], reason, study)
            return
        against = overridden_warnings(study, known_row.shown, said)
        for key in against:
            where = filled.at(line, names[key])
            self.mistakes.warn(where, "goes against a rule that only warns", "it is taken all the same")
        asked = [question for question in by_column.values() if question.slot in said]
        raw = {question.key: question.dimension.input.write(said[question.slot]) for question in asked}
        self.results.right.append(FilledRow(filled.path.name, known_row, study, said, raw, against))

    def leave_out(
        self, filled: FilledSheet, line: ReadRow, known_row: KnownRow, column: str, answers: Sequence[str]
    ) -> None:
        """Note that somebody declines an item: the row has no answers, and none were submitted before."""
        where = filled.at(line, column)
        said = [name for name in answers if not is_empty(line.cells.get(name))]
        if said:
            what = f"the item is to be left out, and {said[0]} is answered"
            self.mistakes.add(where, what, "empty this cell, or the answers")
        elif known_row.state == "submitted":
            what = "the item is to be left out, and was judged before"
            self.mistakes.add(where, what, "empty this cell: what was judged stays")
        elif known_row.state != "declined":
            self.results.declined.append(known_row)

    def is_first_mention(self, filled: FilledSheet, name: str) -> bool:
        """Whether a missing column has not been reported yet for this file. It counts as reported from now on."""
        key = f"column {filled.path} {name}"
        new = key not in self.seen
        self.seen[key] = ""
        return new

    def note_empty_row(self, filled: FilledSheet, line: ReadRow, known_row: KnownRow) -> None:
        """Count a row without answers, unless its item was judged before; a mistake, unless sheets may be partial."""
        if known_row.last:
            return
        self.results.empty += 1
        if not self.partial:
            self.mistakes.add(filled.at(line), "not judged yet: every answer is empty", "fill it in, or say --partial")

    def _note_refusal(
        self, filled: FilledSheet, line: ReadRow, column: str, question: Question, reason: str, study: Study
    ) -> None:
        value, say = line.cells.get(column), study.words.say
        if reason == say(not_asked(question)):
            what = f"{quote(value)}, but this is asked only when {question.dimension.ask_when}"
            self.mistakes.add(filled.at(line, column), what, "empty the cell, or look at the answers before it")
            return
        if is_empty(value):
            words = reason if reason not in (say(MISSING), say(NOTHING)) else "an answer is needed"
            what = f"the cell is empty: {words}"
        else:
            what = f"{quote(value)}: {reason}"
        values = [as_text(each.value) for each in choices_of(study, question)]
        self.mistakes.add(filled.at(line, column), what, f"one of: {', '.join(values)}" if values else "")
