"""Watching the files of a study."""

import time
from collections.abc import Iterator
from pathlib import Path

EVERY = 0.4
"""Seconds between two looks."""


def state(folder: Path) -> dict[str, int]:
    """When each file of a folder was last changed; the store and reports in it do not count."""
    return {
        str(path): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.suffix.lower()
        in (".yaml", ".md", ".csv", ".tsv", ".json", ".jsonl", ".xlsx", ".parquet", ".png", ".jpg")
        and path.name != "report.json"
    }


def changes(folder: Path) -> Iterator[None]:
    """Once at first, and again whenever a file has changed."""
    before: dict[str, int] | None = None
    while True:
        try:
            now = state(folder)
        except FileNotFoundError:  # removed between listing and looking
            continue
        if now != before:
            before = now
            yield
        time.sleep(EVERY)
