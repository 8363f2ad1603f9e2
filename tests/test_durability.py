"""What the server has acknowledged survives it, exactly once."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path

from tests.examples import THOROUGH
from tests.servers import ASSAY, Annotator, Server, assay, filled, links, prepared, running

KILLS = 1_000 if THOROUGH else 8


def test_every_acknowledged_judgment_survives_sigkills_exactly_once(tmp_path: Path) -> None:
    """Killed at random moments and at the moment of an answer. Seen red with answers 10 ms ahead of the commit."""
    folder = prepared(tmp_path / "study", items=20_000, per_item=3)
    assay("import", folder)
    people = 6
    invited = links(folder, people)
    server = Server(folder)
    annotators = [Annotator(server.port) for _ in range(people)]
    for annotator, link in zip(annotators, invited, strict=True):
        annotator.enter(link)
    acknowledged: dict[str, dict[str, str]] = {}
    state: dict[str, int] = {"port": server.port, "pid": server.process.pid, "stop": False, "strike": False}
    lock = threading.Lock()

    def work(annotator: Annotator, seed: int) -> None:
        chance = random.Random(seed)
        while not state["stop"]:
            annotator.port = int(state["port"])
            try:
                address, form = filled(annotator.page(), **{"emotion": str(chance.choice((2, 3, 4)))})
                status, body = annotator.submit(address, form)
                if status != 200:
                    assert status in (409, 503), (status, body)
                else:
                    if state["strike"]:
                        # The worst moment: the answer has just arrived.
                        state["strike"] = False
                        os.kill(int(state["pid"]), signal.SIGKILL)
                    with lock:
                        acknowledged[json.loads(body)["submission"]] = form
            except (OSError, HTTPException, AssertionError) as error:
                if isinstance(error, AssertionError) and "no item" not in str(error) and "no field" not in str(error):
                    raise
                time.sleep(0.05)

    chance = random.Random(7)
    with ThreadPoolExecutor(people) as pool:
        futures = [pool.submit(work, annotator, seed) for seed, annotator in enumerate(annotators)]
        try:
            for number in range(KILLS):
                server = _killed_and_started_again(server, folder, number, acknowledged, state, chance)
        finally:
            state["stop"] = True
            server.kill()
    for future in futures:
        future.result()

    database = sqlite3.connect(folder / "assay.db")
    assert database.execute("pragma integrity_check").fetchone() == ("ok",)
    stored = Counter(row[0] for row in database.execute("select id from submission"))
    emotions = dict(database.execute("select submission_id, value from judgment where dimension = 'emotion'"))
    sizes = Counter(row[0] for row in database.execute("select submission_id from judgment"))
    database.close()
    assert len(acknowledged) > KILLS, "too little was submitted between the kills for the test to mean anything"
    assert [name for name in acknowledged if stored[name] != 1] == []
    assert all(emotions[name] == form["emotion"] for name, form in acknowledged.items())
    assert set(sizes.values()) == {5}, "a submission is stored whole or not at all"


def _killed_and_started_again(
    server: Server,
    folder: Path,
    number: int,
    acknowledged: dict[str, dict[str, str]],
    state: dict[str, int],
    chance: random.Random,
) -> Server:
    # Only a server that is answering is worth killing: wait for a few answers first.
    before, patience = len(acknowledged), time.monotonic() + 10
    while len(acknowledged) < before + 3 and time.monotonic() < patience:
        time.sleep(0.001)
    if number % 2:
        state["strike"] = True
        with suppress(subprocess.TimeoutExpired):
            server.process.wait(5)
    else:
        time.sleep(chance.uniform(0, 0.03))
    server.kill()
    again = Server(folder)
    state |= {"port": again.port, "pid": again.process.pid}
    return again


def test_the_same_submission_sent_100_times_in_parallel_is_one_row_and_100_equal_answers(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study")
    assay("import", folder)
    [link] = links(folder, 1)
    with running(folder) as server:
        annotator = Annotator(server.port)
        annotator.enter(link)
        address, form = filled(annotator.page())
        with ThreadPoolExecutor(25) as pool:
            answers = list(pool.map(lambda _: annotator.submit(address, form), range(100)))
    assert set(answers) == {(200, answers[0][1])}
    database = sqlite3.connect(folder / "assay.db")
    assert database.execute("select count(*) from submission").fetchone() == (1,)
    assert database.execute("select count(*) from judgment").fetchone() == (5,)
    database.close()


def test_a_draft_survives_the_server(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study")
    assay("import", folder)
    [link] = links(folder, 1)
    with running(folder) as server:
        annotator = Annotator(server.port)
        annotator.enter(link)
        page = annotator.page()
        address, form = filled(page)
        draft = {key: form[key] for key in ("csrf", "study", "emotion", "safety")}
        status, _ = annotator.submit(address.replace("/submit/", "/draft/"), {**draft, "draft": "0"})
        assert status == 200
    with running(folder) as server:
        annotator.port = server.port
        again = annotator.page()
    assert 'name="emotion" value="3" checked' in again
    assert 'name="safety" value="3" checked' in again
    assert again.count("checked>") + again.count(" checked") >= 2
    assert 'name="overall" value="4" checked' not in again


def test_ctrl_c_ends_the_server_cleanly(tmp_path: Path) -> None:
    folder = prepared(tmp_path / "study")
    assay("import", folder)
    server = Server(folder, program=ASSAY)
    assert server.stop() in (0, 130)
    assert not (folder / "assay.db-wal").exists(), "the last one to close leaves a whole file behind"
