"""Importing many items in short transactions, its steps: nobody who saves an answer waits for more than one.

The items are stored some at a time, and are not in the study until the last step (`store/coordinator/arriving.py`): all
of them or none, also where the program is killed in between.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from assay.acts.imports import ImportedFiles, ImportResult, look_at_what_came, refuse, take_in_judgments
from assay.errors import AssayError, Interrupted
from assay.items.reader import ImportedRow
from assay.store import Backend
from assay.store.coordinator import arriving, import_list, imports, item_plan, studies, tokens
from assay.store.coordinator.arriving import Stamp
from assay.store.coordinator.item_plan import Arrangement
from assay.store.coordinator.items import CHUNK, STEP, Adding
from assay.store.coordinator.record import By
from assay.store.coordinator.tokens import Once
from assay.store.tables import EVERYBODY, NONE_ARRIVES
from assay.study import Study

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_WAIT = 60.0
"""Seconds that an import waits for another one in its study."""
PAUSE = 0.1


FIRST_STEP = 500
FEWEST_IN_A_STEP = 100
LONGEST_STEP = 0.025
"""Seconds that a step may take, by the clock: where the processor has other things to do a step brings fewer items."""
GAP = 0.006
"""Seconds between two steps. Whoever waits for the write lock polls it every five milliseconds."""


def take_in_by_steps(
    store: Backend, by: By, study: Study, rows: Iterable[ImportedRow], files: ImportedFiles
) -> ImportResult:
    """Take in items and what was judged elsewhere, all or nothing, and lay the items out for work."""
    with _turn(store, by.study_id):
        return _all_steps(store, by, study, rows, files, lambda connection, end: end(connection))


def take_in_once(
    store: Backend,
    by: By,
    study: Study,
    rows: Iterable[ImportedRow],
    files: ImportedFiles,
    request: Once | None,
    answer: Callable[[ImportResult], dict[str, Any]],
) -> dict[str, Any]:
    """The same for a request, which is done once however often it comes: its answer is kept with the last step."""
    with _turn(store, by.study_id):
        if (kept := store.read(tokens.kept_answer, request)) is not None:
            return kept

        def last(connection: Connection, end: Callable[[Connection], ImportResult]) -> dict[str, Any]:
            return tokens.once(connection, request, by.at, lambda at: answer(end(at)))

        return _all_steps(store, by, study, rows, files, last)


def _all_steps(
    store: Backend,
    by: By,
    study: Study,
    rows: Iterable[ImportedRow],
    files: ImportedFiles,
    last: Callable[[Connection, Callable[[Connection], ImportResult]], T],
) -> T:
    """Do every step; `last` does the last one, with whatever else belongs into its transaction."""
    store.read(refuse, by, files)
    number = store.read(import_list.next_number, by.study_id)
    try:
        first, adding = _store_items(store, by, study, rows, number)
        ahead = None if first is None else _lay_out(store, study, adding, first)
        given = partial(_end, by=by, study=study, files=files, adding=adding, number=number, ahead=ahead)
        done = store.write(last, given)
        look_at_what_came(store, items=adding.added, judged=len(files.judgments))
        return done
    except BaseException as error:
        _delete_leftovers(store, by.study_id)
        if isinstance(error, KeyboardInterrupt) and store.read(import_list.next_number, by.study_id) > number:
            raise Interrupted("stopped", f"import {number} had just been taken in") from None
        raise


@contextmanager
def _turn(store: Backend, study_id: int) -> Iterator[None]:
    """Wait until no other import runs in this study, and delete what an interrupted one left behind."""
    until = time.monotonic() + LONGEST_WAIT
    while True:
        with store.alone(arriving.ARRIVING, study_id) as is_alone:
            if is_alone:
                _delete_leftovers(store, study_id)
                yield
                return
        if time.monotonic() > until:
            raise AssayError("another import into this study is under way", "wait until it has ended; then once more")
        time.sleep(PAUSE)


def delete_broken_off(store: Backend) -> None:
    """Delete what interrupted imports left behind, in every study where no import is running."""
    for study_id, _ in store.read(studies.all_studies):
        if store.read(arriving.mark, study_id) != NONE_ARRIVES:
            with store.alone(arriving.ARRIVING, study_id) as is_alone:
                if is_alone:
                    _delete_leftovers(store, study_id)


def _delete_leftovers(store: Backend, study_id: int) -> None:
    while store.write(arriving.delete_some, study_id, CHUNK):
        pass


def _store_items(
    store: Backend, by: By, study: Study, rows: Iterable[ImportedRow], number: int
) -> tuple[int | None, Adding]:
    """Store the items, none of which is in the study yet. Returns the first of them, if there is any."""
    wanted = study.assignment.annotators_of_item(EVERYBODY)
    adding = store.read(Adding, by.study_id, study.seed, number=number, wanted=wanted)
    store.read(adding.go_on_counting)
    first: int | None = None
    steps = _Steps(store)
    for chunk in steps.parts(rows):
        new = store.read(adding.prepare, chunk)
        if (new.rows or new.pictures) and not adding.mistakes:
            first = steps.write(arriving.store, adding, new, first)
    adding.refuse_mistakes()
    return first, adding


class _Steps:
    """Short write transactions with pauses in between: none holds the write lock for longer than others may wait."""

    def __init__(self, store: Backend) -> None:
        self._store = store
        self._size = FIRST_STEP
        self._took = self._ended = 0.0

    def parts(self, rows: Iterable[ImportedRow]) -> Iterator[list[ImportedRow]]:
        """The rows in chunks; the size of each follows from how long the step before it took."""
        rest = iter(rows)
        while part := list(islice(rest, self._size)):
            yield part

    def write(self, act: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do a step in a transaction, after a pause in which those who waited for the lock get it."""
        time.sleep(max(0.0, self._ended + GAP - time.monotonic()))

        def do_and_measure(connection: Connection) -> T:
            began = time.monotonic()
            try:
                return act(connection, *args, **kwargs)
            finally:
                self._took = time.monotonic() - began

        done = self._store.write(do_and_measure)
        self._ended = time.monotonic()
        wanted = int(self._size * LONGEST_STEP / max(self._took, 1e-6))
        self._size = max(FEWEST_IN_A_STEP, min(wanted, 2 * self._size, STEP))
        return done


@dataclass(frozen=True, slots=True)
class _Ahead:
    """The layout of all items (pilots, groups, cells), computed before the last step."""

    first: int
    rest: Arrangement
    """What is still to be written: the places of items that are in the study by now."""
    added: Mapping[str, Any]
    """How many more there will be of all that is counted."""
    stamp: Stamp


def _lay_out(store: Backend, study: Study, adding: Adding, first: int) -> _Ahead:
    """Compute the layout of all items, and write it for those that are not in the study yet."""
    study_id = adding.study_id
    stamp = store.read(arriving.stamp, study_id)
    if adding.others_stay and stamp.arranged_for == study.hash and item_plan.is_plain(study):
        added = store.read(item_plan.count_arriving, study_id, first)
        return _Ahead(first, item_plan.AS_BEFORE, added, stamp)
    arrangement = store.read(item_plan.work_out, study_id, study, with_arriving=True)
    steps = _Steps(store)
    for step in arrangement.of_items(lambda item: item >= first).steps(CHUNK):
        steps.write(arriving.put, study_id, first, step)
    added = store.read(item_plan.count_arriving, study_id, first)
    return _Ahead(first, arrangement.of_items(lambda item: item < first), added, stamp)


def _end(
    connection: Connection,
    by: By,
    study: Study,
    files: ImportedFiles,
    adding: Adding,
    number: int,
    ahead: _Ahead | None,
) -> ImportResult:
    """The last step: bring everything into the study, in one transaction."""
    refuse(connection, by, files)
    holds = ahead is not None and arriving.stamp(connection, by.study_id) == ahead.stamp
    if ahead is not None:
        arriving.bring_in(connection, by.study_id, ahead.first)
    added = adding.finish(connection)
    if files.folder is not None:
        added = replace(added, corrected=imports.add_known(connection, by.study_id, study, files.folder))
    if ahead is not None and holds:
        item_plan.put(connection, ahead.rest)
        added_to_counts = None if ahead.rest else ahead.added
        item_plan.finish(connection, by.study_id, study, ahead.rest.cells, added_to_counts)
    else:
        item_plan.arrange(connection, by.study_id, study)
    return take_in_judgments(connection, by, study, files, added, number)
