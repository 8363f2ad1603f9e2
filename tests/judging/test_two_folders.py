"""Two folders of one study on one database: judges are run from one of them at a time."""

import threading
import time
from pathlib import Path

from tests.judging.conftest import Command, kept, write_judges, write_study
from tests.judging.model_server import Json, answer_to, model_server
from tests.servers import Forked

ITEMS = 6


def test_a_run_from_another_folder_of_the_same_study_is_refused_while_one_is_under_way(
    tmp_path: Path, run: Command, database: str
) -> None:
    """It would pay for the same a second time, since each folder has its own answers."""
    one, other = (write_study(tmp_path / name, ITEMS) for name in ("one", "other"))
    at = ("--database", database)
    assert run("import", one, *at).code == 0
    may_answer = threading.Event()

    def when_it_may(schema: Json, text: str, again: bool) -> Json:
        assert may_answer.wait(120)
        return {**answer_to(schema, text, again=True), "warmth": 3}

    with model_server(answer=when_it_may) as server, model_server() as another:
        for folder, to in ((one, server), (other, another)):
            write_judges(folder, f"{{judge: robot, openai: {{address: '{to.address}', model: m}}}}")
        first = Forked(["judge", str(one), *at])
        try:
            while not server.bodies:
                time.sleep(0.01)
            refused = run("judge", other, *at)
            assert refused.code == 1
            assert "judges are being run in this study from another folder" in refused.err
            assert another.bodies == []
            assert kept(other) == []
            assert run("judge", other, *at, "--estimate").code == 0, "an estimate asks nobody"
        finally:
            may_answer.set()
            code = first.wait(120)
            first.stdout.close()
            first.stderr.close()
        assert code == 0
        assert (len(server.bodies), another.bodies) == (ITEMS, [])
        # What is judged by then is not paid for again either.
        late = run("judge", other, *at)
        assert (late.code, "has judged" in late.err) == (1, True), late.err
        assert (len(server.bodies), another.bodies) == (ITEMS, [])


def test_a_run_that_has_ended_leaves_nobody_waiting(tmp_path: Path, run: Command, database: str) -> None:
    folder = write_study(tmp_path / "one", ITEMS)
    at = ("--database", database)
    assert run("import", folder, *at).code == 0
    with model_server() as server:
        write_judges(folder, f"{{judge: robot, openai: {{address: '{server.address}', model: m}}}}")
        assert run("judge", folder, *at, "--limit", "2").code == 0
        assert run("judge", folder, *at).code == 0
