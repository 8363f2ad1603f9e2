"""Items of an import that is under way: stored in short transactions, so that no answer waits, and not visible yet.

Items with ids from `study.arriving_from` on are not in the study (`is_in_study`). The last step of an import removes
that mark, and all of its items are in the study at once. The next import deletes what an interrupted one left behind.
"""

from typing import NamedTuple

from sqlalchemy import Connection, func, select, update

from assay.errors import AssayError
from assay.store.coordinator import import_list, item_plan
from assay.store.coordinator.delete_rows import delete_rows
from assay.store.coordinator.item_plan import Arrangement
from assay.store.coordinator.items import CHUNK, Adding, ItemRows
from assay.store.coordinator.unused_pictures import delete_unused
from assay.store.tables import NONE_ARRIVES, action, item, item_hidden, picture, study

ARRIVING = 0x617272
"""The number of the lock that lets one import run at a time in a study; any unused number will do."""


def mark(connection: Connection, study_id: int) -> int:
    """The first item that is not in the study yet."""
    return int(connection.execute(select(study.c.arriving_from).where(study.c.id == study_id)).scalar_one())


def _set_mark(connection: Connection, study_id: int, first: int) -> None:
    connection.execute(update(study).where(study.c.id == study_id).values(arriving_from=first))


def store(connection: Connection, adding: Adding, new: ItemRows, first: int | None) -> int:
    """Store some more items of an import. `first` is the id of its first item, None in the first step; returns it."""
    import_list.lock(connection, adding.study_id)
    if first is None:
        if mark(connection, adding.study_id) != NONE_ARRIVES:
            raise _error_of_change()
        last = connection.execute(select(func.coalesce(func.max(item.c.id), 0))).scalar_one()
        first = int(last) + 1
        _set_mark(connection, adding.study_id, first)
    else:
        need_mark(connection, adding.study_id, first)
    adding.write(connection, new)
    return first


def need_mark(connection: Connection, study_id: int, first: int) -> None:
    """Raise where another import or its undoing has come between: the items stored so far are deleted."""
    if mark(connection, study_id) != first:
        raise _error_of_change()


def _error_of_change() -> AssayError:
    return AssayError(
        "something else came into the study meanwhile, or went out of it: nothing was taken in", "import once more"
    )


def put(connection: Connection, study_id: int, first: int, places: Arrangement) -> None:
    """Write the places of some of the items."""
    import_list.lock(connection, study_id)
    need_mark(connection, study_id, first)
    item_plan.put(connection, places)


def bring_in(connection: Connection, study_id: int, first: int) -> None:
    """Make all items of the import visible in the study."""
    import_list.lock(connection, study_id)
    need_mark(connection, study_id, first)
    _set_mark(connection, study_id, NONE_ARRIVES)


def delete_some(connection: Connection, study_id: int, most: int) -> bool:
    """Delete up to `most` of the items that are not in the study, the last ones first. False when none are left."""
    import_list.lock(connection, study_id)
    first = mark(connection, study_id)
    if first == NONE_ARRIVES:
        return False
    mine = (item.c.study_id == study_id, item.c.id >= first)
    ids = connection.execute(select(item.c.id).where(*mine).order_by(item.c.id.desc()).limit(most)).scalars().all()
    for column in (item_hidden.c.item_id, item.c.id):
        delete_rows(connection, column, ids)
    if len(ids) == most:
        return True
    pictures = connection.execute(select(picture.c.hash).where(picture.c.study_id == study_id)).scalars()
    delete_unused(connection, study_id, set(pictures))
    _set_mark(connection, study_id, NONE_ARRIVES)
    return False


def delete_all(connection: Connection, study_id: int) -> None:
    """Delete all items that are not in the study. An import that is under way notices it and ends."""
    while delete_some(connection, study_id, CHUNK):
        pass


class Stamp(NamedTuple):
    """The state of a study that item places depend on. While it is equal, places that were computed still hold."""

    version: str
    arranged_for: str | None
    pilot: int
    item_count: int
    state: str
    last_act: int | None


def stamp(connection: Connection, study_id: int) -> Stamp:
    """The current stamp of a study."""
    acts = select(func.max(action.c.id)).where(action.c.study_id == study_id).scalar_subquery()
    row = select(study.c.version, study.c.arranged_for, study.c.pilot, study.c.item_count, study.c.state, acts)
    return Stamp(*connection.execute(row.where(study.c.id == study_id)).one())
