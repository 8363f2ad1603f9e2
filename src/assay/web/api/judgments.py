"""Judgments, one JSON object in each line: streamed, however many there are."""

import asyncio
import json
from collections.abc import Iterator

from starlette.responses import Response, StreamingResponse

from assay.exchange import as_row
from assay.live.report_data import who_is_left_out
from assay.store.coordinator import long_table
from assay.submission_rows import mark_excluded, one_by_one
from assay.web.api.endpoint import ApiCall, ApiEndpoint, Query

LINES = "application/jsonl"


async def listed(call: ApiCall) -> Response:
    """Read judgments as JSON lines, in the order in which they came; each line is a row of the long table."""
    study = await call.study()
    every = call.query["which"] == "all"
    store, study_id = call.context.store, call.bearer.study_id
    excluded = await asyncio.to_thread(who_is_left_out, store, study_id, study)
    found = store.stream(long_table.submissions, study_id, study.preference_dimensions)

    def lines() -> Iterator[str]:
        for judgment in one_by_one(mark_excluded(found, excluded)):
            if every or not judgment.superseded:
                yield json.dumps(as_row(judgment), ensure_ascii=False, allow_nan=False) + "\n"

    return StreamingResponse(lines(), media_type=LINES)


ENDPOINTS = [
    ApiEndpoint(
        "GET",
        "/studies/{study}/judgments",
        "read",
        listed,
        query=(Query("which", "All, or of each item the newest revision alone.", "newest", ("newest", "all")),),
        media_type=LINES,
    ),
]
