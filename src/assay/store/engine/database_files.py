"""Notices that the files of an open SQLite database were deleted or replaced: writes to them would be lost."""

from pathlib import Path

from assay.errors import StoreError


class DatabaseFiles:
    """A database file and its log, as they were when it was opened."""

    def __init__(self, path: Path) -> None:
        self._found = {each: _number(each) for each in (path, path.with_name(f"{path.name}-wal"))}

    def look(self) -> None:
        """Raise where a file was deleted or replaced since it was opened."""
        for path, number in self._found.items():
            if not number or _number(path) != number:
                raise StoreError(
                    f"{path.name} was deleted or replaced while it was in use; what comes now cannot be kept",
                    "stop the server, put the file back or restore a backup, and start it again",
                )


def _number(path: Path) -> int:
    """The inode of a file; 0 where there is none."""
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return 0
