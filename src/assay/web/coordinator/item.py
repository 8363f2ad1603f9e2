"""The page of one item, as annotators see it, with everything that was said of it."""

from starlette.responses import Response

from assay.live.at_a_glance import is_hidden
from assay.store.coordinator import item_lookup, long_table
from assay.store.coordinator.item_search import neighbours
from assay.store.tables import WITHDRAWN
from assay.web.access import Call, Endpoint
from assay.web.annotator.pages import picture
from assay.web.coordinator.common import content, home, show, study_of
from assay.web.coordinator.items import ItemQuestion


async def page(call: Call) -> Response:
    """One item as annotators see it, everything that was said of it, and the ways to its neighbours in the list."""
    name = call.request.query_params.get("name", "")
    study, store, study_id = await study_of(call), call.context.store, call.session.study_id
    found = await store.aread(item_lookup.item_named, study_id, name)
    asked = ItemQuestion.of(call.request.query_params)
    wanted = asked.filter(study, is_hidden(study, call.session.state))
    before, after = await store.aread(neighbours, study_id, wanted, found.id)
    return await show(
        call,
        "item_seen.html",
        name=name,
        content=content(call, study, found.shown),
        said=await store.aread(long_table.judgments_of_item, study_id, name, study.preference_dimensions),
        titles={each.dimension: each.heading for each in study.rubric},
        series=found.series,
        withdrawn=found.series == WITHDRAWN,
        before=before and f"{home(call)}/item?{asked.query(name=before)}",
        after=after and f"{home(call)}/item?{asked.query(name=after)}",
        all_items=f"{home(call)}/items?{asked.query()}",
    )


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/item", "coordinator", page),
    Endpoint("GET", "/coordinate/{study}/picture/{hash}", "coordinator", picture),
]
