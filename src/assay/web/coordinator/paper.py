"""What a paper needs of the report, as a zip file to take away."""

import shutil
import tempfile

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from assay.errors import AssayError
from assay.live import apart
from assay.web.access import Call, Endpoint
from assay.web.coordinator import manage
from assay.web.coordinator.common import study_of


async def paper(call: Call) -> Response:
    """Figures, tables, captions, methods and sources. Where the study is blind, not before it is closed."""
    study = await study_of(call)
    workshop = tempfile.mkdtemp(prefix="assay-paper-")
    tidy = BackgroundTask(shutil.rmtree, workshop, ignore_errors=True)
    try:
        if study.analysis.blind and call.session.state != "closed":
            raise AssayError("the study is blind, and its report says how systems compare", "close the study first")
        path = await apart.compute(
            call.context.store, "paper", call.session.study_id, study, call.now, path=f"{workshop}/paper.zip"
        )
    except AssayError as error:
        shutil.rmtree(workshop, ignore_errors=True)
        return await manage.page(call, f"{error.what}: {error.hint}.", 422)
    name = f"{call.session.study}-paper.zip"
    return FileResponse(path, filename=name, media_type="application/zip", background=tidy)


ENDPOINTS = [Endpoint("GET", "/coordinate/{study}/paper", "coordinator", paper)]
