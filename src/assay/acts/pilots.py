"""Deciding about a pilot: whether the main part opens, and whether another pilot comes first.

What a pilot has shown is worked out by `report/pilot_verdict.py`.
"""

from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.live.pilot import current_pilot
from assay.store import Backend
from assay.store.coordinator import pilots
from assay.store.coordinator.item_plan import open_pilot
from assay.store.coordinator.record import By, record
from assay.study import Study

if TYPE_CHECKING:
    from assay.report.pilot_verdict import PilotOutcome


def decide_pilot(store: Backend, by: By, study: Study, *, open_by_hand: bool = False) -> "PilotOutcome | None":
    """Record what the pilot under way has shown, and open the main part if it has passed.

    With `open_by_hand` the main part opens whatever it has shown; that needs a reason. None: no pilot is under way.
    """
    found = current_pilot(store, by.study_id, study, by.at)
    if found is None:
        return None
    if open_by_hand:
        need_reason(by, "to open the main part by hand", "--reason '...' is recorded")
    elif not found.complete:
        raise AssayError(
            f"the pilot is not finished: {found.items - found.finished} of {found.items} items still need judgments",
            "wait for them, invite more people (assay invite --plan says whether there are too few), "
            "or open the main part by hand: --open --reason '...'",
        )
    store.write(keep_pilot_decision, by, found.as_json(), opens=open_by_hand or found.passed)
    return found


def keep_pilot_decision(connection: Connection, by: By, result: dict[str, Any], *, opens: bool) -> None:
    """Keep what a pilot has shown and what was decided about it."""
    number = pilots.under_way(connection, by.study_id)
    if not number:
        raise AssayError("no pilot is under way: the main part is open", "")
    pilots.keep(connection, by, result, opened=opens)
    record(connection, by, "open the main part" if opens else "record the pilot", about=f"pilot {number}")
    if opens:
        open_pilot(connection, by.study_id, 0)


def begin_next_pilot(connection: Connection, by: By) -> int:
    """Begin the next pilot, with items that nobody has seen; returns which one it is."""
    now = pilots.under_way(connection, by.study_id)
    if not now or not any(each.round == now for each in pilots.decisions(connection, by.study_id)):
        raise AssayError("the pilot under way has not been decided yet", "assay pilot --decide does that")
    if not pilots.has_items(connection, by.study_id, now + 1):
        hint = "analysis.pilot.rounds says how many there are, as far as there are items"
        raise AssayError(f"there is no pilot {now + 1}", hint)
    open_pilot(connection, by.study_id, now + 1)
    record(connection, by, "begin a pilot", about=f"pilot {now + 1}")
    return now + 1
