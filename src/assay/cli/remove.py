"""Put a study away, bring it back, begin again under its name, or delete it for good."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.common import Database, Folder, Who, database_of, now, open_study, who_acts
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.store import Backend


def run(
    where: Folder = Path(),
    confirm: Annotated[str, typer.Option(help="The study's name, typed out: what is to be removed.")] = "",
    reason: Annotated[str, typer.Option(help="Why, for the record.")] = "",
    undo: Annotated[bool, typer.Option("--undo", help="Bring the study back, paused.")] = False,
    set_aside: Annotated[
        bool,
        typer.Option("--set-aside", help="Keep the removed study under another name: then you can begin again."),
    ] = False,
    purge: Annotated[
        bool, typer.Option("--purge", help="Delete it for good, thirty days or more after it was removed.")
    ] = False,
    name: Annotated[str, typer.Option(help="Of a study that was set aside: the name that it is kept under.")] = "",
    list_: Annotated[bool, typer.Option("--list", help="List the studies that are removed.")] = False,
    who: Who = "",
    database: Database = None,
) -> None:
    """Put a study away. Nobody sees it any more, and it can be brought back for thirty days.

    Its judgments stay in the store until it is purged, which is asked for by itself and never happens on its own.
    """
    from assay import acts
    from assay.store.coordinator import studies
    from assay.store.coordinator.record import By

    if undo + set_aside + purge + list_ > 1:
        raise AssayError("one thing at a time", "say --undo, --set-aside, --purge or --list")
    with _open_study_to_remove(where, database, name, by_itself=not list_) as (store, study_id, called):
        acting = By(study_id, who_acts(who), now(), reason)
        if list_:
            _list(store)
        elif undo:
            _say_back(store.write(acts.bring_study_back, acting), called)
        elif set_aside:
            kept = store.write(acts.set_study_aside, acting)
            print(f"The removed study is kept as {kept}: `assay remove --undo --name {kept}` brings it back.")
            print(f"`assay import` begins {called} again.")
        elif purge:
            if confirm != called:
                raise AssayError(f"that is not the study's name ({confirm!r})", f"say --confirm {called}")
            store.write(acts.purge_study, study_id, now())
            print(f"Everything of {called} is deleted.")
        else:
            store.write(acts.remove_study, acting, confirm)
            print(f"{called} is removed. `assay remove --undo` brings it back, for {studies.KEPT_DAYS} days.")


@contextmanager
def _open_study_to_remove(
    where: Path, database: str | None, name: str, *, by_itself: bool
) -> Iterator[tuple["Backend", int, str]]:
    """The store with the study that is meant: by the name that it is kept under, or by its file."""
    from assay.store import open_store
    from assay.store.coordinator import studies

    if by_itself and not name:
        with open_study(where, database) as at:
            yield at.store, at.study_id, at.study.study
        return
    # What is said of a study that was set aside begins no new one under its name.
    store = open_store(database_of(where, database))
    try:
        yield store, store.read(studies.find, name)[0] if name else 0, name
    finally:
        store.close()


def _list(store: "Backend") -> None:
    from assay.exchange import as_time
    from assay.store.coordinator import studies

    found = store.read(studies.removed_studies)
    for each in found:
        print(f"{each.name}: removed {as_time(each.at)[:10]}, kept until {as_time(each.until)[:10]}")
    if not found:
        print("No study is removed.")


def _say_back(name: str, called: str) -> None:
    print(f"{name} is back, and paused. `assay state --to open` lets work go on.")
    if name == called and "-removed-" in name:
        print(f"Another study has its own name: for commands, write `study: {name}` in a study.yaml of its own.")
