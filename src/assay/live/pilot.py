"""What the pilot under way has shown so far."""

from dataclasses import replace

from assay.live.report_data import gather
from assay.report.pilot_verdict import PilotOutcome, pilot_outcome
from assay.store import Backend
from assay.store.coordinator import finished_items, pilots
from assay.study import Study


def current_pilot(store: Backend, study_id: int, study: Study, now: int) -> PilotOutcome | None:
    """What the pilot under way has shown so far; None where none is under way."""
    number = store.read(pilots.under_way, study_id)
    if not number or study.analysis.pilot is None:
        return None
    names = store.read(pilots.items_of, study_id, number)
    data = gather(store, study_id, study, now)
    of_pilot = [each for each in data.judgments if each.item in names]
    finished = store.read(finished_items.count_finished_in_pilot, study_id, number, data.excluded)
    return pilot_outcome(replace(data, judgments=of_pilot, items=len(names), finished=finished))
