"""One CSV with a row for each item and annotator, the texts repeated in each: the HCS layout."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.csv import write_csv
from assay.exchange.export_columns import as_text
from assay.exchange.submissions import (
    Submission,
    annotator_field,
    id_fields,
    sheet_fields,
    submissions,
    text_fields,
    why_not_one_row_each,
)
from assay.study.schema import Study


class RatingRowsExport(Export):
    """One CSV with a row for each item and annotator: ids, what was shown, the scores, notes (the HCS layout).

    For studies of one output at a time. Columns are called as `items.judgments` reads them, so `assay import --items
    FILE --with-judgments` takes the same file in again; what the original lacks, such as the system, stands at the end.
    """

    kind: ClassVar[str] = "rating-rows"
    suffix: ClassVar[str] = ".csv"

    def refuses(self, study: Study) -> str:
        return why_not_one_row_each(study, "this layout")

    def write(self, data: ExportData, path: Path) -> ExportResult:
        rows = _StudyRows(data)
        with open(path, "w", encoding="utf-8", newline="") as file:
            count = write_csv(file, [column.name for column in rows.columns], rows.all())
        return ExportResult(count, "rows", rows.notes)

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        yield from (("", column) for column in _StudyRows(data).columns)


class _StudyRows:
    """The rows of one study."""

    def __init__(self, data: ExportData) -> None:
        self.data, self.study = data, data.study
        self.again = 0

    @cached_property
    def columns(self) -> list[Column]:
        study = self.study
        ids = [Column(name, "what identifies the item in its file") for name in study.items.id]
        who = Column(annotator_field(study), "the annotator's pseudonym")
        shown = [Column(name, "what the annotator saw") for name in text_fields(self.study)]
        asked = [Column(field, "", dimension=name) for name, field in sheet_fields(study).items()]
        computed = [Column(name, "", dimension=name) for name in self.data.derived_values]
        return [
            *ids,
            who,
            *shown,
            *asked,
            *computed,
            *(Column(name, words) for name, words in self.hidden_columns.items()),
        ]

    @cached_property
    def hidden_columns(self) -> dict[str, str]:
        """What the study knows of items beyond what it shows, by the names that its file has for it."""
        items = self.study.items
        named = {items.system: "the item's system", items.group: "the item's group", items.batch: "the item's batch"}
        return {name.removesuffix("?"): words for name, words in named.items() if name}

    def all(self) -> Iterator[list[Any]]:
        for submission in submissions(self.data.of_people("item")):
            if submission.head.pass_ > 1:
                self.again += 1
                continue
            yield self._values(submission)

    def _values(self, submission: Submission) -> list[Any]:
        head, study = submission.head, self.study
        listed = self.data.item(head.item)
        ids = id_fields(study, self.data, head.item).values()
        shown = [as_text(listed.item.shown.get(name)) for name in text_fields(self.study)]
        asked = [submission.of(name) for name in (*sheet_fields(study), *self.data.derived_values)]
        items = study.items
        pairs = ((items.system, head.system), (items.group, head.group), (items.batch, head.batch))
        return [*ids, head.annotator, *shown, *asked, *(value for name, value in pairs if name)]

    @property
    def notes(self) -> list[str]:
        """Notes on judgments that this layout has no row for."""
        return [note_on_second_passes(self.again)] if self.again else []


def note_on_second_passes(again: int) -> str:
    """What is said of second passes, where a layout has no row for them."""
    return f"{again:,} second passes are left out: the layout has one row for each item and annotator; csv has all"
