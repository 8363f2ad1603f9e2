"""Judgments from a file compared with the item that they are about: its texts, its systems, the study's rules."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assay.errors import AnswerError
from assay.items.imported_judgments import ImportedAnswers, role_of
from assay.judgments.questionnaire import Questionnaire, questionnaire_of
from assay.judgments.rules import Answers, Settled, missing_answers, settle
from assay.mistakes import quote
from assay.model import Slot
from assay.sides_and_candidates import by_candidate, by_side, sides_by_role, slot_of_candidate
from assay.study.schema import Study

COMPARED_LENGTH = 20_000
"""Texts are compared by so many characters of them, white space apart: a cell of a workbook holds 32,767 at most."""
OTHER_TEXT = (
    "some columns may have been sorted without the others: take the rows as they were, or leave the texts out of the "
    "sheet if they are known to be right"
)


@dataclass(frozen=True, slots=True)
class KnownItem:
    """An item as the store has it."""

    shown: Mapping[str, Any]
    hidden: Mapping[str, Any]
    systems: tuple[str, ...]


@dataclass
class HeldAnswers:
    """What somebody said of an item, and what does not fit it."""

    answers: Answers
    mistakes: list[tuple[str, str]] = field(default_factory=list)
    """What is wrong, each with what to do."""
    missing: list[str] = field(default_factory=list)
    """The dimensions on which the study's rules ask for an answer that the file does not have, such as a note."""


def hold_against_item(study: Study, item: KnownItem, given: ImportedAnswers, *, partial: bool) -> HeldAnswers:
    """What somebody said of an item, compared with it, as it will be stored. With `partial` answers may be missing."""
    given, wrong = _of_candidates(study, item, given)
    held = HeldAnswers(dict(given.answers), wrong)
    _compare_texts(study, item, given.said, held)
    for slot, system in given.preferred.items():
        try:
            held.answers[slot] = role_of(system, item.systems)
        except AnswerError as error:
            what = f"{quote(system)} cannot be {given.annotator}'s answer on {slot.dimension}: {error}"
            held.mistakes.append((what, "put it right; items.names maps names that differ"))
    _keep_rules(study, item, given, held, partial)
    return held


def _of_candidates(
    study: Study, item: KnownItem, given: ImportedAnswers
) -> tuple[ImportedAnswers, list[tuple[str, str]]]:
    """What a file says of its own sides, said of the item's candidates; and why it cannot be, with what to do."""
    if given.on_sides is None:
        return given, []
    if sorted(given.on_sides) != sorted(item.systems):
        left, right = map(quote, given.on_sides)
        what = f"{left} stands left and {right} right here, and the item compares {' and '.join(item.systems)}"
        hint = "put it right; items.names maps names that differ"
        return replace(given, answers={}, preferred={}, blank=()), [(what, hint)]
    swapped = given.on_sides[0] != item.systems[0]
    answers = by_candidate(given.answers, study.preference_dimensions, swapped)
    return replace(given, answers=answers, blank=tuple(slot_of_candidate(slot, swapped) for slot in given.blank)), []


def normalise(text: str) -> str:
    """A text without what a spreadsheet may do to it: an apostrophe before a formula, other white space."""
    return " ".join(text.removeprefix("'").split())[:COMPARED_LENGTH]


def text_mistake(name: str, text: str) -> str:
    """What is wrong with a text beside an item's id that is not the item's."""
    if not normalise(text):
        return f"the text of {name} is empty here, and the item's is not"
    return f"the text of {name} is another one than the item's"


def _compare_texts(study: Study, item: KnownItem, said: Mapping[str, str], held: HeldAnswers) -> None:
    """Whether the texts beside an id are the item's. One that was cleaned before it was shown is hidden as it was."""
    system = (study.items.system or "").rstrip("?")
    for name, text in said.items():
        own = [value for value in (item.shown.get(name), item.hidden.get(name)) if isinstance(value, str)]
        # A system may be called otherwise in another file.
        same = study.items.system_name if name == system else str
        if own and normalise(same(text)) not in (normalise(same(each)) for each in own):
            held.mistakes.append((text_mistake(name, text), OTHER_TEXT))


def _keep_rules(study: Study, item: KnownItem, given: ImportedAnswers, held: HeldAnswers, partial: bool) -> None:
    """Which answers are missing by the study's rules, and which were not asked for."""
    here = questionnaire_of(study, item.shown)
    sides = sides_by_role()
    on_page, settled, missing = _settle_answers(study, here, held.answers)
    if not given.judge:
        held.missing = _dimensions_without_answer(settled, missing)
    for slot in given.blank:
        at = Slot(slot.dimension, sides.get(slot.side, ""), slot.entry)
        if at.key in missing and not study.dimension(slot.dimension).optional and not partial:
            what = f"{given.annotator} has no answer on {slot.dimension}, which is asked"
            held.mistakes.append((what, "fill it in; or --partial takes in what is there"))
    asked = {question.slot for question in settled.questions}
    for question in here.questions:
        if question.slot not in asked and on_page.get(question.slot) is not None:
            what = f"{given.annotator} has an answer on {question.slot.dimension}, which is not asked"
            held.mistakes.append((what, f"it is asked when {question.dimension.ask_when}: empty the cell"))


def missing_by_rule(study: Study, shown: Mapping[str, Any], answers: Answers) -> list[str]:
    """The dimensions on which a rule asks for an answer that is not there, such as a note; answers by candidate."""
    _, settled, missing = _settle_answers(study, questionnaire_of(study, shown), answers)
    return _dimensions_without_answer(settled, missing)


def _settle_answers(study: Study, here: Questionnaire, answers: Answers) -> tuple[Answers, Settled, Collection[str]]:
    """The answers as the page would have them, which questions they leave asked, and which of these lack an answer."""
    on_page = by_side(answers, study.preference_dimensions, swapped=False)
    settled = settle(here.rules, here.questions, on_page)
    return on_page, settled, missing_answers(settled.rules, settled.questions, settled.answers)


def _dimensions_without_answer(settled: Settled, missing: Collection[str]) -> list[str]:
    asked = (each for each in settled.questions if each.key in missing)
    return [each.slot.dimension for each in asked if each.dimension.optional]
