"""Open enrolment: one link for everybody, an id for each, and nobody takes another's place."""

import html
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from assay import acts
from assay.errors import NotFound
from assay.store.annotator import sessions
from assay.store.coordinator import links
from assay.store.tables import annotator, link, person
from tests.conftest import T0, Bench, make_bench
from tests.pages import Forms
from tests.web.annotator import Annotator, rows


@pytest.fixture
def open_bench(bench: Bench, tmp_path: Path) -> Bench:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy", "study: anyone")
        plan = "assignment:\n  enrol: {at_most: 2, id: Panel id}\n"
        file.write_text(text.replace("assignment:\n", plan, 1), "utf-8")

    return make_bench(bench.store, tmp_path / "anyone", edit=edit)


def link_of(bench: Bench) -> str:
    return f"/join/{bench.store.write(partial(links.add, enrols=True), bench.study_id, None, T0)}"


def enrol(bench: Bench, where: str, id_: str) -> tuple[Any, Any]:
    client = bench.client()
    page = client.get(where).text
    address, form = Forms(page).to("/join") or ("", {})
    return client, client.post(address, data={**form, "id": id_})


def names(bench: Bench) -> set[str]:
    """Who takes part, by what they typed where they enrolled: the data have drawn pseudonyms for them."""
    typed = {row["annotator_id"]: row["name"] for row in rows(bench.store, person)}
    mine = [row for row in rows(bench.store, annotator) if row["study_id"] == bench.study_id]
    assert all(re.fullmatch(r"p-[a-z2-9]{6}", row["name"]) for row in mine if row["id"] in typed)
    return {typed.get(row["id"], row["name"]) for row in mine}


def test_whoever_has_the_link_enrols_once_and_gets_a_personal_link(open_bench: Bench) -> None:
    where = link_of(open_bench)
    assert "Panel id" in open_bench.client().get(where).text
    client, answer = enrol(open_bench, where, "p-17")
    assert answer.status_code == 200
    own = html.unescape(re.search(r'href="(http[^"]+/join/[^"]+)"', answer.text)[1])  # type: ignore[index]
    assert "/gate" in client.get("/judge/anyone").text, "the session is there at once"
    other = open_bench.client()
    address, form = Forms(other.get(own).text).to("/join") or ("", {})
    assert "/gate" in other.post(address, data=form).text, "and the personal link leads to the same place"
    assert names(open_bench) == {"p-17"}


def test_an_id_that_somebody_has_gives_no_way_in(open_bench: Bench) -> None:
    where = link_of(open_bench)
    enrol(open_bench, where, "p-17")
    before = len(rows(open_bench.store, link))
    client, answer = enrol(open_bench, where, "p-17")
    assert answer.status_code == 409
    assert "under this id already" in answer.text
    assert 'value="p-17"' in answer.text, "what was written is still there"
    assert client.get("/judge/anyone").status_code == 401
    assert len(rows(open_bench.store, link)) == before


def test_no_more_people_enrol_than_the_study_wants(open_bench: Bench) -> None:
    where = link_of(open_bench)
    for id_ in ("one", "two"):
        assert enrol(open_bench, where, id_)[1].status_code == 200
    assert enrol(open_bench, where, "three")[1].status_code == 409
    assert names(open_bench) == {"one", "two"}


@pytest.mark.parametrize("id_", ["", "  ", "x" * 101, "a\nb"])
def test_an_id_that_cannot_be_one_is_asked_for_again(open_bench: Bench, id_: str) -> None:
    answer = enrol(open_bench, link_of(open_bench), id_)[1]
    assert answer.status_code == 422
    assert names(open_bench) == set()


def test_a_link_for_everybody_is_no_session_and_no_coordinators_link(open_bench: Bench) -> None:
    token = link_of(open_bench).rsplit("/", 1)[1]
    with pytest.raises(NotFound, match="This link does not lead anywhere"):
        open_bench.store.write(sessions.enter, token, T0)
    client = open_bench.client()
    assert client.get("/coordinate/anyone").status_code == 401


def test_a_study_that_is_not_open_lets_nobody_enrol(bench: Bench) -> None:
    where = link_of(bench)
    assert enrol(bench, where, "p-17")[1].status_code == 404
    assert names(bench) == set()


def test_a_personal_link_enrols_nobody(open_bench: Bench) -> None:
    ana = Annotator(open_bench)
    token = open_bench.link("ana").rsplit("/", 1)[1]
    with pytest.raises(NotFound, match="This link does not lead anywhere"):
        open_bench.store.write(acts.enrol, token, open_bench.study, "eve", T0)
    assert ana.name in names(open_bench)


def test_whoever_has_left_keeps_no_place_and_blanks_around_an_id_do_not_matter(open_bench: Bench) -> None:
    where = link_of(open_bench)
    client, _ = enrol(open_bench, where, " one ")
    assert enrol(open_bench, where, "one")[1].status_code == 409
    assert enrol(open_bench, where, "two")[1].status_code == 200
    csrf = next(form["csrf"] for _, form in Forms(client.get("/judge/anyone").text).forms if "csrf" in form)
    client.post("/judge/anyone/leave", data={"csrf": csrf})
    assert enrol(open_bench, where, "three")[1].status_code == 200
    assert names(open_bench) == {"one", "two", "three"}
