"""Duplicates: a row that is an item once more finds its own original, and shows what that shows."""

from typing import Any

import pytest
from sqlalchemy import select

from assay.errors import ItemMistakes
from assay.items.reader import ImportedRow
from assay.model import Item
from assay.store import Backend
from assay.store.coordinator import items, items_taken_out, studies
from assay.store.tables import duplicate, item
from assay.study import load
from assay.study.templates import HERE


@pytest.fixture
def study_id(store: Backend) -> int:
    return store.write(studies.publish, load(HERE / "empathy"), 0).id


def reply(name: str, system: str, statement: str = "s1", text: str = "") -> ImportedRow:
    shown = {"statement": statement, "response": text or f"{system} on {statement}"}
    return ImportedRow(name, Item(name, shown, {}, (system,), statement))


def again(name: str, origin: str, system: str, statement: str = "s1", text: str = "") -> ImportedRow:
    shown = {"statement": statement, "response": text or f"{system} on {statement}"}
    return ImportedRow(name, None, origin, (), (), (system,), shown)


def add(store: Backend, study_id: int, *rows: ImportedRow) -> items.ImportedItems:
    return store.write(items.add, study_id, rows, 1)


def refusal(store: Backend, study_id: int, *rows: ImportedRow) -> list[str]:
    with pytest.raises(ItemMistakes) as refused:
        add(store, study_id, *rows)
    return [f"{each.where}: {each.what}" for each in refused.value.mistakes]


def originals(store: Backend) -> dict[str, str]:
    named = select(duplicate.c.name, item.c.name).join(item, item.c.id == duplicate.c.item_id)
    found: dict[str, Any] = dict(store.read(lambda connection: connection.execute(named).all()))
    return found


def test_two_duplicates_of_one_statement_by_different_models_are_two_originals(store: Backend, study_id: int) -> None:
    rows = [reply("a", "ant"), again("c", "s1", "ant"), reply("b", "bee"), again("d", "s1", "bee")]
    assert add(store, study_id, *rows).duplicates == 2
    assert originals(store) == {"c": "a", "d": "b"}
    assert add(store, study_id, *rows).duplicates == 0


def test_an_original_may_stand_below_its_duplicate(store: Backend, study_id: int) -> None:
    add(store, study_id, again("c", "a", "ant"), reply("a", "ant"))
    assert originals(store) == {"c": "a"}


def test_a_duplicate_that_shows_something_else_than_its_original_is_refused(store: Backend, study_id: int) -> None:
    said = refusal(store, study_id, reply("a", "ant"), again("c", "a", "ant", text="other words"))
    assert said == ["item c: shows something else than its original a: response"]


def test_a_duplicate_by_another_system_than_its_original_is_refused(store: Backend, study_id: int) -> None:
    said = refusal(store, study_id, reply("a", "ant", text="x"), again("c", "a", "bee", text="x"))
    assert said == ["item c: is by bee, and its original a by ant"]


def test_a_duplicate_that_is_known_keeps_its_original(store: Backend, study_id: int) -> None:
    add(store, study_id, reply("a", "ant", text="x"), reply("b", "ant", text="x"), again("c", "a", "ant", text="x"))
    said = refusal(store, study_id, again("c", "b", "ant", text="x"))
    assert said == ["item c: is in the store as a duplicate of a, and here of b"]
    assert originals(store) == {"c": "a"}


def test_one_row_twice_is_one_duplicate(store: Backend, study_id: int) -> None:
    assert add(store, study_id, reply("a", "ant"), again("c", "a", "ant"), again("c", "a", "ant")).duplicates == 1


def test_a_duplicate_has_an_id_that_no_item_has(store: Backend, study_id: int) -> None:
    add(store, study_id, reply("a", "ant"), again("c", "a", "ant"))
    assert refusal(store, study_id, reply("c", "ant")) == ["item c: is in the store as a duplicate"]
    said = refusal(store, study_id, reply("b", "ant"), again("b", "a", "ant"))
    assert said == ["item b: is in the store as an item of its own"]


def test_a_group_with_two_replies_of_one_system_names_no_original(store: Backend, study_id: int) -> None:
    said = refusal(store, study_id, reply("a", "ant"), reply("b", "ant"), again("c", "s1", "ant"))
    assert said == ["item c: is a duplicate of 's1' by ant, which is not there"]


def test_the_same_file_comes_in_again_after_the_original_was_taken_out(store: Backend, study_id: int) -> None:
    rows = [reply("a", "ant"), again("c", "a", "ant")]
    add(store, study_id, *rows)
    store.write(items_taken_out.take_out, study_id, "a")
    assert add(store, study_id, *rows).known == 1
