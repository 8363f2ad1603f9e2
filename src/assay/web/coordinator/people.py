"""The page of some people: those whom a mark of a figure leads to."""

from starlette.responses import Response

from assay.store.coordinator import study_status
from assay.web.access import Call, Endpoint
from assay.web.coordinator.common import leads_of, show, study_of


async def page(call: Call) -> Response:
    """Everybody whom the words of a mark are true of, or everybody."""
    query, study = call.request.query_params, await study_of(call)
    rows = await call.context.store.aread(study_status.progress, call.session.study_id, study.gate_versions)
    about = query.get("about", "")
    if figure := query.get("figure", ""):
        names = set((await leads_of(call, figure)).get(about, ()))
        rows = [row for row in rows if row.annotator in names]
    return await show(call, "people.html", rows=rows, about=about if figure else "", now=call.now)


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/people", "coordinator", page)]
