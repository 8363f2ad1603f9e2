"""Written complete or not at all: a file or a folder is made beside its place, and gets its name when it is whole."""

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

CONTENTS = "contents.json"
"""In a folder that was exported: what was exported, and every file of it. By it the folder is known as replaceable."""

MOST_ONE_BY_ONE = 200
"""Up to so many files are brought to disk one after another; more of them by one call for all."""


@contextmanager
def written_whole(path: Path) -> Iterator[IO[str]]:
    """A text file that appears complete or not at all: written beside its place, flushed to disk, then renamed."""
    with whole_file(path) as place, open(place, "w", encoding="utf-8", newline="") as file:
        yield file


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write a file, so that it appears complete or not at all. What was there before stays until then."""
    if path.is_dir():
        raise AssayError(f"{path} is a folder", "name a file in it")
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    place = Path(name)
    try:
        yield place
        _to_disk(place)
        place.chmod(0o644)
        place.replace(path)
    except BaseException:
        place.unlink(missing_ok=True)
        raise


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Where to fill a folder, so that it appears complete or not at all.

    A folder that is there is replaced only if an export made it and nothing was added since: nothing of yours is lost.
    """
    refuse_to_replace(path)
    place = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part"))
    try:
        yield place
        files = [each for each in place.rglob("*") if each.is_file()]
        for each in files if len(files) <= MOST_ONE_BY_ONE else ():
            _to_disk(each)
        if len(files) > MOST_ONE_BY_ONE and hasattr(os, "sync"):
            os.sync()
        place.chmod(0o755)
        refuse_to_replace(path)
        _put_in_place(place, path)
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def _put_in_place(new: Path, path: Path) -> None:
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
    try:
        ours = {CONTENTS, *json.loads((path / CONTENTS).read_text("utf-8"))["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        ours = set()
    if foreign := sorted(there - ours):
        raise AssayError(f"the folder {path} holds {foreign[0]!r}, which no export has written", other)


def list_contents(place: Path, about: dict[str, str]) -> None:
    """Write down what a folder holds."""
    files = sorted(each.relative_to(place).as_posix() for each in place.rglob("*") if each.is_file())
    text = json.dumps({**about, "files": files}, ensure_ascii=False, indent=1)
    (place / CONTENTS).write_text(text + "\n", "utf-8")


def _to_disk(path: Path) -> None:
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
