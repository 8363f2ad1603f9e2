"""Background work of the server: counts for agreement, clock jumps, notices, and erasing people whose time is over."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette

from assay.acts.clock import jump_in_words, record_clock_jump
from assay.live.counting import count_beside_requests
from assay.store import Backend
from assay.store.annotator import versions
from assay.store.coordinator import pattern_counts, studies
from assay.web.clock_jumps import ClockWatch
from assay.web.keep_on import keep_on
from assay.web.notices import keep_telling
from assay.web.retention import keep_retaining
from assay.web.stop_rules import look_at_stop_rules

EVERY = 3.0
"""Seconds. Pages of coordinators count the rest when they are shown, so this decides only how much is left to count."""


@asynccontextmanager
async def background_work(app: Starlette) -> AsyncIterator[None]:
    """Run all background work for as long as the application runs."""
    context = app.state.context
    tasks = [asyncio.create_task(_keep_counting(context.store, context.clock))]
    tasks.append(asyncio.create_task(keep_retaining(context.store, context.clock)))
    notifier, address = app.state.notices
    if notifier is not None:
        tasks.append(asyncio.create_task(keep_telling(context.store, notifier, address, context.clock)))
    yield
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _keep_counting(store: Backend, clock: Callable[[], int]) -> None:
    watch = ClockWatch(clock)
    to_look_at: set[int] = set()
    to_note: list[int] = []
    while True:
        await asyncio.sleep(EVERY)
        with keep_on("counting"):
            if jump := watch.jump():
                logging.getLogger("assay").warning("the clock was set %s", jump_in_words(jump))
                to_note.append(jump)
            while to_note:
                await store.awrite(record_clock_jump, to_note[0], clock())
                to_note.pop(0)
            if waiting := await store.aread(pattern_counts.studies_waiting):
                await count_new(store, waiting)
            to_look_at = await look_at_stop_rules(store, {*to_look_at, *waiting}, clock())


async def count_new(store: Backend, waiting: list[int]) -> None:
    """Update the counts for agreement from new submissions in these studies."""
    for study_id, name in await store.aread(studies.all_studies):
        study = await store.aread(versions.in_force, name) if study_id in waiting else None
        if study is not None:
            await count_beside_requests(store, study_id, study)
