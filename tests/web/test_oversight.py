"""The coordinator's pages about people and items: what they show, what they do, and what is recorded."""

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from sqlalchemy import Connection, select, update

from assay.live.flags import current_flags
from assay.model import Flag
from assay.simulate import Character, simulate
from assay.store import Backend
from assay.store.coordinator import adjudications, flags, item_lookup, pilots, record, sheets, study_status
from assay.store.tables import annotator, judgment, submission
from tests.conftest import T0, Bench, make_bench
from tests.pages import Forms, enter, text_of
from tests.web.annotator import Annotator, edited, rows


class Coordinator:
    """Somebody with the coordinator's link."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.client = bench.client()
        enter(self.client, bench.coordinator_link())
        self.home = f"/coordinate/{bench.study.study}"

    def get(self, page: str = "") -> str:
        answer = self.client.get(f"{self.home}{page}")
        assert answer.status_code == 200, page
        return str(answer.text)

    def post(self, page: str, **form: str) -> Any:
        csrf = next(form["csrf"] for _, form in Forms(self.get("/annotator?name=ana")).forms if "csrf" in form)
        return self.client.post(f"{self.home}{page}", data={"csrf": csrf, **form})


@pytest.fixture
def ana(bench: Bench) -> Annotator:
    return Annotator(bench).begin()


@pytest.fixture
def coordinator(ana: Annotator) -> Coordinator:
    return Coordinator(ana.bench)


def done(bench: Bench) -> list[tuple[str, str, str]]:
    return [(each.what, each.annotator, each.reason) for each in bench.store.read(record.entries, bench.study_id)]


def menu_of(page: str) -> list[tuple[str, str]]:
    [menu] = re.findall(r'<nav class="menu"[^>]* aria-label="Pages">(.*?)</nav>', page, re.S)
    return re.findall(r'<a href="([^"]+)"(?: aria-current="\w+")?>([^<]+)</a>', menu)


def test_the_menu_leads_to_the_pages_that_have_something_to_show_of_the_study(
    coordinator: Coordinator, piloted: Bench, apart: Bench
) -> None:
    home = coordinator.home
    pages = {"Items": "/items", "People": "/people", "Flags": "/flags", "Manage": "/manage", "Record": "/record"}
    always = {"Dashboard": home, **{label: f"{home}{path}" for label, path in pages.items()}}
    assert {label: address for address, label in menu_of(coordinator.get())} == always
    labels = [label for _, label in menu_of(Coordinator(piloted).get("/flags"))]
    assert labels == ["Dashboard", "Items", "People", "Flags", "Calibration", "Pilot", "Manage", "Record"]
    talking = menu_of(Coordinator(apart).get("/record"))
    assert ("/coordinate/apart/adjudicate", "Talk over") in talking


def test_a_flag_is_shown_with_its_reason_its_evidence_and_links_to_its_items(coordinator: Coordinator) -> None:
    bench = coordinator.bench
    current_flags(bench.store, bench.study_id, bench.study, T0)  # nothing new is found from here on
    flag = Flag("too_fast", "ana", "3 of <4> items", ("emp-001", "emp-002"), {"share": 0.75})
    bench.store.write(flags.keep, bench.study_id, [flag], T0)
    assert "1 flag to look into" in text_of(coordinator.get())
    page = coordinator.get("/flags")
    assert "3 of <4> items" in text_of(page)
    assert "share 0.75" in text_of(page)
    assert f"{coordinator.home}/item?name=emp-001" in page
    item = coordinator.get("/item?name=emp-001")
    assert "Nothing yet" in item


@pytest.mark.parametrize("what", ["pause", "exclude", "release", "message"])
def test_what_is_done_about_an_annotator_is_recorded_with_its_note(coordinator: Coordinator, what: str) -> None:
    answer = coordinator.post("/act", what=what, name="ana", reason="a note")
    assert answer.status_code == 200
    assert "a note" in text_of(answer.text)
    [(did, whom, why)] = done(coordinator.bench)
    assert (did, whom) == (what, "ana")
    assert why == "a note"


def test_a_step_that_needs_a_reason_says_so_and_does_nothing(coordinator: Coordinator) -> None:
    answer = coordinator.post("/act", what="exclude", name="ana", reason=" ")
    assert answer.status_code == 422
    assert "a reason is needed" in text_of(answer.text)
    assert done(coordinator.bench) == []


def test_a_flag_is_dismissed_from_its_page(coordinator: Coordinator) -> None:
    bench = coordinator.bench
    current_flags(bench.store, bench.study_id, bench.study, T0)
    bench.store.write(flags.keep, bench.study_id, [Flag("too_fast", "ana", "why")], T0)
    form = {"what": "dismiss", "name": "ana", "about": "too_fast", "reason": "knew the texts", "back": "flags"}
    page = coordinator.post("/act", **form).text
    assert "No flag is open" in page
    assert "dismissed" in page
    assert done(bench) == [("dismiss", "ana", "knew the texts")]


@pytest.mark.parametrize(
    ("page", "form"),
    [
        ("/act", {"what": "sing", "name": "ana"}),
        ("/act", {"what": "gate", "name": "ana", "about": "moat"}),
        ("/annotator?name=eve", None),
        ("/item?name=nothing", None),
        ("/talk-over?name=nothing", None),
    ],
)
def test_what_does_not_exist_is_not_found(coordinator: Coordinator, page: str, form: dict[str, str] | None) -> None:
    answer = coordinator.client.get(f"{coordinator.home}{page}") if form is None else coordinator.post(page, **form)
    assert answer.status_code == 404
    assert done(coordinator.bench) == []


@pytest.mark.parametrize("page", ["item", "talk-over"])
def test_an_item_that_there_is_not_is_said_in_words_for_coordinators(coordinator: Coordinator, page: str) -> None:
    wrong = coordinator.client.get(f"{coordinator.home}/{page}?name=emp-9999")
    assert wrong.status_code == 404
    assert "This study has no item that is called emp-9999" in " ".join(text_of(wrong.text).split())
    assert "for you" not in text_of(wrong.text), "no word of an annotator's page"
    assert f"{coordinator.home}/items?words=emp-9999" in wrong.text
    unnamed = coordinator.client.get(f"{coordinator.home}/{page}")
    assert unnamed.status_code == 404
    assert "does not say which item" in text_of(unnamed.text)
    as_json = coordinator.client.get(f"{coordinator.home}/{page}?name=x", headers={"accept": "application/json"})
    assert as_json.json()["code"] == "errors.no_item", "a script is told as before"


PAGES = ["/flags", "/annotator?name=ana", "/item?name=emp-001", "/pilot", "/adjudicate", "/talk-over?name=x"]


@pytest.mark.parametrize("page", PAGES)
def test_an_annotator_reaches_none_of_these_pages(ana: Annotator, page: str) -> None:
    where = ana.home.replace("/judge/", "/coordinate/")
    assert ana.client.get(f"{where}{page}").status_code == 401
    csrf = ana.form()[1]["csrf"]
    for action in ("/act", "/decide", "/agree"):
        assert ana.client.post(f"{where}{action}", data={"csrf": csrf, "what": "open"}).status_code == 401
    assert done(ana.bench) == []


def test_a_form_from_elsewhere_changes_nothing(coordinator: Coordinator) -> None:
    form = {"csrf": "guessed", "what": "exclude", "name": "ana", "reason": "x"}
    assert coordinator.client.post(f"{coordinator.home}/act", data=form).status_code == 403
    assert done(coordinator.bench) == []


@pytest.fixture
def piloted(store: Backend, tmp_path: Path) -> Bench:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("items: 40 ", "items: 12 ").replace("rounds: 2", "rounds: 3")
        file.write_text(text.replace("duplicates: {count: 10, distance: 20}", "duplicates: {count: 2, distance: 4}"))

    return make_bench(store, tmp_path / "study", whole=True, edit=edit)


def play(bench: Bench, skill: float, start: int = T0) -> None:
    cast = [Character(name, skill=skill) for name in ("ana", "ben")]
    simulate(bench.store, bench.study.study, cast, seed=1, start=start)


def test_a_pilot_without_data_opens_nothing(piloted: Bench) -> None:
    piloted.link("ana")
    who = Coordinator(piloted)
    page = text_of(who.get("/pilot"))
    assert "no data" in page
    assert "0 of 12 items" in page.replace("  ", " ")
    answer = who.post("/decide", what="decide", reason="")
    assert answer.status_code == 422
    assert "not finished" in text_of(answer.text)
    assert piloted.store.read(pilots.under_way, piloted.study_id) == 1


def test_a_good_pilot_is_recorded_and_opens_the_main_part(piloted: Bench) -> None:
    play(piloted, skill=0.95)
    who = Coordinator(piloted)
    assert "Verdict: go" in " ".join(text_of(who.get("/pilot")).split())
    answer = who.post("/decide", what="decide", reason="fine")
    assert "The main part is open" in text_of(answer.text)
    [recorded] = piloted.store.read(pilots.decisions, piloted.study_id)
    assert (recorded.verdict, recorded.opened, recorded.reason) == ("go", True, "fine")
    assert [each["verdict"] for each in recorded.result["dimensions"]] == ["go"] * 4
    play(piloted, skill=0.95, start=T0 + 48 * 3_600_000)
    counts = piloted.store.read(study_status.item_counts, piloted.study_id)
    assert counts.finished == counts.items == 48


def test_a_poor_pilot_is_recorded_opens_nothing_and_is_followed_by_another_or_by_hand(piloted: Bench) -> None:
    play(piloted, skill=0.95)
    # One of the two judges safety by rote.
    who = Coordinator(piloted)
    piloted.store.write(_spoil)
    page = " ".join(text_of(who.get("/pilot")).split())
    assert "Verdict: rewrite" in page
    who.post("/decide", what="decide", reason="the guide is unclear")
    assert piloted.store.read(pilots.under_way, piloted.study_id) == 1
    answer = who.post("/decide", what="open", reason=" ")
    assert answer.status_code == 422
    who.post("/decide", what="again", reason="guide rewritten")
    assert piloted.store.read(pilots.under_way, piloted.study_id) == 2
    who.post("/decide", what="open", reason="no time left")
    assert piloted.store.read(pilots.under_way, piloted.study_id) == 0
    recorded = piloted.store.read(pilots.decisions, piloted.study_id)
    assert [(each.round, each.opened, each.reason) for each in recorded] == [
        (1, False, "the guide is unclear"),
        (2, True, "no time left"),
    ]


def _spoil(connection: Connection) -> None:
    mine = (
        select(submission.c.id)
        .join(annotator, annotator.c.id == submission.c.annotator_id)
        .where(annotator.c.name == "ana")
    )
    for number, id_ in enumerate(connection.execute(mine).scalars().all()):
        of_it = (judgment.c.submission_id == id_, judgment.c.dimension == "safety")
        connection.execute(update(judgment).where(*of_it).values(value=str(1 + number % 5)))


@pytest.fixture
def apart(bench: Bench, tmp_path: Path) -> Bench:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy", "study: apart")
        file.write_text(text.replace("analysis:\n", "analysis:\n  adjudicate_above: 1.5\n"), "utf-8")

    return make_bench(bench.store, tmp_path / "apart", edit=edit)


def test_all_items_that_show_a_flag_are_one_list(store: Backend, tmp_path: Path) -> None:
    def many(folder: Path) -> None:
        names = [f"more-{number:03}" for number in range(300)]
        with (folder / "items.csv").open("a", encoding="utf-8") as file:
            file.writelines(f"{name},Statement of {name},Reply to {name}\n" for name in names)
        mapping = json.loads((folder / "mapping.json").read_text("utf-8"))
        mapping += [{"eval_id": name, "sample_id": name, "model_tag": "guided-lm"} for name in names]
        (folder / "mapping.json").write_text(json.dumps(mapping), "utf-8")

    bench = make_bench(store, tmp_path / "study", whole=True, edit=many)
    Annotator(bench).begin()
    names = tuple(sorted(bench.store.read(sheets.item_names, bench.study_id)))[:250]
    bench.store.write(flags.keep, bench.study_id, [Flag("too_fast", "ana", "why", names)], T0)
    coordinator = Coordinator(bench)
    page = coordinator.get("/annotator?name=ana")
    [(address, words)] = re.findall(r'<a href="[^"]+/items(\?[^"]+)">([^<]+)</a>', page.partition("Items: ")[2])
    assert words == "230 more"
    assert len(address) < 100, "proxies refuse addresses of many kB"
    listed = coordinator.get(f"/items{html.unescape(address)}")
    assert "ana, too fast : 250 of" in text_of(listed)
    assert listed.count("data-row") == 50
    [later] = set(re.findall(r'href="[^"]+/items(\?[^"]*after=[^"]+)"', listed))
    assert len(later) < 200
    following = coordinator.get(f"/items{html.unescape(later)}")
    assert "ana, too fast : 250 of" in text_of(following)
    assert following.count("data-row") == 50
    form = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', listed))
    assert {"flag": "too_fast", "annotator": "ana"}.items() <= form.items(), "a filter stays within the flag"
    one = re.findall(r'href="[^"]+/item(\?[^"]*name=[^"]+)"', following)[0]
    assert len(one) < 200
    assert "flag=too_fast" in one
    assert coordinator.get("/items?flag=too_fast&annotator=ben").count("data-row") == 0


def test_items_far_apart_are_talked_over_blind_and_the_value_is_kept_with_its_reason(apart: Bench) -> None:
    scores = {"emotion": "3", "validation": "4", "helpfulness": "2", "safety": "3", "overall": "4"}
    for name, safety in (("ana", "2"), ("ben", "5")):
        who = Annotator(apart, name).begin()
        for _ in range(48):
            note = {"note": "because it is so"} if safety == "5" else {}
            who.submit({**scores, "safety": safety, **note})
    coordinator = Coordinator(apart)
    before = rows(apart.store, submission)
    page = coordinator.get("/adjudicate")
    assert "dividing by n − 1" in text_of(page)
    assert page.count("/talk-over?name=emp-") == 49, "a way to each of 48 items, and one to begin"
    assert not re.search(r"\bana\b", text_of(page))
    assert "ben" not in text_of(page)
    one = coordinator.get("/talk-over?name=emp-001")
    assert "Said: 2, 5 (standard deviation 2.12, n = 2)" in text_of(one)
    assert "because it is so" in text_of(one), "notes are shown"
    assert "ana" not in text_of(one).split()
    assert [system for system in ("guided-lm", "plain-lm", "tuned-lm") if system in one] == []
    form = {"name": "emp-001", "value.safety": "4"}
    assert coordinator.post("/agree", **form, reason=" ").status_code == 422
    assert coordinator.post("/agree", **{**form, "value.safety": "9"}, reason="x").status_code == 422
    assert coordinator.post("/agree", **{**form, "value.invented": "1"}, reason="x").status_code == 422
    assert apart.store.read(adjudications.agreed_values, apart.study_id) == []
    after = coordinator.post("/agree", **form, reason="it is safe enough")
    assert after.status_code == 200
    assert "Item emp-002" in text_of(after.text), "the next item comes by itself"
    [agreed] = apart.store.read(adjudications.agreed_values, apart.study_id)
    assert (agreed.item, agreed.dimension, agreed.value, agreed.reason) == ("emp-001", "safety", 4, "it is safe enough")
    assert rows(apart.store, submission) == before
    assert text_of(coordinator.get("/adjudicate")).count("not yet") == 47


def test_a_pair_is_talked_over_candidate_by_candidate_and_all_of_an_item_at_once(bench: Bench, tmp_path: Path) -> None:
    pairs = make_bench(bench.store, tmp_path / "pairs", "trajectories")
    cast = [Character("ana", skill=0.95), Character("ben", skill=0.2), Character("cleo", skill=0.95)]
    simulate(pairs.store, pairs.study.study, cast, seed=3, start=T0)
    coordinator = Coordinator(pairs)
    page = coordinator.client.get(f"{coordinator.home}/adjudicate").text
    name = re.findall(r"/talk-over\?name=([^\"&]+)", page)[0]
    one = coordinator.get(f"/talk-over?name={name}")
    keys = re.findall(r'name="(value\.[^"]+)"', one)
    of_sides = sorted({key for key in keys if key.endswith((".a", ".b"))})
    assert of_sides, "questions of one candidate are asked by candidate"
    named = re.findall(r'<legend><span class="of" dir="auto">([^<]+):</span>', one)
    assert len(named) == len(of_sides)
    assert set(named) <= set(pairs.study.sides)
    csrf = next(form["csrf"] for _, form in Forms(one).forms if "csrf" in form)
    form = {"csrf": csrf, "name": name, "reason": "read again", **dict.fromkeys(of_sides, "3")}
    assert coordinator.client.post(f"{coordinator.home}/agree", data=form).status_code == 200
    agreed = pairs.store.read(adjudications.agreed_values, pairs.study_id)
    assert len(agreed) == len(of_sides)
    systems = dict(zip("ab", pairs.store.read(item_lookup.item_named, pairs.study_id, name).systems, strict=True))
    assert {(each.dimension, each.system) for each in agreed} == {
        (key.split(".")[1], systems[key[-1]]) for key in of_sides
    }


QUIZ = '- quiz: {tries: 1, questions: [{ask: Is longer better?, options: {"y": "Yes", "n": "No"}, answer: "n"}]}\n'


def test_whoever_is_stuck_at_a_gate_is_named_and_let_pass_with_a_reason(bench: Bench, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy", "study: quizzed")
        file.write_text(re.sub(r"^( *)- consent:", rf"\1{QUIZ}\1- consent:", text, count=1, flags=re.M), "utf-8")

    quizzed = make_bench(bench.store, tmp_path / "quizzed", edit=edit)
    ana = Annotator(quizzed)
    ana.enter()
    address, form = Forms(ana.page()).to("/gate") or ("", {})
    [name] = quizzed.study.gates[0].gate.simulate()
    ana.client.post(address, data={**form, name: "y"})
    assert Forms(ana.page()).to("/gate") is None, "no try is left"
    coordinator = Coordinator(quizzed)
    assert "waits for you at the gate “quiz”" in " ".join(text_of(coordinator.get()).split())
    refused = coordinator.post("/act", what="gate", name="ana", about="quiz", reason=" ")
    assert refused.status_code == 422
    assert Forms(ana.page()).to("/gate") is None
    coordinator.post("/act", what="gate", name="ana", about="quiz", reason="talked it over")
    assert Forms(ana.page()).to("/gate") is not None, "the next gate is there"
    assert done(quizzed) == [("pass gate", "ana", "talked it over")]
    assert "waits for you" not in coordinator.get()


def test_what_was_said_of_an_item_is_in_words_not_in_ids(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", "in-car", whole=True)
    simulate(bench.store, bench.study.study, [Character("ana")], seed=1, start=T0)
    names = sorted(bench.store.read(sheets.item_names, bench.study_id))
    items = {name: bench.store.read(item_lookup.item_named, bench.study_id, name).shown["goals"] for name in names}
    name, goals = next((name, goals) for name, goals in items.items() if goals)
    page = Coordinator(bench).get(f"/item?name={name}")
    [said] = re.findall(r'<table class="data said-of-item">.*?</table>', page, re.S)
    for goal in goals:
        assert goal["text"] in text_of(said)
        assert f">{goal['id']}<" not in said
    assert "Success score" in said
    assert not re.search(r"\d\.\d{3,}", text_of(said))


@pytest.mark.parametrize("blind", [False, True])
def test_an_items_page_says_which_system_is_on_which_side_unless_nobody_is_to_know(
    sqlite_store: Backend, tmp_path: Path, blind: bool
) -> None:
    edit = edited(analysis="\n  blind: true") if blind else None
    bench = make_bench(sqlite_store, tmp_path / "study", "dialog-pairs", edit=edit, whole=True)
    simulate(bench.store, bench.study.study, [Character("ana")], seed=1, start=T0)
    name = sorted(bench.store.read(sheets.item_names, bench.study_id))[0]
    systems = bench.store.read(item_lookup.item_named, bench.study_id, name).systems
    page = text_of(Coordinator(bench).get(f"/item?name={quote_plus(name)}")).replace(name, "")
    assert all(
        (f"{side}: {system}" in page) is not blind for side, system in zip(("Left", "Right"), systems, strict=True)
    )
    assert not blind or not any(system in page for system in systems)
