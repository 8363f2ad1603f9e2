"""Managing a study on the command line: viewers, links that end, states with reasons, removal and its undoing."""

import json
import sqlite3
from pathlib import Path

import pytest

from assay.study.templates import copy_template
from tests.servers import command as run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("managed") / "study"
    copy_template("route-planning", found)
    assert run("import", str(found)).returncode == 0
    return found


def record(folder: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(folder / "assay.db") as db:
        return list(db.execute("select what, reason from action order by id desc"))


def test_a_viewer_and_a_coordinator_get_links_and_an_annotators_links_end(folder: Path) -> None:
    made = json.loads(run("invite", str(folder), "--name", "ana", "--viewer", "vera", "--coordinator", "--json").stdout)
    assert [each["name"] for each in made] == ["ana", "(coordinator)", "vera (viewer)"]
    ended = run("invite", str(folder), "--revoke", "ana")
    assert ended.returncode == 0
    assert "ana: 1 link has ended." in ended.stderr
    refused = run("invite", str(folder), "--revoke", "nobody")
    assert refused.returncode == 1
    assert "nobody in this study is called 'nobody'" in refused.stderr
    assert record(folder)[0][0] == "revoke links"


def test_a_token_is_made_and_revoked_and_the_record_says_so_without_the_token(folder: Path) -> None:
    where = str(folder)
    made = run("token", where, "--name", "nightly", "--scope", "read", "--scope", "export", "--days", "7", "--json")
    secret = json.loads(made.stdout)["token"]
    assert run("token", where, "--revoke", "nightly").stdout == "nightly is good no longer.\n"
    assert run("token", where, "--revoke", "nightly").returncode == 0, "it is good for nothing already"
    with sqlite3.connect(folder / "assay.db") as db:
        done = list(db.execute("select what, about from action where what like '%token%' order by id"))
        kept = "".join(db.iterdump())
    assert done == [("make token", "nightly: export, read, 7 days"), ("revoke token", "nightly")]
    assert secret not in kept


def test_a_state_is_changed_for_a_reason_that_is_kept(folder: Path) -> None:
    assert "is paused" in run("state", str(folder), "--to", "paused", "--reason", "a holiday").stdout
    assert record(folder)[0] == ("pause study", "a holiday")
    assert "is open" in run("state", str(folder), "--to", "open").stdout


def test_an_item_is_taken_out_stays_out_when_its_file_comes_again_and_is_put_back(folder: Path) -> None:
    where = str(folder)
    name = json.loads(run("import", where, "--json", "--dry-run").stdout)["plan"]["longest"]["item"]
    assert run("item", name, "take-out", where).returncode == 1, "not without a reason"
    assert f"{name} is taken out" in run("item", name, "take-out", where, "--reason", "broken").stdout
    assert record(folder)[0] == ("withdraw item", "broken")
    again = run("import", where).stdout
    assert f"1 of these was taken out of the study and stays out ({name})" in again
    assert f"`assay item NAME put-back {where} --reason ...` puts one back" in again
    assert f"{name} is in the study again" in run("item", name, "put-back", where).stdout
    assert "stays out" not in run("import", where).stdout
    assert (
        "there is no item 'nothing' in the study" in run("item", "nothing", "take-out", where, "--reason", "x").stderr
    )


def test_a_study_is_removed_by_its_name_had_back_and_not_deleted_before_its_time(folder: Path) -> None:
    name = json.loads(run("status", str(folder), "--json").stdout)["study"]
    before = record(folder)
    refused = run("remove", str(folder), "--confirm", "other", "--reason", "over")
    assert refused.returncode == 1
    assert f"type '{name}'" in refused.stderr
    assert record(folder) == before, "nothing was done"
    assert json.loads(run("status", str(folder), "--json").stdout)["state"] == "open"
    removed = run("remove", str(folder), "--confirm", name, "--reason", "over")
    assert removed.returncode == 0, removed.stderr
    assert run("state", str(folder), "--to", "open").returncode == 1
    early = run("remove", str(folder), "--purge", "--confirm", name)
    assert early.returncode == 1
    assert "30 days" in early.stderr
    assert "is back, and paused" in run("remove", str(folder), "--undo").stdout
    assert run("remove", str(folder), "--undo").returncode == 1, "there is nothing to undo"
    assert run("remove", str(folder), "--undo", "--purge").returncode == 1
