"""Pictures that items name: where they are looked for, and what is said where they are not there."""

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from assay.in_words import many
from assay.items import Mistakes
from assay.items.rows import Location
from assay.mistakes import quote
from assay.pictures import Picture, PictureError, find_below, path_inside, take_in
from assay.study.outside import named_file
from assay.study.schema import Study

ANOTHER_FOLDER = "--pictures DIR, or items.pictures in study.yaml, names the folder with the pictures"


def pictures_folder(study: Study, folder: Path, given: Path | None = None) -> Path | None:
    """The folder with the pictures: the one that was given, else the one that the study names in its own folder."""
    named = study.items.pictures
    return given or (named_file(folder, named, "items.pictures") if named else None)


class ItemPictures:
    """The pictures of one file, each taken in once. Paths count from the file, or are looked for below a folder."""

    def __init__(self, path: Path, below: Path | None, mistakes: Mistakes) -> None:
        self.beside = path if path.is_dir() else path.parent
        self.below = below
        self.mistakes = mistakes
        self.taken: dict[str, Picture] = {}
        self.named: dict[Path, str] = {}
        """The files that were found below the folder, each with the name that led to it."""
        self.absolute: list[tuple[str, Location, str]] = []
        """The absolute paths that nothing could be found by, with their places."""
        self.is_missing = below is not None and not below.is_dir()
        if self.is_missing:
            mistakes.add(f"there is no folder {below}", "name the folder with the pictures")

    def take(self, value: Any, location: Location, name: str) -> Picture | None:
        """The picture that a field names; what is wrong with it is noted."""
        if not isinstance(value, str) or not value.strip():
            self.mistakes.add(f"{quote(value)} names no picture", "write the path of a picture file", location, name)
            return None
        if self.is_missing:
            return None  # said once, and not of every picture
        try:
            if value not in self.taken:
                self.taken[value] = take_in(self._find(value))
        except PictureError as error:
            if self.below is None and (PurePosixPath(value).is_absolute() or PureWindowsPath(value).drive):
                self.absolute.append((value, location, name))
            else:
                self.mistakes.add(error.what, error.hint, location, name)
            return None
        return self.taken[value]

    def report(self) -> None:
        """Report absolute paths, which are those of another machine, as one mistake."""
        if not self.absolute:
            return
        value, location, name = self.absolute[0]
        others = len(self.absolute) - 1
        more = f", nor can {many(others, 'other absolute path')} here" if others else ""
        hint = f"a path counts from {self.beside}; {ANOTHER_FOLDER}"
        self.mistakes.add(f"{quote(value)} cannot be the name of a picture{more}", hint, location, name)

    def _find(self, value: str) -> Path:
        if self.below is None:
            try:
                return path_inside(self.beside, value)
            except PictureError as error:
                raise PictureError(error.what, f"{error.hint}; {ANOTHER_FOLDER}") from None
        found = find_below(self.below, value)
        other = self.named.setdefault(found, value)
        if other != value:
            what = f"{quote(value)} and {quote(other)} would be one picture, {found.name}"
            raise PictureError(what, f"keep the folders apart below {self.below}: names alone do not tell them apart")
        return found
