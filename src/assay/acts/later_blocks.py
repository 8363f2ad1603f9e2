"""Blocks that come after some answers, and the proof that one was sent: only then can its questions be answered.

The proof of a block travels with it to the page and comes back with the form. Nobody has it before the block was sent:
it is a hash of the submission's name, which no page knows.
"""

from collections.abc import Collection
from hashlib import sha256

from assay.judgments.later_blocks import RawAnswers, awaited_answers, revealed_blocks, waiting_questions
from assay.store.annotator.assignments import Assignment
from assay.study import Study
from assay.words import Translatable


def proof_of(study: Study, assignment: Assignment, number: int) -> str:
    """The proof that a block of the study was sent for this item."""
    return sha256(f"{assignment.submission} {study.hash} {number}".encode()).hexdigest()[:20]


def proofs_of_revealed(study: Study, assignment: Assignment, answers: RawAnswers) -> list[str]:
    """The proofs of all later blocks that these answers reveal."""
    return [proof_of(study, assignment, number) for number in revealed_blocks(study, assignment.shown, answers)]


def first_answers(study: Study, assignment: Assignment, answers: RawAnswers) -> dict[str, list[str]]:
    """The answers that revealed later blocks, as they were when they first did; later changes do not replace them."""
    if not any(block.after for block in study.items.show):
        return {}
    return awaited_answers(study, assignment.shown, answers) | assignment.first


def changed_answers(assignment: Assignment, answers: RawAnswers) -> tuple[str, ...]:
    """The answers that a later block waited for and that were changed after it was sent, each with its first value."""
    changed = {key: was for key, was in assignment.first.items() if sorted(was) != sorted(answers.get(key, ()))}
    return tuple(f"{key} was {', '.join(was) or 'not asked'} before more was shown" for key, was in changed.items())


def early_answers(
    study: Study, assignment: Assignment, answers: RawAnswers, seen: Collection[str]
) -> dict[str, Translatable]:
    """The answers to questions whose block was not sent yet, by question key, each with a message on what to do."""
    found: dict[str, Translatable] = {}
    for number, block in enumerate(study.items.show):
        if block.before and proof_of(study, assignment, number) not in seen:
            label = getattr(block.display, "label", "")
            words = Translatable("answers.after_block", {"block": label})
            if not label:
                words = Translatable("answers.too_early")
            waiting = waiting_questions(study, assignment.shown, block)
            found |= {question.key: words for question in waiting if any(answers.get(question.key, ()))}
    return found
