"""Scales, ticks and labels for figures: templates draw SVG with them, in `currentColor`, so that dark mode works."""

import math
from dataclasses import dataclass


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


def number(value: float | None, digits: int = 2) -> str:
    """A number as it is printed, or a dash where there is none; a minus that is a minus."""
    return "–" if value is None else f"{value:.{digits}f}".replace("-", "−")


def interval(ci: list[float] | tuple[float, float] | None, digits: int = 2) -> str:
    """A confidence interval as it is printed."""
    return "" if ci is None else f"[{number(ci[0], digits)}, {number(ci[1], digits)}]"
