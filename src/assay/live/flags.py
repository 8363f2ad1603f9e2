"""The flags of a study, computed again when there is new work."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from assay.excluded_annotators import exclusions_by_rule
from assay.live.report_data import monitor_data
from assay.quality import find_flags, gravity
from assay.store import Backend
from assay.store.coordinator import excluded_by_rule, flags, long_table, study_status
from assay.store.coordinator.flags import Kept
from assay.study import Study


def current_flags(store: Backend, study_id: int, study: Study, now: int) -> list[Kept]:
    """The flags of a study at this moment."""
    state = store.read(flags.state_of_work, study_id)
    computed = _computed.setdefault(store, {})
    if computed.get((study_id, study.hash)) != state:
        judgments = list(store.stream(long_table.judgments, study_id, study.preference_dimensions, "item"))
        found = find_flags(monitor_data(store, study_id, study, judgments))
        store.write(flags.keep, study_id, found, now)
        by_rule = exclusions_by_rule(study, found, store.read(study_status.progress, study_id))
        store.write(excluded_by_rule.keep, study_id, by_rule, now)
        computed[study_id, study.hash] = state
    return store.read(flags.kept_flags, study_id)


_computed: WeakKeyDictionary[Backend, dict[tuple[int, str], tuple[int, ...]]] = WeakKeyDictionary()
"""From which state of the work the flags of each study version were computed last, in this process."""


def by_person(found: Sequence[Kept]) -> list[tuple[str, list[Kept]]]:
    """Flags by person: whoever has the gravest first, and of one person the gravest first."""
    people: dict[str, list[Kept]] = {}
    for each in sorted(found, key=lambda flag: (gravity(flag.monitor), flag.monitor)):
        people.setdefault(each.annotator, []).append(each)
    return sorted(people.items(), key=lambda entry: ([gravity(each.monitor) for each in entry[1]], -len(entry[1])))
