"""Sheets in the layouts of the originals: rows under the ids of the item file, empty where scores are to be filled in.

`rating-rows` has the texts beside the answers; `annotation-sheets` has them in a context sheet of their own, joined by
the id. `assay export` writes the same columns, filled in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.acts.sheets import HandedSheet
from assay.errors import AssayError
from assay.exchange.atomic import atomic_text_file
from assay.exchange.csv import write_csv
from assay.exchange.export_columns import as_text
from assay.exchange.submissions import (
    annotator_field,
    file_name,
    sheet_fields,
    text_fields,
    why_not_by_one_id,
    why_not_one_row_each,
)
from assay.sheets.columns import NOT_THIS_ONE, warning_words
from assay.sheets.rubric import about_rows, as_plain_text, rubric_rows
from assay.store.coordinator.sheets import AssignedRow
from assay.study import Study

RATING_ROWS, ANNOTATION_SHEETS = "rating-rows", "annotation-sheets"
ID_LAYOUTS = (RATING_ROWS, ANNOTATION_SHEETS)
SHEET, SAMPLES = "annotation_", "samples_"
"""How their files begin; the annotator's name follows."""


@dataclass(frozen=True)
class IdSheet:
    """One annotator's sheet in a layout of the originals, ready to be written."""

    study: Study
    annotator: str
    form: str
    rows: Sequence[AssignedRow]
    """What stands on it: everything that has an id in the item file."""
    without_id: int
    """How many second passes were drawn and have none: they are judged on the page."""
    now: int

    def answer_columns(self) -> list[str]:
        """The columns that are to be filled in."""
        return [*sheet_fields(self.study).values()]

    def more_columns(self) -> list[str]:
        """The columns behind the answers: a cell to leave an item out, where the study warns of items."""
        return [NOT_THIS_ONE] if self.study.care.warn else []

    def tables(self) -> dict[str, tuple[list[str], list[list[str]]]]:
        """The files by their names, each with its columns and rows: what is filled in comes first."""
        study, who = self.study, file_name(self.annotator, set())
        answers = [*self.answer_columns(), *self.more_columns()]
        one_id, texts, empty = study.items.id[0], text_fields(study), [""] * len(answers)
        head = [one_id, annotator_field(study)]
        if self.form == RATING_ROWS:
            rows = [[each.name, self.annotator, *_texts(study, each), *empty] for each in self.rows]
            return {f"{SHEET}{who}": ([*head, *texts, *answers], rows)}
        return {
            f"{SHEET}{who}": (
                [*head, *answers],
                [[each.name, self.annotator, *empty] for each in self.rows],
            ),
            f"{SAMPLES}{who}": ([one_id, *texts], [[each.name, *_texts(study, each)] for each in self.rows]),
        }

    def about(self) -> str:
        """Whose sheet it is, how it is filled in, and the rubric, as a text beside the sheet."""
        about = about_rows(self.study, self.annotator, len(self.rows), self.now, how_to_fill_in(self))
        hard = [(each.name, warning_words(self.study, each.warnings)) for each in self.rows if each.warnings]
        about += [[f"warning, {self.study.items.id[0]} {name}", words] for name, words in hard]
        return as_plain_text(about, rubric_rows(self.study, sheet_fields(self.study)))


def _texts(study: Study, row: AssignedRow) -> list[str]:
    return [as_text(row.shown.get(name)) or "" for name in text_fields(study)]


LEAVE_OUT = (
    "Some items have hard content: they are listed below, each with a warning. Look there before you read.",
    f"Where you would rather not judge one, write x under '{NOT_THIS_ONE}' and nothing else: it goes to somebody else.",
)


def how_to_fill_in(sheet: IdSheet) -> list[str]:
    """What somebody has to know who fills a sheet in, and what is looked at when it comes back."""
    study = sheet.study
    fixed = f"{study.items.id[0]} and {annotator_field(study)}"
    needed = [sheet_fields(study)[each.dimension] for each in study.rubric if each.is_always_asked]
    [name, *context] = [f"{name}.csv" for name in sheet.tables()]
    return [
        *(f"What is to be read stands in {file}, under the same {study.items.id[0]}." for file in context),
        f"Fill in every cell of {', '.join(needed)}: none stays empty in a row that you have judged.",
        "Each column is explained below, with the values that it takes and the rules between them.",
        "Several tags in one cell have a semicolon between them; `none` says that none applies, where that is asked.",
        f"Change nothing else: not the columns {fixed}, not the texts, not the name of the file: {name}.",
        "If you sort rows, sort whole rows.",
        *(LEAVE_OUT if study.care.warn else ()),
        "Send the file to whoever gave it to you. Every cell is checked then, and what is wrong comes back to you.",
    ]


def refuse_unsuitable(study: Study, form: str) -> None:
    """Raise where a layout cannot hold a study."""
    if why := why_not_one_row_each(study, "this layout") or why_not_by_one_id(study, "this layout"):
        raise AssayError(f"{form} does not suit {study.study}: {why}", "write --format xlsx or csv")


def make_id_sheet(study: Study, handed: HandedSheet, form: str, now: int) -> IdSheet:
    """Lay out what somebody has been given, under the ids of the item file."""
    named = [row for row in handed.rows if row.name]
    return IdSheet(study, handed.annotator, form, named, len(handed.rows) - len(named), now)


def files_of_id_sheet(folder: Path, annotator: str, form: str) -> list[Path]:
    """The files that an annotator's sheet has: the sheet first."""
    who = file_name(annotator, set())
    context = [f"{SAMPLES}{who}.csv"] if form == ANNOTATION_SHEETS else []
    return [folder / name for name in (f"{SHEET}{who}.csv", *context, f"{SHEET}{who}.txt")]


def write_id_sheet(sheet: IdSheet, folder: Path) -> Path:
    """Write one annotator's sheet; returns the file that is to be filled in."""
    path, *beside = files_of_id_sheet(folder, sheet.annotator, sheet.form)
    with atomic_text_file(beside[-1]) as file:
        file.write(sheet.about())
    for name, (columns, rows) in reversed(sheet.tables().items()):
        # As the originals have them: UTF-8 without a mark at the beginning.
        with atomic_text_file(folder / f"{name}.csv") as file:
            write_csv(file, columns, rows)
    return path
