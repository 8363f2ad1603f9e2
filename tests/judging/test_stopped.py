"""Runs that end early, by Ctrl-C or by SIGKILL, and go on: nothing is lost, nothing is paid for twice."""

import json
import os
import random
import re
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.judging.answer_log import AnswerLog
from tests.cli.test_terminal import on_a_terminal
from tests.examples import THOROUGH
from tests.judging.conftest import Command, kept, write_judges, write_study
from tests.judging.model_server import model_server
from tests.servers import Forked

ITEMS, KILLS = (1000, 20) if THOROUGH else (60, 4)
AT_ONCE = 8


def content(body: object) -> str:
    return json.dumps(body, sort_keys=True)


def answers_there(folder: Path) -> set[str]:
    """The requests whose answers are whole in the file."""
    path = folder / "judged" / "answers.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return {content(json.loads(line)["request"]["body"]) for line in lines}


def test_sigkill_at_any_moment_loses_no_answer_and_repeats_none(tmp_path: Path, run: Command) -> None:
    """The server counts. Seen red with answers that are written without being waited for."""
    folder = write_study(tmp_path / "study", ITEMS)
    assert run("import", folder).code == 0
    chance = random.Random(20)
    with model_server(pause=0.004) as server:
        address = f"openai: {{address: '{server.address}/v1', model: wanted}}"
        write_judges(folder, f"{{judge: robot, {address}, limits: {{at_once: {AT_ONCE}}}}}")
        at_kills = []
        while len(at_kills) < KILLS:
            enough = len(server.bodies) + chance.randint(1, ITEMS // KILLS)
            process = Forked(["judge", str(folder)])
            while len(server.bodies) < enough:
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.01))
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()
            at_kills.append((len(server.bodies), answers_there(folder)))
        done = run("judge", folder, "--json")
    assert done.code == 0, done.err
    times = Counter(content(body) for body in server.requests)
    assert len(times) == ITEMS + sum(len(body["messages"]) > 2 for body in map(json.loads, times))
    for sent, there in at_kills:
        assert there <= {content(body) for body in server.requests[:sent]}
        assert not there & {content(body) for body in server.requests[sent:]}, (
            "an answer was there, and asked for again"
        )
    assert len(at_kills[-1][1]) > KILLS, "some answers were there at the kills"
    assert sum(times.values()) <= len(times) + KILLS * AT_ONCE, "more than what was under way"
    assert len(kept(folder)) == len({each["key"] for each in kept(folder)}) == len(times)
    judged = {each["item"] for each in kept(folder, "passes.jsonl")}
    assert len(judged) == ITEMS
    assert done.json["judged"] + done.json["judged_known"] == ITEMS


def test_ctrl_c_waits_for_what_is_under_way_and_goes_on_later(tmp_path: Path, run: Command) -> None:
    folder = write_study(tmp_path / "study", 40)
    run("import", folder)
    with model_server(pause=0.05) as server:
        address = f"openai: {{address: '{server.address}/v1', model: wanted}}"
        write_judges(folder, f"{{judge: robot, {address}, limits: {{at_once: 2}}}}")
        process = Forked(["judge", str(folder)])
        while len(server.bodies) < 6:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGINT)
        code = process.wait(30)
        said = process.stderr.read()
        process.stdout.close()
        process.stderr.close()
        assert code == 130, said
        assert "the same command goes on from here" in said
        first = len(server.bodies)
        assert len(kept(folder)) == first < 40, "what was under way was waited for, and kept"
        assert run("judge", folder, "--json").code == 0
    assert len(server.bodies) == len({content(body) for body in server.requests})
    assert len(kept(folder, "passes.jsonl")) == 40


def test_ctrl_c_does_not_wait_for_a_pause_to_end(tmp_path: Path, run: Command) -> None:
    folder = write_study(tmp_path / "study", 5)
    run("import", folder)
    with model_server(fault=lambda number, body: "429 for long") as server:
        write_judges(folder, f"{{judge: robot, openai: {{address: '{server.address}/v1', model: wanted}}}}")
        process = Forked(["judge", str(folder)])
        while not server.bodies:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(30) == 130
        process.stdout.close()
        process.stderr.close()


def test_half_a_line_at_the_end_was_never_there(tmp_path: Path) -> None:
    tokens = {"in": 1, "out": 1}
    with AnswerLog(tmp_path) as log:
        log.keep({"key": "one", "judge": "robot", "tokens": tokens, "text": "first"})
        path = log.answers.path
    path.write_bytes(path.read_bytes() + b'{"key": "two", "judge": "ro')
    with AnswerLog(tmp_path) as log:
        assert log.find("two") is None
        log.keep({"key": "three", "judge": "robot", "tokens": tokens, "text": "third"})
    with AnswerLog(tmp_path) as log:
        assert [log.find(key) is not None for key in ("one", "two", "three")] == [True, False, True]
        assert log.spent == {"robot": (2, 2)}


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "judged"
    folder.mkdir()
    good = json.dumps({"key": "one", "judge": "robot", "tokens": {"in": 1, "out": 1}})
    for damaged in ("nonsense", "{}", "[]", '{"key": 1, "judge": "robot", "tokens": {}}'):
        (folder / "answers.jsonl").write_text(f"{good}\n{damaged}\n", "utf-8")
        with pytest.raises(AssayError, match=r"answers.jsonl, line 2: cannot be read"), AnswerLog(tmp_path):
            pass


def test_a_terminal_shows_how_far_a_run_is_and_what_it_has_cost(tmp_path: Path, run: Command) -> None:
    folder = write_study(tmp_path / "study", 10)
    assert run("import", folder).code == 0
    with model_server(pause=0.2) as server:
        model = f"openai: {{address: '{server.address}/v1', model: wanted}}, price: {{input: 10, output: 10}}"
        write_judges(folder, f"{{judge: robot, {model}, limits: {{at_once: 2}}}}")
        shown = on_a_terminal("judge", folder)
    plain = re.sub(r"\x1b\[[\d?;]*\w", "", shown)
    assert re.search(r"Judging \([1-9][\d,]+ tokens, cost 0\.0[1-9]\d+\) \S+ +[1-9]\d?/10 ", plain), plain
