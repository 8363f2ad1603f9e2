"""Workbooks (.xlsx), written row by row: texts stay texts, and memory stays small however many rows there are.

A workbook is a few XML files in a ZIP. Writing them here, instead of through a library, is what makes a million rows
a matter of seconds. Every text is a text cell with the format "text": `=1+1` is never run, and `007`, `1e5` and `NA`
stay as they are, in the file and after somebody has edited the cell.
"""

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from assay.errors import AssayError

MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767
CUT = " ... [cut: a cell holds no more]"
MOST_CHOICES = 255
"""How many characters a list of choices may have, written out with commas."""

MEASURED, WIDEST = 200, 60
"""So many rows say how wide a column is, since all of them do not fit into memory; and so wide it gets at most."""

PLAIN, TEXT, HEADER = 0, 1, 2
"""The styles of cells, by their index in the list of formats."""


NUMBER = "\0"
"""Stands for the number of a row until it is known: no cell can hold it."""


@dataclass(frozen=True)
class Heading:
    """The head of a column, and what may be entered below it."""

    name: str
    width: float = 0
    """In characters; 0: by the length of the name."""
    choices: Sequence[str | int] = ()
    """The values that a spreadsheet lets somebody choose from; none: anything."""
    open_rows: int = 0
    """So many rows more than there are get the choices too."""


@dataclass(frozen=True)
class Sheet:
    """One sheet: a head, and rows that may be a stream. None and an empty text are an empty cell."""

    name: str
    columns: Sequence[Heading]
    rows: Iterable[Sequence[Any]]
    made: Iterable[str] = ()
    """More rows below these: cells as `cell_xml` makes them, between `ROW_START` and `ROW_END`."""
    measured: Sequence[Sequence[Any]] = ()
    """Rows that say how wide columns are, of those that are made."""


def headings(names: Iterable[str]) -> list[Heading]:
    """Plain heads of columns."""
    return [Heading(name) for name in names]


def write_workbook(path: Path, sheets: Sequence[Sheet]) -> list[int]:
    """Write sheets one after another; returns how many rows each had below its head."""
    _refuse_bad_names([sheet.name for sheet in sheets])
    # Level 1: sheets are so repetitive that more effort takes long and gains little.
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, part in _other_parts(sheets).items():
            archive.writestr(_entry(name), part)
        counts = []
        for number, sheet in enumerate(sheets, 1):
            with archive.open(_entry(f"xl/worksheets/sheet{number}.xml"), "w", force_zip64=True) as file:
                counts.append(_write_sheet(file, sheet, chosen=number == 1))
    return counts


def _entry(name: str) -> ZipInfo:
    """A ZIP entry with a fixed time, so that the same data gives the same file."""
    entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = ZIP_DEFLATED
    return entry


def _refuse_bad_names(names: Sequence[str]) -> None:
    for name in names:
        if not 0 < len(name) <= 31 or re.search(r"[\[\]:*?/\\]", name) or name.startswith("'") or name.endswith("'"):
            raise ValueError(f"no sheet can be called {name!r}")
    if len({name.casefold() for name in names}) < len(names):
        raise ValueError("two sheets have the same name")


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

STYLES = (
    f'{XML}<styleSheet xmlns="{MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
    '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def _other_parts(sheets: Sequence[Sheet]) -> dict[str, str]:
    """Everything but the sheets themselves."""
    numbers = range(1, len(sheets) + 1)
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{TYPES}.worksheet+xml"/>'
        for number in numbers
    )
    listed = "".join(
        f'<sheet name={quoteattr(sheet.name)} sheetId="{number}" r:id="rId{number}"/>'
        for number, sheet in zip(numbers, sheets, strict=True)
    )
    leads = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in numbers
    )
    styles = f'<Relationship Id="rId{len(sheets) + 1}" Type="{OFFICE}/styles" Target="styles.xml"/>'
    return {
        "[Content_Types].xml": f'{XML}<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{TYPES}.sheet.main+xml"/>{parts}'
        f'<Override PartName="/xl/styles.xml" ContentType="{TYPES}.styles+xml"/></Types>',
        "_rels/.rels": f'{XML}<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{XML}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
        f"<bookViews><workbookView/></bookViews><sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'{XML}<Relationships xmlns="{PACKAGE}/relationships">{leads}{styles}'
        "</Relationships>",
        "xl/styles.xml": STYLES,
    }


def _write_sheet(file: IO[bytes], sheet: Sheet, *, chosen: bool) -> int:
    letters = [letters_of(index) for index in range(len(sheet.columns))]
    rows = iter(sheet.rows)
    first = list(islice(rows, MEASURED))
    measured = [*first, *sheet.measured]
    widths = "".join(
        f'<col min="{place + 1}" max="{place + 1}" width="{_width_of(heading, place, measured):g}" customWidth="1"/>'
        for place, heading in enumerate(sheet.columns)
    )
    selected = ' tabSelected="1"' if chosen else ""
    file.write(
        f'{XML}<worksheet xmlns="{MAIN}"><sheetViews><sheetView{selected} workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
        f"<cols>{widths}</cols><sheetData>".encode()
    )
    number, waiting = 0, []
    head = _row_xml(letters, [heading.name for heading in sheet.columns], HEADER)
    for row in chain([head], (_row_xml(letters, row) for row in chain(first, rows)), sheet.made):
        number += 1
        if number > MOST_ROWS:
            raise AssayError(
                f"the sheet {sheet.name!r} would have more than {MOST_ROWS:,} rows, and a workbook ends there",
                "write another format: csv, jsonl and parquet have no such end",
            )
        waiting.append(row.replace(NUMBER, str(number)))
        if len(waiting) == 500:
            file.write("".join(waiting).encode())
            waiting.clear()
    end = f"{_filter_xml(sheet.columns, letters, number)}{_choices_xml(sheet.columns, letters, number)}"
    file.write(f"{''.join(waiting)}</sheetData>{end}</worksheet>".encode())
    return number - 1


def _row_xml(letters: Sequence[str], values: Sequence[Any], style: int = TEXT) -> str:
    cells = [cell_xml(letter, value, style) for letter, value in zip(letters, values, strict=True)]
    return f"{ROW_START}{''.join(cells)}{ROW_END}"


ROW_START, ROW_END = f'<row r="{NUMBER}">', "</row>"


def cell_xml(letters: str, value: Any, style: int = TEXT) -> str:
    """A cell by the letters of its column; an empty one is nothing."""
    if value is None or value == "":
        return ""
    # A list cannot be cached: it is written as JSON.
    plain = json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
    return f'<c r="{letters}{NUMBER}"{_content_xml(plain, style)}'


@lru_cache(16384, typed=True)
def _content_xml(value: Any, style: int) -> str:
    """The XML of a cell after its address. Cached: most values come again, in this row or in the next."""
    if isinstance(value, bool):
        return f' t="b"><v>{value:d}</v></c>'
    # What a spreadsheet could not hold exactly is a text.
    if isinstance(value, int | float) and math.isfinite(value) and abs(value) < 2**53:
        return f"><v>{value!r}</v></c>"
    return f' s="{style}" t="inlineStr">{_text_xml(str(value))}</c>'


ILLEGAL = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def _text_xml(value: str) -> str:
    """A text as a cell has it: what XML cannot hold as `_x001F_`, so that it comes out again."""
    if len(value) > MOST_CHARACTERS:
        value = value[: MOST_CHARACTERS - len(CUT)] + CUT
    if ILLEGAL.search(value):
        value = ILLEGAL.sub(lambda found: f"_x{ord(found[0]):04X}_", value)
    return f'<is><t xml:space="preserve">{escape(value)}</t></is>'


def _width_of(heading: Heading, place: int, rows: Sequence[Sequence[Any]]) -> float:
    """How wide a column is: as somebody says, else by its name and its first values."""
    if heading.width:
        return heading.width
    longest = max((len(str(row[place])) for row in rows if place < len(row) and row[place] is not None), default=0)
    return min(max(_width(heading.name), longest + 2), WIDEST)


def _filter_xml(columns: Sequence[Heading], letters: Sequence[str], rows: int) -> str:
    """Arrows to filter and sort by, in the head; not in a form that somebody fills in, whose order has a meaning."""
    if not columns or any(each.choices for each in columns):
        return ""
    return f'<autoFilter ref="A1:{letters[-1]}{rows}"/>'


def _width(name: str) -> float:
    return min(40.0, max(9.0, len(name) + 2.0))


def _choices_xml(columns: Sequence[Heading], letters: Sequence[str], rows: int) -> str:
    """Lists to choose from, in the columns that have some."""
    found = []
    for letter, heading in zip(letters, columns, strict=True):
        listed = ",".join(map(str, heading.choices))
        last = rows + heading.open_rows
        if not heading.choices or last < 2:
            continue
        if len(listed) > MOST_CHOICES or any("," in str(each) or '"' in str(each) for each in heading.choices):
            raise ValueError(f"{heading.name!r} has choices that a list in a cell cannot have")
        found.append(
            '<dataValidation type="list" allowBlank="1" showInputMessage="1" showErrorMessage="1" '
            f'sqref="{letter}2:{letter}{last}"><formula1>"{escape(listed)}"</formula1></dataValidation>'
        )
    return f'<dataValidations count="{len(found)}">{"".join(found)}</dataValidations>' if found else ""


def letters_of(index: int) -> str:
    """The letters of a column by its index, from 0: A, B, ... Z, AA."""
    letters = ""
    number = index + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
