"""Who came to the end: those for whom nothing is left, however many items that was."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, event

from assay.store import Backend, open_store
from assay.store.annotator import assignments, participation
from assay.store.coordinator import funnel, nothing_left
from assay.store.tables import submission
from tests.giving import claim
from tests.store.test_assignment import ANY, HOUR, MANY, Office, a_study, an_item, an_office, plans


def office_of(store: Backend, items: int, *people: str, **plan: Any) -> Office:
    office = an_office(store, a_study(**plan), [an_item(number, number, False) for number in range(items)])
    for name in people:
        office.join(name)
    return office


def at_the_end(office: Office, step: str = "All") -> set[str]:
    found = office.store.read(funnel.people_at_steps, office.study_id, office.study, office.now)
    return next(set(each.came) for each in found if each.step.startswith(step))


def judge(office: Office, name: str, count: int) -> None:
    for _ in range(count):
        task = office.ask(name)
        assert task is not None
        office.now += 1
        office.submit(name, task)


def test_whoever_has_nothing_left_came_to_the_end_with_fewer_items_than_others(store: Backend) -> None:
    office = office_of(store, 5, *"xyz", per_item=1)
    judge(office, "x", 1)
    assert at_the_end(office) == set(), "there is more for x"
    judge(office, "y", 3)
    judge(office, "z", 1)
    assert office.ask("x") is None
    assert at_the_end(office) == {"x", "y", "z"}
    assert at_the_end(office, "Half of their items") == {"x", "y", "z"}, "not everybody's items are as many"


def test_whoever_holds_an_item_or_left_one_to_others_has_not_come_to_the_end(store: Backend) -> None:
    office = office_of(store, 6, *"xyz", per_item=1, expires_after_hours=1)
    judge(office, "x", 1)
    office.ask("x")
    judge(office, "y", 4)
    assert at_the_end(office) == {"y"}, "an item lies before x"
    office.now += 2 * HOUR
    office.ask("z")
    assert at_the_end(office) == {"y"}, "what lay before x has gone to z: x stopped"
    judge(office, "z", 1)
    assert at_the_end(office) == {"y", "z"}


def test_whoever_comes_back_and_does_the_rest_has_come_to_the_end(store: Backend) -> None:
    office = office_of(store, 5, "x", "y", per_item=1, order="fixed", expires_after_hours=1)
    judge(office, "x", 1)
    office.ask("x")
    office.now += 2 * HOUR
    judge(office, "y", 1)
    assert at_the_end(office) == set()
    office.work_off(["x"])
    assert at_the_end(office) == {"x", "y"}


def test_whoever_leaves_has_not_come_to_the_end(store: Backend) -> None:
    office = office_of(store, 4, "x", "y", per_item=1)
    judge(office, "x", 1)
    store.write(participation.leave, office.study_id, office.ids["x"], office.now)
    office.work_off(["y"])
    assert at_the_end(office) == {"y"}


def gives(office: Office, name: str) -> bool:
    """Whether the annotator's page would show an item; nothing stays of having looked."""
    found: list[bool] = []

    def look(connection: Connection) -> None:
        claim(connection, office.study_id, office.study, office.ids[name], 0, office.now)
        found.append(assignments.current(connection, office.ids[name]) is not None)
        raise LookupError

    with pytest.raises(LookupError):
        office.store.write(look)
    return found[0]


@ANY
@given(plan=plans(), groups=st.lists(st.integers(0, 7), min_size=1, max_size=24), who=MANY, rounds=st.integers(1, 12))
def test_nothing_is_left_for_those_to_whom_nothing_would_be_given(
    tmp_path_factory: pytest.TempPathFactory, plan: dict[str, Any], groups: list[int], who: list[str], rounds: int
) -> None:
    plan = {key: each for key, each in plan.items() if key not in ("duplicates", "controls")}
    store = open_store(tmp_path_factory.mktemp("funnel") / f"{uuid4()}.db")
    office = an_office(store, a_study(**plan), [an_item(n, group, False) for n, group in enumerate(sorted(groups))])
    for name in who:
        office.join(name)
    for place, name in enumerate(who):
        for _ in range(rounds + place):
            task = office.ask(name)
            if task is not None:
                office.submit(name, task)
    last = {row["annotator_id"]: row["submitted_at"] for row in office.rows(submission)}
    found = store.read(nothing_left.with_nothing_left, office.study_id, office.study, last)
    assert found == {office.ids[name] for name in who if office.ids[name] in last and not gives(office, name)}
    store.close()


def test_as_much_is_asked_of_the_database_however_many_people_and_items_there_are(tmp_path: Path) -> None:
    def statements(items: int, people: int) -> int:
        store = open_store(tmp_path / f"{items}.db")
        office = office_of(store, items, *(f"p{number}" for number in range(people)), per_item=2)
        for name in office.ids:
            judge(office, name, 1)
        asked: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            asked.append(statement)

        event.listen(Engine, "before_cursor_execute", note)
        try:
            at_the_end(office)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
            store.close()
        return len(asked)

    assert statements(6, 2) == statements(60, 20)
