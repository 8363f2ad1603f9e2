"""What somebody has been given, of each sort: kept beside them, so that the next item costs as much as the first.

It is kept as JSON, and empty where something else than giving out items may have changed it (an import, a new plan):
then it is counted once more.
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
    """What somebody has been given already, of each sort."""

    controls: int = 0
    last_control: int = 0
    """Where the last of them came; 0: none has."""
    duplicates: int = 0
    tagged: int = 0
    leans: Mapping[str, int] = field(default_factory=dict)
    """By the number of a pair of systems, how many more times they stood swapped than not."""

    def with_sides(self, pair: int, swapped: bool | None) -> "HadSoFar":
        """The same after one more pair on its sides."""
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
    """What somebody has been given already; counted from their assignments where it is not kept."""
    kept = KEPT.row(connection, annotator=annotator_id)[0]
    if kept is not None:
        return HadSoFar(**json.loads(kept))
    leans = {str(pair): lean for pair, lean in LEANS.rows(connection, annotator=annotator_id)}
    controls, last_control, duplicates, tagged = COUNTED.row(connection, annotator=annotator_id)
    counted = HadSoFar(controls, last_control, duplicates, tagged, leans)
    keep_had(connection, annotator_id, counted)
    return counted


def keep_had(connection: Connection, annotator_id: int, had: HadSoFar) -> None:
    """Keep what somebody has been given by now."""
    KEEP.run(connection, annotator=annotator_id, had=to_json(asdict(had)))


FORGET = Prepared(
    update(annotator)
    .where(annotator.c.study_id == bindparam("study", type_=BigInteger), annotator.c.had.is_not(None))
    .values(had=None)
)


def forget_had(connection: Connection, study_id: int) -> None:
    """Something else has changed what people of a study have been given, or what it is: it is counted anew."""
    FORGET.run(connection, study=study_id)
