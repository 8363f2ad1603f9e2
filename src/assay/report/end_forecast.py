"""When a study will be finished at its present pace, and when its work is called stalled."""

from collections import Counter
from dataclasses import dataclass

from assay.report.charts import DAY, day
from assay.statistics.estimate import mean_of

LOOKED_BACK = 14
"""The number of days, or hours, that the forecast is made from."""
ENOUGH_TO_FORECAST = 3
STALLED_AFTER = 2 * DAY
"""Work is called stalled after this long without a submission."""


@dataclass(frozen=True, slots=True)
class EndForecast:
    """When the last judgment is expected at the present pace; or why that cannot be said."""

    pace: float | None = None
    """How many items come in a day, or an hour."""
    pace_ci: tuple[float, float] | None = None
    end: int | None = None
    end_range: tuple[int, int | None] | None = None
    """The earliest and the latest end; no latest where the pace may be as low as 0."""
    why: str | None = None


def forecast_end(at: list[int], now: int, unit: int, target: int | None) -> EndForecast:
    """When the last judgment is expected, from the pace of the last days; the interval is that of the mean pace."""
    if target is None:
        return EndForecast(why="there is no plan to compare it with")
    left = target - len(at)
    if left <= 0:
        return EndForecast()
    first, last = at[0] // unit, now // unit
    counts = Counter(time // unit for time in at)
    # The day or hour that is not over yet would make the pace look slower than it is.
    span = range(max(first, last - LOOKED_BACK), last)
    span = span if len(span) >= ENOUGH_TO_FORECAST else range(first, last + 1)
    if len(span) < ENOUGH_TO_FORECAST:
        return EndForecast(why=f"it takes {ENOUGH_TO_FORECAST} hours of work to tell")
    if now - at[-1] >= STALLED_AFTER:
        return EndForecast(why=f"stalled, nothing has come in since {day(at[-1])}")
    pace = mean_of([counts.get(place, 0) for place in span])
    assert pace is not None
    if pace.value <= 0:
        return EndForecast(why="nothing has come in lately")
    # What is expected lies ahead, however slow the last days were.
    early = round(now + left / pace.high * unit)
    late = round(now + left / pace.low * unit) if pace.low > 0 else None
    return EndForecast(
        pace=pace.value,
        pace_ci=(max(0.0, pace.low), pace.high),
        end=round(now + left / pace.value * unit),
        end_range=(early, late),
    )


def is_stalled(forecast: EndForecast) -> bool:
    """Whether nothing has come in for so long that no end can be expected."""
    return (forecast.why or "").startswith("stalled")
