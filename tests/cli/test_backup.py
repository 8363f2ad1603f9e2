"""`assay backup`, `restore` and `verify` as a person uses them, on a study that is running."""

import json
import random
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from tests.servers import Annotator, Forked, assay, command, filled, links, prepared, running


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study with many items, so that a backup takes a moment."""
    made = prepared(tmp_path_factory.mktemp("backup") / "study", items=4000)
    assay("import", made)
    return made


def test_a_backup_under_load_holds_all_that_was_acknowledged_before_it_began(folder: Path, tmp_path: Path) -> None:
    invited = links(folder, 2)
    acknowledged: list[str] = []
    stop = threading.Event()

    def work(annotator: Annotator) -> None:
        while not stop.is_set():
            status, body = annotator.submit(*filled(annotator.page()))
            assert status == 200, body
            acknowledged.append(json.loads(body)["submission"])

    with running(folder) as server:
        annotators = [Annotator(server.port) for _ in invited]
        for annotator, link in zip(annotators, invited, strict=True):
            annotator.enter(link)
        threads = [threading.Thread(target=work, args=(annotator,)) for annotator in annotators]
        for thread in threads:
            thread.start()
        patience = time.monotonic() + 30
        while len(acknowledged) < 5 and time.monotonic() < patience:
            time.sleep(0.01)
        before = [*acknowledged]
        said = assay("backup", folder, "--out", tmp_path / "b.backup")
        during = len(acknowledged) - len(before)
        stop.set()
        for thread in threads:
            thread.join()
        assert "read back and equal" in said
        assert assay("verify", folder, "--against", tmp_path / "b.backup").endswith("The store is whole.\n")
    assert during > 0, "nothing came in while the backup was made"
    assay("restore", tmp_path / "b.backup", "--database", tmp_path / "other.db")
    database = sqlite3.connect(tmp_path / "other.db")
    stored = {row[0] for row in database.execute("select id from submission")}
    sizes = {row[0] for row in database.execute("select count(*) from judgment group by submission_id")}
    database.close()
    assert set(before) <= stored
    assert sizes == {5}
    assert "is whole" in assay("verify", folder, "--database", tmp_path / "other.db")


def test_a_backup_that_is_killed_leaves_no_file_and_the_next_one_is_whole(folder: Path, tmp_path: Path) -> None:
    chance, path = random.Random(4), tmp_path / "b.backup"
    part = tmp_path / ".b.backup.part"
    caught = 0
    for _ in range(6):
        run = Forked(["backup", str(folder), "--out", str(path)], together=True)
        patience = time.monotonic() + 20
        while not part.exists() and not path.exists() and time.monotonic() < patience:
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.3))
        run.kill()
        run.wait(20)
        run.stdout.close()
        caught += part.exists()
        if path.exists():
            assert assay("verify", folder, "--against", path).endswith("The store is whole.\n")
            path.unlink()
    assert caught, "no backup was under way when it was killed"
    assay("backup", folder, "--out", path)
    assert [each.name for each in tmp_path.iterdir()] == ["b.backup"], "what a killed run left is taken away"


def test_a_restore_that_is_killed_has_changed_nothing_or_everything(folder: Path, tmp_path: Path) -> None:
    chance, target = random.Random(6), tmp_path / "into" / "assay.db"
    target.parent.mkdir()
    assay("backup", folder, "--out", tmp_path / "b.backup")
    for _ in range(4):
        run = Forked(["restore", str(tmp_path / "b.backup"), "--database", str(target)], together=True)
        patience = time.monotonic() + 20
        while not list(target.parent.glob(".restore-*")) and not target.exists() and time.monotonic() < patience:
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.5))
        run.kill()
        run.wait(20)
        run.stdout.close()
        if target.exists():
            assert "is whole" in assay("verify", folder, "--database", target, "--against", tmp_path / "b.backup")
            target.unlink()
    assay("restore", tmp_path / "b.backup", "--database", target)


def test_mistakes_are_said_in_words(folder: Path, tmp_path: Path) -> None:
    assert "there is no database" in assay("backup", tmp_path, expect=1)
    assert "there is no database" in assay("verify", tmp_path, expect=1)
    assert "is no backup" in assay("restore", folder / "items.csv", tmp_path, expect=1)
    assert "there is no file" in assay("restore", tmp_path / "nothing", tmp_path, expect=1)
    assay("backup", folder)
    [made] = (folder / "backups").iterdir()
    assert "holds data already" in assay("restore", made, folder, expect=1)
    assert "What was there before is in" in assay("restore", made, folder, "--replace")
    assert list(folder.glob("assay.db.before-*"))


def test_a_store_is_compared_with_an_encrypted_backup_by_the_holder_of_the_key(folder: Path, tmp_path: Path) -> None:
    pyrage = pytest.importorskip("pyrage")
    key = pyrage.x25519.Identity.generate()
    (tmp_path / "key").write_text(f"{key}\n")
    assay("backup", folder, "--out", tmp_path / "b.backup", "--encrypt-to", str(key.to_public()))
    (path,) = tmp_path.glob("b.backup*")
    refused = assay("verify", folder, "--against", path, expect=1)
    assert "is encrypted" in refused
    assert "--identity FILE" in refused
    with_key = assay("verify", folder, "--against", path, "--identity", tmp_path / "key")
    assert with_key.endswith("The store is whole.\n")


def printed_by(*arguments: str | Path) -> str:
    """What a command prints that ends with exit code 1."""
    done = command(*arguments)
    assert done.returncode == 1
    return done.stdout


def test_a_wrong_count_is_told_from_damage_and_put_right(folder: Path, tmp_path: Path) -> None:
    assay("backup", folder, "--out", tmp_path / "b.backup")
    other = ["--database", str(tmp_path / "other.db")]
    assay("restore", tmp_path / "b.backup", *other)
    database = sqlite3.connect(tmp_path / "other.db")
    database.execute("update item set taken = 2 where name = 'i7'")
    database.execute("update study set item_count = 7")
    database.commit()
    said = printed_by("verify", folder, *other)
    assert "2 counts are wrong. No data is damaged." in said
    assert "2 counts were wrong and are put right" in assay("verify", folder, *other, "--repair")
    assert assay("verify", folder, *other, "--repair").endswith("The store is whole.\n")
    assert ("put counts right", "2 were wrong") in database.execute("select what, about from action").fetchall()
    database.close()


def test_damage_ends_with_exit_code_1_and_the_row(folder: Path, tmp_path: Path) -> None:
    assay("backup", folder, "--out", tmp_path / "b.backup")
    assay("restore", tmp_path / "b.backup", "--database", tmp_path / "other.db")
    database = sqlite3.connect(tmp_path / "other.db")
    database.execute("update judgment set value = '1' where dimension = 'emotion'")
    database.execute("update item set taken = 2 where name = 'i7'")
    database.commit()
    database.close()
    assert "Restore a backup" in printed_by("verify", folder, "--database", tmp_path / "other.db", "--repair")
    assert "item i7" in printed_by("verify", folder, "--database", tmp_path / "other.db"), "nothing was repaired"
    (tmp_path / "other.db").write_bytes((tmp_path / "other.db").read_bytes()[:100] + b"\xff" * 5000)
    said = assay("status", folder, "--database", tmp_path / "other.db", expect=1)
    assert "Traceback" not in said
    assert "hint:" in said
