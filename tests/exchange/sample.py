"""Studies with judgments, made in memory: what an export is given."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from assay.exchange import Export, ExportData
from assay.items.reader import read_items
from assay.judgments import derived_values, questions_of
from assay.kinds import EXPORTS
from assay.model import ROLES, SIDES, ExportAnnotator, ExportItem, Judgment, Slot, Value
from assay.study import Study, load
from assay.study.templates import HERE
from assay.submission_rows import Own, SubmissionRows
from tests.conftest import T0

TEMPLATES = ("in-car", "route-planning", "dialog-pairs", "empathy", "trajectories")
PEOPLE = ("007", "NA", "ana")
KEYS = {"time": ("submitted_at", "submission"), "item": ("item", "annotator"), "annotator": ("annotator", "item")}


@cache
def study_of(template: str) -> Study:
    return load(HERE / template)


@cache
def items_of(template: str) -> tuple[ExportItem, ...]:
    study = study_of(template)
    intakes = read_items(study, HERE / template / study.items.source)
    return tuple(ExportItem(each.item, "work") for each in intakes if each.item is not None)


def judged(study: Study, listed: ExportItem, who: str, seed: int = 0, **more: Any) -> list[Judgment]:
    """What somebody says of an item, on sides that are drawn, with what follows from it."""
    item, rng = listed.item, Random(f"{listed.item.id} {who} {seed}")
    swapped = rng.random() < 0.5 if len(item.systems) == 2 else None
    answers: dict[Slot, Value] = {}
    for question in questions_of(study, item.shown):
        asked = question.dimension.input
        value = asked.read(asked.simulate(rng, rng.random()))
        role = ROLES[SIDES.index(question.slot.side) ^ bool(swapped)] if question.slot.side else ""
        if asked.compares and value in SIDES:
            value = item.systems[SIDES.index(str(value)) ^ bool(swapped)]
        answers[Slot(question.slot.dimension, role, question.slot.entry)] = value
    answers |= derived_values(study, answers)
    whose = dict(zip(ROLES, item.systems, strict=False)) if len(item.systems) == 2 else {}
    return [
        Judgment(
            **{
                "submission": f"{who}-{item.id.replace('/', '-')}-{seed}",
                "item": item.id,
                "system": whose.get(slot.side, "") if whose else "".join(item.systems),
                "systems": item.systems,
                "group": item.group,
                "annotator": who,
                "dimension": slot.dimension,
                "side": SIDES[ROLES.index(slot.side) ^ bool(swapped)] if slot.side else "",
                "entry": slot.entry,
                "value": value,
                "pass_": 1,
                "revision": 1,
                "shown_at": T0,
                "submitted_at": T0 + 60_000,
                "active_ms": 45_500,
                "study_hash": study.hash,
                "consent": "c",
                "left": "" if swapped is None else item.systems[int(swapped)],
                "batch": item.batch,
                **more,
            }
        )
        for slot, value in answers.items()
    ]


@cache
def judgments_of(template: str) -> tuple[Judgment, ...]:
    """Three people judge every item."""
    study = study_of(template)
    return tuple(each for listed in items_of(template) for who in PEOPLE for each in judged(study, listed, who))


SHARED = [each.name for each in fields(Judgment) if each.name not in Own._fields]


def by_submission(judgments: Iterable[Judgment]) -> Iterator[SubmissionRows]:
    """Judgments, those of a submission one after another, as submissions."""
    for _, together in groupby(judgments, lambda each: [getattr(each, name) for name in SHARED]):
        found = list(together)
        own = [Own(*(getattr(each, name) for name in Own._fields)) for each in found]
        yield SubmissionRows({name: getattr(found[0], name) for name in SHARED}, own)


def data_of(template: str, judgments: Iterable[Judgment] | None = None, **more: Any) -> ExportData:
    """Everything that there is to export of a template with three people's judgments, or with these."""
    found = list(judgments_of(template) if judgments is None else judgments)
    items: tuple[ExportItem, ...] = more.pop("items", items_of(template))

    def stream(by: str = "time") -> Iterator[SubmissionRows]:
        places = {each.item.id: place for place, each in enumerate(items)}
        key = {"time": lambda j: (j.submitted_at, j.submission), "item": lambda j: (places[j.item], j.annotator)}
        key["annotator"] = lambda j: (j.annotator, places[j.item])
        return by_submission(sorted(found, key=lambda j: (key[by](j), j.pass_, j.revision)))

    study = more.pop("study", study_of(template))
    who = dict.fromkeys(each.annotator for each in found)
    return ExportData(
        study=study,
        submissions=stream,  # type: ignore[arg-type]
        items=lambda: iter(items),
        annotators=lambda: (ExportAnnotator(name, submissions=1, first_at=T0) for name in who),
        made_at=T0,
        studies={study.hash: study},
        **more,
    )


def suited(kind: type[Export]) -> str:
    """A template that a format suits."""
    return next(template for template in TEMPLATES if not kind().refuses(study_of(template)))


def written(name: str, data: ExportData, folder: Path) -> Path:
    """What a format writes, in a place of its own."""
    kind: Export = EXPORTS[name]()
    place = folder / f"out-{name}{kind.suffix}"
    if not kind.suffix:
        place.mkdir()
    kind.write(data, place)
    return place
