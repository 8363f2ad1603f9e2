"""Items of an import that is under way: stored in short steps, so that no answer waits for them, and not in the study.

From `study.arriving_from` on, items are there for nobody (`is_in_study`). The last step of an import takes that mark
away, and all of its items are in the study at once. What an import left behind that was broken off, the next deletes.
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
"""Any number will do that no other work has: one import at a time in a study."""


def mark(connection: Connection, study_id: int) -> int:
    """The first item that is not in the study yet."""
    return int(connection.execute(select(study.c.arriving_from).where(study.c.id == study_id)).scalar_one())


def _set_mark(connection: Connection, study_id: int, first: int) -> None:
    connection.execute(update(study).where(study.c.id == study_id).values(arriving_from=first))


def store(connection: Connection, adding: Adding, new: ItemRows, first: int | None) -> int:
    """Store some more items; `first` is the first of the import, none for its first step. Returns it."""
    import_list.lock(connection, adding.study_id)
    if first is None:
        if mark(connection, adding.study_id) != NONE_ARRIVES:
            raise _taken_over()
        last = connection.execute(select(func.coalesce(func.max(item.c.id), 0))).scalar_one()
        first = int(last) + 1
        _set_mark(connection, adding.study_id, first)
    else:
        need_mark(connection, adding.study_id, first)
    adding.write(connection, new)
    return first


def need_mark(connection: Connection, study_id: int, first: int) -> None:
    """Refuse to go on where something else was taken in meanwhile: what was stored by then is deleted."""
    if mark(connection, study_id) != first:
        raise _taken_over()


def _taken_over() -> AssayError:
    return AssayError(
        "something else came into the study meanwhile, or went out of it: nothing was taken in", "import once more"
    )


def put(connection: Connection, study_id: int, first: int, places: Arrangement) -> None:
    """Write where some of the items will stand."""
    import_list.lock(connection, study_id)
    need_mark(connection, study_id, first)
    item_plan.put(connection, places)


def bring_in(connection: Connection, study_id: int, first: int) -> None:
    """From now on the items are in the study."""
    import_list.lock(connection, study_id)
    need_mark(connection, study_id, first)
    _set_mark(connection, study_id, NONE_ARRIVES)


def delete_some(connection: Connection, study_id: int, most: int) -> bool:
    """Delete so many of the items that are not in the study, the last ones first. False: there is none any more."""
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
    """The same at once, by whoever cannot wait: an import that is under way finds it, and ends."""
    while delete_some(connection, study_id, CHUNK):
        pass


class Stamp(NamedTuple):
    """Changes with whatever coordinators do in a study: what was worked out before may not hold any more."""

    version: str
    arranged_for: str | None
    pilot: int
    item_count: int
    state: str
    last_act: int | None


def stamp(connection: Connection, study_id: int) -> Stamp:
    """How a study stands just now."""
    acts = select(func.max(action.c.id)).where(action.c.study_id == study_id).scalar_subquery()
    row = select(study.c.version, study.c.arranged_for, study.c.pilot, study.c.item_count, study.c.state, acts)
    return Stamp(*connection.execute(row.where(study.c.id == study_id)).one())
