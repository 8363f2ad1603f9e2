"""What monitors look at: the judgments of people, and what is known of the items."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from assay.judgments.canonical_order import in_canonical_order, of_submissions, one_of_each_submission
from assay.judgments.same_scale import same_scale
from assay.model import Fact, Judgment, Value
from assay.quality.score_tables import ResidualTable, ScoreTable
from assay.statistics.estimate import IntervalEstimate, mean_of, means_over_groups
from assay.study.rubric import Dimension
from assay.study.schema import Study

T = TypeVar("T")


@dataclass(frozen=True)
class MonitorData:
    """Everything that monitors look at: the judgments of people, in their newest revision, and the items."""

    study: Study
    judgments: Sequence[Judgment]
    """First and second passes, and controls: no practice, none of automated judges, none that is surplus."""
    items: Mapping[str, Fact]
    practice: Sequence[Judgment] = ()
    """The judgments of calibrations."""
    breaks: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """When each annotator came back from a break, in milliseconds."""
    versions: Mapping[str, Study] = field(default_factory=dict)
    """Every version of the study by its hash: what was given on another scale is not compared."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "judgments", in_canonical_order(self.judgments))
        object.__setattr__(self, "practice", in_canonical_order(self.practice))
        object.__setattr__(self, "items", dict(sorted(self.items.items())))

    def title(self, dimension: str) -> str:
        """What a dimension is called in a sentence."""
        return self.study.dimension(dimension).heading

    @cached_property
    def on_scale(self) -> list[Judgment]:
        """The first passes whose values mean what they mean in the version in force."""
        given = {(each.study_hash, each.dimension) for each in self.first_passes}
        means = {
            (hash_, name): same_scale(self.versions.get(hash_, self.study), self.study, name) for hash_, name in given
        }
        if all(means.values()):
            return self.first_passes
        return [each for each in self.first_passes if means[each.study_hash, each.dimension]]

    @cached_property
    def first_passes(self) -> list[Judgment]:
        """The first pass of ordinary items: neither second passes nor controls."""
        return of_submissions(self.judgments, lambda each: each.pass_ == 1 and not each.control)

    @cached_property
    def submissions(self) -> dict[str, dict[str, list[Judgment]]]:
        """First passes by annotator and submission: one item each."""
        found: dict[str, dict[str, list[Judgment]]] = defaultdict(lambda: defaultdict(list))
        for each in self.first_passes:
            found[each.annotator][each.submission].append(each)
        return found

    @cached_property
    def ordered_dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions whose values stand in an order, so that one can be above another."""
        return tuple(each for each in self.study.scored_dimensions if each.input.level != "nominal")

    @cached_property
    def scores(self) -> dict[str, ScoreTable]:
        """Of each ordered dimension, what each annotator gave, as numbers. What is not on the scale is left out."""
        scales = {each.dimension: scale_positions(each) for each in self.ordered_dimensions}
        given: dict[str, tuple[list[Judgment], list[float]]] = {name: ([], []) for name in scales}
        for judgment in self.on_scale:
            if judgment.dimension in scales:
                number = number_of(judgment.value, scales[judgment.dimension])
                if number is not None:
                    judgments, numbers = given[judgment.dimension]
                    judgments.append(judgment)
                    numbers.append(number)
        return {name: ScoreTable(*given.pop(name), self.group_of_item) for name in scales}

    @cached_property
    def group_of_item(self) -> dict[str, int]:
        """The number of each item's group, for clustered intervals; empty where no two items share a group."""
        if self.study.items.group is None:
            return {}
        known: dict[str, int] = {}
        found = {
            each.item: known.setdefault(each.group or each.item, len(known))
            for each in one_of_each_submission(self.first_passes)
        }
        return found if len(known) < len(found) else {}

    @cached_property
    def residuals(self) -> dict[str, ResidualTable]:
        """Of each ordered dimension and annotator, value minus mean of the others on each item, in order of time."""
        return {dimension: ResidualTable(table) for dimension, table in self.scores.items()}

    @cached_property
    def severities(self) -> dict[str, dict[str, IntervalEstimate | None]]:
        """Of each ordered dimension and annotator, the mean residual."""
        return {dimension: dict(zip(table, _means(table), strict=True)) for dimension, table in self.residuals.items()}

    def once(self, name: str, make: Callable[[], T]) -> T:
        """A value that several monitors and the report need: computed once, and cached by its name."""
        if name not in self._results:
            self._results[name] = make()
        found: T = self._results[name]
        return found

    @cached_property
    def _results(self) -> dict[str, Any]:
        return {}

    @cached_property
    def by_dimension(self) -> dict[str, list[Judgment]]:
        """The first passes of each dimension, without those who could not judge."""
        found: dict[str, list[Judgment]] = defaultdict(list)
        for each in self.on_scale:
            if each.value is not None:
                found[each.dimension].append(each)
        return found


def _means(table: ResidualTable) -> list[IntervalEstimate | None]:
    """The mean residual of each annotator; items that share a group count as one."""
    values, clusters = table.together()

    def over_items() -> list[IntervalEstimate | None]:
        return [mean_of(table.values_of(name)) for name in table]

    if clusters is None:
        return over_items()
    return clusters.where_shared(means_over_groups(values, clusters), over_items)


def scale_positions(dimension: Dimension) -> dict[Value, float]:
    """The position of each value of a scale: the value where all are numbers, else its index in the declared order."""
    values = dimension.input.values()
    numbers = [each for each in values if isinstance(each, int | float) and not isinstance(each, bool)]
    if len(numbers) == len(values):
        return {each: float(each) for each in numbers}
    return {value: float(index) for index, value in enumerate(values) if not isinstance(value, list)}


def number_of(value: Value, scale: Mapping[Value, float]) -> float | None:
    """A value as a number on a scale, or None where it is not on it."""
    return None if value is None or isinstance(value, list) else scale.get(value)


def width_of(dimension: Dimension) -> float:
    """The length of a scale, from its lowest point to its highest."""
    scale = scale_positions(dimension).values()
    return max(scale, default=0.0) - min(scale, default=0.0)


def texts_in(value: Any) -> Iterator[str]:
    """Every text in something shown, in its order."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ():
        yield from texts_in(part)
