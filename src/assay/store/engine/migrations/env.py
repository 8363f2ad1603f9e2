"""Alembic's way in: the connection is handed over by the store, which holds the lock."""

from alembic import context

from assay.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=connection.dialect.name == "sqlite")
with context.begin_transaction():
    context.run_migrations()
