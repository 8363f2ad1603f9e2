"""Judge on sheets instead of the page."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from assay.cli.common import Database, Json, Who, by, note, open_study, plural, print_json, progress
from assay.errors import AssayError, Interrupted

if TYPE_CHECKING:
    from assay.cli.common import OpenStudy
    from assay.sheets.validate_answers import SheetResults


def run(
    what: Annotated[
        Literal["out", "in"], typer.Argument(help="out: write sheets. in: read filled ones.", metavar="out|in")
    ],
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="The study's folder; with `in`, the filled sheets after it.", metavar="[STUDY] [FILE]..."),
    ] = None,
    names: Annotated[
        list[str] | None, typer.Option("--annotator", help="With out: who gets a sheet; once for each person.")
    ] = None,
    count: Annotated[int, typer.Option(help="With out: so many new annotators: a1, a2, ...", min=0)] = 0,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="With out: xlsx, csv, or a layout of the originals with the items' own ids: rating-rows, "
            "annotation-sheets.",
        ),
    ] = "xlsx",
    out: Annotated[
        Path | None, typer.Option(help="With out: the folder to write to. Default: sheets, in the study's folder.")
    ] = None,
    past_gates: Annotated[
        str,
        typer.Option(
            metavar="REASON",
            help="With out: how people passed gates that they have not passed on their page. Recorded.",
        ),
    ] = "",
    partial: Annotated[
        bool, typer.Option("--partial", help="With in: take the rows that are right, and list the others.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="With in: only say what would be taken in.")] = False,
    who: Who = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Write one sheet for each annotator, and read filled sheets back.

    `out` gives people their share of the items, as their page would, on a sheet each. `in` checks everything first, by
    the same rules as the page, and lists what is wrong cell by cell; nothing is taken in until all of it is right. The
    same sheet twice changes nothing; a corrected cell is a new revision. The layouts rating-rows and annotation-sheets
    of `assay export` go out empty and come back the same way; human_ratings_*.xlsx are read as well.
    """
    other: dict[str, object] = {"--partial": partial, "--dry-run": dry_run}
    if what == "in":
        other = {"--annotator": names, "--count": count, "--out": out, "--past-gates": past_gates}
    if given := [name for name, value in other.items() if value]:
        raise AssayError(f"{', '.join(given)} goes with {'out' if what == 'in' else 'in'}", "leave it out")
    where, files = _study_and_files(paths or [])
    if what == "out":
        if files:
            raise AssayError(f"{files[0]} is no study", "name the study's folder, and people with --annotator")
        with open_study(where, database) as at:
            _out(at, names or [], count, form, out, past_gates, who, as_json)
        return
    if not files:
        raise AssayError("no sheet is named", "assay sheets in my-study sheets/*.xlsx")
    with open_study(where, database) as at:
        _in(at, files, partial, dry_run, who, as_json)


def _study_and_files(paths: list[Path]) -> tuple[Path, list[Path]]:
    """The first path is the study where it is a folder or a YAML file; otherwise the study is here."""
    if paths and (paths[0].is_dir() or paths[0].suffix in (".yaml", ".yml")):
        return paths[0], paths[1:]
    return Path(), paths


def _out(
    at: "OpenStudy", names: list[str], count: int, form: str, out: Path | None, past_gates: str, who: str, as_json: bool
) -> None:
    from sqlalchemy import Connection

    from assay import acts
    from assay.acts.sheets import give_sheets
    from assay.sheets.id_layouts import ID_LAYOUTS, IdSheet
    from assay.sheets.write import SheetFile, files_of, make_sheet, refuse_format, write_sheet
    from assay.store.coordinator import annotators

    refuse_format(at.study, form)
    wanted = [acts.valid_name(name) for name in names] + at.store.read(annotators.free_names, at.study_id, count)
    wanted = list(dict.fromkeys(wanted))
    if not wanted:
        raise AssayError("nobody is named", "say --annotator ana --annotator ben, or --count 2")
    folder = out or at.folder / "sheets"
    _refuse_to_overwrite([path for name in wanted for path in files_of(folder, at.study, name, form)])
    folder.mkdir(parents=True, exist_ok=True)
    acting = by(at, "", who)

    def give(connection: Connection, show: Callable[[int], None]) -> list[SheetFile | IdSheet]:
        by_name = form in ID_LAYOUTS
        handed = give_sheets(connection, acting, at.study, wanted, past_gates.strip(), show, by_name=by_name)
        return [make_sheet(at.study, each, form, acting.at) for each in handed]

    with _stoppable("Giving out", None, "nothing was given out") as show:
        made = at.store.write(give, show)
    written = []
    with progress("Writing", len(made)) as show:
        for number, each in enumerate(made, 1):
            if each.rows:
                written.append((each, write_sheet(each, folder, form)))
            else:
                note(f"{each.annotator}: there is nothing to judge, and no sheet.")
            if isinstance(each, IdSheet) and each.without_id:
                again = plural(each.without_id, "item")
                note(f"{each.annotator}: {again} drawn to come a second time, with no id for it, left for the page.")
            show(number)
    if as_json:
        print_json([{"annotator": each.annotator, "rows": len(each.rows), "file": str(path)} for each, path in written])
        return
    for each, path in written:
        print(f"{path}  {len(each.rows):,} rows for {each.annotator}")
    if written:
        print("\nWhat stands on a sheet stays with its annotator. Read it back with `assay sheets in`.")


def _refuse_to_overwrite(files: list[Path]) -> None:
    """A sheet that is there may be filled in already, and two people must not share one."""
    lower = [str(path).casefold() for path in files]
    for path, name in zip(files, lower, strict=True):
        if lower.count(name) > 1:
            raise AssayError(
                f"two annotators would have the same file, {path.name}", "write them to folders of their own"
            )
        if path.exists():
            raise AssayError(f"{path} is there already", "move it away, or write to another folder: --out")


def _in(at: "OpenStudy", files: list[Path], partial: bool, dry_run: bool, who: str, as_json: bool) -> None:
    from assay.sheets.validate import validate_files

    results = at.store.read(validate_files, at.study_id, at.study, files, partial=partial)
    if not partial and results.mistakes.count:
        _say_warnings(results)
        results.mistakes.raise_if_any()
    done = {"new": results.n_new, "changed": results.n_changed}
    done["known"] = len(results.right) - results.n_new - results.n_changed
    if not dry_run:
        done = _take_in(at, results, who)
    mistakes = results.mistakes.as_list()
    done |= {"not_taken": results.mistakes.count, "empty": results.empty, "left_out": len(results.declined)}
    if as_json:
        listed = [{"where": each.where, "what": each.what, "fix": each.hint} for each in mistakes]
        print_json({**done, "problems": listed, "dry_run": dry_run})
        return
    _say_warnings(results)
    for mistake in mistakes:
        print(mistake)
    _say(at, results, done, dry_run)


def _take_in(at: "OpenStudy", results: "SheetResults", who: str) -> dict[str, int]:
    """Take the sheets in, in one transaction: if it is interrupted, nothing stays."""
    from assay.acts.imports import look_at_what_came
    from assay.acts.sheets import take_sheets

    with _stoppable("Taking in", len(results.right), "nothing was taken in") as show:
        taken = at.store.write(take_sheets, by(at, "", who), results.right, show, declined=results.declined)
    look_at_what_came(at.store, judged=taken.new)
    return {"new": taken.new, "changed": taken.changed, "known": taken.known}


@contextmanager
def _stoppable(what: str, total: int | None, undone: str) -> Iterator[Callable[[int], None]]:
    """A progress bar for a transaction that Ctrl-C rolls back."""
    stopped = threading.Event()
    with progress(what, total) as show:

        def step(number: int) -> None:
            if stopped.is_set():
                raise Interrupted("stopped")
            show(number)

        try:
            yield step
        except KeyboardInterrupt:
            stopped.set()  # the writing thread finds it at the next step, and takes everything back
            raise Interrupted("stopped", undone) from None


def _say_warnings(results: "SheetResults") -> None:

    for warning in results.mistakes.warnings:
        note(f"warning: {warning}")


def _say(at: "OpenStudy", results: "SheetResults", done: dict[str, Any], dry_run: bool) -> None:
    from assay.store.coordinator import sheets

    would = "would be " if dry_run else ""
    print(
        f"{plural(done['new'], 'judged item')} {would}taken in, {done['changed']:,} changed, "
        f"{done['known']:,} known already: {', '.join(results.people) or 'nobody'}."
    )
    if done["not_taken"]:
        print(f"{plural(done['not_taken'], 'problem')} above: those rows {'stay' if dry_run else 'stayed'} outside.")
    if done["left_out"]:
        print(f"{plural(done['left_out'], 'item')} left out by them: {would}given to others.")
    if done["empty"]:
        print(f"{plural(done['empty'], 'row')} not judged yet.")
    if dry_run:
        print("Nothing was changed (--dry-run).")
        return
    for name, mine in results.people.items():
        if left := at.store.read(sheets.open_count, mine):
            print(f"{name} still has {plural(left, 'item')} to judge.")
