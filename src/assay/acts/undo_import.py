"""Taking an import back, or its items out of the study where somebody has judged them."""

from sqlalchemy import Connection

from assay.acts.items import withdraw_item
from assay.acts.reasons import need_reason
from assay.errors import AssayError
from assay.store.coordinator import arriving, import_list, studies, undo_import
from assay.store.coordinator.import_list import ImportEntry
from assay.store.coordinator.record import By, record
from assay.store.coordinator.undo_import import Hindrance

MOST_SAID = 8


def take_import_back(connection: Connection, by: By, number: int) -> ImportEntry:
    """Delete everything that an import brought, as long as nobody has judged any of it. Its place in the list stays."""
    need_reason(by, "to take an import back")
    import_list.lock(connection, by.study_id)
    studies.lock(connection, by.study_id)
    arriving.delete_all(connection, by.study_id)
    done = _entry_in_force(connection, by, number)
    if found := undo_import.hindrances(connection, by.study_id, number):
        said = "; ".join(each.what for each in found[:MOST_SAID])
        more = f"; and {len(found) - MOST_SAID} more" if len(found) > MOST_SAID else ""
        raise AssayError(f"import {number} cannot be taken back: {said}{more}", _hint(number, found))
    for lost in undo_import.take_back(connection, by.study_id, number):
        record(connection, by, "problem of an item that is gone", lost.annotator_id, f"{lost.item}: {lost.words}")
    import_list.mark_undone(connection, by, number)
    record(connection, by, import_list.TAKE_BACK, about=done.in_record)
    return done


def _hint(number: int, found: list[Hindrance]) -> str:
    later = sorted({each.later for each in found if each.later is not None}, reverse=True)
    if len(later) < len({each.later for each in found}):
        return (
            "what was judged stays; its items can be taken out of the study: nobody gets them then, and the report "
            f"leaves them out (--undo {number} --take-out)"
        )
    first = f"take back what came after it first: import {', then import '.join(map(str, later))}"
    return f"{first}; or take its items out of the study, and what was judged stays (--undo {number} --take-out)"


def take_import_out(connection: Connection, by: By, number: int) -> int:
    """Take all items of an import out of the study, one by one. Their judgments stay. Returns how many they were."""
    need_reason(by, "to take items out")
    _entry_in_force(connection, by, number)
    names = undo_import.items_at_work(connection, by.study_id, number)
    withdraw_item(connection, by, *names)
    return len(names)


def _entry_in_force(connection: Connection, by: By, number: int) -> ImportEntry:
    found = import_list.entry(connection, by.study_id, number)
    if found.undone_at is not None:
        raise AssayError(f"import {number} was taken back already", "`assay import --list` says when and by whom")
    return found
