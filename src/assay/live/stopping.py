"""How far a study's stopping rule is at this moment: computed from all judgments, and cached while nothing changes."""

import time
from typing import Any

from sqlalchemy import Connection

from assay.exchange import as_time
from assay.frozen_json import from_json, to_json
from assay.in_words import count, some_of
from assay.live.agreement import state_of_data
from assay.live.report_data import find_reached_stop, gather
from assay.report.stop_rule_state import StopRuleState, stop_rule_state
from assay.store import Backend
from assay.store.coordinator import cache
from assay.store.coordinator.cache import CachedResult
from assay.study import Study


def may_look(connection: Connection, study_id: int, now: int) -> bool:
    """Whether the rule may be computed again by now."""
    kept = cache.get(connection, study_id, cache.STOPPING)
    return kept is None or kept.may_be_refreshed(now)


def current_stop_rule(
    store: Backend, study_id: int, study: Study, now: int, *, at_once: bool = False
) -> StopRuleState | None:
    """How far the rule is; None where the study has none.

    What took long to compute is not computed again for a while, unless `at_once`: until then the cached state is
    returned.
    """
    if study.analysis.stop_when is None:
        return None
    kept = store.read(cache.get, study_id, cache.STOPPING)
    state = state_of_data(store, study_id, study)
    if kept is not None and (kept.state == state or not (at_once or kept.may_be_refreshed(now))):
        known: StopRuleState | None = from_json(StopRuleState, kept.content["rule"])
        if known is not None and known.rule == study.analysis.stop_rule_in_words:
            return known
    began = time.perf_counter()
    found = stop_rule_state(gather(store, study_id, study, now))
    took = round(1000 * (time.perf_counter() - began))
    result = CachedResult({"took_ms": took, "rule": to_json(found)}, state, now)
    store.write(cache.put, study_id, cache.STOPPING, result)
    return found


def stop_as_json(store: Backend, study_id: int, study: Study) -> dict[str, Any] | None:
    """The stopping rule and what came of it, for a program to read and in a sentence; None where there is none."""
    rule = study.analysis.stop_when
    if rule is None:
        return None
    found, declared = find_reached_stop(store, study_id, study), study.analysis.stop_rule_in_words
    says = f"The study stops {declared}: not reached yet."
    if found is not None:
        says = (
            f"The stopping rule was reached on {as_time(found.at)[:16].replace('T', ' ')} UTC ({declared}), "
            f"with {some_of(found.judged, found.planned)} planned judgments of items: "
            f"{count(found.judgments_not_needed)} are not needed."
        )
    return {
        "rule": declared,
        "then": rule.then,
        "reached_at": as_time(found.at) if found else None,
        "judged": found.judged if found else None,
        "planned": found.planned if found else None,
        "saved": found.judgments_not_needed if found else None,
        "says": says,
    }
