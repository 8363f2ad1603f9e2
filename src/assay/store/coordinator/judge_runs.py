"""How judges were run: stored with the imports of their judgments, and read for judgments that still count."""

import json
from collections.abc import Iterator

from sqlalchemy import Connection, exists, select

from assay.frozen_json import from_json
from assay.items.run_facts import RunFacts
from assay.store.tables import annotator, import_, submission

JUDGES = 0x6A7564
"""The number of the work of running judges, of which a study has one at a time."""


def run_facts(connection: Connection, study_id: int) -> dict[str, RunFacts]:
    """How each judge was run, from imports with judgments that still count; judges that were run elsewhere are missing.

    Imports whose judgments were all replaced or undone say nothing of the judge any more.
    """
    found: dict[str, RunFacts] = {}
    for judge, number in _that_count(connection, study_id):
        facts = facts_of(connection, study_id, number).get(judge)
        if facts is not None:
            found[judge] = found.get(judge, RunFacts()) + facts
    return found


class KeptRuns:
    """How judges were run in earlier imports; a cache, so that each import is read once."""

    def __init__(self, connection: Connection, study_id: int) -> None:
        self.connection, self.study_id = connection, study_id
        self.by_import: dict[int, dict[str, RunFacts]] = {}

    def has(self, number: int | None, judge: str, run: RunFacts) -> bool:
        """Whether the judge was run like this for that import."""
        if number is None:
            return False
        if number not in self.by_import:
            self.by_import[number] = facts_of(self.connection, self.study_id, number)
        return self.by_import[number].get(judge, RunFacts()).covers(run)


def facts_of(connection: Connection, study_id: int, number: int) -> dict[str, RunFacts]:
    """How each judge was run whose judgments came with this import."""
    one = (import_.c.study_id == study_id, import_.c.number == number)
    kept = json.loads(connection.execute(select(import_.c.runs).where(*one)).scalar() or "{}")
    read = {judge: from_json(RunFacts, facts) for judge, facts in kept.items()}
    return {judge: facts for judge, facts in read.items() if facts is not None}


def _that_count(connection: Connection, study_id: int) -> Iterator[tuple[str, int]]:
    """Each judge with each import that still has a judgment of it in the newest revision."""
    later = submission.alias("later")
    replaced = exists().where(
        later.c.assignment_id == submission.c.assignment_id, later.c.revision > submission.c.revision
    )
    rows = connection.execute(
        select(annotator.c.name, submission.c.import_number)
        .distinct()
        .select_from(submission)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(submission.c.study_id == study_id, annotator.c.judge.is_(True))
        .where(submission.c.import_number.is_not(None), ~replaced)
        .order_by(annotator.c.name, submission.c.import_number)
    )
    yield from ((row[0], row[1]) for row in rows)
