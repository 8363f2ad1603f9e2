"""The page of the record: what was done, by whom, when and why."""

from starlette.responses import Response

from assay.store.coordinator import record
from assay.web.access import Call, Endpoint, MenuEntry
from assay.web.coordinator.common import show


async def page(call: Call) -> Response:
    """What was done, by whom, when and why."""
    return await show(call, "record.html", done=await call.context.store.aread(record.entries, call.session.study_id))


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/record", "coordinator", page, MenuEntry("Record", 90))]
