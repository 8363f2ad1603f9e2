"""A sheet of scores for each annotator, and one sheet with what they read, joined by the item's id."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.csv import write_csv
from assay.exchange.export_columns import as_text
from assay.exchange.submissions import (
    FileNames,
    Submission,
    annotator_field,
    sheet_fields,
    submissions,
    text_fields,
    why_not_by_one_id,
    why_not_one_row_each,
)
from assay.study.schema import Study

SAMPLES = "samples.csv"


class AnnotationSheetsExport(Export):
    """A folder with `annotation_<annotator>.csv` for each annotator, one row for each item, and `samples.csv`.

    For studies of one output at a time. `samples.csv` has what was read, by the same id; neither says which system
    wrote it. `assay import --sheet FILE` takes a sheet in again. A duplicate has the id that its file gave it; a second
    pass that was drawn by the program stands in a sheet of its own, `annotation_<annotator>_pass2.csv`.
    """

    kind: ClassVar[str] = "annotation-sheets"

    def refuses(self, study: Study) -> str:
        return why_not_one_row_each(study, "this layout") or why_not_by_one_id(study, "this layout")

    def write(self, data: ExportData, path: Path) -> ExportResult:
        study = data.study
        names, count = FileNames(), 0
        for who, together in groupby(submissions(data.of_people("annotator")), lambda each: each.head.annotator):
            by_file: dict[str, list[list[Any]]] = {}
            for submission in together:
                name, number = _row_id(data, submission)
                row = [name, who, *(submission.of(each) for each in sheet_fields(study))]
                by_file.setdefault("" if number == 1 else f"_pass{number}", []).append(row)
                count += 1
            with ExitStack() as stack:
                for ending, rows in by_file.items():
                    sheet = path / f"annotation_{names[who]}{ending}.csv"
                    file = stack.enter_context(open(sheet, "w", encoding="utf-8", newline=""))
                    write_csv(file, [column.name for column in _sheet_columns(study)], rows)
        with open(path / SAMPLES, "w", encoding="utf-8", newline="") as file:
            write_csv(file, [column.name for column in _sample_columns(study)], _text_rows(data))
        return ExportResult(count, "rows")

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        yield from (("annotation_*.csv", column) for column in _sheet_columns(data.study))
        yield from ((SAMPLES, column) for column in _sample_columns(data.study))


def _row_id(data: ExportData, submission: Submission) -> tuple[str, int]:
    """The id of a row, and the number of its sheet: the first, unless the program drew a second pass without an id."""
    head = submission.head
    again = data.item(head.item).again
    if head.pass_ > 1 and len(again) >= head.pass_ - 1:
        return again[head.pass_ - 2], 1
    return head.item, head.pass_


def _sheet_columns(study: Study) -> list[Column]:
    ids = [Column(study.items.id[0], "what identifies the item"), Column(annotator_field(study), "the pseudonym")]
    return [*ids, *(Column(field, "", dimension=name) for name, field in sheet_fields(study).items())]


def _sample_columns(study: Study) -> list[Column]:
    return [
        Column(study.items.id[0], "what identifies the item"),
        *(Column(each, "shown") for each in text_fields(study)),
    ]


def _text_rows(data: ExportData) -> Iterator[list[Any]]:
    for each in data.items():
        if each.series == "work":
            shown = [as_text(each.item.shown.get(name)) for name in text_fields(data.study)]
            yield from ([name, *shown] for name in (each.item.id, *each.again))
