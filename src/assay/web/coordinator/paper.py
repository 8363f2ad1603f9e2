"""What a paper needs of the report, and a card for each judge, as zip files to take away."""

import shutil
import tempfile

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from assay.errors import AssayError
from assay.live import heavy_work
from assay.report.hidden_results import are_hidden
from assay.store.coordinator.study_status import judges_have_judged
from assay.web.access import Call, Endpoint
from assay.web.coordinator import manage
from assay.web.coordinator.common import study_of


async def paper(call: Call) -> Response:
    """Figures, tables, captions, methods and sources."""
    return await _archive(call, "paper", "paper.zip")


async def judge_cards(call: Call) -> Response:
    """A card for each automated judge."""
    if not await call.context.store.aread(judges_have_judged, call.session.study_id):
        return await manage.page(call, "No automated judge has judged this study.", 404)
    return await _archive(call, "judge_cards", "judge-cards.zip")


async def _archive(call: Call, work: str, file: str) -> Response:
    """A zip file made from the report; refused while a blind study is not closed."""
    study = await study_of(call)
    workshop = tempfile.mkdtemp(prefix="assay-paper-")
    tidy = BackgroundTask(shutil.rmtree, workshop, ignore_errors=True)
    try:
        if are_hidden(study, call.session.state):
            raise AssayError("the study is blind, and its report says how systems compare", "close the study first")
        path = await heavy_work.compute(
            call.context.store, work, call.session.study_id, study, call.now, path=f"{workshop}/{file}"
        )
    except AssayError as error:
        shutil.rmtree(workshop, ignore_errors=True)
        return await manage.page(call, f"{error.what}: {error.hint}.", 422)
    name = f"{call.session.study}-{file}"
    return FileResponse(path, filename=name, media_type="application/zip", background=tidy)


ENDPOINTS = [
    Endpoint("GET", "/coordinate/{study}/paper", "coordinator", paper),
    Endpoint("GET", "/coordinate/{study}/judge-cards", "coordinator", judge_cards),
]
