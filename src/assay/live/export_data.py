"""What there is to export of a study at this moment, for the command and for the API."""

import secrets
from collections.abc import Callable, Iterator
from typing import Literal

from assay.exchange import ExportData
from assay.exchange.anonymous import anonymous
from assay.live.report_data import excluded_from_report
from assay.store import Backend
from assay.store.annotator.versions import version
from assay.store.coordinator import adjudications, comparisons, export_rows, long_table, study_status, text_reviews
from assay.study import Study
from assay.submission_rows import SubmissionRows, mark_excluded

SHOWN_EACH = 100
"""After so many judgments it is said how far it is."""


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
) -> ExportData:
    """What there is to export. With `counted` only what results count; `show` is told how far it is.

    `anonymised`: for publishing, under names that are drawn now, with the texts alone that somebody has let through.
    """
    hashes = store.read(study_status.submissions_by_version, study_id)
    versions = {name: store.read(version, study_id, name) for name in hashes}
    excluded = excluded_from_report(store, study_id, study)

    def submissions(by: Literal["time", "item", "annotator"] = "time") -> Iterator[SubmissionRows]:
        stream = store.stream(long_table.submissions, study_id, study.preference_dimensions, by)
        done = shown = 0
        for each in mark_excluded(stream, excluded):
            done += len(each.own)
            if done >= shown + SHOWN_EACH:
                shown = done
                show(done)
            if not counted or each.head.counts:
                yield each

    found = ExportData(
        study=study,
        submissions=submissions,
        items=lambda: store.stream(export_rows.items, study_id),
        annotators=lambda: store.stream(export_rows.annotators, study_id),
        made_at=now,
        comparisons=store.read(comparisons.comparisons, study_id, study),
        studies={name: each for name, each in versions.items() if each is not None},
        total=None if counted else store.read(long_table.judgment_count, study_id),
        agreed=store.read(adjudications.agreed_values, study_id),
        named_by=named_by,
    )
    if not anonymised:
        return found
    passed = {key for key, let in store.read(text_reviews.reviews, study_id).items() if let}
    return anonymous(found, secrets.token_bytes(32), passed)
