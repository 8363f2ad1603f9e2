"""The list of one's own items, where a study lets people move freely: what it says, what it opens, what it hides."""

import json
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from assay import acts
from assay.acts.item_list import MOST_AHEAD
from assay.store import Backend
from assay.store.coordinator import imports
from assay.store.coordinator.record import By
from assay.store.tables import assignment, item
from assay.study import load
from assay.study.first_words import LONGEST
from assay.study.templates import copy_template
from assay.web.annotator.item_list import words_for_annotators
from assay.words import words_of
from tests.conftest import Bench, make_bench
from tests.pages import SCORES, item_form, text_of
from tests.web.annotator import Annotator, edited, everything, rows, submissions, with_items
from tests.web.scripts import Script
from tests.web.test_growth import many

ROUTES = {
    "caps": "none",
    "coherence": "3",
    "relevance": "3",
    "instruction_following": "3",
    "safety_compliance": "3",
    "fluency": "3",
}
CARS = {
    "instruction_constraint_adherence": "2",
    "context_ambiguity_handling": "2",
    "plan_coherence": "2",
    "safety_compliance": "2",
}


@pytest.fixture
def cars(sqlite_store: Backend, tmp_path: Path) -> Annotator:
    """Somebody at the first of sixteen conversations in four batches, which everybody judges."""
    return Annotator(make_bench(sqlite_store, tmp_path / "cars", "in-car")).begin()


def listed(who: Annotator, page: int = 1) -> list[dict[str, Any]]:
    """The rows of the list."""
    html = who.client.get(f"{who.home}/items?page={page}").text
    found = []
    for value, state, body in re.findall(r'<li value="(\d+)" data-state="(\w+)">(.*?)</li>', html, re.DOTALL):
        way = re.search(r'href="([^"]+)"', body)
        words = re.search(r'class="first" dir="auto">(.*?)</span>', body)
        assert words
        found.append(
            {
                "number": int(value),
                "state": state,
                "way": way[1] if way else "",
                "words": text_of(words[1]).strip(),
                "here": "aria-current" in body,
                "text": text_of(body),
            }
        )
    return found


def judge(who: Annotator, page: str) -> None:
    """Submit the form on a page, with the best scores and every goal reached."""
    address, form = item_form(page)
    goals = dict.fromkeys(re.findall(r'name="(goal\.\w+)"', page), "1")
    assert who.send(address, {**form, **CARS, **goals}).status_code == 200


def shown_of(who: Annotator, public_id: str) -> dict[str, Any]:
    [given] = [row for row in rows(who.bench.store, assignment) if row["public_id"] == public_id]
    [found] = [row for row in rows(who.bench.store, item) if row["id"] == given["item_id"]]
    return dict(json.loads(found["shown"]))


def test_the_batch_at_hand_is_listed_whole_with_first_words_before_anything_is_judged(cars: Annotator) -> None:
    found = listed(cars)
    assert [each["number"] for each in found] == [1, 2, 3, 4], "one folder is finished before the next one begins"
    assert {each["state"] for each in found} == {"open"}
    assert [each["here"] for each in found] == [True, False, False, False]
    for each in found:
        says = shown_of(cars, each["way"].rsplit("/", 1)[1])["turns"][0]["user"]
        assert says.startswith(each["words"].rstrip("…"))
        assert len(each["words"]) <= LONGEST + 1


def test_any_item_of_the_list_can_be_opened_and_judged_in_any_order(cars: Annotator) -> None:
    third = listed(cars)[2]
    page = cars.client.get(third["way"])
    assert "Item 3 of 16" in page.text
    assert 'value="0"' in re.search(r"<progress[^>]+>", page.text)[0], "nothing is judged yet"  # type: ignore[index]
    judge(cars, page.text)
    assert [each["state"] for each in listed(cars)] == ["open", "open", "done", "open"]
    assert "Item 1 of 16" in cars.page(), "what was passed over comes by itself"
    for number in (4, 1):
        judge(cars, cars.client.get(listed(cars)[number - 1]["way"]).text)
    assert "Item 2 of 16" in cars.page()
    assert len(submissions(cars.bench.store, "ana")) == 3


def test_the_next_batch_opens_when_the_one_at_hand_is_done(cars: Annotator) -> None:
    ahead = cars.client.post(f"{cars.home}/ahead", data={**item_form(cars.page())[1], "after": "0"})
    assert ahead.status_code == 200, "items of later batches are given out ahead"
    later = [row for row in rows(cars.bench.store, assignment) if row["position"] > 4]
    assert later
    refused = cars.client.get(f"{cars.home}/item/{later[0]['public_id']}")
    assert refused.url.path == cars.home
    for _ in range(4):
        judge(cars, cars.page())
    cars.bench.clock.now += 60 * 60 * 1000
    found = listed(cars)
    assert [each["number"] for each in found] == [*range(1, 9)]
    assert [each["state"] for each in found] == ["done"] * 4 + ["open"] * 4


def test_the_list_says_what_is_begun_changed_left_out_and_reported(cars: Annotator) -> None:
    one, two, three, four = listed(cars)
    address, form = item_form(cars.client.get(two["way"]).text)
    draft = address.replace("/submit/", "/draft/")
    assert cars.send(draft, {**form, "safety_compliance": "1"}).status_code == 200
    judge(cars, cars.client.get(three["way"]).text)
    address, form = item_form(cars.client.get(three["way"]).text)
    cars.bench.clock.now += 1000
    assert cars.send(address.replace("/submit/", "/draft/"), {**form, **CARS, "note": "hm"}).status_code == 200
    address, form = item_form(cars.client.get(four["way"]).text)
    cars.send(address, {**form, "decline": "yes"})
    report = {"csrf": form["csrf"], "report": "abcdefgh", "words": "a turn is missing"}
    assert cars.send(one["way"].replace("/item/", "/problem/"), report).status_code == 200
    found = listed(cars)
    assert [each["state"] for each in found] == ["open", "begun", "changed", "declined"]
    assert ["problem reported" in each["text"] for each in found] == [True, False, False, False]
    assert found[3]["way"] == "", "what was left out is not opened again"
    assert "1 item of about 16 is done." in text_of(cars.client.get(f"{cars.home}/items").text)


def test_previous_and_next_lead_to_the_neighbours_as_far_as_they_may_be_opened(cars: Annotator) -> None:
    ways = [each["way"] for each in listed(cars)]
    page = cars.client.get(ways[1])
    steps = re.findall(r'data-step="(-?1)" href="([^"]+)"', page.text)
    assert steps == [("-1", f"{cars.home}/at/1"), ("1", f"{cars.home}/at/3")]
    assert cars.client.get(steps[1][1]).url.path == ways[2]
    for nowhere in ("0", "5", "99", "x", "999999999999999999999"):
        assert cars.client.get(f"{cars.home}/at/{nowhere}").url.path == cars.home


def test_a_message_and_a_break_come_before_an_item_that_is_opened_out_of_turn(
    sqlite_store: Backend, tmp_path: Path
) -> None:
    ana = Annotator(make_bench(sqlite_store, tmp_path / "cars", "in-car")).begin()
    fourth = listed(ana)[3]["way"]
    by = By(ana.bench.study_id, "dora", ana.bench.clock.now)
    ana.bench.store.write(acts.send_message, by, "ana", "Please read whole conversations.")
    assert ana.client.get(fourth).url.path == ana.home
    assert "Please read whole conversations." in ana.page()


# Other ways to go


def free(bench: Bench, tmp_path: Path, *edits: Callable[[Path], None]) -> Annotator:
    def edit(folder: Path) -> None:
        for each in (edited(navigation="free", study="free"), *edits):
            each(folder)

    return Annotator(make_bench(bench.store, tmp_path / "free", edit=edit)).begin()


def test_where_items_are_shared_no_more_is_held_for_a_list_than_for_the_pages_ahead(
    bench: Bench, tmp_path: Path
) -> None:
    ana = free(bench, tmp_path)
    Annotator(ana.bench, "ben").begin()
    found = listed(ana)
    assert len(found) <= MOST_AHEAD + 1
    assert [each["number"] for each in found] == [*range(1, len(found) + 1)]


def with_duplicates(folder: Path) -> None:
    file = folder / "study.yaml"
    text = file.read_text("utf-8")
    assert text.count("  per_item: 2\n") == 1
    file.write_text(text.replace("  per_item: 2\n", "  per_item: 2\n  duplicates: {count: 2, distance: 3}\n"), "utf-8")


def test_where_items_come_again_the_list_gives_nothing_away_and_nothing_is_opened_ahead(
    bench: Bench, tmp_path: Path
) -> None:
    ana = free(bench, tmp_path, with_duplicates)
    assert ana.bench.study.assignment.duplicates is not None
    ana.submit(SCORES)
    found = listed(ana)
    assert [(each["number"], each["state"]) for each in found] == [(1, "done"), (2, "open")]
    assert [each["words"] for each in found] == ["Item 1", "Item 2"], "the same words twice would say which comes again"
    assert "by their numbers alone" in ana.client.get(f"{ana.home}/items").text
    assert words_for_annotators(ana.bench.study, shown_of(ana, found[0]["way"].rsplit("/", 1)[1])) == ""
    page = ana.client.post(f"{ana.home}/ahead", data={**item_form(ana.page())[1], "after": "0"}).text
    ahead = re.findall(r'"item":\s*"([^"]+)"', page)
    assert len(ahead) > 1
    assert ana.client.get(f"{ana.home}/item/{ahead[-1]}").url.path == ana.home


@pytest.mark.parametrize("navigation", ["session", "forward-only"])
def test_elsewhere_there_is_no_list_and_no_way_to_an_item_that_is_not_judged(
    bench: Bench, tmp_path: Path, navigation: str
) -> None:
    edit = edited(navigation=navigation, study=f"go-{navigation}")
    ana = Annotator(make_bench(bench.store, tmp_path / "other", edit=edit)).begin()
    assert ana.client.get(f"{ana.home}/items").url.path == f"{ana.home}/earlier"
    [at_hand] = rows(ana.bench.store, assignment)
    assert ana.client.get(f"{ana.home}/at/1").url.path == ana.home
    assert ana.client.get(f"{ana.home}/item/{at_hand['public_id']}").url.path == ana.home
    assert "data-step" not in ana.page()
    assert "/items" not in ana.page()


def test_the_list_waits_for_the_gates_and_shows_nobody_else_s_items(cars: Annotator) -> None:
    ben = Annotator(cars.bench, "ben")
    ben.enter()
    assert ben.client.get(f"{ben.home}/items").url.path == ben.home
    mine = {each["way"] for each in listed(cars)}
    other = Annotator(cars.bench, "cem").begin()
    assert not mine & {each["way"] for each in listed(other)}
    assert other.client.get(next(iter(mine))).status_code == 404


def test_the_list_has_pages_of_a_hundred(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "many", "in-car", edited(batches="mixed"))
    more = islice(many(bench.study, bench.folder), 214)
    sqlite_store.write(imports.take_in, bench.study_id, bench.study, more, bench.folder)
    ana = Annotator(bench).begin()
    assert [each["number"] for each in listed(ana)] == [*range(1, 101)]
    assert 'rel="next"' in ana.client.get(f"{ana.home}/items").text
    assert [each["number"] for each in listed(ana, 2)] == [*range(101, 201)]
    assert [each["number"] for each in listed(ana, 3)] == [*range(201, 231)]
    assert listed(ana, 4) == []
    for odd in ("0", "-1", "x", "9" * 30):
        assert ana.client.get(f"{ana.home}/items?page={odd}").status_code == 200


def test_looking_at_the_list_twice_changes_nothing(cars: Annotator) -> None:
    listed(cars)
    before = everything(cars.bench.store)
    listed(cars)
    assert everything(cars.bench.store) == before


def test_the_list_is_in_the_study_s_language(sqlite_store: Backend, tmp_path: Path) -> None:
    def german(folder: Path) -> None:
        file = folder / "study.yaml"
        file.write_text(file.read_text("utf-8").replace("seed:", "language: de\nseed:", 1), "utf-8")

    ana = Annotator(make_bench(sqlite_store, tmp_path / "de", "in-car", german)).begin()
    html = ana.client.get(f"{ana.home}/items").text
    assert words_of("de")("items.heading") in html
    assert "offen" in text_of(html)


def test_what_is_shown_later_is_not_among_the_first_words(tmp_path: Path) -> None:
    copy_template("trajectories", tmp_path / "t")
    study = load(tmp_path / "t")
    later = next(iter(study.items.later_fields))
    assert "canary" not in words_for_annotators(study, {**dict.fromkeys(study.items.shown_fields, ""), later: "canary"})


def test_turns_of_one_conversation_are_told_apart_by_the_newest(tmp_path: Path) -> None:
    copy_template("dialog-pairs", tmp_path / "p")
    study = load(tmp_path / "p")
    item = {**dict.fromkeys(study.items.shown_fields, ""), "earlier": [{"user": "hello", "system": "hi"}]}
    assert words_for_annotators(study, {**item, "user": "which trains run?"}) == "which trains run?"
    assert words_for_annotators(study, {**item, "user": ""}) == "hello"


def test_items_that_begin_alike_are_told_apart_by_what_differs(sqlite_store: Backend, tmp_path: Path) -> None:
    ana = Annotator(make_bench(sqlite_store, tmp_path / "routes", "route-planning")).begin()
    found = [each["words"] for each in listed(ana)]
    assert len(set(found)) == len(found), "the same request, and another reply"
    assert any(" · " in each for each in found)
    assert all(len(each) <= LONGEST + 5 for each in found)
    assert [each["words"] for each in Script(ana.bench).get("/annotators/ana/items")["items"]] == found


def test_when_all_are_done_the_list_says_so(sqlite_store: Backend, tmp_path: Path) -> None:
    ana = Annotator(make_bench(sqlite_store, tmp_path / "one", "route-planning", with_items(2))).begin()
    assert "of about 2" in text_of(ana.client.get(f"{ana.home}/items").text)
    for _ in range(2):
        address, form = item_form(ana.page())
        ana.send(address, {**form, **ROUTES})
    assert "All 2 items are done." in text_of(ana.client.get(f"{ana.home}/items").text)


def test_a_script_has_the_same_list(cars: Annotator) -> None:
    script = Script(cars.bench)
    found = script.get("/annotators/ana/items")
    assert [(each["position"], each["state"], each["may_open"]) for each in found["items"]] == [
        (number, "open", True) for number in (1, 2, 3, 4)
    ]
    assert [each["words"] for each in found["items"]] == [each["words"] for each in listed(cars)]
    path = f"/annotators/ana/assignments/{found['items'][2]['assignment']}"
    third = script.get(path)
    assert third["position"] == 3
    by_key = {each["key"]: each for each in third["questions"]}
    assert "omission" in {each["value"] for each in by_key["instruction_failures"]["options"]}
    answers: dict[str, Any] = {name: int(value) for name, value in CARS.items()}
    answers |= {"instruction_constraint_adherence": None, "instruction_failures": ["omission", "omission @2"]}
    answers |= dict.fromkeys((key for key in by_key if key.startswith("goal.")), 1)
    script.send("POST", f"{path}/judgments", {"answers": answers}, 201)
    [stored] = submissions(cars.bench.store, "ana")
    assert stored["answers"]["instruction_failures"] == ["omission @2", "omission"]
    assert stored["answers"]["instruction_constraint_adherence"] == 0
    assert [each["state"] for each in script.get("/annotators/ana/items")["items"]] == ["open", "open", "done", "open"]


def test_a_script_is_told_where_there_is_no_list_and_what_cannot_be_opened(
    cars: Annotator, sqlite_store: Backend, tmp_path: Path
) -> None:
    cars.client.post(f"{cars.home}/ahead", data={**item_form(cars.page())[1], "after": "0"})
    later = next(row for row in rows(cars.bench.store, assignment) if row["position"] == 5)
    script = Script(cars.bench)
    said = script.send("GET", f"/annotators/ana/assignments/{later['public_id']}", None, 409)
    assert "cannot be opened now" in json.dumps(said)
    other = Annotator(make_bench(sqlite_store, tmp_path / "one", "empathy")).begin()
    assert "one item after the other" in json.dumps(Script(other.bench).send("GET", "/annotators/ana/items", None, 409))
