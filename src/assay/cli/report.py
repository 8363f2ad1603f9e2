"""Write the report."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Database, Folder, Json, note, now, open_study, print_json
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.cli.common import OpenStudy
    from assay.report.build import Report

MANY = 2_000
"""From so many judgments on, a second process saves more time than it takes to begin it."""


def run(
    where: Folder = Path(),
    out: Annotated[
        Path | None, typer.Option(help="The HTML file to write. Default: report.html in the study's folder.")
    ] = None,
    paper: Annotated[
        Path | None,
        typer.Option(
            help="Also a folder for a paper: every figure and table as SVG, PNG, PDF, CSV and LaTeX, captions, a "
            'methods paragraph and its sources. Needs: pip install "assay-eval[paper]".'
        ),
    ] = None,
    font: Annotated[
        Path | None, typer.Option(help="With --paper: the TrueType file (.ttf) that figures are set in.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the bootstrap.", min=0)] = 0,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Write the report: one self-contained HTML file, and beside it a JSON file with every number."""
    with _no_search_for_cycles(), open_study(where, database) as at:
        path = out or at.folder / "report.html"
        if not path.parent.is_dir():
            raise AssayError(f"there is no folder {path.parent}", "make it first")
        if font is not None and paper is None:
            raise AssayError("--font is about the figures of --paper", "add --paper and a folder")
        if paper is not None and not paper.absolute().parent.is_dir():
            raise AssayError(f"there is no folder {paper.absolute().parent}", "make it first")
        note("Computing ...")
        report = write(at, path, seed, paper, font)
    if as_json:
        print_json(report.numbers())
        return
    for line in report.summary():
        print(line)
    print(f"\n{path}\n{path.with_suffix('.json')}" + (f"\n{paper}" if paper is not None else ""))


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Turn the garbage collector off: among a million judgments it takes a fifth of the time, and finds nothing.

    What exists afterwards is frozen (`gc.freeze`), so that it is not searched later, at the exit for instance.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def write(at: "OpenStudy", path: Path, seed: int = 0, paper: Path | None = None, font: Path | None = None) -> "Report":
    """Gather what a report needs from the store, compute it, and write both files atomically; and a paper's folder."""
    from assay.beside import beside, here
    from assay.exchange.atomic import atomic_text_file
    from assay.live.report_data import gather_with_fieldwork
    from assay.report.build import build

    data = gather_with_fieldwork(at.store, at.study_id, at.study, now(), seed=seed, start=beside)
    if not data.items:
        raise AssayError("the study has no items yet, so there is nothing to report", "assay import takes them in")
    start = beside if len(data.judgments) >= MANY else here
    report = build(data, start)
    if paper is not None:
        _write_paper(report, paper, font)
    numbers = start(report.json)
    with atomic_text_file(path) as file:
        file.write(report.html(start))
    with atomic_text_file(path.with_suffix(".json")) as file:
        file.write(numbers())
    return report


def _write_paper(report: "Report", folder: Path, font: Path | None) -> None:
    """Write the folder of a paper, complete or not at all."""
    from assay.exchange.atomic import atomic_folder, list_contents, refuse_to_replace
    from assay.report.paper.files import paper_files

    try:
        refuse_to_replace(folder)
    except AssayError as error:
        raise AssayError(error.what, "name another folder with --paper") from error
    with atomic_folder(folder) as part:
        for each in paper_files(report, font):
            (part / each.name).parent.mkdir(exist_ok=True)
            (part / each.name).write_bytes(each.content)
        list_contents(part, {"format": "paper", "study": report.data.study.study, "made_at": report.data.made_at})
