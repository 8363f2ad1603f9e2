"""Frames, labels and numbers for figures: templates draw SVG with them, in `currentColor`, so that dark mode works."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from assay.in_words import count as count
from assay.in_words import day as day
from assay.in_words import interval as interval
from assay.in_words import number as number
from assay.in_words import p_value as p_value
from assay.in_words import share as share
from assay.in_words import with_sign as with_sign
from assay.report.axes import DAY as DAY
from assay.report.axes import HOUR as HOUR
from assay.report.axes import Axis as Axis
from assay.report.axes import LogAxis as LogAxis
from assay.report.axes import TimeAxis as TimeAxis
from assay.report.axes import clock as clock
from assay.report.axes import hour as hour
from assay.report.data import TOO_FEW
from assay.report.text_width import cut, lines, width

COLUMN_GAP = 10
"""How far columns of numbers are apart."""
SHORT = 120
"""The first of two names keeps at least this many pixels."""
KEY_MARK, KEY_GAP = 22, 14
"""How wide a mark in the key is, with the room beside it, and how far its entries are apart."""
BADGE_TEXT = f"n < {TOO_FEW}"
"""What stands beside the name of a row that rests on few items."""
BADGE = 55
"""How wide that is, with its frame."""
TWO_LINES = 28
"""A row as high as this has room for a name on two lines."""
LINE = 15
"""How far the lines of a name are apart."""
MOST_LINES = 5


def on_axis(tick: float, form: str = "%g") -> str:
    """A number at an axis.

    >>> on_axis(0.25), on_axis(-1500), on_axis(2000, "%d"), on_axis(0.0), on_axis(1.0, "%.1f")
    ('0.25', '−1,500', '2,000', '0', '1.0')
    """
    if not tick:
        return "0"
    words = form % tick
    if abs(tick) >= 1000 and form in ("%g", "%d"):
        words = count(round(tick))
    return words.replace("-", "−")


@dataclass(frozen=True)
class Frame:
    """How wide a figure is drawn, and how its rows lie: with their names beside the marks, or above where it is narrow.

    Templates draw into the frame they are handed, so that one template makes the figure for a desk and for a phone.
    """

    width: int
    name: int
    """How wide the column of names is; 0: names stand above."""
    value: int
    """How wide the column of numbers is; 0: numbers stand above, at the end of the line."""

    @property
    def narrow(self) -> bool:
        """Whether it is the one for a phone."""
        return self.name == 0

    @property
    def start(self) -> int:
        """Where marks begin."""
        return self.name if self.name else 16

    @property
    def end(self) -> int:
        """Where marks end."""
        return self.width - (self.value or 16)

    def row(self, height: int = 30) -> int:
        """How high a row is, with its name."""
        return height + (20 if self.narrow else 0)

    def middle(self, place: int, top: float = 0, height: int = 30) -> float:
        """Where the marks of a row stand, by its number from 0."""
        return top + place * self.row(height) + (20 if self.narrow else 0) + height / 2

    def key(
        self, entries: Sequence[tuple[str, str]], mark_room: int = KEY_MARK
    ) -> list[tuple[str, float, int, list[str]]]:
        """The key to the marks, laid out: each mark, how far from the left, on which line from 0, and its words."""
        placed: list[tuple[str, float, int, list[str]]] = []
        at, line = 0.0, 0
        for mark, words in entries:
            room = mark_room + width(words)
            if at and at + room > self.width:
                at, line = 0.0, line + 1
            wrapped = lines(words, self.width - mark_room)
            placed.append((mark, round(at, 1), line, wrapped))
            at, line = at + room + KEY_GAP, line + len(wrapped) - 1
        return placed

    def key_lines(self, entries: Sequence[tuple[str, str]], mark_room: int = KEY_MARK) -> int:
        """On how many lines the key to the marks goes."""
        return max(line + len(words) for _, _, line, words in self.key(entries, mark_room))

    def middle_of(self, text: str, at: float) -> float:
        """Where to centre a text that belongs at a position: shifted where it would leave the figure.

        >>> NARROW.middle_of("0.25", 170), NARROW.middle_of("+0.25", 324)
        (170, 319.6)
        """
        half = width(text) / 2
        return min(max(at, math.ceil(10 * half) / 10), math.floor(10 * (self.width - half)) / 10)

    def labels(self, axis: Axis | LogAxis, ticks: Sequence[float], form: str) -> list[tuple[float, str]]:
        """The labels of an axis with their positions: every second or third where all of them would touch."""
        named = [(axis.at(tick), on_axis(tick, form)) for tick in ticks]
        return self.apart([(self.middle_of(words, at), words) for at, words in named])

    @staticmethod
    def apart(labels: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
        """As many of the labels, at equal steps, as do not touch each other.

        >>> Frame.apart([(0, "0.00"), (30, "0.25"), (60, "0.50")])
        [(0, '0.00'), (60, '0.50')]
        """
        found, step = list(labels), 1
        while any(b - a < (width(one) + width(other)) / 2 + 4 for (a, one), (b, other) in pairwise(found)):
            step += 1
            found = list(labels)[::step]
        return found

    def edges(self, rows: Sequence[Sequence[str]]) -> list[float]:
        """Where the columns of numbers end, so that those of all rows stand below each other; empty: without room.

        >>> DESK.edges([("+0.60", "[0.2, 1.0]"), ("−0.1", "[−0.3, 0.1]")]), NARROW.edges([("1", "2")])
        ([794.0, 880.0], [])
        """
        widths = [math.ceil(max(map(width, column))) for column in zip(*rows, strict=True)]
        if sum(widths) + COLUMN_GAP * len(widths) > self.value:
            return []
        return [float(self.width - sum(each + COLUMN_GAP for each in widths[at:])) for at in range(1, len(widths) + 1)]

    def fits(self, names: str | Sequence[str], beside: str = "", bold: bool = False, taken: float = 0) -> str:
        """A name as it fits into its place, with an ellipsis where it was cut; of two names the longer is cut.

        What stands beside it matters where names are above the marks; `taken` is what else stands in its place.

        >>> WIDE.fits(("sample_0005", "Thoroughness of what it says")), WIDE.fits(("0071f6d36c3b2401170a", "Emotion"))
        ('sample_0005 · Thoroughn…', '0071f6d…01170a · Emotion')
        """
        room = (self.name if self.name else self.width - width(beside)) - 12 - taken
        if isinstance(names, str):
            return cut(names, room, bold)
        room -= width(" · ", bold)
        first, second = names
        if width(first, bold) + width(second, bold) > room and width(first, bold) > SHORT:
            first = cut(first, max(room - width(second, bold), SHORT) if " " in first else SHORT, bold)
        return f"{first} · {cut(second, room - width(first, bold), bold)}"

    def name_lines(
        self,
        names: str | Sequence[str],
        height: float,
        beside: str = "",
        bold: bool = False,
        taken: float = 0,
        most: int = 2,
    ) -> list[str]:
        """A name on one line, or on several where it stands beside the marks and there is room: not cut, if it can be.

        >>> DESK.name_lines(("participant-01-of-round-2", "Emotion recognition"), 30)
        ['participant-01-of-round-2', 'Emotion recognition']
        """
        short = self.fits(names, beside, bold, taken)
        if "…" not in short or self.narrow or height < TWO_LINES:
            return [short]
        room = self.name - 12 - taken
        if isinstance(names, str):
            return lines(names, room, most, bold)
        first = lines(names[0], room, most - 1, bold)
        return [*first, *lines(names[1], room, most - len(first), bold)]

    def height_of(self, names: Sequence[str | Sequence[str]], least: float, taken: float = 0) -> float:
        """How high rows are on which each of these names stands whole, on up to `MOST_LINES` lines.

        >>> DESK.height_of(["Overall"], 30), DESK.height_of(["Overall (" + "assistant_v2 " * 6 + ")"], 30)
        (30, 49)
        """
        wrapped = [len(self.name_lines(each, least, taken=taken, most=MOST_LINES)) for each in names]
        return max([least, *(LINE * each + 4 for each in wrapped if each > 2)])


WIDE = Frame(720, 212, 178)
WITH_BADGES = Frame(720, 264, 178)
"""The same where badges stand beside names on one line."""
DESK = Frame(880, 300, 190)
"""On a coordinator's screen there is more room than on the page of a report."""
NARROW = Frame(340, 0, 0)


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Where labels stand that belong at some places, from top to bottom: at least so far apart, between two ends.

    >>> spread([10, 12, 90], 16, 0, 100), spread([95, 96], 16, 0, 100)
    ([10, 26, 90], [84, 100])
    """
    found: list[float] = []
    for place in places:
        found.append(max(place, found[-1] + gap if found else low))
    end = high
    for at in range(len(found) - 1, -1, -1):
        found[at] = min(found[at], end)
        end = found[at] - gap
    return found


def path(points: Iterable[Sequence[float]]) -> str:
    """A line through points, as SVG writes it.

    >>> path([(0, 1), (2, 3.456)])
    'M0 1L2 3.5'
    """
    return "M" + "L".join(f"{round(x, 1):g} {round(y, 1):g}" for x, y in points)


def round_up(value: float) -> float:
    """The next round number, for the end of an axis.

    >>> round_up(0.87), round_up(1.2), round_up(43)
    (1.0, 1.5, 50.0)
    """
    if value <= 0:
        return 1.0
    power: float = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if factor * power >= value * 0.999)


def brief(value: float | None, room: float) -> str:
    """A number with as many digits as fit, for the cells of a narrow table.

    >>> brief(-0.25, 46), brief(-0.25, 36), brief(-0.25, 25), brief(1.0, 25)
    ('−0.25', '−0.2', '−.2', '1.0')
    """
    ways = [number(value), number(value, 1)]
    fitting = (each for each in ways if width(each) <= room - 2)
    return next(fitting, ways[-1].replace("0.", "."))


def shares(ci: Sequence[float] | None) -> str:
    """A confidence interval of a share as it is printed."""
    return "" if ci is None else f"[{100 * ci[0]:.0f}, {100 * ci[1]:.0f}] %"


def date(at: float) -> str:
    """A day in full."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}"
