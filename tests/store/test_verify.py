"""`assay verify` finds what is wrong with a store, and names the row."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.store import connect, open_store
from assay.store.engine.archive import Content, Digest, connect_to, rows_of, table_names
from assay.store.engine.backup import back_up
from assay.store.upkeep.verify import CHECKS, COMES_AND_GOES, lasting_columns, verify
from tests.conftest import T0, Bench, make_bench
from tests.examples import examples
from tests.store.test_backup import judged
from tests.web.annotator import Annotator, with_items


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with judgments of pairs with pictures, derived values in another study, and a backup beside it."""
    folder = tmp_path_factory.mktemp("whole")
    store = open_store(folder / "assay.db")
    make_bench(store, folder / "pictures", "trajectories")
    judged(make_bench(store, folder / "study", edit=with_items(6)))
    back_up(store, folder / "b.backup", T0)
    store.close()
    return folder


def problems(path: Path, against: Path | None = None) -> list[str]:
    try:
        store = connect(path)
    except Exception as error:
        return [str(error)]
    try:
        return [problem for checked in verify(store, against) for problem in checked.problems]
    finally:
        store.close()


def test_a_whole_store_has_no_problems_and_every_check_says_how_much_it_saw(bench: Bench, tmp_path: Path) -> None:
    judged(bench)
    back_up(bench.store, tmp_path / "b.backup", T0)
    Annotator(bench, "ben").begin().submit()
    found = list(verify(bench.store, tmp_path / "b.backup"))
    assert [problem for each in found for problem in each.problems] == []
    assert len(found) == len(CHECKS) + 1
    seen = {each.what: each.looked_at for each in found}
    assert seen["judgments: fingerprint and derived values"] == 3
    assert seen["items: hidden part and number of words"] == 48


MUTATIONS = {
    "update annotator set name = 'a' || char(0) || 'b'": "name holds a NUL character",
    "update judgment set entry = char(0) where dimension = 'emotion'": "entry holds a NUL character",
    "update judgment set value = '1' where dimension = 'emotion'": "are not those that were submitted",
    "delete from judgment": "are not those that were submitted",
    "update judgment set value = '[' where dimension = 'safety'": "value is not JSON",
    "update item set taken = taken + 1 where id = 1": "places are taken",
    "update study set item_count = 7": "item_count is 7",
    "update study set annotator_count = 9": "annotator_count is 9",
    "update study_version set document = replace(document, 'empathy', 'empathi')": "its document has another hash",
    "update study set version = 'x'": "the version in force, x, is not there",
    "update picture set content = x'00'": "its content has another hash",
    "update assignment set state = 'open' where state = 'submitted'": "is open, not submitted",
    "delete from judgment; delete from uncounted; delete from submission": "there is no submission",
    "update submission set item_id = item_id + 1": "of another study, annotator, item or pass",
    "update submission set revision = 3": "is revision 3 where 1 was expected",
    "delete from item_hidden where item_id = 3": "what is hidden of it is not there",
    "update item set shown = replace(shown, ' ', '_')": "words, not",
    "delete from annotator": "refers to a row of annotator that is not there",
    "update submission set study_hash = 'x'": "its study version is not there",
}


@pytest.mark.parametrize(("statements", "words"), MUTATIONS.items(), ids=str)
def test_each_kind_of_damage_is_named(whole: Path, tmp_path: Path, statements: str, words: str) -> None:
    shutil.copyfile(whole / "assay.db", tmp_path / "assay.db")
    database = sqlite3.connect(tmp_path / "assay.db")
    for statement in statements.split("; "):
        database.execute(statement)
    database.commit()
    database.close()
    assert [problem for problem in problems(tmp_path / "assay.db") if words in problem]


def test_derived_values_are_computed_again(sqlite_store: object, tmp_path: Path) -> None:
    store = open_store(tmp_path / "routes.db")
    bench = make_bench(store, tmp_path / "routes", "route-planning")
    ana = Annotator(bench).begin()
    address, form = ana.form()
    scores = {each.dimension: "4" for each in bench.study.rubric if each.input.kind == "scale"}
    tags = {each.dimension: each.input.write([])[0] for each in bench.study.rubric if each.input.kind == "tags"}
    assert ana.send(address, {**form, **scores, **tags}).status_code == 200, ana.send(address, {**form, **scores}).text
    assert [problem for each in verify(store) for problem in each.problems] == []
    store.close()
    database = sqlite3.connect(tmp_path / "routes.db")
    name = bench.study.derive[0].derived
    changed = database.execute("update judgment set value = '1.25' where dimension = ?", [name]).rowcount
    database.commit()
    database.close()
    assert changed == 1
    assert f"{name} is 1.25, computed again 4" in problems(tmp_path / "routes.db")[0]


def test_a_changed_letter_is_found_by_comparing_with_a_backup(whole: Path, tmp_path: Path) -> None:
    shutil.copyfile(whole / "assay.db", tmp_path / "assay.db")
    database = sqlite3.connect(tmp_path / "assay.db")
    database.execute("update item set shown = replace(shown, 'a', 'o') where name = 'emp-001'")
    database.commit()
    [(id_,)] = database.execute("select id from item where name = 'emp-001'")
    database.close()
    assert problems(tmp_path / "assay.db") == []
    found = problems(tmp_path / "assay.db", whole / "b.backup")
    assert found == [f"item {id_}: is no longer as the backup has it"]


def lasting(path: Path) -> dict[str, Content]:
    """What every number comes from: the columns that are never changed."""
    found = {}
    with connect_to(path) as connection:
        for table in set(table_names(connection)) - COMES_AND_GOES:
            digest = Digest()
            for row in rows_of(connection, table, lasting_columns(connection, table)):
                digest.add(row)
            found[table] = digest.content
    return found


def flips(content: bytes, count: int) -> Iterator[tuple[int, int]]:
    chance = random.Random(20)
    yield content.index(b'"user_statement":"') + 25, 1
    for _ in range(count):
        yield chance.randrange(len(content)), 1 << chance.randrange(8)


def test_no_flipped_bit_goes_unnoticed_unless_it_was_in_unused_space(whole: Path, tmp_path: Path) -> None:
    content, before, found = (whole / "assay.db").read_bytes(), lasting(whole / "assay.db"), []
    for number, (at, bit) in enumerate(flips(content, examples(20))):
        path = tmp_path / f"{number}.db"
        path.write_bytes(content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :])
        if problems(path, whole / "b.backup"):
            found.append(number)
        else:
            assert lasting(path) == before, f"byte {at}, bit {bit}"
    assert 0 in found
