"""A backup holds what the store holds, on both databases, and gives it back whole or not at all."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

import assay.store.engine.backup as backups
from assay.errors import StoreError
from assay.store import SCHEMA, Backend, connect, migrate_to, open_store
from assay.store.coordinator import study_status
from assay.store.engine.archive import connect_to, content_of, read_manifest
from assay.store.engine.backup import back_up, verify_backup
from assay.store.engine.encryption import readable, recipients_of
from assay.store.upkeep.restore import restore
from tests.conftest import T0, Bench
from tests.inviting import invite
from tests.web.annotator import Annotator, everything


def judged(bench: Bench, items: int = 2) -> Bench:
    """A study in which somebody has judged some items."""
    ana = Annotator(bench).begin()
    for _ in range(items):
        assert ana.submit().status_code == 200
    return bench


def test_a_backup_is_restored_on_either_database_and_work_goes_on(
    bench: Bench, tmp_path: Path, new_postgres: Callable[[], str]
) -> None:
    judged(bench)
    before = everything(bench.store)
    made = back_up(bench.store, tmp_path / "b.backup", T0)
    assert made.tables["submission"].rows == 2
    assert verify_backup(tmp_path / "b.backup") == made
    for address in (str(tmp_path / "other.db"), new_postgres()):
        restore(tmp_path / "b.backup", address, T0)
        store = open_store(address)
        assert everything(store) == before
        # The counters go on behind what was restored.
        [(name, _)] = store.write(invite, bench.study_id, ["new"], T0)
        assert name in {row.annotator for row in store.read(study_status.progress, bench.study_id)}
        store.close()


def test_a_backup_of_a_backup_is_the_same(sqlite_bench: Bench, tmp_path: Path) -> None:
    first = back_up(judged(sqlite_bench).store, tmp_path / "a.backup", T0)
    restore(tmp_path / "a.backup", str(tmp_path / "other.db"), T0)
    store = connect(tmp_path / "other.db")
    assert back_up(store, tmp_path / "b.backup", T0) == first
    store.close()


def test_a_target_with_data_is_refused_and_with_replace_kept_beside(sqlite_bench: Bench, tmp_path: Path) -> None:
    back_up(sqlite_bench.store, tmp_path / "b.backup", T0)
    judged(sqlite_bench)
    before = everything(sqlite_bench.store)
    with pytest.raises(StoreError, match="is in use"):
        restore(tmp_path / "b.backup", str(tmp_path / "assay.db"), T0, replace=True)
    sqlite_bench.store.close()
    with pytest.raises(StoreError, match="holds data already"):
        restore(tmp_path / "b.backup", str(tmp_path / "assay.db"), T0)
    _, kept = restore(tmp_path / "b.backup", str(tmp_path / "assay.db"), T0, replace=True)
    assert kept == tmp_path / "assay.db.before-20270115-080000"
    for path, wanted in ((kept, 2), (tmp_path / "assay.db", 0)):
        store = open_store(path)
        assert len(everything(store)["submission"]) == wanted
        if wanted:
            assert everything(store) == before
        store.close()


def test_postgresql_with_data_is_refused_and_with_replace_exchanged(
    bench: Bench, tmp_path: Path, request: pytest.FixtureRequest, new_postgres: Callable[[], str]
) -> None:
    if bench.store.dialect != "postgresql":
        return
    back_up(bench.store, tmp_path / "b.backup", T0)
    before = everything(bench.store)
    judged(bench)
    address = bench.store._engine.url.render_as_string(hide_password=False)  # type: ignore[attr-defined]
    changed = everything(bench.store)
    with pytest.raises(StoreError, match="holds data already"):
        restore(tmp_path / "b.backup", address, T0)
    assert everything(bench.store) == changed
    restore(tmp_path / "b.backup", address, T0, replace=True)
    assert everything(bench.store) == before


def test_a_damaged_store_can_be_replaced(sqlite_bench: Bench, tmp_path: Path) -> None:
    back_up(judged(sqlite_bench).store, tmp_path / "b.backup", T0)
    before = everything(sqlite_bench.store)
    sqlite_bench.store.close()
    (tmp_path / "assay.db").write_bytes(b"\0" * 100 + (tmp_path / "assay.db").read_bytes()[100:])
    restore(tmp_path / "b.backup", str(tmp_path / "assay.db"), T0, replace=True)
    store = open_store(tmp_path / "assay.db")
    assert everything(store) == before
    store.close()


def test_a_backup_of_an_older_version_is_brought_up_to_date(tmp_path: Path) -> None:
    old = connect(tmp_path / "old.db")
    old.migrate(lambda connection: migrate_to(connection, "0003"))
    old.write(lambda c: c.execute(text("insert into study (name, version, created_at) values ('a', 'v', 1)")))
    assert back_up(old, tmp_path / "old.backup", T0).schema == "0003"
    assert old.read(lambda c: c.execute(text("select version_num from alembic_version")).scalar()) == "0003", (
        "the store itself stays as it is"
    )
    old.close()
    restore(tmp_path / "old.backup", str(tmp_path / "new.db"), T0)
    new = connect(tmp_path / "new.db")
    assert new.read(lambda c: c.execute(text("select name, cells from study")).all()) == [("a", 1)]
    assert new.read(lambda c: c.execute(text("select version_num from alembic_version")).scalar()) == SCHEMA
    new.close()


def test_a_backup_of_a_newer_version_is_refused(
    sqlite_store: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(sqlite_store, tmp_path / "b.backup", T0)
    monkeypatch.setattr(backups, "SCHEMA", "0001")
    with pytest.raises(StoreError, match="newer version"):
        restore(tmp_path / "b.backup", str(tmp_path / "other.db"), T0)
    assert not (tmp_path / "other.db").exists()


def test_a_changed_byte_in_a_backup_is_found_before_anything_is_restored(sqlite_bench: Bench, tmp_path: Path) -> None:
    path, damaged = tmp_path / "b.backup", tmp_path / "damaged.backup"
    back_up(judged(sqlite_bench).store, path, T0)
    with connect_to(path) as archive:
        whole = content_of(archive)
    chance, content = random.Random(3), path.read_bytes()
    in_a_text = content.index(b'"user_statement":"') + 25
    refused = []
    for at in [in_a_text, *(chance.randrange(len(content)) for _ in range(12))]:
        damaged.write_bytes(content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :])
        try:
            verify_backup(damaged)
        except StoreError:
            refused.append(at)
        else:
            with connect_to(damaged) as archive:
                assert content_of(archive) == whole, f"byte {at}"
    assert in_a_text in refused


def test_only_a_backup_gives_way_to_a_new_one(sqlite_store: Backend, tmp_path: Path) -> None:
    other = tmp_path / "thesis.odt"
    other.write_text("years of work")
    with pytest.raises(StoreError, match="is no backup"):
        back_up(sqlite_store, other, T0)
    assert other.read_text() == "years of work"
    back_up(sqlite_store, tmp_path / "b.backup", T0)
    back_up(sqlite_store, tmp_path / "b.backup", T0 + 1)
    with connect_to(tmp_path / "b.backup") as archive:
        found = read_manifest(archive)
    assert found is not None
    assert found.made_at == T0 + 1
    assert (tmp_path / "b.backup").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_a_copy_that_does_not_hold_the_same_gets_no_name(
    sqlite_bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = backups._insert

    def forgetful(connection: Connection, table: str, columns: list[str], rows: list[tuple[object, ...]]) -> None:
        insert(connection, table, columns, rows[:-1] if table == "item" else rows)

    monkeypatch.setattr(backups, "_insert", forgetful)
    with pytest.raises(StoreError, match=r"47 rows instead of 48|what it refers to in item"):
        back_up(sqlite_bench.store, tmp_path / "b.backup", T0)
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == []


def test_a_backup_with_a_nul_is_named_before_postgresql_is_touched(
    sqlite_bench: Bench, new_postgres: Callable[[], str], tmp_path: Path
) -> None:
    with connect_to(tmp_path / "assay.db", read_only=False) as old:
        old.exec_driver_sql("update item_hidden set batch = 'x' || char(0) where item_id = 3")
    back_up(sqlite_bench.store, tmp_path / "b.backup", T0)
    restore(tmp_path / "b.backup", str(tmp_path / "again.db"), T0)
    address = new_postgres()
    with pytest.raises(StoreError, match=r"item_hidden 3: batch holds a NUL character") as refusal:
        restore(tmp_path / "b.backup", address, T0)
    assert "SQLite" in refusal.value.hint
    with_nothing = open_store(address)
    assert everything(with_nothing)["study"] == []
    with_nothing.close()


def test_an_encrypted_backup_is_read_by_the_holder_of_the_key_alone(sqlite_bench: Bench, tmp_path: Path) -> None:
    pyrage = pytest.importorskip("pyrage")
    judged(sqlite_bench)
    keys = [pyrage.x25519.Identity.generate() for _ in range(3)]
    for number, key in enumerate(keys):
        (tmp_path / f"key{number}").write_text(f"# made for a test\n{key}\n")
    (tmp_path / "keys").write_text(f"# theirs\n{keys[0].to_public()}\n")
    path = tmp_path / "b.backup.age"
    made = back_up(
        sqlite_bench.store, path, T0, recipients=recipients_of([str(tmp_path / "keys"), str(keys[1].to_public())])
    )
    assert made.rows > 0
    assert path.stat().st_mode & 0o777 == 0o600
    assert b"emp-001" not in path.read_bytes()
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".backup")] == [], "no plain copy is left"
    for number in (0, 1):
        with readable(path, tmp_path / f"key{number}") as plain:
            assert verify_backup(plain) == made
    for key, words in ((None, "is encrypted"), ("key2", "cannot be decrypted"), ("keys", "holds no secret key")):
        with pytest.raises(StoreError, match=words), readable(path, tmp_path / key if key else None):
            pass
    with pytest.raises(StoreError, match="is no public key"):
        recipients_of(["age1nonsense"])
    back_up(sqlite_bench.store, path, T0, recipients=recipients_of([str(keys[1].to_public())]))
    (tmp_path / "mine").write_text("x")
    with pytest.raises(StoreError, match="no encrypted backup"):
        back_up(sqlite_bench.store, tmp_path / "mine", T0, recipients=recipients_of([str(keys[1].to_public())]))
    whole = path.read_bytes()
    path.write_bytes(whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:])
    with pytest.raises(StoreError, match="cannot be decrypted"), readable(path, tmp_path / "key1"):
        pass
