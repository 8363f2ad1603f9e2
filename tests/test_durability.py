"""What the server has acknowledged survives it, exactly once."""

import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.kills import kill_often, new_postgres

from tests.servers import ASSAY, Annotator, Server, assay, filled, links, prepared, running


def test_every_acknowledged_judgment_survives_sigkills_exactly_once(tmp_path: Path) -> None:
    """Killed at random moments and at the moment of an answer. Seen red with answers 10 ms ahead of the commit."""
    found = kill_often(tmp_path, 8)
    assert found.kills == 8
    assert found.acknowledged > 8, "too little was submitted between the kills for the test to mean anything"
    assert not found.wrong, str(found)


def test_so_it_does_where_a_postgresql_is_killed_with_all_its_processes_too(postgres: str) -> None:
    """In a folder that the database may enter, whoever runs the tests; `postgres` sees to where it keeps its lock."""
    with tempfile.TemporaryDirectory() as folder, new_postgres(Path(folder)) as other:
        found = kill_often(Path(folder), 4, postgres=other)
    assert found.kills == 4
    assert found.acknowledged > 4
    assert not found.wrong, str(found)


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
