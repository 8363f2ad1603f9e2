"""assay judge-card: what a judge may be used for, as a page and as JSON, and whether that still holds."""

import json
from pathlib import Path

import pytest
from sqlalchemy import update

from assay.store import open_store
from assay.store.tables import import_
from tests.cli.test_people_and_judges import study, told
from tests.servers import command as run


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that bots and two judges have judged; of one it is known how it was run."""
    folder = study(tmp_path_factory.mktemp("cards") / "part")
    told("import", str(folder))
    told("simulate", str(folder), "--annotators", "2")
    answers(folder, "model-1")
    return folder


def answers(folder: Path, model: str, template: str = "") -> None:
    """Keep with the judgments of one judge that it was run so."""
    runs = {"one": {"models": [model], "templates": [template], "requests": 120}}
    store = open_store(str(folder / "assay.db"))
    store.write(lambda connection: connection.execute(update(import_).values(runs=json.dumps(runs))))
    store.close()


def test_a_card_says_what_was_measured_on_what_and_until_when_it_holds(played: Path, tmp_path: Path) -> None:
    cards = json.loads(told("judge-card", str(played), "--out", str(tmp_path / "cards"), "--json"))["cards"]
    assert [card["judge"] for card in cards] == ["one", "two"]
    first = cards[0]
    assert (first["items"], first["people"], first["systems"]) == (120, 2, ["a", "b"])
    assert (first["run"]["models"], first["run"]["templates"]) == (["model-1"], [""])
    assert cards[1]["run"]["models"] == []
    assert len(first["rubric_version"]) == 64
    assert first["holds_until"] > "2026"
    assert json.loads((tmp_path / "cards" / "one.json").read_text("utf-8")) == first
    page = (tmp_path / "cards" / "one.html").read_text("utf-8")
    assert first["verdict"]["says"] in page.replace("&#39;", "'")
    assert "model-1" in page
    assert first["rubric_version"][:12] in page
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_a_changed_rubric_model_or_prompt_or_a_year_make_a_card_stale_and_it_says_so(played: Path) -> None:
    told("judge-card", str(played), "--judge", "one")
    assert told("judge-card", str(played), "--verify") == "The card of one holds.\n"
    answers(played, "model-2", "abc")
    said = _stale(played)
    assert "the model is model-2, and was model-1; the prompt's template has changed" in said
    answers(played, "model-1")
    path = played / "judge-cards" / "one.json"
    card = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**card, "holds_until": "2020-01-01"}), "utf-8")
    assert "it held until 2020-01-01" in _stale(played)
    path.write_text(json.dumps({**card, "rubric_version": "0" * 64}), "utf-8")
    assert "the rubric or its rules have changed" in _stale(played)
    path.write_text("[]", "utf-8")
    done = run("judge-card", str(played), "--verify")
    assert (done.returncode, "is no judge card" in done.stderr) == (1, True)


def _stale(folder: Path) -> str:
    done = run("judge-card", str(folder), "--verify")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stdout


def test_a_rubric_has_another_version_only_where_the_rubric_is_another(tmp_path: Path) -> None:
    from assay.report.judge_card import rubric_version
    from assay.study import load

    one = study(tmp_path / "one")
    other = study(tmp_path / "two", "  order: fixed\n")
    third = study(tmp_path / "three")
    file = third / "study.yaml"
    file.write_text(file.read_text("utf-8").replace("How warm", "How cold"), "utf-8")
    versions = [rubric_version(load(folder)) for folder in (one, other, third)]
    assert versions[0] == versions[1] != versions[2]


def test_mistakes_are_said_in_words(played: Path, tmp_path: Path) -> None:
    for arguments, why in (
        (["--judge", "none"], "there is no judge 'none'"),
        (["--out", str(tmp_path / "no" / "folder")], "there is no folder"),
        (["--out", str(tmp_path), "--verify"], "there is no judge card"),
    ):
        done = run("judge-card", str(played), *arguments)
        assert (done.returncode, why in done.stderr) == (1, True), done.stderr
        assert "Traceback" not in done.stderr
