"""Breaks and what pages have seen, in the export."""

import csv
import json
from pathlib import Path

import pytest

from assay.exchange import BREAKS, break_row
from assay.store import Backend, open_store
from assay.store.annotator import breaks
from assay.store.tables import break_
from tests.conftest import T0, Bench, make_bench
from tests.inviting import invite
from tests.servers import command
from tests.web.annotator import Annotator, rows


def test_a_break_has_the_columns_that_are_documented() -> None:
    assert list(break_row("ana", T0, T0 + 1500, False)) == list(BREAKS)
    assert break_row("ana", T0, T0 + 1500, False)["seconds"] == 1.5
    assert break_row("ana", T0, None, False)["ended_at"] is None


def rested(store: Backend, bench: Bench) -> None:
    """Two people rest, one of them still."""
    store.write(invite, bench.study_id, ["ana", "ben"], T0)
    store.write(breaks.begin_break, 1, T0)
    store.write(breaks.end_break, 1, T0 + 90_500)
    store.write(breaks.begin_break, 2, T0 + 60_000)


def test_breaks_of_one_study_only_come_in_the_order_in_which_they_began(bench: Bench, tmp_path: Path) -> None:
    rested(bench.store, bench)
    found = bench.store.read(lambda connection: list(breaks.breaks(connection, bench.study_id)))
    assert found == [("ana", T0, T0 + 90_500, False), ("ben", T0 + 60_000, None, False)]
    assert bench.store.read(lambda connection: list(breaks.breaks(connection, bench.study_id + 1))) == []
    assert len(rows(bench.store, break_)) == 2


def test_the_command_writes_breaks_and_events(tmp_path: Path) -> None:
    folder, database = tmp_path / "study", tmp_path / "assay.db"
    store = open_store(database)
    bench = make_bench(store, folder)
    rested(store, bench)
    seen = [[0, "visible"], [7, "blur"]]
    Annotator(bench).begin().submit(events=json.dumps(seen))
    store.close()
    done = command("export", folder, "--what", "breaks", "--database", database)
    assert done.returncode == 0, done.stderr
    with (folder / "breaks.csv").open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert first == {
        "annotator": "ana",
        "started_at": "2027-01-15T08:00:00.000Z",
        "ended_at": "2027-01-15T08:01:30.500Z",
        "seconds": "90.5",
        "simulated": "false",
    }
    assert (second["annotator"], second["ended_at"], second["seconds"]) == ("ben", "", "")
    assert command("export", folder, "--format", "jsonl", "--database", database).returncode == 0
    lines = [json.loads(line) for line in (folder / "judgments.jsonl").read_text("utf-8").splitlines()]
    assert lines
    assert all(line["events"] == seen for line in lines)
    done = command("export", folder, "--what", "naps", "--database", database)
    assert done.returncode != 0
    assert "there is no table of 'naps'" in done.stderr


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_study_without_breaks_has_an_empty_table(tmp_path: Path, form: str) -> None:
    folder, database = tmp_path / "study", tmp_path / "assay.db"
    store = open_store(database)
    make_bench(store, folder)
    store.close()
    done = command("export", folder, "--what", "breaks", "--format", form, "--database", database)
    assert done.returncode == 0, done.stderr
    text = (folder / f"breaks.{form}").read_text("utf-8").strip()
    assert text == (",".join(BREAKS) if form == "csv" else "")
