"""Write the judgments as data."""

import secrets
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.common import Database, Folder, Json, note, now, open_study, print_json, progress
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.cli.common import OpenStudy
    from assay.exchange import Export, ExportData

TABLES = ("judgments", "breaks", "agreed", "questionnaire", "check-ins")
BY = ("item", "group")


def run(
    where: Folder = Path(),
    form: Annotated[
        str,
        typer.Option(
            "--format", help="csv, csv-wide, jsonl, xlsx, parquet, huggingface, inspect, or a study's own layout."
        ),
    ] = "csv",
    what: Annotated[
        str,
        typer.Option(
            help="judgments; breaks: when each annotator rested; agreed: values agreed on; questionnaire: "
            "what people said about themselves, which stands in no other export; or check-ins: how they said they are."
        ),
    ] = "judgments",
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
    anonymous: Annotated[
        bool | None,
        typer.Option(
            "--anonymous/--as-stored",
            help="For publishing: names and ids drawn anew, times as order and duration, reviewed texts alone; "
            "a report says what was changed. Default: only with huggingface.",
        ),
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Write the judgments as data, complete or not at all, with a data dictionary beside them.

    Every judgment is written, with columns that tell what it is; a study's own layout has what counts alone.
    """
    from assay.each_beside import each_beside
    from assay.exchange.whole_export import file_name, write_export, write_table
    from assay.kinds import EXPORTS
    from assay.live.export_data import export_data
    from assay.store.coordinator.long_table import judgment_count

    if form not in EXPORTS:
        raise AssayError(f"there is no format {form!r}", f"formats: {', '.join(EXPORTS)}")
    for word, known, about in ((what, TABLES, "table of"), (named_by, BY, "id by")):
        if word not in known:
            raise AssayError(f"there is no {about} {word!r}", f"write one of: {', '.join(known)}")
    kind: Export = EXPORTS[form]()
    anonymised = kind.publishes if anonymous is None else anonymous
    if anonymised and what == "breaks":
        raise AssayError("breaks are times and nothing else", "an anonymised export has none: write --as-stored")
    if anonymised and what == "check-ins":
        raise AssayError("how people are is for coordinators alone", "an anonymised export has none: write --as-stored")
    with open_study(where, database) as at:
        if why := kind.refuses(at.study):
            raise AssayError(f"{form} does not suit {at.study.study}: {why}", _formats_for(at.study))
        path = out or at.folder / (file_name(kind) if what == "judgments" else f"{what}{kind.suffix}")
        if not path.parent.is_dir():
            raise AssayError(f"there is no folder {path.parent}", "make it first")
        with progress("Writing", lambda: at.store.read(judgment_count, at.study_id)) as show:
            how: Any = {"counted": counted, "named_by": named_by, "show": show, "anonymised": anonymised}
            how["at_work"] = each_beside
            data = export_data(at.store, at.study_id, at.study, now(), **how)
            if what == "judgments":
                written = write_export(kind, data, path)
            else:
                written = write_table(kind, path, what, *_table(at, data, what))
    if as_json:
        print_json({"file": str(path), written.what: written.count, "notes": list(written.notes)})
        return
    for each in written.notes:
        note(f"note: {each}")
    print(f"{path}: {written.count:,} {written.what}{', anonymised' if anonymised else ''}")


def _formats_for(study: Any) -> str:
    from assay.kinds import EXPORTS

    return "formats for this study: " + ", ".join(name for name, kind in EXPORTS.items() if not kind().refuses(study))


Table = tuple["ExportData", dict[str, str], Iterable[tuple[Any, ...]]]


def _table(at: "OpenStudy", data: "ExportData", what: str) -> Table:
    """The columns of a table that is not of judgments, and its rows; with what was changed in them."""
    from assay.exchange import (
        AGREED,
        BREAKS,
        CHECK_INS,
        QUESTIONNAIRE,
        agreed_rows,
        break_row,
        check_in_row,
        questionnaire_row,
    )
    from assay.exchange.anonymous_people import anonymous_answers
    from assay.store.annotator import breaks
    from assay.store.coordinator.care import check_ins
    from assay.store.coordinator.person_answers import person_answers

    if what == "agreed":
        return data, AGREED, agreed_rows(data.agreed)
    if what == "check-ins":
        return data, CHECK_INS, map(check_in_row, at.store.stream(check_ins, at.study_id))
    if what == "questionnaire":
        said = at.store.stream(person_answers, at.study_id)
        if data.changed is None:
            return data, QUESTIONNAIRE, map(questionnaire_row, said)
        asked = at.study.person_questions.items()
        closed = {name for name, each in asked if each.input.answer != "text"}
        found = anonymous_answers(said, closed, secrets.token_bytes(32))
        changed = replace(data.changed, about_people=tuple(found.lines()))
        return replace(data, changed=changed), QUESTIONNAIRE, map(questionnaire_row, found.answers)
    return data, BREAKS, (tuple(break_row(*each).values()) for each in at.store.stream(breaks.breaks, at.study_id))
