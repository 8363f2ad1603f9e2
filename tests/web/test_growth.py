"""What a request costs does not grow with the study: counted in steps of the database's machine, not in time.

Each study is made once with few items, worked on half-way, and then grown to a hundred times as many. Everybody's share
stays the same, so the same person does the same on both, and any difference is work that grows with the items.
"""

import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count, cycle, islice
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, make_url

from assay.bots import Character, SimulatedAnnotator, TrueQuality
from assay.items.reader import ImportedRow, read_items
from assay.simulate import Forms
from assay.store import connect, open_store
from assay.store.annotator import assignments
from assay.store.coordinator import imports, item_lookup, studies
from assay.store.coordinator.item_plan import open_pilot
from assay.study import Study, load
from assay.study.templates import copy_template, template_names
from assay.web import create_app
from tests import pages
from tests.conftest import T0, Bench, Clock
from tests.inviting import invite
from tests.web.annotator import SCRIPT, edited

FEW = 200
TIMES = 100
ROUNDS = 24
"""Enough to come to a control and to an item that comes again."""
AHEAD = 3
STEP = 20
"""So many steps are counted at a time: every call of the counter takes longer than a step."""

PLANS: dict[str, tuple[str, dict[str, str]]] = {
    **{name: (name, {}) for name in template_names()},
    "a Latin square": ("empathy", {"order": "random\n  counterbalance: true"}),
    "groups apart": ("empathy", {"order": "random\n  apart: true"}),
    "groups together": ("dialog-pairs", {"order": "fixed\n  together: true", "apart": "false"}),
    "too much hard content": (
        "empathy",
        {"order": "random\n  exposure: {field: kind, values: [hard], at_most: 0}"},
    ),
    "batches in the order of the file": ("in-car", {"batches": "in_order\n  order: fixed"}),
    "a list of items that are shared": ("in-car", {"per_item": "2", "batches": "mixed"}),
}


class Steps:
    """Counts what SQLite does on every connection that is opened meanwhile."""

    def __init__(self) -> None:
        self.taken = 0

    def count(self) -> int:
        self.taken += STEP
        return 0

    @contextmanager
    def counted(self) -> Iterator["Steps"]:
        def watch(connection: sqlite3.Connection, _: Any) -> None:
            connection.set_progress_handler(self.count, STEP)

        event.listen(Engine, "connect", watch)
        try:
            yield self
        finally:
            event.remove(Engine, "connect", watch)


class Worker:
    """Somebody at work, with what each kind of request has cost."""

    def __init__(self, bench: Bench, name: str, link: str, steps: Steps) -> None:
        self.bench, self.steps = bench, steps
        self.cost: Counter[str] = Counter()
        self.each: dict[str, list[int]] = {}
        self.client = bench.client()
        self.home = f"/judge/{bench.study.study}"
        self.annotator = SimulatedAnnotator(Character(name), bench.study, TrueQuality(1, ["one", "two", "three"]))
        pages.enter(self.client, link)

    def ask(self, what: str, method: str, address: str, **values: Any) -> Any:
        before = self.steps.taken
        answer = self.client.request(method, address, **values)
        assert answer.status_code == 200, answer.text
        self.cost[what] += self.steps.taken - before
        self.each.setdefault(what, []).append(self.steps.taken - before)
        return answer

    def page(self) -> tuple[str, dict[str, str]]:
        """The form of the item at hand. A break that is due is over at once."""
        forms = Forms(self.ask("page", "GET", self.home).text)
        while (form := forms.to("/submit/")) is None:
            rest = forms.to("/break")
            assert rest is not None, "no item on this page"
            forms = Forms(self.client.post(rest[0], data=rest[1]).text)
        return form

    def judge(self) -> None:
        """One item: its page, its answers as they are given, its submission."""
        address, hidden = self.page()
        behind = self.bench.store.read(item_lookup.item_behind, address.rsplit("/", 1)[1])
        self.bench.clock.now += 30_000
        form = {**hidden, "active_ms": "30000", **self.annotator.answers(behind)}
        kept = self.ask("draft", "POST", address.replace("/submit/", "/draft/"), data=form, headers=SCRIPT).json()
        form["draft"] = str(kept["draft"])
        if any(block.before for block in self.bench.study.items.show):
            form["seen"] = " ".join(self.client.get(address.replace("/submit/", "/reveal/")).json()["seen"])
        self.ask("save", "POST", address, data=form, headers=SCRIPT)

    def look_at_list(self) -> None:
        """The list of one's own items, where the study has one; the first look gives out what it shows."""
        if self.bench.study.navigation == "free":
            assert self.client.get(f"{self.home}/items").status_code == 200
            self.ask("list", "GET", f"{self.home}/items")

    def look_ahead(self) -> None:
        """What a page fetches to go on without a connection."""
        _, hidden = self.page()
        self.ask("ahead", "POST", f"{self.home}/ahead", data={**hidden, "after": "0"}, headers=SCRIPT)


def made(folder: Path, template: str, edits: dict[str, str], database: str = "") -> tuple[Study, dict[str, str]]:
    """A study with few items, of which half are done, and a link for each of two people, who have passed every gate."""
    copy_template(template, folder)
    edited(**edits)(folder)
    study = load(folder)
    store = open_store(database or folder / "few.db")
    study_id = store.write(studies.publish, study, T0).id
    store.write(imports.take_in, study_id, study, islice(many(study, folder), FEW), folder)
    store.write(open_pilot, study_id, 0)
    links = {name: f"/join/{token}" for name, token in store.write(invite, study_id, ["ana", "ben"], T0)}
    for annotator_id in (1, 2):
        for entry in study.gates:
            store.write(assignments.pass_gate, annotator_id, entry.gate.kind, entry.gate.version, T0)
    store.write(begin)
    store.close()
    return study, links


@dataclass(frozen=True)
class Plan:
    """A study with few items, of which half are done, and the same a hundred times as large."""

    study: Study
    links: dict[str, str]
    few: Path
    many: Path


@pytest.fixture(scope="module", params=PLANS)
def plan(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plan]:
    """Made once for all tests of a plan, which work on copies."""
    folder = tmp_path_factory.mktemp("growth") / "study"
    study, links = made(folder, *PLANS[request.param])
    few, many_ = folder / "few.db", folder / "many.db"
    change(shutil.copyfile(few, many_), grow)
    yield Plan(study, links, few, many_)
    shutil.rmtree(folder)


def many(study: Study, folder: Path) -> Iterator[ImportedRow]:
    """The template's own items over and over, under other names."""
    found = [each for each in read_items(study, folder / study.items.source) if each.item is not None]
    numbers = count()
    for each in cycle(found):
        number = next(numbers)
        turn = number // len(found)
        assert each.item is not None
        new = replace(
            each.item,
            id=f"i{number}",
            group=each.item.group and f"{each.item.group} {turn}",
            # No page of an annotator reads what is hidden: of one template it is most of the bytes.
            hidden={"kind": "hard" if number % 2 else "easy"},
            systems=each.item.systems or (("one", "two", "three")[number % 3],),
        )
        yield replace(each, name=new.id, item=new)


COLUMNS = "study_id, shown, words, batch, series, wanted, pair, cell, tagged, queue"


def begin(connection: Connection) -> None:
    """Pilots are done, and somebody has begun: of what is left nobody has what the two people here cannot get."""
    run = connection.exec_driver_sql
    run("update item set taken = wanted where series = 'work' and pilot > 0")
    one = "taken = 0 and series = 'work' and wanted > 1 and cell < 2 and not tagged and queue = 0"
    run(f"update item set taken = 1 where {one}")


def grow(connection: Connection, times: int = TIMES) -> None:
    """Every item many times over, for so many more people: half of them before the others, and done; half behind."""
    run = connection.exec_driver_sql
    before, behind = -(times // 2), times // 2 - 1
    bits = times.bit_length() + 1
    numbers = f"with recursive n(n) as (select {before} union all select n + 1 from n where n < {behind})"
    first = run("select max(id) from item").scalar_one()
    run(
        f"{numbers} insert into item (id, name, lot, group_number, taken, {COLUMNS}) "
        f"select {first} * n + id, name || '-' || n, (lot >> {bits}) + (cast(n - {before} as bigint) << {63 - bits}), "
        f"group_number + (n - {before} + 1) * {FEW}, case when n < 0 then wanted else taken end, {COLUMNS} "
        "from item cross join n where series = 'work' and n != 0"
    )
    run(
        f'{numbers} insert into item_hidden select {first} * n + item_id, "group", hidden, systems, old.batch, drawn '
        "from item_hidden old join item on item.id = item_id cross join n where item.id > 0 and series = 'work' "
        f"and item.id <= {first} and n != 0"
    )
    run(f"update study set item_count = item_count * {times}, open_count = open_count * {times}")
    run(f"update study set annotator_count = annotator_count * {times}")


def have_judged(connection: Connection, study: Study, count: int) -> None:
    """Ana has judged so many items in the last weeks, every tenth of them again; and she is to get thousands."""
    run = connection.exec_driver_sql
    mine = (
        "with mine as (select id, row_number() over (order by id) as number from item "
        f"where series = 'work' and taken >= wanted and not tagged and queue = 0 and id < 0 order by id limit {count})"
    )
    own = "assignment where annotator_id = 1 and attempt = 0"
    swapped = "number % 2 = 0" if study.items.candidates else "null"
    run(
        f"{mine} insert into assignment (study_id, annotator_id, item_id, pass, position, public_id, submission_id, "
        f"state, created_at, swapped) select 1, 1, id, 1, number + (number - 1) / 10, 'p' || number, 's' || number, "
        f"'submitted', 0, {swapped} from mine"
    )
    run(
        "insert into assignment (study_id, annotator_id, item_id, pass, position, public_id, submission_id, state, "
        "created_at, swapped) select 1, 1, item_id, 2, position + 1, 'again' || position, 'again' || position, "
        f"'submitted', 0, swapped from {own} and pass = 1 and position % 11 = 10"
    )
    run(
        "insert into submission (id, study_id, assignment_id, annotator_id, item_id, pass, revision, study_hash, "
        "consent, fingerprint, shown_at, submitted_at, active_ms) select submission_id, 1, id, 1, item_id, pass, 1, "
        f"'{study.hash}', '', '', {T0} - (4000 - position) * 600000, {T0} - (4000 - position) * 600000, 1000 "
        f"from {own}"
    )
    run(f"update study set annotator_count = {max(1, FEW * TIMES * study.assignment.annotators_of_item(4) // 4000)}")
    # What somebody is at is brought up to date with their first item: the second and later ones are compared.
    run("update annotator set had = null")


def change(path: Path | str, act: Callable[..., None], *args: Any) -> None:
    store = open_store(path)
    store.write(act, *args)
    store.close()


def cost(study: Study, database: Path, links: dict[str, str], folder: Path) -> Counter[str]:
    """The steps of each kind of request of two people, each of whom has the study to themselves."""
    found: Counter[str] = Counter()
    for name, act in (("ana", work_on), ("ben", fetch_and_go_on)):
        own = shutil.copyfile(database, folder / "own.db")
        with Steps().counted() as steps:
            store = open_store(own)
            clock = Clock()
            bench = Bench(study, store, 1, folder, clock, create_app(store, clock))
            worker = Worker(bench, name, links[name], steps)
            act(worker)
            store.close()
        found += worker.cost
    return found


def work_on(worker: Worker) -> None:
    for _ in range(ROUNDS):
        worker.judge()
    worker.look_at_list()


def fetch_and_go_on(worker: Worker) -> None:
    for _ in range(AHEAD):
        worker.look_ahead()
        worker.judge()


def test_a_request_costs_the_same_with_a_hundred_times_the_items(plan: Plan, tmp_path: Path) -> None:
    few, many = (cost(plan.study, database, plan.links, tmp_path) for database in (plan.few, plan.many))
    assert set(few) == {"page", "draft", "save", "ahead", *(["list"] if plan.study.navigation == "free" else [])}
    for what, steps in few.items():
        assert abs(many[what] - steps) < steps / 10, f"{what}: {steps} steps with {FEW} items, {many[what]} with more"


def test_a_request_costs_the_same_after_a_thousand_submissions_of_ones_own(plan: Plan, tmp_path: Path) -> None:
    found: dict[int, dict[str, list[int]]] = {}
    for submitted in (1, 1000):
        database = shutil.copyfile(plan.many, tmp_path / "own.db")
        change(database, have_judged, plan.study, submitted)
        with Steps().counted() as steps:
            store = open_store(database)
            clock = Clock()
            bench = Bench(plan.study, store, 1, tmp_path, clock, create_app(store, clock))
            worker = Worker(bench, "ana", plan.links["ana"], steps)
            worker.judge()
            worker.each.clear()
            for _ in range(ROUNDS):
                worker.judge()
            store.close()
        found[submitted] = worker.each
    assert set(found[1]) == {"page", "draft", "save"}
    for what, steps_of_few in found[1].items():
        few, many = median(steps_of_few), median(found[1000][what])
        assert abs(many - few) < few / 10, f"{what}: {few} steps after one submission, {many} after a thousand"
        # What comes again is drawn: that takes now and then a few attempts more.
        assert max(found[1000][what]) < 3 * max(steps_of_few), f"{what}: sometimes {max(found[1000][what])} steps"


def rows_read(database: str) -> int:
    """How many rows of items PostgreSQL has read by now: of what grows, not of tables with a few rows read at once.

    A connection tells when it is closed: all others are waited for.
    """
    store = connect(database)
    others = "select count(*) from pg_stat_activity where datname = current_database() and pid != pg_backend_pid()"
    read = (
        "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables "
        "where relname like 'item%%'"
    )
    until = time.monotonic() + 30
    while store.read(lambda connection: connection.exec_driver_sql(others).scalar_one()):
        assert time.monotonic() < until, "a connection stays open"
        time.sleep(0.05)
    found = store.read(lambda connection: connection.exec_driver_sql(read).scalar_one())
    store.close()
    return int(found)


def analyze(connection: Connection) -> None:
    connection.exec_driver_sql("analyze")


def rows_of_work(study: Study, database: str, folder: Path, link: str) -> int:
    """How many rows PostgreSQL reads while somebody comes in by their link and works, from the first page on."""
    change(database, analyze)
    before = rows_read(database)
    store = open_store(database)
    clock = Clock()
    work_on(Worker(Bench(study, store, 1, folder, clock, create_app(store, clock)), "ana", link, Steps()))
    store.close()
    return rows_read(database) - before


ON_POSTGRES = ("empathy", "in-car")
"""Items that several people share, and batches; all plans are tried on SQLite."""
SIZES = [TIMES // 10, pytest.param(TIMES, marks=pytest.mark.thorough("hundreds of thousands of items"))]


@pytest.mark.parametrize("times", SIZES)
@pytest.mark.parametrize(
    "which",
    [
        pytest.param(name, marks=() if name in ON_POSTGRES else pytest.mark.thorough("other plans on PostgreSQL"))
        for name in PLANS
    ],
)
def test_a_request_reads_as_many_rows_of_postgres_with_ten_times_the_items(
    which: str, times: int, new_postgres: Callable[..., str], tmp_path: Path
) -> None:
    start = new_postgres()
    study, links = made(tmp_path, *PLANS[which], start)
    found = []
    for more in (times, 10 * times):
        database = new_postgres(like=make_url(start).database)
        change(database, grow, more)
        found.append(rows_of_work(study, database, tmp_path, links["ana"]))
    few, many = found
    # Of few items PostgreSQL may read all where it looks for one: it reads fewer of many then, which is no growth.
    assert many < few * 1.1, f"{few} rows with {FEW * times} items, {many} with ten times as many"
