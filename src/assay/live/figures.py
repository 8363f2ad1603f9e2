"""The figures of the coordinator's page: computed from all judgments, cached, and shown with their age.

As a program (`python -m assay.live.figures STUDY`, the database in ASSAY_DATABASE) it computes all that takes long and
is due, for a server that does not want to do it itself.
"""

import os
import sys
import time
from typing import Any

from assay import __version__
from assay.frozen_json import to_json
from assay.live import agreement
from assay.live.agreement import state_of_data
from assay.live.child import stand_back
from assay.live.flags import current_flags
from assay.live.report_data import gather
from assay.quality.low_agreement import kappas_with_others
from assay.report.adjudication import by_item, open_questions
from assay.report.figures import MOST_LED, MOST_NAMES, FigureData, all_figures, all_leads
from assay.store import Backend, open_store
from assay.store.annotator import versions
from assay.store.coordinator import annotators_per_item, cache, funnel, studies, study_status
from assay.store.coordinator.cache import CachedResult
from assay.study import Study

FEWEST_SHARED = 3
"""Nobody's agreement with the others is said on fewer items."""


def figure_data(store: Backend, study_id: int, study: Study, now: int) -> FigureData:
    """What figures are made from. Agreement that is computed already is not computed again."""
    data = gather(store, study_id, study, now)
    return FigureData(
        report=data,
        progress=store.read(study_status.progress, study_id, study.gate_versions),
        funnel=store.read(funnel.funnel, study_id, study, now),
        planned=store.read(annotators_per_item.places, study_id),
        now=now,
        computed=agreement.computed_agreement(store, study_id, study, data.topics),
        people=store.read(funnel.people_at_steps, study_id, study, now),
        most=MOST_LED,
    )


def cached_figures(store: Backend, study_id: int, study: Study) -> CachedResult | None:
    """The cached numbers of all figures, if they were computed under this version of the study."""
    found = store.read(cache.get, study_id, cache.FIGURES)
    return found if found is not None and found.state.startswith(study.hash) else None


def is_outdated(store: Backend, study_id: int, study: Study, now: int) -> bool:
    """Whether they are to be computed again: they are out of date, and old enough for what computing them costs."""
    found = cached_figures(store, study_id, study)
    if found is None:
        return True
    # Another version of the program may have computed other numbers, or none of a new figure.
    is_current = found.content.get("program") == __version__ and found.state == state_of_data(store, study_id, study)
    return found.may_be_refreshed(now) and not is_current


def compute(store: Backend, study_id: int, study: Study, now: int) -> None:
    """Compute and cache the numbers of every figure."""
    state, began = state_of_data(store, study_id, study), time.perf_counter()
    data = figure_data(store, study_id, study, now)
    found = [(figure, figure.numbers(data)) for figure in all_figures()]
    numbers = {figure.kind: _with_few_names(to_json(each)) for figure, each in found}
    leads = {figure.kind: all_leads(figure, each, data) for figure, each in found}
    took = round(1000 * (time.perf_counter() - began))
    content = {
        "took_ms": took,
        "program": __version__,
        "figures": numbers,
        "apart": len(by_item(open_questions(data.report))),
        "kappas": _kappas(data),
    }
    store.write(cache.put, study_id, cache.LEADS, CachedResult(leads, state, now))
    store.write(cache.put, study_id, cache.FIGURES, CachedResult(content, state, now))


def _with_few_names(numbers: Any) -> Any:
    """The numbers of a figure with no more items for each mark than it prints: a page reads them again and again."""
    if isinstance(numbers, list):
        return [_with_few_names(each) for each in numbers]
    if not isinstance(numbers, dict):
        return numbers
    return {
        name: each[:MOST_NAMES] if name == "items" and isinstance(each, list) else _with_few_names(each)
        for name, each in numbers.items()
    }


def _kappas(data: FigureData) -> dict[str, dict[str, tuple[float, int]]]:
    """On each dimension, how far everybody agrees with the others, and on how many items."""
    return {
        dimension.dimension: {
            name: (round(kappa.value, 4), kappa.n)
            for name, kappa in kappas_with_others(data.work, dimension, FEWEST_SHARED).items()
        }
        for dimension in data.work.study.scored_dimensions
    }


def refresh(store: Backend, study_id: int, study: Study, now: int) -> None:
    """Compute again what takes long and is due: kappas of pairs, intervals over groups, flags, figures."""
    figures_due = is_outdated(store, study_id, study, now)
    agreement_due = agreement.is_outdated(store, study_id, study, now)
    if figures_due or (agreement_due and study.analysis.exclude):
        # First of all: whom the rules exclude is left out of everything else.
        current_flags(store, study_id, study, now)
    if figures_due or agreement_due:
        agreement.compute(store, study_id, study, now)
    if figures_due:
        compute(store, study_id, study, now)


def main() -> None:
    """The same as a program that stands behind the server."""
    stand_back()
    store = open_store(os.environ["ASSAY_DATABASE"])
    try:
        study_id, version = store.read(studies.find, sys.argv[1])
        study = store.read(versions.version, study_id, version)
        if study is not None:
            refresh(store, study_id, study, time.time_ns() // 1_000_000)
    finally:
        store.close()


if __name__ == "__main__":
    main()
