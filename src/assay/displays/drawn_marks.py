"""Marks drawn into a picture as the page draws them over it, for whoever sees the picture and not the page.

Twin of `image.html` and `image.css` (what is drawn), `steps.css` (its colours) and `labels.js` (where labels go).
"""

import io
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, cos, hypot, radians, sin

from PIL import Image, ImageDraw, ImageFont

from assay.displays.image_marks import PLATE, ImageMark
from assay.displays.regions import Pair

VERSION = 3
"""Changed when the same marks are drawn otherwise."""
FIRST, SECOND, ON_MARK = "#0b5cad", "#a3470a", "#ffffff"
"""The colours of the page by day."""
HALO = (255, 255, 255, 204)
AS_ON_A_PAGE = 1000
"""Pixels: on a larger picture marks grow with it, since it is made smaller before it is looked at."""
DASH, GAP = 7.0, 4.0
ARROW: tuple[Pair, ...] = ((0, 1), (9, 17), (0, 12.5), (-9, 17))
DOT, APART, ROUNDS = 16.0, 2.0, 6
HIDDEN, HIDES, UNCLEAR = 0.04, 100, 0.5
DIRECTIONS = ((-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0))
Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""
Target = tuple[Box, bool]
"""What a label belongs to, and whether it is a frame and not a dot."""


def with_marks(content: bytes, marks: Sequence[ImageMark]) -> bytes:
    """The picture with its marks, in the format that it has."""
    with Image.open(io.BytesIO(content)) as opened:
        format_ = opened.format or "PNG"
        image = _on_white(opened)
    _Drawing(image, marks).draw()
    written = io.BytesIO()
    image.save(written, format_, **({"quality": 92} if format_ == "JPEG" else {}))
    return written.getvalue()


def _on_white(image: Image.Image) -> Image.Image:
    if not image.has_transparency_data:
        return image.convert("RGB")
    clear = image.convert("RGBA")
    white = Image.new("RGBA", clear.size, ON_MARK)
    white.alpha_composite(clear)
    return white.convert("RGB")


class _Drawing:
    """Marks on their way into a picture. Lengths are those of the page, times `scale`."""

    def __init__(self, image: Image.Image, marks: Sequence[ImageMark]) -> None:
        self.width, self.height, self.marks = image.width, image.height, marks
        self.scale = max(1.0, max(image.size) / AS_ON_A_PAGE)
        self.pen = ImageDraw.Draw(image, "RGBA")
        self.font = ImageFont.load_default(12 * self.scale)

    def draw(self) -> None:
        """All that is pointed to, and over it all labels."""
        for mark in self.marks:
            self._shape(mark)
        for mark, (box, far) in zip(self.marks, self._places(), strict=True):
            self._label(mark, box, far)

    def _at(self, place: Pair) -> Pair:
        return place[0] / 100 * self.width, place[1] / 100 * self.height

    def _shape(self, mark: ImageMark) -> None:
        x, y = self._at(mark.at)
        scale = self.scale
        if mark.shape == "box":
            left, top, wide, high = mark.box
            begin, end = self._at((left, top)), self._at((left + wide, top + high))
            across, down = (5 * mark.around * scale * (-1 if fills else 1) for fills in mark.fills)
            self._outline(mark, _corners(begin[0] - across, begin[1] - down, end[0] + across, end[1] + down))
        elif mark.shape == "outline":
            self._outline(mark, [self._at(each) for each in mark.corners])
        elif mark.shape == "arrow":
            turn = radians(mark.away)
            turned = [(a * cos(turn) - b * sin(turn), a * sin(turn) + b * cos(turn)) for a, b in ARROW]
            points = [(x + a * scale, y + b * scale) for a, b in turned]
            self.pen.polygon(points, fill=_colour(mark), outline=ON_MARK, width=round(scale))
        elif mark.around and mark.second:
            wide = (5 + 6 * mark.around) * scale
            self._outline(mark, _corners(x - wide, y - wide, x + wide, y + wide), dashed=False)
        else:
            self._dot(mark, x, y)

    def _dot(self, mark: ImageMark, x: float, y: float) -> None:
        if mark.around:  # what is here already stays visible inside
            wide = (6 + 6 * mark.around) * self.scale
            for colour, line in ((HALO, 5.0), (_colour(mark), 2.5)):
                out = wide + line * self.scale / 2
                self.pen.ellipse((x - out, y - out, x + out, y + out), outline=colour, width=ceil(line * self.scale))
            return
        wide = (6 if mark.second else 7) * self.scale  # with the border, half of which lies outside
        draw = self.pen.rectangle if mark.second else self.pen.ellipse
        draw((x - wide, y - wide, x + wide, y + wide), fill=_colour(mark), outline=ON_MARK, width=round(2 * self.scale))

    def _outline(self, mark: ImageMark, corners: Sequence[Pair], *, dashed: bool = True) -> None:
        closed = [*corners, corners[0]]
        lines = list(_dashes(closed, DASH * self.scale, GAP * self.scale)) if mark.second and dashed else [closed]
        for colour, wide in ((HALO, 5.0), (_colour(mark), 2.5)):
            for line in lines:
                self.pen.line(line, fill=colour, width=ceil(wide * self.scale), joint="curve")

    def _label(self, mark: ImageMark, box: Box, far: bool) -> None:
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        if far:
            self.pen.line((self._at(mark.at), middle), fill=_colour(mark), width=round(1.5 * self.scale))
        round_ = 0 if mark.second else 9 * self.scale
        self.pen.rounded_rectangle(box, round_, fill=_colour(mark), outline=ON_MARK, width=round(self.scale))
        self.pen.text(middle, mark.name, fill=ON_MARK, font=self.font, anchor="mm")

    def _places(self) -> Iterator[tuple[Box, bool]]:
        """Where each label goes, and whether a line has to lead there.

        As near as there is room, not upon what is marked where there is room elsewhere, and rather where no other mark
        is as near as its own.
        """
        targets = [self._target(mark) for mark in self.marks]
        dots = [box for box, frame in targets if not frame]
        frames = [box for box, frame in targets if frame]
        taken: list[Box] = []
        for at, mark in enumerate(self.marks):
            others = [*targets[:at], *targets[at + 1 :]]
            places = [(box, number, _is_unclear(box, targets[at], others)) for box, number in self._candidates(mark)]
            free = [each for each in places if not any(_cover(each[0], other) for other in (*dots, *taken))]
            box, number, unclear = min(free, key=lambda each: _cost(each, frames)) if free else places[0]
            taken.append(box)
            yield box, number > 0 or unclear

    def _target(self, mark: ImageMark) -> Target:
        """What a label belongs to: the box around a dot, or a frame."""
        if mark.is_point:
            (x, y), half = self._at(mark.at), DOT / 2 * self.scale
            return (x - half, y - half, x + half, y + half), False
        left, top, wide, high = mark.box
        return (*self._at((left, top)), *self._at((left + wide, top + high))), True

    def _candidates(self, mark: ImageMark) -> Iterator[tuple[Box, int]]:
        x, y = self._at(mark.at)
        wide, high = mark.plate[2] * self.scale, PLATE * self.scale
        side = 1 if mark.second else -1
        best = (side, side) if mark.is_point else (-side, side)
        for number in range(ROUNDS):
            away = (DOT / 2 * self.scale if mark.is_point else 0) + number * (high + APART)
            for right, down in (best, *(each for each in DIRECTIONS if each != best)):
                left = max(0.0, min(self.width - wide, x + right * away - wide * (1 - right) / 2))
                top = max(0.0, min(self.height - high, y + down * away - high * (1 - down) / 2))
                yield (left, top, left + wide, top + high), number


def _colour(mark: ImageMark) -> str:
    return SECOND if mark.second else FIRST


def _corners(left: float, top: float, right: float, bottom: float) -> list[Pair]:
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _cost(place: tuple[Box, int, bool], frames: Sequence[Box]) -> float:
    """The cost of a place for a label, the lower the better; 1 is one step away from its mark."""
    box, number, unclear = place
    shares = [_upon(box, frame) for frame in frames]
    return number + UNCLEAR * unclear + HIDES * sum(share for share in shares if share > HIDDEN)


def _upon(box: Box, frame: Box) -> float:
    """The share of a frame that lies under a label."""
    across = min(box[2], frame[2]) - max(box[0], frame[0])
    down = min(box[3], frame[3]) - max(box[1], frame[1])
    return across * down / ((frame[2] - frame[0]) * (frame[3] - frame[1])) if across > 0 and down > 0 else 0.0


def _is_unclear(box: Box, own: Target, others: Sequence[Target]) -> bool:
    return any(_apart(box, other) <= _apart(box, own) for other in others)


def _apart(box: Box, target: Target) -> float:
    """How far a label is from the middle of a dot, or from the line of a frame."""
    (left, top, right, bottom), frame = target
    if not frame:
        left, top = right, bottom = (left + right) / 2, (top + bottom) / 2
    beyond = (left - box[0], top - box[1], box[2] - right, box[3] - bottom)
    if frame and max(beyond) < 0:
        return -max(beyond)
    return hypot(max(0.0, left - box[2], box[0] - right), max(0.0, top - box[3], box[1] - bottom))


def _cover(one: Box, other: Box) -> bool:
    beside = one[0] < other[2] + APART and other[0] < one[2] + APART
    return beside and one[1] < other[3] and other[1] < one[3]


def _dashes(path: Sequence[Pair], dash: float, gap: float) -> Iterator[list[Pair]]:
    """A path in dashes; each side begins with one, so that corners are seen."""
    for (x, y), (to_x, to_y) in pairwise(path):
        length = hypot(to_x - x, to_y - y)
        begin = 0.0
        while begin < length:
            ends = (begin / length, min(length, begin + dash) / length)
            yield [(x + (to_x - x) * at, y + (to_y - y) * at) for at in ends]
            begin += dash + gap
