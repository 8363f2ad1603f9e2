"""assay judge --tune: variants are compared on items that the report says nothing of judges from."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from assay.assignment.tuning_part import TuningPart
from tests.judging.conftest import STUDY, Command, kept, write_judges, write_study
from tests.judging.model_server import Json, ModelServer, answer_to, model_server
from tests.judging.test_run import FAST, PAIRS, pairs, sees_the_good_one

PEOPLE = "  judgments:\n" + "".join(
    f"    - {{annotator: {who}, values: {{warmth: {who}_warmth, clear: {who}_clear}}}}\n" for who in ("ann", "bo")
)
JUDGED = STUDY.replace("rubric:\n", PEOPLE + "rubric:\n")
ITEMS = 80


def entry(server: ModelServer, name: str, more: str = FAST) -> str:
    reached = f"openai: {{address: '{server.address}/v1', model: wanted}}"
    return f"{{judge: {name}, {reached}, price: {{input: 1, output: 2}}, {more}}}"


def warmth_of(number: int) -> int:
    return 1 + number % 4


def like_people(schema: Json, text: str, again: bool) -> Json:
    """Who is told to be careful answers as people do, the others with too much warmth at every second item."""
    found = answer_to(schema, text, again=again)
    number = re.search(r"Reply number (\d+)\.", text)
    at = int(number[1]) if number else 0
    careful = "Be careful." in text
    return {**found, "warmth": warmth_of(at) if careful or at % 2 else 4, "clear": 1 if careful else found["clear"]}


def judged_study(folder: Path) -> Path:
    """A study whose items two people have judged, all alike."""
    write_study(folder, 1, JUDGED)
    with (folder / "items.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        people = [f"{who}{what}" for who in ("ann", "bo") for what in ("", "_warmth", "_clear")]
        rows.writerow(["id", "response", "model", *people])
        for at in range(ITEMS):
            given = [cell for who in ("ann", "bo") for cell in (who, warmth_of(at), 1)]
            rows.writerow([f"i{at}", f"Reply number {at}.", f"canary-system-{at % 2}", *given])
    (folder / "careful.md").write_text("Be careful.\n{rubric}\n{item}\n{answers}\n", "utf-8")
    return folder


@pytest.fixture
def people(tmp_path: Path, run: Command) -> Path:
    folder = judged_study(tmp_path / "study")
    done = run("import", folder, "--with-judgments")
    assert done.code == 0, done.err
    return folder


def in_part(share: float = 0.2, seed: int = 0) -> set[str]:
    part = TuningPart(share, seed, "")
    return {f"i{at}" for at in range(ITEMS) if part.holds(f"i{at}")}


def test_prompts_are_compared_on_a_part_of_peoples_items_that_is_drawn_once(people: Path, run: Command) -> None:
    with model_server() as server:
        server.answer = like_people
        write_judges(people, entry(server, "robot"))
        done = run("judge", people, "--tune", "--prompt", "careful.md", "--json")
        assert done.code == 0, done.err
        found = done.json
        assert found["part"]["share"] == 0.2
        assert set(found["asked"]) == set(found["part_items"]) == in_part(seed=found["part"]["seed"])
        assert len(server.bodies) == 2 * len(found["asked"])
        first, second = found["variants"]
        assert (first["variant"], second["variant"]) == ("robot, careful.md", "robot")
        assert first["agreement"]["same"]["value"] == 1
        assert first["agreement"]["behind"] is None
        assert second["agreement"]["behind"]["value"] == pytest.approx(second["agreement"]["same"]["value"] - 1)
        assert second["agreement"]["behind"]["ci"][1] < 0
        assert found["people"] == found["compared"]["chosen_elsewhere"] == 1
        assert second["by_dimension"]["warmth"]["value"] < first["by_dimension"]["warmth"]["value"] == 1
        asked = [each for each in kept(people) if each["judge"] == "robot"]
        tokens = [(each["tokens"]["in"], each["tokens"]["out"]) for each in asked]
        assert second["cost"]["tokens"] == sum(map(sum, tokens))
        assert second["cost"]["money"] == pytest.approx(sum(sent + 2 * got for sent, got in tokens) / 1_000_000)

        said = run("judge", people, "--tune", "--prompt", "careful.md").out
        assert "0 requests sent" in said, "what was answered is not asked again"
        assert f"0.2 of {ITEMS} items, drawn once by lot: {len(found['asked'])}" in said
        assert "2 variants were compared on the same items. The best of several looks better than it is." in said
        assert "Chosen on other items than it is looked at on, the best one reaches 1.00." in said
        more = run("judge", people, "--tune", "--judge", "robot", "--limit", "3").out
        assert "3 items, 6 questions" in more
        assert "One variant was looked at" in more

        refused = run("judge", people, "--tune", "--share", "0.5")
        assert (refused.code, "0.2 of the items were drawn for tuning before" in refused.err) == (1, True)

        # The chosen prompt in the file: what it answered while it was tuned is not paid for again.
        write_judges(people, entry(server, "robot", f"prompt: careful.md, {FAST}"))
        before = len(server.bodies)
        assert run("judge", people).code == 0
        assert len(server.bodies) - before == ITEMS - len(found["asked"])

    numbers = json.loads(run("report", people, "--json").out)["judges"]
    assert numbers["tuning"] == len(found["asked"])
    assert {on["n_items"] for row in numbers["dimensions"] for on in row["judges"]} == {ITEMS - len(found["asked"])}


def test_nothing_of_it_comes_into_the_study_and_an_estimate_draws_nothing(people: Path, run: Command) -> None:
    with model_server() as server:
        write_judges(people, entry(server, "robot"), entry(server, "other"))
        estimated = run("judge", people, "--tune", "--share", "0.5", "--estimate", "--json").json
        assert [each["requests"] for each in estimated] == [len(in_part(0.5))] * 2
        assert run("judge", people, "--tune", "--judge", "robot").code == 0
    assert {each["item"] for each in kept(people, "passes.jsonl")} == in_part(0.2)
    out = people / "long.csv"
    assert run("export", people, "--format", "csv", "--what", "judgments", "--out", out).code == 0
    assert "robot" not in out.read_text("utf-8")


def test_judges_are_compared_on_known_answers_of_calibrations(tmp_path: Path, run: Command) -> None:
    gate = "gates:\n  - calibration: {items: calibration.csv, pass: {max_difference: 1}}\n"
    folder = write_study(tmp_path / "study", 4, STUDY + gate)
    rows = [f"cal-{at},Reply number {at}.{at},{warmth_of(at)},1," for at in range(12)]
    (folder / "calibration.csv").write_text("\n".join(["id,response,warmth,clear,note", *rows, ""]), "utf-8")
    assert run("import", folder).code == 0
    with model_server() as server:
        server.answer = like_people
        write_judges(folder, entry(server, "robot", f"examples: [cal-3], {FAST}"), entry(server, "other"))
        done = run("judge", folder, "--tune", "--json")
        assert done.code == 0, done.err
        assert done.json["asked"] == sorted(f"cal-{at}" for at in range(12) if at != 3)
        assert done.json["part"] is None
        assert (done.json["asked"] and len(done.json["variants"]), done.json["people"]) == (2, None)
        told = run("judge", folder, "--tune").out
    assert "items with known answers, of calibration and practice: 11 items" in told
    assert "Fewer than 20 items: too few to say that one is better." in told


def test_of_pairs_candidates_are_compared_whichever_side_they_stood_on(tmp_path: Path, run: Command) -> None:
    """Each variant sees the same sides as the judge that it is a variant of, once."""
    folder = pairs(tmp_path / "pairs", 2, PAIRS + "gates:\n  - practice: {items: practice.jsonl}\n")
    known = {"model_a": "x", "model_b": "y", "better": "x", "score": {"x": 3, "y": 1}}
    rows = [{**known, "id": f"k{at}", "reply_a": f"GOOD {at}.", "reply_b": f"POOR {at}."} for at in range(24)]
    (folder / "practice.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    (folder / "left.md").write_text("Choose left.\n{item}\n{answers}\n", "utf-8")
    assert run("import", folder).code == 0

    def answer(schema: Json, text: str, again: bool) -> Json:
        if "Choose left." in text:
            return {"better": "left", "score.left": 3, "score.right": 1}
        return sees_the_good_one(schema, text, again)

    with model_server() as server:
        server.answer = answer
        write_judges(folder, entry(server, "robot"))
        found = run("judge", folder, "--tune", "--prompt", "left.md", "--json").json
        assert len(server.bodies) == 2 * 24
    first, second = found["variants"]
    assert (first["variant"], first["agreement"]["same"]["value"]) == ("robot", 1)
    good_is_left = sum(not each["swapped"] for each in kept(folder, "passes.jsonl") if each["judge"] == "robot")
    assert 0 < good_is_left < 24
    assert second["agreement"]["same"]["value"] == pytest.approx(good_is_left / 24)
    assert second["by_dimension"]["score"]["value"] == pytest.approx(2 * good_is_left / 24 - 1)


def test_a_variant_that_gives_no_answer_does_not_look_better_for_it(people: Path, run: Command) -> None:
    def faulty(schema: Json, text: str, again: bool) -> Json:
        found: Any = like_people(schema, text, again)
        return {**found, "warmth": 9} if "Be careful." in text and "Reply number 1" in text else found

    with model_server() as server:
        server.answer = faulty
        write_judges(people, entry(server, "robot", f"ask_again: 0, {FAST}"))
        found = run("judge", people, "--tune", "--share", "0.9", "--prompt", "careful.md", "--json").json
    careful = next(each for each in found["variants"] if each["variant"] == "robot, careful.md")
    unable = sum(name == "i1" or re.fullmatch(r"i1\d", name) is not None for name in found["asked"])
    assert careful["unable"] == unable > 0
    assert careful["agreement"]["same"]["value"] == pytest.approx(1 - unable / len(found["asked"]))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--on", "people"], "write --tune, too"),
        (["--tune", "--on", "calibration"], "there are no items with known answers"),
        (["--tune", "--on", "calibration", "--share", "0.3"], "--share draws a part of people's items"),
        (["--tune", "--prompt", "none.md"], "none.md: there is no file none.md"),
        (["--tune", "--prompt", "half.md"], "half.md: the prompt has no {answers}"),
    ],
)
def test_mistakes_are_said_in_words(people: Path, run: Command, arguments: list[str], why: str) -> None:
    (people / "half.md").write_text("{item}", "utf-8")
    write_judges(people, "{judge: robot, command: [no-such-program]}")
    done = run("judge", people, *arguments)
    assert (done.code, why in done.err) == (1, True), done.err
    assert "Traceback" not in done.err


def test_before_people_have_judged_any_of_the_part_there_is_nothing_to_compare(study: Path, run: Command) -> None:
    write_judges(study, "{judge: robot, command: [no-such-program]}")
    done = run("judge", study, "--tune")
    assert done.code == 1
    assert "people have judged none of the" in done.err
