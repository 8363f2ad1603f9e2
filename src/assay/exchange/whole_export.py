"""Writes an export together with its data dictionary, complete or not at all."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.exchange import Export, ExportData, ExportResult
from assay.exchange.anonymity_report import REPORT
from assay.exchange.atomic import atomic_file, atomic_folder, list_contents
from assay.exchange.dictionary import write_dictionary
from assay.exchange.export_columns import as_time, typed_columns
from assay.ratings.export_dictionary import BESIDE, IN_FOLDER


def file_name(kind: Export) -> str:
    """The default name of a format's file or folder."""
    return f"{kind.name or kind.kind}{kind.suffix}"


def dictionary_of(path: Path) -> Path:
    """Where the dictionary of a file stands: beside it, under its name."""
    return path.with_name(path.name + BESIDE)


def write_export(kind: Export, data: ExportData, path: Path) -> ExportResult:
    """Write a file with its dictionary beside it, or a folder with the dictionary in it."""
    if kind.suffix:
        with atomic_file(dictionary_of(path)) as dictionary, atomic_file(path) as part:
            written = kind.write(data, part)
            write_dictionary_of_file(kind, data, path.name, dictionary)
        write_report_beside(data, path)
        return written
    with atomic_folder(path) as part:
        written = kind.write(data, part)
        write_dictionary(part / IN_FOLDER, data, kind.columns(data))
        if data.changed is not None:
            (part / REPORT).write_text(data.changed.text(), "utf-8")
        about = {"format": kind.kind, "study": data.study.study, "exported_at": as_time(data.made_at)}
        list_contents(part, about)
    return written


def write_table(
    kind: Export, path: Path, what: str, data: ExportData, about: Mapping[str, str], rows: Iterable[Sequence[Any]]
) -> ExportResult:
    """Write a table that is not of judgments, such as the agreed values, with its dictionary beside it."""
    columns = typed_columns(about)
    with atomic_file(dictionary_of(path)) as dictionary, atomic_file(path) as part:
        count = kind.table(columns, rows, part)
        write_dictionary(dictionary, data, ((path.name, column) for column in columns))
    write_report_beside(data, path)
    return ExportResult(count, what)


def write_report_beside(data: ExportData, path: Path) -> None:
    """Write the report of what was anonymised beside a file, under its name; nothing where the data are as stored."""
    if data.changed is not None:
        with atomic_file(path.with_name(f"{path.name}.{REPORT}")) as part:
            part.write_text(data.changed.text(), "utf-8")


def write_dictionary_of_file(kind: Export, data: ExportData, name: str, path: Path) -> None:
    """Write the dictionary of a file of this name."""
    write_dictionary(path, data, ((sheet or name, column) for sheet, column in kind.columns(data)))
