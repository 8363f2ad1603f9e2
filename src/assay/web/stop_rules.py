"""Evaluates the stopping rules of studies in the background while people work."""

import asyncio

from assay import acts
from assay.live import child
from assay.live.stopping import may_look
from assay.store import Backend
from assay.store.annotator.versions import in_force
from assay.store.coordinator import flags, studies
from assay.study import Study
from assay.web.run_apart import run_apart


async def look_at_stop_rules(store: Backend, waiting: set[int], now: int) -> set[int]:
    """Evaluate the rules of these studies; returns those whose last result is too recent to compute another."""
    early: set[int] = set()
    for study_id, name in await store.aread(studies.all_studies) if waiting else ():
        study = await store.aread(in_force, name) if study_id in waiting else None
        if study is None or study.analysis.stop_when is None:
            continue
        if not await store.aread(may_look, study_id, now):
            early.add(study_id)
        else:
            await look_at_stop_rule(store, study_id, study, now)
    return early


async def look_at_stop_rule(store: Backend, study_id: int, study: Study, now: int) -> None:
    """Evaluate the stopping rule of one study, if it has one, and act when it is reached."""
    if study.analysis.stop_when is None:
        return
    if (await store.aread(flags.state_of_work, study_id))[0] > child.MOST_HERE:
        await run_apart(store, "assay.acts.stopping", study.study)
    else:
        await asyncio.to_thread(acts.follow_stop_rule, store, study_id, study, now)
