"""What an hour of work brings, of everybody who has worked, beside the least that the study wants."""

from collections.abc import Iterable
from dataclasses import dataclass

from assay.fieldwork import AnnotatorProgress
from assay.store import Backend
from assay.store.annotator.workload import workload
from assay.study import Study
from assay.study.pay import HOUR, Pay


@dataclass(frozen=True, slots=True)
class HourlyRates:
    """What an hour brings."""

    pay: Pay | None
    rates: tuple[float, ...]
    """Of everybody who has worked, from the lowest."""
    expected: float | None
    """What an hour would bring at the time that an item is expected to take, before anybody has worked."""

    def rate_at(self, share: float) -> float | None:
        """The rate that so large a share of people lie below: the median at a half."""
        if not self.rates:
            return None
        at = share * (len(self.rates) - 1)
        low = int(at)
        return self.rates[low] + (at - low) * (self.rates[min(low + 1, len(self.rates) - 1)] - self.rates[low])

    @property
    def is_below_floor(self) -> bool:
        """Whether half of the people get less for an hour than the study wants; before work, whether they would."""
        median = self.rate_at(0.5)
        rate = self.expected if median is None else median
        return self.pay is not None and self.pay.floor is not None and rate is not None and rate < self.pay.floor

    def sentences(self) -> list[str]:
        """What an hour brings, in words."""
        if self.pay is None:
            return ["The study does not say what is paid (`pay` in study.yaml)."]
        median, tenth = self.rate_at(0.5), self.rate_at(0.1)
        if median is not None and tenth is not None:
            said = f"An hour of work brings {self.pay.say(median)} (median), {self.pay.say(tenth)} (10th percentile)"
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


def hourly_rates(store: Backend, study_id: int, study: Study, people: Iterable[AnnotatorProgress]) -> HourlyRates:
    """What an hour brings to people: bots, and those who are known from a file alone, have no time of work here."""
    found = []
    for each in people:
        if study.pay is not None and each.submitted and each.active_ms and not (each.simulated or each.elsewhere):
            found.append(study.pay.amount(each.submitted, each.active_ms) * HOUR / each.active_ms)
    return HourlyRates(study.pay, tuple(sorted(found)), expected_rate(store, study_id, study))


def expected_rate(store: Backend, study_id: int, study: Study) -> float | None:
    """What an hour would bring at the time that an item is expected to take; None where the study does not say."""
    if study.pay is None:
        return None
    if study.pay.per_hour is not None:
        return study.pay.per_hour
    seconds = study.seconds_for(store.read(workload, study_id).words)
    return study.pay.amount(1, 0) * 3600 / seconds if seconds else None
