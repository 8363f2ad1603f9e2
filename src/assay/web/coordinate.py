"""The coordinator's pages."""

from starlette.responses import JSONResponse, Response

from assay.exchange import as_time
from assay.store import flags, gates, results, studies
from assay.store.results import ItemCounts, Progress
from assay.study import Study
from assay.web.access import Call, Endpoint


async def page(call: Call) -> Response:
    """How the work goes: items, and each annotator."""
    study = await call.context.store.aread(studies.version, call.who.study_id, call.who.version)
    assert study is not None
    counts, rows = await _progress(call, study)
    return call.context.pages.response(
        "progress.html",
        study=study,
        visit=call.who,
        counts=counts,
        rows=rows,
        gates=len(study.gate_versions),
        home=f"/coordinate/{call.who.study}",
        waiting=await call.context.store.aread(gates.waiting, call.who.study_id),
        open_flags=sum(each.state == "open" for each in await call.context.store.aread(flags.kept, call.who.study_id)),
        problems=await call.context.store.aread(results.problems, call.who.study_id),
        as_time=as_time,
    )


async def progress(call: Call) -> Response:
    """The same numbers for a script."""
    study = await call.context.store.aread(studies.version, call.who.study_id, call.who.version)
    assert study is not None
    counts, rows = await _progress(call, study)
    return JSONResponse(
        {
            "study": call.who.study,
            "items": counts.items,
            "finished": counts.finished,
            "annotators": [
                {
                    "annotator": row.annotator,
                    "gates": row.gates,
                    "given": row.given,
                    "submitted": row.submitted,
                    "declined": row.declined,
                    "simulated": row.simulated,
                    "active_seconds": row.active_ms / 1000,
                    "last_at": None if row.last_at is None else as_time(row.last_at),
                    "left": row.left,
                    "state": row.state,
                    "excluded": row.excluded,
                }
                for row in rows
            ],
        }
    )


async def _progress(call: Call, study: Study) -> tuple[ItemCounts, list[Progress]]:
    counts = await call.context.store.aread(results.item_counts, call.who.study_id)
    rows = await call.context.store.aread(results.progress, call.who.study_id, study.gate_versions)
    return counts, rows


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}", "coordinator", page),
    Endpoint("GET", "/coordinate/{study}/progress", "coordinator", progress),
]
