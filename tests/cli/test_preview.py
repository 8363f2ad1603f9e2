"""The preview: the real pages on a store that is thrown away, following the files."""

import html
import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.kinds import PANELS
from assay.study.templates import copy_template, template_names
from assay.web.preview import MOST_ITEMS, Preview
from tests import pages
from tests.conftest import plain
from tests.pages import Forms
from tests.servers import assay
from tests.straight_client import StraightClient


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy_template("trajectories", tmp_path / "study")
    return tmp_path / "study"


@pytest.fixture
def preview(folder: Path, tmp_path: Path) -> Iterator[Preview]:
    (tmp_path / "store").mkdir()
    made = Preview(folder, tmp_path / "store")
    yield made
    made.shown.close()


@pytest.fixture
def client(preview: Preview) -> StraightClient:
    return StraightClient(preview)


def change(folder: Path, old: str, new: str) -> None:
    file = folder / "study.yaml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    later = file.stat().st_mtime_ns + 1_000_000
    os.utime(file, ns=(later, later))


def test_the_bar_says_that_nothing_is_stored(client: StraightClient) -> None:
    page = client.get("/")
    assert "Preview: nothing is stored" in page.text
    assert "frame-ancestors 'self'; frame-src 'self'" in page.headers["content-security-policy"]


def test_an_item_is_open_at_once_and_it_is_the_annotators_page(client: StraightClient) -> None:
    page = client.get("/preview/enter?at=items")
    assert 'id="judge"' in page.text
    assert "Item 1 of 16" in page.text
    assert page.headers["content-security-policy"].count("frame-ancestors 'self'") == 1


def test_the_gates_can_be_looked_at_too(client: StraightClient) -> None:
    assert "Before you begin" in client.get("/preview/enter?at=gates").text


def test_items_come_in_the_same_order_each_time(client: StraightClient) -> None:
    def question(number: int) -> str:
        return client.get(f"/preview/enter?at=items&skip={number}").text.split('class="prose')[1][:200]

    first = [question(number) for number in range(4)]
    assert len(set(first)) > 1
    assert first == [question(number) for number in range(4)]


def test_an_item_can_be_opened_as_often_as_one_likes(client: StraightClient) -> None:
    for _ in range(8):
        assert 'id="judge"' in client.get("/preview/enter?skip=15").text


def test_a_file_that_is_saved_changes_the_page(client: StraightClient, folder: Path) -> None:
    before = client.get("/preview/state").json()["number"]
    assert client.get("/preview/state").json()["number"] == before, "nothing has changed"
    change(folder, "title: Coherence", "title: Logic of it")
    assert client.get("/preview/state").json()["number"] > before
    assert "Logic of it" in client.get("/preview/enter").text


def test_what_is_wrong_is_listed_until_it_is_put_right(client: StraightClient, folder: Path) -> None:
    change(folder, "study: trajectories", "studdy: <b>trajectories")
    assert client.get("/preview/state").json()["problems"] > 0
    page = client.get("/preview/enter").text
    assert "unknown key" in page
    assert "study.yaml:" in page
    assert "<b>" not in page
    assert client.get("/static/assay.css").status_code == 200
    change(folder, "studdy: <b>trajectories", "study: trajectories")
    assert 'id="judge"' in client.get("/preview/enter").text


def test_wrong_items_are_listed_too(client: StraightClient, folder: Path) -> None:
    (folder / "images" / "market.png").unlink()
    assert "market.png" in client.get("/preview/enter").text


def test_what_gives_a_system_away_is_said_and_no_longer_once_it_is_mended(client: StraightClient, folder: Path) -> None:
    assert client.get("/preview/state").json()["warnings"] == []
    items = folder / "samples.json"
    before = items.read_text("utf-8")
    rows = json.loads(before)
    rows["samples"][0]["question_text"] += f" {rows['samples'][0]['model_a_name']}_answer_q_0041"
    items.write_text(json.dumps(rows), "utf-8")
    [said] = client.get("/preview/state").json()["warnings"]
    assert said.startswith("blinding: the name 'scout-")
    items.write_text(before, "utf-8")
    assert client.get("/preview/state").json()["warnings"] == []


def test_an_order_that_gives_systems_away_is_said(tmp_path: Path) -> None:
    copy_template("dialog-pairs", tmp_path / "study")
    change(tmp_path / "study", "apart: true", "together: true")
    (tmp_path / "store").mkdir()
    preview = Preview(tmp_path / "study", tmp_path / "store")
    assert any("directly one after the other" in each for each in preview.shown.warnings)
    preview.shown.close()


def test_what_an_order_cannot_hide_is_said_with_the_file_that_was_looked_at(tmp_path: Path) -> None:
    copy_template("dialog-pairs", tmp_path / "study")
    (tmp_path / "store").mkdir()
    preview = Preview(tmp_path / "study", tmp_path / "store")
    notes = [each for each in preview.shown.warnings if each.startswith("sequence: ")]
    assert notes
    assert all(each.endswith("(in dialogues.json, which items.source names)") for each in notes)
    preview.shown.close()
    said = assay("check", tmp_path / "study")
    assert "(in dialogues.json, which items.source names)" in said


def test_what_is_stored_is_audited_where_the_store_has_items(tmp_path: Path) -> None:
    study = tmp_path / "study"
    copy_template("dialog-pairs", study)
    assay("import", study)
    whole = json.loads((study / "dialogues.json").read_text("utf-8"))
    (study / "items-of-another-day.json").write_text(json.dumps(whole[:2]), "utf-8")
    change(study, "source: dialogues.json", "source: items-of-another-day.json")
    stored = [each for each in said_of(study, tmp_path) if each.startswith("sequence: ")]
    assert stored
    items = json.loads(assay("status", study, "--json"))["items"]
    assert all(each.endswith(f"(in the {items} items that are stored)") for each in stored)
    (study / "assay.db").rename(tmp_path / "elsewhere.db")
    assert said_of(study, tmp_path, str(tmp_path / "elsewhere.db")) == said_of(
        study, tmp_path, f"sqlite:///{tmp_path}/elsewhere.db"
    )
    assert all("another-day" in each for each in said_of(study, tmp_path)), "without a store, the file"


def said_of(study: Path, folder: Path, database: str = "") -> list[str]:
    with tempfile.TemporaryDirectory(dir=folder) as store:
        preview = Preview(study, Path(store), database=database)
        preview.shown.close()
        return preview.shown.warnings


def test_nothing_is_written_beside_the_study(client: StraightClient, folder: Path) -> None:
    before = sorted(path.name for path in folder.rglob("*"))
    client.get("/preview/enter")
    assert sorted(path.name for path in folder.rglob("*")) == before


def test_answers_can_be_submitted_and_go_nowhere(client: StraightClient, preview: Preview) -> None:
    page = client.get("/preview/enter").text
    assert "/judge/trajectories/submit/" in page


@pytest.mark.parametrize("name", template_names())
def test_every_template_can_be_previewed_unchanged(tmp_path: Path, name: str) -> None:
    copy_template(name, tmp_path / "study")
    (tmp_path / "store").mkdir()
    preview = Preview(tmp_path / "study", tmp_path / "store")
    client = StraightClient(preview)
    assert 'id="judge"' in client.get("/preview/enter").text
    assert 0 < client.get("/preview/state").json()["items"] <= MOST_ITEMS
    preview.shown.close()


@pytest.mark.parametrize("kind", [*PANELS])
def test_a_panel_sends_somebody_through_to_the_way_back_with_the_code(kind: str, tmp_path: Path) -> None:
    copy_template("empathy", tmp_path / "study")
    plain(tmp_path / "study")
    if kind == "prolific":
        way = '{code: REAL-1, address: "https://panel.example/done?cc={code}"}'
        (tmp_path / "study" / "panel.yaml").write_text(f"finished: {way}\n", "utf-8")
    (tmp_path / "store").mkdir()
    preview = Preview(tmp_path / "study", tmp_path / "store", kind, "http://testserver")
    client = StraightClient(preview)
    assert 'src="/preview/enter?at=panel"' in client.get("/").text
    landing = client.get("/preview/enter?at=panel")
    assert landing.url.path.startswith("/join/")
    assert not landing.url.query, "the parameters have left the address bar"
    form = Forms(landing.text).to("/join")
    assert form is not None
    client.post(form[0], data=form[1])
    assert preview.shown.study is not None
    page = pages.pass_gates(client, preview.shown.study)
    for _ in range(2):
        address, hidden = pages.item_form(page)
        page = client.post(address, data={**hidden, **pages.SCORES}).text
    code = "REAL-1" if kind == "prolific" else "CODE-finished"
    assert f'value="{code}"' in page
    [there] = re.findall(r'id="go-back" href="([^"]+)"', page)
    back = client.get(html.unescape(there))
    assert back.url.path == "/preview/back", "nobody is sent to the real panel"
    assert ("https://panel.example/done?cc={code}" in back.text) == (kind == "prolific")
    assert any("no panel.yaml" in each for each in preview.shown.warnings) == (kind != "prolific")
    again = client.get("/preview/enter?at=panel")
    assert Forms(again.text).to("/join") is not None, "each time it is somebody new"
    preview.shown.close()


def test_a_panel_that_there_is_not_is_said(tmp_path: Path) -> None:
    copy_template("empathy", tmp_path / "study")
    assert "panels: generic, mturk, prolific, sona" in assay("preview", tmp_path / "study", "--panel", "x", expect=1)
