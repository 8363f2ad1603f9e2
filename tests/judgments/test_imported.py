"""Judgments from files are compared with the item: the questions that it asks, and the systems that it compares."""

from typing import Any

from assay.items.imported_judgments import ImportedAnswers
from assay.judgments.file_judgments import HeldAnswers, KnownItem, hold_against_item
from assay.model import Slot, Value
from assay.study.schema import Study
from tests.items.test_reader import BOTH, FIELDS, PREFERENCE, WARMTH, a_study

WHY = {"dimension": "why", "ask_when": "warmth <= 2", "scale": {"from_": 1, "to": 3}}
ITEM = KnownItem({"text": "a text"}, {}, ())
STUDY = a_study(WARMTH, WHY)


def held(answers: dict[Slot, Value], *blank: str, study: Study = STUDY, partial: bool = False) -> HeldAnswers:
    given = ImportedAnswers("ana", False, answers, blank=tuple(map(Slot, blank)))
    return hold_against_item(study, ITEM, given, partial=partial)


def test_a_question_with_a_condition_may_be_blank_where_it_is_not_asked() -> None:
    assert held({Slot("warmth"): 3}, "why").mistakes == []
    [(what, _)] = held({Slot("warmth"): 2}, "why").mistakes
    assert what == "ana has no answer on why, which is asked"
    assert held({Slot("warmth"): 2}, "why", partial=True).mistakes == []


def test_what_is_blank_of_one_candidate_is_missing_of_that_one() -> None:
    study = a_study({**WARMTH, "of": "side"}, candidates=FIELDS, show=BOTH)
    shown: dict[str, Any] = {"candidates": [{"text": "x"}, {"text": "y"}]}
    for answered, blank in (("a", "b"), ("b", "a")):
        given = ImportedAnswers("ana", False, {Slot("warmth", answered): 3}, blank=(Slot("warmth", blank),))
        found = hold_against_item(study, KnownItem(shown, {}, ("ant", "bee")), given, partial=False)
        assert [what for what, _ in found.mistakes] == ["ana has no answer on warmth, which is asked"]


def test_an_answer_to_a_question_that_is_not_asked_is_refused() -> None:
    assert held({Slot("warmth"): 2, Slot("why"): 1}).mistakes == []
    [(what, hint)] = held({Slot("warmth"): 3, Slot("why"): 1}).mistakes
    assert what == "ana has an answer on why, which is not asked"
    assert hint.startswith("it is asked when warmth <= 2")


def test_a_preference_by_name_becomes_a_candidate_of_the_item() -> None:
    study = a_study(PREFERENCE, candidates=FIELDS, show=BOTH)
    shown: dict[str, Any] = {"candidates": [{"text": "x"}, {"text": "y"}]}

    def preferring(name: str) -> HeldAnswers:
        given = ImportedAnswers("ana", False, {}, preferred={Slot("better"): name})
        return hold_against_item(study, KnownItem(shown, {}, ("ant", "bee")), given, partial=False)

    assert preferring("Bee").answers == {Slot("better"): "b"}
    [(what, _)] = preferring("cow").mistakes
    assert what.startswith('"cow" cannot be ana\'s answer on better: it is neither of ant, bee')


def test_texts_are_compared_as_they_are_shown_or_as_they_were_before_cleaning() -> None:
    known = KnownItem({"text": "A text"}, {"text": "<a> a text"}, ())

    def beside(text: str) -> list[tuple[str, str]]:
        given = ImportedAnswers("ana", False, {Slot("warmth"): 3}, said={"text": text})
        return hold_against_item(STUDY, known, given, partial=False).mistakes

    assert beside("A  text\n") == beside("<a> a text") == []
    assert [what for what, _ in beside("another")] == ["the text of text is another one than the item's"]
    assert [what for what, _ in beside(" ")] == ["the text of text is empty here, and the item's is not"]
    known = KnownItem({"text": ""}, {}, ())
    assert beside(" ") == []
    known = KnownItem({"text": "word " * 2000}, {}, ())
    assert beside("word " * 2000) == []
    assert beside("word " * 2000 + "more"), "also at the end of a long text"
