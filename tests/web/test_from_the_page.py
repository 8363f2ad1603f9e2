"""What is done from the page alone: report, data, backup, publishing, links, closing; and the same for scripts."""

import base64
import csv
import io
import re
import zipfile
from pathlib import Path

import pytest

from assay import acts
from assay.model import Slot
from assay.store import Backend
from assay.store.annotator import versions
from assay.store.coordinator import adjudications, record, studies
from assay.store.coordinator.record import By
from assay.study import load
from assay.study.templates import copy_template
from tests.conftest import T0, Bench, make_bench
from tests.pages import enter, text_of
from tests.web.annotator import Annotator, edited
from tests.web.scripts import new_token
from tests.web.test_oversight import Coordinator, done


@pytest.fixture
def ana(sqlite_bench: Bench) -> Annotator:
    return Annotator(sqlite_bench).begin()


@pytest.fixture
def coordinator(ana: Annotator) -> Coordinator:
    ana.submit()
    return Coordinator(ana.bench)


def packed(folder: Path, top: str = "") -> bytes:
    """A study folder as a zip file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for each in sorted(folder.rglob("*")):
            if each.is_file() and each.suffix != ".db":
                archive.write(each, f"{top}{each.relative_to(folder)}")
    return file.getvalue()


def changed(folder: Path, old: str = "5: Names", new: str = "5: Names") -> Path:
    copy_template("empathy", folder)
    file = folder / "study.yaml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    return folder


def upload(coordinator: Coordinator, content: bytes, **form: str) -> str:
    csrf = re.search(r'name="csrf" value="([^"]+)"', coordinator.get("/new-version"))
    assert csrf
    files = {"folder": ("study.zip", content, "application/zip")}
    answer = coordinator.client.post(f"{coordinator.home}/upload", data={"csrf": csrf[1], **form}, files=files)
    return str(answer.text)


def test_report_data_and_backup_are_downloaded_from_the_page(coordinator: Coordinator) -> None:
    page = coordinator.get("/manage")
    assert f'href="{coordinator.home}/report"' in page
    report = coordinator.client.get(f"{coordinator.home}/report")
    assert 'filename="report-empathy.html"' in report.headers["content-disposition"]
    assert report.text.startswith("<!doctype html>")
    data = coordinator.client.get(f"{coordinator.home}/export?format=csv")
    rows = list(csv.DictReader(io.StringIO(data.content.decode("utf-8-sig"))))
    assert {row["annotator"] for row in rows} == {"ana"}
    assert coordinator.client.get(f"{coordinator.home}/export?format=nothing").status_code == 404
    backup = coordinator.client.get(f"{coordinator.home}/backup")
    assert backup.status_code == 200
    assert len(backup.content) > 1000


def test_a_backup_of_a_store_with_other_studies_is_not_for_the_coordinator_of_one(
    coordinator: Coordinator, tmp_path: Path
) -> None:
    make_bench(coordinator.bench.store, tmp_path / "other", "dialog-pairs")
    assert "holds other studies" in text_of(coordinator.get("/manage"))
    assert coordinator.client.get(f"{coordinator.home}/backup").status_code == 422


def test_of_a_blind_study_nothing_that_tells_results_is_taken_out_before_it_is_closed(
    sqlite_store: Backend, tmp_path: Path
) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", edit=edited(analysis="\n  blind: true"))
    Annotator(bench).begin().submit()
    coordinator = Coordinator(bench)
    for what in ("report", "export?format=csv"):
        refused = coordinator.client.get(f"{coordinator.home}/{what}")
        assert refused.status_code == 422
        assert "is blind" in text_of(refused.text)
    bench.store.write(studies.set_state, bench.study_id, "closed", bench.clock())
    assert coordinator.client.get(f"{coordinator.home}/export?format=csv").status_code == 200


def test_links_that_were_made_are_shown_again_and_not_made_again_when_the_page_is_loaded_again(
    coordinator: Coordinator,
) -> None:
    answer = coordinator.post("/invite", names="ben\ncem")
    assert answer.history[0].status_code == 303
    links = re.findall(r'readonly value="([^"]+/join/[^"]+)"', answer.text)
    assert len(links) == 2
    assert answer.text.count("data-copies=") == 4, "link and text can be copied"
    again = coordinator.client.get(answer.url)
    assert re.findall(r'readonly value="([^"]+/join/[^"]+)"', again.text) == links
    assert [what for what, *_ in done(coordinator.bench)].count("invite") == 2, "loaded again, and none made again"
    other = Coordinator(coordinator.bench)
    assert other.client.get(answer.url).status_code == 404, "another session does not see them"
    coordinator.bench.clock.now += 11 * 60 * 1000
    assert coordinator.client.get(answer.url).status_code == 404


def test_a_link_is_replaced_and_the_old_one_ends(coordinator: Coordinator, ana: Annotator) -> None:
    page = coordinator.post("/invite", names="ana", what="replace").text
    [link] = re.findall(r'readonly value="http://[^/]+(/join/[^"]+)"', page)
    assert ana.client.get("/judge/empathy").status_code == 401, "whoever came by the old one is out"
    client = ana.bench.client()
    enter(client, link)
    assert client.get("/judge/empathy").status_code == 200
    assert ("replace links", "ana", "") in done(ana.bench)
    assert coordinator.post("/invite", names="nobody", what="replace").status_code == 422


def test_the_end_of_ones_own_link_is_asked_about(coordinator: Coordinator) -> None:
    page = coordinator.get("/manage")
    [own] = re.findall(r'name="link" value="(\w+)"><span class="muted">yours', page)
    asked = coordinator.post("/revoke", link=own)
    assert "This is the link you came by" in text_of(asked.text)
    assert coordinator.client.get(coordinator.home).status_code == 200
    coordinator.post("/revoke", link=own, confirm="own")
    assert coordinator.client.get(coordinator.home).status_code == 401


def test_before_a_study_is_closed_the_page_says_what_is_open(coordinator: Coordinator) -> None:
    asked = coordinator.post("/state", state="closed", reason="enough")
    said = text_of(asked.text)
    counts = re.search(r"(\d+) of (\d+) \((.*?)\) items have all their judgments", said)
    assert counts
    assert "No flag is open" in said
    assert coordinator.bench.store.read(studies.state, coordinator.bench.study_id) == "open"
    assert 'value="enough"' in asked.text
    coordinator.post("/state", state="closed", reason="enough", confirm="close")
    assert coordinator.bench.store.read(studies.state, coordinator.bench.study_id) == "closed"
    coordinator.post("/state", state="open", reason="not enough")
    assert coordinator.bench.store.read(studies.state, coordinator.bench.study_id) == "open"
    assert done(coordinator.bench)[:2] == [("open", "", "not enough"), ("close", "", "enough")]


def test_a_study_folder_is_uploaded_compared_and_put_into_force_with_a_reason(
    coordinator: Coordinator, tmp_path: Path
) -> None:
    bench = coordinator.bench
    folder = changed(tmp_path / "new", "title: Replies to people", "title: Answers to people")
    proposed = upload(coordinator, packed(folder, "my-study/"))
    assert "What has changed" in proposed
    assert "Answers to people" in text_of(proposed)
    before = bench.store.read(versions.in_force, "empathy")
    assert before is not None
    assert before.title.startswith("Replies"), "nothing is changed by looking"
    key = re.search(r'name="proposed" value="([^"]+)"', proposed)
    assert key
    assert "a reason is needed" in coordinator.post("/publish", proposed=key[1], reason="").text.lower()
    coordinator.post("/publish", proposed=key[1], reason="a better title")
    after = bench.store.read(versions.in_force, "empathy")
    assert after is not None
    assert (after.title[:7], after.hash) == ("Answers", load(folder).hash)
    newest = bench.store.read(record.entries, bench.study_id)[0]
    assert (newest.what, newest.reason) == ("publish", "a better title")
    assert coordinator.post("/publish", proposed=key[1], reason="again").status_code == 422, "it is used up"


def test_what_is_wrong_with_an_upload_is_said(coordinator: Coordinator, tmp_path: Path) -> None:
    assert "no zip file" in upload(coordinator, b"not a zip")
    other = tmp_path / "pairs"
    copy_template("dialog-pairs", other)
    assert "dialog-pairs" in upload(coordinator, packed(other))
    wrong = changed(tmp_path / "wrong", "rubric:", "rubrik:")
    said = upload(coordinator, packed(wrong))
    assert "study.yaml:" in said
    assert str(tmp_path) not in said
    assert "/tmp" not in said, "where it was unpacked says nothing"
    for name in ("../study.yaml", "/etc/study.yaml", "c:study.yaml"):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(name, "study: x")
        assert "pack the folder itself" in upload(coordinator, file.getvalue())
    link = zipfile.ZipInfo("study.yaml")
    link.external_attr = 0o120777 << 16
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    assert "pack the folder itself" in upload(coordinator, file.getvalue())


def test_what_one_may_not_upload_or_download_is_refused(coordinator: Coordinator) -> None:
    bench = coordinator.bench
    token = bench.store.write(acts.invite_other, By(bench.study_id, "test", T0), bench.study, "viewer", "vera")
    viewer = bench.client()
    enter(viewer, f"/join/{token}")
    assert viewer.get(f"{coordinator.home}/report").status_code == 200
    assert viewer.get(f"{coordinator.home}/backup").status_code == 403
    files = {"folder": ("study.zip", b"x", "application/zip")}
    assert viewer.post(f"{coordinator.home}/upload", data={"csrf": "x"}, files=files).status_code == 403
    assert coordinator.client.post(f"{coordinator.home}/upload", data={"csrf": "x"}, files=files).status_code == 403
    assert coordinator.client.post(f"{coordinator.home}/state", data={"csrf": "x"}, files=files).status_code == 415


def test_scripts_publish_close_and_take_backups_as_the_page_does(ana: Annotator, tmp_path: Path) -> None:
    from tests.web.test_api import Script

    script = Script(ana.bench)
    folder = changed(tmp_path / "new", "title: Replies to people", "title: Answers to people")
    sent = {"zip": base64.b64encode(packed(folder)).decode(), "reason": "a title"}
    looked = script.send("POST", "/versions", {**sent, "dry_run": True}, 200)
    assert (looked["published"], looked["version"]) == (False, load(folder).hash)
    assert any("Answers to people" in each for each in looked["changes"])
    assert script.send("POST", "/versions", sent, 200)["published"] is True
    assert script.get()["version"] == load(folder).hash
    script.send("POST", "/versions", {"zip": "?"}, 422)
    matters = {each["about"]: each["open"] for each in script.get("/closing")["matters"]}
    assert matters["items"] > 0
    assert matters["flags"] == 0


def test_agreed_values_are_taken_out_from_the_page_and_by_a_script(store: Backend, tmp_path: Path) -> None:
    bench = make_bench(store, tmp_path / "study", edit=edited(analysis="\n  adjudicate_above: 1.0"))
    coordinator = Coordinator(bench)
    by = By(bench.study_id, "cara", T0, "read again")
    bench.store.write(adjudications.add, by, "emp-001", Slot("safety"), 3)
    assert "what=agreed" in coordinator.get("/manage")
    answer = coordinator.client.get(f"{coordinator.home}/export?format=csv&what=agreed")
    assert 'filename="agreed.csv"' in answer.headers["content-disposition"]
    [row] = csv.DictReader(io.StringIO(answer.text))
    assert (row["item"], row["dimension"], row["value"], row["reason"]) == ("emp-001", "safety", "3", "read again")
    headers = {"Authorization": f"Bearer {new_token(bench, 'export')}"}
    there = bench.client().get("/api/v1/studies/empathy/exports/csv?what=agreed", headers=headers)
    assert there.text == answer.text
