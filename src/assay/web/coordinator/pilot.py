"""The page of the pilot: what it has shown, and the decision about it."""

import asyncio

from starlette.responses import Response

from assay import acts
from assay.errors import AssayError
from assay.live.hourly_rates import rates_of
from assay.live.pilot import current_pilot
from assay.store.coordinator import pilots
from assay.study import Study
from assay.web.access import Call, Endpoint, see_other
from assay.web.coordinator.common import by, compute, home, show, study_of
from assay.web.coordinator.menu import MenuEntry


async def page(call: Call, error: str = "", status: int = 200) -> Response:
    """What the pilot has shown, and the decision about it."""
    found = await compute(call, current_pilot)
    hour = await call.context.store.aread(rates_of, call.session.study_id, await study_of(call))
    rounds = await call.context.store.aread(pilots.decisions, call.session.study_id)
    shown = {"pilot": found, "rounds": rounds, "round": call.session.pilot, "hour": hour, "error": error}
    return await show(call, "pilot.html", status, **shown)


async def decide(call: Call) -> Response:
    """Record a pilot, open the main part, or begin another pilot."""
    store, what = call.context.store, call.first("what")
    try:
        if what == "again":
            await store.awrite(acts.begin_next_pilot, by(call))
        else:
            study = await study_of(call)
            await asyncio.to_thread(acts.decide_pilot, store, by(call), study, open_by_hand=what == "open")
    except AssayError as error:
        return await page(call, f"{error.what}.", 422)
    return see_other(f"{home(call)}/pilot")


def _has_pilot(study: Study) -> bool:
    return study.analysis.pilot is not None


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/pilot", "coordinator", page, MenuEntry("Pilot", 40, _has_pilot)),
    Endpoint("POST", "/coordinate/{study}/decide", "coordinator", decide),
]
