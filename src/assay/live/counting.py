"""Counting submissions as they come in: how often each pattern of answers occurs, which live agreement is made from."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from sqlalchemy import Connection

from assay.judgments.same_scale import same_scale
from assay.judgments.scales import scale_of
from assay.store import Backend
from assay.store.annotator import versions
from assay.store.coordinator import annotators, excluded_by_rule, pattern_counts
from assay.store.coordinator.pattern_counts import CountedJudgment
from assay.study import Study

QueuedSubmissions = dict[int, list[str]]
"""Submissions by their item."""
Patterns = dict[int, dict[str, list[str]]]
"""By an item and a topic, the patterns of the item, or of its sides or entries."""

AT_A_TIME = 400
"""So many submissions are counted in one transaction: some milliseconds of the store's time."""
BESIDE_REQUESTS = 40
"""So many while people work: a few milliseconds, so that nobody waits for it."""
PAUSE = 0.01
"""Seconds for everybody else, before the next ones are counted."""


class ScalePositions:
    """The positions of judgments on the scales of the study version in force."""

    def __init__(self, study: Study, versions: Mapping[str, Study]) -> None:
        self._dimensions = {each.dimension: each for each in study.scored_dimensions}
        self._positions = {
            name: {
                json.dumps(value, ensure_ascii=False): position for position, value in enumerate(scale_of(dimension))
            }
            for name, dimension in self._dimensions.items()
        }
        self._known = {
            (name, hash_): same_scale(version, study, name)
            for name in self._dimensions
            for hash_, version in versions.items()
        }

    def of(self, row: CountedJudgment) -> int | None:
        """The position of a judgment's value; None where it has none, or was given on another scale."""
        positions = self._positions.get(row.dimension)
        if positions is None or not self._known.get((row.dimension, row.study_hash), True):
            return None
        return positions.get(row.value)


def patterns_of(rows: Iterable[CountedJudgment], position: Callable[[CountedJudgment], int | None]) -> Patterns:
    """What each item adds to the counts: on each topic the patterns of the item, or of its sides or entries."""
    units: dict[tuple[int, str, str, str], list[int]] = defaultdict(list)
    for row in rows:
        at = position(row)
        if at is not None:
            units[row.item_id, row.pattern_key, row.side, row.entry].append(at)
    found: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (item_id, counted_as, _, _), positions in units.items():
        found[item_id][counted_as].append(",".join(map(str, sorted(positions))))
    return {item_id: {name: sorted(each) for name, each in of_item.items()} for item_id, of_item in found.items()}


def scale_positions_of(store: Backend, study_id: int, study: Study) -> ScalePositions:
    """The positions of a study's judgments on its scales."""
    return ScalePositions(study, store.read(versions.versions, study_id))


def excluded_annotators(store: Backend, study_id: int, study: Study) -> frozenset[str]:
    """Whose judgments are not counted: whom a coordinator has excluded, and whom the study's rules did last."""
    by_rule = store.read(excluded_by_rule.people, study_id) if study.analysis.exclude else {}
    return frozenset(store.read(annotators.exclusions_by_hand, study_id)) | frozenset(by_rule)


class CountingPlan:
    """What counting the submissions of a study needs to know, for as long as nothing of it changes."""

    def __init__(self, study_id: int, study: Study, excluded: frozenset[str]) -> None:
        self.study_id, self.study, self.excluded = study_id, study, excluded
        self._positions: ScalePositions | None = None

    def look(self, connection: Connection, most: int) -> tuple[QueuedSubmissions, Patterns]:
        """The next submissions in the queue, and the patterns that their items have now."""
        seen = pattern_counts.queued_submissions(connection, self.study_id, most)
        if not seen:
            return {}, {}
        if self._positions is None:
            self._positions = ScalePositions(self.study, versions.versions(connection, self.study_id))
        rows = pattern_counts.rows_of(connection, seen.keys(), self.excluded, self.study.preference_dimensions)
        return seen, patterns_of(rows, self._positions.of)


def begin_counting(store: Backend, study_id: int, study: Study) -> CountingPlan:
    """Reset the counts where they are of another version of the study, or of other exclusions."""
    excluded = excluded_annotators(store, study_id, study)
    # An older release counted all comparisons of a preference together: these counts are made anew.
    version = f"{study.hash} by comparison" if study.preference_dimensions else study.hash
    if store.read(pattern_counts.stands_for, study_id) != (version, excluded):
        store.write(pattern_counts.prepare, study_id, version, excluded)
    return CountingPlan(study_id, study, excluded)


def count_new_submissions(
    store: Backend, study_id: int, study: Study, show: Callable[[int], None] = lambda counted: None
) -> int:
    """Count the submissions since the last call. Returns how many items were counted."""
    plan = begin_counting(store, study_id, study)
    done = 0
    while (found := store.read(plan.look, AT_A_TIME))[0]:
        done += store.write(pattern_counts.count, study_id, *found)
        show(done)
    return done


async def count_beside_requests(store: Backend, study_id: int, study: Study) -> None:
    """The same in small steps, each of them as short as a request: whoever works meanwhile does not wait for it."""
    plan = await asyncio.to_thread(begin_counting, store, study_id, study)
    while (found := await store.aread(plan.look, BESIDE_REQUESTS))[0]:
        await store.awrite_soon(pattern_counts.count, study_id, *found)
        await asyncio.sleep(PAUSE)
