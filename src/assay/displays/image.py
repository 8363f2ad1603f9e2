"""A picture, with the regions that steps point to drawn over it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from assay.displays import WALK, Display
from assay.displays.formatted_text import LabelledField, as_text, type_in_words
from assay.displays.image_marks import ImageMark, mark_of, separate_marks
from assay.displays.regions import regions_of
from assay.kinds import Shortcut
from assay.model import CANDIDATES
from assay.words import Translatable

HASH = re.compile(r"[0-9a-f]{64}")
LETTERS = {"A": "A", "B": "D", "M": "M"}
"""The key for the marks of each side in the large view: two neighbours, and none that means something on the page."""


class ImageDisplay(LabelledField, Display):
    """A picture file, with the places that steps point to drawn over it.

    A place is `x, y`, `point`, `center` or `coordinates`; `x1, y1, x2, y2`, `box`, `bbox`, `region` or `init_bbox` (two
    corners); `points`, `polygon`, `mask` or `init_mask` (a list of points); or the word `center` for the middle. With
    `zoom_factor` a point is drawn as the part of the picture that is seen then. In a pair, the first candidate's places
    have circles and full lines, the second's have squares and dashes. What lies outside is an arrow at the border.
    Short: `image: picture`.
    """

    kind: ClassVar[str] = "image"
    example: ClassVar[Any] = {
        "field": "image_path",
        "label": "The picture",
        "alt": "image_alt",
        "marks": "trajectory",
        "arguments": "arguments",
        "coordinates": "pixel",
    }

    alt: str = Field(default="", description="The field that says in words what the picture shows.")
    marks: str = Field(default="", description="The field with the steps whose places are drawn over the picture.")
    arguments: str = Field(default="arguments", description="The key of a step that holds its place.")
    coordinates: Literal["pixel", "unit", "thousand"] = Field(
        default="pixel", description="What coordinates count: pixels, or shares of the picture from 0 to 1 or to 1000."
    )

    def fields(self) -> tuple[str, ...]:
        return (self.field, self.alt) if self.alt else (self.field,)

    def optional_fields(self) -> tuple[str, ...]:
        return (self.alt,) if self.alt else ()

    def pictures(self) -> tuple[str, ...]:
        return (self.field,)

    def keep(self, name: str, value: Any) -> Any:
        if name == self.field and isinstance(value, dict):
            return {key: value[key] for key in ("picture", "width", "height") if key in value}
        return None if isinstance(value, dict | list) else value

    def mistake_in(self, name: str, value: Any) -> str | None:
        if not isinstance(value, dict | list) or (
            name == self.field and isinstance(value, dict) and "picture" in value
        ):
            return None
        expected = "the name of a picture file" if name == self.field else "a text"
        return f"{expected} is expected, not {type_in_words(value)}"

    def shortcuts(self) -> tuple[Shortcut, ...]:
        of_a_side = Shortcut((LETTERS["A"], LETTERS["B"]), Translatable("picture.side_keys"))
        return (WALK, Shortcut(("Z", "M"), Translatable("picture.keys")), *([of_a_side] if self.marks else []))

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        picture = self._picture(shown.get(self.field))
        alt = as_text(self.keep(self.alt, shown.get(self.alt))) if self.alt else ""
        marks = self.marks_over(shown)
        sides = sorted({mark.name[0] for mark in marks if mark.name[0] in "AB"})
        return {
            "label": self.label,
            "alt": alt.strip(),
            "picture": picture,
            "marks": marks,
            "sides": sides,
            "letters": LETTERS,
        }

    def marks_over(self, shown: Mapping[str, Any]) -> list[ImageMark]:
        picture = self._picture(shown.get(self.field))
        return list(separate_marks(self._marks(shown, *picture[1:]))) if picture else []

    @staticmethod
    def _picture(value: Any) -> tuple[str, int, int] | None:
        """The picture's hash, width and height."""
        if not isinstance(value, dict):
            return None
        name, width, height = value.get("picture"), value.get("width"), value.get("height")
        if not isinstance(name, str) or not HASH.fullmatch(name):
            return None
        if not isinstance(width, int) or not isinstance(height, int) or width < 1 or height < 1:
            return None
        return name, width, height

    def _marks(self, shown: Mapping[str, Any], width: int, height: int) -> Iterator[ImageMark]:
        """A mark for each region, in per cent of the picture."""
        unit = {"pixel": (width, height), "unit": (1, 1), "thousand": (1000, 1000)}[self.coordinates]
        for prefix, steps in self._paths(shown):
            for at, step in enumerate(steps, 1):
                for _, region in regions_of(step.get(self.arguments) if isinstance(step, dict) else None):
                    yield mark_of(f"{prefix}{at}", prefix == "B", region.in_percent(unit), width / height)

    def _paths(self, shown: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
        """The item's own steps, or those of a pair's two candidates."""
        if not self.marks:
            return
        if isinstance(steps := shown.get(self.marks), list):
            yield "", steps
        candidates = shown.get(CANDIDATES)
        for prefix, candidate in zip("AB", candidates if isinstance(candidates, list) else (), strict=False):
            if isinstance(candidate, dict) and isinstance(steps := candidate.get(self.marks), list):
                yield prefix, steps

    def opening(self, shown: Mapping[str, Any]) -> str:
        return as_text(self.keep(self.alt, shown.get(self.alt))) if self.alt else ""

    def sample(self) -> dict[str, Any]:
        found: dict[str, Any] = {self.field: {"picture": "0" * 64, "width": 640, "height": 480}}
        return {**found, self.alt: "What the picture shows."} if self.alt else found
