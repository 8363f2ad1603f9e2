"""Writing sheets: a workbook, or a CSV with a text beside it. Each file appears complete or not at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.acts.sheets import HandedSheet
from assay.errors import AssayError
from assay.exchange.atomic import atomic_file, atomic_text_file
from assay.exchange.csv import write_csv
from assay.exchange.workbook import MOST_CHARACTERS, MOST_ROWS, Heading, Sheet, headings, write_workbook
from assay.sheets.columns import HEAD, LEFT_OUT, NOT_THIS_ONE, WARNING, AnswerColumn, SheetLayout, layout_of, sheet_name
from assay.sheets.content import refuse_what_no_sheet_can_show
from assay.sheets.id_layouts import (
    ID_LAYOUTS,
    IdSheet,
    files_of_id_sheet,
    make_id_sheet,
    refuse_unsuitable,
    write_id_sheet,
)
from assay.sheets.rubric import COLUMNS, about_rows, as_plain_text, rubric_rows
from assay.study import Study

JUDGMENTS, RUBRIC, ABOUT = "judgments", "rubric", "about"
FORMATS = ("xlsx", "csv", *ID_LAYOUTS)
BOM = "\ufeff"
"""The byte order mark, by which spreadsheets recognise UTF-8 in a CSV."""


@dataclass(frozen=True)
class SheetFile:
    """One annotator's sheet, ready to be written."""

    study: Study
    annotator: str
    layout: SheetLayout
    rows: Sequence[Sequence[str]]
    now: int

    @property
    def name(self) -> str:
        """The file's name, without its ending."""
        return sheet_name(self.study, self.annotator)

    @property
    def about(self) -> list[list[str]]:
        """Whose sheet it is and how it is filled in."""
        return about_rows(self.study, self.annotator, len(self.rows), self.now)


def refuse_format(study: Study, form: str) -> None:
    """Raise where there is no such format, or none for this study."""
    if form not in FORMATS:
        raise AssayError(f"there is no format {form!r}", f"formats: {', '.join(FORMATS)}")
    refuse_what_no_sheet_can_show(study)
    if form in ID_LAYOUTS:
        refuse_unsuitable(study, form)


def make_sheet(study: Study, handed: HandedSheet, form: str, now: int) -> SheetFile | IdSheet:
    """Lay out what somebody has been given. Raises where a cell cannot hold a text: nothing is cut silently."""
    if form in ID_LAYOUTS:
        return make_id_sheet(study, handed, form, now)
    layout = layout_of(study, [row.shown for row in handed.rows])
    rows = [layout.row(row.public_id, handed.annotator, row.shown, row.warnings) for row in handed.rows]
    longest = max((len(cell) for row in rows for cell in row), default=0)
    if form == "xlsx" and (longest > MOST_CHARACTERS or len(rows) >= MOST_ROWS):
        raise AssayError(
            f"a text has {longest:,} characters, and a cell of a workbook holds {MOST_CHARACTERS:,}",
            "write --format csv, or let it be judged on the page",
        )
    return SheetFile(study, handed.annotator, layout, rows, now)


def files_of(folder: Path, study: Study, annotator: str, form: str) -> list[Path]:
    """The files that an annotator's sheet has: the sheet first."""
    if form in ID_LAYOUTS:
        return files_of_id_sheet(folder, annotator, form)
    name = sheet_name(study, annotator)
    return [folder / f"{name}.{ending}" for ending in ((form, "txt") if form == "csv" else (form,))]


def write_sheet(sheet: SheetFile | IdSheet, folder: Path, form: str) -> Path:
    """Write one annotator's sheet; returns the file."""
    if isinstance(sheet, IdSheet):
        return write_id_sheet(sheet, folder)
    path, *beside = files_of(folder, sheet.study, sheet.annotator, form)
    if form == "xlsx":
        with atomic_file(path) as part:
            write_workbook(part, _sheets(sheet))
        return path
    with atomic_text_file(beside[0]) as file:
        file.write(as_plain_text(sheet.about, rubric_rows(sheet.study)))
    with atomic_text_file(path) as file:
        file.write(BOM)
        write_csv(file, sheet.layout.names(), sheet.rows)
    return path


def _heading_of_head(name: str) -> Heading:
    width = {HEAD[0]: 28, WARNING: 28}.get(name, 14)
    return Heading(name, width, choices=(LEFT_OUT,) if name == NOT_THIS_ONE else ())


def _sheets(sheet: SheetFile) -> list[Sheet]:
    columns = [
        *(_heading_of_head(name) for name in sheet.layout.head),
        *(
            Heading(each.name, choices=each.choices) if isinstance(each, AnswerColumn) else Heading(each.heading, 60)
            for each in sheet.layout.columns
        ),
    ]
    rubric = [Heading(name, 90 if name == "words" else 22) for name in COLUMNS]
    return [
        Sheet(JUDGMENTS, columns, sheet.rows),
        Sheet(RUBRIC, rubric, rubric_rows(sheet.study)),
        Sheet(ABOUT, [*headings(["about"]), Heading("words", 90)], sheet.about),
    ]
