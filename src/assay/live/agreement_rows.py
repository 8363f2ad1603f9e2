"""Live agreement in rows for JSON: the coefficient that the study reports first, of topics and of all comparisons."""

from dataclasses import replace
from typing import Any

from assay.exchange import as_time
from assay.live.agreement import LiveAgreement, live_agreement, pooled_agreement
from assay.statistics import title_of
from assay.store import Backend
from assay.study import Study

Row = dict[str, Any]
NOT_YET = "it is not computed yet: the dashboard, `assay status` and the report compute it"


def agreement_rows(store: Backend, study_id: int, study: Study) -> dict[str, list[Row]]:
    """The rows of every dimension, of a preference on each comparison (`agreement`), and over these (`pooled`)."""
    topics = [_agreement_row(study, each) for each in live_agreement(store, study_id, study)]
    pooled = [(each, _agreement_row(study, each)) for each in pooled_agreement(store, study_id, study)]
    return {
        "agreement": [row for row in topics if row is not None],
        "pooled": [{**row, "comparisons": each.comparisons} for each, row in pooled if row is not None],
    }


def _agreement_row(study: Study, now: LiveAgreement) -> Row | None:
    wanted = study.analysis.agreement.coefficient
    main = now.first(wanted)
    if main is None:
        return None
    if wanted in now.awaited:
        # No other coefficient stands in the place of one that is on its way.
        main = replace(main, name=wanted, value=None, ci=None, undefined=NOT_YET)
    return {
        "dimension": now.topic.dimension,
        "system": now.topic.system,
        "against": now.topic.against,
        "title": now.title(study),
        "coefficient": main.name,
        "called": title_of(main.name),
        "value": main.value,
        "ci": main.ci and list(main.ci),
        "undefined": main.undefined,
        "n_items": main.n_items,
        "rests_on": str(now.units(main)),
        "n_annotators": main.n_annotators,
        "as_of": as_time(now.as_of[main.name]) if main.name in now.as_of else None,
    }
