"""Axes of figures: where a value lies, and at which round numbers or times an axis has its ticks."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime

from assay.in_words import day

DAY = 24 * 60 * 60 * 1000
HOUR = 60 * 60 * 1000


@dataclass(frozen=True)
class Axis:
    """A straight line of numbers drawn from one pixel to another."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value lies, rounded to a tenth of a pixel; values beyond the ends lie on the end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self, about: int = 5) -> list[float]:
        """Round numbers along the axis, about as many as asked for.

        >>> Axis(0, 1, 0, 100).ticks()
        [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
        """
        rough = (self.high - self.low) / max(1, about)
        power = 10 ** math.floor(math.log10(rough))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [round(number * step, 10) + 0.0 for number in range(first, last + 1)]


@dataclass(frozen=True)
class LogAxis:
    """A logarithmic axis, for ratios: equal steps are equal factors."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value lies.

        >>> LogAxis(0.25, 4, 0, 100).at(1)
        50.0
        """
        straight = Axis(math.log(self.low), math.log(self.high), self.start, self.end)
        return straight.at(math.log(max(value, self.low)))

    def ticks(self) -> list[float]:
        """The powers of two along the axis."""
        first, last = math.ceil(math.log2(self.low) - 1e-9), math.floor(math.log2(self.high) + 1e-9)
        return [2.0**power for power in range(first, last + 1)]


@dataclass(frozen=True)
class TimeAxis(Axis):
    """An axis for times, in milliseconds since 1970 in UTC."""

    def times(self, about: int = 5) -> list[tuple[float, str]]:
        """Round times along the axis with their labels: days, or hours where there are less than three days."""
        days = (self.high - self.low) >= 3 * DAY
        unit = DAY if days else HOUR
        steps = (1, 2, 7, 14, 28, 91, 182, 364) if days else (1 / 12, 1 / 6, 1 / 4, 1 / 2, 1, 2, 3, 6, 12, 24)
        rough = (self.high - self.low) / unit / max(1, about)
        step = next((each for each in steps if each >= rough * 0.999), math.ceil(rough)) * unit
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [
            (number * step, day(number * step) if days else hour(number * step)) for number in range(first, last + 1)
        ]


def hour(at: float) -> str:
    """An hour as it is printed below an axis; at midnight the day."""
    return day(at) if at % DAY == 0 else clock(at)


def clock(at: float) -> str:
    """The time of a day, for where the day stands beside it.

    >>> hour(0), clock(0)
    ('1 Jan', '00:00')
    """
    return f"{datetime.fromtimestamp(at / 1000, UTC):%H:%M}"
