"""A study stops by the rule that it has declared: that is recorded once, and what the rule says then is done.

No person decides this: the study file declared it (`analysis.stop_when`). The server looks while people work, and so
does whoever looks at the dashboard or asks `assay status`. As a program (`python -m assay.acts.stopping STUDY`, the
database in ASSAY_DATABASE) it does the same for a server that has much to do.
"""

import os
import sys
import time

from sqlalchemy import Connection

from assay.acts.studies import set_study_state
from assay.fieldwork import StopReached
from assay.live.child import stand_back
from assay.live.stopping import current_stop_rule
from assay.store import Backend, open_store
from assay.store.annotator.versions import version_in_force
from assay.store.coordinator import stopping, studies
from assay.store.coordinator.excluded_by_rule import BY_RULE
from assay.store.coordinator.record import By
from assay.study import Study

NEW_STATE = {"pause": "paused", "close": "closed"}


def follow_stop_rule(
    store: Backend, study_id: int, study: Study, now: int, *, at_once: bool = False
) -> StopReached | None:
    """Look whether the rule is reached, and if so record it and do what it says; what was recorded stays recorded."""
    rule = study.analysis.stop_when
    if rule is None:
        return None
    declared = study.analysis.stop_rule_in_words
    known = store.read(stopping.find_reached, study_id, declared)
    if known is not None or store.read(studies.state, study_id) not in ("open", "paused"):
        return known
    found = current_stop_rule(store, study_id, study, now, at_once=at_once)
    if found is None or not found.reached:
        return None
    # The record is for all who coordinate: of a blind study it does not say how systems compare.
    said = "" if study.analysis.blind else found.pairs_in_words()
    store.write(_stop, study_id, declared, said, NEW_STATE.get(rule.then, ""), now)
    return store.read(stopping.find_reached, study_id, declared)


def _stop(connection: Connection, study_id: int, rule: str, found: str, state: str, now: int) -> None:
    studies.lock(connection, study_id)
    if stopping.keep(connection, study_id, rule, found, now) and state:
        set_study_state(connection, By(study_id, BY_RULE, now, f"the stopping rule is reached, {rule}"), state)


def main() -> None:
    """The same as a program that stands behind the server."""
    stand_back()
    store = open_store(os.environ["ASSAY_DATABASE"])
    try:
        study_id, _ = store.read(studies.find, sys.argv[1])
        follow_stop_rule(store, study_id, store.read(version_in_force, study_id), time.time_ns() // 1_000_000)
    finally:
        store.close()


if __name__ == "__main__":
    main()
