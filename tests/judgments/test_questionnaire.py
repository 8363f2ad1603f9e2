"""The questionnaire of an item is shared by items that it is the same for, and by no others."""

from itertools import product

import pytest

from assay.judgments import item_rules, questionnaire_of, questions_of
from tests.judgments.studies import GOALS, a_study, goals, note, scale

ITEMS = {"source": "items.csv", "show": [{"text": {"field": "reply"}}, {"text": {"field": "length"}}]}
SHOWN = [{"reply": reply, "length": length} for reply, length in product(("a", "b", ""), ("long", "short", "middling"))]

# When a note is required, and how many questionnaires the nine items then have between them.
CONDITIONS = [
    ("warmth == 1", 1),
    ('length == "long"', 2),
    ('length != "long"', 2),
    ("empty(reply)", 2),
    ('warmth == 1 and length == "long"', 2),
    ('not (length == "long") or empty(reply)', 4),
    ('length == "long" or length == "short"', 3),
    ("length == note", 3),
    ("warmth == 1 and (length == note or empty(reply))", 6),
]


@pytest.mark.parametrize(("when", "different"), CONDITIONS, ids=[when for when, _ in CONDITIONS])
def test_items_share_a_questionnaire_exactly_where_no_rule_tells_them_apart(when: str, different: int) -> None:
    study = a_study(scale("warmth"), note(), items=ITEMS, rules=[{"required": "note", "when": when}])
    found = [questionnaire_of(study, shown) for shown in SHOWN]
    for shown, each in zip(SHOWN, found, strict=True):
        questions = questions_of(study, shown)
        assert (each.questions, each.rules) == (questions, item_rules(study, questions, shown)), shown
    assert len({each.key for each in found}) == len({id(each) for each in found}) == different


@pytest.mark.parametrize(("points", "key"), [(5, "6"), (8, "9"), (9, ""), (10, "")])
def test_who_cannot_judge_says_so_by_the_key_after_the_last_one_where_there_is_one(points: int, key: str) -> None:
    (question,) = questions_of(a_study(scale("warmth", 1, points, unable="Cannot say")), {"text": ""})
    assert question.unable is not None
    assert question.unable.cap == key


def test_one_question_of_an_entry_is_named_by_it_and_several_stand_below_its_text() -> None:
    def named(*dimensions: str) -> list[tuple[str, str]]:
        study = a_study(*(scale(name, of="entries(goals)") for name in dimensions), items=GOALS)
        return [(each.title, each.part) for each in questions_of(study, goals("Go", "Stop"))]

    assert named("reached") == [("Go", "Reached"), ("Stop", "Reached")]
    assert named("reached", "fast") == [("Reached", "Go"), ("Fast", "Go"), ("Reached", "Stop"), ("Fast", "Stop")]
