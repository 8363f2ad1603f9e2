"""What an annotator gets to see of computed values, where the study says so: after the submission, never before."""

from collections.abc import Mapping

from assay.errors import AnswersRefused
from assay.judgments import read_answers, told_values
from assay.model import Slot, Value
from assay.sides_and_candidates import on_sides
from assay.store.annotator.assignments import Assignment
from assay.study import Study
from assay.web.annotator.result_words import decimal


def computed_words(study: Study, answers: Mapping[Slot, Value]) -> str:
    """The computed values of a submission in a line, such as "Overall 3.40"; empty where none is shown."""
    names = on_sides(study.sides)
    return ", ".join(
        f"{heading} ({names[side]}) {_in_words(study, value)}" if side else f"{heading} {_in_words(study, value)}"
        for heading, side, value in told_values(study, answers)
    )


def computed_earlier(study: Study, assignment: Assignment) -> str:
    """The computed values of a reopened item, unless its form has been changed since it was submitted."""
    if assignment.state == "open" or assignment.changed or not any(each.show != "never" for each in study.derive):
        return ""
    try:
        return computed_words(study, read_answers(study, assignment.shown, assignment.answers))
    except AnswersRefused:
        # Judged under a version with other rules: what it would come to under these is no value of that submission.
        return ""


def _in_words(study: Study, value: Value) -> str:
    if isinstance(value, float):
        return decimal(study.words, value)
    return str(value)
