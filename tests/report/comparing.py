"""Known judgments of known systems, for the sections that compare them."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.model import Judgment
from assay.report.build import Report, build
from assay.report.data import Data
from assay.study import Study, load
from assay.study.analysis import ComparisonSettings
from assay.study.templates import HERE
from tests.report.test_report import judgment

ROUTES, CARS, WAYS, DIALOGUES = (
    load(HERE / name) for name in ("route-planning", "in-car", "trajectories", "dialog-pairs")
)


def comparing(study: Study, *comparisons: ComparisonSettings) -> Study:
    """The study, asking for these comparisons."""
    return study.model_copy(update={"analysis": study.analysis.model_copy(update={"compare": comparisons})})


def ungrouped(study: Study) -> Study:
    """The study, whose items share nothing."""
    return study.model_copy(update={"items": study.items.model_copy(update={"group": None})})


def data(study: Study, judgments: Sequence[Judgment], **more: Any) -> Data:
    """What a report is made from."""
    return Data(
        study=study,
        judgments=judgments,
        items=len({each.item for each in judgments}),
        finished=0,
        systems={},
        annotators=sorted({each.annotator for each in judgments}),
        versions={},
        studies={},
        made_at="",
        seed=1,
        **more,
    )


def report(study: Study, judgments: Sequence[Judgment], **more: Any) -> Report:
    """The whole report."""
    return build(data(study, judgments, **more))


def scores(
    values: Mapping[str, Sequence[object]], dimension: str = "coherence", people: int = 2, **more: Any
) -> list[Judgment]:
    """Each system's score of each group, as several people gave it, all the same."""
    return [
        judgment(
            f"{system}-{place}",
            f"p{person}",
            value,
            dimension,
            system=system,
            systems=(system,),
            group=f"g{place}",
            study_hash="now",
            **more,
        )
        for system, given in values.items()
        for place, value in enumerate(given)
        for person in range(people)
    ]


def choice(item: str, who: str, systems: tuple[str, str], left: str, chosen: object, **more: Any) -> Judgment:
    """A preference of somebody who saw `left` on the left: a system, "tie" or "neither"."""
    found = {"dimension": "preference", "system": "", "systems": systems, "left": left, "group": item, **more}
    return judgment(item, who, chosen, **found)
