"""How systems score: mean and median of each, and how far each pair lies apart on what both were judged on."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.in_words import count
from assay.report.charts import number
from assay.report.data import TOO_FEW, Data
from assay.report.families import families_of
from assay.report.margins import SHOWN
from assay.report.sections import ReportPart, Section
from assay.report.system_comparison import numeric_dimensions, shares_of_words
from assay.report.system_scores import (
    BOTH,
    DimensionComparison,
    DimensionScores,
    PairOfSystems,
    SystemFamily,
    SystemMean,
    dimension_scores,
)
from assay.report.wording import (
    CORRECTIONS,
    difference_in_words,
    estimate_in_words,
    list_in_words,
    p_with_correction_in_words,
    share_in_words,
    too_few_to_say,
)


@dataclass(frozen=True, slots=True)
class SystemsNumbers:
    """What every system reaches, and how pairs of them differ."""

    values: list[DimensionScores]
    families: list[SystemFamily]
    compares: bool
    """Whether items compare two systems."""
    agreed: str
    """What the report says of values that were agreed on; empty where there are none."""


class SystemsSection(Section[SystemsNumbers]):
    """How systems score: mean and median of each, and how far each pair lies apart on what both were judged on."""

    kind: ClassVar[str] = "systems"
    rank: ClassVar[int] = 22
    title: ClassVar[str] = "How do the systems score?"
    part: ClassVar[ReportPart] = "findings"

    def numbers(self, data: Data) -> SystemsNumbers:
        dimensions = numeric_dimensions(data)
        return SystemsNumbers(
            values=[dimension_scores(data, each) for each in [*dimensions, *shares_of_words(data)] if each.judgments],
            families=[each.systems for each in families_of(data) if each.systems is not None],
            compares=bool(data.comparisons) or any(each.is_of_pair for each in data.that_count),
            agreed=data.with_agreed.in_words(),
        )

    def lines(self, numbers: SystemsNumbers) -> list[str]:
        lines = []
        compared = set()
        for family in numbers.families:
            lines += [_line(row, family) for row in family.dimensions]
            lines += [f"{name} is not compared: {why}." for name, why in family.not_compared.items()]
            compared |= {row.dimension for row in family.dimensions}
        # A computed value is a result by itself, also of a single system; and so is what is asked of a pair as a whole.
        alone: dict[str, list[DimensionScores]] = defaultdict(list)
        for row in numbers.values:
            of_pair = numbers.compares and [each.system for each in row.systems] == [""]
            if (row.computed or of_pair) and row.dimension not in compared:
                alone[row.dimension].append(row)
        lines += [_line_of_scores(rows) for rows in alone.values()]
        return [*lines, numbers.agreed] if lines and numbers.agreed else lines


def _line(row: DimensionComparison, family: SystemFamily) -> str:
    """One dimension: the means, and the pair of systems, or those pairs that are shown to lie apart."""
    in_words = share_in_words if row.yes is not None else estimate_in_words
    means = "; ".join(f"{each.system} {in_words(each)}, n = {count(each.n)}" for each in row.systems)
    what = "mean of item means" if row.yes is None else f"share of “{row.yes}”, mean over items"
    line = f"{row.title}, {what}: {means}"
    if len(row.pairs) == 1:
        return f"{line}; {_pair_in_words(row, family)}."
    enough = [pair for pair in row.pairs if pair.n_units >= TOO_FEW]
    few = f"; pairs with fewer than {TOO_FEW} {row.pairs[0].drawn}: too few to say"
    if not enough:
        return f"{line}{few}."
    apart = [
        f"{pair.first} − {pair.second} {difference_in_words(pair.claim, row.yes is not None)}"
        f"{_claim_in_words(pair, row.yes is not None)}{_means_there(pair, {each.system: each for each in row.systems})}"
        for pair in enough
        if pair.differ
    ]
    how = CORRECTIONS[family.correction]
    corrected_by = f" ({how}, {family.tests} tests)" if how and family.tests > 1 else ""
    shown = f"; shown to differ{corrected_by}: {', '.join(apart)}" if apart else ""
    if not apart and not all(pair.undecided for pair in enough):
        shown = f"; no difference is shown{corrected_by}"
    shown += _no_test_in_words(enough)
    return f"{line}{shown}{_margins_in_words(enough, family)}{few if len(enough) < len(row.pairs) else ''}."


def _no_test_in_words(pairs: Sequence[PairOfSystems]) -> str:
    """Of several pairs: those that cannot be tested, grouped by reason."""
    why: dict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        if pair.undecided:
            why[pair.undecided].append(f"{pair.first} − {pair.second}")
    return "".join(f"; undecided: {list_in_words(names)} ({reason})" for reason, names in why.items())


def _margins_in_words(pairs: Sequence[PairOfSystems], family: SystemFamily) -> str:
    """Of several pairs: which lie within the study's margin, and for how many this is undecided."""
    asked = [pair for pair in pairs if pair.margin is not None]
    within = [
        pair.margin.in_words(pair.first, pair.second, family.correction, family.margin_tests).replace(
            "no difference", f"{pair.first} and {pair.second}: no difference"
        )
        for pair in asked
        if pair.margin is not None and pair.margin.decision == SHOWN
    ]
    left = len(asked) - len(within)
    return "".join(f"; {each}" for each in within) + (
        f"; of {count(left)} pairs it is undecided" if asked and left else ""
    )


def _claim_in_words(pair: PairOfSystems, as_share: bool) -> str:
    """Which question the difference answers, and what the answer to the other would be."""
    if pair.any_time is not None:
        return f" at any look (for a single look {difference_in_words(pair.difference, as_share)})"
    if pair.beyond is None:
        return ""
    if pair.generalise == BOTH:
        return (
            f" for annotators like these (for these annotators alone {difference_in_words(pair.difference, as_share)})"
        )
    return f" for these annotators (for annotators like these {difference_in_words(pair.beyond, as_share)})"


def _means_there(pair: PairOfSystems, found: Mapping[str, SystemMean]) -> str:
    """The means on the items that both were judged on, where a system was judged on more. Their difference is shown."""
    first, second = (number(mean) for mean in pair.means)
    whole = [found[name] for name in (pair.first, pair.second)]
    if pair.unit == "groups":
        # A group may hold several items of a system: their number does not tell whether all of them are shared.
        same = [number(each.value) for each in whole] == [first, second]
    else:
        same = all(each.n == pair.n for each in whole)
    if same or not pair.paired:
        return ""
    return f" (there {pair.first} {first}, {pair.second} {second})"


def _pair_in_words(row: DimensionComparison, family: SystemFamily) -> str:
    pair, found, as_share = row.pairs[0], {each.system: each for each in row.systems}, row.yes is not None
    line = f"{pair.first} − {pair.second}: {difference_in_words(pair.claim, as_share)}"
    line += f"{_claim_in_words(pair, as_share)}, {count(pair.n)} "
    line += f"shared {pair.unit}{_means_there(pair, found)}" if pair.paired else f"{pair.unit}, which they do not share"
    if pair.p is not None:
        p = p_with_correction_in_words(pair.p, pair.p_corrected, family.correction, family.tests)
        line += f", {pair.test.replace('_', ' ')} {p}"
    if pair.n_units < TOO_FEW:
        return line + too_few_to_say(pair.n_units, pair.drawn)
    if pair.undecided:
        about = " at this look" if pair.any_time is not None else " for annotators like these"
        # Where there is no value, the reason stands in its place.
        why = "" if pair.claim.value is None else f": {pair.undecided}"
        line += f"; undecided{'' if pair.claim is pair.difference else about}{why}"
    else:
        line += "; a difference is shown" if pair.differ else "; no difference is shown"
    if pair.margin is None:
        return line
    return f"{line}; {pair.margin.in_words(pair.first, pair.second, family.correction, family.margin_tests)}"


def _line_of_scores(rows: Sequence[DimensionScores]) -> str:
    """A derived score, or the shares of its words, that systems are not compared on."""
    first = rows[0]
    scores: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for each in row.systems:
            mean = f"{row.value} {share_in_words(each.mean)}" if row.value is not None else estimate_in_words(each.mean)
            scores[each.system].append(mean)
    by_system = "; ".join(
        f"{each.system or 'all items'} {', '.join(scores[each.system])}, n = {count(each.mean.n)}"
        for each in first.systems
    )
    few = too_few_to_say(min(each.n_units for each in first.systems), first.systems[0].unit)
    return f"{first.title}, mean of item {'means' if first.value is None else 'shares'}: {by_system}{few}."
