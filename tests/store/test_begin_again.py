"""A removed study is begun again under its name; the removed one is kept under another and can be brought back."""

import csv
from pathlib import Path

import pytest

from assay import acts
from assay.errors import AssayError
from assay.items.reader import read_items
from assay.store import open_store
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator import long_table, record, studies, study_status
from assay.store.coordinator.record import By
from assay.store.engine.backup import back_up
from assay.store.upkeep.verify import verify
from assay.study.templates import copy_template
from tests.conftest import T0, Bench
from tests.servers import command
from tests.store.test_backup import judged
from tests.web.test_manage import Manager

KEPT = "empathy-removed-1"


def by(bench: Bench, at: int = T0) -> By:
    return By(bench.study_id, "cora", at, "a fresh start")


def begin_again(bench: Bench) -> int:
    """Remove the study, keep it under another name, and take its files in once more."""
    bench.store.write(acts.remove_study, by(bench), "empathy")
    assert bench.store.write(acts.set_study_aside, by(bench)) == KEPT
    new = bench.store.write(acts.publish, "cora", bench.study, bench.folder, T0).id
    rows = read_items(bench.study, bench.folder / bench.study.items.source)
    bench.store.write(acts.take_in, By(new, "cora", T0), bench.study, rows, [], bench.folder)
    return int(new)


def problems(bench: Bench, against: Path | None = None) -> list[str]:
    return [problem for each in verify(bench.store, against) for problem in each.problems]


def count(bench: Bench, study_id: int) -> int:
    return len(list(bench.store.stream(long_table.judgments, study_id)))


def test_a_removed_study_takes_nothing_in_and_says_how_to_begin_again(bench: Bench) -> None:
    bench.store.write(acts.remove_study, by(bench), "empathy")
    with pytest.raises(AssayError, match="the study is removed: nothing is taken in") as no:
        bench.store.write(acts.take_in, by(bench), bench.study, [], [], None)
    assert "assay remove --set-aside" in no.value.hint


def test_the_new_study_is_empty_and_the_removed_one_is_kept_whole(bench: Bench, tmp_path: Path) -> None:
    judged(bench)
    back_up(bench.store, tmp_path / "b.backup", T0)
    before = count(bench, bench.study_id)
    new = begin_again(bench)
    assert new != bench.study_id
    assert bench.store.read(studies.find, "empathy")[0] == new
    assert bench.store.read(study_status.item_counts, new).items == 48
    assert (count(bench, new), count(bench, bench.study_id)) == (0, before)
    [away] = bench.store.read(studies.removed_studies)
    assert (away.id, away.name, away.until) == (bench.study_id, KEPT, T0 + 30 * DAY)
    last = bench.store.read(record.entries, bench.study_id)[0]
    assert (last.what, last.about, last.reason) == ("set study aside", KEPT, "a fresh start")
    assert problems(bench, tmp_path / "b.backup") == []


def test_the_removed_study_is_had_back_beside_the_new_one(bench: Bench) -> None:
    judged(bench)
    new = begin_again(bench)
    assert bench.store.write(acts.bring_study_back, by(bench)) == KEPT
    assert bench.store.read(studies.name_and_state, bench.study_id) == (KEPT, "paused")
    assert bench.store.read(studies.find, "empathy")[0] == new


def test_a_study_that_was_set_aside_has_its_own_name_again_while_nobody_else_has_it(bench: Bench) -> None:
    bench.store.write(acts.remove_study, by(bench), "empathy")
    bench.store.write(acts.set_study_aside, by(bench))
    assert bench.store.write(acts.bring_study_back, by(bench)) == "empathy"
    with pytest.raises(AssayError, match="is not removed"):
        bench.store.write(acts.set_study_aside, by(bench))


def test_a_second_study_that_is_set_aside_gets_a_name_of_its_own(bench: Bench) -> None:
    new = begin_again(bench)
    again = By(new, "cora", T0, "once more")
    bench.store.write(acts.remove_study, again, "empathy")
    assert bench.store.write(acts.set_study_aside, again) == "empathy-removed-2"


def test_the_removed_one_is_deleted_alone(bench: Bench) -> None:
    judged(bench)
    new = begin_again(bench)
    bench.store.write(acts.purge_study, bench.study_id, T0 + 31 * DAY)
    assert bench.store.read(studies.all_studies) == [(new, "empathy")]
    assert problems(bench) == []


def test_pages_of_a_study_that_was_set_aside_stay_its_own(sqlite_bench: Bench) -> None:
    bench = sqlite_bench
    judged(bench)
    begin_again(bench)
    dora = Manager(bench, "dora")
    dora.home = f"/coordinate/{KEPT}"
    page = dora.get()
    assert f'href="/coordinate/{KEPT}/record"' in page
    assert 'href="/coordinate/empathy/' not in page
    assert dora.post("/bring-back").status_code == 200
    assert bench.store.read(studies.state, bench.study_id) == "paused"


def test_the_page_follows_a_study_to_its_own_name(sqlite_bench: Bench) -> None:
    bench = sqlite_bench
    bench.store.write(acts.remove_study, by(bench), "empathy")
    dora = Manager(bench, "dora")
    assert "Keep it under another name" in dora.get()
    aside = dora.post("/set-aside")
    assert str(aside.url).endswith(f"/coordinate/{KEPT}/manage")
    dora.home = f"/coordinate/{KEPT}"
    assert "Keep it under another name" not in dora.get(), "it is"
    back = dora.post("/bring-back")
    assert back.status_code == 200
    assert str(back.url).endswith("/coordinate/empathy/manage")
    assert "The study is paused" in back.text


def test_by_command_nothing_is_deleted_by_hand(tmp_path: Path) -> None:
    copy_template("empathy", tmp_path)
    here = str(tmp_path)
    assert command("import", here).returncode == 0
    assert command("remove", here, "--confirm", "empathy", "--reason", "a trial").returncode == 0
    with (tmp_path / "items.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))[:5]
    with (tmp_path / "items.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(found[0]))
        writer.writeheader()
        writer.writerows(found)
    refused = command("import", here)
    assert refused.returncode == 1
    assert "assay remove --set-aside" in refused.stderr
    assert f"kept as {KEPT}" in command("remove", here, "--set-aside").stdout
    assert f"{KEPT}: removed" in command("remove", here, "--list").stdout
    done = command("import", here)
    assert "5 items taken in" in done.stdout, done.stderr
    back = command("remove", here, "--undo", "--name", KEPT)
    assert f"{KEPT} is back, and paused." in back.stdout, back.stderr
    assert f"write `study: {KEPT}` in a study.yaml of its own" in back.stdout
    assert command("remove", here, "--list").stdout == "No study is removed.\n"
    store = open_store(tmp_path / "assay.db")
    assert [name for _, name in store.read(studies.all_studies)] == ["empathy", KEPT]
    store.close()
    assert command("verify", here).returncode == 0
    assert command("remove", here, "--undo", "--purge").returncode == 1
