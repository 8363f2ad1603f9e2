"""What a report is made from, read from the store."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from assay.beside import Start, here
from assay.exchange import as_time
from assay.excluded_annotators import exclusions_by_rule
from assay.false_alarm_rates import Rate, false_alarms
from assay.fieldwork import AnnotatorProgress, Fieldwork, StopReached
from assay.judgments.canonical_order import in_canonical_order
from assay.model import Judgment
from assay.quality import MonitorData, find_flags
from assay.report.data import Data
from assay.statistics import SEED
from assay.store import Backend
from assay.store.annotator import breaks
from assay.store.annotator.versions import publication_times, version
from assay.store.annotator.versions import versions as every_version
from assay.store.coordinator import (
    adjudications,
    annotators,
    annotators_per_item,
    comparisons,
    funnel,
    gate_history,
    gates,
    import_list,
    item_facts,
    items_taken_out,
    judge_runs,
    long_table,
    pilots,
    problem_reports,
    stopping,
    studies,
    study_status,
    tuning_part,
)
from assay.store.coordinator.erase_person import erasure_count
from assay.store.coordinator.people_part import drawn_items
from assay.store.coordinator.person_answers import answers_by_question
from assay.study import Study


def gather(
    store: Backend,
    study_id: int,
    study: Study,
    now: int,
    *,
    seed: int = SEED,
    alarms: bool = False,
    start: Start[dict[str, Rate]] = here,
) -> Data:
    """Everything that a report is made from. With `beside`, false alarms are simulated while judgments are read."""
    simulated = _simulated_alarms(store, study_id, study, seed, start) if alarms else dict
    versions = store.read(study_status.submissions_by_version, study_id)
    kept = {name: store.read(version, study_id, name) for name in versions}
    read = store.stream(long_table.judgments, study_id, study.preference_dimensions, "item")
    judgments = in_canonical_order(read)
    work = monitor_data(store, study_id, study, judgments)
    progress = store.read(study_status.progress, study_id)
    excluded = {**_exclusions_by_rule(study, work, progress), **store.read(annotators.exclusions_by_hand, study_id)}
    counts = store.read(study_status.item_counts, study_id, excluded)
    return Data(
        study=study,
        judgments=judgments,
        items=counts.items,
        finished=counts.finished,
        systems=counts.systems,
        annotators=[row.annotator for row in progress],
        versions=versions,
        studies={name: each for name, each in kept.items() if each is not None},
        made_at=as_time(now)[:16].replace("T", " ") + " UTC",
        seed=seed,
        work=work,
        excluded=excluded,
        by_hand=store.read(gates.passes_by_hand, study_id),
        agreed=store.read(adjudications.agreed_values, study_id),
        comparisons=store.read(comparisons.comparisons, study_id, study),
        alarms=simulated(),
        person_answers=store.read(answers_by_question, study_id, study.analysis.groups),
        erased=store.read(erasure_count, study_id),
        drawn=store.read(drawn_items, study_id),
        tuning=store.read(tuning_part.items_of, study_id, store.read(tuning_part.tuning_part, study_id)),
        judge_models={judge: facts.models for judge, facts in store.read(judge_runs.run_facts, study_id).items()},
    )


def _simulated_alarms(
    store: Backend, study_id: int, study: Study, seed: int, start: Start[dict[str, Rate]]
) -> Callable[[], dict[str, Rate]]:
    """The false alarm rates of the monitors, which depend on the items alone."""
    items = dict(sorted(store.read(item_facts.facts, study_id).items()))
    return start(lambda: false_alarms(study, items, seed=seed))


def gather_with_fieldwork(
    store: Backend,
    study_id: int,
    study: Study,
    now: int,
    *,
    seed: int = SEED,
    alarms: bool = True,
    start: Start[dict[str, Rate]] = here,
) -> Data:
    """The same with what only a finished report says: how the work went, and how often monitors are wrong."""
    data = gather(store, study_id, study, now, seed=seed, alarms=alarms, start=start)
    return replace(data, fieldwork=_fieldwork(store, study_id, study, now))


def _fieldwork(store: Backend, study_id: int, study: Study, now: int) -> Fieldwork:
    progress = store.read(study_status.progress, study_id, study.gate_versions)
    begun = store.read(gate_history.count_begun, study_id)
    rests: dict[str, list[tuple[int, int | None]]] = defaultdict(list)
    for name, started_at, ended_at, _ in store.stream(breaks.breaks, study_id):
        rests[name].append((started_at, ended_at))
    return Fieldwork(
        state=store.read(studies.state, study_id),
        places=store.read(annotators_per_item.places, study_id),
        annotators=[replace(row, begun=begun.get(row.annotator, 0)) for row in progress],
        gates=store.read(gate_history.at_gates, study_id),
        pilots=store.read(pilots.decisions, study_id),
        breaks=dict(rests),
        withdrawn=store.read(items_taken_out.withdrawn_items, study_id),
        problems=store.read(problem_reports.problem_reports, study_id),
        funnel=store.read(funnel.funnel, study_id, study, now),
        imports={each.number: each.files for each in store.read(import_list.entries, study_id)},
        given=store.read(study_status.items_given, study_id),
        stopped=find_reached_stop(store, study_id, study),
        now=now,
        published=store.read(publication_times, study_id),
    )


def find_reached_stop(store: Backend, study_id: int, study: Study) -> StopReached | None:
    """That the stopping rule in force was reached; None where there is none, or it was not."""
    rule = study.analysis.stop_rule_in_words
    return store.read(stopping.find_reached, study_id, rule) if rule else None


def who_is_left_out(store: Backend, study_id: int, study: Study) -> frozenset[str]:
    """Whom the report leaves out at this moment. Judgments are read only where the study has rules for it."""
    by_hand = store.read(annotators.exclusions_by_hand, study_id)
    if not study.analysis.exclude:
        return frozenset(by_hand)
    judgments = list(store.stream(long_table.judgments, study_id, study.preference_dimensions))
    work = monitor_data(store, study_id, study, judgments)
    by_rule = _exclusions_by_rule(study, work, store.read(study_status.progress, study_id))
    return frozenset(by_rule) | frozenset(by_hand)


def _exclusions_by_rule(study: Study, work: MonitorData, progress: Sequence[AnnotatorProgress]) -> dict[str, str]:
    """Whom the study's rules exclude. Monitors take longest of all, and are run only where there are rules."""
    if not study.analysis.exclude:
        return {}
    return {name: each.reason for name, each in exclusions_by_rule(study, find_flags(work), progress).items()}


def monitor_data(store: Backend, study_id: int, study: Study, judgments: Iterable[Judgment]) -> MonitorData:
    """What monitors look at: the judgments of people, and their practice."""
    of_people = in_canonical_order(judgments).part(
        lambda each: not (each.judge or each.superseded or each.surplus or each.withdrawn)
    )
    return MonitorData(
        study=study,
        judgments=of_people.part(lambda each: not each.is_practice),
        items=store.read(item_facts.facts, study_id),
        practice=of_people.part(lambda each: each.is_practice),
        breaks=store.read(item_facts.ends_of_breaks, study_id),
        versions=store.read(every_version, study_id),
    )
