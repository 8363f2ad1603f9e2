"""The page of one item, as annotators see it, with everything that was said of it."""

from starlette.responses import Response

from assay.store.coordinator import item_lookup, long_table
from assay.store.tables import WITHDRAWN
from assay.web.access import Call, Endpoint
from assay.web.annotator.pages import picture
from assay.web.coordinator.common import content, show, study_of


async def page(call: Call) -> Response:
    """One item as annotators see it, and everything that was said of it."""
    name = call.request.query_params.get("name", "")
    study, store, study_id = await study_of(call), call.context.store, call.session.study_id
    found = await store.aread(item_lookup.item_named, study_id, name)
    return await show(
        call,
        "item_seen.html",
        name=name,
        content=content(call, study, found.shown),
        said=await store.aread(long_table.judgments_of_item, study_id, name, study.preference_dimensions),
        series=found.series,
        withdrawn=found.series == WITHDRAWN,
    )


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/item", "coordinator", page),
    Endpoint("GET", "/coordinate/{study}/picture/{hash}", "coordinator", picture),
]
