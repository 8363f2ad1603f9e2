"""Take items in."""

import gc
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from shlex import quote as quote_word
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.common import (
    Database,
    Folder,
    Json,
    OpenStudy,
    Reason,
    Who,
    by,
    database_for,
    note,
    now,
    open_study,
    plural,
    print_json,
    progress,
)
from assay.errors import AssayError, Interrupted, ItemMistakes, Mistake

MOST_NAMED = 5

if TYPE_CHECKING:
    from assay.items.import_plan import ImportFiles, ImportPlan
    from assay.items.import_summary import ImportSummary
    from assay.items.reader import ImportedRow
    from assay.store.coordinator.record import By


def run(
    where: Folder = Path(),
    file: Annotated[Path | None, typer.Option("--items", help="Another file than the study's own.")] = None,
    join: Annotated[
        Path | None, typer.Option("--join", help="Another file than the one that items.join names.")
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option("--pictures", help="The folder with the pictures, for paths of another machine.")
    ] = None,
    with_judgments: Annotated[
        bool, typer.Option("--with-judgments", help="Take in people's judgments that stand in the item file, too.")
    ] = False,
    sheet: Annotated[
        list[Path] | None, typer.Option("--sheet", help="A sheet with judgments of items that are in; repeatable.")
    ] = None,
    partial: Annotated[
        bool,
        typer.Option(
            "--partial", help="Take in judgments that lack some scores; what is missing is kept in the record."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Do everything to a copy of the data, say what came of it.")
    ] = False,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Corrected judgments stand in the place of imported ones; with --reason."),
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="List the imports: what came in when, and by whom.")] = False,
    undo: Annotated[
        int | None, typer.Option("--undo", help="Take back the import of this number, if nobody has judged its items.")
    ] = None,
    take_out: Annotated[
        bool, typer.Option("--take-out", help="With --undo: take its items out of the study; judgments of them stay.")
    ] = False,
    reason: Reason = "",
    who: Who = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Take items in: a plan first, then all of them, or none and a list of what is wrong.

    The same file a second time changes nothing. Judgments by automated judges come in with the items that carry them.
    Every import that brings something has a number; `--list` lists them, and `--undo` takes one back.
    """
    # Hundreds of thousands of small objects without reference cycles: the garbage collector would find nothing.
    gc.disable()
    from assay.items.entry_links import read_links
    from assay.items.import_plan import ImportFiles
    from assay.items.item_pictures import pictures_folder
    from assay.items.judgment_fields import JudgmentsWanted
    from assay.live.work_plan import work_plan
    from assay.study.outside import named_file

    alone = "--list" if list_ else "--undo" if undo is not None else ""
    beside = {"--items": file, "--join": join, "--pictures": pictures, "--sheet": sheet, "--replace": replace}
    beside |= {"--with-judgments": with_judgments, "--partial": partial, "--undo": list_ and undo is not None}
    if alone and (given := [name for name, value in beside.items() if value]):
        raise AssayError(f"{alone} takes nothing in, and goes without {', '.join(given)}", "one after the other")
    if take_out and undo is None:
        raise AssayError("--take-out goes with --undo: the items of which import?", "`assay import --list` lists them")
    if alone:
        with database_for(where, database, dry_run) as address, open_study(where, address) as at:
            _list(at, as_json) if undo is None else _undo(at, by(at, reason, who), undo, take_out, dry_run, as_json)
        return
    with (
        database_for(where, database, dry_run) as address,
        open_study(where, address) as at,
        _naming_publish(at.waiting),
    ):
        path = file if file or sheet else named_file(at.folder, at.study.items.source, "items.source")
        below = pictures_folder(at.study, at.folder, pictures)
        links = read_links(at.study, at.folder) if path is not None else {}
        files = ImportFiles(path, join, sheet or [], below, JudgmentsWanted(with_judgments, partial), links)
        plan = _make_plan(at, files)
        with closing(_SayingOnce(plan, as_json)) as saying:
            done = _carry_out(saying, at, by(at, reason, who), replace)
        work = work_plan(at.store, at.study_id, at.study, now())
    if as_json:
        said = {**plan.as_json(), "minutes": work.forecast.minutes}
        print_json({**done, "dry_run": dry_run, "plan": said, "work": work.as_json()})
    else:
        _say(plan, done, "would be" if dry_run else "", where)
        print("\n".join(work.sentences()))
        if dry_run:
            print("Nothing was taken in (--dry-run).")


def _make_plan(at: OpenStudy, files: "ImportFiles") -> "ImportPlan":
    """Read the files, and look at what they bring."""
    from assay.assignment.planned_order import sequence_notes
    from assay.items.import_plan import ImportPlan
    from assay.items.reference_items import known_items
    from assay.items.sample_files import sample_warnings

    def complete(summary: "ImportSummary") -> None:
        if files.items is not None:
            summary.samples.extend(sample_warnings(at.study, at.folder, files.items))
        for name, item in known_items(at.study, at.folder):
            summary.leak_search.add_known(name, item)
        summary.sequence = sequence_notes(at.study, summary.seen)

    return ImportPlan(at.study, files, progress, complete)


class _SayingOnce:
    """Prints the plan once: as soon as it is complete, and before anything is in the study."""

    def __init__(self, plan: "ImportPlan", as_json: bool) -> None:
        self.plan = plan
        self._as_json = as_json
        self._is_due = True
        if plan.is_said:
            self.say()

    def say(self) -> None:
        """Print the plan, and what looks wrong in it. As JSON it is printed at the end."""
        if not self._is_due:
            return
        self._is_due = False
        said = self.plan.what_it_says
        if self._as_json:
            return
        for line in self.plan.lines():
            print(line)
        for warning in said.warnings if self.plan.files.items is not None else ():
            note(f"  warning:   {warning}")

    def rows(self) -> "Iterator[ImportedRow]":
        """The rows to be stored; after the last of them the plan, if it was not known before."""
        yield from self.plan.rows()
        self.say()

    def close(self) -> None:
        """Stop computing the plan."""
        self.plan.end()


@contextmanager
def _naming_publish(waiting: bool) -> Iterator[None]:
    """Add a hint to publish first, where study.yaml differs from the version by which the files were read."""
    try:
        yield
    except ItemMistakes as error:
        if not waiting:
            raise
        what = "differs from the version in force, and files are read as that version says"
        hint = "if study.yaml puts right what is wrong here: `assay publish`, then this command again"
        raise ItemMistakes([*error.mistakes, Mistake("study.yaml", what, hint)]) from None


def _carry_out(saying: _SayingOnce, at: OpenStudy, acting: "By", replace: bool) -> dict[str, Any]:
    """Take everything in: if it is interrupted, nothing stays."""
    from assay import acts

    plan = saying.plan
    # The plan's judgments grow while its rows are read.
    files = acts.ImportedFiles(plan.given, at.folder, plan.files.names, replace, plan.files.wanted.partial)
    try:
        result = acts.take_in_by_steps(at.store, acting, at.study, saying.rows(), files)
    except KeyboardInterrupt:
        raise Interrupted("stopped", "nothing was taken in") from None
    except AssayError:
        saying.say()  # what refuses the import comes after what it would have been
        raise
    done, judged = result.items, result.judgments
    return {
        "import": result.number,
        "added": done.added,
        "known": done.known,
        "taken_out": list(done.taken_out),
        "duplicates": done.duplicates,
        "corrected": {file: list(names) for file, names in done.corrected.items()},
        "judged": judged.submissions,
        "judged_known": judged.known,
        "judged_replaced": judged.replaced,
        "judged_elsewhere": judged.elsewhere,
        "missing": dict(judged.missing),
        "annotators": sorted(judged.annotators),
        "judges": sorted(judged.judges),
    }


def _list(at: OpenStudy, as_json: bool) -> None:
    from assay.exchange import as_time
    from assay.store.coordinator import import_list

    found = at.store.read(import_list.entries, at.study_id)
    before = at.store.read(import_list.items_without_number, at.study_id)
    if as_json:
        print_json({"imports": [asdict(each) for each in found], "items_without_number": before})
        return
    for each in found:
        files = f" from {', '.join(each.files)}" if each.files else ""
        print(f"{each.number:>4}  {as_time(each.at)[:16].replace('T', ' ')}  {each.by}: {each.content}{files}")
        if each.undone_at is not None:
            when = as_time(each.undone_at)[:16].replace("T", " ")
            print(f"      taken back {when} by {each.undone_by}: {each.undone_reason}")
    if before:
        print(f"{plural(before, 'item')} came in before imports had numbers.")
    elif not found:
        print("Nothing has come in yet.")


def _undo(at: OpenStudy, acting: "By", number: int, take_out: bool, dry_run: bool, as_json: bool) -> None:
    from assay import acts

    taken_out = at.store.write(acts.take_import_out, acting, number) if take_out else 0
    done = None if take_out else at.store.write(acts.take_import_back, acting, number)
    if as_json:
        print_json({"number": number, "taken_out": taken_out, "dry_run": dry_run})
    elif done is None:
        print(f"{plural(taken_out, 'item')} of import {number} {'would be ' if dry_run else ''}taken out.")
    else:
        print(f"Import {number} {'would be' if dry_run else 'is'} taken back: {done.content}.")
    if dry_run and not as_json:
        print("Nothing was changed (--dry-run).")


def _study(where: Path) -> str:
    """The study's folder as an argument of a command that is proposed; empty for the current folder."""
    return "" if where == Path() else f" {quote_word(str(where))}"


def _say(plan: "ImportPlan", done: dict[str, Any], would_be: str, where: Path) -> None:
    taken_in = f"{would_be} taken in".strip()
    if plan.files.items is not None:
        known = f", {done['known']:,} were there already" if done["known"] else ""
        print(f"{plural(done['added'], 'item')} {taken_in}{known}.")
    if out := done["taken_out"]:
        listed = ", ".join(out[:MOST_NAMED]) + (", ..." if len(out) > MOST_NAMED else "")
        stay = "was taken out of the study and stays" if len(out) == 1 else "were taken out of the study and stay"
        back = f"`assay item NAME put-back{_study(where)} --reason ...` puts one back"
        print(f"{len(out):,} of these {stay} out ({listed}); {back}.")
    for file, names in done["corrected"].items():
        print(f"{file}: the known answers of {', '.join(names)} {would_be or 'were'} put right.")
    if done["judged"] or done["judged_known"] or plan.files.items is None or plan.files.wanted.people:
        who = ", ".join([*done["annotators"], *(f"{name} (judge)" for name in done["judges"])])
        known = f", {done['judged_known']:,} were there already" if done["judged_known"] else ""
        instead = (
            f", {done['judged_replaced']:,} of them in the place of earlier ones" if done["judged_replaced"] else ""
        )
        print(f"{plural(done['judged'], 'judged item')} {taken_in}{instead}{known}: {who or 'no score is filled in'}.")
    if done["import"] is not None and not would_be:
        back = f"`assay import{_study(where)} --undo {done['import']} --reason ...` takes it back"
        print(f"This is import {done['import']}; {back}.")
    if done["missing"]:
        listed = ", ".join(f"{name} {count:,}" for name, count in done["missing"].items())
        print(f"Missing, where the study's rules ask for it: {listed}. Such judgments come in; the record keeps it.")
    if done["judged_elsewhere"]:
        print(f"{plural(done['judged_elsewhere'], 'judged item')} of the sheet not in the store: left out.")
    people = plan.what_it_says.judged_by_people
    if people and not plan.files.wanted.people:
        print(f"{plural(people, 'item')} judged by people: that stayed outside; --with-judgments takes it in.")
