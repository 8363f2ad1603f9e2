"""Judgments made elsewhere, by people or by automated judges: in the rows of the items.

`judgment_sheet.py` reads those in a file of their own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from assay.errors import AnswerError
from assay.inputs.one_of import OneOf
from assay.items.fields import ABSENT, value_at
from assay.items.judgment_fields import JudgmentsWanted, NamedFields, is_blank
from assay.items.rows import Location, Row, RowFields
from assay.items.run_facts import RunFacts
from assay.mistakes import quote
from assay.model import UNABLE, Slot, Unable, Value
from assay.sides_and_candidates import roles_by_side, systems_by_role
from assay.study.evaluate import holds
from assay.study.judgment_fields import JudgmentFields
from assay.study.rubric import Dimension, Scope
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
    preferred: Mapping[Slot, str] = field(default_factory=dict)
    """Preferences by the name of a system, where the store alone knows which systems the item compares."""
    blank: tuple[Slot, ...] = field(default=(), compare=False)
    """What the file has no answer to, and should have."""
    said: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The texts of a sheet that stand beside the answers, by the item's field."""
    on_sides: tuple[str, str] | None = None
    """The systems left and right, where the answers speak of sides and not of candidates."""
    swapped: bool | None = field(default=None, compare=False)
    """Whether the second candidate stood on the left; None: not known. The answers speak of candidates all the same."""
    doubt: float | None = field(default=None, compare=False)
    """How unsure a judge says it is, from 0 to 1; None: it did not say."""
    run: RunFacts | None = field(default=None, compare=False)
    """How the judge was run; None: not known."""


class GroupAndSystem(NamedTuple):
    """An item that a sheet names by its group and its system."""

    group: str
    system: str

    def __str__(self) -> str:
        return f"of {self.group!r} by {self.system!r}"


ItemName = str | GroupAndSystem


class ImportedAnswersReader:
    """Reads judgments out of rows, as `items.judgments` in the study file says."""

    def __init__(self, study: Study, fields: RowFields, wanted: JudgmentsWanted) -> None:
        self.study = study
        self.items = study.items
        self.fields = fields
        self.mistakes = fields.mistakes
        self.wanted = wanted
        # An entry with `match` is about sheets, whose rows name no item.
        self.named = [NamedFields(study, each, fields, wanted) for each in self.items.judgments if each.match is None]
        self.seen: dict[tuple[ItemName, str], list[str]] = {}
        self._reads: dict[int, list[tuple[Slot, str, Scope]]] = {}

    def in_row(
        self, name: str, row: Row, systems: tuple[str, ...], entries: Entries, location: Location
    ) -> Iterator[ImportedAnswers]:
        """The judgments in a row of an item."""
        # Several entries may name the same fields, each for somebody else: a score is then that of whoever is named.
        whose = {path for named in self.named if named.is_named(row) for path in named.paths.values()}
        for named in self.named:
            if named.is_silent(row):
                continue
            settings = named.settings
            values = self.values_in(settings, row, entries, systems, location)
            named.note_fields(row, values)
            if settings.positions:
                for each in self._by_place(named, values, systems, location):
                    yield replace(each, on_sides=self.sides_in(settings, row, location))
            elif not named.is_named(row):
                named.note_nobody(values, location, whose)
            elif named.note_answers(values, location):
                who = self.fields.name("annotator", value_at(row, named.who), location, named.who)
                times = self.count_run(settings, name, who, row, location)
                given = self.read_answers(settings, who, values, systems, location, times)
                yield replace(given, on_sides=self.sides_in(settings, row, location))

    def report(self) -> None:
        """Note what only the whole file shows: fields that no row has."""
        for named in self.named:
            named.report()
        by_people = [named for named in self.named if not named.settings.judge]
        if self.wanted.people and not any(named.judged or named.nobody for named in by_people):
            for named in by_people:
                named.report_if_unused()
            if not by_people:
                what = "the study does not say where people's judgments stand"
                self.mistakes.add(what, "items.judgments in study.yaml names the fields, for --with-judgments")

    def values_in(
        self,
        settings: JudgmentFields,
        row: Row,
        entries: Entries,
        systems: tuple[str, ...] | None,
        location: Location,
    ) -> dict[Slot, Any]:
        """The values of a row by question, as the file has them: blank ones too."""
        found: dict[Slot, Any] = {}
        for slot, path, scope in self._read_by(settings):
            if scope.of == "entries":
                found |= self._of_entries(slot.dimension, path, scope.entries, entries)
            elif scope.of == "side" and not slot.side:
                found |= {} if systems is None else self._of_sides(slot.dimension, path, row, systems, location)
            else:
                found[slot] = value_at(row, path)
        return found

    def _read_by(self, settings: JudgmentFields) -> list[tuple[Slot, str, Scope]]:
        """The questions and fields that an entry of `items.judgments` reads, with what each is asked of. Cached."""
        if id(settings) not in self._reads:
            fields = self.study.fields_read(settings).items()
            self._reads[id(settings)] = [
                (slot, path, self.study.dimension(slot.dimension).scope) for slot, path in fields
            ]
        return self._reads[id(settings)]

    def sides_in(self, settings: JudgmentFields, row: Row, location: Location) -> tuple[str, str] | None:
        """The systems left and right in a row, where the file speaks of sides."""
        if settings.sides is None:
            return None
        named = (settings.sides.left, settings.sides.right)
        left, right = (self.fields.name("system", value_at(row, name), location, name) for name in named)
        return self.items.system_name(left), self.items.system_name(right)

    def _of_entries(self, name: str, path: str, listed: str, entries: Entries) -> dict[Slot, Any]:
        if listed not in entries:
            return {}
        dropped = self.items.entries[listed].dropped
        found: dict[Slot, Any] = {}
        for shown, known in entries[listed]:
            is_dropped = dropped is not None and dropped.then == "ask" and holds(dropped.tree, known)
            found[Slot(name, entry=shown["id"])] = UNABLE if is_dropped else value_at(known, path)
        return found

    def _of_sides(
        self, name: str, path: str, row: Row, systems: tuple[str, ...], location: Location
    ) -> dict[Slot, Any]:
        """A value for each side, by the name of its system."""
        by_system = value_at(row, path)
        if is_blank(by_system):
            return {Slot(name, side=role): by_system for role in systems_by_role(systems)}
        hint = f"{name} is asked of each side: {', '.join(f'{system}: ...' for system in systems)}"
        if not isinstance(by_system, Mapping):
            self.mistakes.add(f"a value for each system is expected here, not {quote(by_system)}", hint, location, path)
            return {}
        meant = {self.items.system_name(system): value for system, value in by_system.items()}
        if unknown := sorted(set(meant) - set(systems)):
            self.mistakes.add(f"{', '.join(map(quote, unknown))} is none of the two systems", hint, location, path)
        return {Slot(name, side=role): meant.get(system, ABSENT) for role, system in systems_by_role(systems).items()}

    def _by_place(
        self, named: NamedFields, values: dict[Slot, Any], systems: tuple[str, ...], location: Location
    ) -> Iterator[ImportedAnswers]:
        """Judgments in lists, each annotator at a place of their own."""
        settings, lists = named.settings, {slot: value for slot, value in values.items() if not is_blank(value)}
        for slot, value in lists.items():
            if not isinstance(value, list):
                what = f"a list is expected here, a value for each annotator, not {quote(value)}"
                self.mistakes.add(what, "items.judgments reads it by `positions`", location, named.field_of(slot))
                return
        lengths = {slot.key: len(value) for slot, value in lists.items()}
        if len(set(lengths.values())) > 1:
            what = f"the lists are not equally long ({', '.join(f'{key}: {n}' for key, n in lengths.items())})"
            self.mistakes.add(what, "whose value is missing cannot be told: write null in its place", location)
            return
        for number in range(max(lengths.values(), default=0)):
            one = {slot: value[number] if slot in lists else ABSENT for slot, value in values.items()}
            if named.note_answers(one, location):
                yield self.read_answers(settings, f"{settings.positions}-{number + 1}", one, systems, location)

    def count_run(self, settings: JudgmentFields, name: ItemName, who: str, row: Row, location: Location) -> int:
        """The number of this judgment of an item by somebody, from 1; several need the field that counts them."""
        before = self.seen.setdefault((name, who), [])
        run = run_in(settings, row) if settings.repeat else ""
        if not settings.repeat and before:
            hint = "keep one of the rows, or name the field that counts them in items.judgments.repeat"
            self.mistakes.add(f"{who} judges {str(name)!r} a second time", hint, location)
        elif settings.repeat and is_blank(run):
            self.mistakes.add(
                "the number of the run is missing", "items.judgments.repeat names it", location, settings.repeat
            )
        elif settings.repeat and str(run) in before:
            what = f"{who} judges {str(name)!r} a second time in run {quote(run)}"
            self.mistakes.add(what, "each run of a judge has a number of its own", location, settings.repeat)
        before.append(str(run))
        return len(before)

    def read_answers(
        self,
        settings: JudgmentFields,
        who: str,
        values: Mapping[Slot, Any],
        systems: tuple[str, ...] | None,
        location: Location,
        pass_: int = 1,
    ) -> ImportedAnswers:
        """What somebody said of an item. `systems` is None where the store alone knows them."""
        answers: dict[Slot, Value] = {}
        preferred: dict[Slot, str] = {}
        sides = roles_by_side() if settings.sides is not None else {}
        for slot, value in values.items():
            if is_blank(value):
                continue
            dimension = self.study.dimension(slot.dimension)
            try:
                meant = settings.read.get(str(value), value)
                if dimension.input.compares and str(meant) in sides:
                    answers[slot] = str(meant)
                    continue
                if dimension.input.compares:
                    meant = self.items.system_name(str(meant))
                    if systems is None and meant.casefold() not in ("tie", "neither"):
                        preferred[slot] = meant
                        continue
                found = _read_value(dimension, meant, systems or ())
            except AnswerError as error:
                what = f"{quote(value)} cannot be an answer on {slot.dimension}: {error}"
                hint = f"put it right, or map it in items.judgments.read{_answers_of(dimension)}"
                self.mistakes.add(what, hint, location)
                continue
            if found is not None:
                answers[slot] = found
        asked = (slot for slot in values if slot.dimension not in settings.optional)
        blank = tuple(slot for slot in asked if slot not in answers and slot not in preferred)
        return ImportedAnswers(who, bool(settings.judge), answers, pass_, preferred, blank)


def run_in(settings: JudgmentFields, row: Row) -> Any:
    """Which run of a judge, or which pass of a person, a row is: 1 where its number is optional and not there."""
    found = value_at(row, settings.repeat.removesuffix("?"))
    return 1 if settings.repeat.endswith("?") and is_blank(found) else found


def _answers_of(dimension: Dimension) -> str:
    """The answers of a dimension with their labels, for a message; nothing for a scale, whose range it names anyway."""
    asked = dimension.input
    if not isinstance(asked, OneOf) or asked.compares or asked.level != "nominal":
        return ""
    labels = {str(each.value): each.label for each in asked.choices()}
    named = (value if value == label else f"{value} ({label})" for value, label in labels.items())
    return f"; its answers: {', '.join(named)}"


def _read_value(dimension: Dimension, raw: Any, systems: tuple[str, ...]) -> Value:
    """Read a value of a file: a number, a word, or the name of the preferred system."""
    if isinstance(raw, Unable) or (raw == UNABLE and dimension.unable):
        return UNABLE
    if dimension.input.compares:
        return role_of(str(raw), systems)
    if isinstance(raw, Mapping):
        raise AnswerError("a single value is expected")
    if isinstance(raw, bool) and set(dimension.input.values()) == {0, 1}:
        raw = int(raw)
    if isinstance(raw, list):
        return dimension.input.read([str(each) for each in raw])
    whole = isinstance(raw, float) and raw.is_integer()
    return dimension.input.read(dimension.input.read_cell(str(int(raw) if whole else raw)))


def role_of(preferred: str, systems: tuple[str, ...]) -> str:
    """Which candidate is meant by the name of a system. Raises AnswerError."""
    words = {system.casefold(): role for role, system in systems_by_role(systems).items()}
    word = preferred.casefold()
    if word in words:
        return words[word]
    if word not in ("tie", "neither"):
        raise AnswerError(f"it is neither of {', '.join(systems)}, nor a tie")
    return word
