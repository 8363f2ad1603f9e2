"""A page of the annotator's."""

from starlette.responses import Response

from assay.store.annotator import assignments
from assay.web.access import Call, Endpoint
from assay.web.annotator import common


async def page(call: Call) -> Response:
    """How many items somebody has judged."""
    done = await call.context.store.aread(assignments.count_submitted, call.annotator.id)
    return common.show(call, await common.study_of(call), "tally.html", done=done)


ENDPOINTS = [Endpoint("GET", "/judge/{study}/tally", "annotator", page)]
