"""Items that come to an annotator a second time: what their file has twice first, then what is drawn by lot."""

from sqlalchemy import Connection, and_, bindparam, exists, func, literal_column, or_, select

from assay.assignment import lot
from assay.store.annotator.assignments import AT_WORK, MINE, OPEN
from assay.store.annotator.claim import Claim
from assay.store.annotator.places import OF_ITEM
from assay.store.engine.prepared import Prepared
from assay.store.tables import assignment, duplicate, item

_again = assignment.alias()
_COULD_COME_AGAIN = (
    select(assignment.c.item_id, item.c.pair, item.c.lot, exists().where(duplicate.c.item_id == assignment.c.item_id))
    .join(item, OF_ITEM)
    .where(
        MINE,
        AT_WORK,
        assignment.c["pass"] == 1,
        item.c.series == literal_column("'work'"),
        # Hard content comes once.
        item.c.tagged.is_(False),
        assignment.c.position < bindparam("before"),
        ~exists().where(
            _again.c.annotator_id == assignment.c.annotator_id,
            _again.c.item_id == assignment.c.item_id,
            _again.c["pass"] > 1,
        ),
    )
    .order_by(assignment.c.position)
)
_SUBMITTED = assignment.c.state == literal_column("'submitted'")
A_DUPLICATE = Prepared(_COULD_COME_AGAIN.where(_SUBMITTED))
A_DUPLICATE_ON_PAPER = Prepared(_COULD_COME_AGAIN.where(_SUBMITTED | OPEN))


_came_again = assignment.alias()
NAMED_TO_COME = Prepared(
    select(func.count(duplicate.c.item_id.distinct()))
    .join(item, item.c.id == duplicate.c.item_id)
    .outerjoin(assignment, and_(OF_ITEM, MINE))
    .where(
        duplicate.c.study_id == bindparam("study"),
        item.c.tagged.is_(False),
        item.c.series == literal_column("'work'"),
        or_(assignment.c.id.is_not(None), item.c.taken < item.c.wanted),
        ~exists().where(
            _came_again.c.annotator_id == bindparam("annotator"),
            _came_again.c.item_id == item.c.id,
            _came_again.c["pass"] > 1,
        ),
    )
)
"""How many items that their file has twice can still come to an annotator a second time."""


def find_duplicate(connection: Connection, claim: Claim, position: int, missing: int = 0) -> tuple[int, int] | None:
    """An item that the annotator has judged before, far enough behind, and its pair of systems.

    What the item file names as a duplicate comes before anything that is drawn. Nothing is drawn as long as enough of
    these are still to come to make up for the `missing` ones.
    """
    asked = claim.study.assignment.duplicates
    if asked is None:
        return None
    me = claim.annotator
    could = A_DUPLICATE_ON_PAPER if claim.on_paper else A_DUPLICATE
    rows = could.rows(connection, annotator=me.id, before=position - asked.distance)
    named = [row for row in rows if row[3]]
    if not named and (claim.by_name or (missing > 0 and _named_to_come(connection, claim) >= missing)):
        return None
    start = lot(claim.study.seed, me.name, "again", str(position))
    found = min(named or rows, key=lambda row: lot(start, str(row[2])), default=None)
    return None if found is None else (found[0], found[1])


def _named_to_come(connection: Connection, claim: Claim) -> int:
    me = claim.annotator
    return int(NAMED_TO_COME.row(connection, study=me.study_id, annotator=me.id)[0])
