"""A judge's card knows how the judge was run, wherever the card is made: that is kept with the judgments."""

import io
import json
import shutil
import time
import zipfile
from pathlib import Path
from typing import Any

from assay.items.run_facts import RunFacts
from assay.store import open_store
from assay.store.annotator.versions import version_in_force
from assay.store.coordinator import studies
from assay.store.coordinator.judge_runs import run_facts
from assay.web import create_app
from tests.conftest import Bench, Clock, no_limits
from tests.judging.conftest import STUDY, Command, kept, write_judges, write_study
from tests.judging.model_server import ModelServer, model_server
from tests.web.scripts import Script
from tests.web.test_manage import Manager


def robot(server: ModelServer, more: str = "", settings: str = "temperature: 0.5, seed: 3", name: str = "robot") -> str:
    return f"{{judge: {name}, {more} openai: {{address: '{server.address}', model: m, key: K, {settings}}}}}"


def in_archive(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = json.loads(zipfile.ZipFile(io.BytesIO(answer.content)).read("judge-cards/robot.json"))
    return {name: value for name, value in found.items() if name != "made_at"}


def test_the_command_the_page_and_the_api_make_the_same_card_on_a_server_without_the_studys_folder(
    tmp_path: Path, database: str, run: Command, monkeypatch: Any
) -> None:
    monkeypatch.setenv("K", "secret-key")
    folder = write_study(tmp_path / "study", 4)
    run("import", folder, "--database", database)
    with model_server(model=lambda number: f"m-2026-0{1 + number // 3}") as server:
        write_judges(folder, robot(server))
        assert run("judge", folder, "--database", database, "--json").code == 0
    made = run("judge-card", folder, "--database", database, "--json").json["cards"][0]
    page = (folder / "judge-cards" / "robot.html").read_text("utf-8")
    answers = kept(folder)
    shutil.rmtree(folder)

    facts = made["run"]
    assert facts["models"] == ["m-2026-01", "m-2026-02"]
    assert facts["templates"] == [""]
    assert len(facts["prompts"][0]) == 64
    assert facts["requests"] == len(answers)
    assert facts["tokens_in"] == sum(each["tokens"]["in"] for each in answers)
    assert (facts["first_at"], facts["last_at"]) == (min(all_at := [e["at"] for e in answers]), max(all_at))
    [settings] = facts["settings"]
    assert (settings["kind"], settings["model"], settings["temperature"], settings["seed"]) == ("openai", "m", 0.5, 3)
    assert "127.0.0.1" not in json.dumps(made) + page
    assert "secret-key" not in json.dumps(made) + page
    for said in ("m-2026-01, m-2026-02", facts["prompts"][0][:12], "temperature 0.5", f"{facts['tokens_in']:,}"):
        assert said in page

    store = open_store(database)
    study_id, _ = store.read(studies.find, "small")
    clock = Clock(time.time_ns() // 1_000_000)
    study = store.read(version_in_force, study_id)
    bench = Bench(study, store, study_id, folder, clock, create_app(store, clock, limits=no_limits()))
    manager = Manager(bench)
    made.pop("made_at")
    assert in_archive(manager.client.get(f"{manager.home}/judge-cards")) == made
    assert in_archive(Script(bench).ask("GET", "/judge-cards")) == made
    store.close()


def facts(folder: Path) -> RunFacts:
    store = open_store(str(folder / "assay.db"))
    found = store.read(run_facts, store.read(studies.find, "small")[0])
    store.close()
    return found.get("robot", RunFacts())


def test_what_was_paid_for_in_two_runs_is_counted_once(study: Path, run: Command, monkeypatch: Any) -> None:
    monkeypatch.setenv("K", "secret-key")
    with model_server() as server:
        write_judges(study, robot(server))
        assert run("judge", study, "--limit", "4").code == 0
        assert run("judge", study).code == 0
    answers = kept(study)
    assert facts(study).requests == len(answers)
    assert facts(study).tokens_out == sum(each["tokens"]["out"] for each in answers)


def test_a_card_goes_stale_with_prompt_and_settings_also_where_all_answers_stay_the_same(
    study: Path, run: Command, monkeypatch: Any
) -> None:
    monkeypatch.setenv("K", "secret-key")
    same = {"warmth": 3, "clear": 1, "note": None}
    (study / "own.md").write_text("{item} {answers}", "utf-8")
    with model_server(
        answer=lambda schema, text, again: {key: same.get(key, "Why.") for key in schema["properties"]}
    ) as server:
        write_judges(study, robot(server))
        assert run("judge", study).code == 0
        run("judge-card", study)
        assert run("judge-card", study, "--verify").out == "The card of robot holds.\n"
        for entry, why in (
            (robot(server, settings="temperature: 1"), "its settings have changed: temperature, seed"),
            (robot(server, "reasons: true,"), "its settings have changed: reasons"),
            (robot(server, "prompt: own.md,"), "the prompt's template has changed"),
        ):
            write_judges(study, entry)
            assert run("judge", study, "--replace", "--reason", "another").code == 0
            said = run("judge-card", study, "--verify")
            assert (said.code, said.out) == (1, f"The card of robot is stale: {why}.\n")
        assert run("import", study, "--undo", "5", "--reason", "wrong").code == 0
        assert "settings have changed: reasons" in run("judge-card", study, "--verify").out


def test_guidelines_that_a_judge_reads_are_part_of_its_prompt(tmp_path: Path, run: Command) -> None:
    text = STUDY + "gates: [{reading: {sections: [guide.md]}}]\n"
    folder = write_study(tmp_path / "study", 2, text)
    said = []
    with model_server() as server:
        for words in ("Be strict.", "Be mild."):
            (folder / "guide.md").write_text(f"# Guide\n\n{words}\n", "utf-8")
            run("publish", folder, "--reason", "other words")
            run("import", folder)
            write_judges(
                folder, f"{{judge: robot, guidelines: true, openai: {{address: '{server.address}', model: m}}}}"
            )
            assert run("judge", folder, "--replace", "--reason", "new").code == 0
            said.append(facts(folder).prompts)
    assert len({*said}) == 2


def test_the_card_of_a_judge_that_was_never_able_says_that_nothing_is_shared(study: Path, run: Command) -> None:
    with model_server(answer=lambda schema, text, again: {}) as server:
        write_judges(study, f"{{judge: robot, ask_again: 0, openai: {{address: '{server.address}', model: m}}}}")
        assert run("judge", study, "--json").json["unable"] == 10
    said = run("judge-card", study).out.splitlines()[0]
    assert said == "robot cannot be measured yet: nothing was judged both by it and by people."


def test_a_card_made_after_the_rubric_has_changed_is_of_the_rubric_that_the_judge_was_asked_by(
    study: Path, run: Command
) -> None:
    with model_server() as server:
        write_judges(study, f"{{judge: robot, openai: {{address: '{server.address}', model: m}}}}")
        assert run("judge", study).code == 0
        [before] = run("judge-card", study, "--json").json["cards"]
        file = study / "study.yaml"
        file.write_text(file.read_text("utf-8").replace("How warm is it?", "How cold is it?"), "utf-8")
        run("publish", study, "--reason", "other words")
        [after] = run("judge-card", study, "--json").json["cards"]
        assert after["rubric_version"] == before["rubric_version"]
        said = run("judge-card", study, "--verify")
        assert (said.code, said.out) == (1, "The card of robot is stale: the rubric or its rules have changed.\n")
        assert "is stale" in (study / "judge-cards" / "robot.html").read_text("utf-8")
        assert run("judge", study, "--replace", "--reason", "the new rubric").code == 0
    [new] = run("judge-card", study, "--json").json["cards"]
    assert new["rubric_version"] != before["rubric_version"]
    assert run("judge-card", study, "--verify").code == 0
