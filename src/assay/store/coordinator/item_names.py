"""What items are called in results: by their ids, and by where they come from, too, where two of them have one id.

A control, or an item for practice or calibration, may have the id that an item of the study has: ids are unique in each
series alone.
"""

from collections import Counter

from sqlalchemy import Connection, or_, select

from assay.store.tables import WITHDRAWN, WORK, is_in_study, item, reference


def longer_names(connection: Connection, study_id: int) -> dict[int, str]:
    """The names of the items with known answers that share their id with another item, by their numbers."""
    known = connection.execute(
        select(item.c.id, item.c.name, item.c.series)
        .join(reference, reference.c.item_id == item.c.id)
        .where(is_in_study(study_id))
    ).all()
    shared = _shared_ids(connection, study_id, {row.name for row in known}, {row.series for row in known})
    return {row.id: f"{row.name} ({row.series})" for row in known if row.name in shared}


def _shared_ids(connection: Connection, study_id: int, names: set[str], series: set[str]) -> set[str]:
    """Which of these ids more than one item has."""
    if not names:
        return set()
    # All series are named, so that the index on series and name is used however many items there are.
    anywhere = item.c.series.in_(sorted({WORK, WITHDRAWN, *series}))
    found = select(item.c.name).where(is_in_study(study_id), anywhere, item.c.name.in_(sorted(names)))
    counted = Counter(connection.execute(found).scalars())
    return {name for name, count in counted.items() if count > 1}


def item_called(connection: Connection, study_id: int, name: str) -> int | None:
    """The number of the item with this name in results; of several, one of the study's own work."""
    longer = longer_names(connection, study_id)
    named = or_(item.c.name == name, item.c.id.in_([id_ for id_, called in longer.items() if called == name]))
    found = select(item.c.id).where(is_in_study(study_id), named)
    return connection.execute(found.order_by(item.c.series.not_in((WORK, WITHDRAWN)), item.c.id).limit(1)).scalar()
