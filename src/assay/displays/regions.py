"""Where in a picture a step points to: its arguments name a point, a box, an outline, or the word for the middle."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

Pair = tuple[float, float]

POINTS = ("point", "center", "coordinates")
BOXES = ("box", "bbox", "region", "init_bbox", "coordinates")
OUTLINES = ("points", "polygon", "mask", "init_mask")
MIDDLE = ("center", "centre", "middle")
"""The words for the middle of the picture."""
ZOOM = "zoom_factor"


@dataclass(frozen=True)
class Region:
    """Where a step points to: one corner is a point, two opposite ones are a box, more are an outline."""

    shape: Literal["point", "box", "outline"]
    corners: tuple[Pair, ...]
    """In the step's own numbers; none where a word says that it is the middle."""
    zoom: float = 1
    """How far a point is zoomed in to: what is seen then is a part of the picture around it."""

    def in_percent(self, whole: Pair) -> "Region":
        """The same in per cent of the picture; `whole` is its width and height in the units of the step's numbers."""
        corners = tuple((100 * x / whole[0], 100 * y / whole[1]) for x, y in self.corners) or ((50.0, 50.0),)
        if self.shape != "point" or self.zoom <= 1:
            return replace(self, corners=corners, zoom=1)
        [(x, y)], half = corners, 50 / self.zoom
        if not (0 <= x <= 100 and 0 <= y <= 100):
            return replace(self, corners=corners, zoom=1)
        # What would lie beyond the border is not seen: there the part is smaller.
        seen = ((max(0.0, x - half), max(0.0, y - half)), (min(100.0, x + half), min(100.0, y + half)))
        return Region("box", seen)


def regions_of(arguments: Any) -> Iterator[tuple[tuple[str, ...], Region]]:
    """Every region in a step's arguments, with the keys that give it."""
    if _is_middle(arguments):
        yield (), Region("point", ())
    if not isinstance(arguments, dict):
        return
    for names in (("x1", "y1", "x2", "y2"), ("x", "y")):
        numbers = [arguments.get(name) for name in names]
        if all(map(is_number, numbers)):
            yield names, _region(numbers, arguments)
    for name in dict.fromkeys([*BOXES, *POINTS]):
        value = arguments.get(name)
        lengths = [length for length, names in ((4, BOXES), (2, POINTS)) if name in names]
        if _is_middle(value):
            yield (name,), Region("point", (), _zoom(arguments))
        elif isinstance(value, list) and len(value) in lengths and all(map(is_number, value)):
            yield (name,), _region(value, arguments)
    for name in OUTLINES:
        value = arguments.get(name)
        if isinstance(value, list) and value and all(map(_is_pair, value)):
            yield (name,), Region("point" if len(value) == 1 else "outline", tuple((x, y) for x, y in value))


def _region(numbers: list[Any], arguments: dict[str, Any]) -> Region:
    corners = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    return Region("point", corners, _zoom(arguments)) if len(corners) == 1 else Region("box", corners)


def _zoom(arguments: dict[str, Any]) -> float:
    factor = arguments.get(ZOOM)
    return float(factor) if isinstance(factor, int | float) and is_number(factor) and factor > 1 else 1


def is_number(value: Any) -> bool:
    """Whether something can be a coordinate."""
    # The limits also exclude NaN, and whole numbers that are too large to be drawn.
    return isinstance(value, int | float) and not isinstance(value, bool) and -1e9 < value < 1e9


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(is_number, value))


def _is_middle(value: Any) -> bool:
    return isinstance(value, str) and value.strip().casefold() in MIDDLE
