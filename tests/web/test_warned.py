"""Hard content: a warning before an item opens, a limit by day, support in one's language, and how somebody is."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.store import Backend
from assay.store.tables import assignment, check_in, item
from tests.conftest import Bench, make_bench
from tests.inviting import invite_coordinator
from tests.pages import SCORES, Forms, enter, text_of
from tests.web.annotator import Annotator, read_csv, rows, write_csv
from tests.web.scripts import Script, judging

WARN = {"grief": "The death of somebody close", "violence": "Violence"}


def careful(care: dict[str, Any], *, hard: Callable[[int], str] = lambda n: "grief", **more: Any) -> Any:
    """An edit that tags items and puts this care into the study."""

    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        listed = read_csv(folder / "items.csv")
        write_csv(folder / "items.csv", [{**row, "content": hard(n)} for n, row in enumerate(listed)])
        text = re.sub(r"^pace:.*\n(?: .*\n)*", "", file.read_text("utf-8"), flags=re.M)
        for key, value in more.items():
            text = re.sub(rf"^{key}:.*\n", f"{key}: {json.dumps(value)}\n", text, flags=re.M)
        (folder / "guide" / "at.md").write_text("# Hilfe in Österreich\n\n142\n", "utf-8")
        (folder / "guide" / "de.md").write_text("# Hilfe in Deutschland\n\n0800\n", "utf-8")
        file.write_text(f"{text}care: {json.dumps(care)}\n", "utf-8")

    return edit


@pytest.fixture
def bench_with(store: Backend, tmp_path: Path) -> Callable[..., Bench]:
    return lambda *given, **how: make_bench(store, tmp_path / "study", edit=careful(*given, **how))


def open_it(who: Annotator) -> Any:
    form = Forms(who.page()).to("/open/")
    assert form is not None, "no warning on this page"
    return who.client.post(form[0], data=form[1])


def is_warned(who: Annotator) -> bool:
    return Forms(who.page()).to("/open/") is not None


def texts_of(bench: Bench) -> list[str]:
    """Some words of the content of every item."""
    return [json.loads(row["shown"])["user_statement"][:60].replace("'", "") for row in rows(bench.store, item)]


def test_nothing_of_an_item_is_sent_before_it_is_asked_for_not_even_ahead(bench_with: Callable[..., Bench]) -> None:
    bench = bench_with({"field": "content", "warn": WARN}, hard=lambda n: "grief" if n % 2 else "none")
    ana = Annotator(bench).begin()
    sent: list[str] = []
    for _ in range(8):
        if is_warned(ana):
            page = ana.page()
            assert "The death of somebody close" in page
            assert Forms(page).to("/gate") is None
            assert not any(words in page for words in texts_of(bench))
            public_id = str(Forms(page).to("/open/")[0]).rsplit("/", 1)[1]  # type: ignore[index]
            csrf = Forms(page).to("/open/")[1]["csrf"]  # type: ignore[index]
            for address in (f"{ana.home}/again/{public_id}", f"{ana.home}/reveal/{public_id}"):
                answer = ana.client.get(address, headers={"Accept": "application/json"})
                assert answer.status_code >= 400
                assert not any(words in answer.text for words in texts_of(bench))
            early = {**Forms(page).to("/submit/")[1], **SCORES, "decline": ""}  # type: ignore[index]
            assert ana.send(f"{ana.home}/submit/{public_id}", early).status_code >= 400
            assert open_it(ana).status_code == 200
        form = ana.form()[1]
        position = int(re.search(r'data-position="(\d+)"', ana.page())[1])  # type: ignore[index]
        ahead = ana.send(f"{ana.home}/ahead", {"csrf": form["csrf"], "after": position}).json()["items"]
        sent += [each["html"] for each in ahead]
        covered = {row["public_id"] for row in rows(bench.store, assignment) if row["opened_at"] is None}
        tagged = {row["id"] for row in rows(bench.store, item) if row["warnings"] != "[]"}
        hidden = {row["public_id"] for row in rows(bench.store, assignment) if row["item_id"] in tagged} & covered
        assert not hidden & {each["item"] for each in ahead}
        assert ana.submit().status_code == 200
    assert sent, "what has no warning is kept ready as ever"
    assert csrf


def test_not_this_one_is_kept_with_its_reason_and_its_place_goes_to_others(bench_with: Callable[..., Bench]) -> None:
    bench = bench_with({"field": "content", "warn": WARN})
    ana = Annotator(bench).begin()
    address, form = Forms(ana.page()).to("/submit/") or ("", {})
    assert ana.client.post(address, data=form).status_code == 200
    [left_out] = [row for row in rows(bench.store, assignment) if row["state"] == "declined"]
    assert (left_out["declined_because"], left_out["opened_at"]) == ("warning", None)
    [given] = [row["taken"] for row in rows(bench.store, item) if row["id"] == left_out["item_id"]]
    assert given == 0
    assert is_warned(ana), "another one comes"
    open_it(ana)
    address, form = Forms(ana.page()).to("/submit/") or ("", {})
    ana.client.post(address, data={**form, "decline": "yes"})
    reasons = sorted(row["declined_because"] for row in rows(bench.store, assignment) if row["state"] == "declined")
    assert reasons == ["", "warning"], "what was seen first is left out as ever"


def test_so_many_in_a_day_and_no_more_while_others_go_on(bench_with: Callable[..., Bench]) -> None:
    care = {"field": "content", "warn": WARN, "most_per_day": 2}
    bench = bench_with(care, hard=lambda n: "violence" if n else "none")
    ana, opened = Annotator(bench).begin(), 0
    for _ in range(3):
        if is_warned(ana):
            opened += open_it(ana).status_code == 200
        assert ana.submit().status_code == 200
        bench.clock.now += 60_000
    assert opened == 2
    page = ana.page()
    assert "Enough hard content for today" in page
    assert "at most 2 items" in text_of(page)
    assert Forms(page).to("/open/") is None
    assert "/my-data" in page
    until = int(re.search(r'data-until="(\d+)"', page)[1])  # type: ignore[index]
    bench.clock.now = until - 1
    assert "Enough hard content" in ana.page()
    bench.clock.now = until + 1
    assert is_warned(Annotator(bench, "ana", ana.client)), "a day later it goes on"


def test_a_script_is_told_what_is_warned_of_and_when_it_is_enough(bench_with: Callable[..., Bench]) -> None:
    bench = bench_with({"field": "content", "warn": WARN, "most_per_day": 1})
    where = judging(bench)
    script = Script(bench)
    [given] = script.get(where)["assignments"]
    assert given["warnings"] == ["The death of somebody close"]
    answers = {name: int(score) for name, score in SCORES.items()}
    body = {"answers": answers, "seen": given["seen"], "study_version": given["study_version"]}
    script.send("POST", f"{where}/{given['assignment']}/judgments", body, 201)
    assert script.get(where) == {"state": "enough", "assignments": []}


CHECK_IN = {"check_in": {"every": 2, "coordinator_sees": True}}


def test_how_somebody_is_is_asked_every_few_items_and_seen_by_coordinators_alone(
    bench_with: Callable[..., Bench],
) -> None:
    bench = bench_with(CHECK_IN)
    ana = Annotator(bench).begin()
    csrf = ana.form()[1]["csrf"]
    ahead = ana.send(f"{ana.home}/ahead", {"csrf": csrf, "after": 1}).json()["items"]
    assert [each["position"] for each in ahead] == [2], "none is ready behind the question"
    ana.client.post(f"{ana.home}/check-in", data={"csrf": csrf, "answer": "not_well"})
    assert rows(bench.store, check_in) == [], "it is not due"
    for _ in range(2):
        ana.submit()
    assert ana.send(f"{ana.home}/ahead", {"csrf": csrf, "after": 2}).json()["items"] == [], "nor right before it"
    page = ana.page()
    assert "How are you?" in page
    assert "sees your answer" in page
    assert Forms(page).to("/submit/") is None
    answer = ana.client.post(f"{ana.home}/check-in", data={"csrf": csrf, "answer": "not_well"}).text
    assert "There is no hurry" in answer
    assert "/my-data" in answer
    assert ana.submit().status_code == 200, "the next item is there"
    assert [row["answer"] for row in rows(bench.store, check_in)] == ["not_well"]
    assert ana.client.get(f"{ana.home}/my-data.json").json()["check_ins"][0]["answer"] == "not_well"
    client, viewer = bench.client(), bench.client()
    enter(client, bench.coordinator_link())
    token = bench.store.write(invite_coordinator, bench.study_id, bench.clock(), "vera", reads_only=True)
    enter(viewer, f"/join/{token}")
    care = ana.home.replace("/judge/", "/coordinate/") + "/care"
    assert "not well" in client.get(care).text
    assert "not well" not in viewer.get(care).text
    assert Script(bench, "manage").get("/care")["check_ins"][0]["answer"] == "not_well"


def test_what_nobody_is_to_see_is_not_stored(bench_with: Callable[..., Bench]) -> None:
    bench = bench_with({"check_in": {"every": 1}})
    ana = Annotator(bench).begin()
    csrf = ana.form()[1]["csrf"]
    ana.submit()
    assert "not stored" in ana.page()
    assert ana.client.post(f"{ana.home}/check-in", data={"csrf": csrf, "answer": "everything"}).status_code == 404
    ana.client.post(f"{ana.home}/check-in", data={"csrf": csrf, "answer": "so_so"})
    assert [row["answer"] for row in rows(bench.store, check_in)] == [""]
    assert Forms(ana.page()).to("/submit/") is not None


def test_support_comes_in_the_language_and_country_that_a_browser_asks_for(
    bench_with: Callable[..., Bench],
) -> None:
    bench = bench_with({"support": {"de": "guide/de.md", "de-AT": "guide/at.md"}})
    ana = Annotator(bench).begin()

    def first(language: str) -> str:
        page = ana.client.get(f"{ana.home}/support", headers={"Accept-Language": language}).text
        found = re.search(r"<h1[^>]*>(.*?)</h1>", page, re.S)
        assert found
        assert page.count("<details>") == 2, "the others are one click away"
        return text_of(found[1])

    assert "Österreich" in first("de-AT,de;q=0.9")
    assert "Deutschland" in first("de-CH")
    assert "Hilfe" not in first("fr")


def test_stopping_is_two_clicks_away_from_every_page(bench_with: Callable[..., Bench]) -> None:
    care = {"field": "content", "warn": WARN, **CHECK_IN}
    bench = bench_with(care, hard=lambda n: "grief" if n == 0 else "none")
    ana = Annotator(bench)
    pages = {"gate": ana.enter().text}
    ana.begin()
    for _ in range(3):
        if is_warned(ana):
            pages["warning"] = ana.page()
            open_it(ana)
        pages["item"] = ana.page()
        csrf = Forms(pages["item"]).to("/submit/")[1]["csrf"]  # type: ignore[index]
        ana.client.post(f"{ana.home}/break", data={"csrf": csrf})
        pages["rest"] = ana.page()
        ana.client.post(f"{ana.home}/break", data={"csrf": csrf, "ends": "yes"})
        ana.submit()
        if "How are you?" in ana.page():
            pages["check-in"] = ana.page()
            ana.client.post(f"{ana.home}/check-in", data={"csrf": csrf, "answer": "well"})
    for name in ("guide", "support", "earlier"):
        pages[name] = ana.client.get(f"{ana.home}/{name}").text
    ana.client.post(f"{ana.home}/leave", data={"csrf": csrf})
    pages["left"] = ana.page()
    pages = {name: page for name, page in pages.items() if f'href="{ana.home}/my-data' not in page}
    assert pages == {}, f"no way to stop from: {', '.join(pages)}"
    own = ana.client.get(f"{ana.home}/my-data").text
    assert set(re.findall(r'name="wish" value="(\w+)"', own)) == {"stop", "delete"}


def test_practice_is_warned_of_too(store: Backend, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        careful({"field": "content", "warn": WARN})(folder)
        listed = read_csv(folder / "calibration.csv")
        write_csv(folder / "calibration.csv", [{**row, "content": "violence"} for row in listed])
        file = folder / "study.yaml"
        gates = json.dumps([{"practice": {"items": "calibration.csv", "count": 1}}])
        text = re.sub(r"^gates:.*?(?=^[a-z]|\Z)", f"gates: {gates}\n", file.read_text("utf-8"), flags=re.M | re.S)
        file.write_text(text, "utf-8")

    bench = make_bench(store, tmp_path / "study", edit=edit)
    ana = Annotator(bench)
    ana.enter()
    address, form = Forms(ana.page()).to("/gate") or ("", {})
    ana.client.post(address, data=form)
    assert is_warned(ana)
    open_it(ana)
    assert ana.submit().status_code == 200
