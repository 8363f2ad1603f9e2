"""Judgments that come with items, or in a sheet of their own: by people, or by automated judges."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from assay.errors import AnswerError, AssayError
from assay.items import Mistakes, Options, read_rows
from assay.items.fields import NOWHERE, value_at
from assay.items.rows import Place, Row, Rows
from assay.mistakes import quote
from assay.model import ROLES, UNABLE, Slot, Unable, Value
from assay.study.expression import holds
from assay.study.items import ImportedJudgments
from assay.study.rubric import Dimension
from assay.study.schema import Study

Entries = dict[str, list[tuple[Row, Row]]]
"""Of each list, its entries: what is shown of one, and what its file says of it."""


@dataclass(frozen=True, slots=True)
class Given:
    """Judgments that came with an item, by one annotator or one automated judge."""

    annotator: str
    judge: bool
    answers: dict[Slot, Value]
    pass_: int = 1
    """Which time it is that they judge the item."""


class OfGroup(NamedTuple):
    """An item that a sheet names by its group and its system."""

    group: str
    system: str

    def __str__(self) -> str:
        return f"of {self.group!r} by {self.system!r}"


Named = str | OfGroup


class GivenReader:
    """Reads judgments out of rows."""

    def __init__(self, study: Study, rows: Rows) -> None:
        self.study = study
        self.items = study.items
        self.rows = rows
        self.mistakes = rows.mistakes

    def given(self, row: Row, systems: tuple[str, ...], entries: Entries, place: Place) -> Iterator[Given]:
        """The judgments that a row brings."""
        for existing in self.items.judgments:
            raw = self.raw_values(existing, row, entries, systems)
            if existing.positions:
                longest = max((len(value) for value in raw.values() if isinstance(value, list)), default=0)
                for number in range(longest):
                    one = {
                        slot: value[number]
                        for slot, value in raw.items()
                        if isinstance(value, list) and number < len(value)
                    }
                    answers = self.answers(existing, one, systems, place)
                    yield Given(f"{existing.positions}-{number + 1}", False, answers)
                continue
            field_ = existing.annotator or existing.judge
            who = value_at(row, field_)
            if who is NOWHERE or who in ("", None):
                continue
            answers = self.answers(existing, raw, systems, place)
            if answers:
                yield Given(self.rows.text("annotator", who, place, field_), bool(existing.judge), answers)

    def raw_values(
        self, existing: ImportedJudgments, row: Row, entries: Entries, systems: tuple[str, ...] = ()
    ) -> dict[Slot, Any]:
        """The values that a row has for an annotator, as they stand there."""
        same = {each.dimension: each.dimension for each in self.study.rubric if each.dimension in row}
        named = existing.values or same
        found: dict[Slot, Any] = {}
        for name, path in named.items():
            scope = self.study.dimension(name).scope
            if scope.of == "entries":
                if scope.entries not in entries:
                    continue
                dropped = self.items.entries[scope.entries].dropped
                for shown, known in entries[scope.entries]:
                    asked = dropped is not None and dropped.then == "ask" and holds(dropped.tree, known)
                    found[Slot(name, entry=shown["id"])] = UNABLE if asked else value_at(known, path)
            elif scope.of == "side" and isinstance(of_both := value_at(row, path), dict):
                # Of each side its own value, under the name of the system that stands there.
                for role, system in zip(ROLES, systems, strict=False):
                    found[Slot(name, side=role)] = of_both.get(system)
            else:
                found[Slot(name)] = value_at(row, path)
        return {slot: value for slot, value in found.items() if value is not NOWHERE and value not in (None, "")}

    def answers(
        self, existing: ImportedJudgments, raw: dict[Slot, Any], systems: tuple[str, ...], place: Place
    ) -> dict[Slot, Value]:
        answers: dict[Slot, Value] = {}
        for slot, value in raw.items():
            dimension = self.study.dimension(slot.dimension)
            try:
                found = _value(dimension, existing.read.get(str(value), value), systems)
            except AnswerError as error:
                what = f"{quote(value)} cannot be an answer on {slot.dimension}: {error}"
                self.mistakes.add(what, "put it right, or map it in items.judgments.read", place)
                continue
            if found is not None:
                answers[slot] = found
        return answers


def _value(dimension: Dimension, raw: Any, systems: tuple[str, ...]) -> Value:
    """A value as a file has it: a number, a word, or the name of the system that was preferred."""
    if isinstance(raw, Unable) or (raw == UNABLE and dimension.unable):
        return UNABLE
    if dimension.input.compares:
        words = {system.casefold(): role for system, role in zip(systems, ROLES, strict=False)}
        said = str(raw).casefold()
        if said in words:
            return words[said]
        if said not in ("tie", "neither"):
            raise AnswerError(f"it is neither of {', '.join(systems)}, nor a tie")
        return said
    if isinstance(raw, list):
        return dimension.input.read([str(each) for each in raw])
    whole = isinstance(raw, float) and raw.is_integer()
    return dimension.input.read([str(int(raw) if whole else raw)])


def read_sheet(study: Study, path: Path) -> Iterator[tuple[Named, Given]]:
    """Read judgments from a sheet of their own: which item, who, and a column for each dimension."""
    if not path.is_file():
        raise AssayError(f"there is no file {path}", "name a sheet with judgments")
    mistakes = Mistakes(path)
    rows = Rows(mistakes)
    reader = GivenReader(study, rows)
    sheet: _Sheet | None = None
    for place, row in read_rows(path, mistakes, Options()):
        rows.rows += 1
        if sheet is None:
            sheet = _Sheet(study, _existing_for(study, row), reader)
            sheet.say_if_no_values(row, place)
        if rows.names_all(row, sheet.fields(), place):
            yield from sheet.judgments(row, place)
    rows.say_missing()
    mistakes.raise_if_any()


def _existing_for(study: Study, row: Row) -> ImportedJudgments:
    """What the study says of judgments in such a sheet: of several, the one whose person the sheet names."""
    named = [each for each in study.items.judgments if each.annotator or each.judge]
    found = [each for each in named if value_at(row, each.annotator or each.judge) is not NOWHERE]
    return next(iter([*found, *named]), ImportedJudgments(annotator="annotator_id"))


class _Sheet:
    """One sheet, read by what the study says of such sheets."""

    def __init__(self, study: Study, existing: ImportedJudgments, reader: GivenReader) -> None:
        self.study, self.existing, self.reader = study, existing, reader
        self.rows = reader.rows
        self.seen: dict[tuple[Named, str], int] = {}

    def fields(self) -> list[str]:
        """The fields that every row must have."""
        match = self.existing.match
        items = [match.group, match.system] if match else list(self.study.items.id)
        return [*items, self.existing.annotator or self.existing.judge]

    def say_if_no_values(self, row: Row, place: Place) -> None:
        """A sheet in which no dimension can be found is not an empty one."""
        paths = self.existing.values or {each.dimension: each.dimension for each in self.study.rubric}
        if all(value_at(row, path) is NOWHERE for path in paths.values()):
            what = "no dimension is a field of this sheet"
            self.rows.mistakes.add(what, f"one of: {', '.join(paths.values())}; items.judgments maps others", place)

    def judgments(self, row: Row, place: Place) -> Iterator[tuple[Named, Given]]:
        """What one row says."""
        existing = self.existing
        field = existing.annotator or existing.judge
        name, who = self._name(row, place), self.rows.text("annotator", value_at(row, field), place, field)
        times = self.seen[name, who] = self.seen.get((name, who), 0) + 1
        if times > 1 and not existing.repeat:
            hint = "keep one of the rows, or name the field that counts them in items.judgments.repeat"
            self.rows.mistakes.add(f"{who} judges {str(name)!r} a second time", hint, place)
        answers = self.reader.answers(existing, self.reader.raw_values(existing, row, {}), (), place)
        if answers:
            yield name, Given(who, bool(existing.judge), answers, times)

    def _name(self, row: Row, place: Place) -> Named:
        match = self.existing.match
        if match is None:
            return "/".join(self.rows.text("id", value_at(row, name), place, name) for name in self.study.items.id)
        group = self.rows.text("group", value_at(row, match.group), place, match.group)
        system = self.rows.text("system", value_at(row, match.system), place, match.system)
        return OfGroup(group, self.existing.read.get(system, system))
