"""The store: everything that must survive. SQLite in one file by default, PostgreSQL for several servers."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from assay.errors import StoreError
from assay.store.engine.backend import Backend
from assay.store.engine.new_store import make_tables
from assay.store.engine.postgres import Postgres
from assay.store.engine.sqlite import Sqlite

SCHEMA = "0027"
"""The newest migration; a test keeps it equal to the migrations that are there."""

# Any number will do, as long as nobody else locks on it: it keeps two servers from migrating at once.
MIGRATION_LOCK = 0x617373617920


def open_store(database: str | Path) -> Backend:
    """Open a store by URL or by the path of a SQLite file; make it or bring it up to date where needed."""
    store = connect(database)
    try:
        if store.read(schema_of) != SCHEMA:
            store.migrate(_migrate)
        store.schema = SCHEMA
    except BaseException:
        store.close()
        raise
    return store


def connect(database: str | Path) -> Backend:
    """Open a store as it is, whatever version of the tables it has."""
    database = str(database)
    if database.startswith(("postgresql:", "postgres:", "postgresql+psycopg:")):
        return Postgres("postgresql+psycopg:" + database.split(":", 1)[1], f"assay {SCHEMA}")
    path = Path(database.removeprefix("sqlite:///"))
    if "://" in database and not database.startswith("sqlite:///"):
        raise StoreError(
            f"{database.split('://')[0]} is not a database that can be used", "sqlite:/// or postgresql://"
        )
    if not path.parent.is_dir():
        raise StoreError(f"there is no folder {path.parent}", "make it first, or name another database")
    return Sqlite(path)


def schema_of(connection: Connection) -> str | None:
    """The migration that a database is at, without loading the machinery that migrates."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("select version_num from alembic_version")).scalar()
    if found is not None and found > SCHEMA:
        raise StoreError(
            f"this store was written by a newer version of the program (schema {found}, here {SCHEMA})",
            "install the newer version again; data of a newer schema cannot be read safely",
        )
    return None if found is None else str(found)


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    found = schema_of(connection)
    if found is None:
        make_tables(connection, SCHEMA)
    elif found != SCHEMA:  # or another process was faster
        _see_that_nobody_works(connection)
        migrate_to(connection, "head")


def _see_that_nobody_works(connection: Connection) -> None:
    """Raise while programs of another version are connected: they would go on writing into the old tables."""
    if connection.dialect.name != "postgresql":
        return  # they look at the file before each write
    others = text(
        "select count(*) from pg_stat_activity where datname = current_database() "
        "and application_name like 'assay %' and application_name <> :name"
    )
    if count := connection.execute(others, {"name": f"assay {SCHEMA}"}).scalar_one():
        raise StoreError(
            f"servers or commands of another version are at work on this database ({count} connections)",
            "stop them all, then start the new version: annotators' pages keep what they have and try again",
        )


def migrate_to(connection: Connection, version: str) -> None:
    """Bring the tables to a version."""
    from alembic import command
    from alembic.config import Config

    if not connection.in_transaction():
        connection.begin()  # otherwise alembic begins a transaction itself, and commits after each migration
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "engine" / "migrations"))
    config.attributes["connection"] = connection
    config.attributes["found"] = schema_of(connection)
    command.upgrade(config, version)


__all__ = ["SCHEMA", "Backend", "connect", "migrate_to", "open_store", "schema_of"]
