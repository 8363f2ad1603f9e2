"""What there is to export of a study at this moment, for the command and for the API."""

import secrets
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Literal

from assay.exchange import By, ExportData
from assay.exchange.anonymous import anonymous
from assay.live.report_data import who_is_left_out
from assay.store import Backend
from assay.store.annotator.versions import version
from assay.store.coordinator import adjudications, comparisons, export_rows, long_table, study_status, text_reviews
from assay.study import Study
from assay.submission_rows import SubmissionRows, mark_excluded

AtWork = Callable[[Callable[[long_table.Part], Any], Iterable[long_table.Part]], Iterator[Any]]
"""How something is made of each part of the judgments: here, or in two processes."""


def export_data(
    store: Backend,
    study_id: int,
    study: Study,
    now: int,
    *,
    counted: bool = False,
    named_by: Literal["item", "group"] = "item",
    show: Callable[[int], None] = lambda _: None,
    anonymised: bool = False,
    at_work: AtWork = map,
) -> ExportData:
    """What there is to export. With `counted` only what results count; `show` is told how far it is.

    `anonymised`: for publishing, under names that are drawn now, with the texts alone that somebody has let through.
    `at_work` maps a function over parts of the judgments, for formats that have a line for each.
    """
    hashes = store.read(study_status.submissions_by_version, study_id)
    versions = {name: store.read(version, study_id, name) for name in hashes}
    excluded = who_is_left_out(store, study_id, study)

    together = long_table.PutTogether(study.preference_dimensions)

    def stored_parts(by: By = "time") -> Iterator[long_table.Part]:
        done = 0
        for part in store.stream(long_table.parts, study_id, by):
            yield part
            done += len(part[1])
            show(done)

    def of(part: long_table.Part) -> Iterator[SubmissionRows]:
        every = mark_excluded(together(part), excluded)
        return (each for each in every if each.head.counts) if counted else every

    found = ExportData(
        study=study,
        submissions=lambda by="time": chain.from_iterable(map(of, stored_parts(by))),
        parts=lambda work: at_work(lambda part: work(of(part)), stored_parts()),
        items=lambda: store.stream(export_rows.items, study_id),
        annotators=lambda: store.stream(export_rows.annotators, study_id),
        made_at=now,
        comparisons=store.read(comparisons.comparisons, study_id, study),
        studies={name: each for name, each in versions.items() if each is not None},
        total=lambda: None if counted else store.read(long_table.judgment_count, study_id),
        agreed=store.read(adjudications.agreed_values, study_id),
        named_by=named_by,
    )
    if not anonymised:
        return found
    passed = {key for key, let in store.read(text_reviews.reviews, study_id).items() if let}
    return anonymous(found, secrets.token_bytes(32), passed)
