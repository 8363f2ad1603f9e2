"""What the data dictionary beside an export says of its dimensions: their scales, and which versions share them."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from assay.files.formulas import as_it_was
from assay.model import Comparison, Level
from assay.ratings.scale_declarations import LEVELS

BESIDE = ".dictionary.csv"
"""How the dictionary's name ends; what stands before is the name of the file that it explains."""
IN_FOLDER = "dictionary.csv"
"""What the dictionary of a folder is called."""
FIRST, SECOND = "the first of systems", "the second of systems"
"""The values of a preference that are the name of a system, by its place in the column `systems`."""
BETWEEN = "; "
"""What stands between the values of a scale, and between versions."""
SYSTEMS = "systems"
"""The column whose values are the comparisons of the study, as `Linnet|Heron`: each in its direction."""
NUMBER = "whole number"
"""The type of a dimension whose values are numbers."""


@dataclass(frozen=True)
class ExportedDimension:
    """A dimension as the dictionary has it."""

    name: str
    level: Level | None
    """None where it has no scale: a note, tags, or what is computed."""
    values: tuple[str, ...]
    numeric: bool
    versions: frozenset[str] | None
    """The versions of the study in which it has this scale; None where that is not said."""

    @property
    def compares(self) -> bool:
        """Whether a value is the name of a system."""
        return FIRST in self.values


@dataclass(frozen=True)
class ExportDictionary:
    """The dimensions in the order of the rubric, and in a wide table the dimension of each column."""

    dimensions: dict[str, ExportedDimension] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)
    comparisons: dict[frozenset[str], Comparison] = field(default_factory=dict)
    """The comparisons by the two systems, each in the direction in which results are said."""


def find_dictionary(path: Path) -> ExportDictionary | None:
    """The dictionary of an export: beside its file, in its folder, or in the one above."""
    folder = path.parent
    for found in (path.with_name(path.name + BESIDE), folder / IN_FOLDER, folder.parent / IN_FOLDER):
        if found.is_file():
            try:
                with found.open(encoding="utf-8-sig", newline="") as file:
                    return read_dictionary(csv.DictReader(file))
            except (UnicodeDecodeError, csv.Error):
                continue
    return None


def read_dictionary(rows: Iterable[dict[str, str]]) -> ExportDictionary | None:
    """The dictionary from its rows; None where they are not of one."""
    found = ExportDictionary()
    for cells in rows:
        row = {name: as_it_was(cell or "") for name, cell in cells.items()}
        if not {"column", "of", "level", "values", "type"} <= row.keys():
            return None
        if row["column"] == SYSTEMS:
            named = (text.split("|") for text in row["values"].split(BETWEEN))
            found.comparisons.update((frozenset(two), Comparison(*two)) for two in named if len(two) == 2)
        if not row["of"]:
            continue
        level = next((each for each in LEVELS if each == row["level"]), None)
        versions = row.get("versions")
        found.dimensions[row["of"]] = ExportedDimension(
            row["of"],
            level,
            tuple(filter(None, row["values"].split(BETWEEN))),
            row["type"] == NUMBER,
            None if versions is None else frozenset(filter(None, versions.split(BETWEEN))),
        )
        if row["column"] != "value":
            found.columns[row["column"]] = row["of"]
    return found
