"""What was found and how often: everything that is counted or ticked, by system."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.count_marks import name_of_mark
from assay.in_words import count
from assay.inputs.counts import CountsInput
from assay.model import Judgment
from assay.report.data import Data
from assay.report.sections import ReportPart, Section
from assay.report.wording import many
from assay.study.rubric import Dimension


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that is counted or ticked."""

    option: str
    title: str
    times: int
    """How often it was found, all together."""
    submissions: int
    """In how many submissions it was found at least once."""


@dataclass(frozen=True, slots=True)
class FoundInSystem:
    """What was found in one system."""

    system: str
    """Empty where the question is asked of both systems of an item together, or systems are not known."""
    submissions: int
    """How many submissions there are, those in which nothing was found included."""
    with_any: int
    """In how many of them something was found."""
    times: int
    options: list[Found]


@dataclass(frozen=True, slots=True)
class CountedDimension:
    """One question with things to count or tick."""

    dimension: str
    title: str
    counts: bool
    """Whether each thing is counted; otherwise it is ticked once."""
    systems: list[FoundInSystem]


@dataclass(frozen=True, slots=True)
class CountsNumbers:
    """What was counted and ticked."""

    dimensions: list[CountedDimension]


class CountsSection(Section[CountsNumbers]):
    """What was found and how often: everything that is counted or ticked, by system."""

    kind: ClassVar[str] = "counts"
    rank: ClassVar[int] = 25
    title: ClassVar[str] = "What was found, and how often?"
    part: ClassVar[ReportPart] = "findings"

    def numbers(self, data: Data) -> CountsNumbers:
        asked = [each for each in data.study.rubric if each.input.answer == "list" and each.input.option_names()]
        found = (_count_dimension(data, each) for each in asked)
        return CountsNumbers([each for each in found if any(system.with_any for system in each.systems)])

    def lines(self, numbers: CountsNumbers) -> list[str]:
        return [_line(each) for each in numbers.dimensions if each.counts]


def _count_dimension(data: Data, dimension: Dimension) -> CountedDimension:
    given: dict[str, list[Judgment]] = defaultdict(list)
    for each in data.that_count:
        if each.dimension == dimension.dimension and data.on_this_scale(each):
            given[each.system].append(each)
    everything = _submissions(data, dimension)
    return CountedDimension(
        dimension=dimension.dimension,
        title=dimension.heading,
        counts=isinstance(dimension.input, CountsInput),
        systems=[_in_system(dimension, name, given[name], everything[name]) for name in sorted(everything)],
    )


def _submissions(data: Data, dimension: Dimension) -> Mapping[str, int]:
    """How many submissions there are on each system that the question is asked of."""
    systems = {each.submission: each.systems for each in data.that_count}
    of_pair = dimension.scope.of != "side"
    about = [[""] if of_pair and len(names) > 1 else names or [""] for names in systems.values()]
    return Counter(name for names in about for name in names)


def _in_system(dimension: Dimension, system: str, given: Sequence[Judgment], submissions: int) -> FoundInSystem:
    times: Counter[str] = Counter()
    seen: dict[str, set[str]] = defaultdict(set)
    for each in given:
        for name in map(name_of_mark, each.value if isinstance(each.value, list) else []):
            times[name] += 1
            seen[name].add(each.submission)
    labels: Mapping[str, str] = getattr(dimension.input, "options", {})
    options = [
        Found(name, labels.get(name, name), times[name], len(seen[name])) for name in dimension.input.option_names()
    ]
    return FoundInSystem(system, submissions, len(set().union(*seen.values())), sum(times.values()), options)


def _line(row: CountedDimension) -> str:
    said = (_system_in_words(each) for each in row.systems)
    return f"{row.title}: {'; '.join(said)}."


def _system_in_words(each: FoundInSystem) -> str:
    found = sorted((option for option in each.options if option.times), key=lambda option: -option.times)
    which = ", ".join(f"{option.title} {option.times}" for option in found)
    name = f"{each.system} " if each.system else ""
    return (
        f"{name}{count(each.times)} found in {count(each.with_any)} of {many(each.submissions, 'submission')}"
        f"{f' ({which})' if which else ''}"
    )
