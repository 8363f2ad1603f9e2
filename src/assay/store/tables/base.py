"""What all tables share: the metadata, types of keys and times, and conditions of partial indexes."""

from typing import Any

from sqlalchemy import BigInteger, Integer, MetaData, text

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# 64 bits on PostgreSQL; on SQLite only INTEGER makes a primary key that counts by itself.
Id = BigInteger().with_variant(Integer, "sqlite")
Time = BigInteger

WORK = "work"
"""The series of items that are to be judged. The others have known answers."""

WITHDRAWN = "withdrawn"
"""The series of items that were taken out of the study: kept, given to nobody, and counted nowhere."""

EVERYBODY = 1_000_000
"""How many annotators an item wants that everybody is to judge: more than ever take part, so that none is left out."""

IS_OPEN = "state = 'open'"
FREE = "taken < wanted AND series = 'work'"


def where(condition: str) -> dict[str, Any]:
    """The options of a partial index, in the dialect of each database."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}
