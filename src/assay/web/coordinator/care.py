"""The page about care: how people said that they are, as far as they agreed to that, and what they left out."""

from starlette.responses import Response

from assay.store import Backend
from assay.store.coordinator.care import WarnedItems, check_ins, warned_items
from assay.study import Study
from assay.study.care import CheckInAnswer
from assay.web.access import Call, Endpoint
from assay.web.coordinator.common import compute, show
from assay.web.coordinator.menu import MenuEntry


def _answers_and_warnings(
    store: Backend, study_id: int, study: Study, now: int
) -> tuple[list[CheckInAnswer], list[WarnedItems]]:
    # Whoever is not well comes first.
    said = sorted(store.stream(check_ins, study_id), key=lambda each: each.answer != "not_well")
    return said, store.read(warned_items, study_id)


async def page(call: Call) -> Response:
    """Check-ins and warnings. How a person is, viewers do not see."""
    said, warned = await compute(call, _answers_and_warnings)
    return await show(call, "care.html", said=[] if call.session.reads_only else said, warned=warned)


def _cares(study: Study) -> bool:
    asked = study.care.check_in
    return bool(study.care.warn) or (asked is not None and asked.coordinator_sees)


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/care", "coordinator", page, MenuEntry("Care", 66, _cares))]
