"""Live agreement: how far annotators agree at this moment.

Coefficients that do not depend on who gave which value follow from the counts of patterns, in milliseconds, with every
submission up to this moment. The others, and every interval over groups of items, need all judgments: they are computed
now and then, cached, and shown with their age.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assay.frozen_json import from_json, to_json
from assay.judgments.scales import is_clustered, scale_of
from assay.live.counting import count_new_submissions, excluded_annotators, scale_positions_of
from assay.model import Coefficient
from assay.statistics import SEED, Ratings, Scale, agree, agree_counts, nameless_statistics_for, statistics_for
from assay.store import Backend
from assay.store.coordinator import cache, flags, pattern_counts
from assay.store.coordinator.cache import CachedResult
from assay.study import Study
from assay.study.rubric import Dimension

LARGE = 20_000
"""Above so many items, cached intervals come from fewer draws: they are narrow then, and drawing takes long."""
FEWER_DRAWS = 200


@dataclass(frozen=True, slots=True)
class LiveAgreement:
    """The agreement on one dimension at this moment."""

    dimension: str
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
    """The agreement on every scored dimension: from the counts, and from the cache."""
    count_new_submissions(store, study_id, study)
    totals = store.read(pattern_counts.totals, study_id)
    people = store.read(pattern_counts.people_at_work, study_id, excluded_annotators(store, study_id))
    cached = store.read(cache.get, study_id, cache.AGREEMENT)
    return [
        _agreement_on(study, dimension, totals.get(dimension.dimension, {}), people, cached, draws)
        for dimension in study.scored_dimensions
    ]


def _agreement_on(
    study: Study,
    dimension: Dimension,
    totals: Mapping[pattern_counts.Pattern, int],
    people: int,
    cached: CachedResult | None,
    draws: int,
) -> LiveAgreement:
    name, clustered = dimension.dimension, is_clustered(study, dimension)
    level = dimension.input.level
    assert level is not None
    scale = Scale(scale_of(dimension), level)
    live = agree_counts(totals, scale, people, seed=SEED, draws=0 if clustered else draws)
    found = {each.name: each for each in live}
    as_of = {}
    for each in _cached_coefficients(study, name, cached):
        if each.name not in found:
            found[each.name] = each
        elif clustered and _holds(each.ci, found[each.name].value):
            # The value is of this moment, the interval over groups comes from the cache.
            found[each.name] = replace(found[each.name], ci=each.ci, method=each.method)
        else:
            continue
        as_of[each.name] = cached.at if cached else 0
    ordered = [found[each.name] for each in statistics_for(level) if each.name in found]
    return LiveAgreement(name, tuple(ordered), as_of, clustered)


def _cached_coefficients(study: Study, name: str, cached: CachedResult | None) -> list[Coefficient]:
    """What was computed last for a dimension, under this version of the study."""
    if cached is None or not cached.state.startswith(study.hash):
        return []
    found: list[Coefficient] | None = from_json(list[Coefficient], cached.content["dimensions"].get(name, []))
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
    for dimension in study.scored_dimensions:
        level = dimension.input.level
        assert level is not None
        ready = set() if is_clustered(study, dimension) else {each.name for each in nameless_statistics_for(level)}
        names = [each.name for each in statistics_for(level) if each.name not in ready]
        table = tables[dimension.dimension]
        draws = 1000 if len(table.items) <= LARGE else FEWER_DRAWS
        found = agree(table, names, seed=SEED, draws=draws)
        content[dimension.dimension] = to_json(found)
    took = round(1000 * (time.perf_counter() - began))
    result = CachedResult({"took_ms": took, "dimensions": content}, state, now)
    store.write(cache.put, study_id, cache.AGREEMENT, result)


def ratings_of(store: Backend, study_id: int, study: Study) -> dict[str, Ratings]:
    """The table of each scored dimension, read from the store in one go and with nothing else in memory."""
    positions = scale_positions_of(store, study_id, study)
    columns: dict[str, list[tuple[tuple[int, str, str], int, int, int]]] = {
        each.dimension: [] for each in study.scored_dimensions
    }
    for row in store.stream(pattern_counts.all_rows, study_id, excluded_annotators(store, study_id)):
        at = positions.of(row)
        if at is not None:
            unit = (row.item_id, row.side, row.entry)
            columns[row.dimension].append((unit, row.annotator_id, at, row.group_number))
    return {each.dimension: _table(study, each, columns[each.dimension]) for each in study.scored_dimensions}


def _table(study: Study, dimension: Dimension, rows: Sequence[tuple[tuple[int, str, str], int, int, int]]) -> Ratings:
    level = dimension.input.level
    assert level is not None
    scale = scale_of(dimension)
    # In the order of the items, so that the result does not depend on who came first.
    long = sorted((unit, annotator, position) for unit, annotator, position, _ in rows)
    clusters = {unit: cluster for unit, _, _, cluster in rows} if is_clustered(study, dimension) else None
    return Ratings.from_long([(unit, who, scale[position]) for unit, who, position in long], scale, level, clusters)
