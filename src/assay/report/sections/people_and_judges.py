"""What systems reach by people on some items and judges on all, beside people alone and judges alone."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

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
from assay.report.section import ReportPart, Section
from assay.report.wording import estimate_in_words, share_in_words
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


class PeopleAndJudgesSection(Section[PeopleAndJudgesNumbers]):
    """What systems reach by people on some items and judges on all, beside people alone and judges alone."""

    kind: ClassVar[str] = "people_and_judges"
    rank: ClassVar[int] = 27
    title: ClassVar[str] = "What do people and judges say together?"
    part: ClassVar[ReportPart] = "findings"

    def numbers(self, data: Data) -> PeopleAndJudgesNumbers:
        beyond = has_items_beyond_people(data)
        if not beyond or not data.that_count:
            return PeopleAndJudgesNumbers(None, None, False, [])
        lot: Lot = lot_of(data, beyond)
        found = [] if lot.declined else powered_dimensions(data)
        return PeopleAndJudgesNumbers(lot.declined, lot.assumed, lot.by_probability, found)

    def lines(self, numbers: PeopleAndJudgesNumbers) -> list[str]:
        if numbers.declined:
            return [f"People and judges are not put together: {numbers.declined}."]
        lines = [line for row in numbers.dimensions for line in _lines(row)]
        if lines and numbers.by_probability:
            lines.append(PLAIN_MEANS)
        return [*lines, f"Assumption: {numbers.assumed}."] if lines and numbers.assumed else lines


def _lines(row: PoweredDimension) -> Iterator[str]:
    """One sentence for each system, or for each pair where preferences were asked."""
    if row.left_out:
        yield f"{row.title}: {', '.join(row.left_out)} judged too few of the items to be put together with people."
    if not row.judges:
        return
    for each in row.systems:
        yield _line(f"{row.title}, {each.system or 'all items'}", row, each.estimate, share=row.yes)
    for pair in row.pairs:
        yield _line(f"{row.title}, {pair.first} − {pair.second}", row, pair.estimate, share=False)


def _line(start: str, row: PoweredDimension, found: PoweredEstimate, *, share: bool) -> str:
    if found.both.value is None:
        return f"{start}: undefined ({found.both.undefined})."
    what = "net win rate " if row.preference else ""

    def say(one: Estimate) -> str:
        return share_in_words(one) if share else estimate_in_words(one)

    line = (
        f"{start}: {what}{say(found.both)} by people on {found.n_people} and judges on {found.n} items; people alone "
    )
    line += f"{say(found.people)}; judges alone {say(found.judge)}, which is not to be relied on"
    return f"{line}{weights_in_words(row, found)}{saved_in_words(found)}."


def weights_in_words(row: PoweredDimension, found: PoweredEstimate) -> str:
    """How much each judge counts."""
    if len(row.judges) == 1:
        return f"; weight {', '.join(map(number, found.weights))}"
    names = row.judges if len(found.weights) % len(row.judges) == 0 else ["all judges as one"]
    told = [f"{name} {number(weight)}" for name, weight in zip(names * 2, found.weights, strict=False)]
    return f"; weight of {', '.join(told)}"


def saved_in_words(found: PoweredEstimate) -> str:
    """How many judgments by people that is worth."""
    if found.times is None:
        return ""
    if found.times < 1.05:
        return "; the judge saves nothing here"
    return f"; as if people had judged {found.times:.1f} times as many items"
