"""Live agreement: how far annotators agree at this moment. It equals the report's agreement, or says how old it is.

From time to time everything is computed from all judgments, as the report does it, and cached. While nothing changes,
the cache is shown. As soon as something has, coefficients that do not depend on who gave which value follow from the
counts of patterns, in milliseconds and with every submission up to this moment: the same as a report would say now. The
others, and every interval over groups of items, are shown as they were, value and interval together, with their age.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay import __version__
from assay.frozen_json import from_json, to_json
from assay.judgments.scales import count_once, is_clustered, mirror_preference, scale_of
from assay.judgments.topics import Topic, topics_of
from assay.judgments.units import Units, items_judged_by_two
from assay.live.counting import count_new_submissions, excluded_annotators, scale_positions_of
from assay.model import Coefficient, Comparison, Level
from assay.report.both_directions import in_both_directions
from assay.report.headline import headline_of
from assay.statistics import SEED, Ratings, Scale, agree, agree_counts, statistics_for
from assay.statistics.arrays import np
from assay.statistics.draws import DRAWS
from assay.store import Backend
from assay.store.coordinator import annotators, cache, comparisons, flags, pattern_counts
from assay.store.coordinator.cache import CachedResult
from assay.study import Study
from assay.study.rubric import Dimension

_Totals = Mapping[pattern_counts.Pattern, int]
"""How many units have each pattern."""


@dataclass(frozen=True, slots=True)
class LiveAgreement:
    """The agreement on one topic at this moment: on a dimension, of a preference on one comparison."""

    topic: Topic
    coefficients: tuple[Coefficient, ...]
    """In the order in which they are reported."""
    as_of: Mapping[str, int]
    """When a coefficient was computed, value and interval, for those that are older than the data."""
    of: str
    """What is judged: the item, each side or each entry."""
    items: int | None = None
    """How many items two people or more judged; None where that is not known."""
    now: tuple[Coefficient, ...] = ()
    """Where those are older: what is known of this moment, without intervals."""
    comparisons: int = 0
    """Over how many comparisons together; 0: it is about one topic."""
    awaited: frozenset[str] = frozenset()
    """The coefficients that apply to it, and that nobody has computed yet."""

    def title(self, study: Study) -> str:
        """What it is about, in a sentence."""
        about = self.topic.title(study)
        return f"{about}, all {self.comparisons} comparisons together" if self.comparisons else about

    def first(self, wanted: str) -> Coefficient | None:
        """The coefficient to show first."""
        return headline_of(self.coefficients, wanted)

    def units(self, shown: Coefficient | None) -> Units:
        """What the coefficient that is shown rests on."""
        return Units(self.of, shown.n_items if shown else 0, self.items)


def live_agreement(store: Backend, study_id: int, study: Study) -> list[LiveAgreement]:
    """The agreement on every topic: from the cache while it is up to date, else from the counts and the cache."""
    totals, people, known = _at_this_moment(store, study_id, study)
    return [_agreement_on(study, topic, found, people, known) for topic, found in totals.items()]


def pooled_agreement(store: Backend, study_id: int, study: Study) -> list[LiveAgreement]:
    """What stands beside it: of each preference with several comparisons, all of them together."""
    if not study.preference_dimensions:
        return []
    totals, people, known = _at_this_moment(store, study_id, study)
    found = []
    for dimension in study.scored_dimensions:
        of_it = [counts for topic, counts in totals.items() if topic.dimension == dimension.dimension]
        if len(of_it) > 1:
            found.append(_together(dimension, of_it, people, known))
    return found


def with_pooled(store: Backend, study_id: int, study: Study) -> list[LiveAgreement]:
    """Every topic, and after the comparisons of a preference the value over all of them."""
    found = [*live_agreement(store, study_id, study), *pooled_agreement(store, study_id, study)]
    order = [each.dimension for each in study.scored_dimensions]
    return sorted(found, key=lambda each: order.index(each.topic.dimension))


def _at_this_moment(store: Backend, study_id: int, study: Study) -> tuple[dict[Topic, _Totals], int, "_LastResult"]:
    """The counts of every topic, how many people gave them, and what was computed last."""
    count_new_submissions(store, study_id, study)
    totals = _totals_by_topic(store, study_id, study)
    known = _LastResult(study, store.read(cache.get, study_id, cache.AGREEMENT), state_of_data(store, study_id, study))
    people = store.read(pattern_counts.people_at_work, study_id, excluded_annotators(store, study_id, study))
    return totals, people, known


class _LastResult:
    """The cached result, if it is of this version of the study."""

    def __init__(self, study: Study, cached: CachedResult | None, state: str) -> None:
        self._cached = cached if cached is not None and cached.state.startswith(study.hash) else None
        self.at = self._cached.at if self._cached else 0
        self.is_current = self._cached is not None and self._cached.state == state

    def coefficients(self, topic: Topic, part: Literal["dimensions", "together"] = "dimensions") -> list[Coefficient]:
        """The coefficients of a topic; none where nothing is cached, or another version of the program wrote it."""
        content = self._cached.content.get(part, {}).get(topic.key, []) if self._cached else []
        found: list[Coefficient] | None = from_json(list[Coefficient], content)
        return found or []

    def items(self, topic: Topic) -> int | None:
        """How many items two people or more judged."""
        found: int | None = self._cached.content.get("items", {}).get(topic.key) if self._cached else None
        return found


def _totals_by_topic(store: Backend, study_id: int, study: Study) -> dict[Topic, _Totals]:
    """How many units have each pattern, of every topic; of a comparison in its direction."""
    direction = directions(store, study_id, study)
    found: dict[Topic, _Totals] = {}
    for pattern_key, totals in store.read(pattern_counts.totals, study_id).items():
        dimension, systems = pattern_counts.counted_topic(pattern_key)
        topic = Topic(dimension, *direction.get(systems, systems))
        found[topic] = totals if topic[1:] == systems else _mirror_patterns(study.dimension(dimension), totals)
    return {topic: found.get(topic, {}) for topic in _topics(study, found)}


def _topics(study: Study, judged: Collection[Topic]) -> list[Topic]:
    """Every scored dimension; of a preference, each comparison that was judged."""
    found = []
    for dimension in study.scored_dimensions:
        of_it = (topic.comparison for topic in judged if topic.dimension == dimension.dimension)
        found += topics_of(dimension, sorted(filter(None, of_it)))
    return found


def _mirror_patterns(dimension: Dimension, totals: _Totals) -> dict[pattern_counts.Pattern, int]:
    """The patterns of a preference with its comparison in the other direction."""
    scale = scale_of(dimension)
    turned = [scale.index(mirror_preference(value)) for value in scale]
    return {tuple(sorted(turned[place] for place in pattern)): units for pattern, units in totals.items()}


def _agreement_on(study: Study, topic: Topic, totals: _Totals, people: int, known: _LastResult) -> LiveAgreement:
    dimension = study.dimension(topic.dimension)
    level = dimension.input.level
    assert level is not None
    computed = known.coefficients(topic)
    if known.is_current and computed:
        return LiveAgreement(topic, tuple(computed), {}, dimension.scope.of, known.items(topic))
    # Groups of items are not in the counts, and whom rules exclude is not known before they are applied again.
    values_only = is_clustered(study, dimension) or bool(study.analysis.exclude)
    live = agree_counts(totals, Scale(scale_of(dimension), level), people, seed=SEED, draws=0 if values_only else DRAWS)
    if values_only and computed:
        as_of = {each.name: known.at for each in computed}
        return LiveAgreement(topic, tuple(computed), as_of, dimension.scope.of, known.items(topic), tuple(live))
    found = {each.name: each for each in live}
    older = {each.name: each for each in computed if each.name not in found}
    ordered = [{**found, **older}[each.name] for each in statistics_for(level) if each.name in {*found, *older}]
    as_of, awaited = dict.fromkeys(older, known.at), _names(level) - {*found, *older}
    return LiveAgreement(topic, tuple(ordered), as_of, dimension.scope.of, awaited=awaited)


def _names(level: Level) -> frozenset[str]:
    return frozenset(each.name for each in statistics_for(level))


def _together(dimension: Dimension, totals: Sequence[_Totals], people: int, known: _LastResult) -> LiveAgreement:
    """All comparisons of a preference pooled, every item in both directions: values without bootstrap intervals."""
    topic, level = Topic(dimension.dimension), dimension.input.level
    assert level is not None
    computed, of = known.coefficients(topic, "together"), dimension.scope.of
    if known.is_current and computed:
        return LiveAgreement(topic, tuple(computed), {}, of, comparisons=len(totals))
    both: Counter[pattern_counts.Pattern] = Counter()
    for each in totals:
        both.update(each)
        both.update(_mirror_patterns(dimension, each))
    live = agree_counts(both, Scale(scale_of(dimension), level), people, seed=SEED, draws=0)
    found = {each.name: count_once(each) for each in live}
    older = {each.name: each for each in computed if each.name not in found}
    ordered = [{**found, **older}[each.name] for each in statistics_for(level) if each.name in {*found, *older}]
    as_of, awaited = dict.fromkeys(older, known.at), _names(level) - {*found, *older}
    return LiveAgreement(topic, tuple(ordered), as_of, of, comparisons=len(totals), awaited=awaited)


def state_of_data(store: Backend, study_id: int, study: Study) -> str:
    """What cached results depend on, as a text: while it stays the same they are up to date."""
    numbers = " ".join(map(str, store.read(flags.state_of_work, study_id)))
    return f"{study.hash} {__version__} {numbers} {','.join(sorted(excluded_annotators(store, study_id, study)))}"


def is_stale(store: Backend, study_id: int, study: Study) -> bool:
    """Whether the cached part is out of date."""
    cached = store.read(cache.get, study_id, cache.AGREEMENT)
    return cached is None or cached.state != state_of_data(store, study_id, study)


def is_outdated(store: Backend, study_id: int, study: Study, now: int) -> bool:
    """Whether to compute the cached part again: it is out of date, and old enough for what computing it costs."""
    cached = store.read(cache.get, study_id, cache.AGREEMENT)
    return cached is None or (cached.may_be_refreshed(now) and cached.state != state_of_data(store, study_id, study))


def compute(store: Backend, study_id: int, study: Study, now: int) -> None:
    """Compute and cache every coefficient of every topic, as the report has it."""
    state = state_of_data(store, study_id, study)
    began = time.perf_counter()
    tables = ratings_of(store, study_id, study)
    content = {topic.key: to_json(agree(table, seed=SEED, draws=DRAWS)) for topic, table in tables.items()}
    items = {topic.key: _items_in(table) for topic, table in tables.items()}
    together = {
        name: to_json(list(map(count_once, agree(table, draws=0)))) for name, table in _tables_together(study, tables)
    }
    took = round(1000 * (time.perf_counter() - began))
    kept = {"took_ms": took, "dimensions": content, "items": items, "together": together}
    result = CachedResult(kept, state, now)
    store.write(cache.put, study_id, cache.AGREEMENT, result)


def _tables_together(study: Study, tables: Mapping[Topic, Ratings]) -> Iterator[tuple[str, Ratings]]:
    """Of each preference with several comparisons, all its items in both directions."""
    for dimension in study.scored_dimensions:
        of_it = [table for topic, table in tables.items() if topic.dimension == dimension.dimension]
        if len(of_it) > 1:
            rows = [row for table in of_it for row in table.rows()]
            yield dimension.dimension, in_both_directions(dimension, rows)


def _items_in(table: Ratings) -> int:
    """How many items two people or more judged. The rows of the table are items, or their sides or entries."""
    rows, who = np.nonzero(table.values >= 0)
    of_row: list[Any] = [unit[0] for unit in table.items]  # type: ignore[index]
    return items_judged_by_two(zip((of_row[row] for row in rows.tolist()), who.tolist(), strict=True))


def computed_agreement(
    store: Backend, study_id: int, study: Study, topics: Iterable[Topic]
) -> dict[Topic, list[Coefficient]] | None:
    """What is cached of these topics, if it is up to date and has all of them; else None."""
    known = _LastResult(study, store.read(cache.get, study_id, cache.AGREEMENT), state_of_data(store, study_id, study))
    found = {topic: known.coefficients(topic) for topic in topics}
    return found if known.is_current and all(found.values()) else None


def ratings_of(store: Backend, study_id: int, study: Study) -> dict[Topic, Ratings]:
    """The table of each topic, read from the store in one go and with nothing else in memory."""
    positions, direction = scale_positions_of(store, study_id, study), directions(store, study_id, study)
    columns: dict[str, list[tuple[tuple[int, str, str], str, int, int]]] = defaultdict(list)
    names = store.read(annotators.names, study_id)
    left_out, compares = excluded_annotators(store, study_id, study), study.preference_dimensions
    for row in store.stream(pattern_counts.all_rows, study_id, left_out, compares):
        at = positions.of(row)
        if at is not None:
            unit = (row.item_id, row.side, row.entry)
            columns[row.pattern_key].append((unit, names[row.annotator_id], at, row.group_number))
    found = {}
    for pattern_key, rows in columns.items():
        dimension, systems = pattern_counts.counted_topic(pattern_key)
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
    rows: Sequence[tuple[tuple[int, str, str], str, int, int]],
    turned: bool = False,
) -> Ratings:
    dimension = study.dimension(topic.dimension)
    level = dimension.input.level
    assert level is not None
    scale = scale_of(dimension)
    values = [mirror_preference(value) for value in scale] if turned else scale
    # In the order of the items, so that the result does not depend on who came first.
    long = sorted((unit, annotator, position) for unit, annotator, position, _ in rows)
    clusters = {unit: cluster for unit, _, _, cluster in rows} if is_clustered(study, dimension) else None
    return Ratings.from_long([(unit, who, values[position]) for unit, who, position in long], scale, level, clusters)
