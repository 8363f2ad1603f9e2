"""For proxies and monitoring: whether the server is alive, whether it can keep what it is given, and its counters."""

import asyncio
import hmac
import time

from starlette.responses import PlainTextResponse, Response

from assay.errors import NotFound, StoreError
from assay.store import Backend
from assay.web.access import Call, Endpoint
from assay.web.metrics import exposition
from assay.words import Translatable

FRESH = 5.0
"""Seconds. After a successful write within this time no test write is made."""
LONGEST = 8.0


async def live(call: Call) -> Response:
    """Whether the process answers; it says nothing of the store."""
    return PlainTextResponse("alive")


async def ready(call: Call) -> Response:
    """Whether the store can be written: something was written lately, or is written now to find out."""
    try:
        async with asyncio.timeout(LONGEST):
            await _write_if_idle(call.context.store)
    except TimeoutError:
        return PlainTextResponse("the store does not answer", 503)
    except StoreError as error:
        return PlainTextResponse(error.what, 503)
    return PlainTextResponse("ok")


async def _write_if_idle(store: Backend) -> None:
    if store.damage or time.monotonic() - store.last_write > FRESH:
        await store.awrite(store.change_nothing)


async def metrics(call: Call) -> Response:
    """Counters in the text format of Prometheus, for whoever has the token; without one this page does not exist."""
    wanted = call.context.metrics_token
    given = call.request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    if not wanted or not hmac.compare_digest(given.encode(), wanted.encode()):
        raise NotFound(Translatable("errors.no_page"))
    return PlainTextResponse(exposition(call.context.store), media_type="text/plain; version=0.0.4")


ENDPOINTS = [
    Endpoint("GET", "/health", "anyone", ready),
    Endpoint("GET", "/health/live", "anyone", live),
    Endpoint("GET", "/metrics", "anyone", metrics),
]
