"""The page of flags: every doubt with its reason, its evidence and the items that show it."""

from starlette.responses import Response

from assay.live import report_data
from assay.web.access import Call, Endpoint, MenuEntry
from assay.web.coordinator.common import compute, show


async def page(call: Call) -> Response:
    """Every flag with its reason, its evidence and the items that show it."""
    return await show(call, "flags.html", flags=await compute(call, report_data.flags_of))


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/flags", "coordinator", page, MenuEntry("Flags", 20))]
