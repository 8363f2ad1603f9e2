"""What commands share: where the study is, which database, how things are printed."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from assay.store import Backend
    from assay.store.coordinator.record import By
    from assay.study import Study

Folder = Annotated[Path, typer.Argument(help="The study's folder, or its study.yaml.", metavar="STUDY")]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        envvar="ASSAY_DATABASE",
        help="Where to keep the data: postgresql://... or sqlite:///path. Default: assay.db in the study's folder.",
        metavar="URL",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for a program to read.")]


@dataclass(frozen=True)
class OpenStudy:
    """A study with its open store."""

    study: "Study"
    store: "Backend"
    study_id: int
    folder: Path
    waiting: bool = False
    """Whether the study file was changed and the version before it is still in force."""


Reason = Annotated[str, typer.Option(help="Why. It is kept with what was done.")]
Who = Annotated[str, typer.Option("--by", help="Who does it. Default: the name you are logged in under.")]


def by(at: OpenStudy, reason: str, who: str) -> "By":
    """Who acts now, and why, for the record of what was done."""
    from assay.store.coordinator.record import By

    return By(at.study_id, who_acts(who), now(), reason)


def who_acts(who: str = "") -> str:
    """Who acts: whom the command names, else the name that somebody is logged in under."""
    return who or _user()


def _user() -> str:
    """The name that somebody is logged in under."""
    try:
        return getuser()
    except (OSError, KeyError):  # a container without a user of that number
        return "coordinator"


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def folder_of(where: Path) -> Path:
    """The folder of a study, from the path of the folder or of its study file."""
    from assay.study.load import folder_of as meant

    return meant(where)


def database_of(where: Path, database: str | None) -> str:
    """The database: the one named, else the file in the study's folder."""
    return database or str(folder_of(where) / "assay.db")


@contextmanager
def database_for(where: Path, database: str | None, dry_run: bool) -> Iterator[str]:
    """The database to act on; for a dry run, a temporary copy of it."""
    if not dry_run:
        yield database_of(where, database)
        return
    from assay.store.upkeep.scratch import scratch_copy

    with ExitStack() as stack:
        with progress("Copying rows", None) as show:
            copy = stack.enter_context(scratch_copy(database_of(where, database), show))
        yield copy


@contextmanager
def open_study(where: Path, database: str | None, *, publish_anyway: bool = False) -> Iterator[OpenStudy]:
    """Load the study, open its store, and publish the study there unless work has begun under another version."""
    from assay import acts
    from assay.store import open_store
    from assay.store.annotator import versions
    from assay.study import load

    study = load(where)
    store = open_store(database_of(where, database))
    try:
        folder = store.folder = folder_of(where)
        note_new_name(store, study.study)
        published = store.write(acts.publish, _user(), study, folder, now(), even_if_begun=publish_anyway)
        if published.waiting:
            note(
                f"note: {study.study}: study.yaml differs from the version in force and work has begun; "
                "the version in force is used. `assay publish` puts the new one into force."
            )
            in_force = store.read(versions.version, published.id, published.hash)
            study = in_force or study
        yield OpenStudy(study, store, published.id, folder, published.waiting)
    finally:
        store.close()


def note_new_name(store: "Backend", name: str) -> None:
    """Say that a study begins anew in a store that has others: its name in the file may have been changed."""
    from assay.store.coordinator import studies

    names = [known for _, known in store.read(studies.all_studies)]
    if names and name not in names:
        there = ", ".join(names)
        note(f"note: {name} is a new study in this store; what was judged before stays with {there}.")


def note(text: str) -> None:
    """Print to standard error: standard output stays what a program can read."""
    print(text, file=sys.stderr)


def plural(count: int, thing: str) -> str:
    """A count with its noun."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def print_json(value: Any) -> None:
    """Print JSON for a program to read."""
    print(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


@contextmanager
def progress(what: str, total: int | Callable[[], int] | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal, silence elsewhere; call it with how much is done."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.__stderr__), transient=True) as bar:
        task = bar.add_task(what, total=total() if callable(total) else total)
        yield lambda done: bar.update(task, completed=done)
