"""One row for each submission, with a column for every answer."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.csv import write_csv
from assay.exchange.export_columns import COLUMNS, Type, typed_columns, values_of
from assay.exchange.submissions import Submission, submissions
from assay.inputs.counts import CountsInput
from assay.model import ROLES, Slot, Value
from assay.sides_and_candidates import systems_by_role

OF_ONE_JUDGMENT = ("system", "dimension", "side", "entry", "value", "missing")
"""The columns of the long table that a row for several judgments cannot have."""

SHARED = [column for column in typed_columns(COLUMNS) if column.name not in OF_ONE_JUDGMENT]
KEPT = [index for index, name in enumerate(COLUMNS) if name not in OF_ONE_JUDGMENT]


class CsvWideExport(Export):
    """One row for each item, annotator and pass as CSV, with a column for every dimension.

    Of two candidates there is a column for each, `coherence.a` and `coherence.b`; `system_a` and `system_b` say whose
    they are, wherever they stood. Of a list inside the item there is one for each entry, `goal.1`, `goal.2`. Of what is
    counted there is one more for each thing, `failures.omission`, with how often it was found. What an annotator
    changed later is a row of its own, marked as superseded.
    """

    kind: ClassVar[str] = "csv-wide"
    suffix: ClassVar[str] = ".csv"
    name: ClassVar[str] = "judgments-wide"

    def write(self, data: ExportData, path: Path) -> ExportResult:
        wide = WideTable(data)
        with open(path, "w", encoding="utf-8", newline="") as file:
            rows = (wide.row(each) for each in submissions(data.judgments()))
            return ExportResult(write_csv(file, [column.name for column in wide.columns], rows), "submissions")

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        yield from (("", column) for column in WideTable(data).columns)


class WideTable:
    """The wide table of one study."""

    def __init__(self, data: ExportData) -> None:
        self.data = data
        self.pairs = data.study.items.candidates is not None

    @cached_property
    def columns(self) -> list[Column]:
        """What was submitted, then the answers, then what could not be judged."""
        whose = (
            [Column(f"system_{role}", f"the system of the candidate {role}") for role in ROLES] if self.pairs else []
        )
        missing = Column("missing", "the answers that the annotator could not give, with | between them")
        counts = (column for column, _, _ in self.counts)
        agreed = [
            Column(f"agreed.{slot.key}", f"what was agreed on for {slot.key}, where people were far apart", column.type)
            for column, slot in self.columns_to_agree_on
        ]
        return [*SHARED, *whose, *(column for column, _ in self.answers), *counts, missing, *agreed]

    @cached_property
    def answers(self) -> list[tuple[Column, Slot]]:
        """A column for every answer, with what it answers; an entry is called by its number in the list."""
        found = []
        for name, dimension in self.data.dimensions.items():
            type_: Type = "whole number" if dimension.input.answer == "number" else "text"
            for slot, meaning in self._slots(name, dimension.scope.of, dimension.scope.entries):
                found.append((Column(slot.key, meaning, type_, name), slot))
        for name in self.data.derived_values:
            found += [(Column(name, "", "text", name), Slot(name))]
            if self.pairs:
                found += [
                    (Column(f"{name}.{role}", f"of candidate {role}", "text", name), Slot(name, role)) for role in ROLES
                ]
        return found

    @cached_property
    def counts(self) -> list[tuple[Column, Slot, str]]:
        """Of what is counted, a column for each thing with how often it was found, behind the answers themselves."""
        found = []
        for name, dimension in self.data.dimensions.items():
            options = dimension.input.options if isinstance(dimension.input, CountsInput) else {}
            for slot, meaning in self._slots(name, dimension.scope.of, dimension.scope.entries) if options else ():
                for option, label in options.items():
                    words = ", ".join(part for part in (f"how often: {label}", meaning) if part)
                    found.append((Column(f"{slot.key}.{option}", words, "whole number"), slot, option))
        return found

    @cached_property
    def columns_to_agree_on(self) -> list[tuple[Column, Slot]]:
        """The answers that people may have agreed on; none where the study has no line for that."""
        if self.data.study.analysis.adjudicate_above is None:
            return []
        scored = {each.dimension for each in self.data.study.scored_dimensions}
        return [(column, slot) for column, slot in self.answers if slot.dimension in scored]

    @cached_property
    def _agreed_values(self) -> dict[tuple[str, Slot], Value]:
        """The values that were agreed on, by item and by what they answer."""
        found = {}
        for each in self.data.agreed:
            role = next((role for role, name in self._systems(each.item).items() if name == each.system), "")
            slot = Slot(each.dimension, role, each.entry)
            found[each.item, self._with_number(each.item, slot)] = each.value
        return found

    def _systems(self, item: str) -> dict[str, str]:
        return systems_by_role(self.data.item(item).item.systems)

    def _slots(self, name: str, of: str, entries: str) -> Iterator[tuple[Slot, str]]:
        if of == "side":
            yield from ((Slot(name, role), f"of candidate {role}") for role in ROLES)
        elif of == "entries":
            for number in range(1, self._longest(entries) + 1):
                yield Slot(name, entry=str(number)), f"of entry {number} of {entries}"
        else:
            yield Slot(name), ""

    def _longest(self, entries: str) -> int:
        return max((len(each.item.shown.get(entries) or ()) for each in self.data.items_by_id.values()), default=0)

    def row(self, submission: Submission) -> list[Any]:
        """One submission under the columns."""
        long = values_of(submission.head)
        whose = systems_by_role(submission.head.systems)
        systems = [whose.get(role, "") for role in ROLES] if self.pairs else []
        answers = {self._with_number(submission.head.item, slot): value for slot, value in submission.answers.items()}
        said = [answers.get(slot) for _, slot in self.answers]
        said += [self._often(slot, option, answers.get(slot)) for _, slot, option in self.counts]
        missing = "|".join(slot.key for slot, value in answers.items() if value is None)
        agreed = [self._agreed_values.get((submission.head.item, slot)) for _, slot in self.columns_to_agree_on]
        return [*(long[index] for index in KEPT), *systems, *said, missing, *agreed]

    def _often(self, slot: Slot, option: str, value: Value) -> int | None:
        """How often something was found; nothing where the question was not answered."""
        asked = self.data.dimensions[slot.dimension].input
        return asked.tally(value).get(option) if isinstance(asked, CountsInput) else None

    def _with_number(self, item: str, slot: Slot) -> Slot:
        """A slot with the entry's number in the list of its item instead of its id."""
        if not slot.entry:
            return slot
        return Slot(slot.dimension, entry=self._entry_numbers(item).get(slot.entry, slot.entry))

    def _entry_numbers(self, item: str) -> dict[str, str]:
        lists = (self.data.item(item).item.shown.get(name) or () for name in self.data.study.entries)
        return {entry["id"]: str(number) for listed in lists for number, entry in enumerate(listed, 1)}
