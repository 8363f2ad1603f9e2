"""The tables of a new store: what all migrations make of an empty database, at once, in a tenth of the time.

A test keeps the two the same on both databases.
"""

from sqlalchemy import Connection, text

from assay.store.tables import metadata

VERSION_TABLE = """
create table alembic_version (
  version_num varchar(32) not null,
  constraint alembic_version_pkc primary key (version_num)
)
"""
"""As alembic makes it: later migrations begin from what stands there."""


def make_tables(connection: Connection, schema: str) -> None:
    """Make every table, and note the migration that they are at."""
    metadata.create_all(connection, checkfirst=False)
    connection.execute(text(VERSION_TABLE))
    connection.execute(text("insert into alembic_version values (:schema)"), {"schema": schema})
