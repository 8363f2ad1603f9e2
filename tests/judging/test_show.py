"""What `assay judge --show` prints: every request about an item, as it is sent."""

import json
import re
from pathlib import Path
from typing import Any

from tests.judging.conftest import Command, kept, write_judges
from tests.judging.model_server import model_server


def asked_in(request: dict[str, Any]) -> set[str]:
    """The dimensions that a request asks for."""
    return {key.split(".")[0] for key in request["body"]["schema"]["properties"]}


def test_every_request_is_shown_where_dimensions_are_asked_one_by_one(study: Path, run: Command) -> None:
    write_judges(study, "{judge: robot, command: [cat], ask: one-by-one}")
    said = run("judge", study, "--show", "canary-id-3").out
    assert re.findall(r"^=== (.*) ===$", said, re.MULTILINE) == [
        "Request 1 of 3: warmth",
        "Request 2 of 3: clear",
        "Request 3 of 3: note",
    ]
    assert said.count("Reply number 3.") == 3
    shown = run("judge", study, "--show", "canary-id-3", "--json").json
    assert [asked_in(each) for each in shown["requests"]] == [{"warmth"}, {"clear"}, {"note"}]
    assert {name: shown[name] for name in shown["requests"][0]} == shown["requests"][0], "the first, as before"


def test_a_single_request_has_no_heading(study: Path, run: Command) -> None:
    said = run("judge", study, "--show", "canary-id-3").out
    assert "===" not in said
    assert len(run("judge", study, "--show", "canary-id-3", "--json").json["requests"]) == 1


def test_what_comes_after_some_answers_is_shown_where_it_comes(tmp_path: Path, run: Command) -> None:
    """The reference answer of the template is in the second request alone, which names what was answered before."""
    folder = tmp_path / "trajectories"
    run("init", "trajectories", folder)
    run("import", folder)
    write_judges(folder, "{judge: robot, command: [cat]}")
    item = json.loads((folder / "samples.json").read_text("utf-8"))["samples"][0]["sample_id"]
    said = run("judge", folder, "--show", item).out
    first, second = re.split(r"^=== Request 2 of 2: .* ===$", said, flags=re.MULTILINE)
    assert "=== Request 1 of 2: coherence, efficiency, thoroughness ===" in first
    assert "Reference answer" not in first
    assert "Reference answer" in second
    assert '"coherence.left": "..."' in second


def test_what_is_shown_is_what_is_sent(study: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(study, f"{{judge: robot, openai: {{address: '{server.address}', model: m}}, ask: one-by-one}}")
        shown = run("judge", study, "--show", "canary-id-3", "--json").json
        assert run("judge", study).code == 0
    passes = {each["item"]: each["requests"] for each in kept(study, "passes.jsonl")}
    sent = {each["key"]: each["request"] for each in kept(study)}
    first_three = [sent[key] for key in passes["canary-id-3"] if len(sent[key]["body"]["messages"]) == 2]
    for each in first_three:
        assert json.dumps(each["body"]) in [json.dumps(one["body"]) for one in shown["requests"]]
    assert len(first_three) == 3
