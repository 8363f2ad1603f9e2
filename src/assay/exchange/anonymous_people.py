"""What people said about themselves, for publishing: no answer that fewer than five gave, and none beside another.

Each question draws its own pseudonyms, so that answers to several questions cannot be put together to one person.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from assay.exchange.anonymous import BEGINNING, Names
from assay.study.person import PersonAnswer

LEAST = 5
"""What fewer people have answered may tell who one of them is."""


@dataclass(frozen=True)
class AnonymousAnswers:
    """Answers as they may be published, and what is missing among them."""

    answers: list[PersonAnswer]
    suppressed: Counter[str] = field(default_factory=Counter)
    """How many answers say nothing, by question: fewer than five people gave the same."""
    left_out: tuple[str, ...] = ()
    """Questions that are not there: free texts, and those whose few other answers could be guessed."""

    def lines(self) -> list[str]:
        """What was changed, for the report beside the data."""
        said = [
            f"- `{name}`: {count:,} answers are empty: fewer than five people gave the same"
            for name, count in sorted(self.suppressed.items())
        ]
        return [
            "- Questions about the person: the pseudonyms of each question are its own, so that answers to several "
            "questions cannot be put together; the times of answers are gone.",
            *(f"  {each}" for each in said),
            *(f"  - `{name}`: left out, a free text or too few answers" for name in self.left_out),
        ]


def anonymous_answers(given: Iterable[PersonAnswer], closed: Collection[str], key: bytes) -> AnonymousAnswers:
    """The same answers for publishing. `closed` are the questions with a list of answers: others are free texts."""
    names, by_question = Names(key), dict[str, list[PersonAnswer]]()
    for each in given:
        by_question.setdefault(each.question, []).append(each)
    found, suppressed, left_out = list[PersonAnswer](), Counter[str](), list[str]()
    for question, answers in sorted(by_question.items()):
        counts = Counter(_value(each) for each in answers)
        rare = sum(count for count in counts.values() if count < LEAST)
        # Where few answers are suppressed, a reader could guess them: they are the ones that nobody else has.
        if question not in closed or 0 < rare < LEAST or len(answers) < LEAST:
            left_out.append(question)
            continue
        suppressed[question] = rare
        changed = [
            replace(
                each,
                annotator=f"r-{names.of(f'question {question}', each.annotator, 10)}",
                value=each.value if counts[_value(each)] >= LEAST else None,
                answered_at=BEGINNING,
            )
            for each in answers
        ]
        found += sorted(changed, key=lambda each: each.annotator)
    return AnonymousAnswers(found, +suppressed, tuple(left_out))


def _value(answer: PersonAnswer) -> str:
    return json.dumps(answer.value, sort_keys=True)
