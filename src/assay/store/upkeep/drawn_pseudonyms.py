"""Translates names in an older backup into the pseudonyms that the store has drawn for these people since."""

import json
from typing import Any

from sqlalchemy import Connection, select

from assay.store.engine.json_text import to_json
from assay.store.tables import annotator, person


class DrawnPseudonyms:
    """The pseudonyms of people whose names lie apart."""

    def __init__(self, connection: Connection) -> None:
        columns = (annotator.c.study_id, person.c.name, annotator.c.id, annotator.c.name)
        rows = connection.execute(select(*columns).join(person, person.c.annotator_id == annotator.c.id)).all()
        self._people = {(id_, name): drawn for _, name, id_, drawn in rows}
        self._names = {(study, name): drawn for study, name, _, drawn in rows}

    def as_now(self, table: str, row: dict[str, Any]) -> dict[str, Any]:
        """A row of a backup with pseudonyms in place of names."""
        if table == "annotator":
            return {**row, "name": self._people.get((row["id"], row["name"]), row["name"])}
        if table == "import":
            before = json.loads(row["annotators"])
            after = [self._names.get((row["study_id"], name), name) for name in before]
            return {**row, "annotators": to_json(sorted(after) if before == sorted(before) else after)}
        return row
