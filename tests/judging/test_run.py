"""Runs of judges against a real server, from the command to the store."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from assay.judging.answer_log import AnswerLog
from assay.judging.judges_file import load_judges
from assay.store import open_store
from assay.web import create_app
from tests.judging.conftest import STUDY, Command, kept, write_judges, write_study
from tests.judging.model_server import Json, ModelServer, answer_to, model_server
from tests.straight_client import StraightClient

FAST = "limits: {wait: 0.01, seconds: 1}"


def openai(server: ModelServer, more: str = "", settings: str = "") -> str:
    """An entry for a judge behind a server."""
    reached = f"openai: {{address: '{server.address}/v1', model: wanted{settings}}}"
    return f"{{judge: robot, {reached}, {more or FAST}}}"


def stored(run: Command, folder: Path) -> list[dict[str, str]]:
    """The judgments of judges, as the export has them."""
    out = folder / "long.csv"
    assert run("export", folder, "--format", "csv", "--what", "judgments", "--out", out).code == 0
    with out.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["annotator"] == "robot"]


def test_every_item_is_judged_once_and_stored_as_an_import(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, openai(server))
        done = run("judge", study, "--json")
    assert done.code == 0, done.err
    assert done.json["judged"] == 10
    assert done.json["import"] is not None
    assert {each["item"] for each in stored(run, study)} == {f"canary-id-{number}" for number in range(10)}
    assert "robot" in run("import", study, "--list").out


def test_the_same_command_again_asks_nobody(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, openai(server))
        run("judge", study)
        before = len(server.bodies)
        again = run("judge", study, "--json")
    assert len(server.bodies) == before
    assert again.json["requests"] == again.json["judged"] == 0
    assert again.json["judged_known"] == 10


@pytest.mark.parametrize(
    "fault",
    ["429", "429 without a word", "500", "503", "half", "no JSON", "another interface", "hang up", "slow", "drip"],
)
def test_a_fault_that_passes_costs_no_item(study: Path, run: Command, fault: str) -> None:
    with model_server(fault=lambda number, body: fault if number in (0, 3, 4) else "") as server:
        write_judges(study, openai(server))
        done = run("judge", study, "--json")
    assert done.code == 0, done.err
    assert done.json["judged"] == 10
    assert len(server.bodies) >= done.json["requests"] + 3
    assert len({each["key"] for each in kept(study)}) == len(kept(study)) == done.json["requests"]


def test_a_fault_that_stays_leaves_the_item_for_the_next_run(study: Path, run: Command) -> None:
    """Only the item that fails is left; the next run asks for it alone."""

    def broken(number: int, body: Json) -> str:
        return "400" if "Reply number 4." in json.dumps(body) else ""

    with model_server(fault=broken) as server:
        write_judges(study, openai(server, "limits: {wait: 0.01, at_once: 1}"))
        done = run("judge", study, "--json")
        assert done.code == 1
        assert [each["item"] for each in done.json["failures"]] == ["canary-id-4"]
        assert "400" in done.json["failures"][0]["why"]
        assert done.json["judged"] == 9
        server.fault = lambda number, body: ""
        before = len(server.bodies)
        assert run("judge", study, "--json").json["judged"] == 1
        assert all("Reply number 4." in json.dumps(body) for body in server.requests[before:])


def test_a_wrong_key_ends_the_run_at_once_and_is_said_nowhere(
    study: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_KEY", "sk-very-secret")
    with model_server(fault=lambda number, body: "401") as server:
        write_judges(study, openai(server, "limits: {at_once: 1}", ", key: ROBOT_KEY"))
        done = run("judge", study)
    assert done.code == 1
    assert len(server.bodies) == 1
    assert server.headers[0]["authorization"] == "Bearer sk-very-secret"
    assert "401" in done.err
    assert "very-secret" not in done.err + done.out


def test_a_judge_that_does_not_answer_keeps_no_other_from_it(study: Path, run: Command) -> None:
    with model_server() as server:
        broken = "{judge: broken, command: [no-such-program]}"
        write_judges(study, broken, openai(server))
        done = run("judge", study, "--json")
    assert done.code == 1
    assert done.json["judged"] == 10
    assert list(done.json["silent"]) == ["broken"]
    assert "broken does not answer: no-such-program cannot be started" in done.err


def test_the_key_is_kept_nowhere(study: Path, run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where a server says it back."""
    monkeypatch.setenv("ROBOT_KEY", "sk-very-secret")
    with model_server(model=lambda number: "model of sk-very-secret") as server:
        write_judges(study, openai(server, "", ", key: ROBOT_KEY"))
        assert run("judge", study).code == 0
    files = [path for path in study.rglob("*") if path.is_file()]
    assert any(path.name == "answers.jsonl" for path in files)
    assert not [path for path in files if b"very-secret" in path.read_bytes()]


def test_a_key_that_is_not_set_is_said_before_anything_is_sent(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, openai(server, "", ", key: NO_SUCH_KEY"))
        done = run("judge", study)
    assert done.code == 1
    assert "NO_SUCH_KEY is not set" in done.err
    assert server.bodies == []


# The study's rules


def warm_without_note(schema: Json, text: str, again: bool) -> Json:
    return {"warmth": 5, "clear": 1, "note": "The second line." if again else None}


def test_an_answer_that_breaks_a_rule_goes_back_with_the_reasons(study: Path, run: Command) -> None:
    with model_server(answer=warm_without_note) as server:
        write_judges(study, openai(server))
        done = run("judge", study, "--json")
    assert done.json["judged"] == 10
    assert done.json["unable"] == 0
    second = [body for body in server.requests if len(body["messages"]) > 2]
    assert len(second) == 10
    assert "Say what makes it so warm." in second[0]["messages"][-1]["content"]
    assert {row["value"] for row in stored(run, study) if row["dimension"] == "note"} == {"The second line."}


@pytest.mark.parametrize("fault", ["refusal", "cut off", "prose"])
def test_what_is_no_answer_is_asked_again_and_then_stored_as_unable(study: Path, run: Command, fault: str) -> None:
    with model_server(fault=lambda number, body: fault) as server:
        write_judges(study, openai(server, "ask_again: 1, limits: {at_once: 2}"))
        done = run("judge", study, "--json")
        assert len(server.bodies) == 20
        assert run("judge", study, "--json").json["requests"] == 0
    assert done.code == 0
    assert done.json["unable"] == 10
    rows = stored(run, study)
    assert {row["dimension"] for row in rows} == {"warmth", "clear"}
    assert {row["value"] for row in rows} <= {"", "unable"}
    passes = kept(study, "passes.jsonl")
    assert len(passes) == 10
    assert all(each["unable"] and each["said"] for each in passes)


def test_a_model_that_changes_its_name_is_noted(study: Path, run: Command) -> None:
    with model_server(model=lambda number: "model-1" if number < 6 else "model-2") as server:
        write_judges(study, openai(server, "limits: {at_once: 1}"))
        done = run("judge", study)
    assert "more than one model: model-1 (6), model-2" in done.out
    assert {each["model"] for each in kept(study)} == {"model-1", "model-2"}


# What is kept, and what it costs


def test_every_answer_is_kept_whole_with_its_request(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, openai(server, "repeats: 2", ", temperature: 0.5, seed: 7"))
        run("judge", study)
    sent = server.requests
    for each in kept(study):
        assert each["request"]["body"] in sent
        assert each["request"]["body"]["temperature"] == 0.5
        assert each["request"]["body"]["seed"] == 6 + each["request"]["repeat"]
        assert each["answer"]["choices"][0]["message"]["content"] == each["text"]
        assert each["model"] == "model-1"
        assert each["tokens"]["in"] > 100
        assert len(each["prompt"]) == 64
        assert each["at"] > 0
    assert {each["pass"] for each in kept(study, "passes.jsonl")} == {1, 2}


def test_the_budget_stops_the_run_and_more_of_it_goes_on(study: Path, run: Command) -> None:
    with model_server() as server:
        entry = openai(server, "price: {input: 1000, output: 1000}, limits: {at_once: 3}")
        write_judges(study, entry)
        cost = run("judge", study, "--estimate", "--json").json[0]["money"]
        write_judges(study, entry, more=f"budget: {{money: {cost / 2}}}\n")
        stopped = run("judge", study, "--json")
        assert stopped.code == 1
        assert "the budget is spent" in stopped.err
        first = len(server.bodies)
        assert 0 < first < 10
        assert stopped.json["money"] <= cost / 2
        # What was spent counts in the next run too: nothing more is sent.
        assert run("judge", study, "--json").json["requests"] == 0
        write_judges(study, entry, more=f"budget: {{money: {cost * 3}}}\n")
        assert run("judge", study, "--json").json["requests"] == len(server.bodies) - first
        assert {each["item"] for each in kept(study, "passes.jsonl")} == {f"canary-id-{n}" for n in range(10)}


@pytest.mark.parametrize(("budget", "requests"), [(50_000, 1), (500_000, 2), (900_000, 4)])
def test_answers_that_take_far_more_than_was_expected_stop_the_run_before_they_exceed_the_budget(
    study: Path, run: Command, budget: int, requests: int
) -> None:
    """Only the first answer can: it is waited for alone. The next request is put aside as much as it took."""
    with model_server(usage=200_000, pause=0.05) as server:
        entry = openai(server, "price: {input: 1, output: 1}, limits: {at_once: 4}")
        write_judges(study, entry, more=f"budget: {{tokens: {budget}}}\n")
        stopped = run("judge", study, "--json")
        assert stopped.code == 1
        assert "the budget is spent" in stopped.err
        assert len(server.bodies) == stopped.json["requests"] == requests
        # The next run knows it from the first.
        write_judges(study, entry, more=f"budget: {{money: {budget / 1e6}}}\n")
        assert run("judge", study, "--json").json["requests"] == 0
        assert len(server.bodies) == requests


def test_without_a_budget_nobody_waits_for_a_first_answer(study: Path, run: Command) -> None:
    with model_server(usage=200_000, pause=0.05) as server:
        write_judges(study, openai(server, "limits: {at_once: 3}"))
        assert run("judge", study).code == 0
    assert server.most_at_once == 3


def test_an_answer_that_does_not_count_its_tokens_is_not_free(study: Path, run: Command) -> None:
    with model_server(fault=lambda number, body: "no usage") as server:
        entry = openai(server, "price: {input: 1000, output: 1000}")
        write_judges(study, entry, more="budget: {money: 1000}\n")
        done = run("judge", study)
    assert "cost " in done.out
    assert all(each["tokens"]["in"] > 100 and not each["tokens"]["counted"] for each in kept(study))


def test_an_estimate_sends_nothing(study: Path, run: Command) -> None:
    write_judges(
        study, "{judge: robot, openai: {address: 'http://127.0.0.1:9', model: m}, price: {input: 2, output: 8}}"
    )
    done = run("judge", study, "--estimate", "--json")
    assert done.code == 0, done.err
    assert done.json[0]["requests"] == 10
    assert done.json[0]["tokens_in"] > 1000
    assert done.json[0]["money"] == pytest.approx(
        (done.json[0]["tokens_in"] * 2 + done.json[0]["tokens_out"] * 8) / 1e6, 0.01
    )


def test_no_more_requests_are_under_way_than_the_limit_allows(study: Path, run: Command) -> None:
    with model_server(pause=0.03) as server:
        write_judges(study, openai(server, "limits: {at_once: 3}"))
        run("judge", study)
    assert server.most_at_once == 3


def test_a_changed_prompt_is_refused_before_it_is_paid_for(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, openai(server))
        run("judge", study)
        write_judges(study, openai(server, "reasons: true"))
        before = len(server.bodies)
        refused = run("judge", study)
        assert refused.code == 1
        assert "under another prompt, model or rubric" in refused.err
        assert len(server.bodies) == before
        assert "a reason is needed" in run("judge", study, "--replace").err
        assert len(server.bodies) == before
        server.answer = lambda schema, text, again: {**answer_to(schema, text, again=True), "warmth": 2}
        done = run("judge", study, "--replace", "--reason", "a better prompt", "--json")
    assert done.json["judged_replaced"] + done.json["judged_known"] == 10
    assert done.json["judged_replaced"] > 0
    now = [row for row in stored(run, study) if row["superseded"] in ("", "0", "false", "False")]
    assert {row["value"] for row in now if row["dimension"] == "warmth"} == {"2"}


def test_a_dimension_that_is_asked_later_and_has_changed_is_found_before_it_is_paid_for(
    study: Path, run: Command
) -> None:
    with model_server() as server:
        reached = f"openai: {{address: '{server.address}', model: m}}"
        write_judges(study, f"{{judge: robot, ask: one-by-one, {reached}}}")
        assert run("judge", study).code == 0
        file = study / "study.yaml"
        changed = file.read_text("utf-8").replace("dimension: clear", "dimension: clear\n    ask: Is all of it clear?")
        file.write_text(changed, "utf-8")
        run("publish", study, "--reason", "a question")
        sent = len(server.bodies)
        done = run("judge", study)
    assert (done.code, "under another prompt" in done.err) == (1, True), done.err
    assert len(server.bodies) == sent


def test_a_person_of_the_same_name_is_refused_before_anything_is_sent(study: Path, run: Command) -> None:
    assert run("invite", study, "--name", "robot").code == 0
    with model_server() as server:
        write_judges(study, openai(server))
        done = run("judge", study)
    assert "an annotator is called 'robot'" in done.err
    assert server.bodies == []


def test_a_judge_takes_no_place_from_people(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, openai(server))
        run("judge", study)
    assert "submitted 20 items" in run("simulate", study, "--annotators", "2").out


# Fair


PAIRS = """\
study: pairs
title: Two replies
items:
  source: pairs.jsonl
  candidates:
    fields:
      - {system: model_a, show: {text: reply_a}}
      - {system: model_b, show: {text: reply_b}}
  show:
    - pair: [text: {field: text}]
rubric:
  - dimension: better
    of: pair
    preference: {}
  - dimension: score
    of: side
    scale: {from: 1, to: 3}
"""


def pairs(folder: Path, items: int, text: str = PAIRS) -> Path:
    write_study(folder, 0, text)
    rows = [
        {"id": f"p{n}", "model_a": "canary-x", "model_b": "canary-y", "reply_a": f"GOOD {n}.", "reply_b": f"POOR {n}."}
        for n in range(items)
    ]
    (folder / "pairs.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return folder


def sees_the_good_one(schema: Json, text: str, again: bool) -> Json:
    left, right = ("left", "right") if text.index("GOOD") < text.index("POOR") else ("right", "left")
    return {"better": left, f"score.{left}": 3, f"score.{right}": 1}


def test_both_orders_are_asked_and_undone(tmp_path: Path, run: Command) -> None:
    study = pairs(tmp_path / "pairs", 12)
    run("import", study)
    with model_server(answer=sees_the_good_one) as server:
        write_judges(study, openai(server))
        done = run("judge", study, "--json")
    assert done.code == 0, done.err
    assert done.json["judged"] == 24
    rows = stored(run, study)
    assert done.json["orders"] == {"robot": {"both": 12, "same": 12, "decided": 24, "left": 12}}
    assert {row["value"] for row in rows if row["dimension"] == "better"} == {"canary-x"}
    assert {(row["system"], row["value"]) for row in rows if row["dimension"] == "score"} == {
        ("canary-x", "3"),
        ("canary-y", "1"),
    }
    first = {row["item"]: row["left"] for row in rows if row["pass"] == "1"}
    second = {row["item"]: row["left"] for row in rows if row["pass"] == "2"}
    assert set(first.values()) == {"canary-x", "canary-y"}, "sides are drawn"
    assert all(first[item] != second[item] for item in first)


def test_a_leaning_to_one_side_is_no_bias_for_a_system(tmp_path: Path, run: Command) -> None:
    study = pairs(tmp_path / "pairs", 12)
    run("import", study)
    always_left = {"better": "left", "score.left": 3, "score.right": 1}
    with model_server(answer=lambda schema, text, again: always_left) as server:
        write_judges(study, openai(server))
        done = run("judge", study)
    assert "0 of 12 preferences stayed the same with sides swapped; left was chosen 24 of 24 times" in done.out
    better = [row for row in stored(run, study) if row["dimension"] == "better"]
    assert all(row["value"] == row["left"] for row in better)
    assert sum(row["value"] == "canary-x" for row in better) == 12 == len(better) / 2


def test_dimensions_one_by_one_know_nothing_of_each_other(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, openai(server, "ask: one-by-one"))
        done = run("judge", study, "--json")
    assert done.json["judged"] == 10
    asked = [set(body["response_format"]["json_schema"]["schema"]["properties"]) for body in server.requests]
    assert {frozenset(each) for each in asked} == {frozenset({"warmth"}), frozenset({"clear"}), frozenset({"note"})}
    texts = [body["messages"][1]["content"] for body in server.requests]
    assert not any("How warm is it?" in text for text, keys in zip(texts, asked, strict=True) if keys == {"clear"})


def test_one_by_one_an_answer_that_is_none_is_asked_again_without_the_other_answers(study: Path, run: Command) -> None:
    def no_answer_first(schema: Json, text: str, again: bool) -> Json:
        [key] = schema["properties"]
        if not again and key != "note":
            return {key: 77}
        return {key: {"warmth": 3, "clear": 1, "note": None}[key]}

    with model_server(answer=no_answer_first) as server:
        write_judges(study, openai(server, "ask: one-by-one"))
        done = run("judge", study, "--json")
    assert (done.json["judged"], done.json["unable"]) == (10, 0)
    again = [body["messages"][-1]["content"] for body in server.requests if len(body["messages"]) > 2]
    assert len(again) == 20
    assert not [said for said in again if "You have answered" in said]


def test_one_by_one_a_broken_rule_names_the_answers_that_it_is_about_and_no_others(study: Path, run: Command) -> None:
    """A note is needed where warmth is 5: whoever is to write it has to know of the 5, and of nothing else."""

    def no_note_first(schema: Json, text: str, again: bool) -> Json:
        [key] = schema["properties"]
        return {key: {"warmth": 5, "clear": 1, "note": "The second line." if again else None}[key]}

    with model_server(answer=no_note_first) as server:
        write_judges(study, openai(server, "ask: one-by-one"))
        done = run("judge", study, "--json")
    assert (done.json["judged"], done.json["unable"]) == (10, 0)
    again = [body["messages"][-1]["content"] for body in server.requests if len(body["messages"]) > 2]
    assert len(again) == 10
    assert all('the item before: {"warmth": "5"}\n' in said for said in again), again[0]


def test_items_come_in_an_order_of_their_own(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, openai(server, "limits: {at_once: 1}"))
        run("judge", study)
    order = [each["item"] for each in kept(study, "passes.jsonl")]
    assert sorted(order) != order
    assert order != [f"canary-id-{number}" for number in range(10)]


def test_a_judge_may_say_how_unsure_it_is_and_that_is_kept_with_its_judgments(study: Path, run: Command) -> None:
    """A doubt off its scale is asked again; none at all is no fault."""

    def unsure(schema: Json, text: str, again: bool) -> Json:
        found = {**answer_to(schema, text, again=again), "warmth": 2}
        if "Reply number 1." in text:
            return {**found, "doubt": None}
        return {**found, "doubt": 11 if "Reply number 2." in text and not again else 3}

    with model_server() as server:
        server.answer = unsure
        write_judges(study, openai(server, f"doubt: true, {FAST}"))
        done = run("judge", study, "--json")
    assert done.code == 0, done.err
    assert done.json["unable"] == 0
    assert server.requests[0]["response_format"]["json_schema"]["schema"]["properties"]["doubt"] == {
        "type": ["integer", "null"],
        "enum": [*range(11), None],
    }
    assert "`doubt`: how unsure you are of these answers, from 0 (sure) to 10" in json.dumps(server.requests[0])
    assert len(server.bodies) == 11, "one was asked again"
    out = study / "long.jsonl"
    assert run("export", study, "--format", "jsonl", "--what", "judgments", "--out", out).code == 0
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    noted = {row["item"]: row["events"] for row in rows}
    assert noted == {f"canary-id-{at}": None if at == 1 else [[0, "doubt:0.3"]] for at in range(10)}
    assert sum("doubt" in each for each in kept(study, "passes.jsonl")) == 9
    assert {row["dimension"] for row in rows} <= {"warmth", "clear", "note"}
    assert run("verify", study).code == 0


def test_how_unsure_it_is_is_not_asked_where_nobody_wants_to_know(study: Path, run: Command) -> None:
    with model_server() as server:
        server.answer = lambda schema, text, again: {**answer_to(schema, text, again=again), "warmth": 2, "doubt": 3}
        write_judges(study, openai(server, f"ask_again: 0, {FAST}"))
        done = run("judge", study, "--json")
    assert "doubt" not in json.dumps(server.requests[0])
    assert done.json["unable"] == 10, "a key that was not asked for is no answer, as before"


CALIBRATED = (
    STUDY
    + """\
gates:
  - calibration: {items: calibration.csv, pass: {max_difference: 1}}
"""
)


def calibrated(folder: Path) -> Path:
    write_study(folder, 4, CALIBRATED)
    (folder / "calibration.csv").write_text(
        "id,response,warmth,clear,note\ncal-1,A very warm reply.,5,1,It is warm.\n", "utf-8"
    )
    return folder


def test_examples_come_from_calibrations_by_name(tmp_path: Path, run: Command) -> None:
    study = calibrated(tmp_path / "study")
    assert run("import", study).code == 0
    with model_server() as server:
        write_judges(study, openai(server, "examples: [cal-1]"))
        assert run("judge", study).code == 0
        assert all("A very warm reply." in json.dumps(body) for body in server.requests)
        assert all('\\"warmth\\": 5' in json.dumps(body["messages"]) for body in server.requests)
        write_judges(study, openai(server, "examples: [canary-id-1]"))
        refused = run("judge", study)
    assert refused.code == 1
    assert "'canary-id-1' is no item of a calibration or practice" in refused.err


def test_the_sides_of_an_example_are_drawn_too(tmp_path: Path, run: Command) -> None:
    """And its answers speak of the sides on which it is shown."""
    study = pairs(tmp_path / "pairs", 2, PAIRS + "gates:\n  - practice: {items: practice.jsonl}\n")
    known = {"id": "ex", "model_a": "x", "model_b": "y", "reply_a": "GOOD one.", "reply_b": "POOR one.", "better": "x"}
    (study / "practice.jsonl").write_text(json.dumps({**known, "score": {"x": 3, "y": 1}}) + "\n", "utf-8")
    assert run("import", study).code == 0
    names = [f"robot{number}" for number in range(8)]
    write_judges(study, *(f"{{judge: {name}, command: [cat], examples: [ex]}}" for name in names))
    seen = set()
    for name in names:
        said = run("judge", study, "--judge", name, "--show", "p1").out
        good_is_left = said.index("GOOD one.") < said.index("POOR one.")
        side, other = ("left", "right") if good_is_left else ("right", "left")
        answers = json.loads(re.findall(r"Known answers: (.*)", said)[0])
        assert answers == {"better": side, f"score.{side}": 3, f"score.{other}": 1}
        seen.add(good_is_left)
    assert seen == {True, False}


def test_an_example_that_is_judged_is_refused(tmp_path: Path, run: Command) -> None:
    study = calibrated(tmp_path / "study")
    path = study / "calibration.csv"
    path.write_text(path.read_text("utf-8").replace("A very warm reply.", "Reply number 2."), "utf-8")
    run("import", study)
    write_judges(study, "{judge: robot, command: [cat], examples: [cal-1]}")
    assert "is also an item that is judged" in run("judge", study).err


# The other kinds


def test_a_program_judges(study: Path, run: Command) -> None:
    (study / "judge.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    assert set(asked['schema']['properties']) == {'warmth', 'clear', 'note'}\n"
        "    said = {'answers': {'warmth': 3, 'clear': 0}, 'model': 'mine'}\n"
        "    print(json.dumps({'id': asked['id'], **said}), flush=True)\n",
        "utf-8",
    )
    write_judges(study, "{judge: robot, command: [python3, judge.py]}")
    done = run("judge", study, "--json")
    assert done.code == 0, done.err
    assert done.json["judged"] == 10
    assert done.json["models"] == [{"judge": "robot", "model": "mine", "answers": 10}]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.exit(3)", "ended with code 3"),
        ("print('hello', flush=True); input()", "wrote a line that is no JSON object"),
        ("import time; input(); time.sleep(9)", "flush it"),
    ],
)
def test_a_program_that_does_not_answer_is_said_to(study: Path, run: Command, program: str, said: str) -> None:
    (study / "judge.py").write_text(program, "utf-8")
    seconds = 0.5 if "sleep" in program else 30  # the others end by themselves, however slowly they begin
    limits = f"{{seconds: {seconds}, retries: 1, wait: 0.01, at_once: 1}}"
    write_judges(study, f"{{judge: robot, command: [python3, judge.py], limits: {limits}}}")
    done = run("judge", study, "--limit", "1")
    assert done.code == 1
    assert said in done.err


def test_a_program_that_is_not_there_is_said_to(study: Path, run: Command) -> None:
    write_judges(study, "{judge: robot, command: [no-such-program]}")
    assert "no-such-program cannot be started" in run("judge", study).err


def test_a_function_judges_and_is_asked_again_when_its_file_changes(study: Path, run: Command) -> None:
    path = study / "judge.py"
    path.write_text("def judge(asked):\n    return {'answers': {'warmth': 3, 'clear': 0}}\n", "utf-8")
    write_judges(study, "{judge: robot, python: {file: judge.py}}")
    assert run("judge", study, "--json").json["judged"] == 10
    path.write_text("def judge(asked):\n    return {'answers': {'warmth': 2, 'clear': 0}}\n", "utf-8")
    assert "under another prompt" in run("judge", study).err
    path.write_text("def other(asked): ...\n", "utf-8")
    assert "has no function 'judge'" in run("judge", study, "--replace", "--reason", "new").err


@pytest.mark.parametrize(
    "reached",
    [
        "anthropic: {address: 'ADDRESS', model: wanted, key: ROBOT_KEY}",
        "http: {address: 'ADDRESS/judge', key: ROBOT_KEY}",
    ],
)
def test_other_interfaces_judge_with_the_same_faults(
    study: Path, run: Command, monkeypatch: pytest.MonkeyPatch, reached: str
) -> None:
    monkeypatch.setenv("ROBOT_KEY", "sk-very-secret")
    faults = ["429", "500", "half", "no JSON", "hang up"]
    with model_server(fault=lambda number, body: dict(enumerate(faults)).get(number, "")) as server:
        write_judges(study, f"{{judge: robot, {reached.replace('ADDRESS', server.address)}, {FAST}}}")
        done = run("judge", study, "--json")
    assert done.code == 0, done.err
    assert done.json["judged"] == 10
    assert done.json["tokens_in"] > 1000
    keys = {headers.get("x-api-key") or headers["authorization"].removeprefix("Bearer ") for headers in server.headers}
    assert keys == {"sk-very-secret"}


def test_a_second_run_at_the_same_time_is_refused(study: Path, run: Command) -> None:
    write_judges(study, "{judge: robot, command: [cat]}")
    with AnswerLog(study):
        assert "another `assay judge` is running" in run("judge", study).err


def test_a_study_without_items_is_told_what_to_do(tmp_path: Path, run: Command) -> None:
    folder = write_study(tmp_path / "study", 3)
    write_judges(folder, "{judge: robot, command: [cat]}")
    assert "`assay import` takes them in" in run("judge", folder).err


def test_only_some_judges_and_some_items(study: Path, run: Command) -> None:
    with model_server() as server:
        two: list[Any] = [openai(server).replace("robot", name) for name in ("one", "two")]
        write_judges(study, *two)
        assert run("judge", study, "--judge", "two", "--limit", "3", "--json").json["judged"] == 3
        assert {each["judge"] for each in kept(study)} == {"two"}
        assert "it has: one, two" in run("judge", study, "--judge", "three").err


def test_pairs_are_judged_on_both_databases(tmp_path: Path, run: Command, database: str) -> None:
    study = pairs(tmp_path / "pairs", 4)
    at = ("--database", database)
    assert run("import", study, *at).code == 0
    with model_server(answer=sees_the_good_one) as server:
        write_judges(study, openai(server))
        first = run("judge", study, *at, "--json")
        assert first.json["judged"] == 8, first.err
        assert run("judge", study, *at, "--json").json["judged_known"] == 8
        write_judges(study, openai(server, "reasons: true"))
        server.answer = lambda schema, text, again: {"reasons": "", "better": "tie", "score.left": 2, "score.right": 2}
        replaced = run("judge", study, *at, "--replace", "--reason", "a new prompt", "--json")
    assert replaced.json["judged_replaced"] == 8
    assert run("import", study, *at, "--undo", replaced.json["import"], "--reason", "no better").code == 0


def test_the_program_and_the_files_of_the_documentation_work(study: Path, run: Command) -> None:
    page = (Path(__file__).parents[2] / "docs" / "judges.md").read_text("utf-8")
    files = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert len(files) >= 2
    for text in files:
        (study / "judges.yaml").write_text(text, "utf-8")
        assert load_judges(study / "judges.yaml", study).judges
    function, program = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    mine = "def my_model(text, key):\n    return {'warmth': 3, 'clear': 1}.get(key)\n\n"
    (study / "judge.py").write_text(mine + program, "utf-8")
    write_judges(study, "{judge: robot, command: [python3, judge.py]}")
    assert run("judge", study, "--json").json["judged"] == 10
    (study / "judge.py").write_text(mine + function, "utf-8")
    write_judges(study, "{judge: mine, python: {file: judge.py}}")
    assert run("judge", study, "--json").json["judged"] == 10


def test_what_a_run_brought_is_seen_by_page_and_over_the_api_as_any_import_is(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, openai(server))
        run("judge", study, "--by", "ana")
    token = run("token", study, "--name", "script", "--scope", "read", "--scope", "export", "--json").json["token"]
    [link] = run("invite", study, "--coordinator", "--json").json
    store = open_store(study / "assay.db")
    client = StraightClient(create_app(store), base_url="http://testserver")
    try:
        headers = {"Authorization": f"Bearer {token}"}
        listed = client.get("/api/v1/studies/small/imports", headers=headers).json()["imports"]
        client.post("/join", data={"token": link["link"].rsplit("/", 1)[1]})
        page = client.get("/coordinate/small/item?name=canary-id-3")
    finally:
        store.close()
    assert ("ana", ["judges.yaml"], ["robot"]) in [(each["by"], each["files"], each["annotators"]) for each in listed]
    assert page.status_code == 200
    assert "robot" in page.text
