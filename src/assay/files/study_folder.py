"""A study folder that comes as a zip file: unpacked with care, since anybody may have packed it."""

import io
import stat
import zipfile
from pathlib import Path, PurePosixPath

from assay.errors import AssayError

MOST_FILES = 500
MOST_BYTES = 50_000_000
"""Unpacked, all together."""
NO_ARCHIVE = "this is no zip file of a study folder"


def unpack_study_folder(content: bytes, into: Path) -> Path:
    """Unpack a study folder and return the folder that study.yaml stands in.

    Refused are files that would lie outside, links, and more than a study folder has.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [each for each in archive.infolist() if not each.is_dir()]
            _refuse_what_is_odd(entries)
            for each in entries:
                target = into / each.filename
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(each) as packed:
                    target.write_bytes(packed.read(MOST_BYTES))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise AssayError(f"{NO_ARCHIVE} ({error})", "pack the folder with study.yaml in it") from None
    found = sorted(into.rglob("study.yaml"), key=lambda path: len(path.parts))
    if not found:
        raise AssayError(f"{NO_ARCHIVE}: there is no study.yaml in it", "pack the folder with study.yaml in it")
    return found[0].parent


def _refuse_what_is_odd(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MOST_FILES or sum(each.file_size for each in entries) > MOST_BYTES:
        raise AssayError(
            f"{NO_ARCHIVE}: it holds more than {MOST_FILES} files or {MOST_BYTES // 1_000_000} MB",
            "leave out the items and their pictures: `assay import` takes these in",
        )
    for each in entries:
        path = PurePosixPath(each.filename.replace("\\", "/"))
        is_link = stat.S_ISLNK(each.external_attr >> 16)
        if path.is_absolute() or ".." in path.parts or is_link or "\0" in each.filename or ":" in each.filename:
            raise AssayError(f"{NO_ARCHIVE}: it names {each.filename!r}", "pack the folder itself, without links")
