"""What most people said is agreed on by one act: from the page, by a script and by the command."""

import html
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from assay.items.imported_judgments import ImportedAnswers
from assay.model import Slot
from assay.simulate import Character, simulate
from assay.store.coordinator import adjudications, imported_judgments, record
from assay.store.engine.sqlite import Sqlite
from assay.web import create_app
from assay.web.rate_limits import Limit, RateLimits
from tests.cli.test_oversight import rows_of
from tests.conftest import T0, Bench, make_bench
from tests.pages import Forms, text_of
from tests.servers import assay
from tests.web.annotator import edited
from tests.web.scripts import Script
from tests.web.test_oversight import Coordinator

SAID = {
    "emp-001": {"emotion": (1, 4, 4), "safety": (2, 5, 5), "overall": (1, 3, 5)},
    "emp-002": {"emotion": (5, 1, 1)},
    "emp-003": {"overall": (1, 3, 5)},
}
"""What three people said of three items where they are far apart; all else is a 3."""
PEOPLE = ("ana", "ben", "cleo")


@pytest.fixture
def apart(bench: Bench, tmp_path: Path) -> Bench:
    found = make_bench(
        bench.store, tmp_path / "apart", edit=edited(study="apart", analysis="\n  adjudicate_above: 1.5")
    )
    for place, who in enumerate(PEOPLE):
        add(found, who, {name: {key: said[place] for key, said in about.items()} for name, about in SAID.items()})
    return found


def add(bench: Bench, who: str, differing: dict[str, dict[str, int]]) -> None:
    threes = {Slot(each.dimension): 3 for each in bench.study.scored_dimensions}
    said = [
        (name, ImportedAnswers(who, False, {**threes, **{Slot(key): value for key, value in values.items()}}))
        for name, values in differing.items()
    ]
    bench.store.write(imported_judgments.add, bench.study_id, bench.study, said, bench.clock())


def agreed(bench: Bench) -> dict[tuple[str, str], tuple[Any, str]]:
    found = bench.store.read(adjudications.agreed_values, bench.study_id)
    return {(each.item, each.dimension): (each.value, each.reason) for each in found}


def address_of(bench: Bench) -> str:
    """Where a command finds the same data."""
    if isinstance(bench.store, Sqlite):
        return str(bench.store.path)
    return str(bench.store._engine.url.render_as_string(hide_password=False))  # type: ignore[attr-defined]


def csrf_of(page: str) -> str:
    return next(form["csrf"] for _, form in Forms(page).forms if "csrf" in form)


def seen(page: str) -> str:
    """What the button for the majority sends."""
    return html.unescape("".join(re.findall(r'<button name="most" value="([^"]+)"', page)))


def by_page(apart: Bench, reason: str) -> None:
    coordinator = Coordinator(apart)
    sent = seen(coordinator.get("/talk-over?name=emp-001"))
    assert coordinator.post("/agree", name="emp-001", reason=reason, most=sent).status_code == 200


def by_script(apart: Bench, reason: str) -> None:
    body = {"majority": True, "reason": reason}
    assert Script(apart).send("POST", "/adjudications/emp-001", body, 200) == {"agreed": 2, "taken_back": 0}


def by_command(apart: Bench, reason: str) -> None:
    where = (apart.folder, "--database", address_of(apart), "--item", "emp-001")
    said = assay("adjudicate", *where, "--majority", "--reason", reason)
    assert said.strip() == "emp-001: 2 values kept; as most said: emotion=4, safety=5."


@pytest.mark.parametrize("way", [by_page, by_script, by_command])
def test_what_most_said_is_agreed_on_by_one_act_and_record_and_export_say_so(
    apart: Bench, way: Callable[[Bench, str], None], tmp_path: Path
) -> None:
    way(apart, "on Monday")
    assert agreed(apart) == {
        ("emp-001", "emotion"): (4, "on Monday; as most said (2 of 3)"),
        ("emp-001", "safety"): (5, "on Monday; as most said (2 of 3)"),
    }, "of three who said 1, 3 and 5 none is the majority"
    done = [each for each in apart.store.read(record.entries, apart.study_id) if each.what == "adjudicate"]
    assert {(each.about, each.reason) for each in done} == {
        ("emp-001 emotion", "on Monday; as most said (2 of 3)"),
        ("emp-001 safety", "on Monday; as most said (2 of 3)"),
    }
    assay("export", apart.folder, "--database", address_of(apart), "--what", "agreed", "--out", tmp_path / "agreed.csv")
    written = rows_of(tmp_path / "agreed.csv")
    assert {each["reason"] for each in written} == {"on Monday; as most said (2 of 3)"}


def test_nothing_is_chosen_before_somebody_asks_for_the_majority_and_then_what_is_open_stays_on_the_screen(
    apart: Bench,
) -> None:
    coordinator = Coordinator(apart)
    page = coordinator.get("/talk-over?name=emp-001")
    assert " checked" not in page
    assert dict(parse_qsl(seen(page))) == {"emotion": "4", "safety": "5"}
    form = {"name": "emp-001", "value.safety": "2", "most": seen(page)}
    after = coordinator.post("/agree", **form, reason="it is unsafe")
    assert dict(parse_qsl(urlsplit(str(after.url)).query)) == {"name": "emp-001", "kept": "emp-001"}
    assert agreed(apart) == {
        ("emp-001", "emotion"): (4, "it is unsafe; as most said (2 of 3)"),
        ("emp-001", "safety"): (2, "it is unsafe"),
    }, "what somebody has chosen is theirs"
    assert re.findall(r'data-question="(\w+)" data-agreed', after.text) == ["emotion", "safety"]
    assert seen(after.text) == ""
    assert "No open question has an answer" in text_of(after.text)
    again = coordinator.post("/agree", **{"name": "emp-001", "value.overall": "3"}, reason="it is unsafe")
    assert "Item emp-003" in text_of(again.text)


def test_the_majority_is_a_reason_of_its_own_and_the_next_item_comes_at_once(apart: Bench) -> None:
    coordinator = Coordinator(apart)
    sent = seen(coordinator.get("/talk-over?name=emp-002"))
    after = coordinator.post("/agree", name="emp-002", reason="", most=sent)
    assert dict(parse_qsl(urlsplit(str(after.url)).query))["name"] == "emp-001"
    assert agreed(apart) == {("emp-002", "emotion"): (1, "as most said (2 of 3)")}


def test_no_majority_is_kept_that_nobody_has_looked_at(apart: Bench) -> None:
    coordinator = Coordinator(apart)
    sent = seen(coordinator.get("/talk-over?name=emp-001"))
    left = urlencode({"safety": dict(parse_qsl(sent))["safety"]})
    assert coordinator.post("/agree", name="emp-001", reason="x", most=left).status_code == 200
    assert list(agreed(apart)) == [("emp-001", "safety")], "what was left open by hand stays open"
    for who in ("dan", "eve", "flo"):
        add(apart, who, {"emp-001": {"emotion": 1}})
    refused = coordinator.post("/agree", name="emp-001", **{"value.overall": "3"}, reason="x", most=sent)
    assert refused.status_code == 422
    assert "answers to emotion have come in since you looked" in text_of(refused.text)
    assert list(agreed(apart)) == [("emp-001", "safety")], "all of it or nothing"
    assert dict(parse_qsl(seen(refused.text))) == {"emotion": "1"}


def test_what_was_kept_last_is_taken_back_by_one_button(apart: Bench) -> None:
    coordinator = Coordinator(apart)
    coordinator.post("/agree", name="emp-002", reason="x", **{"value.emotion": "2"})
    apart.clock.now += 1000
    sent = seen(coordinator.get("/talk-over?name=emp-001"))
    after = coordinator.post("/agree", name="emp-001", reason="x", most=sent)
    assert "Item emp-001: 2 values kept. Take back" in re.sub(r"\s+", " ", text_of(after.text))
    form = {"csrf": csrf_of(after.text), "name": "emp-001", "question": ["emotion", "safety"], "reason": "at once"}
    back = coordinator.client.post(f"{coordinator.home}/take-agreement-back", data=form)
    assert back.status_code == 200
    assert list(agreed(apart)) == [("emp-002", "emotion")]
    assert "values kept" not in text_of(coordinator.get("/talk-over?name=emp-001&kept=emp-001"))
    done = [(each.what, each.about, each.reason) for each in apart.store.read(record.entries, apart.study_id)]
    assert done[:2] == [
        ("take agreement back", "emp-001 safety", "at once"),
        ("take agreement back", "emp-001 emotion", "at once"),
    ]


def test_a_button_that_is_pressed_twice_can_still_be_taken_back(apart: Bench) -> None:
    coordinator = Coordinator(apart)
    sent = seen(coordinator.get("/talk-over?name=emp-001"))
    for _ in range(2):
        after = coordinator.post("/agree", name="emp-001", reason="x", most=sent)
    assert "Item emp-001: 2 values kept" in text_of(after.text)


def test_a_value_that_a_colleague_has_kept_since_is_not_taken_back_from_an_older_page(apart: Bench) -> None:
    coordinator = Coordinator(apart)
    kept = coordinator.post("/agree", name="emp-001", reason="x", **{"value.emotion": "4", "value.overall": "3"})
    last = next(
        form for to, form in Forms(coordinator.get("/talk-over?name=emp-001&kept=emp-001")).forms if "at" in form
    )
    assert "2 values kept" in text_of(kept.text)
    apart.clock.now += 1000
    Script(apart).send("POST", "/adjudications/emp-001", {"answers": {"emotion": 2}, "reason": "no"}, 200)
    refused = coordinator.client.post(
        f"{coordinator.home}/take-agreement-back", data={**last, "question": ["overall", "emotion"]}
    )
    assert refused.status_code == 422
    assert "another value of emotion has been kept since you looked" in text_of(refused.text)
    assert {key: value for key, (value, _) in agreed(apart).items()} == {
        ("emp-001", "emotion"): 2,
        ("emp-001", "overall"): 3,
    }
    by_hand = {**last, "question": "emotion", "at": str(apart.clock.now)}
    assert coordinator.client.post(f"{coordinator.home}/take-agreement-back", data=by_hand).status_code == 200
    assert list(agreed(apart)) == [("emp-001", "overall")], "and the value that the newer one had replaced stays away"


def test_the_form_beside_an_item_takes_back_what_was_seen_there_and_nothing_newer(apart: Bench) -> None:
    coordinator = Coordinator(apart)
    coordinator.post("/agree", name="emp-002", reason="x", **{"value.emotion": "2"})
    apart.clock.now += 1000
    page = coordinator.get("/talk-over?name=emp-002")
    form = next(form for to, form in Forms(page).forms if to.endswith("/take-agreement-back"))
    assert form["at"] == str(apart.clock.now)


def test_what_was_kept_last_is_offered_for_ten_minutes(apart: Bench) -> None:
    coordinator = Coordinator(apart)
    coordinator.post("/agree", name="emp-002", reason="x", **{"value.emotion": "2"})
    offered = []
    for _ in range(2):
        apart.clock.now += 5 * 60_000
        offered.append("1 value kept" in text_of(coordinator.get("/talk-over?name=emp-001&kept=emp-002")))
    assert offered == [True, False]


def test_nothing_is_kept_where_answers_have_brought_people_together_since_somebody_looked(apart: Bench) -> None:
    coordinator = Coordinator(apart)
    sent = seen(coordinator.get("/talk-over?name=emp-001"))
    for who in ("dan", "eve", "flo", "gus"):
        add(apart, who, {"emp-001": {"emotion": 4, "safety": 2}})
    assert "emotion" not in dict(parse_qsl(seen(coordinator.get("/talk-over?name=emp-001")))), "below the line"
    emotion = urlencode({"emotion": dict(parse_qsl(sent))["emotion"]})
    refused = coordinator.post("/agree", name="emp-001", reason="x", most=emotion, **{"value.overall": "3"})
    assert refused.status_code == 422
    assert "answers to emotion have come in since you looked" in text_of(refused.text)
    assert agreed(apart) == {}


def test_a_script_does_not_take_back_and_agree_as_most_said_in_one_act(apart: Bench) -> None:
    script = Script(apart)
    script.send("POST", "/adjudications/emp-001", {"answers": {"safety": 2}, "reason": "x"}, 200)
    both = {"take_back": ["safety"], "majority": True, "reason": "x"}
    assert script.send("POST", "/adjudications/emp-001", both, 422)["detail"] == "one thing at a time"
    assert list(agreed(apart)) == [("emp-001", "safety")]


def test_a_script_needs_no_reason_for_what_most_said_as_on_the_page_and_one_for_all_else(apart: Bench) -> None:
    script = Script(apart)
    path = "/adjudications/emp-002"
    script.send("POST", path, {"majority": True}, 200)
    assert agreed(apart) == {("emp-002", "emotion"): (1, "as most said (2 of 3)")}
    for body in ({"answers": {"overall": 3}}, {"take_back": ["emotion"]}, {"answers": {"safety": 2}, "majority": True}):
        assert "a reason is needed" in script.send("POST", path, body, 422)["detail"]
    assert len(agreed(apart)) == 1


def test_what_most_said_is_counted_among_what_takes_a_script_long_and_a_value_by_hand_is_not(apart: Bench) -> None:
    apart.app = create_app(apart.store, apart.clock, limits=RateLimits(heavy_calls=Limit(2)))
    script = Script(apart)
    body = {"majority": True, "reason": "x"}
    again = [script.ask("POST", "/adjudications/emp-001", body, Idempotency_Key="one") for _ in range(3)]
    assert [each.status_code for each in again] == [200, 200, 429]
    assert again[0].json() == again[1].json() == {"agreed": 2, "taken_back": 0}
    script.send("POST", "/adjudications/emp-001", {"answers": {"safety": 2}, "reason": "x"}, 200)


def test_where_the_study_names_no_line_nobody_agrees_as_most_said(bench: Bench, tmp_path: Path) -> None:
    unlined = make_bench(bench.store, tmp_path / "unlined", edit=edited(study="unlined"))
    add(unlined, "ana", {"emp-001": {}})
    coordinator, (name, where) = Coordinator(unlined), ("emp-001", (unlined.folder, "--database", address_of(unlined)))
    on_page = coordinator.post("/agree", name=name, reason="x", most="safety=5")
    assert on_page.status_code == 422
    by_script = Script(unlined).send("POST", f"/adjudications/{name}", {"majority": True, "reason": "x"}, 422)
    by_command = assay("adjudicate", *where, "--item", name, "--majority", "--reason", "x", expect=1)
    for said in (text_of(on_page.text), by_script["detail"], by_command):
        assert "the study names no line" in said


def test_of_a_pair_the_majority_of_each_candidate_is_agreed_on(bench: Bench, tmp_path: Path) -> None:
    pairs = make_bench(bench.store, tmp_path / "pairs", "trajectories")
    cast = [Character(name, skill=skill) for name, skill in (("ana", 0.9), ("ben", 0.1), ("cleo", 0.9))]
    simulate(pairs.store, pairs.study.study, cast, seed=3, start=T0)
    script, wanted = Script(pairs), {}
    for each in script.get("/adjudications")["questions"]:
        counted = Counter(each["values"]).most_common(1)[0]
        if counted[1] > len(each["values"]) / 2:
            wanted[each["item"], each["key"]] = (each["system"], counted[0])
    for name in {name for name, _ in wanted}:
        script.send("POST", f"/adjudications/{name}", {"majority": True, "reason": "x"}, 200)
    kept = {
        (each["item"], each["key"]): (each["system"], each["agreed"])
        for each in script.get("/adjudications")["questions"]
        if each["agreed"] is not None
    }
    assert kept == wanted
    assert {key[-2:] for _, key in kept} >= {".a", ".b"}
