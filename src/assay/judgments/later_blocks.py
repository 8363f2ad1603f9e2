"""Blocks that come after some answers, and the questions that wait for them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.judgments import questions_done
from assay.judgments.questionnaire import questionnaire_of
from assay.judgments.questions import Question
from assay.study.items import ItemBlock
from assay.study.schema import Study

RawAnswers = Mapping[str, Sequence[str]]


def is_revealed(study: Study, shown: Mapping[str, Any], block: ItemBlock, answers: RawAnswers) -> bool:
    """Whether all that a block waits for, of every side and entry, is answered, or certain not to be asked."""
    waited_for = [each for each in questionnaire_of(study, shown).questions if each.slot.dimension in block.after]
    done = questions_done(study, shown, answers)
    return all(question.key in done for question in waited_for)


def revealed_blocks(study: Study, shown: Mapping[str, Any], answers: RawAnswers) -> list[int]:
    """The numbers of the blocks that come later and may be sent after these answers."""
    return [
        number
        for number, block in enumerate(study.items.show)
        if block.after and is_revealed(study, shown, block, answers)
    ]


def awaited_answers(study: Study, shown: Mapping[str, Any], answers: RawAnswers) -> dict[str, list[str]]:
    """The answers that revealed blocks have waited for; without texts, which are there before they are finished."""
    blocks = [study.items.show[number] for number in revealed_blocks(study, shown, answers)]
    awaited = {name for block in blocks for name in block.after if study.dimension(name).input.answer != "text"}
    questions = questionnaire_of(study, shown).questions if awaited else ()
    return {each.key: list(answers.get(each.key, ())) for each in questions if each.slot.dimension in awaited}


def waiting_questions(study: Study, shown: Mapping[str, Any], block: ItemBlock) -> Iterator[Question]:
    """The questions of an item that can be answered only once a block is there."""
    return (each for each in questionnaire_of(study, shown).questions if each.slot.dimension in block.before)
