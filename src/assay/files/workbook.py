"""Reads the rows of a workbook, in the child process."""

import os
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO
from xml.etree import ElementTree

import python_calamine as calamine

from assay.files import DAMAGED, MOST_ROWS, OTHERWISE, Line, UnreadableFile, json_value

MOST_MEMBERS = 1_000
MOST_INFLATED = 200_000_000
MOST_RATIO = 100
RATIO_FROM = 1_000_000
PIECE = 1 << 16


def read_workbook(path: str, sheet: str) -> Iterator[Line]:
    """The rows of one sheet of a workbook. Cells with an error or an uncalculated formula are reported first."""
    _refuse_package(path)

    try:
        book = calamine.CalamineWorkbook.from_path(path)
        name = _choose_sheet(book, sheet)
        found = book.get_sheet_by_name(name)
        rows = enumerate(found.iter_rows(), start=1)
    except calamine.CalamineError:
        raise UnreadableFile(*DAMAGED) from None
    if found.total_height > MOST_ROWS or (found.start and found.start[0] + found.height > MOST_ROWS):
        raise UnreadableFile(f"the sheet has more than {MOST_ROWS:,} rows", OTHERWISE)
    if found.start is None:
        if others := [each.name for each in _worksheets(book) if each.name != name]:
            raise UnreadableFile(f"the sheet {name!r} is empty", f"other sheets here: {', '.join(others)}")
        return
    left = [""] * found.start[1]
    names = [str(_cell_value(value)) for value in [*left, *next(rows)[1]]]
    yield [1, names]
    yield from _cells_without_value(path, name, names)
    for number, values in rows:
        cells = []
        for column, value in enumerate([*left, *values]):
            try:
                cells.append(_cell_value(value))
            except ValueError as error:
                cells.append("")
                yield ["wrong", str(error), "write a number or a text", number, names[column]]
        if any(cell != "" for cell in cells):
            yield [number, cells]


def _refuse_package(path: str) -> None:
    """Refuse a package that unpacks to too much, by the sizes that it declares and by its real ones."""
    with open(path, "rb") as file:
        if file.read(4) == b"\xd0\xcf\x11\xe0":
            raise UnreadableFile(
                "the workbook is protected by a password, or is an old .xls", "save it as .xlsx without one"
            )
        try:
            members = zipfile.ZipFile(file).infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, OSError):
            raise UnreadableFile("this is not an .xlsx workbook", "save it as .xlsx") from None
        if len(members) > MOST_MEMBERS:
            raise UnreadableFile(f"the workbook holds {len(members):,} parts, more than {MOST_MEMBERS:,}", OTHERWISE)
        total = sum(member.file_size for member in members)
        if total > MOST_INFLATED:
            raise UnreadableFile(f"the workbook unpacks to {total // 1_000_000:,} MB, more than 200 MB", OTHERWISE)
        for member in members:
            if member.file_size > max(RATIO_FROM, MOST_RATIO * member.compress_size):
                ratio = member.file_size // max(1, member.compress_size)
                raise UnreadableFile(f"a part of the workbook unpacks to {ratio:,} times its size", OTHERWISE)
            if _unpacked_size(file, member) != member.file_size:
                raise UnreadableFile("a part of the workbook is not as large as it says", DAMAGED[1])


def _unpacked_size(file: BinaryIO, member: zipfile.ZipInfo) -> int:
    """The real size of a part, counted until it exceeds the declared one."""
    # zipfile stops at the declared size; other readers do not, and would use up the memory.
    file.seek(member.header_offset)
    head = file.read(30)
    known = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not member.flag_bits & 1
    if not known or len(head) < 30 or not head.startswith(b"PK\x03\x04"):
        raise UnreadableFile(*DAMAGED)
    file.seek(sum(struct.unpack("<HH", head[26:])), os.SEEK_CUR)
    if member.compress_type == zipfile.ZIP_STORED:
        return member.compress_size
    inflate = zlib.decompressobj(-15)
    size, left = 0, member.compress_size
    try:
        while left > 0 and size <= member.file_size and (piece := file.read(min(PIECE, left))):
            left -= len(piece)
            while piece and size <= member.file_size:
                size += len(inflate.decompress(piece, PIECE))
                piece = inflate.unconsumed_tail
        return size + len(inflate.flush(PIECE))
    except zlib.error:
        raise UnreadableFile(*DAMAGED) from None


def _worksheets(book: Any) -> list[Any]:
    """The sheets with cells: a chart may have a sheet of its own."""
    return [each for each in book.sheets_metadata if "WorkSheet" in str(each.typ)]


def _choose_sheet(book: Any, wanted: str) -> str:
    """The sheet that was asked for, else the first that can be seen."""
    sheets = _worksheets(book)
    names = [each.name for each in sheets]
    if not names:
        raise UnreadableFile("there is no sheet in this workbook", "one sheet with a row for each item")
    if wanted and wanted not in names:
        raise UnreadableFile(f"there is no sheet {wanted!r}", f"sheets here: {', '.join(names)}")
    return wanted or next((each.name for each in sheets if str(each.visible).endswith(".Visible")), names[0])


def _cell_value(value: Any) -> Any:
    """The value of a cell. Spreadsheets have only floats, so whole numbers become ints."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return json_value(value)


CELL = re.compile(rb"<(?:\w+:)?c(|\s[^>]*[^/>])>(.*?)</(?:\w+:)?c>", re.DOTALL)
OF_TYPE = re.compile(rb"""(?:^|\s)t\s*=\s*["'](\w+)["']""")
OF_TYPE_ERROR = re.compile(rb"""\st\s*=\s*["']e["']""")
AT = re.compile(rb"""(?:^|\s)r\s*=\s*["']([A-Z]{1,3})([0-9]{1,7})["']""")
SHOWN = re.compile(rb"<(?:\w+:)?v(?:\s[^>]*)?>([^<]+)<")
FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")


def _cells_without_value(path: str, sheet: str, names: list[str]) -> Iterator[Line]:
    """Cells that show an error, and formulas that were never calculated: calamine reads both as empty."""
    xml = _sheet_xml(path, sheet)
    if not (OF_TYPE_ERROR.search(xml) or FORMULA.search(xml)):
        return
    for cell in CELL.finditer(xml):
        attributes, content = cell.groups()
        kind = OF_TYPE.search(attributes)
        shown = SHOWN.search(content)
        if kind and kind[1] == b"e":
            what, hint = f"the cell shows {shown[1].decode() if shown else 'an error'}", "correct the cell"
        elif FORMULA.search(content) and not shown and not (kind and kind[1] == b"str"):
            what, hint = "the formula was never calculated", "open the workbook in a spreadsheet and save it"
        else:
            continue
        place = AT.search(attributes)
        row, column = (int(place[2]), _column_name(place[1].decode(), names)) if place else (None, "")
        yield ["wrong", what, hint, row, column]


def _column_name(letters: str, names: list[str]) -> str:
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - 64
    return names[index - 1] if index <= len(names) and names[index - 1].strip() else letters


def _sheet_xml(path: str, sheet: str) -> bytes:
    """The XML of a sheet, found as the package names it."""
    try:
        with zipfile.ZipFile(path) as package:
            names = {name.lower(): name for name in package.namelist()}
            book = ElementTree.fromstring(package.read(names["xl/workbook.xml"]))
            links = ElementTree.fromstring(package.read(names["xl/_rels/workbook.xml.rels"]))
            targets = {link.get("Id"): link.get("Target", "") for link in links}
            [entry] = [each for each in book.iterfind(".//{*}sheets/{*}sheet") if each.get("name") == sheet]
            target = targets[next(value for key, value in entry.items() if key.endswith("}id"))]
            return package.read(names[posixpath.normpath(posixpath.join("/xl", target)).lstrip("/").lower()])
    except (KeyError, ValueError, StopIteration, ElementTree.ParseError, zipfile.BadZipFile):
        raise UnreadableFile(*DAMAGED) from None
