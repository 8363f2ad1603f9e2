"""Places in a picture as marks that are drawn over it: where each lies, and where its label stands."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import atan2, degrees
from typing import Literal

from assay.displays.regions import Pair, Region

NEAR = 4  # per cent of the picture: labels of regions so close to each other would overlap
UPON = 1.5  # per cent of the picture: marks so close to each other would be one
MOST_AROUND = 4
EDGE = 8  # per cent of the picture: a label so near to the border goes to the inner side
POINT, PLATE = 8, 18  # pixels: from a point to its label, and the label's height


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
    """How many marks of this shape are here already: it is drawn around them."""

    @property
    def is_point(self) -> bool:
        """Whether it is one place, beside which its label stands."""
        return self.shape in ("point", "arrow")

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, width and height."""
        across, down = [x for x, _ in self.corners], [y for _, y in self.corners]
        return min(across), min(down), max(across) - min(across), max(down) - min(down)

    @property
    def fills(self) -> tuple[bool, bool]:
        """Whether a box reaches from border to border, across and down: around it there is no room to draw another."""
        left, top, width, height = self.box
        return (
            left < NEAR and left + width > 100 - NEAR,
            top < NEAR and top + height > 100 - NEAR,
        )

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
        away = POINT if self.is_point else 0
        above = y > (100 - EDGE if self.second else EDGE)
        if self.is_point:
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
    """Whether nothing of it lies within the border; what only touches the border from outside does not."""
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
        around = _around(mark, same) if mark.shape == "box" and same else mark.corners
        yield replace(mark, corners=around, beside=len(labels), around=min(MOST_AROUND, len(same)))


def _around(mark: ImageMark, others: list[ImageMark]) -> tuple[Pair, Pair]:
    """The corners of a box around several that nearly coincide: a line inside would strike through what they mark."""
    starts, ends = zip(*(_ends(each) for each in (mark, *others)), strict=True)
    return (min(x for x, _ in starts), min(y for _, y in starts)), (max(x for x, _ in ends), max(y for _, y in ends))


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
