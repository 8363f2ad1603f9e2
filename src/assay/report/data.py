"""What a report is made from: the judgments, which of them count, and what is computed from them once."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from assay.false_alarm_rates import Rate
from assay.fieldwork import Fieldwork
from assay.freed_memory import give_back_freed_memory
from assay.items.direction import direction_of
from assay.judgments.canonical_order import in_canonical_order, of_submissions
from assay.judgments.same_scale import is_pooled_by_declaration, same_scale
from assay.judgments.scales import count_once, is_clustered, scale_of, value_on_scale
from assay.judgments.topics import Topic, topics_of
from assay.judgments.units import Units, items_judged_by_two
from assay.judgments.what_counts import by_judges_who_count, by_people_who_count, first_passes, later_passes
from assay.model import Agreed, Coefficient, Comparison, DrawnItem, Flag, Judgment, Passed, Value
from assay.quality import MonitorData, find_flags
from assay.report.agreed_values import WithAgreed, put_agreed_values
from assay.report.both_directions import in_both_directions
from assay.report.sources import Sources, sources_of
from assay.statistics import Ratings, agree
from assay.statistics.sparse_tables import SparseTables
from assay.study.rubric import Dimension
from assay.study.schema import Study

TOO_FEW = 20
"""Below this many items a number is printed with a warning beside it."""


@dataclass(frozen=True)
class Data:
    """What a report is made from. Nothing here knows a database."""

    study: Study
    judgments: Sequence[Judgment]
    items: int
    finished: int
    systems: Mapping[str, int]
    annotators: Sequence[str]
    versions: Mapping[str, int]
    """The study versions under which judgments were given, by hash, with the number of submissions of each."""
    studies: Mapping[str, Study]
    """Those versions themselves."""
    made_at: str
    seed: int
    work: MonitorData | None = None
    """What monitors look at."""
    excluded: Mapping[str, str] = field(default_factory=dict)
    """The annotators who are left out, each with the reason."""
    by_hand: Sequence[Passed] = ()
    """Who was let pass a gate, by whom and why."""
    agreed: Sequence[Agreed] = ()
    """The values that were agreed on where annotators were far apart. Coefficients are computed without them."""
    comparisons: Sequence[Comparison] = ()
    """Which systems the study compares with each other, each in its direction; empty: those that were judged."""
    alarms: Mapping[str, Rate] = field(default_factory=dict)
    """How often each monitor raises a flag on careful annotators, by simulation."""
    person_answers: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """For the questions that make groups: what each annotator has answered."""
    erased: int = 0
    """How many people were erased, and whom nothing else here knows."""
    fieldwork: Fieldwork | None = None
    """How the work went, where that is known."""
    drawn: Mapping[str, DrawnItem] = field(default_factory=dict)
    """Which items were drawn for people, where the study asks them for a part of its items; else empty."""
    tuning: Collection[str] = ()
    """The items that judges were tuned on: nothing is said of judges from them."""
    judge_models: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The models of each judge, as their servers named them, where that is known."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "judgments", in_canonical_order(self.judgments))

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """A cached value: `make` is called when its name is first asked for, and sections share the result."""
        if name not in self._results:
            self._results[name] = make()
        return self._results[name]

    @cached_property
    def _results(self) -> dict[str, Any]:
        return {}

    @cached_property
    def first_passes(self) -> list[Judgment]:
        """The judgments of the first pass of each item that count. Other ones stay in `judgments`."""
        return first_passes(self.judgments)

    @cached_property
    def by_people(self) -> list[Judgment]:
        """The judgments that people gave: not those of automated judges, nor what was computed."""
        return self._that_were_given(of_submissions(self.judgments, lambda each: not each.judge))

    @cached_property
    def that_count(self) -> list[Judgment]:
        """The judgments by people that count: first passes, without excluded annotators."""
        return self._that_were_given(self._of_people)

    @cached_property
    def second_passes(self) -> list[Judgment]:
        """What the same people said of the same items when these came again."""
        again = by_people_who_count(later_passes(self.by_people), self.excluded)
        return [each for each in again if each.pass_ == 2]

    @cached_property
    def derived_judgments(self) -> list[Judgment]:
        """The scores that are derived from `that_count`, by the formula that is in force."""
        return [
            each for each in self._of_people if each.dimension in self._names_of_derived and self.on_this_scale(each)
        ]

    @cached_property
    def _of_people(self) -> list[Judgment]:
        return by_people_who_count(self.first_passes, self.excluded)

    @cached_property
    def by_judges(self) -> list[Judgment]:
        """The judgments of automated judges, derived ones too. They never enter the agreement of people."""
        return [each for each in self._of_judges(self.first_passes) if self.on_this_scale(each)]

    @cached_property
    def by_judges_again(self) -> list[Judgment]:
        """The judgments of automated judges from a second run and later ones."""
        return self._of_judges(later_passes(self.judgments))

    def _of_judges(self, judgments: Sequence[Judgment]) -> list[Judgment]:
        """The judgments of automated judges, without the items that judges were tuned on."""
        return [each for each in by_judges_who_count(judgments, self.excluded) if each.item not in self.tuning]

    @cached_property
    def sources(self) -> Sources:
        """Where the submissions that count come from."""
        return sources_of(self.that_count, self.by_judges)

    @cached_property
    def whole(self) -> "Data":
        """These data with all annotators, to compare with the results without the excluded ones."""
        return replace(self, excluded={}) if self.excluded else self

    @cached_property
    def n_superseded(self) -> int:
        """How many judgments of those who count are a second pass, or were changed later."""
        every = by_people_who_count(self.by_people, self.excluded)
        return sum(each.is_of_study for each in every) - len(self.that_count)

    @cached_property
    def surplus(self) -> int:
        """How many submissions came after their place had gone to another."""
        return len({each.submission for each in self.judgments if each.surplus})

    def _that_were_given(self, judgments: list[Judgment]) -> list[Judgment]:
        """The judgments without derived ones; the same list where there are none."""
        found = [each for each in judgments if each.dimension not in self._names_of_derived]
        return found if len(found) < len(judgments) else judgments

    @cached_property
    def _names_of_derived(self) -> set[str]:
        studies = [self.study, *self.studies.values()]
        return {derived.derived for study in studies for derived in study.derive}

    @cached_property
    def topics(self) -> list[Topic]:
        """What people agree on: every scored dimension; of a preference, each comparison that was judged."""
        return [topic for dimension in self.study.scored_dimensions for topic in self.topics_of(dimension)]

    def topics_of(self, dimension: Dimension) -> list[Topic]:
        """The topics of one dimension."""
        if not dimension.input.compares:  # no need to read all judgments
            return topics_of(dimension, ())
        judged = {each.systems for each in self._on_scale.get(dimension.dimension, ()) if each.is_of_pair}
        return topics_of(dimension, sorted(map(self.comparison_of, judged)))

    @cached_property
    def _on_scale(self) -> dict[str, list[Judgment]]:
        """The judgments that count and have a value on the scale that is in force, by dimension."""
        found: dict[str, list[Judgment]] = defaultdict(list)
        for each in self.that_count:
            if each.value is not None and self.on_this_scale(each):
                found[each.dimension].append(each)
        return found

    def on_scale_of(self, name: str) -> Sequence[Judgment]:
        """The judgments of a dimension that count and have a value on the scale that is in force."""
        return self._on_scale.get(name, ())

    @cached_property
    def ratings(self) -> Mapping[Topic, Ratings]:
        """The table of each topic: items by annotators, on the scale that the study declares."""
        asked = self.study.scored_dimensions
        topics = ((topic, dimension) for dimension in asked for topic in self.topics_of(dimension))
        return SparseTables((topic, self._ratings(topic, dimension)) for topic, dimension in topics)

    def _ratings(self, topic: Topic, dimension: Dimension) -> Ratings:
        assert dimension.input.level is not None
        about = [each for each in self._on_scale.get(topic.dimension, ()) if topic.holds(each)]
        rows = [(each.unit, each.annotator, value_on_scale(each, dimension, topic.comparison)) for each in about]
        clusters = {each.unit: each.group or each.item for each in about}
        clustered = is_clustered(self.study, dimension)
        return Ratings.from_long(rows, scale_of(dimension), dimension.input.level, clusters if clustered else None)

    def units(self, topic: Topic, n: int) -> Units:
        """What the agreement on a topic rests on: n units, of so many items."""
        return Units(self.study.dimension(topic.dimension).scope.of, n, self._items_judged_by_two(topic))

    def _items_judged_by_two(self, topic: Topic) -> int:
        def count() -> int:
            about = (each for each in self._on_scale.get(topic.dimension, ()) if topic.holds(each))
            return items_judged_by_two((each.item, each.annotator) for each in about)

        found: int = self.once(f"items judged by two: {topic.key}", count)
        return found

    def pooled_ratings(self, dimension: Dimension) -> Ratings:
        """The table of a dimension over all its topics; of several comparisons every item in both directions."""
        topics = self.topics_of(dimension)
        if len(topics) == 1:
            return self.ratings[topics[0]]
        about = self._on_scale[dimension.dimension]
        rows = ((each.unit, each.annotator, value_on_scale(each, dimension)) for each in about)
        return in_both_directions(dimension, rows, {each.unit: each.group or each.item for each in about})

    def value_on_scale(self, judgment: Judgment, dimension: Dimension) -> Any:
        """A judgment's value on the scale that statistics know."""
        return value_on_scale(
            judgment, dimension, self.comparison_of(judgment.systems) if judgment.is_of_pair else None
        )

    def comparison_of(self, systems: Collection[str]) -> Comparison:
        """The comparison of two systems, in the direction that the study or its file names."""
        return self._comparisons.get(frozenset(systems)) or direction_of(self.study, systems)

    @cached_property
    def _comparisons(self) -> dict[frozenset[str], Comparison]:
        """Each comparison, by the set of its two systems."""
        judged = {each.systems for each in self.that_count if each.is_of_pair}
        found = self.comparisons or [direction_of(self.study, systems) for systems in judged]
        return {frozenset(each): each for each in found}

    def on_this_scale(self, judgment: Judgment) -> bool:
        """Whether a judgment was given on the scale that is in force. A 5 of 5 and a 5 of 7 are not the same."""
        key = judgment.study_hash, judgment.dimension
        if key not in self._on_this_scale:
            given_under = self.studies.get(judgment.study_hash, self.study)
            self._on_this_scale[key] = same_scale(given_under, self.study, judgment.dimension)
        return self._on_this_scale[key]

    @cached_property
    def _on_this_scale(self) -> dict[tuple[str, str], bool]:
        """The cache of `on_this_scale`, which is called for every judgment and has few different answers."""
        return {}

    @cached_property
    def off_scale(self) -> dict[str, int]:
        """How many judgments of each dimension were given on a scale that is no longer in force, or on none."""
        return dict(Counter(each.dimension for each in self.that_count if not self.on_this_scale(each)))

    @cached_property
    def n_pooled_by_declaration(self) -> dict[str, int]:
        """How many judgments of a question, by its title, are pooled only because the study says so (`pool_with`)."""
        given = Counter((each.dimension, each.study_hash) for each in self.that_count)
        found: Counter[str] = Counter()
        for asked in self.study.rubric:
            for hash_, then in self.studies.items():
                if is_pooled_by_declaration(then, self.study, asked.dimension):
                    found[asked.heading] += given[asked.dimension, hash_]
        return {title: count for title, count in found.items() if count}

    @property
    def agreement(self) -> dict[Topic, list[Coefficient]]:
        """Every coefficient that applies, for each topic. Neither dimensions nor comparisons are pooled."""
        found: dict[Topic, list[Coefficient]] = self.once("agreement", lambda: self.agreement_of(self.ratings))
        return found

    def agreement_of(self, topics: Iterable[Topic]) -> dict[Topic, list[Coefficient]]:
        """Every coefficient that applies, for each of these topics."""
        found = {}
        for topic in topics:
            found[topic] = agree(self.ratings[topic], seed=self.seed)
            give_back_freed_memory()
        return found

    @cached_property
    def pooled_agreement(self) -> dict[str, list[Coefficient]]:
        """The coefficients over all comparisons of a preference, where there are several; without a bootstrap."""
        several = [each for each in self.study.scored_dimensions if len(self.topics_of(each)) > 1]
        return {each.dimension: list(map(count_once, agree(self.pooled_ratings(each), draws=0))) for each in several}

    def agreement_on(self, name: str) -> list[Coefficient]:
        """The coefficients of a dimension as a whole: of its only topic, or over all its comparisons."""
        [topic, *more] = [each for each in self.topics if each.dimension == name]
        return self.pooled_agreement[name] if more else self.agreement[topic]

    @cached_property
    def with_agreed(self) -> WithAgreed:
        """The judgments that systems and judges are compared on: with agreed values, where the study says so."""
        if not (self.study.analysis.use_agreed and self.agreed):
            return WithAgreed(self.that_count, self.derived_judgments)
        return put_agreed_values(self.study, self.agreed, self.that_count, self.derived_judgments)

    @cached_property
    def flags(self) -> list[Flag]:
        """The flags that the study's monitors raise."""
        return find_flags(self.work) if self.work is not None else []
