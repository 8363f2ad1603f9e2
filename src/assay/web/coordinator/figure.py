"""One figure of the dashboard as a file for a paper or a talk: SVG, PNG, PDF, or its table as CSV or LaTeX."""

import asyncio

from starlette.responses import Response

from assay.errors import AssayError, NotFound
from assay.kinds import FIGURES
from assay.live.figures import cached_figures
from assay.report.figures import Nothing, draw
from assay.report.hidden_results import are_hidden
from assay.report.paper.figure_files import one_figure_file
from assay.report.paper.pieces import figures_of
from assay.store import Backend
from assay.study import Study
from assay.web.access import Call, Endpoint
from assay.web.coordinator import manage
from assay.web.coordinator.common import study_of
from assay.words import Translatable

TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "csv": "text/csv; charset=utf-8",
    "tex": "text/x-tex; charset=utf-8",
}


async def figure(call: Call) -> Response:
    """The figure as it stands on the dashboard, for two columns; with `columns=1` for one."""
    query, study = call.request.query_params, await study_of(call)
    name, form = query.get("name", ""), query.get("as", "")
    kind = FIGURES.get(name)
    hidden = kind is not None and kind.part == "says" and are_hidden(study, call.session.state)
    if kind is None or form not in TYPES or hidden:
        raise NotFound(Translatable("errors.no_page"))
    at = (call.context.store, call.session.study_id, study)
    try:
        is_narrow = query.get("columns") == "1"
        content = await asyncio.to_thread(_file, *at, call.session.state, name, form, is_narrow)
    except AssayError as error:
        return await manage.page(call, f"{error.what}: {error.hint}." if error.hint else f"{error.what}.", 422)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    return Response(content, media_type=TYPES[form], headers=headers)


def _file(store: Backend, study_id: int, study: Study, state: str, name: str, form: str, narrow: bool) -> bytes:
    kept = cached_figures(store, study_id, study)
    kind = FIGURES[name]()
    numbers = (
        kind.numbers_from_json(kept.content["figures"][name]) if kept and name in kept.content["figures"] else None
    )
    if numbers is None or isinstance(numbers, Nothing):
        raise AssayError("there is no such figure yet" if numbers is None else numbers.nothing.removesuffix("."))
    [found] = figures_of(draw(kind, kind.in_state(numbers, state)))
    return one_figure_file(found, form, "narrow" if narrow else "wide")


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/figure", "coordinator", figure)]
