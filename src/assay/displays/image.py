"""A picture, with the regions that steps point to drawn over it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import atan2, degrees
from typing import Any, ClassVar, Literal

from pydantic import Field

from assay.displays import WALK, Display
from assay.displays.formatted_text import LabelledField, as_text, type_in_words
from assay.displays.regions import Pair, Region, regions_of
from assay.kinds import Shortcut
from assay.model import CANDIDATES
from assay.words import Translatable

HASH = re.compile(r"[0-9a-f]{64}")
NEAR = 4  # per cent of the picture: labels of regions so close to each other would overlap
UPON = 1.5  # per cent of the picture: marks so close to each other would be one
MOST_AROUND = 4
EDGE = 8  # per cent of the picture: a label so near to the border goes to the inner side
POINT, PLATE = 8, 18  # pixels: from a point to its label, and the label's height


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
        return (WALK, Shortcut(("Z", "M"), Translatable("picture.keys")))

    def view(self, shown: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        picture = self._picture(shown.get(self.field))
        alt = as_text(self.keep(self.alt, shown.get(self.alt))) if self.alt else ""
        marks = list(separate_marks(self._marks(shown, *picture[1:]))) if picture else []
        sides = sorted({mark.name[0] for mark in marks if mark.name[0] in "AB"})
        return {"label": self.label, "alt": alt.strip(), "picture": picture, "marks": marks, "sides": sides}

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
                    yield mark_of(f"{prefix}{at}", prefix == "B", region.in_percent(unit), width / height)

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

    def opening(self, shown: Mapping[str, Any]) -> str:
        return as_text(self.keep(self.alt, shown.get(self.alt))) if self.alt else ""

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
    away: float = 0
    """Where it lies outside: the direction in which, in degrees clockwise from upwards."""
    beside: int = 0
    """How many labels are here already."""
    around: int = 0
    """How many marks of this shape are here already: it is drawn around a point, and inside a box."""

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
        away = POINT if self.shape in ("point", "arrow") else 0
        above = y > (100 - EDGE if self.second else EDGE)
        if self.shape in ("point", "arrow"):
            leftwards = x > (100 - EDGE if self.second else EDGE)
        else:
            leftwards = x > EDGE if self.second else x > 100 - EDGE
        aside = away + self.beside * (wide + 2)
        return -aside - wide if leftwards else aside, -away - PLATE if above else away, wide


def mark_of(name: str, second: bool, region: Region, aspect: float = 1) -> ImageMark:
    """A region as it is drawn: what lies outside on the border, as an arrow where nothing of it is inside.

    The aspect is the width of the picture by its height: by it a direction in per cent becomes one on the screen.
    """
    across, down = [x for x, _ in region.corners], [y for _, y in region.corners]
    inside = [0 <= x <= 100 and 0 <= y <= 100 for x, y in region.corners]
    corners = tuple((_within(x), _within(y)) for x, y in region.corners)
    if not _is_beyond(across) and not _is_beyond(down):
        return ImageMark(name, second, region.shape, corners, "" if all(inside) else "partly")
    middle = (sum(across) / len(across), sum(down) / len(down))
    at = (_within(middle[0]), _within(middle[1]))
    away = degrees(atan2((middle[0] - at[0]) * aspect, at[1] - middle[1]))
    return ImageMark(name, second, "arrow", (at,), "wholly", away)


def _is_beyond(shares: list[float]) -> bool:
    """Whether nothing of it is left within the border; what only touches it from outside has nothing to be drawn."""
    low, high = min(shares), max(shares)
    return _within(low) == _within(high) and (low < high or low != _within(low))


def _within(share: float) -> float:
    return min(100.0, max(0.0, share))


def separate_marks(marks: Iterator[ImageMark]) -> Iterator[ImageMark]:
    """The same marks, such that none covers another: labels stand side by side, and what is drawn lies around."""
    done: list[ImageMark] = []
    for mark in marks:
        labels = [each for each in done if each.second == mark.second and _is_near(each.at, mark.at, NEAR)]
        same = [each for each in done if each.shape == mark.shape and _is_alike(each, mark)]
        done.append(mark)
        yield replace(mark, beside=len(labels), around=min(MOST_AROUND, len(same)))


def _is_alike(one: ImageMark, other: ImageMark) -> bool:
    """Whether two marks of one shape lie upon each other."""
    if len(one.corners) != len(other.corners):
        return False
    return all(_is_near(each, there, UPON) for each, there in zip(_ends(one), _ends(other), strict=True))


def _ends(mark: ImageMark) -> tuple[Pair, ...]:
    left, top, width, height = mark.box
    return ((left, top), (left + width, top + height)) if mark.shape == "box" else mark.corners


def _is_near(one: Pair, other: Pair, limit: float) -> bool:
    return abs(one[0] - other[0]) < limit and abs(one[1] - other[1]) < limit
