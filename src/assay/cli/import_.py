"""Take items in."""

import gc
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
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
    folder_of,
    note,
    open_study,
    plural,
    print_json,
    progress,
)
from assay.errors import Interrupted, ItemMistakes, Mistake

if TYPE_CHECKING:
    from assay.items.import_summary import ImportSummary
    from assay.items.imported_judgments import ImportedAnswers, ItemName
    from assay.items.judgment_counts import JudgmentCounts
    from assay.items.judgment_fields import JudgmentsWanted
    from assay.items.reader import ImportedRow
    from assay.store.coordinator.record import By
    from assay.study import Study

KEPT_BYTES = 100_000_000
"""Item files up to this size are kept in memory between the plan and the writing."""


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
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and stop.")] = False,
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
    from assay.assignment.planned_order import sequence_notes
    from assay.items.import_summary import ImportSummary
    from assay.items.item_pictures import pictures_folder
    from assay.items.judgment_fields import JudgmentsWanted
    from assay.items.sample_files import sample_warnings
    from assay.study import load

    if list_ or undo is not None:
        with open_study(where, database) as at:
            _list(at, as_json) if undo is None else _undo(at, by(at, reason, who), undo, take_out)
        return
    # Hundreds of thousands of small objects without reference cycles: the garbage collector would find nothing.
    gc.disable()

    def make_plan(study: "Study", folder: Path) -> ImportPlan:
        path = (file or folder / study.items.source) if file or not sheet else None
        wanted = JudgmentsWanted(with_judgments, partial)
        plan = ImportPlan(study, path, join, wanted, ImportSummary(study), pictures_folder(study, folder, pictures))
        plan.read_files(sheet or [])
        if path is not None:
            plan.summary.samples.extend(sample_warnings(study, folder, path))
            plan.summary.sequence = sequence_notes(study, plan.summary.seen)
        if not as_json:
            plan.say()
        return plan

    if dry_run:
        plan = make_plan(load(where), folder_of(where))
        print_json({"plan": plan.as_json()}) if as_json else print("Nothing was taken in (--dry-run).")
        return
    with open_study(where, database) as at, _naming_publish(at.waiting):
        plan = make_plan(at.study, at.folder)
        done = _carry_out(plan, at, by(at, reason, who), replace)
    print_json({**done, "plan": plan.as_json()}) if as_json else _say(plan, done)


@contextmanager
def _naming_publish(waiting: bool) -> Iterator[None]:
    """What is wrong may be put right in a study file that is not in force yet: then the mistakes end with that."""
    try:
        yield
    except ItemMistakes as error:
        if not waiting:
            raise
        what = "differs from the version in force, and files are read as that version says"
        hint = "if study.yaml puts right what is wrong here: `assay publish`, then this command again"
        raise ItemMistakes([*error.mistakes, Mistake("study.yaml", what, hint)]) from None


@dataclass
class ImportPlan:
    """What an import will do: everything was read once, and nothing is stored yet."""

    study: "Study"
    path: Path | None
    join: Path | None
    wanted: "JudgmentsWanted"
    summary: "ImportSummary"
    pictures: Path | None = None
    kept: list["ImportedRow"] | None = None
    """The items, where the file is of ordinary size; a large one is read a second time."""
    given: list[tuple["ItemName", "ImportedAnswers"]] = field(default_factory=list)
    files: tuple[str, ...] = ()
    """The names of everything that was read, for the list of imports."""
    sheets: dict[str, "JudgmentCounts"] = field(default_factory=dict)

    def read_files(self, sheets: list[Path]) -> None:
        """Read the items and the sheets."""
        from assay.items.judgment_counts import JudgmentCounts
        from assay.items.judgment_sheet import read_judgment_sheet

        if self.path is not None:
            self.kept = [] if self.path.is_file() and self.path.stat().st_size <= KEPT_BYTES else None
            for intake in self.read("Reading", None):
                self.summary.add(intake)
                if self.kept is not None:
                    self.kept.append(intake)
        self.files = tuple(each.name for each in (self.path, self.join, *sheets) if each is not None)
        for sheet in sheets:
            found = read_judgment_sheet(self.study, sheet, partial=self.wanted.partial)
            counts = self.sheets.setdefault(sheet.name, JudgmentCounts(self.study))
            for _, each in found:
                counts.add(each)
            self.given.extend(found)

    def read(self, what: str, total: int | None) -> Iterator["ImportedRow"]:
        """Every item of the file, with a bar that shows how far it is."""
        from assay.items.reader import read_items

        if self.path is None:
            return
        # The second time, what was kept is used.
        again = self.kept if self.kept and total is not None else None
        intakes: Iterable[ImportedRow] = again or read_items(
            self.study, self.path, self.join, self.wanted, self.pictures
        )
        with progress(what, total) as show:
            for number, intake in enumerate(intakes, start=1):
                show(number)
                yield intake

    def say(self) -> None:
        """Print the plan, and what looks wrong in it."""
        if self.path is not None:
            print(f"{self.path.name}:")
            for line in self.summary.lines():
                print(f"  {line}")
            for warning in self.summary.warnings():
                note(f"  warning:   {warning}")
        for name, counts in self.sheets.items():
            print(f"{name}:")
            for line in counts.lines() if counts.items else ["no score is filled in"]:
                print(f"  {line}")

    def as_json(self) -> dict[str, Any]:
        """The plan as JSON."""
        sheets = [{"file": name, **counts.as_json()} for name, counts in self.sheets.items()]
        return {**self.summary.as_json(), "sheets": sheets}


def _carry_out(plan: ImportPlan, at: OpenStudy, acting: "By", replace: bool) -> dict[str, Any]:
    """Take everything in, in one transaction: if it is interrupted, nothing stays."""
    from assay import acts

    stopped = threading.Event()

    def rows() -> Iterator["ImportedRow"]:
        for row in plan.read("Taking in", plan.summary.rows):
            if stopped.is_set():
                raise Interrupted("stopped")
            plan.given.extend((row.name, each) for each in row.judgments if each.judge or plan.wanted.people)
            yield row

    try:
        result = at.store.write(
            acts.take_in,
            acting,
            at.study,
            rows(),
            plan.given,
            at.folder,
            plan.files,
            replace=replace,
            partial=plan.wanted.partial,
        )
    except KeyboardInterrupt:
        stopped.set()  # the writing thread finds it at the next row, and takes everything back
        raise Interrupted("stopped", "nothing was taken in") from None
    done, judged = result.items, result.judgments
    return {
        "import": result.number,
        "added": done.added,
        "known": done.known,
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


def _undo(at: OpenStudy, acting: "By", number: int, take_out: bool) -> None:
    from assay import acts

    if take_out:
        print(f"{plural(at.store.write(acts.take_import_out, acting, number), 'item')} of import {number} taken out.")
    else:
        print(f"Import {number} is taken back: {at.store.write(acts.take_import_back, acting, number).content}.")


def _say(plan: ImportPlan, done: dict[str, Any]) -> None:
    if plan.path is not None:
        known = f", {done['known']:,} were there already" if done["known"] else ""
        print(f"{plural(done['added'], 'item')} taken in{known}.")
    for file, names in done["corrected"].items():
        print(f"{file}: the known answers of {', '.join(names)} were put right.")
    if done["judged"] or done["judged_known"] or plan.path is None:
        who = ", ".join([*done["annotators"], *(f"{name} (judge)" for name in done["judges"])])
        known = f", {done['judged_known']:,} were there already" if done["judged_known"] else ""
        instead = (
            f", {done['judged_replaced']:,} of them in the place of earlier ones" if done["judged_replaced"] else ""
        )
        print(f"{plural(done['judged'], 'judged item')} taken in{instead}{known}: {who or 'no score is filled in'}.")
    if done["import"] is not None:
        print(f"This is import {done['import']}; `assay import --undo {done['import']}` takes it back.")
    if done["missing"]:
        listed = ", ".join(f"{name} {count:,}" for name, count in done["missing"].items())
        print(f"Missing, where the study's rules ask for it: {listed}. They came in as they are; the record keeps it.")
    if done["judged_elsewhere"]:
        print(f"{plural(done['judged_elsewhere'], 'judged item')} of the sheet not in the store: left out.")
    people = plan.summary.judgments.by_people
    if people and not plan.wanted.people:
        print(f"{plural(people, 'item')} judged by people: that stayed outside; --with-judgments takes it in.")
