"""Templates judged by a real server, from the command to the report, with nothing hidden in any request."""

import base64
import csv
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from assay.study import load
from assay.study.templates import template_names
from tests.judging.conftest import Command, kept, write_judges
from tests.judging.model_server import model_server
from tests.selection import first_of

CANARY = "kanarienvogel"
USUAL = ["dialog-pairs", "in-car"]
"""Two candidates, and questions about each entry of a list."""


def plant_canaries(folder: Path) -> list[str]:
    """Put a word into every place of the store that is hidden from people, and list all that must not be sent."""
    with sqlite3.connect(folder / "assay.db") as store:
        rows = store.execute("select item_id, hidden, systems, name, shown from item_hidden join item on id = item_id")
        systems: set[str] = set()
        for item_id, hidden, its_systems, name, shown in rows.fetchall():
            systems |= set(json.loads(its_systems))
            secret = {**json.loads(hidden), "secret": f"{CANARY}-hidden"}
            # A field that no block of the study shows, among those that it does.
            seen: dict[str, Any] = {**json.loads(shown), "unseen": f"{CANARY}-unseen"}
            store.execute("update item_hidden set hidden = ? where item_id = ?", (json.dumps(secret), item_id))
            new = (f"{CANARY}-{name}", json.dumps(seen), item_id)
            store.execute("update item set name = ?, shown = ? where id = ?", new)
    # One template has a system of this name, which is a word of the interface too.
    return [CANARY, *(systems - {"system"})]


@pytest.mark.parametrize("template", first_of(USUAL, sorted({*template_names()} - {*USUAL}), "on other templates"))
def test_a_template_is_judged_from_the_command_to_the_report(template: str, tmp_path: Path, run: Command) -> None:
    folder = tmp_path / template
    assert run("init", template, folder).code == 0
    assert run("import", folder).code == 0
    assert run("simulate", folder, "--annotators", "2").code == 0
    hidden = plant_canaries(folder)
    study = load(folder)
    with model_server(fault=lambda number, body: {1: "429", 2: "500", 3: "half"}.get(number, "")) as server:
        address = f"openai: {{address: '{server.address}/v1', model: wanted}}"
        write_judges(folder, f"{{judge: robot, {address}, guidelines: true, limits: {{wait: 0.01, at_once: 8}}}}")
        done = run("judge", folder, "--json")
    assert done.code == 0, done.err
    assert done.json["unable"] == 0
    assert done.json["judged"] == len(kept(folder, "passes.jsonl")) > 10

    for sent in (*server.bodies, *(json.dumps(each).encode() for each in server.headers)):
        assert not [word for word in hidden if word.encode() in sent]

    every = "\n".join(each["text"] for body in server.requests for each in parts(body))
    for dimension in study.rubric:
        assert dimension.ask in every
        assert all(words in every for words in dimension.boundaries.values())
        assert all(words in every for words in dimension.failures.values())
        assert all(words in every for words in getattr(dimension.input, "anchors", {}).values())
    assert all(rule.message in every for rule in study.rules)

    numbers = json.loads(run("report", folder, "--json").out)
    found = {row["dimension"]: [each["judge"] for each in row["judges"]] for row in numbers["judges"]["dimensions"]}
    assert {each.dimension for each in study.scored_dimensions if each.is_always_asked} <= set(found)
    assert all("robot" in judges for judges in found.values())
    assert "robot" in (folder / "report.html").read_text("utf-8")


def plant_canaries_in_calibration(folder: Path, examples: int) -> list[str]:
    """Put a word into every id and hidden field of the items with known answers; the first so many are examples.

    What is known of an example is shown, and so is its reason. Of the others both are hidden.
    """
    path = folder / "calibration.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows):
        row |= {"eval_id": f"{CANARY}-cal-{number}", "internal": f"{CANARY}-internal"}
        if number >= examples:
            row["reason"] = f"{CANARY}-reason"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return [row["eval_id"] for row in rows[:examples]]


REACHED = {
    "openai": "openai: {address: 'ADDRESS/v1', model: wanted}",
    "anthropic": "anthropic: {address: 'ADDRESS', model: wanted, key: ROBOT_KEY}",
    "http": "http: {address: 'ADDRESS/judge'}",
}
WAYS = {
    "a run": ("--limit", "6"),
    "with examples": ("--limit", "6"),
    "tuned on known answers": ("--tune", "--on", "calibration"),
    "tuned on people": ("--tune", "--on", "people", "--share", "0.3"),
}


@pytest.mark.parametrize(
    ("kind", "way"), [*(("openai", way) for way in WAYS), ("anthropic", "with examples"), ("http", "with examples")]
)
def test_nothing_hidden_is_in_any_request_however_a_judge_is_reached_and_asked(
    kind: str, way: str, tmp_path: Path, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT_KEY", "sk-very-secret")
    folder = tmp_path / "empathy"
    assert run("init", "empathy", folder).code == 0
    shown = plant_canaries_in_calibration(folder, 2 if way == "with examples" else 0)
    assert run("import", folder).code == 0
    if way == "tuned on people":
        assert run("simulate", folder, "--annotators", "2").code == 0
    hidden = plant_canaries(folder)
    asked = "guidelines: true, reasons: true, doubt: true, repeats: 2, limits: {wait: 0.01}"
    examples = f", examples: [{', '.join(shown)}]" if shown else ""
    with model_server(fault=lambda number, body: {1: "429", 2: "half"}.get(number, "")) as server:
        reached = REACHED[kind].replace("ADDRESS", server.address)
        write_judges(folder, f"{{judge: robot, {reached}, {asked}{examples}}}")
        done = run("judge", folder, *WAYS[way], "--json")
    assert done.code == 0, done.err
    assert len(server.bodies) > 5
    for sent in (*server.bodies, *(json.dumps(each).encode() for each in server.headers)):
        assert not [word for word in hidden if word.encode() in sent]
    if shown:
        assert all(b"Known answers" in body for body in server.bodies)


def parts(body: dict[str, Any]) -> list[dict[str, str]]:
    """The texts of a request."""
    content = next(each["content"] for each in body["messages"] if each["role"] == "user")
    return [{"text": content}] if isinstance(content, str) else [each for each in content if "text" in each]


def test_pictures_are_sent_as_such_where_the_judge_can_see(tmp_path: Path, run: Command) -> None:
    """And what comes after some answers on the page comes after them here."""
    folder = tmp_path / "trajectories"
    run("init", "trajectories", folder)
    run("import", folder)
    with model_server() as server:
        address = f"openai: {{address: '{server.address}/v1', model: wanted"
        write_judges(folder, f"{{judge: seeing, {address}}}}}", f"{{judge: blind, {address}, sees: false}}}}")
        assert run("judge", folder, "--limit", "2", "--json").code == 0
    of = {"seeing": [], "blind": []}  # type: dict[str, list[dict[str, Any]]]
    for each in kept(folder):
        of[each["judge"]].append(each["request"]["body"])
    sent = [body for body in server.requests if isinstance(body["messages"][1]["content"], list)]
    assert len(sent) == len(of["seeing"])
    for body in sent:
        [picture] = [each["image_url"]["url"] for each in body["messages"][1]["content"] if each["type"] == "image_url"]
        assert base64.b64decode(picture.removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")
    assert not any("iVBOR" in json.dumps(body) for some in of.values() for body in some), "kept by their hashes alone"
    assert not any("image_url" in json.dumps(body) for body in of["blind"])

    def asks(body: dict[str, Any]) -> set[str]:
        return {key.split(".")[0] for key in body["response_format"]["json_schema"]["schema"]["properties"]}

    assert {frozenset(asks(body)) for body in of["blind"]} == {
        frozenset({"coherence", "efficiency", "thoroughness"}),
        frozenset({"correctness", "preference", "confidence", "comment"}),
    }
    for body in of["blind"]:
        assert ("Reference answer" in body["messages"][1]["content"]) == ("correctness" in asks(body))
