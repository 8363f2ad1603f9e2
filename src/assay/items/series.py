"""Items with a known answer, in files of their own: for practice, for calibration, and as controls among the others."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import AssayError, ItemMistakes, Mistake
from assay.gates.practice import Practice
from assay.items.intake import Intake, read_items
from assay.model import Slot, Value
from assay.study.items import ImportedJudgments
from assay.study.schema import Study

CONTROLS = "controls"


@dataclass(frozen=True, slots=True)
class Series:
    """One such file, as the study names it."""

    name: str
    """What the store calls it: `controls`, or the file that gates name."""
    file: str
    values: str = ""
    """The field that holds the answers by dimension; nothing: each dimension is a field of its own."""
    reason: str = ""
    """The field that says why."""


@dataclass(frozen=True, slots=True)
class Known:
    """An item with its answers."""

    intake: Intake
    answers: dict[Slot, Value]
    reason: str


def series_of(study: Study) -> list[Series]:
    """The files with known answers that a study names, each once."""
    found = [
        Series(entry.gate.items, entry.gate.items, reason=entry.gate.reason)
        for entry in study.gates
        if isinstance(entry.gate, Practice)
    ]
    if study.assignment.controls is not None:
        controls = study.assignment.controls
        found.append(Series(CONTROLS, controls.items, values=controls.expect))
    return list({each.name: each for each in found}.values())


def read_series(study: Study, series: Series, folder: Path) -> Iterator[Known]:
    """Every item of such a file with its answers. One without any is refused: nobody could be compared with it."""
    path = folder / series.file
    if not path.is_file():
        raise AssayError(f"there is no file {path}", f"{series.file} is named in study.yaml and counts from its folder")
    without: list[Mistake] = []
    for intake in read_items(_as_read(study, series), path):
        assert intake.item is not None
        answers = intake.given[0].answers if intake.given else {}
        if not answers:
            hint = f"write the expected values under {series.values!r}" if series.values else "fill in a dimension"
            without.append(Mistake(f"{series.file}, item {intake.name}", "has no known answer", hint))
        reason = intake.item.hidden.get(series.reason, "") if series.reason else ""
        yield Known(intake, answers, str(reason or ""))
    if without:
        raise ItemMistakes(without)


def _as_read(study: Study, series: Series) -> Study:
    """The study, with its items as such a file has them: who made them may be missing, and answers come along."""
    items = study.items
    paths = {each.dimension: f"{series.values}.{each.dimension}" for each in study.rubric} if series.values else {}
    changes: dict[str, Any] = {
        "judgments": (
            ImportedJudgments.model_construct(judge=items.id[0], values=paths, read={}, positions="", annotator=""),
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
