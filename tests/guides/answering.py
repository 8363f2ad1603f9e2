"""Answers held against a study's rules, as its page would: what goes through, and what is left of a scale."""

from collections.abc import Mapping
from typing import Any

from assay.errors import AnswersRefused
from assay.inputs.tags import TagsInput
from assay.inputs.text import TextInput
from assay.judgments import questionnaire_of, read_answers
from assay.study import Dimension, Study

Form = dict[str, list[str]]


def sample_item(study: Study) -> dict[str, Any]:
    """An item as its displays expect it."""
    return {name: value for block in study.items.show for name, value in block.display.sample().items()}


def asked_of_item(study: Study) -> list[Dimension]:
    """The dimensions that are asked once for each item, of the pair as a whole, or of each side."""
    return [each for each in study.rubric if each.scope.of in ("item", "pair", "side")]


def on_every_side(study: Study, form: Mapping[str, list[str]]) -> Form:
    """Answers by dimension as the fields of a page: what is asked of each side gets the same on both."""
    asked = questionnaire_of(study, sample_item(study)).questions
    return {each.key: form[each.slot.dimension] for each in asked if each.slot.dimension in form}


def reasons(study: Study, form: Mapping[str, list[str]]) -> set[str]:
    """The dimensions whose answers a page would refuse."""
    try:
        read_answers(study, sample_item(study), on_every_side(study, form))
    except AnswersRefused as refused:
        return {key.partition(".")[0] for key in refused.reasons}
    return set()


def answer_the_rest(study: Study, given: Mapping[str, list[str]]) -> Form:
    """Some answers with others beside them that the rules allow, where there are any."""
    form: Form = dict(given)
    for each in asked_of_item(study):
        if each.dimension not in form and not isinstance(each.input, TagsInput):
            points = [str(value) for value in each.input.values()]
            form[each.dimension] = ["x"] if isinstance(each.input, TextInput) else points[len(points) // 2 :][:1]
        elif each.dimension not in form and isinstance(each.input, TagsInput) and each.input.none:
            form[each.dimension] = ["none"]
    for name in reasons(study, form) - set(given):
        for value in study.dimension(name).input.values():
            if name not in reasons(study, {**form, name: [str(value)]}):
                form[name] = [str(value)]
                break
    return form


def left_of_scale(study: Study, dimension: str, given: Mapping[str, list[str]]) -> set[Any]:
    """The values of a dimension that the rules leave beside other answers."""
    return {
        value
        for value in study.dimension(dimension).input.values()
        if dimension not in reasons(study, answer_the_rest(study, {**given, dimension: [str(value)]}))
    }
