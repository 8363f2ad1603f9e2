"""A sheet of scores for each annotator, and one sheet with what they read, joined by the item's id."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

from assay.exchange import Column, Data, Export, Written
from assay.exchange.csv import write_csv
from assay.exchange.submissions import FileNames, Submission, annotator_field, one_output, sheet_fields, submissions
from assay.exchange.tables import as_text
from assay.study.schema import Study

SAMPLES = "samples.csv"


class AnnotationSheets(Export):
    """A folder with `annotation_<annotator>.csv` for each annotator, one row for each item, and `samples.csv`.

    For studies of one output at a time. `samples.csv` has what was read, by the same id; neither says which system
    wrote it. `assay import --sheet FILE` takes a sheet in again. A duplicate has the id that its file gave it; a second
    pass that was drawn by the program stands in a sheet of its own, `annotation_<annotator>_pass2.csv`.
    """

    kind: ClassVar[str] = "annotation-sheets"

    def refuses(self, study: Study) -> str:
        if why := one_output(study, "this layout"):
            return why
        several = len(study.items.id) > 1
        return "this layout joins its sheets by one id, and here several fields make it together" if several else ""

    def write(self, data: Data, place: Path) -> Written:
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
                    path = place / f"annotation_{names[who]}{ending}.csv"
                    file = stack.enter_context(open(path, "w", encoding="utf-8", newline=""))
                    write_csv(file, [column.name for column in _sheet(study)], rows)
        with open(place / SAMPLES, "w", encoding="utf-8", newline="") as file:
            write_csv(file, [column.name for column in _samples(study)], _texts(data))
        return Written(count, "rows")

    def columns(self, data: Data) -> Iterator[tuple[str, Column]]:
        yield from (("annotation_*.csv", column) for column in _sheet(data.study))
        yield from ((SAMPLES, column) for column in _samples(data.study))


def _row_id(data: Data, submission: Submission) -> tuple[str, int]:
    """The id of a row, and the how-manieth sheet it stands in: a duplicate of the file has an id of its own."""
    head = submission.head
    again = data.item(head.item).again
    if head.pass_ > 1 and len(again) >= head.pass_ - 1:
        return again[head.pass_ - 2], 1
    return head.item, head.pass_


def _sheet(study: Study) -> list[Column]:
    ids = [Column(study.items.id[0], "what identifies the item"), Column(annotator_field(study), "the pseudonym")]
    return [*ids, *(Column(field, "", dimension=name) for name, field in sheet_fields(study).items())]


def _samples(study: Study) -> list[Column]:
    return [Column(study.items.id[0], "what identifies the item"), *(Column(each, "shown") for each in _shown(study))]


def _shown(study: Study) -> list[str]:
    return [name for name in study.shown_fields if name not in study.items.id]


def _texts(data: Data) -> Iterator[list[Any]]:
    for each in data.items():
        if each.series == "work":
            shown = [as_text(each.item.shown.get(name)) for name in _shown(data.study)]
            yield from ([name, *shown] for name in (each.item.id, *each.again))
