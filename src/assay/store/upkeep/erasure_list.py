"""The list of erasures outside the database: drawn keys alone, by which a restored backup has people erased again."""

import os
from collections.abc import Iterable
from pathlib import Path

from assay.store.coordinator.erase_person import Erasure

SUFFIX = "-erasures"
DATABASE = "assay.db"
"""What the database in a study's folder is called, where it lies there; the list is called after it anyway."""


def list_beside(database: Path) -> Path:
    """The list that goes with a SQLite file."""
    return database.with_name(database.name + SUFFIX)


def lists_of(database: Path | None, folder: Path | None) -> list[Path]:
    """Every list that goes with a database: beside a SQLite file, and in the study's folder."""
    found = [] if database is None else [list_beside(database.absolute())]
    if folder is not None and (in_folder := list_beside(folder.absolute() / DATABASE)) not in found:
        found.append(in_folder)
    return found


def add_to_list(path: Path, done: Erasure) -> None:
    """Write down an erasure, on disk before this returns."""
    with open(path, "a", encoding="ascii") as file:
        file.write(f"{done.key} {'kept' if done.kept else 'deleted'} {done.at}\n")
        file.flush()
        os.fsync(file.fileno())


def read_list(path: Path) -> list[Erasure]:
    """Every erasure that was written down; a line that was cut off by a crash is left out."""
    if not path.is_file():
        return []
    lines = (line.split() for line in path.read_text("ascii", errors="replace").splitlines())
    return [
        Erasure(key=parts[0], study=0, kept=parts[1] == "kept", at=int(parts[2]))
        for parts in lines
        if len(parts) == 3 and parts[1] in ("kept", "deleted") and parts[2].isdigit()
    ]


def together(*lists: Iterable[Erasure]) -> list[Erasure]:
    """Several lists of erasures as one, without repetitions."""
    return list({each.key: each for some in lists for each in some}.values())
