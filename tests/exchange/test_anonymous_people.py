"""What people said about themselves, for publishing: nothing that few have said, and nothing beside anything else."""

import csv
from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from assay.exchange.anonymous_people import LEAST, anonymous_answers
from assay.store import Backend
from assay.store.annotator.person_answers import keep_person_answers
from assay.store.coordinator import annotators
from assay.study.person import PersonAnswer
from tests.conftest import T0, make_bench
from tests.inviting import invite
from tests.servers import assay, command
from tests.web.test_questionnaire import asking


def said(question: str, *values: str) -> list[PersonAnswer]:
    return [
        PersonAnswer(f"person-{number}", question, value, T0 + number, False) for number, value in enumerate(values)
    ]


def test_what_fewer_than_five_have_said_is_not_there() -> None:
    found = anonymous_answers(said("age", *["old"] * 6, *["young"] * 3, *["very old"] * 2), ["age"], b"key")
    assert Counter(each.value for each in found.answers) == {"old": 6, None: 5}
    assert found.suppressed == {"age": 5}
    assert len({each.answered_at for each in found.answers}) == 1
    assert "5 answers are empty" in "\n".join(found.lines())


def test_a_question_whose_few_other_answers_could_be_guessed_is_left_out() -> None:
    for values in (["old"] * 9 + ["young"], ["old"] * 4, ["old"] * 2 + ["young"] * 2):
        assert anonymous_answers(said("age", *values), ["age"], b"key").left_out == ("age",)


def test_free_texts_are_left_out() -> None:
    found = anonymous_answers(said("word", *["the same"] * 9), ["age"], b"key")
    assert (found.answers, found.left_out) == ([], ("word",))


def test_answers_to_two_questions_cannot_be_put_together() -> None:
    both = said("age", *["old"] * 6) + said("job", *["nurse"] * 6)
    found = anonymous_answers(both, ["age", "job"], b"key").answers
    people = [{each.annotator for each in found if each.question == question} for question in ("age", "job")]
    assert len(people[0]) == len(people[1]) == 6
    assert not people[0] & people[1]
    assert [each.annotator for each in found[:6]] == sorted(people[0]), "nor by their order"


@given(st.lists(st.sampled_from("abcdef"), max_size=40))
def test_every_value_that_is_there_was_given_by_five_and_so_was_none(values: list[str]) -> None:
    found = anonymous_answers(said("age", *values), ["age"], b"key")
    assert all(count >= LEAST for count in Counter(each.value for each in found.answers).values())


def test_the_command_publishes_answers_without_people(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", edit=asking)
    names = [f"canary-{number}" for number in range(6)]
    bench.store.write(invite, bench.study_id, names, T0)
    for name in names:
        who = bench.store.read(annotators.annotator_id, bench.study_id, name)
        bench.store.write(keep_person_answers, bench.study_id, who, {"age": "old", "word": f"zebra {name}"}, T0)
    where = ["export", str(bench.folder), "--database", bench.store.address, "--what"]
    out = tmp_path / "said.csv"
    assay(*where, "questionnaire", "--anonymous", "--out", out)
    with out.open(encoding="utf-8", newline="") as file:
        assert [(row["question"], row["value"]) for row in csv.DictReader(file)] == [("age", "old")] * 6
    written = "".join(each.read_text("utf-8") for each in tmp_path.glob("said.csv*"))
    assert "canary" not in written
    assert "zebra" not in written
    assert "`word`: left out" in written
    refused = command(*where, "check-ins", "--anonymous", "--out", str(out))
    assert refused.returncode != 0
    assert "for coordinators alone" in refused.stderr
