"""Live agreement: from counts that are brought up to date with every submission, and from results that are kept.

What does not hang on who gave which value follows from the counts of patterns, in milliseconds, with everything that
was submitted up to this moment. What does, and every interval over groups of items, needs all judgments: it is computed
when asked for, kept, and shown with its age.
"""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from assay.candidates import OTHER_ROLE
from assay.judgments.scales import is_clustered, is_flipped, scale_in, scale_of
from assay.model import Coefficient
from assay.statistics import Ratings, Scale, agree, agree_counts, nameless_statistics_for, statistics_for
from assay.store import Backend
from assay.store.annotator import versions
from assay.store.coordinator import annotators, cache, flags, pattern_counts, study_status
from assay.store.coordinator.cache import Computed
from assay.store.coordinator.pattern_counts import Row
from assay.study import Study
from assay.study.rubric import Dimension

AT_A_TIME = 400
"""So many submissions are counted in one go: a few milliseconds of the store's time."""
LARGE = 20_000
"""Above so many items, what takes names is given intervals from fewer draws: they are narrow then, and drawing long."""
FEWER_DRAWS = 200


@dataclass(frozen=True, slots=True)
class LiveAgreement:
    """The agreement on one dimension at this moment."""

    dimension: str
    coefficients: tuple[Coefficient, ...]
    """In the order in which they are reported."""
    as_of: Mapping[str, int]
    """For those that were computed earlier, or whose interval was, when that was. The others are of this moment."""
    clustered: bool

    def first(self, wanted: str) -> Coefficient | None:
        """The one to show first: the study's, or where that does not apply or is undefined, the first that is not."""
        found = {each.name: each for each in self.coefficients}
        if wanted in found and found[wanted].value is not None:
            return found[wanted]
        defined = [each for each in self.coefficients if each.value is not None]
        return next(iter([*defined, *([found[wanted]] if wanted in found else []), *self.coefficients]), None)


class ScalePositions:
    """Where judgments stand on the scales that are in force."""

    def __init__(self, study: Study, versions: Mapping[str, Study], several_pairs: bool) -> None:
        self.study = study
        self._dimensions = {each.dimension: each for each in study.scored_dimensions}
        self._positions = {
            name: {
                json.dumps(value, ensure_ascii=False): position for position, value in enumerate(scale_of(dimension))
            }
            for name, dimension in self._dimensions.items()
        }
        self._known = {
            (name, hash_): scale_in(version, name) == scale_in(study, name)
            for name in self._dimensions
            for hash_, version in versions.items()
        }
        self._comparing = {name for name, each in self._dimensions.items() if each.input.compares and several_pairs}

    def of(self, row: Row) -> int | None:
        """The position of a judgment's value; None where it has none, or was given on another scale."""
        positions = self._positions.get(row.dimension)
        if positions is None or not self._known.get((row.dimension, row.study_hash), True):
            return None
        value = row.value
        if row.dimension in self._comparing and value in OTHER and is_flipped(self.study, row.item):
            value = OTHER[value]
        return positions.get(value)


OTHER = {json.dumps(role): json.dumps(other) for role, other in OTHER_ROLE.items()}


def patterns_of(rows: Iterable[Row], position: Callable[[Row], int | None]) -> dict[int, dict[str, list[str]]]:
    """What each item adds to the counts: for each dimension the pattern of the item, its sides or its entries."""
    units: dict[tuple[int, str, str, str], list[int]] = defaultdict(list)
    for row in rows:
        at = position(row)
        if at is not None:
            units[row.item_id, row.dimension, row.side, row.entry].append(at)
    found: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (item_id, dimension, _, _), positions in units.items():
        found[item_id][dimension].append(",".join(map(str, sorted(positions))))
    return {item_id: {name: sorted(each) for name, each in of_item.items()} for item_id, of_item in found.items()}


def scale_positions_of(store: Backend, study_id: int, study: Study) -> ScalePositions:
    """Where the judgments of a study stand on its scales."""
    several = len(store.read(study_status.pairs, study_id)) > 1 if study.preference_dimensions else False
    return ScalePositions(study, store.read(versions.versions, study_id), several)


def left_out_of(store: Backend, study_id: int) -> frozenset[str]:
    """Who does not count: whom a coordinator has left out, and whom the study's own rules left out last."""
    by_rule = store.read(cache.kept, study_id, cache.DECLARED)
    return frozenset(store.read(annotators.excluded, study_id)) | frozenset(by_rule.content if by_rule else ())


def bring_up_to_date(
    store: Backend, study_id: int, study: Study, show: Callable[[int], None] = lambda counted: None
) -> int:
    """Count what was submitted since the last time. Returns how many items were counted."""
    left_out = left_out_of(store, study_id)
    if store.read(pattern_counts.stands_for, study_id) != (study.hash, left_out):
        store.write(pattern_counts.prepare, study_id, study.hash, left_out)
    done = 0
    positions: ScalePositions | None = None
    while seen := store.read(pattern_counts.queued, study_id, AT_A_TIME):
        positions = positions or scale_positions_of(store, study_id, study)
        found = patterns_of(store.read(pattern_counts.rows_of, seen.keys(), left_out), positions.of)
        done += store.write(pattern_counts.count, study_id, seen, found)
        show(done)
    return done


def live_agreement(store: Backend, study_id: int, study: Study, *, draws: int = 1000) -> list[LiveAgreement]:
    """The agreement on every scored dimension: what counts give, and what was computed last."""
    bring_up_to_date(store, study_id, study)
    totals = store.read(pattern_counts.totals, study_id)
    people = store.read(pattern_counts.people_at_work, study_id, left_out_of(store, study_id))
    kept = store.read(cache.kept, study_id, cache.AGREEMENT)
    return [
        _of_dimension(study, dimension, totals.get(dimension.dimension, {}), people, kept, draws)
        for dimension in study.scored_dimensions
    ]


def _of_dimension(
    study: Study,
    dimension: Dimension,
    totals: Mapping[pattern_counts.Pattern, int],
    people: int,
    kept: Computed | None,
    draws: int,
) -> LiveAgreement:
    name, clustered = dimension.dimension, is_clustered(study, dimension)
    level = dimension.input.level
    assert level is not None
    scale = Scale(scale_of(dimension), level)
    live = agree_counts(totals, scale, people, seed=study.seed, draws=0 if clustered else draws)
    found = {each.name: each for each in live}
    as_of = {}
    for each in _kept(study, name, kept):
        if each.name not in found:
            found[each.name] = each
        elif clustered and _holds(each.ci, found[each.name].value):
            # The value is of this moment, the interval over groups is the one that was computed last.
            found[each.name] = replace(found[each.name], ci=each.ci, method=each.method)
        else:
            continue
        as_of[each.name] = kept.at if kept else 0
    ordered = [found[each.name] for each in statistics_for(level) if each.name in found]
    return LiveAgreement(name, tuple(ordered), as_of, clustered)


def _kept(study: Study, name: str, kept: Computed | None) -> list[Coefficient]:
    """What was computed last for a dimension, under this version of the study."""
    if kept is None or not kept.state.startswith(study.hash):
        return []
    return [
        Coefficient(**{**each, "ci": None if each["ci"] is None else tuple(each["ci"])})
        for each in kept.content["dimensions"].get(name, [])
    ]


def _holds(ci: tuple[float, float] | None, value: float | None) -> bool:
    return ci is not None and value is not None and ci[0] <= value <= ci[1]


def state_of(store: Backend, study_id: int, study: Study) -> str:
    """What a kept result hangs on: while this is the same there is nothing new to compute."""
    submissions, last = store.read(flags.state_of_work, study_id)
    return f"{study.hash} {submissions} {last} {','.join(sorted(left_out_of(store, study_id)))}"


def is_stale(store: Backend, study_id: int, study: Study) -> bool:
    """Whether something has happened since the kept part was computed."""
    kept = store.read(cache.kept, study_id, cache.AGREEMENT)
    return kept is None or kept.state != state_of(store, study_id, study)


def is_due(store: Backend, study_id: int, study: Study, now: int) -> bool:
    """Whether the kept part is to be computed again: it is out of date, and was not computed just now."""
    kept = store.read(cache.kept, study_id, cache.AGREEMENT)
    return kept is None or (kept.has_rested(now) and kept.state != state_of(store, study_id, study))


def compute(store: Backend, study_id: int, study: Study, now: int) -> None:
    """Compute anew, and keep, what the counts do not give."""
    state = state_of(store, study_id, study)
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
        found = agree(table, names, seed=study.seed, draws=draws)
        content[dimension.dimension] = [asdict(each) for each in found]
    took = round(1000 * (time.perf_counter() - began))
    kept = Computed({"took_ms": took, "dimensions": content}, state, now)
    store.write(cache.keep, study_id, cache.AGREEMENT, kept)


def ratings_of(store: Backend, study_id: int, study: Study) -> dict[str, Ratings]:
    """The table of each scored dimension, read from the store in one go and with nothing else in memory."""
    positions = scale_positions_of(store, study_id, study)
    columns: dict[str, list[tuple[tuple[int, str, str], int, int, int]]] = {
        each.dimension: [] for each in study.scored_dimensions
    }
    for row in store.stream(pattern_counts.all_rows, study_id, left_out_of(store, study_id)):
        at = positions.of(row)
        if at is not None:
            unit = (row.item_id, row.side, row.entry)
            columns[row.dimension].append((unit, row.annotator_id, at, row.group_number))
    return {each.dimension: _table(study, each, columns[each.dimension]) for each in study.scored_dimensions}


def _table(study: Study, dimension: Dimension, rows: Sequence[tuple[tuple[int, str, str], int, int, int]]) -> Ratings:
    level = dimension.input.level
    assert level is not None
    scale = scale_of(dimension)
    # In the order of the items, so that nothing hangs on who came first.
    long = sorted((unit, annotator, position) for unit, annotator, position, _ in rows)
    clusters = {unit: cluster for unit, _, _, cluster in rows} if is_clustered(study, dimension) else None
    return Ratings.from_long([(unit, who, scale[position]) for unit, who, position in long], scale, level, clusters)
