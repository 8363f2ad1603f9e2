"""Frames, labels and numbers for figures: templates draw SVG with them, in `currentColor`, so that dark mode works."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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
from assay.report.cells import difference_measured as difference_measured
from assay.report.cells import measure as measure
from assay.report.cells import share_measured as share_measured
from assay.report.data import TOO_FEW
from assay.report.text_width import lines, width

COLUMN_GAP = 10
"""How far columns of numbers are apart."""
LEAST_ROOM = 150
"""Where names stand above the marks and less would be left beside a number, the number has a line of its own."""
LEAST_NAME = 120
"""The least width of the column of names."""
KEY_MARK, KEY_GAP = 22, 14
"""How wide a mark in the key is, with the room beside it, and how far its entries are apart."""
BADGE_TEXT = f"n < {TOO_FEW}"
"""What stands beside the name of a row that rests on few items."""
BADGE = 55
"""How wide that is, with its frame."""
LINE = 15
"""How far the lines of a name are apart."""
TALLEST = 960
"""The greatest height of a drawing as wide as the report's page that still prints on one page."""
CLOSE = 1
"""More lines than this get some room above and below."""


def on_axis(tick: float, form: str = "%g") -> str:
    """A number at an axis.

    >>> on_axis(0.25), on_axis(-1500), on_axis(2000, "%d"), on_axis(0.0), on_axis(1.0, "%.1f"), on_axis(-0.5, "share")
    ('0.25', '−1,500', '2,000', '0', '1.0', '−50 %')
    """
    if not tick:
        return "0"
    if form == "share":
        return f"{100 * tick:.0f} %".replace("-", "−")
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
    lines: int = 1
    """On how many lines names go, where they stand above."""

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

    def row(self, height: float = 30) -> float:
        """How high a row is, with its name."""
        return height + (LINE * self.lines + 5 if self.narrow else 0)

    def middle(self, place: int, top: float = 0, height: float = 30) -> float:
        """Where the marks of a row stand, by its number from 0."""
        return top + (place + 1) * self.row(height) - height / 2

    def middles(self, rows: int, top: float = 0, height: float = 30) -> list[tuple[float, float]]:
        """The middle of each row, with how high its marks are."""
        return [(self.middle(place, top, height), height) for place in range(rows)]

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
        """Every label, or every second, third and so on, so that none touch each other.

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

    def name_lines(
        self, names: str | Sequence[str], beside: str = "", bold: bool = False, taken: float = 0
    ) -> list[str]:
        """A name on as many lines as it needs, never cut; two names on one line, or below each other.

        `taken` is what else stands in its place. Where names are above the marks, what stands `beside` has the end of
        the last line, or a line of its own, where little would be left for the name.

        >>> DESK.name_lines(("participant-01-of-round-2", "Emotion recognition"))
        ['participant-01-of-round-2', 'Emotion recognition']
        >>> NARROW.name_lines("a-name-of-forty-letters-that-is-too-long", "+0.25 [−0.55, 0.05]", taken=63)
        ['a-name-of-forty-letters-that-is-too-long', '']
        """
        whole = names if isinstance(names, str) else " · ".join(filter(None, names))
        room = (self.name or self.width - (width(beside) if beside else 0)) - 12 - taken
        if width(whole, bold) <= room:
            return [whole]
        is_below = self.narrow and room < LEAST_ROOM
        room = self.width if is_below else room
        parts = [names] if isinstance(names, str) else filter(None, names)
        return [line for part in parts for line in lines(part, room, bold=bold)] + ([""] if is_below else [])

    def for_names(
        self,
        names: Sequence[str | Sequence[str]],
        least: float,
        beside: Sequence[str | Sequence[str]] = (),
        few: bool = False,
        bold: bool = False,
    ) -> "tuple[Frame, float]":
        """The frame for rows with these names, all of them whole, and how high its rows are: at least so high.

        `few`: a badge stands beside some of them; `bold`: some are bold.

        >>> DESK.for_names(["Overall"], 30)[1], DESK.for_names(["Overall (" + "assistant_v2 " * 6 + ")"], 30)[1]
        (30, 53)
        >>> NARROW.for_names(["Overall", "Overall (" + "assistant_v2 " * 6 + ")"], 30, ["0.5", "0.5"])[0].row(30)
        80
        """
        said = [each if isinstance(each, str) else " ".join(each) for each in beside] or [""] * len(names)
        taken = BADGE + 8 if few else 0
        most = max(
            (len(self.name_lines(name, words, bold, taken)) for name, words in zip(names, said, strict=True)), default=1
        )
        if self.narrow:
            return replace(self, lines=most), least
        whole = (each if isinstance(each, str) else " · ".join(filter(None, each)) for each in names)
        widest = max((width(each, bold) for each in whole), default=0.0) + 16 + taken
        # Where names are short, marks have their room.
        fitted = replace(self, name=min(self.name, max(LEAST_NAME, math.ceil(widest))))
        return fitted, max(least, 0 if most == 1 else LINE * most + (8 if most > CLOSE else 0))

    def places(
        self,
        names: Sequence[str | Sequence[str]],
        least: float,
        beside: Sequence[str | Sequence[str]],
        few: bool = False,
        top: float = 0,
    ) -> list[tuple[float, float, float]]:
        """The same for rows as high as their own names need: where the marks of each stand, its height, its end.

        >>> DESK.places(["Overall", "Overall (" + "assistant_v2 " * 6 + ")"], 30, ["", ""])
        [(15.0, 30, 30), (56.5, 53, 83)]
        """
        found: list[tuple[float, float, float]] = []
        for name, words in zip(names, beside, strict=True):
            fitted, height = self.for_names([name], least, [words], few)
            end = (found[-1][2] if found else top) + fitted.row(height)
            found.append((end - height / 2, height, end))
        return found


WIDE = Frame(720, 212, 178)
WITH_BADGES = Frame(720, 264, 178)
"""The same where badges stand beside names on one line."""
WITH_TWO_NAMES = Frame(720, 300, 140)
"""The same where they stand beside two names, each of which may be a long one."""
DESK = Frame(880, 300, 190)
"""On a coordinator's screen there is more room than on the page of a report."""
NARROW = Frame(340, 0, 0)


def spread_labels(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions for labels, from top to bottom: near where they belong, not too close, and within two ends.

    >>> spread_labels([10, 12, 90], 16, 0, 100), spread_labels([95, 96], 16, 0, 100)
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
