"""A picture, with the regions that steps point to drawn over it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from pydantic import Field

from assay.displays import WALK, Display
from assay.displays.formatted_text import LabelledField, as_text, type_in_words
from assay.displays.steps import Region, regions_of
from assay.kinds import Shortcut
from assay.model import CANDIDATES
from assay.words import Translatable

HASH = re.compile(r"[0-9a-f]{64}")
NEAR = 4  # per cent of the picture: labels of regions so close to each other would overlap
EDGE = 8  # per cent of the picture: a label so near to the border goes to the inner side
POINT, PLATE = 8, 18  # pixels: from a point to its label, and the label's height


class ImageDisplay(LabelledField, Display):
    """A picture file, with the places that steps point to drawn over it: `x, y`; `x1, y1, x2, y2`; `point`, `box` or
    `bbox` (two corners); `points` or `polygon`. In a pair, the first candidate's have circles and full lines, the
    second's have squares and dashes. Short: `image: picture`.
    """  # noqa: D205

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
        return (WALK, Shortcut(("Z", "M"), Translatable("picture.keys")))

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        picture = self._picture(shown.get(self.field))
        alt = as_text(self.keep(self.alt, shown.get(self.alt))) if self.alt else ""
        marks = list(separate_labels(self._marks(shown, *picture[1:]))) if picture else []
        return {"label": self.label, "alt": alt.strip(), "picture": picture, "marks": marks}

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

    def _marks(self, shown: dict[str, Any], width: int, height: int) -> Iterator["ImageMark"]:
        """A mark for each region, in per cent of the picture."""
        unit = {"pixel": (width, height), "unit": (1, 1), "thousand": (1000, 1000)}[self.coordinates]
        for prefix, steps in self._paths(shown):
            for at, step in enumerate(steps, 1):
                for _, region in regions_of(step.get(self.arguments) if isinstance(step, dict) else None):
                    corners = tuple((100 * x / unit[0], 100 * y / unit[1]) for x, y in region.corners)
                    yield mark_of(f"{prefix}{at}", prefix == "B", Region(region.shape, corners))

    def _paths(self, shown: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
        """The item's own steps, or those of a pair's two candidates."""
        if not self.marks:
            return
        if isinstance(steps := shown.get(self.marks), list):
            yield "", steps
        candidates = shown.get(CANDIDATES)
        for prefix, candidate in zip("AB", candidates if isinstance(candidates, list) else (), strict=False):
            if isinstance(candidate, dict) and isinstance(steps := candidate.get(self.marks), list):
                yield prefix, steps

    def sample(self) -> dict[str, Any]:
        found: dict[str, Any] = {self.field: {"picture": "0" * 64, "width": 640, "height": 480}}
        return {**found, self.alt: "What the picture shows."} if self.alt else found


@dataclass(frozen=True)
class ImageMark:
    """One region as it is drawn, in per cent of the picture. Labels have the same size at every zoom: pixels."""

    name: str
    second: bool
    shape: str
    corners: tuple[tuple[float, float], ...]
    outside: Literal["", "partly", "wholly"]
    beside: int = 0
    """How many labels are here already."""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height."""
        across, down = [x for x, _ in self.corners], [y for _, y in self.corners]
        return min(across), min(down), max(across) - min(across), max(down) - min(down)

    @property
    def at(self) -> tuple[float, float]:
        """The anchor of the label: the upper left for the first candidate, the lower right for the second."""
        if self.shape == "box":
            left, top, width, height = self.box
            return (left + width, top + height) if self.second else (left, top)
        return (max if self.second else min)(self.corners, key=sum)

    @property
    def plate(self) -> tuple[float, float, float]:
        """The offset of the label from its anchor, and its width, in pixels: beside a point, else on the edge."""
        x, y = self.at
        wide = 8 * len(self.name) + 8
        away = POINT if self.shape == "point" else 0
        above = y > (100 - EDGE if self.second else EDGE)
        if self.shape == "point":
            leftwards = x > (100 - EDGE if self.second else EDGE)
        else:
            leftwards = x > EDGE if self.second else x > 100 - EDGE
        aside = away + self.beside * (wide + 2)
        return -aside - wide if leftwards else aside, -away - PLATE if above else away, wide


def mark_of(name: str, second: bool, region: Region) -> ImageMark:
    """A region as it is drawn: on the border where it lies outside."""
    inside = [0 <= x <= 100 and 0 <= y <= 100 for x, y in region.corners]
    outside: Literal["", "partly", "wholly"] = "" if all(inside) else "partly" if any(inside) else "wholly"
    corners = tuple((min(100.0, max(0.0, x)), min(100.0, max(0.0, y))) for x, y in region.corners)
    return ImageMark(name, second, region.shape, corners, outside)


def separate_labels(marks: Iterator[ImageMark]) -> Iterator[ImageMark]:
    """The same marks, with labels that would overlap moved side by side."""
    done: list[ImageMark] = []
    for mark in marks:
        near = [each for each in done if each.second == mark.second and _is_near(each.at, mark.at)]
        done.append(mark)
        yield replace(mark, beside=len(near))


def _is_near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) < NEAR and abs(one[1] - other[1]) < NEAR
