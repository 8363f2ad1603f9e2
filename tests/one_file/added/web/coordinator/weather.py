"""A page of the coordinator's."""

from starlette.responses import Response

from assay.web.access import Call, Endpoint
from assay.web.coordinator.common import show
from assay.web.coordinator.menu import MenuEntry


async def page(call: Call) -> Response:
    """How the weather is."""
    return await show(call, "weather.html", weather="fair")


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/weather", "coordinator", page, MenuEntry("Weather", 70))]
