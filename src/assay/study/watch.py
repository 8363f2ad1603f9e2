"""Watches the files of a study, so that a change is checked or shown at once."""

import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from assay.kinds import SOURCES
from assay.pictures import FORMATS

EVERY = 0.4
"""Seconds between two looks at the folder."""


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """The time and size of each file that a study can be made of. The store and reports are not among them.

    The time alone does not suffice: a file that was read while it was being saved may keep the same time.
    """
    watched = suffixes()
    found = {
        str(path): path.stat()
        for path in folder.rglob("*")
        if path.suffix.lower() in watched and path.name != "report.json"
    }
    return {name: (each.st_mtime_ns, each.st_size) for name, each in found.items()}


@cache
def suffixes() -> frozenset[str]:
    """The endings of files that a study can be made of: the study file, guide texts, items and pictures."""
    items = [suffix for source in SOURCES.values() for suffix in source.suffixes]
    pictures = [suffix for suffixes in FORMATS.values() for suffix in suffixes]
    return frozenset([".yaml", ".md", *items, *pictures])


def changes(folder: Path) -> Iterator[None]:
    """Once at first, and again whenever a file has changed."""
    before: dict[str, tuple[int, int]] | None = None
    while True:
        try:
            now = state(folder)
        except FileNotFoundError:  # removed between listing and looking
            continue
        if now != before:
            before = now
            yield
        time.sleep(EVERY)
