"""What a paper needs of a report can be taken from the page and from the API, unless a study is blind."""

import io
import zipfile
from pathlib import Path

import pytest

from assay import acts
from assay.errors import AssayError
from assay.items.imported_judgments import ImportedAnswers
from assay.model import Slot
from assay.report.paper.fonts import font_of
from assay.store.coordinator.record import By
from tests.conftest import T0, Bench, make_bench
from tests.web.annotator import Annotator
from tests.web.scripts import Script
from tests.web.test_manage import Manager


def can_be_made() -> bool:
    """Whether the libraries of papers are installed."""
    try:
        font_of(None)
    except AssayError:
        return False
    return True


def test_the_page_and_the_api_give_the_same_archive_or_say_what_to_install(
    sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process makes it, however small the study: the library of its pictures lets no other thread go on."""

    def not_here(*_: object, **__: object) -> None:
        raise AssertionError("in this process it holds up everybody")

    Annotator(sqlite_bench).begin().submit()
    manager, script = Manager(sqlite_bench), Script(sqlite_bench)
    assert f'href="{manager.home}/paper"' in manager.get()
    if can_be_made():
        monkeypatch.setattr("resvg_py.svg_to_bytes", not_here)
    page, api = manager.client.get(f"{manager.home}/paper"), script.ask("GET", "/paper")
    if not can_be_made():
        assert page.status_code == api.status_code == 422
        assert "assay-eval[paper]" in page.text
        assert "assay-eval[paper]" in api.text
        return
    assert page.status_code == api.status_code == 200
    assert 'filename="empathy-paper.zip"' in page.headers["content-disposition"]
    names = [zipfile.ZipFile(io.BytesIO(each.content)).namelist() for each in (page, api)]
    assert names[0] == names[1]
    assert "paper/methods.bib" in names[0]
    assert any(name.endswith(".png") for name in names[0])


@pytest.fixture
def blind_bench(sqlite_bench: Bench, tmp_path: Path) -> Bench:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy", "study: blind")
        file.write_text(text.replace("analysis:\n", "analysis:\n  blind: true\n"), "utf-8")

    return make_bench(sqlite_bench.store, tmp_path / "blind", edit=edit)


@pytest.mark.parametrize("state", ["open", "closed"])
def test_while_a_study_is_blind_the_page_gives_no_paper_until_it_is_closed(blind_bench: Bench, state: str) -> None:
    Annotator(blind_bench).begin().submit()
    manager = Manager(blind_bench)
    if state == "closed":
        manager.post("/state", state="closed", confirm="close")
    assert (f'href="{manager.home}/paper"' in manager.get()) == (state == "closed")
    answer = manager.client.get(f"{manager.home}/paper")
    assert ("the study is blind" in answer.text) == (state == "open")
    if state == "open":
        assert answer.status_code == 422


def test_cards_of_judges_come_from_the_page_and_the_api_and_without_a_judge_it_is_said(sqlite_bench: Bench) -> None:
    manager, script = Manager(sqlite_bench), Script(sqlite_bench)
    assert f'href="{manager.home}/judge-cards"' not in manager.get(), "nothing leads to what is not there"
    for answer in (manager.client.get(f"{manager.home}/judge-cards"), script.ask("GET", "/judge-cards")):
        assert answer.status_code == 404
        assert "o automated judge has judged" in answer.text
    Annotator(sqlite_bench).begin().submit()
    name = script.ask("GET", "/items").json()["items"][0]["item"]
    dimension = sqlite_bench.study.scored_dimensions[0]
    given = [(name, ImportedAnswers("gpt", True, {Slot(dimension.dimension): dimension.input.values()[0]}))]
    by = By(sqlite_bench.study_id, "me", T0)
    sqlite_bench.store.write(acts.take_in, by, sqlite_bench.study, [], given, None, partial=True)
    for answer in (manager.client.get(f"{manager.home}/judge-cards"), script.ask("GET", "/judge-cards")):
        assert answer.status_code == 200
        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        assert archive.namelist() == ["judge-cards/gpt.html", "judge-cards/gpt.json"]
        assert f'href="{manager.home}/judge-cards"' in manager.get()
        assert b"gpt cannot be measured yet" in archive.read("judge-cards/gpt.html")
