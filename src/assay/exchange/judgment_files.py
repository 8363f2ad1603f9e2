"""One JSON file for each submission about a pair, with the models that stood left and right."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from assay.exchange import Column, Export, ExportData, ExportResult
from assay.exchange.submissions import FileNames, Submission, id_fields, submissions
from assay.exchange.tables import as_time, seconds
from assay.model import Slot, Value
from assay.sides_and_candidates import roles_by_side, sides_of
from assay.study.rubric import Dimension
from assay.study.schema import Study

EQUAL = {"tie": "equal"}


class JudgmentFilesExport(Export):
    """A folder with one JSON file for each judged pair, `<annotator>_<submission>.json`, with left and right models.

    For studies that compare two systems. `left_model` and `right_model` say who stood where for this annotator, and
    `preference` is left, right or equal; beside it `preference_model` names the system, because sides were drawn anew
    for each annotator and must never be pooled. Each judgment is in one file and nowhere else.
    """

    kind: ClassVar[str] = "judgment-files"

    def refuses(self, study: Study) -> str:
        if study.items.candidates is None:
            return "this layout needs pairs: it says which of two models stood left and which right"
        return ""

    def write(self, data: ExportData, path: Path) -> ExportResult:
        names, count, unplaced = FileNames(), 0, 0
        for submission in submissions(data.of_people("time")):
            head = submission.head
            if not head.left:
                unplaced += 1
                continue
            record = json.dumps(_record(data, submission), ensure_ascii=False, indent=2, allow_nan=False)
            file = path / f"{names[head.annotator]}_{head.submission}.json"
            file.write_text(record + "\n", "utf-8")
            count += 1
        said = f"{unplaced:,} judged pairs are left out: imported ones do not say who stood where; csv has them"
        return ExportResult(count, "judged pairs", [said] if unplaced else [])

    def columns(self, data: ExportData) -> Iterator[tuple[str, Column]]:
        for name, words in _FIRST_KEYS.items():
            yield "*.json", Column(name, words)
        for key, dimension, _ in _keys(data.study):
            yield "*.json", Column(key, "", dimension=dimension.dimension)
            if dimension.input.compares:
                yield "*.json", Column(f"{key}_model", f"the system that {key} means")


_FIRST_KEYS = {
    "annotation_id": "the submission",
    "sample_id": "what identifies the item, under the name of its field",
    "annotator_id": "the annotator's pseudonym",
    "timestamp": "when it was submitted, UTC",
    "pass": "1 for the first time, 2 for a duplicate",
    "left_model": "the system that stood left",
    "right_model": "the system that stood right",
    "time_spent_seconds": "how long the annotator was active on it; null where unknown",
}


def _record(data: ExportData, submission: Submission) -> dict[str, Any]:
    head = submission.head
    right = next(system for system in head.systems if system != head.left)
    answers: dict[str, Any] = {}
    for key, dimension, slot in _keys(data.study, swapped=head.left != head.systems[0]):
        value = submission.of(slot.dimension, slot.side)
        answers[key] = _value_in_file(dimension, value, head.left, right)
        if dimension.input.compares:
            answers[f"{key}_model"] = value
        if dimension.scope.of == "entries":
            answers[key] = {
                each.entry: said for each, said in submission.answers.items() if each.dimension == slot.dimension
            }
    return {
        "annotation_id": head.submission,
        **id_fields(data.study, data, head.item),
        "annotator_id": head.annotator,
        "timestamp": as_time(head.submitted_at),
        "pass": head.pass_,
        "left_model": head.left,
        "right_model": right,
        **answers,
        "time_spent_seconds": seconds(head.active_ms),
    }


def _keys(study: Study, swapped: bool = False) -> Iterator[tuple[str, Dimension, Slot]]:
    """What a file calls each answer, with its slot."""
    sided = [each for each in study.rubric if each.scope.of == "side"]
    for side, role in roles_by_side(swapped).items():
        for each in sided:
            yield f"{side}_{each.dimension}", each, Slot(each.dimension, role)
    texts = [each for each in study.rubric if each.scope.of != "side" and each.input.answer == "text"]
    for each in study.rubric:
        if each.scope.of != "side":
            # The one free text is what the original calls comments.
            key = "comments" if [each] == texts else each.dimension
            yield key, each, Slot(each.dimension)


def _value_in_file(dimension: Dimension, value: Value, left: str, right: str) -> Any:
    if value is not None and dimension.input.compares:
        return sides_of((left, right)).get(str(value), EQUAL.get(str(value), value))
    if value is not None and dimension.input.kind == "yes_no":
        return bool(value)
    return value
