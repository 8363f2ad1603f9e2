"""Stores as earlier programs left them: tables of a revision, filled by hand."""

from sqlalchemy import Connection, text

from assay.store import connect, migrate_to


def fill_earlier_store(database: str, revision: str, statements: str) -> None:
    """Make the tables of a revision and fill them; the statements end in a semicolon and a line break each."""

    def fill(connection: Connection) -> None:
        migrate_to(connection, revision)
        for statement in statements.split(";\n"):
            connection.execute(text(statement))

    before = connect(database)
    before.migrate(fill)
    before.close()
