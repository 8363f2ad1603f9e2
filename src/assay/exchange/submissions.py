"""Judgments put together again as submissions, for formats with a row for each item and annotator."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from assay.exchange import ExportData
from assay.model import Judgment, Slot, Value
from assay.study.judgment_fields import JudgmentFields
from assay.study.schema import Study


@dataclass(frozen=True)
class Submission:
    """What one annotator said of one item at one time."""

    head: Judgment
    """Any of its judgments: who, what and when are the same in all of them."""
    answers: Mapping[Slot, Value]
    """What was said; of a candidate by its role, a or b, wherever it stood."""

    def of(self, dimension: str, side: str = "", entry: str = "") -> Value:
        """One answer; None where there is none, or where the annotator could not judge."""
        return self.answers.get(Slot(dimension, side, entry))

    @cached_property
    def unable(self) -> list[str]:
        """What the annotator could not judge."""
        return [slot.key for slot, value in self.answers.items() if value is None]


def submissions(judgments: Iterable[Judgment]) -> Iterator[Submission]:
    """Judgments, those of a submission one after another, as submissions."""
    for _, together in groupby(judgments, lambda each: each.submission):
        found = list(together)
        yield Submission(found[0], {each.slot: each.value for each in found})


def sheet_import_of(study: Study) -> JudgmentFields | None:
    """The entry of `items.judgments` that reads people's sheets: exports name their columns as it does."""
    return next((each for each in study.items.judgments if each.annotator), None)


def annotator_field(study: Study) -> str:
    """What a sheet calls the annotator."""
    existing = sheet_import_of(study)
    return existing.annotator if existing else "annotator_id"


def sheet_fields(study: Study) -> dict[str, str]:
    """What a sheet calls each dimension that is asked of the item: in the order of the sheet, then of the rubric."""
    existing = sheet_import_of(study)
    named = study.fields_read(existing) if existing else {}
    asked = [each.dimension for each in study.rubric if each.scope.of == "item"]
    first = {slot.dimension: field for slot, field in named.items() if slot.dimension in asked}
    taken = set(first.values())
    return first | {name: f"answer.{name}" if name in taken else name for name in asked if name not in first}


def text_fields(study: Study) -> list[str]:
    """The fields that annotators read, apart from those that identify the item."""
    return [name for name in study.shown_fields if name not in study.items.id]


def id_fields(study: Study, data: ExportData, name: str) -> dict[str, Any]:
    """The fields that identify an item in its file."""
    if len(study.items.id) == 1:
        return {study.items.id[0]: name}
    row = row_of(data, name)
    return {field: row.get(field) for field in study.items.id}


def row_of(data: ExportData, name: str) -> dict[str, Any]:
    """An item as a row of its file had it."""
    item = data.item(name).item
    made = {data.study.items.history.as_} if data.study.items.history else set()
    shown = {field: value for field, value in item.shown.items() if field not in made and not field.startswith("_")}
    # What is hidden stands in the order of the file, and may be the whole row.
    return item.hidden if item.hidden.keys() >= shown.keys() else {**shown, **item.hidden}


def why_not_one_row_each(study: Study, layout: str) -> str:
    """Why a layout with a row for each item and annotator does not suit a study; nothing where it does."""
    if study.items.candidates is not None:
        return f"{layout} has one row for one output, and here two systems are compared"
    if study.entries:
        return f"{layout} has one column for each dimension, and here a list inside each item is judged"
    return ""


def why_not_by_one_id(study: Study, layout: str) -> str:
    """Why a layout that calls an item by one field does not suit a study; nothing where it does."""
    return f"{layout} calls an item by one id, and here several fields make it together" if study.items.id[1:] else ""


def file_name(text: str, taken: set[str]) -> str:
    """A name for a file: letters, digits, _ and - as they are, anything else as _; never one that is taken."""
    safe = "".join(each if each.isalnum() or each in "_-" else "_" for each in text)[:100] or "_"
    name, number = safe, 1
    while name.casefold() in taken:
        number += 1
        name = f"{safe}_{number}"
    taken.add(name.casefold())
    return name


class FileNames(dict[str, str]):
    """A file name for each text, the same whenever it is asked for."""

    def __missing__(self, text: str) -> str:
        self[text] = file_name(text, {each.casefold() for each in self.values()})
        return self[text]
