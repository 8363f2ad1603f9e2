import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

import assay.store
from assay.errors import StoreError
from assay.store import SCHEMA, Backend, connect, migrate_to, open_store, schema_of
from assay.store.coordinator import import_list
from assay.store.coordinator.judge_runs import facts_of
from assay.store.engine.postgres import Postgres
from assay.store.tables import metadata


@pytest.fixture(params=["sqlite", "postgresql"])
def addresses(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """Two empty databases of one kind."""
    if request.param == "sqlite":
        return str(tmp_path / "one.db"), str(tmp_path / "other.db")
    new_postgres = request.getfixturevalue("new_postgres")
    return new_postgres(), new_postgres()


@pytest.fixture
def migrated(addresses: tuple[str, str]) -> Iterator[Backend]:
    """An empty store as the migrations make it, from the first to the newest."""
    opened = connect(addresses[0])
    opened.migrate(lambda connection: migrate_to(connection, "head"))
    yield opened
    opened.close()


def test_migrations_lead_to_the_tables_that_the_code_uses(migrated: Backend) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata))

    assert migrated.read(differences) == []


def shape(connection: Connection) -> dict[str, dict[str, list[str]]]:
    """All that a database says of each of its tables. Columns have an order."""
    seen = inspect(connection)
    parts: dict[str, Callable[[str], list[Any]]] = {
        "columns": lambda table: list(enumerate(seen.get_columns(table))),
        "key": lambda table: [seen.get_pk_constraint(table)],
        "references": seen.get_foreign_keys,
        "indexes": seen.get_indexes,
        "unique": seen.get_unique_constraints,
        "checks": seen.get_check_constraints,
    }
    return {
        table: {part: sorted(json.dumps(each, default=str) for each in ask(table)) for part, ask in parts.items()}
        for table in seen.get_table_names()
    }


def test_a_new_store_is_what_the_migrations_make_of_an_empty_one(migrated: Backend, addresses: tuple[str, str]) -> None:
    new = open_store(addresses[1])
    assert new.read(shape) == migrated.read(shape)
    assert new.read(schema_of) == migrated.read(schema_of) == SCHEMA
    new.close()


def test_the_newest_migration_is_the_schema_that_the_program_names() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(assay.store.__file__).parent / "engine" / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == SCHEMA


RELEASED = Path(__file__).with_name("migrations.sha256")
CHANGED = """{names}: a migration is never edited once it may have run somewhere; write another one that puts it right.
One that is on no machine but yours may still change: write its line in {file} anew, as `sha256sum` prints it."""


def test_no_released_migration_is_edited() -> None:
    """Those that are not listed yet may change; before a release their lines are added with `sha256sum`."""
    folder = Path(assay.store.__file__).parent / "engine" / "migrations" / "versions"
    listed = {name: hash_ for hash_, name in map(str.split, RELEASED.read_text("utf-8").splitlines())}
    found = {each.name: sha256(each.read_bytes()).hexdigest() for each in folder.glob("0*.py")}
    changed = [name for name in listed if found.get(name) != listed[name]]
    assert not changed, CHANGED.format(names=", ".join(changed), file=RELEASED.name)
    between = [name for name in found if name not in listed and name < max(listed)]
    assert not between, f"{between} came before migrations that are released: number it after them"


def test_a_store_opened_again_keeps_its_data(database: str) -> None:
    first = open_store(database)
    first.write(lambda c: c.execute(text("insert into study (name, version, created_at) values ('a', 'v', 1)")))
    first.close()
    second = open_store(database)
    assert second.read(lambda c: c.execute(text("select name from study")).scalar()) == "a"
    second.close()


def test_a_store_of_a_newer_program_is_refused(database: str) -> None:
    first = open_store(database)
    first.write(lambda c: c.execute(text("update alembic_version set version_num = '9999'")))
    first.close()
    with pytest.raises(StoreError, match="newer version"):
        open_store(database)


NEW_STUDY = text("insert into study (id, name, version, created_at) values (:study, :name, 'v', 1)")
NEW_VERSION = text("insert into study_version values (:study, 'v', :document, 1)")
NEW_ITEM = text(
    "insert into item (study_id, name, shown, words, lot, batch) values (:study, :name, '{}', 1, 1, :batch)"
)


def test_items_of_an_earlier_program_wait_with_their_batch_where_batches_come_in_order(database: str) -> None:
    def fill(connection: Connection) -> None:
        migrate_to(connection, "0007")
        for study, plan in enumerate(('{"batches":"in_order"}', '{"batches":"mixed"}', "{}"), 1):
            connection.execute(NEW_STUDY, {"study": study, "name": f"study {study}"})
            connection.execute(NEW_VERSION, {"study": study, "document": f'{{"assignment":{plan}}}'})
            for batch in (0, 1, 2):
                connection.execute(NEW_ITEM, {"study": study, "name": f"item {batch}", "batch": batch})

    before = connect(database)
    before.migrate(fill)
    before.close()
    after = open_store(database)
    queues = "select study_id, queue from item order by study_id, batch"
    assert [tuple(row) for row in after.read(lambda c: c.execute(text(queues)).all())] == [
        *((1, 0), (1, 1), (1, 2)),
        *((number, 0) for number in (2, 2, 2, 3, 3, 3)),
    ]
    assert after.read(lambda c: c.execute(text("select batch_count from study")).scalars().all()) == [3, 3, 3]
    after.close()


def test_of_judgments_that_an_earlier_program_took_in_it_is_not_known_how_the_judge_was_run(database: str) -> None:
    def fill(connection: Connection) -> None:
        migrate_to(connection, "0022")
        connection.execute(NEW_STUDY, {"study": 1, "name": "study"})
        row = "insert into import (study_id, number, at, by, files, items, duplicates, judged, annotators)"
        connection.execute(text(f"{row} values (1, 1, 5, 'me', '[]', 0, 0, 3, '[\"gpt\"]')"))

    before = connect(database)
    before.migrate(fill)
    before.close()
    after = open_store(database)
    assert after.read(facts_of, 1, 1) == {}
    assert [each.annotators for each in after.read(import_list.entries, 1)] == [("gpt",)]
    after.close()


def test_a_server_that_comes_back_to_tables_of_another_version_keeps_nothing(new_postgres: Callable[[], str]) -> None:
    store = open_store(new_postgres())
    store.write(lambda c: c.execute(text("update alembic_version set version_num = '9999'")))
    # The database was restarted meanwhile: nobody was connected when the newer program came.
    with suppress(StoreError):
        store.write(lambda c: c.execute(text("select pg_terminate_backend(pg_backend_pid())")))
    with pytest.raises(StoreError, match=rf"newer version .*schema 9999, here {SCHEMA}"):
        store.write(lambda c: c.execute(NEW_STUDY, {"study": 1, "name": "x"}))
    assert store.last_write == 0
    store.close()


def test_tables_are_not_changed_under_servers_of_another_version(new_postgres: Callable[[], str]) -> None:
    database = new_postgres()
    earlier = Postgres("postgresql+psycopg:" + database.split(":", 1)[1], "assay 0018")
    earlier.migrate(lambda connection: migrate_to(connection, "0018"))
    with pytest.raises(StoreError, match="of another version are at work"):
        open_store(database)
    assert earlier.read(schema_of) == "0018"
    earlier.close()
    store = open_store(database)
    assert store.read(schema_of) == SCHEMA
    store.close()


def test_a_program_whose_tables_were_changed_under_it_keeps_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "assay.db")
    store.write(lambda connection: connection.execute(text("update study set pilot = 0")))
    with sqlite3.connect(tmp_path / "assay.db") as newer:
        newer.execute("create table what_a_newer_program_needs (id integer)")
        newer.execute("update alembic_version set version_num = '9999'")
    with pytest.raises(StoreError, match="a newer version of the program has changed the tables"):
        store.write(lambda connection: connection.execute(text("update study set pilot = 0")))
    store.close()
