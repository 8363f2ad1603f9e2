"""A folder of JSON files, each one row, as logs are written in batches."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.items import Mistakes, Options, Source, UnreadableText
from assay.items.json import read_json, rows_below

ADDED = ("_file", "_folder")


class FolderSource(Source):
    """A folder of .json files, also in subfolders: one object a file. `_file` and `_folder` say where it stood."""

    kind: ClassVar[str] = "folder"
    suffixes: ClassVar[tuple[str, ...]] = ()
    folder: ClassVar[bool] = True

    def rows(
        self, path: Path, mistakes: Mistakes, options: Options = Options()
    ) -> Iterator[tuple[int | str, dict[str, Any]]]:
        for file in _files(path, mistakes):
            first, below, _ = file.partition("/")
            for location, row in _rows_of_file(path / file, file, mistakes, options.each):
                if taken := [name for name in ADDED if name in row]:
                    mistakes.add(f"the key {taken[0]!r} is already there", "it is kept for the file's place", location)
                else:
                    yield location, {"_file": file, "_folder": first if below else "", **row}


def _rows_of_file(path: Path, file: str, mistakes: Mistakes, each: str) -> Iterator[tuple[int | str, dict[str, Any]]]:
    before = mistakes.count
    try:
        top = read_json(path, mistakes, file)
    except UnreadableText as error:
        mistakes.add(str(error), "save it as UTF-8", file)
        return
    except OSError as error:
        mistakes.add(f"the file cannot be read ({error.strerror})", "look at its permissions", file)
        return
    if each and top is not None:
        yield from rows_below(top, each, mistakes, file)
    elif isinstance(top, dict):
        yield file, top
    elif mistakes.count == before:
        mistakes.add("the file does not hold one object", "{...}", file)


def _files(folder: Path, mistakes: Mistakes) -> Iterator[str]:
    """The .json files below a folder by their paths from it, those of one folder together, in the order of names."""
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            entries = sorted(os.scandir(folder / below), key=lambda entry: entry.name)
        except OSError as error:
            mistakes.add(f"the folder cannot be read ({error.strerror})", "look at its permissions", below)
            continue
        folders = []
        for entry in entries:
            name = f"{below}/{entry.name}" if below else entry.name
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(name)
            elif _may_hold_rows(entry) and _is_readable(folder, entry, name, mistakes):
                yield name
        waiting += reversed(folders)


def _may_hold_rows(entry: os.DirEntry[str]) -> bool:
    return entry.name.lower().endswith(".json") or (entry.is_symlink() and entry.is_dir())


def _is_readable(folder: Path, entry: os.DirEntry[str], name: str, mistakes: Mistakes) -> bool:
    """Whether this is a file within the folder. A link to a folder in it is not followed: its files are read there."""
    try:
        inside = Path(entry.path).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        # A link that leads back to itself.
        inside = False
    if not inside:
        mistakes.add("this link leads out of the folder", "put the file itself here", name)
    elif not entry.is_file() and not entry.is_dir():
        mistakes.add("this is not a file that can be read", "put a file here, or remove it", name)
    return inside and entry.is_file()
