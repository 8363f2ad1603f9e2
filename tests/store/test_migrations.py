from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

import assay.store
from assay.errors import StoreError
from assay.store import SCHEMA, Backend, connect, migrate_to, open_store
from assay.store.tables import metadata


def test_migrations_lead_to_the_tables_that_the_code_uses(store: Backend) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata))

    assert store.read(differences) == []


def test_the_newest_migration_is_the_schema_that_the_program_names() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(assay.store.__file__).parent / "engine" / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == SCHEMA


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
