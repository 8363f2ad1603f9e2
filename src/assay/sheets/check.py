"""Every row of a filled sheet, held against the store and the study's rules, before any of it is taken in.

A row is right when its id is one that this annotator was given, it stands there once, beside the texts that it went out
with, and its answers would be taken by the page.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from assay.acts.sheets import FilledRow
from assay.errors import AnswersRefused
from assay.judgments import MISSING, NOTHING, Question, overridden_warnings, questionnaire_of, read_answers
from assay.mistakes import quote
from assay.sheets.cells import as_text, form_strings, is_empty, same_number
from assay.sheets.columns import (
    ANNOTATOR,
    HEAD,
    ROW,
    ROW_ID,
    STUDY,
    Layout,
    choices_of,
    layout_of,
    questions_by_column,
    sheet_name,
)
from assay.sheets.read import Filled, Found, Line
from assay.store.annotator import versions
from assay.store.annotator.submissions import fingerprint
from assay.store.coordinator import sheets
from assay.store.coordinator.sheets import KnownRow
from assay.study import Study

COMPARED = 400
"""So many characters of a text are enough to know it by."""


@dataclass
class Checked:
    """What was found in some sheets."""

    found: Found = field(default_factory=Found)
    right: list[FilledRow] = field(default_factory=list)
    empty: int = 0
    """Rows that nobody has judged yet."""
    people: dict[str, int] = field(default_factory=dict)
    """Whose sheets they are."""

    @property
    def new(self) -> int:
        """How many rows say something of items that nothing was said of before."""
        return sum(not each.known.last for each in self.right)

    @property
    def changed(self) -> int:
        """How many say something else than before."""
        return sum(bool(each.known.last) and each.known.last != fingerprint(each.answers) for each in self.right)


@dataclass
class Checking:
    """Sheets that are looked at, one after another."""

    connection: Connection
    study_id: int
    study: Study
    """The version in force."""
    partial: bool = False
    checked: Checked = field(default_factory=Checked)
    seen: dict[str, str] = field(default_factory=dict)
    """Where each row was found first."""

    @property
    def found(self) -> Found:
        """What is wrong."""
        return self.checked.found

    def once(self, key: str, filled: Filled, line: Line, column: str) -> bool:
        """Whether a row stands in the sheets for the first time."""
        where = filled.at(line, column)
        if key in self.seen:
            self.found.add(where, f"this row stands in {self.seen[key]} too", "keep one of the two")
            return False
        self.seen[key] = f"{filled.path.name}, row {line.number}"
        return True

    def answers(
        self, filled: Filled, line: Line, place: KnownRow, study: Study, by_column: Mapping[str, Question]
    ) -> None:
        """Read the answers of a row by the rules of the study; what is right waits to be taken in."""
        lacking = [name for name in by_column if name not in line.cells]
        for name in lacking:
            if self.once_missing(filled, name):
                fix = "the column was removed or renamed: put it back as it was"
                self.found.add(filled.at(), f"there is no column {quote(name)}", fix)
        if lacking:
            return
        form = {each.key: form_strings(study, each, line.cells[name]) for name, each in by_column.items()}
        if not any(form.values()):
            self.not_judged(filled, line, place)
            return
        names = {question.key: name for name, question in by_column.items()}
        try:
            said = read_answers(study, place.shown, form)
        except AnswersRefused as refused:
            for key, reason in refused.reasons.items():
                self._refused(filled, line, names[key], by_column[names[key]], reason, study)
            return
        against = overridden_warnings(study, place.shown, said)
        for key in against:
            where = filled.at(line, names[key])
            self.found.warn(where, "goes against a rule that only warns", "it is taken all the same")
        raw = {question.key: question.dimension.input.write(said[question.slot]) for question in by_column.values()}
        self.checked.right.append(FilledRow(filled.path.name, place, study, said, raw, against))

    def once_missing(self, filled: Filled, name: str) -> bool:
        """Whether a missing column has not been spoken of."""
        key = f"column {filled.path} {name}"
        new = key not in self.seen
        self.seen[key] = ""
        return new

    def not_judged(self, filled: Filled, line: Line, place: KnownRow) -> None:
        """An empty row: judged before, or not yet."""
        if place.last:
            return
        self.checked.empty += 1
        if not self.partial:
            self.found.add(filled.at(line), "not judged yet: every answer is empty", "fill it in, or say --partial")

    def _refused(self, filled: Filled, line: Line, column: str, question: Question, reason: str, study: Study) -> None:
        value = line.cells.get(column)
        say = study.words.say
        if is_empty(value):
            words = reason if reason not in (say(MISSING), say(NOTHING)) else "an answer is needed"
            what = f"the cell is empty: {words}"
        else:
            what = f"{quote(value)}: {reason}"
        values = [as_text(each.value) for each in choices_of(study, question)]
        self.found.add(filled.at(line, column), what, f"one of: {', '.join(values)}" if values else "")


def check_sheet(checking: Checking, filled: Filled) -> None:
    """Look at a sheet in the program's own layout."""
    if lacking := [name for name in HEAD if name not in filled.columns]:
        fix = (
            f"a sheet that was given out begins with the columns {', '.join(HEAD)}; "
            "judgments in a layout of your own come in by `assay import --sheet`"
        )
        checking.found.add(filled.at(), f"there is no column {', '.join(map(quote, lacking))}", fix)
        return
    places = {line.number: _place(checking, filled, line) for line in filled.lines if line.number not in filled.broken}
    whose = Counter(place.annotator for place in places.values() if place is not None)
    if not filled.lines:
        checking.found.add(filled.at(), "there are no rows", "take the file that was given out")
    if not whose:
        return
    [(name, _)] = whose.most_common(1)
    _whose_file(checking, filled, name)
    sheet = _Sheet(checking, filled, name, [place.shown for place in places.values() if place is not None])
    for line in filled.lines:
        place = places.get(line.number)
        if place is not None:
            checking.checked.people.setdefault(place.annotator, place.annotator_id)
            sheet.check(line, place)


def _place(checking: Checking, filled: Filled, line: Line) -> KnownRow | None:
    where, value = filled.at(line, ROW), line.cells[ROW]
    known = ROW_ID.fullmatch(as_text(value).strip())
    if is_empty(value):
        checking.found.add(where, "the row has no id", "copy it from the file that was given out")
        return None
    place = sheets.known_row(checking.connection, checking.study_id, known[1]) if known else None
    if place is None:
        fix = "ids begin with r: take the row from the file that was given out"
        checking.found.add(where, f"{quote(value)} is no row that this study gave out", fix)
    return place


def _whose_file(checking: Checking, filled: Filled, name: str) -> None:
    """The name of the file has to say the same as its rows. A browser may have put a number behind it."""
    meant = sheet_name(checking.study, name)
    stem = filled.path.stem
    behind = stem.removeprefix(meant).strip()
    copied = stem.startswith(meant) and (
        not behind or (behind[0] == "(" and behind[1:-1].isdigit() and behind[-1] == ")")
    )
    if not copied:
        what = f"the file is called {filled.path.name!r}, and its rows were given to {name!r}"
        checking.found.add(filled.at(), what, f"call it {meant}{filled.path.suffix}, if it is this person's")


class _Sheet:
    """One sheet of one annotator."""

    def __init__(self, checking: Checking, filled: Filled, name: str, items: Sequence[Mapping[str, Any]]) -> None:
        self.checking, self.found, self.filled, self.name = checking, checking.found, filled, name
        self.versions = versions.versions(checking.connection, checking.study_id)
        self.layouts: dict[str, Layout] = {}
        self.items = items
        self.texts: dict[str, Counter[str]] = {}

    def check(self, line: Line, place: KnownRow) -> None:
        """Look at one row."""
        before = self.found.count
        if not self.checking.once(place.public_id, self.filled, line, ROW):
            return
        self._is_theirs(line, place)
        study = self._version(line)
        if place.state == "declined":
            where = self.filled.at(line, ROW)
            self.found.add(where, f"{place.annotator} has declined this item on their page", "remove the row")
        if study is None or self.found.count > before:
            return
        if not self._stands_beside_its_texts(line, place, study):
            return
        questions = questionnaire_of(study, place.shown).questions
        by_column = questions_by_column(study, questions, place.shown)
        self._nothing_more(line, by_column, study)
        if self.found.count == before:
            self.checking.answers(self.filled, line, place, study, by_column)

    def _is_theirs(self, line: Line, place: KnownRow) -> None:
        # In a CSV an apostrophe stands before a name that a spreadsheet would run as a formula.
        said = as_text(line.cells[ANNOTATOR]).strip()
        meant = {place.annotator, f"'{place.annotator}"}
        if place.annotator != self.name:
            what = f"this row belongs to another annotator: {place.annotator!r}, and the sheet is of {self.name!r}"
            self.found.add(self.filled.at(line, ROW), what, "move the row back into the other sheet")
        elif said not in meant and not same_number(said, place.annotator):
            what = f"{quote(said)}, but the row was given to {place.annotator!r}"
            self.found.add(
                self.filled.at(line, ANNOTATOR), what, f"write {place.annotator}, or use that person's own sheet"
            )

    def _version(self, line: Line) -> Study | None:
        said = as_text(line.cells[STUDY]).strip()
        name, _, version = said.partition("@")
        found = [each for hash_, each in self.versions.items() if version and hash_.startswith(version)]
        if name != self.checking.study.study or len(found) != 1:
            what = f"{quote(said)} is no version of {self.checking.study.study!r} that was in force"
            self.found.add(self.filled.at(line, STUDY), what, "copy it from the file that was given out")
            return None
        return found[0]

    def _layout(self, study: Study) -> Layout:
        if study.hash not in self.layouts:
            self.layouts[study.hash] = layout_of(study, self.items)
            self.texts[study.hash] = Counter(_known_by(self.layouts[study.hash], each) for each in self.items)
        return self.layouts[study.hash]

    def _stands_beside_its_texts(self, line: Line, place: KnownRow, study: Study) -> bool:
        """Whether a row has its own texts. Sorting some columns alone would give every answer to another item."""
        layout = self._layout(study)
        names = [each.heading for each in layout.content]
        if not all(name in line.cells for name in names):
            return True
        here = "\x1f".join(_plain(as_text(line.cells[name])) for name in names)
        own = _known_by(layout, place.shown)
        if here == own:
            return True
        where = self.filled.at(line, names[0])
        if self.texts[study.hash][here]:
            what = "the text beside this id is that of another row: some columns were sorted without the others"
            self.found.add(where, what, "sort whole rows only: undo it, or start from the file that was given out")
            return False
        self.found.warn(where, "the text was changed; what counts is the text that was given out")
        return True

    def _nothing_more(self, line: Line, by_column: Mapping[str, Question], study: Study) -> None:
        """An item with a short list has nothing to say in the columns of longer ones."""
        for each in self._layout(study).answers:
            value = line.cells.get(each.name)
            if each.name not in by_column and not is_empty(value):
                what = f"{quote(value)}, but nothing is asked here: the item has fewer entries"
                self.found.add(self.filled.at(line, each.name), what, "empty the cell")


def _known_by(layout: Layout, shown: Mapping[str, Any]) -> str:
    return "\x1f".join(_plain(each.text(shown)) for each in layout.content)


def _plain(text: str) -> str:
    """A text without what a spreadsheet may do to it: an apostrophe before a formula, other white space."""
    return " ".join(text.removeprefix("'").split())[:COMPARED]


def check_files(
    connection: Connection, study_id: int, study: Study, files: Sequence[Path], *, partial: bool = False
) -> Checked:
    """Read and check some files."""
    from assay.sheets.ratings import check_ratings
    from assay.sheets.read import read_sheet

    checking = Checking(connection, study_id, study, partial)
    for path in files:
        filled = read_sheet(path, checking.found)
        if filled is not None:
            (check_ratings if filled.has_ratings else check_sheet)(checking, filled)
    return checking.checked
