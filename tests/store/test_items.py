from collections.abc import Iterator

import pytest
from sqlalchemy import func, select

from assay.errors import ItemMistakes, Mistake
from assay.items.reader import ImportedRow
from assay.model import Item
from assay.store import Backend
from assay.store.coordinator import items, studies
from assay.store.coordinator.item_plan import arrange
from assay.store.tables import item, item_hidden, study
from assay.study import Study, load
from assay.study.templates import HERE


@pytest.fixture
def empathy() -> Study:
    return load(HERE / "empathy")


@pytest.fixture
def study_id(store: Backend, empathy: Study) -> int:
    return store.write(studies.publish, empathy, 0).id


def taken(each: Item) -> ImportedRow:
    return ImportedRow(each.id, each)


def some(count: int, text: str = "hello") -> Iterator[ImportedRow]:
    for number in range(count):
        yield taken(Item(f"{number:03}", {"response": text}, {"secret": number}, systems=("m",), group="s"))


def rows(store: Backend) -> int:
    return store.read(lambda c: c.execute(select(func.count()).select_from(item)).scalar_one())


def test_ids_stay_text(store: Backend, study_id: int) -> None:
    awkward = ["007", "1e5", "NA", "null", "1.0", " 7", "0x10", "é", "😀"]
    store.write(items.add, study_id, [taken(Item(name, {"t": name})) for name in awkward], 1)
    found = store.read(lambda c: list(c.execute(select(item.c.name).order_by(item.c.id)).scalars()))
    assert found == awkward


def test_shown_and_hidden_fields_are_kept_apart(store: Backend, study_id: int) -> None:
    store.write(items.add, study_id, some(1), 1)
    shown = store.read(lambda c: c.execute(select(item)).mappings().one())
    assert "secret" not in str(dict(shown))
    hidden = store.read(lambda c: c.execute(select(item_hidden)).mappings().one())
    assert hidden["hidden"] == '{"secret":0}'
    assert hidden["systems"] == '["m"]'


def test_an_import_that_breaks_off_stores_nothing(store: Backend, study_id: int) -> None:
    def broken() -> Iterator[ImportedRow]:
        yield from some(2500)
        raise ItemMistakes([Mistake("row 2501", "is wrong")])

    with pytest.raises(ItemMistakes):
        store.write(items.add, study_id, broken(), 1)
    assert rows(store) == 0


def test_the_same_items_again_change_nothing(store: Backend, study_id: int, empathy: Study) -> None:
    assert store.write(items.add, study_id, some(1200), 1) == items.ImportedItems(1200, 0)
    assert store.write(items.add, study_id, some(1201), 1) == items.ImportedItems(1, 1200)
    assert rows(store) == 1201
    store.write(arrange, study_id, empathy)
    counted = store.read(lambda c: c.execute(select(study.c.item_count)).scalar())
    assert counted == 1201


def test_an_item_with_another_content_is_refused_and_nothing_is_stored(store: Backend, study_id: int) -> None:
    store.write(items.add, study_id, some(3), 1)
    with pytest.raises(ItemMistakes, match="item 001: is in the store with another content, in response, secret"):
        store.write(
            items.add,
            study_id,
            [*some(1), taken(Item("001", {"response": "changed"})), taken(Item("new", {"t": "x"}))],
            1,
        )
    assert rows(store) == 3


def test_two_studies_in_one_store_do_not_share_items(store: Backend, empathy: Study, study_id: int) -> None:
    other = empathy.model_copy(update={"study": "other"})
    other_id = store.write(studies.publish, other, 0).id
    store.write(items.add, study_id, some(2), 1)
    store.write(items.add, other_id, some(3, "different"), 1)
    assert rows(store) == 5
    assert store.read(studies.all_studies) == [(study_id, "empathy"), (other_id, "other")]
