"""What of a row annotators see, and what stays hidden: blinding begins here.

Only what a display of the study names is shown, and of that only the parts that the display keeps. Everything else is
hidden, and stored where no page of an annotator reads.
"""

from pathlib import Path
from typing import Any

from assay.displays import Display
from assay.items import Mistakes
from assay.items.combine_rows import PAIR, SYSTEMS
from assay.items.fields import ABSENT, value_at
from assay.items.item_pictures import ItemPictures
from assay.items.rows import Location, Row
from assay.model import CANDIDATES
from assay.pictures import Picture
from assay.study.schema import Study

MADE = frozenset((CANDIDATES, SYSTEMS, PAIR))
"""What was added to a row: its file does not have it."""


class ShownAndHidden:
    """Divides the rows of one file."""

    def __init__(self, study: Study, path: Path, pictures: Path | None, mistakes: Mistakes) -> None:
        self.items, self.mistakes = study.items, mistakes
        self.pictures = ItemPictures(path, pictures, mistakes)
        self.displays: dict[str, list[Display]] = {}
        """The displays that show each field of an item."""
        self.inner: dict[str, list[Display]] = {}
        """The displays that show each field of a candidate."""
        for block in self.items.show:
            for name in block.display.fields():
                self.displays.setdefault(name, []).append(block.display)
            for inner in getattr(block.display, "show", ()):
                for name in inner.display.fields():
                    self.inner.setdefault(name, []).append(inner.display)

    def shown_fields(self, row: Row, location: Location) -> tuple[dict[str, Any], tuple[Picture, ...]]:
        """The fields that are shown, as they are stored, and the pictures that they name."""
        pictures: list[Picture] = []
        shown = {
            name: self._shown_value(
                displays, name, None if (value := value_at(row, name)) is ABSENT else value, location, pictures
            )
            for name, displays in self.displays.items()
        }
        if CANDIDATES in row:
            shown[CANDIDATES] = [
                {
                    name: self._shown_value(displays, name, candidate.get(name), location, pictures)
                    for name, displays in self.inner.items()
                }
                for candidate in row[CANDIDATES]
            ]
        return shown, tuple(pictures)

    def hidden_fields(self, row: Row, shown: dict[str, Any]) -> dict[str, Any]:
        """Every field of a row that is not shown exactly as it is.

        Of a row with keys such as `A vs. B` every field, in the order of its file: a layout gives the row back whole.
        """
        made = MADE
        if self.items.candidates is not None and self.items.candidates.keys:
            made = made | {self.items.history.as_} if self.items.history else made
            return {name: value for name, value in row.items() if name not in made}
        return {name: value for name, value in row.items() if shown.get(name, ABSENT) != value and name not in made}

    def _shown_value(
        self, displays: list[Display], name: str, value: Any, location: Location, pictures: list[Picture]
    ) -> Any:
        for display in displays:
            if name in display.pictures():
                return self._take_in_picture(value, location, name, pictures)
            if (reason := display.mistake_in(name, value)) is not None:
                self.mistakes.add(reason, f"the display `{display.kind}` cannot show it", location, name)
                return None
        # Where several displays show one field, the first one decides which parts are shown.
        return displays[0].keep(name, value)

    def _take_in_picture(self, value: Any, location: Location, name: str, pictures: list[Picture]) -> Any:
        found = self.pictures.take(value, location, name)
        if found is None:
            return None
        pictures.append(found)
        return {"picture": found.hash, "width": found.width, "height": found.height}
