"""The page of flags: every doubt with its reason, its evidence and the items that show it."""

from starlette.responses import Response

from assay import acts
from assay.web.access import Call, Endpoint, MenuEntry
from assay.web.coordinator.common import compute, show


async def page(call: Call) -> Response:
    """Every flag with its reason, its evidence and the items that show it."""
    return await show(call, "flags.html", flags=await compute(call, acts.refresh_flags))


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/flags", "coordinator", page, MenuEntry("Flags", 20))]
