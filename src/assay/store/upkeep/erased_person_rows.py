"""Which rows of a backup may be gone or changed because a person has been erased since."""

from typing import Any

from sqlalchemy import Connection, select

from assay.store.engine.archive import columns_of, rows_of
from assay.store.tables import erasure

NAMED_BY_OTHERS = ("action", "adjudication", "gate_pass", "import", "message", "pilot")
"""Tables in whose texts a name, or what names somebody, is taken out."""


class ErasedRows:
    """The rows of a backup that belong to people who were erased since."""

    def __init__(self, connection: Connection, archive: Connection) -> None:
        keys = set(connection.execute(select(erasure.c.key)).scalars())
        self.any = bool(keys)
        self.keys = keys
        self.people: set[int] = set()
        self.assignments: set[int] = set()
        self.submissions: set[str] = set()
        if keys and "key" in columns_of(archive, "annotator"):
            self.people = {id_ for id_, key in rows_of(archive, "annotator", ("id", "key")) if key in keys}
            theirs = rows_of(archive, "assignment", ("id", "annotator_id"))
            self.assignments = {id_ for id_, who in theirs if who in self.people}
            said = rows_of(archive, "submission", ("id", "annotator_id"))
            self.submissions = {id_ for id_, who in said if who in self.people}

    def explains(self, table: str, row: dict[str, Any]) -> bool:
        """Whether a row that differs from the backup belonged to an erased person, or named one."""
        if table in NAMED_BY_OTHERS:
            return self.any
        if table == "text_review":
            return str(row["key"]).partition("/")[0] in self.submissions
        whose = row.get("id") if table == "annotator" else row.get("annotator_id")
        return (
            whose in self.people
            or row.get("assignment_id") in self.assignments
            or row.get("submission_id") in self.submissions
            or (table == "person_answer" and row.get("key") in self.keys)
        )
