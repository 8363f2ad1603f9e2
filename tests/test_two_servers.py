"""Several servers on one PostgreSQL serve one study together."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import func, select

from assay.store import open_store
from assay.store.tables import submission
from tests.servers import Annotator, assay, filled, links, prepared, running


def test_two_servers_on_one_postgres_serve_one_study_together(tmp_path: Path, new_postgres: Callable[[], str]) -> None:
    folder, database = prepared(tmp_path / "study"), new_postgres()
    assay("import", folder, "--database", database)
    invited = links(folder, 4, database)
    with running(folder, database) as one, running(folder, database) as other:

        def judge(number: int) -> int:
            annotator = Annotator((one.port, other.port)[number % 2])
            annotator.enter(invited[number])
            done = 0
            while True:
                # Each request goes to the other server: nothing that matters lives in a process.
                annotator.port = one.port if annotator.port == other.port else other.port
                page = annotator.page()
                if "/submit/" not in page:
                    return done
                annotator.port = one.port if annotator.port == other.port else other.port
                status, body = annotator.submit(*filled(page))
                assert status == 200, body
                done += 1

        with ThreadPoolExecutor(4) as pool:
            done = list(pool.map(judge, range(4)))
        assert sum(done) == 96
        watcher = Annotator(one.port)
        watcher.ask("POST", "/join", {"token": one.coordinator.rsplit("/", 1)[1]})
        _, body = watcher.ask("GET", "/coordinate/empathy/progress", accept="application/json")
        assert json.loads(body)["finished"] == 48
    store = open_store(database)
    per_item = store.read(
        lambda c: [
            row[0] for row in c.execute(select(func.count()).select_from(submission).group_by(submission.c.item_id))
        ]
    )
    store.close()
    assert per_item == [2] * 48
