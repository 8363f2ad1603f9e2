"""What systems reach by people on some items and judges on all, beside people alone and judges alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.in_words import count
from assay.model import Estimate
from assay.report.charts import number
from assay.report.data import Data
from assay.report.people_and_judges import (
    Lot,
    PoweredDimension,
    has_items_beyond_people,
    lot_of,
    powered_dimensions,
)
from assay.report.sections import ReportPart, Section
from assay.report.wording import (
    difference_in_words,
    estimate_in_words,
    share_in_words,
    too_few_to_say,
    tuning_items_in_words,
)
from assay.statistics.comparison.prediction_powered import PoweredEstimate

PLAIN_MEANS = (
    "Items were drawn for people with different probabilities: means of people's items elsewhere in this report are "
    "not those of all items, and the ones here are."
)


@dataclass(frozen=True, slots=True)
class PeopleAndJudgesNumbers:
    """Every dimension by people, by judges and by both."""

    declined: str | None
    """Why there is nothing to say, though judges judged items that people did not."""
    assumed: str | None
    """What is taken for granted of how people's items came about."""
    by_probability: bool
    """Whether items were drawn with different probabilities."""
    dimensions: list[PoweredDimension]
    tuning: int
    """How many items are left out because judges were tuned on them."""


class PeopleAndJudgesSection(Section[PeopleAndJudgesNumbers]):
    """What systems reach by people on some items and judges on all, beside people alone and judges alone."""

    kind: ClassVar[str] = "people_and_judges"
    rank: ClassVar[int] = 27
    title: ClassVar[str] = "What do people and judges say together?"
    part: ClassVar[ReportPart] = "findings"

    def numbers(self, data: Data) -> PeopleAndJudgesNumbers:
        beyond = has_items_beyond_people(data)
        if not beyond or not data.that_count:
            return PeopleAndJudgesNumbers(None, None, False, [], 0)
        lot: Lot = lot_of(data, beyond)
        found = [] if lot.declined else powered_dimensions(data)
        return PeopleAndJudgesNumbers(lot.declined, lot.assumed, lot.by_probability, found, len(data.tuning))

    def lines(self, numbers: PeopleAndJudgesNumbers) -> list[str]:
        if numbers.declined:
            return [f"People and judges are not put together: {numbers.declined}."]
        lines = [line for row in numbers.dimensions for line in _lines(row)]
        if lines and numbers.by_probability:
            lines.append(PLAIN_MEANS)
        if lines and numbers.tuning:
            lines.append(f"People and judges are put together without {tuning_items_in_words(numbers.tuning)}.")
        return [*lines, f"Assumption: {numbers.assumed}."] if lines and numbers.assumed else lines


def _lines(row: PoweredDimension) -> Iterator[str]:
    """One sentence for each system, or for each pair where preferences were asked."""
    if row.left_out:
        yield f"{row.title}: {', '.join(row.left_out)} judged too few of the items to be put together with people."
    if not row.judges:
        return
    for each in row.systems:
        yield _line(f"{row.title}, {each.system or 'all items'}", row, each.estimate, as_share=row.yes)
    for pair in row.pairs:
        names = () if row.preference else (pair.first, pair.second)
        yield _line(
            f"{row.title}, {pair.first} − {pair.second}",
            row,
            pair.estimate,
            as_share=row.yes or row.preference,
            of=names,
        )


def _line(
    start: str, row: PoweredDimension, found: PoweredEstimate, *, as_share: bool, of: Sequence[str] | None = None
) -> str:
    if found.both.value is None:
        return f"{start}: undefined ({found.both.undefined})."
    what = "net win rate " if row.preference else ""

    def say(one: Estimate) -> str:
        if of is not None:
            return difference_in_words(one, as_share)
        return share_in_words(one) if as_share else estimate_in_words(one)

    line = (
        f"{start}: {what}{say(found.both)} by people on {count(found.n_people)} and judges on {count(found.n)} items; "
    )
    line += f"people alone {say(found.people)}; judges alone {say(found.judge)}, which is not to be relied on"
    line += f"; {weights_in_words(row.judges, found, of or ())}{savings_in_words(found)}"
    return f"{line}{too_few_to_say(found.n_people)}."


def weights_in_words(judges: Sequence[str], found: PoweredEstimate, of: Sequence[str] = ()) -> str:
    """The weight of each judge; of a difference, for each of the two systems, unless both have the same one."""
    several = len(of) > 1 and len(found.weights) % len(of) == 0
    each = len(found.weights) // (len(of) if several else 1)
    parts = [found.weights[start : start + each] for start in range(0, len(found.weights), each)]
    told = []
    for at, weights in enumerate(parts):
        names = judges if len(judges) == len(weights) else ["all judges as one"]
        named = ", ".join(f"{name} {number(weight)}" for name, weight in zip(names, weights, strict=True))
        told.append(f"{named if len(judges) > 1 else number(weights[0])}{f' on {of[at]}' if several else ''}")
    return f"weight {'; '.join(told)}"


def savings_in_words(found: PoweredEstimate) -> str:
    """How many judgments by people the judges are worth."""
    if found.times is None:
        return ""
    if found.times < 1.05:
        return "; that saves no judgments by people"
    return f"; as if people had judged {found.times:.1f} times as many items"
