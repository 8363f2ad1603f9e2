"""Whose answers a judge's are: those that were kept of an earlier one, or new ones."""

import shutil
from pathlib import Path

import pytest

from tests.judging.conftest import Command, kept, write_judges
from tests.judging.model_server import Json, ModelServer, answer_to, model_server


def entry(server: ModelServer, name: str, kind: str = "openai", more: str = "") -> str:
    key = "" if kind == "openai" else ", key: ROBOT_KEY"
    return f"{{judge: {name}, {kind}: {{address: '{server.address}', model: wanted{key}{more}}}}}"


def another_model(server: ModelServer) -> None:
    """The server answers as another model from now on, and otherwise than before."""

    def other(schema: Json, text: str, again: bool) -> Json:
        return {**answer_to(schema, text, again=True), "warmth": 2}

    server.model = lambda number: "model-2"
    server.answer = other


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_another_version_of_a_model_is_asked_afresh(
    study: Path, run: Command, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("ROBOT_KEY", "sk-very-secret")
    with model_server() as server:
        write_judges(study, entry(server, "mini-1", kind))
        assert run("judge", study).code == 0
        another_model(server)
        before = len(server.bodies)
        new = entry(server, "mini-2", kind, ", version: '2026-11'")
        write_judges(study, entry(server, "mini-1", kind), new)
        done = run("judge", study, "--json")
        assert done.code == 0, done.err
        assert len(server.bodies) - before == done.json["requests"] == 10
        assert {each["model"] for each in kept(study) if each["judge"] == "mini-2"} == {"model-2"}
        # What is sent says nothing of it: it is the judge's own business.
        assert not any(b"2026-11" in body for body in server.bodies)
        assert run("judge", study, "--json").json["requests"] == 0, "and goes on without paying twice"
    assert run("judge-card", study).code == 0
    card = (study / "judge-cards" / "mini-2.json").read_text("utf-8")
    assert "model-2" in card
    assert "model-1" not in card
    assert "2026-11" in card


def test_a_new_version_of_the_same_judge_takes_the_place_of_the_old_one(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, entry(server, "mini"))
        assert run("judge", study).code == 0
        another_model(server)
        sent = len(server.bodies)
        again = run("judge", study, "--replace", "--reason", "a new model")
        assert len(server.bodies) == sent
        assert "Nothing was asked" in again.out
        assert "`version`" in again.out
        write_judges(study, entry(server, "mini", more=", version: two"))
        refused = run("judge", study)
        assert "under another prompt, model or rubric" in refused.err
        done = run("judge", study, "--replace", "--reason", "a new model", "--json")
    assert done.json["requests"] == 10
    assert done.json["judged_replaced"] + done.json["judged_known"] == 10


def test_a_run_says_whose_answers_it_took_over(study: Path, run: Command) -> None:
    """A judge of the same settings under another name asks nobody: that is said, and what to do."""
    with model_server() as server:
        write_judges(study, entry(server, "mini-1"))
        first = run("judge", study)
        assert "taken from" not in first.out
        another_model(server)
        sent = len(server.bodies)
        write_judges(study, entry(server, "mini-2"))
        estimate = run("judge", study, "--estimate")
        said = run("judge", study)
        assert run("judge", study, "--json").json["taken_over"] == [
            {"judge": "mini-2", "earlier": "mini-1", "answers": 10}
        ]
        assert len(server.bodies) == sent
    line = "mini-2: 10 answers taken from mini-1, which was asked the very same"
    assert line in said.out
    assert "`version`" in said.out
    assert "0 requests to send" in estimate.out


def test_a_lost_folder_of_answers_is_paid_for_again_only_where_somebody_wants_it(study: Path, run: Command) -> None:
    """The judgments are in the store, their answers are gone: nothing is asked before somebody has decided."""
    with model_server() as server:
        write_judges(study, entry(server, "mini"))
        assert run("judge", study).code == 0
        sent = len(server.bodies)
        shutil.rmtree(study / "judged")
        refused = run("judge", study)
        assert refused.code == 1
        assert "its answers are not in the folder `judged` here" in refused.err
        assert "bring that folder back" in refused.err
        assert len(server.bodies) == sent
        done = run("judge", study, "--replace", "--reason", "the answers are lost", "--json")
        assert done.json["requests"] == len(server.bodies) - sent > 0


def test_without_a_version_what_was_answered_before_is_known(study: Path, run: Command) -> None:
    """The keys of requests are what they were before there were versions: nobody pays twice for having updated."""
    with model_server() as server:
        write_judges(study, entry(server, "mini"))
        run("judge", study)
        address = server.address
    for each in kept(study):
        assert each["request"]["to"] == {"address": address}
