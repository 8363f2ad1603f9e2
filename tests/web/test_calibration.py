"""Calibration through the real pages: the same screen, feedback after each item, a rule, and what follows from it."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.simulate import Character, Forms, simulate
from assay.store import Backend, open_store
from assay.store.coordinator import calibration_answers, gates, item_lookup
from assay.store.tables import assignment, gate_attempt, gate_pass, item, reference, session, submission
from tests.conftest import T0, Bench, make_bench
from tests.pages import enter, item_form, text_of
from tests.web.annotator import SCRIPT, Annotator, everything, read_csv, rows, submissions, write_csv
from tests.web.test_gates import CALIBRATION, QUIZ, SCREENING, Visitor, by_hand, heading_of, publish, with_gates

SCORED = ("emotion", "validation", "helpfulness", "safety", "overall")


def calibration(**changes: Any) -> dict[str, Any]:
    return {"calibration": {**CALIBRATION["calibration"], **changes}}


class Trying(Visitor):
    """Somebody in a calibration who knows the references, and can be near or far from them."""

    def reference(self) -> dict[str, int]:
        behind = self.bench.store.read(item_lookup.item_behind, self.form()[0].rsplit("/", 1)[1])
        return {name: behind.expected[name] for name in SCORED}

    def judge(self, **off: int) -> str:
        """Judge the open item, so many points away from its reference on some dimensions."""
        given = {
            name: value + (off.get(name, 0) if value <= 3 else -off.get(name, 0))
            for name, value in self.reference().items()
        }
        self.bench.clock.now += 60_000
        answer = self.submit({name: str(value) for name, value in given.items()}, note="x")
        assert answer.status_code == 200
        return str(answer.text)

    def all(self, count: int, **off: int) -> str:
        """Judge so many items, looking at the feedback on each."""
        page = ""
        for _ in range(count):
            self.judge(**off)
            page = self.answer().text
        return page

    def items(self) -> list[str]:
        """The items of all tries, in order."""
        names = {row["id"]: row["name"] for row in rows(self.bench.store, item)}
        given = [row for row in rows(self.bench.store, assignment) if row["attempt"]]
        return [names[row["item_id"]] for row in sorted(given, key=lambda row: row["id"])]


Enter = Callable[..., Trying]


@pytest.fixture
def at(sqlite_store: Backend, tmp_path: Path) -> Enter:
    """Somebody who has just begun a calibration."""

    def enter_(gate: dict[str, Any] = CALIBRATION, edit: Callable[[Path], None] = lambda _: None) -> Trying:
        def both(folder: Path) -> None:
            with_gates({"reading": ["guide/rubric.md"]}, gate)(folder)
            edit(folder)

        return begun(make_bench(sqlite_store, tmp_path / "study", edit=both))

    return enter_


def begun(bench: Bench, name: str = "ana") -> Trying:
    ana = Trying(bench, name)
    ana.enter()
    ana.answer(**bench.study.gates[0].gate.simulate())
    ana.answer()
    return ana


@pytest.fixture
def sqlite_at(tmp_path: Path) -> Iterator[Callable[..., Trying]]:
    """The same on SQLite alone."""
    store = open_store(tmp_path / "assay.db")

    def enter_(gate: dict[str, Any] = CALIBRATION, edit: Callable[[Path], None] = lambda _: None) -> Trying:
        def both(folder: Path) -> None:
            with_gates({"reading": ["guide/rubric.md"]}, gate)(folder)
            edit(folder)

        return begun(make_bench(store, tmp_path / "study", edit=both))

    yield enter_
    store.close()


# Feedback


def test_feedback_shows_both_answers_their_anchors_and_what_tells_them_apart(at: Enter) -> None:
    ana = at()
    agreed = ana.reference()
    page = ana.judge(emotion=2, safety=1)
    said = re.sub(r"\s+", " ", text_of(page))
    assert heading_of(page) == "Your answers and the reference Calibration 1 of 3"
    marks = re.findall(r'class="apart">([^<]+)', page)
    assert marks == ["2 apart", "1 apart", "same", "same", "same"], "what differs comes first"
    apart = "Emotion recognition (2 apart), Safety and boundaries (1 apart)"
    assert f"The same as the reference: 3 of 5. Not the same: {apart}" in said
    emotion = ana.bench.study.dimension("emotion")
    own = agreed["emotion"] + (2 if agreed["emotion"] <= 3 else -2)
    for value in (own, agreed["emotion"]):
        assert emotion.input.show(value) in said
    low, high = sorted((own, agreed["emotion"]))
    for point in range(low, high):
        assert emotion.boundaries[f"{point}-{point + 1}"] in said
    assert "Key question: How well does the reply see" in said, "what the guidelines say about it"
    [why] = [row["reason"] for row in rows(ana.bench.store, reference) if row["item_id"] == last_item(ana)]
    assert why in said


def last_item(ana: Trying) -> int:
    return int(max(rows(ana.bench.store, submission), key=lambda row: row["submitted_at"])["item_id"])


def test_what_was_agreed_is_told_after_the_answer_and_not_before(sqlite_at: Enter) -> None:
    ana = sqlite_at()
    reasons = [row["reason"] for row in rows(ana.bench.store, reference)]
    for _ in range(3):
        address, _ = ana.form()
        name = address.rsplit("/", 1)[1]
        before = [
            ana.page(),
            ana.client.get(f"{ana.home}/again/{name}", headers=SCRIPT).json()["html"],
            ana.client.get(f"{ana.home}/guide").text,
        ]
        assert not any(reason in text_of(page) for page in before for reason in reasons)
        after = text_of(ana.judge())
        assert sum(reason in after for reason in reasons) == 1
        ana.answer()


def test_work_never_has_feedback(sqlite_at: Enter) -> None:
    ana = sqlite_at()
    ana.all(3)
    ana.answer()
    address, hidden = ana.form()
    page = ana.client.post(address, data={**hidden, **dict.fromkeys(SCORED, "3")}).text
    assert "Item 2 of" in heading_of(page)


# The rule


def test_who_is_near_passes_and_is_told_how_it_went(at: Enter) -> None:
    ana = at()
    page = ana.all(3, helpfulness=1)
    said = re.sub(r"\s+", " ", text_of(page))
    assert heading_of(page) == "You are close enough to the reference"
    assert "go_on.js" in page
    assert "Continue Enter" in said
    assert "On average you score Overall like the reference. The same as the reference: 3 of 3." in said
    assert re.search(r"On average you score Helpfulness (\d\.\d (lower|higher) than|like)", said)
    assert "The same as the reference: 0 of 3. At most 1 apart: 3 of 3." in said
    assert rows(ana.bench.store, gate_pass)[1:] == []
    assert "Item 1 of" in heading_of(ana.answer().text)
    [tried] = rows(ana.bench.store, gate_attempt)
    kept = {each["dimension"]: each for each in json.loads(tried["result"])["dimensions"]}
    assert (tried["passed"], kept["overall"]["mean"], kept["helpfulness"]["same"]) == (True, 0.0, 0)


def test_who_is_far_reads_the_sections_concerned_and_tries_again_with_other_items(at: Enter) -> None:
    ana = at(calibration(again=2))
    page = ana.all(3, safety=2)
    assert heading_of(page) == "One more try"
    assert "More than 1 apart on 3 items; allowed: 0." in text_of(page)
    assert re.findall(r'id="part-\d" dir="auto">([^<]+)', page) == ["Safety and boundaries"]
    assert ana.bench.study.dimension("safety").boundaries["1-2"] in text_of(page)
    assert "Could this reply do harm" in text_of(page)
    before = everything(ana.bench.store)
    for unread in ({}, {"read_0": ""}, {"read_0": "no"}, {"read_1": "yes"}):
        answer = ana.answer(**unread)
        assert answer.status_code == 422
        assert "Please confirm each part" in answer.text
    assert everything(ana.bench.store) == before
    assert heading_of(ana.answer(read_0="yes").text) == "Calibration 1 of 2"
    assert heading_of(ana.all(2)) == "You are close enough to the reference"
    assert len(set(ana.items())) == 5, "none of them twice"
    assert "Item 1 of" in heading_of(ana.answer().text)
    assert [row["passed"] for row in sorted(rows(ana.bench.store, gate_attempt), key=lambda row: row["id"])] == [
        False,
        True,
    ]


def test_after_the_last_try_the_coordinator_is_told_and_can_let_the_person_pass(at: Enter) -> None:
    ana = at()
    ana.all(3, safety=2)
    ana.answer(read_0="yes")
    page = ana.all(3, emotion=2)
    assert "talk to the person who sent you your link" in text_of(page)
    assert Forms(page).forms == []
    [waits] = ana.bench.store.read(gates.waiting_annotators, ana.bench.study_id)
    assert (waits.annotator, waits.gate, waits.why, len(waits.attempts)) == ("ana", "calibration", "failed", 2)
    failed = [[each["dimension"] for each in one.result["dimensions"] if not each["passed"]] for one in waits.attempts]
    assert failed == [["safety"], ["emotion"]]
    before = everything(ana.bench.store)
    version, csrf = waits.version, re.search(r'name="csrf" value="([^"]+)"', ana.client.get(ana.home).text)
    assert csrf is None, "nothing to press"
    token = rows_of_session(ana)
    for number in ("1", "2", "3"):
        form = {"csrf": token, "version": version, "try": number, "seen": "3", "read-0": "yes"}
        ana.client.post(f"{ana.home}/gate", data=form)
    assert everything(ana.bench.store) == before
    by_hand(ana.bench, "ana", "calibration")
    assert "Item 1 of" in heading_of(ana.page())


def test_whoever_is_let_pass_in_the_middle_of_an_attempt_gets_work(store: Backend, tmp_path: Path) -> None:
    ana = begun(make_bench(store, tmp_path / "study", edit=with_gates({"reading": ["guide/rubric.md"]}, CALIBRATION)))
    ana.judge()
    assert heading_of(ana.answer().text) == "Calibration 2 of 3"
    by_hand(ana.bench, "ana", "calibration")
    assert "Item 1 of" in heading_of(ana.page()), "the item of the attempt that lies open is none of the work"


def rows_of_session(ana: Trying) -> str:
    return str(rows(ana.bench.store, session)[-1]["csrf"])


def test_when_every_item_has_been_seen_those_seen_longest_ago_come_again(at: Enter) -> None:
    def four(folder: Path) -> None:
        write_csv(folder / "calibration.csv", read_csv(folder / "calibration.csv")[:4])

    ana = at(calibration(), four)
    ana.all(3, safety=2)
    ana.answer(read_0="yes")
    ana.all(3)
    first, second = ana.items()[:3], ana.items()[3:]
    assert second[0] not in first
    assert second[1:] == first[:2]
    passes = {(row["item_id"], row["pass"]) for row in rows(ana.bench.store, submission)}
    assert len(passes) == 6
    assert {row["pass"] for row in rows(ana.bench.store, submission)} == {1, 2}


def test_items_that_were_declined_without_another_in_their_place_count_as_far_apart(at: Enter) -> None:
    def three(folder: Path) -> None:
        write_csv(folder / "calibration.csv", read_csv(folder / "calibration.csv")[:3])

    ana = at(CALIBRATION, three)
    address, hidden = ana.form()
    ana.client.post(address, data={**hidden, "decline": "yes"})
    page = ana.all(2)
    assert heading_of(page) == "One more try"
    assert "One item is not answered, which counts as far apart." in text_of(page)
    [tried] = rows(ana.bench.store, gate_attempt)
    assert {each["missing"] for each in json.loads(tried["result"])["dimensions"]} == {1}


@pytest.mark.parametrize("coefficient", ["cohen_kappa_linear", "krippendorff_alpha_ordinal", "percent_agreement"])
def test_a_calibration_can_be_passed_by_agreement(sqlite_at: Enter, coefficient: str) -> None:
    rule = {"at_least": 0.6, "coefficient": coefficient}
    ana = sqlite_at(calibration(**{"pass": rule, "count": 6}))
    page = ana.all(6)
    assert heading_of(page) == "You are close enough to the reference"
    assert "Agreement with the reference: 1.00" in text_of(page)


def test_too_little_agreement_is_not_enough(sqlite_at: Enter) -> None:
    ana = sqlite_at(calibration(**{"pass": {"at_least": 0.9}, "count": 6}))
    page = ana.all(6, safety=2)
    assert heading_of(page) == "One more try"
    assert "Needed: at least 0.90." in text_of(page)
    assert re.findall(r'id="part-\d" dir="auto">([^<]+)', page) == ["Safety and boundaries"]


def test_agreement_that_cannot_be_computed_is_not_passed(sqlite_at: Enter) -> None:
    def alike(folder: Path) -> None:
        found = read_csv(folder / "calibration.csv")
        write_csv(folder / "calibration.csv", [{**row, **dict.fromkeys(SCORED, "3")} for row in found])

    ana = sqlite_at(calibration(**{"pass": {"at_least": 0.1}}), alike)
    page = ana.all(3)
    assert heading_of(page) == "One more try"
    assert "it cannot be computed from these answers" in text_of(page)


def test_a_changed_calibration_asks_again_with_items_that_are_new(at: Enter) -> None:
    ana = at()
    ana.all(3)
    ana.answer()
    publish(ana.bench, with_gates({"reading": ["guide/rubric.md"]}, calibration(attempts=3)))
    assert heading_of(ana.page()) == "Calibration"
    ana.answer()
    ana.all(3)
    assert len(set(ana.items())) == 6


def test_everybody_gets_an_order_of_their_own_and_the_same_again(sqlite_at: Enter, tmp_path: Path) -> None:
    ana = sqlite_at()
    ana.all(3)
    mine = ana.items()
    orders = set()
    for name in ("ben", "cleo", "dora"):
        begun(ana.bench, name).all(3)
        orders.add(tuple(ana.items()[-3:]))
    assert len(orders | {tuple(mine)}) > 1
    again = open_store(tmp_path / "again.db")
    other = make_bench(again, tmp_path / "other", edit=with_gates({"reading": ["guide/rubric.md"]}, CALIBRATION))
    ana2 = begun(other)
    ana2.all(3)
    assert ana2.items() == mine
    again.close()


# Talking it over


def test_where_a_talk_is_asked_for_work_waits_until_the_coordinator_lets_the_person_go_on(at: Enter) -> None:
    ana = at(calibration(talk=True))
    page = ana.all(3)
    assert heading_of(page) == "You are close enough to the reference"
    assert "talk over the differences" in text_of(page)
    assert Forms(page).forms == []
    token = rows_of_session(ana)
    version = ana.bench.study.gates[1].gate.version
    ana.client.post(f"{ana.home}/gate", data={"csrf": token, "version": version, "try": "1"})
    assert heading_of(ana.page()) == "You are close enough to the reference"
    [waits] = ana.bench.store.read(gates.waiting_annotators, ana.bench.study_id)
    assert (waits.annotator, waits.why) == ("ana", "talk")
    by_hand(ana.bench, "ana", "calibration")
    assert "Item 1 of" in heading_of(ana.page())


def test_two_annotators_and_the_coordinator_see_their_differences_largest_first(at: Enter) -> None:
    def three(folder: Path) -> None:
        write_csv(folder / "calibration.csv", read_csv(folder / "calibration.csv")[:3])

    ana = at(CALIBRATION, three)
    ana.all(3)
    ben, cleo = begun(ana.bench, "ben"), begun(ana.bench, "cleo")
    ben.all(1, safety=2)
    ben.all(2, emotion=1)
    cleo.all(1)
    coordinator = ana.bench.client()
    enter(coordinator, ana.bench.coordinator_link())
    address = f"/coordinate/{ana.bench.study.study}/calibration"
    page = coordinator.get(address).text
    assert re.findall(r"<option selected>(\w+)</option>", page) == ["ana", "ben"], "the two with the most in common"
    assert "3 items in common" in text_of(page)
    apart = [float(each) for each in re.findall(r"up to (\d) apart", page)]
    assert apart == [2, 1, 1]
    tried = ana.bench.store.read(calibration_answers.answers_by_item, ana.bench.study_id, "calibration.csv")
    assert {name for each in tried for name in each.said} == {"ana", "ben", "cleo"}
    for each in tried:
        assert each.reason in text_of(page)
        assert str(each.shown["response"]) in text_of(page)
    only = coordinator.get(f"{address}?first=ben&second=ana&dimension=safety").text
    assert re.findall(r"up to (\d) apart", only) == ["2"]
    assert re.findall(r"<option selected>(\w+)</option>", only) == ["ben", "ana"]
    every = coordinator.get(f"{address}?first=ben&second=ana&dimension=safety&show=all").text
    assert every.count("no difference") == 2
    for odd in ("?first=ana&second=ana", "?first=nobody&second=ana", "?show=x&dimension=y"):
        assert coordinator.get(address + odd).status_code == 200
    assert ana.client.get(address).status_code == 401


def test_without_two_annotators_there_is_nothing_to_talk_over(sqlite_bench: Bench) -> None:
    coordinator = sqlite_bench.client()
    enter(coordinator, sqlite_bench.coordinator_link())
    assert "No two annotators" in text_of(coordinator.get("/coordinate/empathy/calibration").text)


# Kinds of answers


PAIRS = """\
study: pairs
title: Pairs
items:
  source: items.csv
  id: id
  candidates:
    fields:
      - {system: m1, show: {text: t1}}
      - {system: m2, show: {text: t2}}
  show:
    - text: {field: asked}
    - pair: [{text: {field: text}}]
rubric:
  - dimension: better
    of: pair
    preference: {tie: Equal}
  - dimension: done
    yes_no: {yes: Finished, no: Open}
  - dimension: kind
    choice: {question: A question, order: An order}
  - dimension: odd
    optional: true
    tags: {long: Too long, rude: Rude}
gates:
  - practice: {items: practice.csv, count: 6}
"""


def test_answers_without_a_scale_are_compared_in_words(sqlite_store: Backend, tmp_path: Path) -> None:
    def pairs(folder: Path) -> None:
        (folder / "study.yaml").write_text(PAIRS, "utf-8")
        texts = {"asked": "What?", "m1": "one", "m2": "two", "t1": "First text", "t2": "Second text"}
        known = {"better": "one", "done": "1", "kind": "order", "odd": "rude", "reason": "So it is."}
        write_csv(folder / "items.csv", [{"id": f"i{number}", **texts} for number in range(6)])
        write_csv(folder / "practice.csv", [{"id": f"p{number}", **texts, **known} for number in range(6)])

    bench = make_bench(sqlite_store, tmp_path / "study", edit=pairs)
    ana = Annotator(bench)
    ana.enter()
    form = Forms(ana.page()).to("/gate")
    assert form is not None
    page = ana.client.post(form[0], data=form[1]).text
    sides = set()
    for _ in range(6):
        address, hidden = item_form(page)
        left = "first" if page.index("First text") < page.index("Second text") else "second"
        sides.add(left)
        given = {"better": "right", "done": "0", "kind": "question", "odd": "long"}
        page = ana.client.post(address, data={**hidden, **given}).text
        said = re.sub(r"\s+", " ", text_of(page))
        better = "different You Right Reference Left" if left == "first" else "same You Right"
        for words in (better, "different You Open Reference Finished", "different You A question Reference An order"):
            assert words in said
        assert "different You Too long Reference Rude" in said
        form = Forms(page).to("/gate")
        assert form is not None
        page = ana.client.post(form[0], data=form[1]).text
    assert sides == {"first", "second"}
    assert "The same as the reference: 0 of 6." in text_of(page)
    assert len(submissions(sqlite_store, "ana")) == 6


# Bots


def test_bots_pass_every_gate_through_the_real_pages_and_one_that_is_stuck_stops(sqlite_at: Enter) -> None:
    everything_ = (
        SCREENING,
        QUIZ,
        {"practice": {"items": "calibration.csv", "count": 2}},
        calibration(count=6, again=6),
    )
    bench = sqlite_at().bench
    publish(bench, with_gates(*everything_))
    careful, blind = Character("careful", skill=1.0, items=2), Character("blind", skill=0.0, attention=0.0, items=2)
    done = simulate(bench.store, bench.study.study, [careful, blind], seed=5, start=T0)
    assert done == 2, "what is judged at a gate is no work"
    assert {each["source"] for each in submissions(bench.store, "blind")} == {"practice"}
    [waits] = bench.store.read(gates.waiting_annotators, bench.study_id)
    assert (waits.annotator, waits.gate, len(waits.attempts)) == ("blind", "calibration", 2)
