"""What a judge is asked: the rubric that people read, in the study's language, and nothing else."""

import hashlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from assay.judging.answer_schema import NoAnswer, answer_schema, read_reply
from assay.judgments import questionnaire_of
from assay.study import load
from tests.judging.conftest import STUDY, Command, kept, write_judges, write_study
from tests.judging.model_server import model_server

INPUTS = """\
study: inputs
title: Every kind of answer
items:
  source: items.csv
  show:
    - text: {field: response}
rubric:
  - dimension: warmth
    scale: {from: 1, to: 3}
    unable: Cannot say
  - dimension: right
    yes_no: {}
  - dimension: tone
    choice: {plain: Plain, odd: Odd}
  - dimension: faults
    ask_when: right == 0
    tags: {options: {name: A wrong name, date: A wrong date}, none: None of these}
  - dimension: slips
    optional: true
    counts: {options: {gap: A gap}, where: line}
  - dimension: note
    optional: true
    text: {longest: 20}
"""


def test_show_prints_what_is_asked(study: Path, run: Command) -> None:
    """Also without a file of judges."""
    done = run("judge", study, "--show", "canary-id-3")
    assert done.code == 0, done.err
    for words in (
        "How warm is it?",
        "1: cold",
        "4-5: A 5 has no cold word.",
        "Say what makes it so warm.",
        "Reply number 3.",
    ):
        assert words in done.out
    assert "canary" not in done.out
    write_judges(study, "{judge: robot, command: [cat], reasons: true}")
    assert "`reasons`" in run("judge", study, "--show", "canary-id-3").out
    assert "there is no item 'x'" in run("judge", study, "--show", "x").err
    assert not (study / "judged").exists()


def test_a_judge_of_a_german_study_is_asked_in_german(tmp_path: Path, run: Command) -> None:
    folder = write_study(tmp_path / "study", 2, STUDY.replace("title:", "language: de\ntitle:"))
    run("import", folder)
    said = run("judge", folder, "--show", "canary-id-1").out
    assert "Urteilen Sie allein nach der Rubrik." in said
    assert "# Die Aufgabe" in said


def test_a_prompt_of_ones_own_is_filled_in_and_its_hash_kept(study: Path, run: Command) -> None:
    text = "Be strict.\n{item}\nBy this:\n{rubric}\nAnswer:\n{answers}\n"
    (study / "own.md").write_text(text, "utf-8")
    with model_server() as server:
        write_judges(study, f"{{judge: robot, prompt: own.md, openai: {{address: '{server.address}', model: m}}}}")
        assert run("judge", study).code == 0
    [user] = server.requests[0]["messages"][:1]
    assert user["role"] == "user"
    assert user["content"].startswith("Be strict.\n")
    assert user["content"].index("Reply number") < user["content"].index("How warm is it?")
    assert {each["template"] for each in kept(study)} == {hashlib.sha256(text.encode()).hexdigest()}


def test_the_guidelines_are_read_by_choice(tmp_path: Path, run: Command) -> None:
    folder = write_study(tmp_path / "study", 2, STUDY + "gates:\n  - reading: [guide/rubric.md]\n")
    (folder / "guide" / "rubric.md").write_text("# Guide\n\nWarm words are few.\n", "utf-8")
    run("import", folder)
    for wanted in ("true", "false"):
        write_judges(folder, f"{{judge: robot, command: [cat], guidelines: {wanted}}}")
        assert ("Warm words are few." in run("judge", folder, "--show", "canary-id-1").out) == (wanted == "true")


GOOD = {"warmth": 2, "right": 1, "tone": "odd", "faults": None, "slips": ["gap @3", "gap"], "note": None}


@pytest.mark.parametrize(
    ("changed", "fits"),
    [
        ({}, True),
        ({"warmth": "unable"}, True),
        ({"right": 0, "faults": ["name"]}, True),
        ({"right": 0, "faults": []}, True),
        ({"warmth": 4}, False),
        ({"warmth": None}, False),
        ({"tone": "strange"}, False),
        ({"faults": ["place"]}, False),
        ({"note": 3}, False),
        ({"more": 1}, False),
    ],
)
def test_the_schema_says_what_the_inputs_say(tmp_path: Path, changed: dict[str, object], fits: bool) -> None:
    study = load(write_study(tmp_path, 1, INPUTS))
    questions = questionnaire_of(study, {"response": "x"}).questions
    schema = answer_schema(questions, reasons=False)
    assert set(schema["required"]) == set(schema["properties"]), "as strict servers want it"
    jsonschema.Draft202012Validator.check_schema(schema)
    assert jsonschema.Draft202012Validator(schema).is_valid({**GOOD, **changed}) == fits


@pytest.mark.parametrize(
    "text",
    ["", "no", "[]", "3", '{"warmth": 1', '{"other": 1}', '{"warmth": {"a": 1}}', '{"slips": [1]}', "[" * 100_000],
)
def test_what_is_no_answer_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    study = load(write_study(tmp_path, 1, INPUTS))
    with pytest.raises(NoAnswer):
        read_reply(questionnaire_of(study, {"response": "x"}).questions, text)


def test_answers_are_read_from_a_fence_too(tmp_path: Path) -> None:
    study = load(write_study(tmp_path, 1, INPUTS))
    questions = questionnaire_of(study, {"response": "x"}).questions
    fenced = f"```json\n{json.dumps({'warmth': 2.0, 'right': True})}\n```"
    assert read_reply(questions, fenced).fields["warmth"] == ["2"]


def test_inputs_of_every_kind_come_into_the_store_as_people_would_give_them(tmp_path: Path, run: Command) -> None:
    folder = write_study(tmp_path / "study", 1, INPUTS)
    run("import", folder)
    answer = {**GOOD, "right": 0, "faults": [], "note": "fine"}
    with model_server(answer=lambda schema, text, again: answer) as server:
        write_judges(folder, f"{{judge: robot, openai: {{address: '{server.address}', model: m}}}}")
        assert run("judge", folder, "--json").json["unable"] == 0
    [made] = kept(folder, "passes.jsonl")
    assert made["answers"] == {**answer, "slips": ["gap @3", "gap"]}


def test_a_question_that_is_asked_only_after_an_answer_was_put_right_is_asked(tmp_path: Path, run: Command) -> None:
    """One by one: whether it is right is first said to be 7, and only then 0, after which faults are asked for."""
    folder = write_study(tmp_path / "study", 1, INPUTS)
    run("import", folder)

    def answer(schema: dict[str, Any], text: str, again: bool) -> dict[str, Any]:
        [key] = schema["properties"]
        return {key: {**GOOD, "right": 0 if again else 7, "faults": ["date"]}[key]}

    with model_server(answer=answer) as server:
        reached = f"openai: {{address: '{server.address}', model: m}}"
        write_judges(folder, f"{{judge: robot, ask: one-by-one, {reached}}}")
        assert run("judge", folder, "--json").json["unable"] == 0
    [made] = kept(folder, "passes.jsonl")
    assert made["answers"]["faults"] == ["date"]
    asked = [list(body["response_format"]["json_schema"]["schema"]["properties"]) for body in server.requests]
    assert asked == [["warmth"], ["right"], ["right"], ["tone"], ["faults"], ["slips"], ["note"]]


ENTRIES = """\
study: goals
title: Goals
items:
  source: items.jsonl
  entries: {goals: {from: goals}}
  show:
    - text: {field: response}
rubric:
  - dimension: reached
    of: entries(goals)
    yes_no: {}
"""


def test_an_item_of_which_nothing_is_asked_is_left_out(tmp_path: Path, run: Command) -> None:
    folder = write_study(tmp_path / "study", 0, ENTRIES)
    rows = [{"id": "some", "response": "A", "goals": ["eat", "park"]}, {"id": "none", "response": "B", "goals": []}]
    (folder / "items.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    assert run("import", folder).code == 0
    with model_server() as server:
        write_judges(folder, f"{{judge: robot, openai: {{address: '{server.address}', model: m}}}}")
        assert run("judge", folder, "--json").json["judged"] == 1
    [made] = kept(folder, "passes.jsonl")
    assert len(made["answers"]) == 2
    assert "nothing is asked of 'none'" in run("judge", folder, "--show", "none").err
