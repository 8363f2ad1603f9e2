"""Live agreement: how far annotators agree at this moment.

Coefficients that do not depend on who gave which value follow from the counts of patterns, in milliseconds, with every
submission up to this moment. The others, and every interval over groups of items, need all judgments: they are computed
now and then, cached, and shown with their age.
"""

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.frozen_json import from_json, to_json
from assay.judgments.scales import is_clustered, mirrored, scale_of
from assay.judgments.topics import Topic, topics_of
from assay.live.counting import count_new_submissions, excluded_annotators, scale_positions_of
from assay.model import Coefficient, Comparison
from assay.statistics import SEED, Ratings, Scale, agree, agree_counts, nameless_statistics_for, statistics_for
from assay.store import Backend
from assay.store.coordinator import cache, comparisons, flags, pattern_counts
from assay.store.coordinator.cache import CachedResult
from assay.study import Study
from assay.study.rubric import Dimension

LARGE = 20_000
"""Above so many items, cached intervals come from fewer draws: they are narrow then, and drawing takes long."""
FEWER_DRAWS = 200


@dataclass(frozen=True, slots=True)
class LiveAgreement:
    """The agreement on one topic at this moment: on a dimension, of a preference on one comparison."""

    topic: Topic
    coefficients: tuple[Coefficient, ...]
    """In the order in which they are reported."""
    as_of: Mapping[str, int]
    """When a coefficient, or its interval, was computed, for those that come from the cache."""
    clustered: bool

    def first(self, wanted: str) -> Coefficient | None:
        """The coefficient to show first: the study's; where that has no value, the first that has one."""
        found = {each.name: each for each in self.coefficients}
        if wanted in found and found[wanted].value is not None:
            return found[wanted]
        defined = [each for each in self.coefficients if each.value is not None]
        return next(iter([*defined, *([found[wanted]] if wanted in found else []), *self.coefficients]), None)


def live_agreement(store: Backend, study_id: int, study: Study, *, draws: int = 1000) -> list[LiveAgreement]:
    """The agreement on every topic: from the counts, and from the cache."""
    count_new_submissions(store, study_id, study)
    totals = _totals_by_topic(store, study_id, study)
    people = store.read(pattern_counts.people_at_work, study_id, excluded_annotators(store, study_id))
    cached = store.read(cache.get, study_id, cache.AGREEMENT)
    return [_agreement_on(study, topic, found, people, cached, draws) for topic, found in totals.items()]


def _totals_by_topic(store: Backend, study_id: int, study: Study) -> dict[Topic, dict[pattern_counts.Pattern, int]]:
    """How many units have each pattern, of every topic; of a comparison in its direction."""
    direction = directions(store, study_id, study)
    found: dict[Topic, dict[pattern_counts.Pattern, int]] = {}
    for counted_as, totals in store.read(pattern_counts.totals, study_id).items():
        dimension, systems = pattern_counts.counted_topic(counted_as)
        topic = Topic(dimension, *direction.get(systems, systems))
        found[topic] = totals if topic[1:] == systems else _turned(study.dimension(dimension), totals)
    return {topic: found.get(topic, {}) for topic in _topics(study, found)}


def _topics(study: Study, judged: Collection[Topic]) -> list[Topic]:
    """Every scored dimension; of a preference, each comparison that was judged."""
    found = []
    for dimension in study.scored_dimensions:
        of_it = (topic.comparison for topic in judged if topic.dimension == dimension.dimension)
        found += topics_of(dimension, sorted(filter(None, of_it)))
    return found


def _turned(dimension: Dimension, totals: Mapping[pattern_counts.Pattern, int]) -> dict[pattern_counts.Pattern, int]:
    """Patterns of a preference in the other direction."""
    scale = scale_of(dimension)
    turned = [scale.index(mirrored(value)) for value in scale]
    return {tuple(sorted(turned[place] for place in pattern)): units for pattern, units in totals.items()}


def _agreement_on(
    study: Study,
    topic: Topic,
    totals: Mapping[pattern_counts.Pattern, int],
    people: int,
    cached: CachedResult | None,
    draws: int,
) -> LiveAgreement:
    dimension = study.dimension(topic.dimension)
    clustered = is_clustered(study, dimension)
    level = dimension.input.level
    assert level is not None
    scale = Scale(scale_of(dimension), level)
    live = agree_counts(totals, scale, people, seed=SEED, draws=0 if clustered else draws)
    found = {each.name: each for each in live}
    as_of = {}
    for each in _cached_coefficients(study, topic, cached):
        if each.name not in found:
            found[each.name] = each
        elif clustered and _holds(each.ci, found[each.name].value):
            # The value is of this moment, the interval over groups comes from the cache.
            found[each.name] = replace(found[each.name], ci=each.ci, method=each.method)
        else:
            continue
        as_of[each.name] = cached.at if cached else 0
    ordered = [found[each.name] for each in statistics_for(level) if each.name in found]
    return LiveAgreement(topic, tuple(ordered), as_of, clustered)


def _cached_coefficients(study: Study, topic: Topic, cached: CachedResult | None) -> list[Coefficient]:
    """What was computed last for a topic, under this version of the study."""
    if cached is None or not cached.state.startswith(study.hash):
        return []
    found: list[Coefficient] | None = from_json(list[Coefficient], cached.content["dimensions"].get(topic.key, []))
    return found or []


def _holds(ci: tuple[float, float] | None, value: float | None) -> bool:
    return ci is not None and value is not None and ci[0] <= value <= ci[1]


def state_of_data(store: Backend, study_id: int, study: Study) -> str:
    """What cached results depend on, as a text: while it stays the same they are up to date."""
    submissions, last = store.read(flags.state_of_work, study_id)
    return f"{study.hash} {submissions} {last} {','.join(sorted(excluded_annotators(store, study_id)))}"


def is_stale(store: Backend, study_id: int, study: Study) -> bool:
    """Whether the cached part is out of date."""
    cached = store.read(cache.get, study_id, cache.AGREEMENT)
    return cached is None or cached.state != state_of_data(store, study_id, study)


def is_outdated(store: Backend, study_id: int, study: Study, now: int) -> bool:
    """Whether to compute the cached part again: it is out of date, and old enough for what computing it costs."""
    cached = store.read(cache.get, study_id, cache.AGREEMENT)
    return cached is None or (cached.may_be_refreshed(now) and cached.state != state_of_data(store, study_id, study))


def compute(store: Backend, study_id: int, study: Study, now: int) -> None:
    """Compute and cache what the counts do not give."""
    state = state_of_data(store, study_id, study)
    began = time.perf_counter()
    tables = ratings_of(store, study_id, study)
    content = {}
    for topic, table in tables.items():
        dimension = study.dimension(topic.dimension)
        level = dimension.input.level
        assert level is not None
        ready = set() if is_clustered(study, dimension) else {each.name for each in nameless_statistics_for(level)}
        names = [each.name for each in statistics_for(level) if each.name not in ready]
        draws = 1000 if len(table.items) <= LARGE else FEWER_DRAWS
        found = agree(table, names, seed=SEED, draws=draws)
        content[topic.key] = to_json(found)
    took = round(1000 * (time.perf_counter() - began))
    result = CachedResult({"took_ms": took, "dimensions": content}, state, now)
    store.write(cache.put, study_id, cache.AGREEMENT, result)


def ratings_of(store: Backend, study_id: int, study: Study) -> dict[Topic, Ratings]:
    """The table of each topic, read from the store in one go and with nothing else in memory."""
    positions, direction = scale_positions_of(store, study_id, study), directions(store, study_id, study)
    columns: dict[str, list[tuple[tuple[int, str, str], int, int, int]]] = defaultdict(list)
    left_out, compares = excluded_annotators(store, study_id), study.preference_dimensions
    for row in store.stream(pattern_counts.all_rows, study_id, left_out, compares):
        at = positions.of(row)
        if at is not None:
            unit = (row.item_id, row.side, row.entry)
            columns[row.counted_as].append((unit, row.annotator_id, at, row.group_number))
    found = {}
    for counted_as, rows in columns.items():
        dimension, systems = pattern_counts.counted_topic(counted_as)
        topic = Topic(dimension, *direction.get(systems, systems))
        found[topic] = _table(study, topic, rows, turned=topic[1:] != systems)
    return {topic: found[topic] if topic in found else _table(study, topic, ()) for topic in _topics(study, found)}


def directions(store: Backend, study_id: int, study: Study) -> dict[tuple[str, ...], Comparison]:
    """The comparisons of a study, by the two systems in the order of their names."""
    if not study.preference_dimensions:
        return {}
    return {tuple(sorted(each)): each for each in store.read(comparisons.comparisons, study_id, study)}


def _table(
    study: Study,
    topic: Topic,
    rows: Sequence[tuple[tuple[int, str, str], int, int, int]],
    turned: bool = False,
) -> Ratings:
    dimension = study.dimension(topic.dimension)
    level = dimension.input.level
    assert level is not None
    scale = scale_of(dimension)
    values = [mirrored(value) for value in scale] if turned else scale
    # In the order of the items, so that the result does not depend on who came first.
    long = sorted((unit, annotator, position) for unit, annotator, position, _ in rows)
    clusters = {unit: cluster for unit, _, _, cluster in rows} if is_clustered(study, dimension) else None
    return Ratings.from_long([(unit, who, values[position]) for unit, who, position in long], scale, level, clusters)
