"""Items with known answers, in files of their own: for practice, for calibration, and as controls."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import AssayError, ItemMistakes, Mistake
from assay.items.item_pictures import pictures_folder
from assay.items.judgment_fields import JudgmentsWanted
from assay.items.reader import ImportedRow, read_items
from assay.model import Item, Slot, Value
from assay.study.judgment_fields import JudgmentFields
from assay.study.outside import named_file
from assay.study.schema import Study

CONTROLS = "controls"


@dataclass(frozen=True, slots=True)
class ReferenceFile:
    """A file of items with known answers, as the study names it."""

    name: str
    """Its name in the store: `controls`, or the file that a gate names."""
    file: str
    values: str = ""
    """The field that holds the answers by dimension; nothing: each dimension is a field of its own."""
    reason: str = ""
    """The field that says why."""


@dataclass(frozen=True, slots=True)
class ReferenceItem:
    """An item with its known answers."""

    row: ImportedRow
    answers: dict[Slot, Value]
    reason: str


def reference_files(study: Study) -> list[ReferenceFile]:
    """The files with known answers that a study names, each once."""
    found = [
        ReferenceFile(entry.gate.item_file, entry.gate.item_file, reason=entry.gate.reason_field)
        for entry in study.gates
        if entry.gate.item_file
    ]
    if study.assignment.controls is not None:
        controls = study.assignment.controls
        found.append(ReferenceFile(CONTROLS, controls.items, values=controls.expect))
    return list({each.name: each for each in found}.values())


def read_reference_items(study: Study, file: ReferenceFile, folder: Path) -> Iterator[ReferenceItem]:
    """Every item of such a file with its known answers. An item without any is a mistake."""
    path = named_file(folder, file.file, "study.yaml")
    if not path.is_file():
        raise AssayError(f"there is no file {path}", f"{file.file} is named in study.yaml and counts from its folder")
    without: list[Mistake] = []
    pictures = pictures_folder(study, folder)
    # An answer may be known on some dimensions alone.
    for row in read_items(_study_for_file(study, file), path, wanted=JudgmentsWanted(partial=True), pictures=pictures):
        assert row.item is not None
        answers = row.judgments[0].answers if row.judgments else {}
        if not answers:
            hint = f"write the expected values under {file.values!r}" if file.values else "fill in a dimension"
            without.append(Mistake(f"{file.file}, item {row.name}", "has no known answer", hint))
        reason = row.item.hidden.get(file.reason, "") if file.reason else ""
        yield ReferenceItem(row, answers, str(reason or ""))
    if without:
        raise ItemMistakes(without)


def known_items(study: Study, folder: Path) -> Iterator[tuple[str, Item]]:
    """The items with known answers, each with its file, as far as they can be read: what is wrong is said elsewhere."""
    for file in reference_files(study):
        with suppress(AssayError):
            for known in read_reference_items(study, file, folder):
                if known.row.item is not None:
                    yield file.file, known.row.item


def _study_for_file(study: Study, file: ReferenceFile) -> Study:
    """The study with other settings for its items: systems and groups may be missing, and answers are read."""
    items = study.items
    paths = {each.dimension: f"{file.values}.{each.dimension}" for each in study.rubric} if file.values else {}
    changes: dict[str, Any] = {
        "judgments": (
            JudgmentFields.model_construct(judge=items.id[0], values=paths, read={}, positions="", annotator=""),
        ),
        "system": _may_be_missing(items.system),
        "group": _may_be_missing(items.group),
        "batch": None,
        "duplicate_of": None,
        "join": None,
    }
    return study.model_copy(update={"items": items.model_copy(update=changes)})


def _may_be_missing(name: str | None) -> str | None:
    return None if name is None else f"{name.rstrip('?')}?"
