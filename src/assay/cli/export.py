"""Write the judgments as data."""

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import Database, Folder, Json

TABLES = ("judgments", "breaks")


def run(
    where: Folder = Path(),
    form: Annotated[
        str, typer.Option("--format", help="csv or jsonl: the long table, one row for each judgment.")
    ] = "csv",
    what: Annotated[str, typer.Option(help="judgments, or breaks: when each annotator rested.")] = "judgments",
    out: Annotated[
        Path | None, typer.Option(help="The file to write. Default: judgments.<format> in the study's folder.")
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Write the judgments as data: one row each, with item, system, annotator, dimension, value, times, study hash."""
    from collections.abc import Iterator

    from assay.cli.common import opened, print_json, progress
    from assay.errors import AssayError
    from assay.exchange import BREAKS, break_row, written_whole
    from assay.kinds import EXPORTS
    from assay.model import Judgment
    from assay.store import care, results

    if form not in EXPORTS:
        raise AssayError(f"there is no format {form!r}", f"formats: {', '.join(EXPORTS)}")
    if what not in TABLES:
        raise AssayError(f"there is no table of {what!r}", f"write one of: {', '.join(TABLES)}")
    kind = EXPORTS[form]()
    with opened(where, database) as at:
        path = out or at.folder / f"{what}{kind.suffix}"
        if not path.parent.is_dir():
            raise AssayError(f"there is no folder {path.parent}", "make it first")
        total = at.store.read(results.judgment_count, at.study_id)

        def counted() -> Iterator[Judgment]:
            for number, judgment in enumerate(
                at.store.stream(results.judgments, at.study_id, at.study.comparing), start=1
            ):
                show(number)
                yield judgment

        with progress("Writing", total) as show, written_whole(path) as file:
            if what == "breaks":
                taken = at.store.stream(care.breaks, at.study_id)
                count = kind.table(BREAKS, (break_row(*each) for each in taken), file)
            else:
                count = kind.write(counted(), file)
    if as_json:
        print_json({"file": str(path), what: count})
    else:
        print(f"{path}: {count} {what}")
