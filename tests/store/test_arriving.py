"""Many items come in by short steps: nobody waits for them, and all of them are in the study at once, or none."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

import assay
from assay import acts
from assay.acts import import_steps
from assay.acts.import_steps import _lay_out, _store_items
from assay.errors import AssayError, ItemMistakes
from assay.items.reader import ImportedRow
from assay.model import Item
from assay.store import Backend, open_store
from assay.store.coordinator import arriving, export_rows, import_list, item_facts, item_plan
from assay.store.coordinator.items import STEP
from assay.store.coordinator.record import By
from assay.store.engine import lock
from assay.store.engine.backup import back_up
from assay.store.engine.sqlite import Sqlite
from assay.store.tables import NONE_ARRIVES, assignment, duplicate, item, item_hidden, study
from assay.store.upkeep.verify import verify
from assay.study.templates import copy_template
from tests.conftest import T0, Bench
from tests.store.test_undo_import import again, row, undo
from tests.web.annotator import Annotator, rows

ABOVE = 3 * STEP + 7


def some(count: int, prefix: str = "new") -> Iterator[ImportedRow]:
    return (row(f"{prefix}-{number}") for number in range(count))


def take_in(bench: Bench, new: Iterable[ImportedRow]) -> acts.ImportResult:
    by = By(bench.study_id, "cora", T0)
    return acts.take_in_by_steps(bench.store, by, bench.study, new, acts.ImportedFiles(names=["a.csv"]))


def break_off(bench: Bench, count: int = ABOVE) -> None:
    """Leave behind what a program leaves that is killed before its last step."""
    by = By(bench.study_id, "cora", T0)
    first, adding = _store_items(bench.store, by, bench.study, some(count), 1)
    assert first is not None
    _lay_out(bench.store, bench.study, adding, first)


def exported(store: Backend, study_id: int) -> list[str]:
    return [each.item.id for each in store.stream(export_rows.items, study_id)]


def stored(store: Backend) -> int:
    return store.read(lambda c: c.execute(select(func.count()).select_from(item)).scalar_one())


def problems(store: Backend, against: Path | None = None) -> list[str]:
    return [problem for each in verify(store, against) for problem in each.problems]


def test_by_steps_the_same_comes_in_as_at_once(bench: Bench) -> None:
    """Places and counts, too, of which nothing is counted anew."""
    new = [*some(ABOVE), again("again-1", "new-1")]
    done = take_in(bench, new)
    assert (done.number, done.items.added, done.items.duplicates) == (1, ABOVE, 1)
    by_steps = of_items(bench.store)
    undo(bench, 1)
    bench.store.write(acts.take_in, By(bench.study_id, "cora", T0), bench.study, new, [], None, ["a.csv"])
    at_once = of_items(bench.store)
    assert _without_numbers(by_steps) == _without_numbers(at_once)
    assert problems(bench.store) == []


def _without_numbers(found: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The same without what says which items and which import they were."""
    numbers = {"import_number", "id", "item_id"}
    return {name: [{**row, **dict.fromkeys(numbers & set(row))} for row in rows] for name, rows in found.items()}


def of_items(store: Backend) -> dict[str, list[dict[str, Any]]]:
    tables = (study, item, item_hidden, duplicate)
    return {each.name: sorted(rows(store, each), key=lambda row: next(iter(row.values()))) for each in tables}


def test_nothing_is_seen_of_an_import_that_is_under_way(bench: Bench) -> None:
    before = exported(bench.store, bench.study_id)
    known = bench.store.read(item_facts.facts, bench.study_id)
    break_off(bench)
    assert stored(bench.store) == len(before) + ABOVE
    assert exported(bench.store, bench.study_id) == before
    assert bench.store.read(item_facts.facts, bench.study_id) == known
    assert problems(bench.store) == [], "what is counted does not count them"
    bench.store.write(item_plan.arrange, bench.study_id, bench.study)
    assert problems(bench.store) == []


def test_nobody_is_given_an_item_of_an_import_that_is_under_way(bench: Bench) -> None:
    break_off(bench)
    ana = Annotator(bench).begin()
    for _ in range(5):
        ana.submit()
    first = bench.store.read(arriving.mark, bench.study_id)
    given = [each["item_id"] for each in rows(bench.store, assignment)]
    assert len(given) > 5
    assert max(given) < first


def test_the_next_import_deletes_what_was_left_and_takes_in_the_same_items(bench: Bench) -> None:
    before = stored(bench.store)
    break_off(bench)
    done = take_in(bench, some(ABOVE))
    assert (done.items.added, done.items.known) == (ABOVE, 0)
    assert stored(bench.store) == before + ABOVE
    assert bench.store.read(arriving.mark, bench.study_id) == NONE_ARRIVES
    assert problems(bench.store) == []


def test_a_server_that_starts_deletes_what_was_left(bench: Bench) -> None:
    before = stored(bench.store)
    break_off(bench)
    with bench.store.alone(arriving.ARRIVING, bench.study_id):
        acts.delete_broken_off(bench.store)
        assert stored(bench.store) == before + ABOVE, "an import that is under way is left alone"
    acts.delete_broken_off(bench.store)
    assert stored(bench.store) == before


def test_whoever_cannot_wait_ends_an_import_that_is_under_way(bench: Bench) -> None:
    """Items that come in at once by a script: nothing of the other import stays, and it says so."""
    before = stored(bench.store)

    def new() -> Iterator[ImportedRow]:
        yield from some(STEP + 1)
        bench.store.write(acts.take_in, By(bench.study_id, "api", T0), bench.study, [row("other")], [], None)
        yield from some(STEP, "later")

    with pytest.raises(AssayError, match="something else came into the study meanwhile"):
        take_in(bench, new())
    assert stored(bench.store) == before + 1
    assert problems(bench.store) == []


def test_what_coordinators_do_meanwhile_holds(bench: Bench) -> None:
    """Places that were worked out before are worked out again."""

    def new() -> Iterator[ImportedRow]:
        yield from some(STEP + 1)
        bench.store.write(acts.withdraw_item, By(bench.study_id, "cora", T0, "odd"), "emp-001")

    take_in(bench, new())
    assert problems(bench.store) == []
    at_work = select(func.count()).where(item.c.study_id == bench.study_id, item.c.series == "work")
    counted = select(study.c.item_count).where(study.c.id == bench.study_id)
    assert bench.store.read(lambda c: c.execute(at_work).scalar()) == bench.store.read(
        lambda c: c.execute(counted).scalar()
    )


def test_two_imports_at_once_come_in_one_after_the_other(bench: Bench) -> None:
    before = stored(bench.store)
    done: list[acts.ImportResult] = []
    both = [threading.Thread(target=lambda name=name: done.append(take_in(bench, some(ABOVE, name)))) for name in "ab"]
    for each in both:
        each.start()
    for each in both:
        each.join(120)
    assert sorted(each.number or 0 for each in done) == [1, 2]
    assert stored(bench.store) == before + 2 * ABOVE
    numbers = select(func.substr(item.c.name, 1, 2), item.c.import_number).where(item.c.import_number.is_not(None))
    assert len(set(bench.store.read(lambda c: c.execute(numbers.distinct()).all()))) == 2
    assert problems(bench.store) == []


def test_a_mistake_in_the_last_row_leaves_nothing(bench: Bench) -> None:
    before = stored(bench.store)
    wrong = ImportedRow("emp-001", Item("emp-001", {"response": "something else"}, {}))
    with pytest.raises(ItemMistakes, match="emp-001"):
        take_in(bench, [*some(ABOVE), wrong])
    assert stored(bench.store) == before
    assert bench.store.read(import_list.entries, bench.study_id) == []


def test_a_backup_of_an_import_that_was_broken_off_is_no_loss(sqlite_bench: Bench, tmp_path: Path) -> None:
    break_off(sqlite_bench, 3)
    back_up(sqlite_bench.store, tmp_path / "backup.zip", T0)
    take_in(sqlite_bench, some(1, "other"))
    assert problems(sqlite_bench.store, tmp_path / "backup.zip") == []


def test_no_step_grows_with_the_import(sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in steps of the database's machine while it writes."""
    steps: list[int] = []
    do = Sqlite.do

    def counting(self, group, *, short):  # type: ignore[no-untyped-def]
        done = 0

        def one_more() -> int:
            nonlocal done
            done += 1
            return 0

        self._raw.set_progress_handler(one_more, 100)
        try:
            return do(self, group, short=short)
        finally:
            self._raw.set_progress_handler(None, 0)
            steps.append(done)

    monkeypatch.setattr(Sqlite, "do", counting)
    monkeypatch.setattr(import_steps, "LONGEST_STEP", 60.0)  # as many as there may be, however slow the machine
    take_in(sqlite_bench, some(4 * STEP, "few"))
    few, steps[:] = max(steps), []
    take_in(sqlite_bench, some(10 * STEP, "many"))
    assert max(steps) < 1.2 * few


def test_a_step_that_takes_long_brings_fewer_items_next_and_one_that_is_quick_brings_more(sqlite_bench: Bench) -> None:
    steps = import_steps._Steps(sqlite_bench.store)
    sizes = []
    for part in steps.parts(some(100 * STEP)):
        sizes.append(len(part))
        slow = import_steps.FIRST_STEP < len(part) < STEP
        steps.write(lambda _, slow=slow: time.sleep(4 * import_steps.LONGEST_STEP if slow else 0))
        if len(sizes) == 6:
            break
    first, second, third, *_ = sizes
    assert first == import_steps.FIRST_STEP
    assert second == 2 * first
    assert import_steps.FEWEST_IN_A_STEP <= third < second / 3


def test_whoever_waits_for_a_step_has_a_turn_before_the_next(sqlite_bench: Bench) -> None:
    """They look whether the data is free, and not all the time: it is free for longer than they look away."""
    steps, times = import_steps._Steps(sqlite_bench.store), []

    def step(_: Any) -> None:
        times.append(time.monotonic())

    for _ in range(5):
        steps.write(step)
    assert min(after - before for before, after in pairwise(times)) >= import_steps.GAP > max(lock.PAUSES)


def test_a_killed_import_leaves_nothing_to_be_seen(tmp_path: Path) -> None:
    """The real command, killed after its first step; the next one takes everything in."""
    folder = tmp_path / "study"
    copy_template("route-planning", folder)
    lines = ["item_id,prompt,response,system,scenario"]
    lines += [f"i{number},way {number},turn left at {number},s{number % 2},w{number}" for number in range(20_000)]
    (folder / "items.csv").write_text("\n".join(lines) + "\n")
    program = [sys.executable, "-m", "assay"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([*program, "publish", str(folder)], check=True, **quiet)  # type: ignore[call-overload]
    store = open_store(folder / "assay.db")
    running = subprocess.Popen([*program, "import", str(folder)], **quiet)  # type: ignore[call-overload]
    until = time.monotonic() + 120
    while store.read(arriving.mark, 1) == NONE_ARRIVES and time.monotonic() < until:
        assert running.poll() is None, "it ended before it could be killed"
        time.sleep(0.002)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    left = stored(store)
    assert left > 0
    assert store.read(lambda c: list(export_rows.items(c, 1)))[1:] == [] or all(
        each.series != "work" for each in store.read(lambda c: list(export_rows.items(c, 1)))
    )
    assert store.read(import_list.entries, 1) == []
    subprocess.run([*program, "import", str(folder)], check=True, **quiet)  # type: ignore[call-overload]
    work = select(func.count()).where(item.c.series == "work")
    assert store.read(lambda c: c.execute(work).scalar()) == 20_000
    hidden = select(func.count()).select_from(item_hidden)
    assert store.read(lambda c: c.execute(hidden).scalar()) == stored(store)
    store.close()


ALLOWED = {"arriving.py", "item_plan.py", "items.py", "unused_pictures.py"}
"""Who means the items of an import that is under way, too."""


def test_whoever_asks_for_the_items_of_a_study_leaves_out_those_that_are_arriving() -> None:
    source = Path(assay.__file__).parent
    asks = {
        path.name
        for path in source.rglob("*.py")
        if "migrations" not in path.parts and re.search(r"(?<!\w)item\.c\.study_id ==", path.read_text("utf-8"))
    }
    assert asks - {"items.py"} == ALLOWED - {"items.py"}
