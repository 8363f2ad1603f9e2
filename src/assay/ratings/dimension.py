"""The ratings of one dimension, as a table of judgments holds them: people and automated judges apart."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from assay.errors import Mistake
from assay.model import Comparison
from assay.ratings.long_table import LongTable
from assay.ratings.scale import ScaleOfTexts
from assay.ratings.table import TableFile, TableMistakes
from assay.ratings.values import NoScale
from assay.statistics import BadRows, Ratings, Scale
from assay.statistics.arrays import np

NO_NAME = "(empty)"
"""What judgments are called together for which a column says nothing."""


@dataclass
class RatedDimension:
    """One quality that was judged."""

    name: str
    ratings: Ratings
    """Of people only."""
    comparison: Comparison | None = None
    """Of a preference in an export, the systems that were compared."""
    everybody: Ratings | None = None
    """Of people and automated judges, where there are some."""
    systems: dict[str, Ratings] = field(default_factory=dict)
    by: dict[str, dict[str, Ratings]] = field(default_factory=dict)
    """The parts that each value of a column makes, for each column that splits the judgments."""
    of: str = "item"
    """What was judged: the item, each side or each entry."""
    items: int | None = None
    """Of sides and entries: how many items two people or more judged."""
    named: bool = True
    """Whether it is known who gave which value: of counts it is not."""
    ordered: bool = True
    notes: list[str] = field(default_factory=list)


@dataclass
class RatedTable:
    """All that a table holds: its dimensions, and why others are left out."""

    dimensions: list[RatedDimension]
    left_out: Mapping[str, Mistake] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """What was assumed of the table as a whole."""
    pooled: list[RatedDimension] = field(default_factory=list)
    """Of preferences in an export, all comparisons together, every item in both directions."""
    runs_of_judges: Mapping[str, int] = field(default_factory=dict)
    """The automated judges of an export that were run several times on an item, and how often; the first run counts."""


def each_that_can_be_rated(made: Mapping[str, Callable[[], RatedDimension]], notes: list[str]) -> RatedTable:
    """Every dimension; one whose values make no scale is left out, with the reason, as long as there is another.

    Raises:
        NoScale: There is no other.
    """
    found, without = [], {}
    for name, make in made.items():
        try:
            found.append(make())
        except NoScale as error:
            without[name] = error
    if not found and without:
        raise next(iter(without.values()))
    return RatedTable(found, {name: error.mistakes[0] for name, error in without.items()}, notes)


def rate(table: TableFile, name: str, long: LongTable, read: ScaleOfTexts, judges: Collection[str]) -> RatedDimension:
    """The ratings of one dimension from its judgments in rows."""
    is_judge = np.array([str(each) in judges for each in long.annotator.names], dtype=bool)
    people = long.only(~is_judge[long.annotator.codes]) if is_judge.any() else long
    found = RatedDimension(name, _ratings(table, people, read.scale), ordered=read.ordered, notes=read.notes)
    if is_judge.any():
        found.everybody = _ratings(table, long, read.scale)
    if people.system is not None:
        for number, system in enumerate(people.system.names):
            mask = people.system.codes == number
            if mask.any():
                found.systems[str(system)] = _ratings(table, people.only(mask), read.scale)
    for column, factor in people.by.items():
        parts = {number: str(factor.names[number]) if number >= 0 else NO_NAME for number in np.unique(factor.codes)}
        found.by[column] = {
            part: _ratings(table, people.only(factor.codes == number), read.scale) for number, part in parts.items()
        }
    return found


def _ratings(table: TableFile, long: LongTable, scale: Scale) -> Ratings:
    try:
        return Ratings.from_codes(long.item, long.annotator, long.codes, scale, long.cluster, long.rows)
    except BadRows as bad:
        first, *others = [int(row) for row in bad.rows]
        also = "".join(f", and again in {_location_in_words(table, row)}" for row in others)
        what = str(bad).removesuffix(": keep one, or compare the two as passes") + also
        twice = "keep one of them; if they judged outputs of different systems, name that column with --system"
        hint = twice if others else "an item lies in one cluster: correct the column"
        raise TableMistakes([table.mistake(what, hint, first)]) from None


def _location_in_words(table: TableFile, row: int) -> str:
    location = table.locations[row]
    return f"row {location}" if isinstance(location, int) else str(location)
