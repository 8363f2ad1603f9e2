"""An item is the same whoever judged it: what a row says of the judging is left out when contents are compared."""

from assay.items.combine_rows import BOTH
from assay.items.rating_fields import without_ratings
from tests.items.test_reader import BOTH as SHOWN
from tests.items.test_reader import GOAL, PREFERENCE, WARMTH, a_study


def test_who_judged_what_and_in_which_run_is_left_out() -> None:
    judge = {"judge": "meta.by", "repeat": "run", "values": {"warmth": "scores.warmth"}}
    study = a_study(WARMTH, judgments=[{"annotator": "who", "values": {"warmth": "score"}}, judge])
    row = {"who": "ana", "score": 3, "meta": {"by": "m-9", "kept": 1}, "run": 2, "scores": {"warmth": 2, "more": 1}}
    assert without_ratings(study, {**row, "source": "x"}) == {
        "meta": {"kept": 1},
        "scores": {"more": 1},
        "source": "x",
    }


def test_where_no_fields_are_named_they_have_the_names_of_the_dimensions() -> None:
    assert without_ratings(a_study(WARMTH, judgments=[{"annotator": "who"}]), {"warmth": 3, "x": 1}) == {"x": 1}
    assert without_ratings(a_study(WARMTH), {"warmth": 3, "x": 1}) == {"warmth": 3, "x": 1}


def test_what_was_said_of_entries_pairs_and_rows_is_left_out() -> None:
    goals = a_study(
        GOAL, entries={"goals": {"from": "targets"}}, judgments=[{"judge": "by", "values": {"goal": "status"}}]
    )
    assert without_ratings(goals, {"targets": {"a": {"status": 1, "turn": 2}, "b": 3}}) == {
        "targets": {"a": {"turn": 2}, "b": 3}
    }
    labels = {"positions": "label", "values": {"better": "_pair.Better"}}
    keys = a_study(PREFERENCE, candidates={"keys": " vs. "}, show=SHOWN, judgments=[labels])
    assert without_ratings(keys, {"A": "x", "B": "y", "A vs. B": {"Better": ["A"]}}) == {"A": "x", "B": "y"}
    assert without_ratings(a_study(WARMTH, judgments=[{"annotator": "who"}]), {BOTH: [{"who": "a", "x": 1}]}) == {
        BOTH: [{"x": 1}]
    }
