"""What is asked of a judge: every item, in an order of its own, as often and with the sides as its entry says."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.assignment import lot
from assay.errors import AssayError
from assay.items.reference_items import CONTROLS, ReferenceItem, read_reference_items, reference_files
from assay.judges import PromptPicture
from assay.judging.judges_file import JudgeEntry
from assay.judging.prompt import WorkedExample
from assay.judgments import questionnaire_of
from assay.model import CANDIDATES
from assay.pictures import Picture
from assay.sides_and_candidates import by_side, on_screen
from assay.study.schema import Study

Shown = dict[str, Any]


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """An item as people see it. What is hidden of it is not known here."""

    name: str
    shown: Shown


@dataclass(frozen=True, slots=True)
class PlannedPass:
    """One time that a judge is asked about one item."""

    item: str
    shown: Shown
    """With its candidates in the order in which this judge sees them this time."""
    pass_: int
    repeat: int
    swapped: bool | None
    """Whether the second candidate stands on the left; None where there are no two."""


def planned_passes(study: Study, entry: JudgeEntry, items: Sequence[JudgedItem]) -> list[PlannedPass]:
    """All that a judge is asked, in order: first each item once, then each a second time, and so on.

    An item of which nothing is asked, such as one without the entries that are judged, is left out. Order and sides
    follow from the study's seed, the judge's name and the item: they stay when items are added.
    """
    asked = [item for item in items if questionnaire_of(study, item.shown).possible]
    in_order = sorted(asked, key=lambda item: lot(study.seed, "judge", entry.judge, item.name))
    passes = [list(_passes_of(study, entry, item)) for item in in_order]
    return [each for same in zip(*passes, strict=True) for each in same] if passes else []


def _passes_of(study: Study, entry: JudgeEntry, item: JudgedItem) -> Iterator[PlannedPass]:
    pair = CANDIDATES in item.shown
    drawn = bool(lot(study.seed, "judge", entry.judge, "side", item.name) & 1)
    turns = (False, True) if pair and entry.orders == "both" else (False,)
    number = 0
    for repeat in range(1, entry.repeats + 1):
        for other in turns:
            number += 1
            swapped = drawn != other if pair else None
            yield PlannedPass(item.name, on_screen(item.shown, swapped), number, repeat, swapped)


def worked_examples(
    study: Study, entry: JudgeEntry, folder: Path, items: Sequence[JudgedItem]
) -> tuple[list[WorkedExample], dict[str, PromptPicture]]:
    """The items that a judge is shown with their known answers, and their pictures: never one that it judges."""
    if not entry.examples:
        return [], {}
    files = [each for each in reference_files(study) if each.name != CONTROLS]
    known = {each.row.name: each for file in files for each in read_reference_items(study, file, folder)}
    missing = [name for name in entry.examples if name not in known]
    if missing:
        what = f"{entry.judge}: {missing[0]!r} is no item of a calibration or practice"
        raise AssayError(what, f"examples may be: {', '.join(known) or 'none, since the study has no such gate'}")
    judged = [item.shown for item in items]
    chosen = [known[name] for name in entry.examples]
    for each in chosen:
        assert each.row.item is not None
        if each.row.item.shown in judged:
            what = f"{entry.judge}: the example {each.row.name!r} is also an item that is judged"
            raise AssayError(what, "an example gives its answer away: take another, or take the item out of the study")
    pictures = {each.hash: as_prompt_picture(each) for one in chosen for each in one.row.pictures}
    return [_example(study, entry, each) for each in chosen], pictures


def as_prompt_picture(picture: Picture) -> PromptPicture:
    """A picture that was read from a file, as a judge is sent it."""
    return PromptPicture(picture.hash, picture.media_type, lambda: picture.content)


def _example(study: Study, entry: JudgeEntry, known: ReferenceItem) -> WorkedExample:
    """An example with its sides drawn, so that the better one does not always stand on the same side."""
    assert known.row.item is not None
    pair = CANDIDATES in known.row.item.shown
    swapped = bool(lot(study.seed, "judge", entry.judge, "side", known.row.name) & 1) if pair else None
    answers = by_side(known.answers, study.preference_dimensions, swapped)
    said = {slot.key: value for slot, value in answers.items()}
    shown = on_screen(known.row.item.shown, swapped)
    return WorkedExample(known.row.name, shown, json.dumps(said, ensure_ascii=False), known.reason)


def picture_hashes(shown: Mapping[str, Any]) -> Iterator[str]:
    """The hashes of the pictures that an item shows, of its candidates too."""
    for value in shown.values():
        if isinstance(value, dict) and isinstance(value.get("picture"), str):
            yield value["picture"]
        elif isinstance(value, list):
            yield from (name for each in value if isinstance(each, dict) for name in picture_hashes(each))
