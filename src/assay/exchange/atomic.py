"""Atomic writing: a file or a folder is made under a temporary name, and renamed when it is complete."""

import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from assay.errors import AssayError

CONTENTS = "contents.txt"
"""In a folder that was exported: what was exported, and every file of it, as JSON. A folder that holds nothing else may
be replaced by the next export. It is not called .json, because some programs read every .json file of a folder."""
EARLIER = "contents.json"
"""Its name in earlier releases."""

MOST_SYNCED_ONE_BY_ONE = 200
"""Up to so many files are brought to disk one after another; more of them by one call for all."""


@contextmanager
def atomic_text_file(path: Path) -> Iterator[IO[str]]:
    """A text file that appears complete or not at all: written under another name, flushed to disk, then renamed."""
    with atomic_file(path) as part, open(part, "w", encoding="utf-8", newline="") as file:
        yield file


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Where to write a file, so that it appears complete or not at all. What was there before stays until then."""
    if path.is_dir():
        raise AssayError(f"{path} is a folder", "name a file in it")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    part = Path(name)
    try:
        yield part
        _to_disk(part)
        part.chmod(0o644)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Where to fill a folder, so that it appears complete or not at all.

    A folder that is there is replaced only if an export made it and nothing was added since: nothing of yours is lost.
    """
    refuse_to_replace(path)
    part = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part"))
    try:
        yield part
        files = [each for each in part.rglob("*") if each.is_file()]
        for each in files if len(files) <= MOST_SYNCED_ONE_BY_ONE else ():
            _to_disk(each)
        if len(files) > MOST_SYNCED_ONE_BY_ONE and hasattr(os, "sync"):
            os.sync()
        part.chmod(0o755)
        refuse_to_replace(path)
        _swap_in(part, path)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def _swap_in(new: Path, path: Path) -> None:
    """Two renames where there is a folder already; if the second fails, the old one gets its name back."""
    if not path.exists():
        new.rename(path)
        return
    old = path.with_name(f".{path.name}.{secrets.token_hex(4)}.old")
    path.rename(old)
    try:
        new.rename(path)
    except BaseException:
        old.rename(path)
        raise
    shutil.rmtree(old, ignore_errors=True)


def refuse_to_replace(path: Path) -> None:
    """Raise where a name is taken by something that no export has made."""
    if not path.exists():
        return
    other = "give the export another name with --out"
    if not path.is_dir():
        raise AssayError(f"{path} is a file, and this format writes a folder", other)
    there = {each.relative_to(path).as_posix() for each in path.rglob("*") if not each.is_dir()}
    if foreign := sorted(there - _files_of_export(path)):
        raise AssayError(f"the folder {path} holds {foreign[0]!r}, which no export has written", other)


def _files_of_export(folder: Path) -> set[str]:
    """The files that an export has written into a folder."""
    for name in (CONTENTS, EARLIER):
        try:
            return {name, *json.loads((folder / name).read_text("utf-8"))["files"]}
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return set()


def list_contents(folder: Path, about: dict[str, str]) -> None:
    """Write down what a folder holds."""
    files = sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file())
    text = json.dumps({**about, "files": files}, ensure_ascii=False, indent=1)
    (folder / CONTENTS).write_text(text + "\n", "utf-8")


def _to_disk(path: Path) -> None:
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
