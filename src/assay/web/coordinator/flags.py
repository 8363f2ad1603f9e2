"""The page of flags: every doubt with its reason, its evidence and the items that show it."""

from starlette.responses import Response

from assay import acts
from assay.live.flags import by_person
from assay.web.access import Call, Endpoint
from assay.web.coordinator.common import compute, show
from assay.web.coordinator.menu import MenuEntry


async def page(call: Call) -> Response:
    """Every flag by person, the gravest first, with its reason, its evidence and the items that show it."""
    found = await compute(call, acts.refresh_flags)
    people = by_person([each for each in found if each.state == "open"])
    return await show(call, "flags.html", people=people, others=[each for each in found if each.state != "open"])


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/flags", "coordinator", page, MenuEntry("Flags", 20))]
