"""Judgments made elsewhere, by people or by automated judges: in the rows of the items, or in a file of their own."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from assay.errors import AnswerError, AssayError
from assay.items import Mistakes, Options, read_rows
from assay.items.fields import ABSENT, value_at
from assay.items.rows import Location, Row, RowFields
from assay.mistakes import quote
from assay.model import UNABLE, Slot, Unable, Value
from assay.sides_and_candidates import systems_by_role
from assay.study.expression import holds
from assay.study.items import JudgmentFields
from assay.study.rubric import Dimension
from assay.study.schema import Study

Entries = dict[str, list[tuple[Row, Row]]]
"""The entries of each list: the shown fields of an entry, and all of its fields."""


@dataclass(frozen=True, slots=True)
class ImportedAnswers:
    """The imported judgments of one item by one annotator or one automated judge."""

    annotator: str
    judge: bool
    answers: dict[Slot, Value]
    pass_: int = 1
    """1 for the first time that they judge the item, 2 for the second, and so on."""


class GroupAndSystem(NamedTuple):
    """An item that a sheet names by its group and its system."""

    group: str
    system: str

    def __str__(self) -> str:
        return f"of {self.group!r} by {self.system!r}"


ItemName = str | GroupAndSystem


class ImportedAnswersReader:
    """Reads judgments out of rows, as `items.judgments` in the study file says."""

    def __init__(self, study: Study, fields: RowFields) -> None:
        self.study = study
        self.items = study.items
        self.fields = fields
        self.mistakes = fields.mistakes

    def in_row(
        self, row: Row, systems: tuple[str, ...], entries: Entries, location: Location
    ) -> Iterator[ImportedAnswers]:
        """The judgments in a row of an item."""
        for settings in self.items.judgments:
            raw = self.raw_values(settings, row, entries, systems)
            if settings.positions:
                longest = max((len(value) for value in raw.values() if isinstance(value, list)), default=0)
                for number in range(longest):
                    one = {
                        slot: value[number]
                        for slot, value in raw.items()
                        if isinstance(value, list) and number < len(value)
                    }
                    answers = self.read_answers(settings, one, systems, location)
                    yield ImportedAnswers(f"{settings.positions}-{number + 1}", False, answers)
                continue
            field_ = settings.annotator or settings.judge
            who = value_at(row, field_)
            if who is ABSENT or who in ("", None):
                continue
            answers = self.read_answers(settings, raw, systems, location)
            if answers:
                yield ImportedAnswers(
                    self.fields.text("annotator", who, location, field_), bool(settings.judge), answers
                )

    def raw_values(
        self, settings: JudgmentFields, row: Row, entries: Entries, systems: tuple[str, ...] = ()
    ) -> dict[Slot, Any]:
        """The values of a row, by question, as the file has them."""
        same = {each.dimension: each.dimension for each in self.study.rubric if each.dimension in row}
        named = settings.values or same
        found: dict[Slot, Any] = {}
        for name, path in named.items():
            scope = self.study.dimension(name).scope
            if scope.of == "entries":
                if scope.entries not in entries:
                    continue
                dropped = self.items.entries[scope.entries].dropped
                for shown, known in entries[scope.entries]:
                    is_dropped = dropped is not None and dropped.then == "ask" and holds(dropped.tree, known)
                    found[Slot(name, entry=shown["id"])] = UNABLE if is_dropped else value_at(known, path)
            elif scope.of == "side" and isinstance(by_system := value_at(row, path), dict):
                # A value for each side, by the name of its system.
                by_system = {self.items.system_name(system): value for system, value in by_system.items()}
                for role, system in systems_by_role(systems).items():
                    found[Slot(name, side=role)] = by_system.get(system)
            else:
                found[Slot(name)] = value_at(row, path)
        return {slot: value for slot, value in found.items() if value is not ABSENT and value not in (None, "")}

    def read_answers(
        self, settings: JudgmentFields, raw: dict[Slot, Any], systems: tuple[str, ...], location: Location
    ) -> dict[Slot, Value]:
        answers: dict[Slot, Value] = {}
        for slot, value in raw.items():
            dimension = self.study.dimension(slot.dimension)
            try:
                meant = settings.read.get(str(value), value)
                if dimension.input.compares:
                    meant = self.items.system_name(str(meant))
                found = _read_value(dimension, meant, systems)
            except AnswerError as error:
                what = f"{quote(value)} cannot be an answer on {slot.dimension}: {error}"
                self.mistakes.add(what, "put it right, or map it in items.judgments.read", location)
                continue
            if found is not None:
                answers[slot] = found
        return answers


def _read_value(dimension: Dimension, raw: Any, systems: tuple[str, ...]) -> Value:
    """Read a value of a file: a number, a word, or the name of the preferred system."""
    if isinstance(raw, Unable) or (raw == UNABLE and dimension.unable):
        return UNABLE
    if dimension.input.compares:
        words = {system.casefold(): role for role, system in systems_by_role(systems).items()}
        word = str(raw).casefold()
        if word in words:
            return words[word]
        if word not in ("tie", "neither"):
            raise AnswerError(f"it is neither of {', '.join(systems)}, nor a tie")
        return word
    if isinstance(raw, list):
        return dimension.input.read([str(each) for each in raw])
    whole = isinstance(raw, float) and raw.is_integer()
    return dimension.input.read([str(int(raw) if whole else raw)])


def read_judgment_sheet(study: Study, path: Path) -> Iterator[tuple[ItemName, ImportedAnswers]]:
    """Read a file of judgments: each row says which item and who, and has a column for each dimension."""
    if not path.is_file():
        raise AssayError(f"there is no file {path}", "name a sheet with judgments")
    mistakes = Mistakes(path)
    fields = RowFields(mistakes)
    reader = ImportedAnswersReader(study, fields)
    sheet: _JudgmentSheet | None = None
    for location, row in read_rows(path, mistakes, Options()):
        fields.rows += 1
        if sheet is None:
            sheet = _JudgmentSheet(study, _settings_for(study, row), reader)
            sheet.report_if_no_values(row, location)
        if fields.names_all(row, sheet.needed_fields(), location):
            yield from sheet.row_judgments(row, location)
    fields.report_missing()
    mistakes.raise_if_any()


def _settings_for(study: Study, row: Row) -> JudgmentFields:
    """The entry of `items.judgments` for this file: of several, the first whose annotator or judge is a field of it."""
    named = [each for each in study.items.judgments if each.annotator or each.judge]
    found = [each for each in named if value_at(row, each.annotator or each.judge) is not ABSENT]
    return next(iter([*found, *named]), JudgmentFields(annotator="annotator_id"))


class _JudgmentSheet:
    """One file of judgments, read as one entry of `items.judgments` says."""

    def __init__(self, study: Study, settings: JudgmentFields, reader: ImportedAnswersReader) -> None:
        self.study, self.settings, self.reader = study, settings, reader
        self.fields = reader.fields
        self.seen: dict[tuple[ItemName, str], int] = {}

    def needed_fields(self) -> list[str]:
        """The fields that every row must have."""
        match = self.settings.match
        items = [match.group, match.system] if match else list(self.study.items.id)
        return [*items, self.settings.annotator or self.settings.judge]

    def report_if_no_values(self, row: Row, location: Location) -> None:
        """Note a mistake where no dimension is a field: the file is not read as if it were empty."""
        paths = self.settings.values or {each.dimension: each.dimension for each in self.study.rubric}
        if all(value_at(row, path) is ABSENT for path in paths.values()):
            what = "no dimension is a field of this sheet"
            self.fields.mistakes.add(
                what, f"one of: {', '.join(paths.values())}; items.judgments maps others", location
            )

    def row_judgments(self, row: Row, location: Location) -> Iterator[tuple[ItemName, ImportedAnswers]]:
        """The judgments in one row, with the item that they are about."""
        settings = self.settings
        field = settings.annotator or settings.judge
        name, who = self._item_name(row, location), self.fields.text("annotator", value_at(row, field), location, field)
        times = self.seen[name, who] = self.seen.get((name, who), 0) + 1
        if times > 1 and not settings.repeat:
            hint = "keep one of the rows, or name the field that counts them in items.judgments.repeat"
            self.fields.mistakes.add(f"{who} judges {str(name)!r} a second time", hint, location)
        answers = self.reader.read_answers(settings, self.reader.raw_values(settings, row, {}), (), location)
        if answers:
            yield name, ImportedAnswers(who, bool(settings.judge), answers, times)

    def _item_name(self, row: Row, location: Location) -> ItemName:
        match = self.settings.match
        if match is None:
            return "/".join(self.fields.text("id", value_at(row, name), location, name) for name in self.study.items.id)
        group = self.fields.text("group", value_at(row, match.group), location, match.group)
        system = self.fields.text("system", value_at(row, match.system), location, match.system)
        return GroupAndSystem(group, self.study.items.system_name(self.settings.read.get(system, system)))
