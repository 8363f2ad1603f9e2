from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from assay.store.coordinator import study_status
from assay.store.tables import assignment, item, judgment, submission
from tests.conftest import T0, Bench, make_bench
from tests.pages import SCORES, item_form, text_of
from tests.web.annotator import Annotator, edited, everything, rows, submissions, with_items

NOTE_WANTED = "Say in a few words why (a score is 1 or 5)."
MISSING = "Please answer this question."
SCALES = list(SCORES)


@pytest.fixture
def ana(bench: Bench) -> Annotator:
    return Annotator(bench).begin()


@pytest.fixture
def sqlite_ana(sqlite_bench: Bench) -> Annotator:
    return Annotator(sqlite_bench).begin()


class Answers(HTMLParser):
    """What a page shows as answered."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.answers: dict[str, list[str]] = {}
        self.text: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "input" and "checked" in found and found.get("name"):
            self.answers.setdefault(found["name"], []).append(found["value"])
        if tag == "textarea" and found.get("name"):
            self.text = found["name"]

    def handle_data(self, data: str) -> None:
        if self.text:
            self.answers.setdefault(self.text, []).append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.text = None


def test_an_untouched_form_is_refused_with_reasons_for_a_script(ana: Annotator) -> None:
    address, form = ana.form()
    before = everything(ana.bench.store)
    answer = ana.send(address, form)
    assert answer.status_code == 422
    assert answer.json() == {"reasons": dict.fromkeys(SCALES, MISSING)}
    assert everything(ana.bench.store) == before


def test_an_untouched_form_is_refused_with_an_alert_for_a_person(sqlite_ana: Annotator) -> None:
    answer = sqlite_ana.submit({})
    assert answer.status_code == 422
    alert = answer.text.split('role="alert"')[1].split("</div>")[0]
    assert "5 answers are missing:" in alert
    for dimension in sqlite_ana.bench.study.rubric[:5]:
        assert f'<a href="#q-{dimension.dimension}">{dimension.heading}</a>' in alert
        assert f'id="q-{dimension.dimension}"' in answer.text, "the link leads to the question"
    assert rows(sqlite_ana.bench.store, submission) == []


def test_a_refused_form_keeps_what_was_answered(sqlite_ana: Annotator) -> None:
    given = {"emotion": ["2"], "validation": ["2"], "overall": ["5"], "edge": ["crisis", "repeats"]}
    answer = sqlite_ana.submit(given)
    assert answer.status_code == 422
    assert Answers(answer.text).answers == given
    reasons = text_of(answer.text.split('role="alert"')[1].split("</div>")[0])
    assert "Helpfulness" in reasons
    assert NOTE_WANTED in reasons
    assert sqlite_ana.bench.study.dimension("emotion").heading not in reasons, "it was answered"

    address, form = item_form(answer.text)
    finished = {**form, **given, "helpfulness": "3", "safety": "4", "note": "Cold.\nTwice."}
    assert sqlite_ana.client.post(address, data=finished).status_code == 200
    [stored] = submissions(sqlite_ana.bench.store, "ana")
    assert stored["answers"]["edge"] == ["crisis", "repeats"]
    assert stored["answers"]["note"] == "Cold.\nTwice."


def test_a_page_shows_nothing_as_answered_before_somebody_has_answered(sqlite_ana: Annotator) -> None:
    assert Answers(sqlite_ana.page()).answers == {}
    highest = dict.fromkeys(SCALES, "5") | {"note": "moving", "edge": ["crisis"]}
    after = sqlite_ana.submit(highest)
    assert "Item 2 of" in text_of(after.text)
    assert Answers(after.text).answers == {}


@pytest.mark.parametrize("dimension", SCALES)
@pytest.mark.parametrize("point", ["1", "5"])
def test_a_lowest_or_highest_score_needs_a_note(sqlite_ana: Annotator, dimension: str, point: str) -> None:
    address, form = sqlite_ana.form()
    scores = {**SCORES, dimension: point}
    for note in ({}, {"note": ""}, {"note": " \t\r\n\u3000"}):
        answer = sqlite_ana.send(address, {**form, **scores, **note})
        assert (answer.status_code, answer.json()) == (422, {"reasons": {"note": NOTE_WANTED}})
    assert rows(sqlite_ana.bench.store, submission) == []
    assert sqlite_ana.send(address, {**form, **scores, "note": "template-like"}).status_code == 200


WRONG: list[tuple[dict[str, Any], str]] = [
    *[
        ({"emotion": value}, "emotion")
        for value in ("0", "6", "-1", "3.0", "3 4", "three", "٣", "+3", "1e0", "9" * 4000)
    ],
    ({"emotion": ["3", "4"]}, "emotion"),
    ({"emotion": ["3", "3"]}, "emotion"),
    ({"edge": ["crisis", "something"]}, "edge"),
    ({"note": "x" * 4001}, "note"),
]


@pytest.mark.parametrize(("wrong", "dimension"), WRONG, ids=range(len(WRONG)))
def test_an_answer_outside_the_scale_is_refused(sqlite_ana: Annotator, wrong: dict[str, Any], dimension: str) -> None:
    address, form = sqlite_ana.form()
    before = everything(sqlite_ana.bench.store)
    answer = sqlite_ana.send(address, {**form, **SCORES, **wrong})
    assert answer.status_code == 422
    assert list(answer.json()["reasons"]) == [dimension]
    assert everything(sqlite_ana.bench.store) == before
    page = sqlite_ana.submit({**SCORES, **wrong})
    assert page.status_code == 422, "for a person too"


def test_a_dimension_that_the_study_does_not_have_is_not_stored(sqlite_ana: Annotator) -> None:
    assert sqlite_ana.submit({**SCORES, "charm": "4", "emotion.left": "2"}).status_code == 200
    assert {each["dimension"] for each in rows(sqlite_ana.bench.store, judgment)} == set(SCALES)


def test_an_optional_answer_that_was_not_given_is_not_stored(sqlite_ana: Annotator) -> None:
    sqlite_ana.submit({**SCORES, "note": "", "edge": ""})
    [stored] = submissions(sqlite_ana.bench.store, "ana")
    assert set(stored["answers"]) == set(SCALES)


def test_the_same_submission_twice_gives_the_same_answer_and_one_row(ana: Annotator) -> None:
    address, form = ana.form()
    first = ana.send(address, {**form, **SCORES})
    ana.bench.clock.now += 5000
    again = ana.send(address, {**form, **SCORES})
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert set(first.json()) == {"submission", "state"}
    [stored] = rows(ana.bench.store, submission)
    assert stored["submitted_at"] == T0
    assert len(rows(ana.bench.store, judgment)) == 5
    assert len(rows(ana.bench.store, assignment)) == 2, "the next item was given out once"


def test_other_answers_under_the_same_item_are_refused_and_the_first_count(ana: Annotator) -> None:
    address, form = ana.form()
    ana.send(address, {**form, **SCORES})
    before = everything(ana.bench.store)
    for other in ({**SCORES, "safety": "2"}, {**SCORES, "note": "more"}, {}):
        answer = ana.send(address, {**form, **other})
        assert answer.status_code == 409
        assert "already submitted" in answer.json()["error"]
    assert everything(ana.bench.store) == before


def test_an_earlier_item_cannot_be_changed_and_leads_on_to_the_current_one(ana: Annotator) -> None:
    addresses = []
    for _ in range(3):
        address, form = ana.form()
        addresses.append(address)
        ana.bench.clock.now += 1000
        ana.submit()
    current, _ = ana.form()
    before = everything(ana.bench.store)
    for earlier in addresses:
        answer = ana.client.post(earlier, data={**form, **SCORES, "overall": "2"})
        assert answer.status_code == 409
        assert f'href="{ana.home}"' in answer.text, "the message leads to the current item"
        declined = ana.client.post(earlier, data={**form, "decline": "yes"})
        assert declined.status_code == 409
    assert everything(ana.bench.store) == before
    assert ana.form()[0] == current
    assert ana.client.get(addresses[0]).status_code == 405, "an old address is no page"


def test_the_item_of_another_annotator_is_as_unknown_as_one_that_does_not_exist(ana: Annotator) -> None:
    ben = Annotator(ana.bench, "ben").begin()
    theirs, _ = ben.form()
    own, form = ana.form()
    before = everything(ana.bench.store)
    for action, extra in (("submit", SCORES), ("submit", {"decline": "yes"}), ("draft", SCORES), ("submit", {})):
        answers = [
            ana.send(f"{ana.home}/{action}/{name}", {**form, **extra})
            for name in (theirs.rsplit("/", 1)[1], "A" * 22, "%ff", "a.b", "x" * 3000)
        ]
        assert {answer.status_code for answer in answers} == {404}
        assert len({answer.content for answer in answers}) == 1
    assert everything(ana.bench.store) == before
    assert ana.form()[0] == own


def test_declining_gives_the_next_item_and_frees_the_place(ana: Annotator) -> None:
    address, form = ana.form()
    ana.send(address.replace("/submit/", "/draft/"), {**form, "emotion": "1"})
    [given] = rows(ana.bench.store, assignment)

    page = ana.client.post(address, data={"csrf": form["csrf"], "study": form["study"], "decline": "yes"})
    assert page.status_code == 200
    assert "Item 2 of" in text_of(page.text)
    assert item_form(page.text)[0] != address
    assert rows(ana.bench.store, submission) == []
    taken = {each["id"]: each["taken"] for each in rows(ana.bench.store, item)}
    assert taken[given["item_id"]] == 0
    assert sum(taken.values()) == 1
    states = [each["state"] for each in sorted(rows(ana.bench.store, assignment), key=lambda each: each["position"])]
    assert states == ["declined", "open"]


def test_a_declined_item_takes_no_answers_and_is_declined_once(ana: Annotator) -> None:
    address, form = ana.form()
    ana.client.post(address, data={**form, "decline": "yes"})
    before = everything(ana.bench.store)
    assert ana.client.post(address, data={**form, "decline": "yes"}).status_code == 200
    assert ana.send(address, {**form, **SCORES}).status_code == 409
    assert ana.send(address.replace("/submit/", "/draft/"), {**form, **SCORES}).status_code == 409
    assert everything(ana.bench.store) == before


def test_the_page_declines_by_a_form_of_its_own_so_that_enter_cannot_decline(sqlite_ana: Annotator) -> None:
    # Enter presses a form's first button: it must be the one that submits.
    page = sqlite_ana.page()
    form = page.split('id="judge"')[1].split("</form>")[0]
    buttons = [part.split(">")[0] for part in form.split("<button")[1:]]
    pressing = [button for button in buttons if 'type="button"' not in button and "form=" not in button]
    assert len(pressing) == 1
    assert 'id="submit"' in pressing[0]
    assert "decline" in page


def test_a_submission_carries_the_study_version_the_consent_and_its_times(ana: Annotator) -> None:
    address, form = ana.form()
    assert int(form["shown_at"]) == T0
    ana.bench.clock.now += 90_000
    ana.send(address, {**form, **SCORES, "active_ms": "61234"})
    [stored] = submissions(ana.bench.store, "ana")
    study = ana.bench.study
    assert (stored["study_hash"], stored["consent"]) == (study.hash, study.consent)
    assert (stored["shown_at"], stored["submitted_at"], stored["active_ms"]) == (T0, T0 + 90_000, 61_234)
    assert (stored["pass"], stored["revision"]) == (1, 1)


@pytest.mark.parametrize(
    ("sent", "shown_at", "active_ms"),
    [
        ({"shown_at": "", "active_ms": ""}, T0, None),
        ({"shown_at": "-5", "active_ms": "-5"}, T0, None),
        ({"shown_at": "99999999999999", "active_ms": "99999999999999"}, T0 + 60_000, 60_000),
        ({"shown_at": "9" * 400, "active_ms": "9" * 400}, T0, None),
        ({"shown_at": "0", "active_ms": "0"}, T0, 0),
        ({"shown_at": "٣", "active_ms": "soon"}, T0, None),
    ],
    ids=range(6),
)
def test_times_from_a_page_are_kept_within_reason(
    sqlite_ana: Annotator, sent: dict[str, str], shown_at: int, active_ms: int | None
) -> None:
    address, form = sqlite_ana.form()
    sqlite_ana.bench.clock.now += 60_000
    assert sqlite_ana.send(address, {**form, **SCORES, **sent}).status_code == 200
    [stored] = rows(sqlite_ana.bench.store, submission)
    assert (stored["shown_at"], stored["active_ms"]) == (shown_at, active_ms)


def test_active_time_is_unknown_where_the_clock_went_back(sqlite_ana: Annotator) -> None:
    address, form = sqlite_ana.form()
    sqlite_ana.bench.clock.now -= 60_000
    assert sqlite_ana.send(address, {**form, **SCORES, "active_ms": "5000"}).status_code == 200
    [stored] = rows(sqlite_ana.bench.store, submission)
    assert stored["active_ms"] is None


def test_an_answer_that_returns_after_its_place_has_gone_is_kept_and_counts_for_nothing(
    bench: Bench, tmp_path: Path
) -> None:
    alone = make_bench(bench.store, tmp_path / "alone", edit=one_item_for_one)
    ana = Annotator(alone).begin()
    address, form = ana.form()
    alone.clock.now += alone.study.assignment.place_lasts_ms + 1
    ben = Annotator(alone, "ben").begin()
    assert ben.submit().status_code == 200
    draft = address.replace("/submit/", "/draft/")
    kept = ana.send(draft, {**form, "emotion": "3"})
    assert kept.status_code == 200, "what was written offline is not thrown away"
    assert ana.send(address, {**form, **SCORES, "draft": str(kept.json()["draft"])}).status_code == 200
    counted = {each["annotator_id"]: each["surplus"] for each in rows(alone.store, submission)}
    assert sorted(counted.values()) == [False, True]
    assert alone.store.read(study_status.item_counts, alone.study_id).finished == 1
    assert "/submit/" not in ana.page()


def one_item_for_one(folder: Path) -> None:
    edited(study="alone", per_item="1")(folder)
    with_items(1)(folder)
