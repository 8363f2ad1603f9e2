"""Counters of this process: requests by kind, how long they took, and how often the store has failed."""

import os
import time
from bisect import bisect_left
from collections import defaultdict

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.store import Backend
from assay.store.engine.failures import failures

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds: how requests are sorted by how long they took."""
AREAS = ("judge", "coordinate", "api", "static", "join", "health")
PARTS = ("submit", "draft", "ahead", "again", "gate", "reveal", "picture", "problem", "break")
"""Parts of the annotator's pages that are counted apart. Names of studies and ids are no part of a counter."""

_answers: dict[tuple[str, int], int] = defaultdict(int)
_times: dict[str, list[float]] = defaultdict(lambda: [0.0] * (len(BOUNDS) + 2))
"""Of each kind: how many took at most each bound, how many longer, and how many seconds in all."""


def kind_of(path: str) -> str:
    """What a request is counted as.

    >>> kind_of("/judge/empathy/submit/x1"), kind_of("/judge/empathy"), kind_of("/wp-admin")
    ('judge submit', 'judge', 'other')
    """
    area, _, rest = path.lstrip("/").partition("/")
    part = rest.split("/")[1:2] if area == "judge" else []
    return " ".join([area, *(each for each in part if each in PARTS)]) if area in AREAS else "other"


class Counting:
    """Counts every request that passes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and count its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        kind, began = kind_of(scope["path"]), time.monotonic()

        async def count(message: Message) -> None:
            if message["type"] == "http.response.start":
                _answers[kind, message["status"]] += 1
            await send(message)

        try:
            await self.app(scope, receive, count)
        finally:
            took = time.monotonic() - began
            _times[kind][bisect_left(BOUNDS, took)] += 1
            _times[kind][-1] += took


def exposition(store: Backend) -> str:
    """Every counter, as Prometheus reads them."""
    lines = ["# TYPE assay_requests_total counter"]
    lines += [
        f'assay_requests_total{{kind="{kind}",status="{status}"}} {count}'
        for (kind, status), count in sorted(_answers.items())
    ]
    lines.append("# TYPE assay_request_seconds histogram")
    for kind, (*counts, total) in sorted(_times.items()):
        so_far = 0.0
        for bound, count in zip([*BOUNDS, "+Inf"], counts, strict=True):
            so_far += count
            lines.append(f'assay_request_seconds_bucket{{kind="{kind}",le="{bound}"}} {so_far:.0f}')
        lines.append(f'assay_request_seconds_sum{{kind="{kind}"}} {total:.6f}')
        lines.append(f'assay_request_seconds_count{{kind="{kind}"}} {so_far:.0f}')
    lines.append("# TYPE assay_store_failures_total counter")
    lines += [f'assay_store_failures_total{{kind="{kind}"}} {count}' for kind, count in sorted(failures.items())]
    lines += ["# TYPE assay_seconds_since_write gauge", f"assay_seconds_since_write {_since(store.last_write):.1f}"]
    if (memory := _memory()) is not None:
        lines += ["# TYPE process_resident_memory_bytes gauge", f"process_resident_memory_bytes {memory}"]
    return "\n".join(lines) + "\n"


def _since(at: float) -> float:
    return time.monotonic() - at if at else float("inf")


def _memory() -> int | None:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None  # not Linux
