"""What somebody said of a pair as one record, in the keys of the trajectories study: the two models, the answers."""

from collections.abc import Iterator
from typing import Any

from assay.exchange import Column, ExportData
from assay.exchange.export_columns import as_time, seconds
from assay.exchange.submissions import Submission, id_fields
from assay.model import Slot, Value
from assay.sides_and_candidates import roles_by_side, sides_of
from assay.study.rubric import Dimension
from assay.study.schema import Study

EQUAL = {"tie": "equal"}
NEEDS_PAIRS = "this layout needs pairs: it says which of two models stood left and which right"

FIRST_KEYS = {
    "annotation_id": "the submission",
    "sample_id": "what identifies the item, under the name of its field",
    "annotator_id": "the annotator's pseudonym",
    "timestamp": "when it was submitted, UTC",
    "left_model": "the system that stands left in this record",
    "right_model": "the system that stands right in this record",
    "time_spent_seconds": "how long the annotator was active on it; null where unknown",
}


def pair_record(data: ExportData, submission: Submission, left: str) -> dict[str, Any]:
    """A record with the keys of the original, and with this system on the left."""
    head = submission.head
    right = next(system for system in head.systems if system != left)
    return {
        "annotation_id": head.submission,
        **id_fields(data.study, data, head.item),
        "annotator_id": head.annotator,
        "timestamp": as_time(head.submitted_at),
        "left_model": left,
        "right_model": right,
        **_answers(data.study, submission, left, right),
        "time_spent_seconds": seconds(head.active_ms),
    }


def _answers(study: Study, submission: Submission, left: str, right: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, dimension, slot in _keys(study, swapped=left != submission.head.systems[0]):
        found[key] = _value_in_file(dimension, submission.of(slot.dimension, slot.side), left, right)
        if dimension.scope.of == "entries":
            found[key] = {
                each.entry: said for each, said in submission.answers.items() if each.dimension == slot.dimension
            }
    return found


def preferred_models(study: Study, submission: Submission) -> dict[str, Value]:
    """The system that each preference means, where the record itself says only left or right."""
    return {f"{name}_model": submission.of(name) for name in study.preference_dimensions}


def answer_columns(study: Study, file: str) -> Iterator[tuple[str, Column]]:
    """The keys of the answers, for the data dictionary."""
    for key, dimension, _ in _keys(study):
        yield file, Column(key, "", dimension=dimension.dimension)


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
