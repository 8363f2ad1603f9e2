"""Judgments that come with items, or in a sheet of their own: by people, or by automated judges."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import AnswerError, AssayError
from assay.items import Findings, Options, read_rows
from assay.items.fields import NOWHERE, value_at
from assay.items.rows import Place, Row, Rows
from assay.model import ROLES, UNABLE, Slot, Unable, Value
from assay.problems import quoted
from assay.study.expression import holds
from assay.study.items import Existing
from assay.study.schema import Dimension, Study

Entries = dict[str, list[tuple[Row, Row]]]
"""Of each list, its entries: what is shown of one, and what its file says of it."""


@dataclass(frozen=True, slots=True)
class Given:
    """Judgments that came with an item, by one annotator or one automated judge."""

    annotator: str
    judge: bool
    answers: dict[Slot, Value]


class GivenReader:
    """Reads judgments out of rows."""

    def __init__(self, study: Study, rows: Rows) -> None:
        self.study = study
        self.items = study.items
        self.rows = rows
        self.findings = rows.findings

    def given(self, row: Row, systems: tuple[str, ...], entries: Entries, place: Place) -> Iterator[Given]:
        """The judgments that a row brings."""
        for existing in self.items.judgments:
            raw = self.raw_values(existing, row, entries)
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

    def raw_values(self, existing: Existing, row: Row, entries: Entries) -> dict[Slot, Any]:
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
            else:
                found[Slot(name)] = value_at(row, path)
        return {slot: value for slot, value in found.items() if value is not NOWHERE and value not in (None, "")}

    def answers(
        self, existing: Existing, raw: dict[Slot, Any], systems: tuple[str, ...], place: Place
    ) -> dict[Slot, Value]:
        answers: dict[Slot, Value] = {}
        for slot, value in raw.items():
            dimension = self.study.dimension(slot.dimension)
            try:
                found = _value(dimension, existing.read.get(str(value), value), systems)
            except AnswerError as error:
                what = f"{quoted(value)} cannot be an answer on {slot.dimension}: {error}"
                self.findings.add(what, "put it right, or map it in items.judgments.read", place)
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


def read_sheet(study: Study, path: Path) -> Iterator[tuple[str, Given]]:
    """Read judgments of items from a sheet of their own: the item's id, the annotator, a column for each dimension."""
    if not path.is_file():
        raise AssayError(f"there is no file {path}", "name a sheet with judgments")
    findings = Findings(path)
    existing = next((each for each in study.items.judgments if each.annotator), Existing(annotator="annotator_id"))
    rows = Rows(findings)
    reader = GivenReader(study, rows)
    seen: set[tuple[str, str]] = set()
    for place, row in read_rows(path, findings, Options(sheet="")):
        rows.rows += 1
        if not rows.names_all(row, [*study.items.id, existing.annotator], place):
            continue
        name = "/".join(rows.text("id", value_at(row, field), place, field) for field in study.items.id)
        who = rows.text("annotator", value_at(row, existing.annotator), place, existing.annotator)
        answers = reader.answers(existing, reader.raw_values(existing, row, {}), (), place)
        if (name, who) in seen:
            findings.add(f"{who} judges {name!r} a second time", "keep one of the rows", place)
        seen.add((name, who))
        if answers:
            yield name, Given(who, False, answers)
    rows.say_missing()
    findings.raise_if_any()
