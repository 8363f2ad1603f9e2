"""Going back: as the study allows it, decided by the server, and every change is a revision beside what was there."""

import re
from pathlib import Path

import pytest

from assay.store.coordinator import long_table, study_status
from assay.store.tables import assignment, submission
from tests.conftest import Bench, make_bench
from tests.pages import SCORES, item_form, text_of
from tests.web.annotator import Annotator, edited, everything, rows, submissions
from tests.web.test_submissions import Answers

HOUR = 60 * 60 * 1000


@pytest.fixture(params=["free", "session", "forward-only"])
def navigation(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def begun(bench: Bench, tmp_path: Path, navigation: str) -> Annotator:
    """Somebody who has submitted one item and is at the second."""
    other = make_bench(bench.store, tmp_path / "other", edit=edited(navigation=navigation, study=f"go-{navigation}"))
    who = Annotator(other).begin()
    who.submit()
    return who


def first_item(who: Annotator) -> str:
    judged = {row["assignment_id"] for row in rows(who.bench.store, submission)}
    [given] = [row for row in rows(who.bench.store, assignment) if row["id"] in judged]
    return str(given["public_id"])


def test_an_earlier_item_opens_with_its_answers_only_where_the_study_allows_it(
    bench: Bench, tmp_path: Path, navigation: str
) -> None:
    ana = begun(bench, tmp_path, navigation)
    listed = ana.client.get(f"{ana.home}/earlier").text
    opened = ana.client.get(f"{ana.home}/item/{first_item(ana)}")
    if navigation == "forward-only":
        assert first_item(ana) not in listed
        assert opened.url.path == ana.home, "an old address leads to the current item"
        assert "Item 2 of" in opened.text
        assert "Submit is final." in opened.text
    else:
        assert f"/item/{first_item(ana)}" in listed
        assert "Item 1 of" in opened.text
        assert Answers(opened.text).answers == {name: [value] for name, value in SCORES.items()}
        assert "Submit is final." not in opened.text


def test_a_change_is_a_new_revision_and_the_newest_counts(bench: Bench, tmp_path: Path) -> None:
    ana = begun(bench, tmp_path, "free")
    address, form = item_form(ana.client.get(f"{ana.home}/item/{first_item(ana)}").text)
    assert form["revision"] == "2"
    changed = {**SCORES, "safety": "2"}
    ana.bench.clock.now += HOUR
    assert ana.send(address, {**form, **changed}).status_code == 200
    found = submissions(ana.bench.store, "ana")
    assert [(each["revision"], each["answers"]["safety"]) for each in found] == [(1, 3), (2, 2)]
    assert ana.send(address, {**form, **changed}).status_code == 200, "once more is once"
    assert len(rows(ana.bench.store, submission)) == 2
    other = ana.send(address, {**form, **SCORES, "safety": "4"})
    assert other.status_code == 409, "a page that is behind changes nothing"
    again = ana.client.get(f"{ana.home}/item/{first_item(ana)}").text
    assert Answers(again).answers["safety"] == ["2"]
    assert item_form(again)[1]["revision"] == "3"
    stored = ana.bench.store.write(lambda connection: list(long_table.judgments(connection, ana.bench.study_id)))
    given = [(each.revision, each.value) for each in stored if each.dimension == "safety"]
    assert sorted(given) == [(1, 3), (2, 2)], "both are in the export"
    [progress] = ana.bench.store.read(study_status.progress, ana.bench.study_id)
    assert progress.submitted == 1


def test_without_a_way_back_a_changed_answer_is_refused_however_it_is_sent(bench: Bench, tmp_path: Path) -> None:
    ana = begun(bench, tmp_path, "forward-only")
    _, form = ana.form()
    before = everything(ana.bench.store)
    for address in (f"{ana.home}/submit/{first_item(ana)}", f"{ana.home}/draft/{first_item(ana)}"):
        for revision in ("1", "2", "x"):
            answer = ana.send(address, {**form, **SCORES, "safety": "5", "note": "x", "revision": revision})
            assert answer.status_code == 409, address
    assert everything(ana.bench.store) == before


def test_within_a_session_means_since_the_link_was_opened_last(bench: Bench, tmp_path: Path) -> None:
    ana = begun(bench, tmp_path, "session")
    item = first_item(ana)
    ana.bench.clock.now += HOUR
    later = Annotator(ana.bench)
    later.enter()
    assert later.client.get(f"{ana.home}/item/{item}").url.path == ana.home
    assert item not in later.client.get(f"{ana.home}/earlier").text
    assert "Item 1 of" in ana.client.get(f"{ana.home}/item/{item}").text, "the first session still goes on"


def test_half_a_change_is_kept_and_the_submission_stays_as_it_was(bench: Bench, tmp_path: Path) -> None:
    ana = begun(bench, tmp_path, "free")
    address, form = item_form(ana.client.get(f"{ana.home}/item/{first_item(ana)}").text)
    assert "changed, not submitted" not in ana.client.get(f"{ana.home}/earlier").text
    ana.bench.clock.now += 1000
    kept = ana.send(address.replace("/submit/", "/draft/"), {**form, **SCORES, "emotion": "1", "note": "so"})
    assert kept.status_code == 200
    page = ana.client.get(f"{ana.home}/item/{first_item(ana)}").text
    assert Answers(page).answers["emotion"] == ["1"]
    assert "not submitted yet" in page
    assert "changed, not submitted" in ana.client.get(f"{ana.home}/earlier").text
    [found] = submissions(ana.bench.store, "ana")
    assert found["answers"]["emotion"] == 3


def test_at_the_end_the_way_back_stays_open(bench: Bench, tmp_path: Path) -> None:
    ana = begun(bench, tmp_path, "free")
    while "/submit/" in (page := ana.page()):
        ana.submit()
    assert "All done" in text_of(page)
    assert f'action="{ana.home}/items"' in page


def test_somebody_else_s_item_leads_nowhere(bench: Bench, tmp_path: Path) -> None:
    ana = begun(bench, tmp_path, "free")
    ben = Annotator(ana.bench, "ben").begin()
    assert ben.client.get(f"{ana.home}/item/{first_item(ana)}").status_code == 404
    assert ben.client.get(f"{ana.home}/again/{first_item(ana)}").status_code == 404


def test_a_change_that_is_taken_back_is_no_change(bench: Bench, tmp_path: Path) -> None:
    ana = begun(bench, tmp_path, "free")
    address, form = item_form(ana.client.get(f"{ana.home}/item/{first_item(ana)}").text)
    draft = address.replace("/submit/", "/draft/")
    ana.bench.clock.now += 1000
    version = ana.send(draft, {**form, **SCORES, "emotion": "1"}).json()["draft"]
    assert "changed, not submitted" in ana.client.get(f"{ana.home}/earlier").text
    version = ana.send(draft, {**form, **SCORES, "draft": str(version)}).json()["draft"]
    assert ana.send(address, {**form, **SCORES, "draft": str(version)}).status_code == 200
    assert "changed, not submitted" not in ana.client.get(f"{ana.home}/earlier").text
    assert len(submissions(ana.bench.store, "ana")) == 1


@pytest.mark.parametrize("repeats", [False, True])
def test_earlier_items_of_a_session_say_their_states_and_no_words_where_items_come_again(
    bench: Bench, tmp_path: Path, repeats: bool
) -> None:
    def edit(folder: Path) -> None:
        edited(navigation="session", study="session")(folder)
        file = folder / "study.yaml"
        more = "  duplicates: {count: 2, distance: 3}\n" if repeats else ""
        file.write_text(file.read_text("utf-8").replace("  per_item: 2\n", f"  per_item: 2\n{more}"), "utf-8")

    ana = Annotator(make_bench(bench.store, tmp_path / "other", edit=edit)).begin()
    ana.submit()
    ana.submit()
    first = sorted(rows(bench.store, assignment), key=lambda row: int(row["position"]))[0]["public_id"]
    address, form = item_form(ana.client.get(f"{ana.home}/item/{first}").text)
    report = {"csrf": form["csrf"], "report": "abcdefgh", "words": "a sentence is missing"}
    assert ana.send(f"{ana.home}/problem/{first}", report).status_code == 200
    ana.bench.clock.now += 1000
    ana.send(address.replace("/submit/", "/draft/"), {**form, **SCORES, "emotion": "1"})
    page = ana.client.get(f"{ana.home}/earlier").text
    states = [" ".join(each.split()) for each in re.findall(r'class="state">([^<]+)', page)]
    assert states == ["done", "changed, not submitted, problem reported"]
    words = re.findall(r'class="first" dir="auto">([^<]+)', page)
    assert (words == ["Item 2", "Item 1"]) is repeats
    assert ("by their numbers alone" in page) is repeats
