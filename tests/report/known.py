"""Reports on judgments set by hand, for each template: what goes in, and how sentences and numbers are found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.fieldwork import AnnotatorProgress, Fieldwork
from assay.judgments import derived_values
from assay.model import Fact, Judgment, Slot
from assay.quality import MonitorData
from assay.report.build import Report, build
from assay.report.data import Data
from assay.study import Study
from tests.report.test_report import judgment


def answers(item: str, who: str, values: Mapping[str, object], **more: Any) -> list[Judgment]:
    """What one annotator answers to one item: values by dimension, or by dimension and entry."""
    made = []
    for key, value in values.items():
        dimension, _, entry = key.partition(".")
        made.append(judgment(item, who, value, dimension, entry=entry, **{"group": "", "study_hash": "now", **more}))
    return made


def computed(study: Study, judgments: Sequence[Judgment]) -> list[Judgment]:
    """The same with what the study computes from each submission, as the store keeps it."""
    found = list(judgments)
    for name in dict.fromkeys(each.submission for each in judgments):
        given = [each for each in judgments if each.submission == name]
        values = derived_values(study, {Slot(each.dimension, "", each.entry): each.value for each in given})
        found += [replace(given[0], dimension=slot.dimension, entry="", value=value) for slot, value in values.items()]
    return found


def report(study: Study, judgments: Sequence[Judgment], practice: Sequence[Judgment] = (), **more: Any) -> Report:
    """The report on them, with monitors at work and the study closed."""
    people = sorted({each.annotator for each in judgments if not each.judge})
    items = {each.item for each in judgments}
    facts = {item: Fact(words=119, expected=more.get("expected", {})) for item in items | {p.item for p in practice}}
    of_people = [each for each in judgments if not each.judge]
    fieldwork = Fieldwork(
        state="closed", places=len(items), annotators=[AnnotatorProgress(name, 1, 1) for name in people]
    )
    more.pop("expected", None)
    data = Data(
        study=study,
        judgments=[*judgments, *practice],
        items=len(items),
        finished=len(items),
        systems=dict.fromkeys(sorted({each.system for each in judgments if each.system}), 1),
        annotators=people,
        studies={"now": study},
        made_at="2027-01-01 00:00 UTC",
        seed=1,
        **{
            "work": MonitorData(study=study, judgments=of_people, items=facts, practice=practice),
            "fieldwork": fieldwork,
            "versions": {"now": len({each.submission for each in judgments})},
            **more,
        },
    )
    return build(data)


def line(made: Report, start: str) -> str:
    """The one sentence that begins so."""
    found = [each for each in made.summary() if each.startswith(start)]
    assert len(found) == 1, (start, found or made.summary())
    return found[0]


def one(rows: Iterable[dict[str, Any]], **which: object) -> dict[str, Any]:
    """The one row of which this is true."""
    found = [row for row in rows if all(row[name] == value for name, value in which.items())]
    assert len(found) == 1, (which, found)
    return found[0]
