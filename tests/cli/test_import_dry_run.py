"""A dry run does everything that the import does, to a copy: it fails where the import fails, and nothing stays."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import update

from assay.store import open_store
from assay.store.engine.archive import content_of
from assay.store.tables import item
from assay.store.upkeep.scratch import scratch_copy
from assay.study.templates import copy_template
from tests.cli.test_import_judgments import SCORES, Pilot, write_csv
from tests.servers import command as run


def content(database: str | Path) -> object:
    """Everything that is in a database."""
    store = open_store(database)
    [found] = store.stream(lambda connection: iter([content_of(connection)]))
    store.close()
    return found


@contextmanager
def somebody_writing(database: str) -> Iterator[None]:
    """Somebody's write that is not finished yet, in a row of the study."""
    if database.startswith("postgresql"):
        import psycopg

        with psycopg.connect(database) as connection:
            connection.execute("update study set state = 'paused'")
            yield
            connection.rollback()
    else:
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("begin immediate")
            yield
            connection.execute("rollback")


def test_a_dry_run_changes_nothing_and_does_not_wait_for_anybody(database: str, tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    items = ("--items", pilot.items, "--join", pilot.join, "--database", database)
    dry = run("import", pilot.study, *items, "--dry-run", "--json")
    assert dry.returncode == 0, dry.stderr
    assert (json.loads(dry.stdout)["added"], json.loads(dry.stdout)["dry_run"]) == (12, True)
    assert not Path(database).exists()
    assert run("import", pilot.study, *items).returncode == 0
    before = content(database)
    with somebody_writing(database):
        sheet = pilot.sheet("R1")
        dry = run("import", pilot.study, "--sheet", sheet, "--database", database, "--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert "15 judged items would be taken in: R1.\n" in dry.stdout
    assert dry.stdout.endswith("Nothing was taken in (--dry-run).\n")
    assert content(database) == before


def test_a_dry_run_says_what_the_import_says(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    items = ("--items", pilot.items, "--join", pilot.join)
    dry = json.loads(run("import", pilot.study, *items, "--dry-run", "--json").stdout)
    assert {**pilot.take_in(*items), "dry_run": True} == dry


def refusals(study: Path, *arguments: str | Path) -> tuple[str, str]:
    """What the dry run says, and what the import says."""
    dry, done = (run("import", study, *arguments, *more) for more in (["--dry-run"], []))
    assert (dry.returncode, done.returncode) == (2, 2), dry.stdout + done.stdout
    return dry.stderr, done.stderr


def test_what_does_not_fit_the_store_is_found_by_a_dry_run(tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    pilot.take_in("--sheet", pilot.sheet("R1"))
    dry, done = refusals(pilot.study, "--sheet", pilot.sheet("R1", emotion=5))
    assert dry == done
    assert "R1 has judged it before, with other answers" in dry
    rows = [{**row, "eval_id": f"x{number}"} for number, row in enumerate(pilot.rows)]
    own = [{"eval_id": row["eval_id"], "annotator_id": "R2", **dict.fromkeys(SCORES, 3), "notes": ""} for row in rows]
    dry, done = refusals(pilot.study, "--sheet", write_csv(tmp_path / "other.csv", own))
    assert dry == done
    assert "item x0: is judged, but not in the store" in dry
    changed = write_csv(tmp_path / "changed.csv", [{**row, "response": "another"} for row in pilot.rows])
    dry, done = refusals(pilot.study, "--items", changed, "--join", pilot.join)
    assert dry == done
    assert "is in the store with another content, in response" in dry
    pilot.join.write_text(pilot.join.read_text("utf-8").replace('"is_duplicate_of": "st1"', '"is_duplicate_of": "st9"'))
    dry, done = refusals(pilot.study, "--items", pilot.items, "--join", pilot.join)
    assert dry == done
    assert "is a duplicate of 'st9' by plain, which is not there" in dry


def test_a_control_whose_picture_is_missing_is_found_by_a_dry_run(tmp_path: Path) -> None:
    study = tmp_path / "study"
    copy_template("trajectories", study)
    path = study / "controls.json"
    path.write_text(path.read_text("utf-8").replace("images/", "images/none-"), "utf-8")
    dry, done = refusals(study)
    assert dry == done
    assert 'there is no picture "images/none-' in dry


def test_a_scratch_copy_holds_what_the_store_holds_and_goes_away(database: str, tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    assert run("import", pilot.study, "--database", database).returncode == 0
    before = content(database)
    with scratch_copy(database, lambda _: None) as copy:
        assert content(copy) == before
        store = open_store(copy)
        store.write(lambda connection: connection.execute(update(item).values(words=0)))
        store.close()
        assert content(copy) != before
    assert not Path(copy).exists()
    assert content(database) == before


def write_without_waiting(database: str) -> None:
    """A write of somebody at work, into rows that submissions change: it fails where it would have to wait."""
    writes = ("update study set state = state", "update item set words = words", "delete from draft where version < 0")
    if database.startswith("postgresql"):
        import psycopg

        with psycopg.connect(database, options="-c lock_timeout=1") as connection:
            for each in writes:
                connection.execute(each)  # type: ignore[arg-type]
    else:
        with closing(sqlite3.connect(database, timeout=0)) as connection, connection:
            for each in writes:
                connection.execute(each)


def test_nobody_at_work_waits_while_a_dry_run_makes_its_copy_and_uses_it(database: str, tmp_path: Path) -> None:
    pilot = Pilot(tmp_path)
    assert run("import", pilot.study, "--database", database).returncode == 0
    parts: list[int] = []

    def show(rows: int) -> None:
        write_without_waiting(database)
        parts.append(rows)

    with scratch_copy(database, show) as copy:
        assert len(parts) > 2, "it was in the middle of its tables"
        with somebody_writing(copy):
            write_without_waiting(database)


@pytest.mark.parametrize("flag", [["--dry-run"], []])
def test_a_changed_study_file_is_not_in_force_in_a_dry_run_either(tmp_path: Path, flag: list[str]) -> None:
    pilot = Pilot(tmp_path)
    pilot.take_in_items()
    pilot.take_in("--sheet", pilot.sheet("R1"))
    pilot.edit("  group: sample_id", "  names: {gpt-chain: chain}\n  group: sample_id")
    refused = run("import", pilot.study, "--sheet", pilot.judge("gpt-chain"), *flag)
    assert refused.returncode == 2
    assert "`assay publish`, then this command again" in refused.stderr
