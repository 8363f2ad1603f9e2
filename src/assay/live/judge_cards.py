"""The cards of a study's judges: the same wherever they are asked for, since all that they say is in the store."""

from assay.live.report_data import gather
from assay.report.judge_card import JudgeCard, judge_cards
from assay.store import Backend
from assay.store.coordinator.judge_runs import run_facts
from assay.study import Study


def cards_of_judges(store: Backend, study_id: int, study: Study, now: int) -> list[JudgeCard]:
    """A card for each judge of a study."""
    return judge_cards(gather(store, study_id, study, now), store.read(run_facts, study_id))
