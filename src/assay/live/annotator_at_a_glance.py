"""One annotator at this moment: the work in time, and where they stand among the others."""

from dataclasses import dataclass

from assay.live.figures import cached_figures
from assay.report.beside_others import BesideTheOthers, TimeLine, beside_others, time_line
from assay.store import Backend
from assay.store.coordinator import work_of_annotator
from assay.store.coordinator.work_of_annotator import GateOfAnnotator, SubmittedItem
from assay.study import Study


@dataclass(frozen=True)
class AnnotatorAtAGlance:
    """What is known of one annotator."""

    items: list[SubmittedItem]
    gates: list[GateOfAnnotator]
    notes: list[tuple[str, str, str]]
    line: TimeLine | None
    beside: list[BesideTheOthers]

    @property
    def at_gates_ms(self) -> int:
        """How long all gates together took."""
        return sum(each.took_ms or 0 for each in self.gates)


def annotator_at_a_glance(store: Backend, study_id: int, study: Study, now: int, name: str) -> AnnotatorAtAGlance:
    """What is known of one annotator. Figures are as they were computed last."""
    items = store.read(work_of_annotator.submitted_items, study_id, name)
    gates = store.read(work_of_annotator.gates_of, study_id, name)
    texts = [each.dimension for each in study.rubric if each.input.level is None and each.input.answer == "text"]
    kept = cached_figures(store, study_id, study)
    return AnnotatorAtAGlance(
        items=items,
        gates=gates,
        notes=store.read(work_of_annotator.notes_of, study_id, name, texts),
        line=time_line(
            [each.at for each in items if not each.from_file],
            [(each.passed_at, each.gate) for each in gates if each.passed_at is not None],
            now,
        ),
        beside=[] if kept is None else beside_others(study, kept.content, name),
    )
