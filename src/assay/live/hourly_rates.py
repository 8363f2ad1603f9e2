"""What an hour of work brings, of everybody who has worked, beside the least that the study wants.

Before the main part begins it is forecast: from the pilot, from bots that were let through the pages, or from the time
that an item is expected to take.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection

from assay.fieldwork import AnnotatorProgress
from assay.in_words import many
from assay.store.annotator.workload import workload
from assay.store.coordinator import pilots, study_status
from assay.study import Study
from assay.study.pay import HOUR, Pay

Source = Literal["work", "pilot", "bots", "expected"]
"""What a rate rests on."""


@dataclass(frozen=True, slots=True)
class HourlyRates:
    """What an hour brings."""

    pay: Pay | None
    rates: tuple[float, ...]
    """Of everybody who has worked, from the lowest."""
    expected: float | None
    """What an hour would bring at the time that an item is expected to take, before anybody has worked."""
    of_bots: tuple[float, ...] = ()
    """What it would have brought to simulated annotators, from the lowest."""
    in_pilot: bool = False
    """Whether the main part has not begun."""

    def rate_at(self, share: float) -> float | None:
        """A quantile of the rates: at a half, the median."""
        return _rate_at(self.rates, share)

    @property
    def forecast(self) -> tuple[float, Source] | None:
        """What an hour brings or will bring, as well as it is known, and what that rests on; None: nothing is known."""
        sources: tuple[tuple[float | None, Source], ...] = (
            (self.rate_at(0.5), "pilot" if self.in_pilot else "work"),
            (_rate_at(self.of_bots, 0.5), "bots"),
            (self.expected, "expected"),
        )
        return next(((rate, source) for rate, source in sources if rate is not None), None)

    @property
    def is_below_floor(self) -> bool:
        """Whether half of the people get less for an hour than the study wants; before work, whether they would."""
        if self.pay is None or self.pay.floor is None or self.forecast is None:
            return False
        return self.forecast[0] < self.pay.floor

    def sentences(self) -> list[str]:
        """What an hour brings, in words."""
        if self.pay is None:
            return ["The study does not say what is paid (`pay` in study.yaml)."]
        median, tenth = self.rate_at(0.5), self.rate_at(0.1)
        if median is not None and tenth is not None:
            lead = "In the pilot an hour" if self.in_pilot else "An hour"
            said = f"{lead} of work brings {self.pay.say(median)} (median), {self.pay.say(tenth)} (10th percentile)"
        elif (of_bots := _rate_at(self.of_bots, 0.5)) is not None:
            took = f"{many(len(self.of_bots), 'bot')} took"
            said = f"By the time that {took}, an hour would bring {self.pay.say(of_bots)} (median)"
        elif self.expected is not None:
            said = f"At the expected time an hour would bring {self.pay.say(self.expected)}"
        else:
            return ["Nobody has worked yet, and how long an item takes is not known."]
        floor = "" if self.pay.floor is None else f"; the floor is {self.pay.say(self.pay.floor)}"
        below = ["This is below the floor: pay more for each item."] if self.is_below_floor else []
        return [f"{said}{floor}.", *below]

    def places(self) -> dict[str, float]:
        """Where the rates and the floor stand on a line from nothing to the highest, in percent; empty: no work yet."""
        found = {"tenth": self.rate_at(0.1), "median": self.rate_at(0.5), "floor": self.pay.floor if self.pay else None}
        if found["median"] is None:
            return {}
        known = {name: rate for name, rate in found.items() if rate is not None}
        top = 1.1 * max(*self.rates, *known.values())
        return {name: 100 * rate / top for name, rate in known.items()}

    def as_json(self) -> dict[str, Any] | None:
        """The forecast for a program to read; None where the study does not say what is paid."""
        if self.pay is None:
            return None
        rate, source = self.forecast or (None, None)
        return {
            "per_hour": rate,
            "source": source,
            "floor": self.pay.floor,
            "below_floor": self.is_below_floor,
            "says": self.sentences(),
        }


def _rate_at(rates: Sequence[float], share: float) -> float | None:
    if not rates:
        return None
    at = share * (len(rates) - 1)
    low = int(at)
    return rates[low] + (at - low) * (rates[min(low + 1, len(rates) - 1)] - rates[low])


def rates_of(
    connection: Connection, study_id: int, study: Study, people: Iterable[AnnotatorProgress] | None = None
) -> HourlyRates:
    """What an hour brings to those who work; who is known from a file alone has no time of work here."""
    if study.pay is None:
        return HourlyRates(None, (), None)
    found: dict[bool, list[float]] = {False: [], True: []}
    for each in study_status.progress(connection, study_id) if people is None else people:
        if each.submitted and each.active_ms and not each.elsewhere:
            found[each.simulated].append(study.pay.amount(each.submitted, each.active_ms) * HOUR / each.active_ms)
    in_pilot = study.analysis.pilot is not None and pilots.under_way(connection, study_id) > 0
    expected = study.pay.rate_for(study.seconds_for(workload(connection, study_id).words))
    return HourlyRates(study.pay, tuple(sorted(found[False])), expected, tuple(sorted(found[True])), in_pilot)
