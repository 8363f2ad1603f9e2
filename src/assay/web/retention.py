"""Erasing people whose time is over, every day while the server runs."""

import asyncio
from collections.abc import Callable

from assay import acts
from assay.store import Backend
from assay.store.annotator import versions
from assay.store.coordinator import studies
from assay.web.keep_on import keep_on

EVERY = 24 * 60 * 60
"""Seconds."""


def retain_once(store: Backend, now: int) -> int:
    """Look at every study; returns how many people were erased."""
    found = [(study_id, store.read(versions.in_force, name)) for study_id, name in store.read(studies.all_studies)]
    declared = [(study_id, each) for study_id, each in found if each is not None]
    return acts.retain_everywhere(store, declared, now)


async def keep_retaining(store: Backend, clock: Callable[[], int]) -> None:
    """Look now and every day, for as long as the server runs."""
    while True:
        with keep_on("retention"):
            await asyncio.to_thread(retain_once, store, clock())
        await asyncio.sleep(EVERY)
