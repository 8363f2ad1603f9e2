"""The four questions of a study at this moment, and what their answers were made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.fieldwork import AnnotatorProgress, ProblemReport
from assay.in_words import age
from assay.kinds import FIGURES
from assay.live import agreement, figures
from assay.live.agreement import LiveAgreement
from assay.report import four_tiles
from assay.report.figures import Nothing
from assay.report.figures.comparisons import ComparisonsFigureNumbers
from assay.report.figures.progress import ProgressFigureNumbers
from assay.report.four_tiles import AgreementOn, HowFar, Verdict, WhatItSays, WhoWaits
from assay.report.headline import why_undecided
from assay.report.hidden_results import are_hidden
from assay.statistics import title_of
from assay.store import Backend
from assay.store.coordinator import (
    excluded_by_rule,
    finished_items,
    flags,
    gates,
    pilots,
    problem_reports,
    studies,
    study_status,
)
from assay.store.coordinator.cache import CachedResult
from assay.store.coordinator.flags import Kept
from assay.store.coordinator.gates import WaitingAnnotator
from assay.store.coordinator.held_places import HeldPlaces, held_places
from assay.store.coordinator.study_status import ItemCounts
from assay.study import Study


@dataclass(frozen=True)
class AtAGlance:
    """What is known of a study at this moment."""

    study: Study
    state: str
    pilot: int
    """The pilot that is under way; 0: none."""
    now: int
    counts: ItemCounts
    begun: int
    """How many items were given out or judged, and are not finished."""
    people: Sequence[AnnotatorProgress]
    waiting: Sequence[WaitingAnnotator]
    open_flags: Sequence[Kept]
    checked: bool
    """Whether monitors have looked at the work at all."""
    problems: Sequence[ProblemReport]
    """Those that nobody has dealt with."""
    held: Sequence[HeldPlaces]
    pilot_ready: bool
    """Whether all items of the pilot are judged, and nobody has decided about it."""
    agreement: Sequence[LiveAgreement]
    kept: CachedResult | None
    """The numbers of the figures as they were computed last."""

    @property
    def is_hidden(self) -> bool:
        """Whether results by system are hidden for now."""
        return are_hidden(self.study, self.state)

    @property
    def says(self) -> WhatItSays:
        """How systems compare, and whether it may be looked at."""
        analysis, comparisons = self.study.analysis, self.figure("comparisons")
        return WhatItSays(
            state=self.state,
            is_hidden=self.is_hidden,
            looks=analysis.looks == "any",
            comparisons=comparisons if isinstance(comparisons, ComparisonsFigureNumbers) else None,
            why=comparisons.nothing if isinstance(comparisons, Nothing) else "",
            computed=comparisons is not None,
        )

    @property
    def last_at(self) -> int | None:
        """When somebody submitted something here last."""
        return max((row.last_at for row in self.people if row.last_at and not row.elsewhere), default=None)

    @property
    def how_far(self) -> HowFar:
        """How much is judged."""
        found = self.figure("progress")
        forecast = found if isinstance(found, ProgressFigureNumbers) else None
        return HowFar(
            items=self.counts.items,
            finished=self.counts.finished,
            begun=self.begun,
            state=self.state,
            pilot=self.pilot,
            last_at=self.last_at,
            now=self.now,
            forecast=forecast,
            held=sum(each.open + each.judged for each in self.held),
            held_by=len(self.held),
            judges_alone=self.counts.judges_alone,
        )

    @property
    def waits(self) -> WhoWaits:
        """Who or what waits for a coordinator."""
        return WhoWaits(
            at_gates=[(each.annotator, each.attempts[-1].ended_at) for each in self.waiting],
            flags=len(self.open_flags),
            flagged=len({each.annotator for each in self.open_flags}),
            problems=len(self.problems),
            apart=int(self.kept.content.get("apart", 0)) if self.kept else 0,
            pilot_ready=self.pilot_ready,
            now=self.now,
            monitors=bool(self.study.analysis.monitors.by_name()),
            checked=self.checked,
        )

    @property
    def verdict(self) -> Verdict:
        """The four questions with their answers."""
        return Verdict(
            (
                four_tiles.how_far(self.how_far),
                four_tiles.how_good(self._agreement(), self.study.analysis.agreement.at_least),
                four_tiles.who_waits(self.waits),
                four_tiles.what_it_says(self.says),
            )
        )

    def _agreement(self) -> list[AgreementOn]:
        """What the study's coefficient is on each topic. Where comparisons are also pooled, they count one by one."""
        wanted = self.study.analysis.agreement.coefficient
        found = [(each, each.first(wanted)) for each in self.agreement if not each.comparisons]
        return [
            AgreementOn(
                each.title(self.study),
                title_of(main.name),
                main.value,
                main.ci,
                main.n_items,
                why_undecided(each.coefficients, wanted) or "",
                title_of(wanted) if wanted in each.awaited else "",
                age(self.now - each.as_of[main.name]) if main.name in each.as_of else "",
            )
            for each, main in found
            if main is not None
        ]

    def figure(self, kind: str) -> Any:
        """The numbers of one figure as they were computed last, or why there are none; None before that."""
        content = self.kept.content["figures"].get(kind) if self.kept else None
        return None if content is None else FIGURES[kind]().numbers_from_json(content)


def at_a_glance(store: Backend, study_id: int, study: Study, now: int) -> AtAGlance:
    """What is known of a study at this moment. Nothing that takes long is computed."""
    counts = store.read(study_status.item_counts, study_id)
    number = store.read(pilots.under_way, study_id)
    return AtAGlance(
        study=study,
        state=store.read(studies.state, study_id),
        pilot=number,
        now=now,
        counts=counts,
        begun=max(0, store.read(study_status.items_begun, study_id) - counts.finished),
        people=store.read(study_status.progress, study_id, study.gate_versions),
        waiting=store.read(gates.waiting_annotators, study_id),
        checked=store.read(excluded_by_rule.is_known, study_id),
        open_flags=[each for each in store.read(flags.kept_flags, study_id) if each.state == "open"],
        problems=[each for each in store.read(problem_reports.problem_reports, study_id) if each.closed_at is None],
        held=store.read(held_places, study_id, now),
        pilot_ready=bool(number) and store.read(_is_pilot_ready, study_id, number),
        agreement=agreement.with_pooled(store, study_id, study),
        kept=figures.cached_figures(store, study_id, study),
    )


def _is_pilot_ready(connection: Any, study_id: int, number: int) -> bool:
    decided = {each.round for each in pilots.decisions(connection, study_id)}
    items = len(pilots.items_of(connection, study_id, number))
    return number not in decided and 0 < items <= finished_items.count_finished_in_pilot(connection, study_id, number)
