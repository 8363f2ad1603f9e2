"""Write the judgments as data."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from assay.cli.common import Database, Folder, Json, note, now, open_study, print_json, progress
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.cli.common import OpenStudy
    from assay.exchange import Export, ExportData, ExportResult
    from assay.model import Judgment

TABLES = ("judgments", "breaks")
BY = ("item", "group")


def run(
    where: Folder = Path(),
    form: Annotated[
        str,
        typer.Option(
            "--format", help="csv, csv-wide, jsonl, xlsx, parquet, huggingface, inspect, or a study's own layout."
        ),
    ] = "csv",
    what: Annotated[str, typer.Option(help="judgments, or breaks: when each annotator rested.")] = "judgments",
    out: Annotated[
        Path | None, typer.Option(help="The file or folder to write. Default: by the format, in the study's folder.")
    ] = None,
    counted: Annotated[
        bool,
        typer.Option(
            "--counted",
            help="Leave out what no result counts: superseded revisions, practice, controls, surplus, withdrawn items.",
        ),
    ] = False,
    named_by: Annotated[
        str, typer.Option("--id", help="With inspect: call a sample by the item's id (item) or its group's (group).")
    ] = "item",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Write the judgments as data, complete or not at all, with a data dictionary beside them.

    Every judgment is written, with columns that tell what it is; a study's own layout has what counts alone.
    """
    from assay.kinds import EXPORTS

    if form not in EXPORTS:
        raise AssayError(f"there is no format {form!r}", f"formats: {', '.join(EXPORTS)}")
    for word, known, about in ((what, TABLES, "table of"), (named_by, BY, "id by")):
        if word not in known:
            raise AssayError(f"there is no {about} {word!r}", f"write one of: {', '.join(known)}")
    kind: Export = EXPORTS[form]()
    with open_study(where, database) as at:
        if why := kind.refuses(at.study):
            raise AssayError(f"{form} does not suit {at.study.study}: {why}", _formats_for(at.study))
        name = what if what == "breaks" else kind.name or form
        path = out or at.folder / f"{name}{kind.suffix}"
        if not path.parent.is_dir():
            raise AssayError(f"there is no folder {path.parent}", "make it first")
        with _export_data(at, counted, named_by) as data:
            written = _write_breaks(kind, at, data, path) if what == "breaks" else _write_judgments(kind, data, path)
    if as_json:
        print_json({"file": str(path), written.what: written.count, "notes": list(written.notes)})
        return
    for each in written.notes:
        note(f"note: {each}")
    print(f"{path}: {written.count:,} {written.what}")


def _formats_for(study: Any) -> str:
    from assay.kinds import EXPORTS

    return "formats for this study: " + ", ".join(name for name, kind in EXPORTS.items() if not kind().refuses(study))


@contextmanager
def _export_data(at: "OpenStudy", counted: bool, named_by: Any) -> Iterator["ExportData"]:
    """What there is to export, with a bar that shows how far it is."""
    from assay.exchange import ExportData, mark_excluded
    from assay.live.report_data import excluded_from_report
    from assay.store.annotator.versions import version
    from assay.store.coordinator import comparisons, export_rows, long_table, study_status

    total = at.store.read(long_table.judgment_count, at.study_id)
    hashes = at.store.read(study_status.submissions_by_version, at.study_id)
    versions = {name: at.store.read(version, at.study_id, name) for name in hashes}
    excluded = excluded_from_report(at.store, at.study_id, at.study)
    with progress("Writing", total) as show:

        def judgments(by: Literal["time", "item", "annotator"] = "time") -> Iterator["Judgment"]:
            stream = at.store.stream(long_table.judgments, at.study_id, at.study.preference_dimensions, by)
            for number, judgment in enumerate(mark_excluded(stream, excluded), start=1):
                if not number % 100:
                    show(number)
                if not counted or judgment.counts:
                    yield judgment

        yield ExportData(
            study=at.study,
            judgments=judgments,
            items=lambda: at.store.stream(export_rows.items, at.study_id),
            annotators=lambda: at.store.stream(export_rows.annotators, at.study_id),
            made_at=now(),
            comparisons=at.store.read(comparisons.comparisons, at.study_id, at.study),
            studies={name: each for name, each in versions.items() if each is not None},
            total=None if counted else total,
            named_by=named_by,
        )


def _write_judgments(kind: "Export", data: "ExportData", path: Path) -> "ExportResult":
    """Write a file with its dictionary beside it, or a folder with the dictionary in it."""
    from assay.exchange.atomic import atomic_file, atomic_folder, list_contents
    from assay.exchange.dictionary import write_dictionary
    from assay.exchange.tables import as_time

    if kind.suffix:
        with atomic_file(_dictionary_of(path)) as dictionary, atomic_file(path) as part:
            written = kind.write(data, part)
            write_dictionary(dictionary, data, ((sheet or path.name, column) for sheet, column in kind.columns(data)))
        return written
    with atomic_folder(path) as part:
        written = kind.write(data, part)
        write_dictionary(part / "dictionary.csv", data, kind.columns(data))
        about = {"format": kind.kind, "study": data.study.study, "exported_at": as_time(data.made_at)}
        list_contents(part, about)
    return written


def _write_breaks(kind: "Export", at: "OpenStudy", data: "ExportData", path: Path) -> "ExportResult":
    from assay.exchange import BREAKS, ExportResult, break_row
    from assay.exchange.atomic import atomic_file
    from assay.exchange.dictionary import write_dictionary
    from assay.exchange.tables import typed_columns
    from assay.store.annotator import breaks

    columns = typed_columns(BREAKS)
    taken = at.store.stream(breaks.breaks, at.study_id)
    rows = (tuple(break_row(*each).values()) for each in taken)
    with atomic_file(_dictionary_of(path)) as dictionary, atomic_file(path) as part:
        count = kind.table(columns, rows, part)
        write_dictionary(dictionary, data, ((path.name, column) for column in columns))
    return ExportResult(count, "breaks")


def _dictionary_of(path: Path) -> Path:
    from assay.ratings.export_dictionary import BESIDE

    return path.with_name(path.name + BESIDE)
