"""A cache in the annotator's row: how many items of each sort they were given, so that it is not counted each time.

It is JSON. Anything but giving out items that may change it (an import, a new plan) empties it; then it is counted
again.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from sqlalchemy import BigInteger, Connection, Text, bindparam, func, select, update

from assay.items.reference_items import CONTROLS
from assay.store.annotator.assignments import AT_WORK, MINE
from assay.store.annotator.places import OF_ITEM
from assay.store.engine.json_text import to_json
from assay.store.engine.prepared import Prepared
from assay.store.tables import annotator, assignment, item


@dataclass(frozen=True, slots=True)
class HadSoFar:
    """How many items of each sort somebody has been given."""

    controls: int = 0
    last_control: int = 0
    """The position of the last control; 0: there was none."""
    duplicates: int = 0
    tagged: int = 0
    leans: Mapping[str, int] = field(default_factory=dict)
    """By the number of a pair of systems, how many more times they stood swapped than not."""

    def with_sides(self, pair: int, swapped: bool | None) -> "HadSoFar":
        """The counts after one more pair of systems, with its sides."""
        if swapped is None:
            return self
        lean = self.leans.get(str(pair), 0) + (1 if swapped else -1)
        return replace(self, leans={**self.leans, str(pair): lean})


NOTHING_YET = HadSoFar()

_ME = annotator.c.id == bindparam("annotator")
KEPT = Prepared(select(annotator.c.had).where(_ME))
KEEP = Prepared(update(annotator).where(_ME).values(had=bindparam("had", type_=Text)))
COUNTED = Prepared(
    select(
        func.count().filter(item.c.series == CONTROLS),
        func.coalesce(func.max(assignment.c.position).filter(item.c.series == CONTROLS), 0),
        func.count().filter(assignment.c["pass"] > 1),
        func.count().filter(item.c.tagged),
    )
    .select_from(assignment)
    .join(item, OF_ITEM)
    .where(MINE, AT_WORK)
)
LEANS = Prepared(
    select(item.c.pair, func.count().filter(assignment.c.swapped) - func.count().filter(~assignment.c.swapped))
    .select_from(assignment)
    .join(item, OF_ITEM)
    .where(MINE, assignment.c.swapped.is_not(None))
    .group_by(item.c.pair)
)


def read_had(connection: Connection, annotator_id: int) -> HadSoFar:
    """What somebody has been given, from the cache; where that is empty, counted from their assignments."""
    kept = KEPT.row(connection, annotator=annotator_id)[0]
    if kept is not None:
        return HadSoFar(**json.loads(kept))
    leans = {str(pair): lean for pair, lean in LEANS.rows(connection, annotator=annotator_id)}
    controls, last_control, duplicates, tagged = COUNTED.row(connection, annotator=annotator_id)
    counted = HadSoFar(controls, last_control, duplicates, tagged, leans)
    keep_had(connection, annotator_id, counted)
    return counted


def keep_had(connection: Connection, annotator_id: int, had: HadSoFar) -> None:
    """Write the cache of an annotator."""
    KEEP.run(connection, annotator=annotator_id, had=to_json(asdict(had)))


FORGET = Prepared(
    update(annotator)
    .where(annotator.c.study_id == bindparam("study", type_=BigInteger), annotator.c.had.is_not(None))
    .values(had=None)
)


def forget_had(connection: Connection, study_id: int) -> None:
    """Empty the cache of everybody in a study, since something other than giving out items may have changed it."""
    FORGET.run(connection, study=study_id)
