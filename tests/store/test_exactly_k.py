"""Exactly k people judge an item, whatever people and coordinator do meanwhile: random walks through a small study."""

import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from assay import acts
from assay.errors import AssayError, Conflict, NotFound
from assay.items.reader import ImportedRow
from assay.model import Slot
from assay.store import Backend, open_store
from assay.store.annotator import assignments, places
from assay.store.annotator.sessions import annotator_named
from assay.store.annotator.submissions import Form
from assay.store.coordinator.record import By
from assay.store.tables import annotator, assignment, item, submission
from assay.store.upkeep.kept_counts import compare_counts
from tests.conftest import T0, Made, empty
from tests.examples import AS_FOUND, THOROUGH, examples
from tests.store.test_assignment import HOUR, Office, a_study, an_item, an_office, empty_store

__all__ = ["empty_store"]

PEOPLE = "wxyz"
ITEMS = ["000", "001"]


class Walk:
    """A study with few items and few people, in which anything may happen. Each step is an act, done or refused."""

    def __init__(self, store: Backend, k: int) -> None:
        intakes = [an_item(number, 0, pairs=False) for number in range(len(ITEMS))]
        self.office: Office = an_office(store, a_study(per_item=k), intakes)
        for name in PEOPLE:
            self.office.join(name)
        self.held: dict[str, list[assignments.Assignment]] = {name: [] for name in PEOPLE}
        self.more = 0
        self.imports: list[int] = []
        self.over: Counter[int] = Counter()

    def step(self, what: str, who: str, which: int) -> None:
        self.office.now += 1000
        with suppress(AssayError, Conflict, NotFound):  # what is refused must leave everything as it was
            getattr(self, what)(who, which)
        self.holds()

    def ask(self, who: str, which: int) -> None:
        if self.takes_part(who) and (task := self.office.ask(who)) is not None:
            self.held[who].append(task)

    def submit(self, who: str, which: int) -> None:
        """Somebody sends what they were given at any time, also long ago."""
        if self.held[who]:
            form = Form({Slot("warmth"): 3}, shown_at=self.office.now, active_ms=1000)
            self.do(acts.submit, who, self.held[who][which % len(self.held[who])], form)

    def decline(self, who: str, which: int) -> None:
        if self.held[who]:
            self.do(acts.decline, who, self.held[who][which % len(self.held[who])])

    def do(self, act: Callable[..., object], who: str, *what: object) -> None:
        """What somebody does on a page; the next item may come with it."""

        def do(connection: Connection) -> None:
            person = annotator_named(connection, self.office.study_id, who, self.office.now)
            assert person is not None
            act(connection, person, self.office.study, *what, self.office.now)

        self.office.store.write(do)
        if (task := self.office.store.read(assignments.current, self.office.ids[who])) is not None:
            self.held[who].append(task)

    def wait(self, who: str, which: int) -> None:
        self.office.now += 100 * HOUR
        self.office.store.write(places.return_expired, self.office.study_id, self.office.now)

    def take_out(self, who: str, which: int) -> None:
        self.office.store.write(acts.withdraw_item, self.by(), ITEMS[which % len(ITEMS)])

    def put_back(self, who: str, which: int) -> None:
        self.office.store.write(acts.put_item_back, self.by(), ITEMS[which % len(ITEMS)])

    def publish(self, who: str, which: int) -> None:
        """Another number of people for each item."""
        study = a_study(per_item=1 + which % 4)
        at = (study, Path(), self.office.now)
        self.office.store.write(acts.publish, "dora", *at, even_if_begun=True, reason="another number")
        self.office.study = study

    def exclude(self, who: str, which: int) -> None:
        self.office.store.write(acts.exclude, self.by(), who, reassign=which % 2 == 0)

    def include(self, who: str, which: int) -> None:
        self.office.store.write(acts.include, self.by(), who)

    def release(self, who: str, which: int) -> None:
        self.office.store.write(acts.release, self.by(), who)

    def import_more(self, who: str, which: int) -> None:
        if self.more < 2:
            self.more += 1
            row: ImportedRow = an_item(100 + self.more, 0, pairs=False)
            taken = self.office.store.write(acts.take_in, self.by(), self.office.study, [row], [], None)
            if taken.number is not None:
                self.imports.append(taken.number)

    def undo_import(self, who: str, which: int) -> None:
        """Take an import back, which is refused where somebody has judged any of it."""
        if self.imports:
            self.office.store.write(acts.take_import_back, self.by(), self.imports[which % len(self.imports)])

    def take_import_out(self, who: str, which: int) -> None:
        if self.imports:
            self.office.store.write(acts.take_import_out, self.by(), self.imports[which % len(self.imports)])

    def by(self) -> By:
        return By(self.office.study_id, "dora", self.office.now, "a walk")

    def takes_part(self, who: str) -> bool:
        """Whether the pages would give somebody anything."""
        [row] = self.office.rows(annotator, annotator.c.name == who)
        return row["state"] == "active"

    def counted(self) -> Counter[int]:
        """How many submissions of each item take a place: in time, and of somebody whose places were not given away."""
        freed = {row["id"] for row in self.office.rows(assignment) if row["freed_at"] is not None}
        return Counter(
            row["item_id"]
            for row in self.office.rows(submission)
            if row["pass"] == 1 and row["revision"] == 1 and not row["surplus"] and row["assignment_id"] not in freed
        )

    def holds(self) -> None:
        assert [each.says for each in self.office.store.read(lambda c: list(compare_counts(c))) if each] == []
        counted, known = self.counted(), self.office.items()
        for id_, row in known.items():
            # More than k only where there were as many before k was made smaller.
            assert counted[id_] <= max(row["wanted"], self.over[id_]), f"item {row['name']}: {counted[id_]} counted"
            assert row["series"] != "work" or row["wanted"] == self.office.study.assignment.per_item
            self.over[id_] = counted[id_]


OFTEN = ("ask", "submit")
STEPS = (
    *OFTEN,
    *OFTEN,
    "decline",
    "wait",
    "take_out",
    "put_back",
    "publish",
    "exclude",
    "include",
    "release",
    "import_more",
    "undo_import",
    "take_import_out",
)
Steps = list[tuple[str, str, int]]
WALKS = st.lists(
    st.tuples(st.sampled_from(STEPS), st.sampled_from(PEOPLE), st.integers(0, 5)), min_size=20, max_size=60
)
MANY = {"phases": AS_FOUND, "suppress_health_check": [HealthCheck.function_scoped_fixture]}


@settings(max_examples=examples(40), **MANY)
@given(k=st.integers(1, 3), walk=WALKS)
def test_exactly_k_is_held_through_any_walk(empty_store: Path, k: int, walk: Steps) -> None:
    walk_through(str(shutil.copyfile(empty_store, empty_store.with_name(f"{uuid4()}.db"))), k, walk)


@settings(max_examples=30 if THOROUGH else 2, **MANY)
@given(k=st.integers(1, 3), walk=WALKS)
def test_exactly_k_is_held_through_any_walk_on_postgres(
    request: pytest.FixtureRequest, made: Made, tmp_path: Path, k: int, walk: Steps
) -> None:
    walk_through(made.database(empty, request, "postgresql", tmp_path), k, walk)


def walk_through(database: str, k: int, walk: Steps) -> None:
    store = open_store(database)
    try:
        here = Walk(store, k)
        for step in walk:
            note(" ".join(map(str, step)))  # so a failure ends with the steps that led to it, and no others
            here.step(*step)
    finally:
        store.close()


def test_an_answer_to_an_item_that_is_out_takes_a_place_when_the_item_comes_back(store: Backend) -> None:
    office = an_office(store, a_study(per_item=2), [an_item(0, 0, pairs=False)])
    by = By(office.study_id, "dora", T0, "looked at again")
    for name in "vwx":
        office.join(name)
    first, second = office.ask("v"), office.ask("w")
    assert first is not None
    assert second is not None
    office.submit("v", first)
    store.write(acts.withdraw_item, by, "000")
    office.submit("w", second)
    store.write(acts.put_item_back, by, "000")
    assert office.ask("x") is None
    assert [row["surplus"] for row in office.rows(submission)] == [False, False]


def test_an_answer_that_came_after_its_place_was_given_away_takes_none_when_its_annotator_counts_again(
    store: Backend,
) -> None:
    here = Walk(store, 1)
    for step in ("ask", "exclude", "submit", "include"):
        here.step(step, "w", 0)
    assert [row["surplus"] for row in here.office.rows(submission)] == [True]
    assert [row["taken"] for row in here.office.rows(item)] == [0, 0]


@pytest.mark.parametrize("k", [1, 3])
def test_an_item_that_was_out_comes_back_under_the_number_of_people_in_force(store: Backend, k: int) -> None:
    here = Walk(store, 2)
    here.take_out("v", 0)
    here.publish("v", k - 1)
    here.put_back("v", 0)
    [row] = [row for row in here.office.rows(item) if row["name"] == "000"]
    assert (row["series"], row["wanted"]) == ("work", k)
