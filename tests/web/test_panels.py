"""People whom a panel sends: they come by its address, come back to their place, and go back with a code."""

import hashlib
import hmac
import json
import re
from base64 import urlsafe_b64encode
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from assay import acts
from assay.acts.arrivals import keep_panel_setup
from assay.live.pay_list import pay_list
from assay.panels.setup import PanelSetup
from assay.store.annotator.arrivals import MINUTE
from assay.store.coordinator import links
from assay.store.coordinator.record import By
from assay.store.tables import action, annotator, arrival, judgment, link
from tests import pages
from tests.conftest import T0, Bench, make_bench
from tests.pages import Forms
from tests.web.annotator import everything, rows

ANA = {"PROLIFIC_PID": "ana-of-the-panel", "STUDY_ID": "survey-1", "SESSION_ID": "session-of-ana"}
BEN = {"PROLIFIC_PID": "ben-of-the-panel", "STUDY_ID": "survey-1", "SESSION_ID": "session-of-ben"}
CODES = {
    outcome: {"code": f"CODE-{outcome}", "address": "https://panel.example/done?cc={code}&who={person}"}
    for outcome in ("finished", "screened_out", "failed_gate", "over_quota", "timed_out", "withdrew", "no_consent")
}
HOME = "/judge/strangers"


SCREENING = """- screening: {questions: [{ask: Are you 18?, options: {"yes": "Yes", "no": "No"}, go_on: ["yes"]}]}
"""


def with_panel(
    bench: Bench, folder: Path, plan: str = "panel: prolific, at_most: 2", more: str = "", first_gates: str = ""
) -> Bench:
    def edit(where: Path) -> None:
        file = where / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy", "study: strangers")
        text = re.sub("^gates:.*\n", lambda found: found[0] + first_gates, text, flags=re.M)
        file.write_text(text.replace("assignment:\n", f"{more}assignment:\n  enrol: {{{plan}}}\n", 1), "utf-8")

    made = make_bench(bench.store, folder / "strangers", edit=edit)
    setup = PanelSetup.model_validate_json(json.dumps({**CODES, "key": "a key of the panel's"}))
    made.store.write(keep_panel_setup, By(made.study_id, "cora", T0), setup)
    return made


@pytest.fixture
def sent(bench: Bench, tmp_path: Path) -> Bench:
    return with_panel(bench, tmp_path)


def link_of(bench: Bench) -> str:
    return f"/join/{bench.store.write(partial(links.add, enrols=True), bench.study_id, None, T0)}"


def open_address(client: TestClient, where: str, parameters: dict[str, str]) -> Any:
    return client.get(f"{where}?{urlencode(parameters)}" if parameters else where)


def arrive(bench: Bench, where: str, parameters: dict[str, str], client: TestClient | None = None) -> tuple[Any, Any]:
    client = client or bench.client()
    form = Forms(open_address(client, where, parameters).text).to("/join")
    assert form is not None, "the page has its button"
    return client, client.post(form[0], data=form[1])


def people(bench: Bench) -> list[dict[str, Any]]:
    return [row for row in rows(bench.store, annotator) if row["study_id"] == bench.study_id]


def test_the_address_says_who_comes_and_is_bare_before_anything_is_shown(sent: Bench) -> None:
    client, where = sent.client(), link_of(sent)
    before = everything(sent.store)
    page = open_address(client, where, ANA)
    assert str(page.url.path) == where
    assert not page.url.query
    assert "ana-of-the-panel" not in page.text
    assert 'name="id"' not in page.text, "nobody types an id"
    assert everything(sent.store) == before, "looking uses nothing up"
    _, answer = arrive(sent, where, ANA, client)
    assert answer.url.path == HOME
    assert "/gate" in answer.text
    [row] = [each for each in rows(sent.store, arrival) if each["study_id"] == sent.study_id]
    assert (row["person"], row["session"], row["survey"]) == ("ana-of-the-panel", "session-of-ana", "survey-1")


def test_the_panels_id_is_apart_from_everything_else(sent: Bench) -> None:
    arrive(sent, link_of(sent), ANA)
    kept = everything(sent.store)
    kept.pop("arrival")
    assert "ana-of-the-panel" not in repr(kept)
    assert "session-of-ana" not in repr(kept)
    [who] = people(sent)
    assert re.fullmatch("p-[a-z2-9]{6}", who["name"])


def test_coming_back_leads_to_ones_place_on_the_same_device_and_by_the_session_on_another(sent: Bench) -> None:
    where = link_of(sent)
    client, _ = arrive(sent, where, ANA)
    pages.pass_gates(client, sent.study)
    _, again = arrive(sent, where, {**ANA, "SESSION_ID": "a-later-session"}, client)
    assert "/submit" in again.text, "their device is known, whatever the session is"
    _, elsewhere = arrive(sent, where, {**ANA, "SESSION_ID": "a-later-session"})
    assert "/submit" in elsewhere.text
    assert len(people(sent)) == 1


def test_an_id_that_belongs_to_somebody_else_cannot_be_taken_over(sent: Bench) -> None:
    where = link_of(sent)
    arrive(sent, where, ANA)
    before = everything(sent.store)
    for guess in ({**ANA, "SESSION_ID": "guessed"}, {"PROLIFIC_PID": ANA["PROLIFIC_PID"]}):
        client, answer = arrive(sent, where, guess)
        assert answer.status_code == 409
        assert "another device" in answer.text
        assert client.get(HOME).status_code == 401
    assert everything(sent.store) == before


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"SESSION_ID": "x"},
        {"PROLIFIC_PID": ""},
        {"PROLIFIC_PID": "a b"},
        {"PROLIFIC_PID": "x" * 65},
        {"PROLIFIC_PID": "<script>"},
        {"PROLIFIC_PID": "ana", "SESSION_ID": "../.."},
        {f"p{number}": "1" for number in range(40)},
    ],
)
def test_an_address_that_names_nobody_is_refused_and_says_what_to_do(sent: Bench, parameters: dict[str, str]) -> None:
    answer = open_address(sent.client(), link_of(sent), parameters)
    assert answer.status_code == 422
    assert "the link that your panel gave you" in answer.text
    assert people(sent) == []


def test_over_quota_is_said_before_anything_is_asked_with_its_code(sent: Bench) -> None:
    where = link_of(sent)
    for who in (ANA, BEN):
        arrive(sent, where, who)
    late = open_address(sent.client(), where, {"PROLIFIC_PID": "cleo", "SESSION_ID": "s"})
    assert late.status_code == 409
    assert "CODE-over_quota" in late.text
    assert "https://panel.example/done?cc=CODE-over_quota&amp;who=cleo" in late.text
    assert len(people(sent)) == 2
    assert open_address(sent.client(), where, ANA).status_code == 200, "whoever is in comes back"


def test_while_enrolment_is_stopped_new_people_get_the_code_for_over_quota_and_others_come_back(sent: Bench) -> None:
    where = link_of(sent)
    ana, _ = arrive(sent, where, ANA)
    looking = sent.client()
    form = Forms(open_address(looking, where, BEN).text).to("/join")
    assert form is not None
    sent.store.write(acts.set_enrolment, By(sent.study_id, "cora", T0, "a script comes"), "stopped")
    for refused in (looking.post(form[0], data=form[1]), open_address(sent.client(), where, BEN)):
        assert refused.status_code == 409
        assert "Nobody new can take part" in refused.text
        assert "CODE-over_quota" in refused.text
    _, again = arrive(sent, where, ANA, ana)
    assert again.url.path == HOME
    assert len(people(sent)) == 1


def test_of_many_who_press_the_button_at_once_no_more_get_in_than_there_are_places(sent: Bench) -> None:
    where = link_of(sent)
    looking = [sent.client() for _ in range(4)]
    forms = [
        Forms(open_address(client, where, {"PROLIFIC_PID": f"p{n}", "SESSION_ID": f"s{n}"}).text).to("/join")
        for n, client in enumerate(looking)
    ]
    answers = [client.post(form[0], data=form[1]) for client, form in zip(looking, forms, strict=True) if form]
    assert [answer.status_code for answer in answers] == [200, 200, 409, 409]
    assert "CODE-over_quota" in answers[2].text


def test_a_place_lapses_without_a_gate_passed_and_goes_to_another(sent: Bench) -> None:
    where = link_of(sent)
    ana, _ = arrive(sent, where, ANA)
    ben, _ = arrive(sent, where, BEN)
    pages.pass_gates(ben, sent.study)
    sent.clock.now += 16 * MINUTE
    arrive(sent, where, {"PROLIFIC_PID": "cleo", "SESSION_ID": "s"})
    late = ana.get(HOME)
    assert "CODE-timed_out" in late.text
    assert "/submit" in ben.get(HOME).text, "whoever has begun keeps their place"
    assert {row["outcome"] for row in rows(sent.store, arrival)} == {"", "timed_out"}
    _, again = arrive(sent, where, ANA, ana)
    assert again.status_code == 409
    assert "CODE-over_quota" in again.text, "there is no place left for whoever was late"


def test_a_place_lapses_without_consent_whatever_else_was_passed(bench: Bench, tmp_path: Path) -> None:
    sent = with_panel(bench, tmp_path, "panel: prolific, at_most: 1", first_gates=SCREENING)
    where = link_of(sent)
    ana, _ = arrive(sent, where, ANA)
    form = Forms(ana.get(HOME).text).to("/gate")
    assert form is not None
    assert "screening" not in ana.post(form[0], data={**form[1], "q-0": "yes"}).text, "the text about consent is next"
    sent.clock.now += 14 * MINUTE
    early = open_address(sent.client(), where, BEN)
    assert "CODE-over_quota" in early.text, "hers for as long as the study gives"
    sent.clock.now += 2 * MINUTE
    ben, in_time = arrive(sent, where, BEN)
    assert "/gate" in in_time.text
    assert "CODE-timed_out" in ana.get(HOME).text
    pages.pass_gates(ben, sent.study)
    sent.clock.now += 16 * MINUTE
    assert "/submit" in ben.get(HOME).text, "whoever has agreed keeps their place"


def test_whoever_was_late_gets_a_free_place_again(bench: Bench, tmp_path: Path) -> None:
    sent = with_panel(bench, tmp_path)
    where = link_of(sent)
    ana, _ = arrive(sent, where, ANA)
    sent.clock.now += 16 * MINUTE
    assert "CODE-timed_out" in ana.get(HOME).text, "by the study's own clock, on their own page"
    _, again = arrive(sent, where, ANA, ana)
    assert "/gate" in again.text
    assert [row["outcome"] for row in rows(sent.store, arrival)] == [""]


def test_the_greatest_time_ends_work_that_was_begun(bench: Bench, tmp_path: Path) -> None:
    sent = with_panel(bench, tmp_path, "panel: prolific, most_minutes: 60")
    ana, _ = arrive(sent, link_of(sent), ANA)
    pages.pass_gates(ana, sent.study)
    sent.clock.now += 59 * MINUTE
    assert "/submit" in ana.get(HOME).text
    sent.clock.now += 2 * MINUTE
    assert "CODE-timed_out" in ana.get(HOME).text


@pytest.mark.parametrize(
    ("language", "told", "sittings"),
    [("en", "60 minutes in all", "as many sittings"), ("de", "insgesamt 60 Minuten", "Sitzungen")],
)
def test_the_greatest_time_is_told_before_anybody_begins(
    bench: Bench, tmp_path: Path, language: str, told: str, sittings: str
) -> None:
    more = "" if language == "en" else f"language: {language}\n"
    sent = with_panel(bench, tmp_path, "panel: prolific, most_minutes: 60", more)
    shown = pages.text_of(open_address(sent.client(), link_of(sent), ANA).text)
    assert told in shown
    assert sittings not in shown, "a sitting is all there is time for"


def test_whoever_does_not_agree_and_whoever_stops_gets_their_own_code(sent: Bench) -> None:
    where = link_of(sent)
    ana, _ = arrive(sent, where, ANA)
    csrf = next(form["csrf"] for _, form in Forms(ana.get(HOME).text).forms if "csrf" in form)
    assert "CODE-no_consent" in ana.post(f"{HOME}/leave", data={"csrf": csrf}).text
    ben, _ = arrive(sent, where, BEN)
    pages.pass_gates(ben, sent.study)
    csrf = next(form["csrf"] for _, form in Forms(ben.get(HOME).text).forms if "csrf" in form)
    assert "CODE-withdrew" in ben.post(f"{HOME}/leave", data={"csrf": csrf}).text
    csrf = next(form["csrf"] for _, form in Forms(ben.get(HOME).text).forms if "csrf" in form)
    assert "/submit" in ben.post(f"{HOME}/come-back", data={"csrf": csrf}).text
    ben.get(HOME)
    assert {row["outcome"] for row in rows(sent.store, arrival)} == {"no_consent", ""}


def test_whoever_has_judged_everything_gets_the_code_and_the_way_back(sent: Bench) -> None:
    ana, _ = arrive(sent, link_of(sent), ANA)
    pages.pass_gates(ana, sent.study)
    while "/submit" in (page := ana.get(HOME).text):
        assert "CODE" not in page
        address, hidden = pages.item_form(page)
        ana.post(address, data={**hidden, **pages.SCORES})
    assert "CODE-finished" in page
    assert "https://panel.example/done?cc=CODE-finished&amp;who=ana-of-the-panel" in page
    assert [row["outcome"] for row in rows(sent.store, arrival)] == ["finished"]
    assert rows(sent.store, judgment)


def pseudonym_of(bench: Bench, person: str) -> str:
    [row] = [each for each in rows(bench.store, arrival) if each["person"] == person]
    return next(str(each["name"]) for each in people(bench) if each["id"] == row["annotator_id"])


def submit_one(client: TestClient) -> None:
    address, hidden = pages.item_form(client.get(HOME).text)
    assert client.post(address, data={**hidden, **pages.SCORES}).status_code == 200


def test_whoever_is_released_gets_the_code_for_what_they_did_or_for_no_place(sent: Bench) -> None:
    where, by = link_of(sent), By(sent.study_id, "cora", T0, "enough")
    ana, _ = arrive(sent, where, ANA)
    pages.pass_gates(ana, sent.study)
    submit_one(ana)
    ben, _ = arrive(sent, where, BEN)
    for person in (ANA, BEN):
        sent.store.write(acts.release, by, pseudonym_of(sent, person["PROLIFIC_PID"]))
    assert "CODE-finished" in ana.get(HOME).text
    assert "CODE-over_quota" in ben.get(HOME).text
    assert {row["outcome"] for row in rows(sent.store, arrival)} == {"finished", "over_quota"}


def test_whoever_is_at_a_gate_when_the_study_closes_gets_the_code_for_no_place(sent: Bench) -> None:
    where = link_of(sent)
    ana, _ = arrive(sent, where, ANA)
    by = By(sent.study_id, "cora", T0, "done")
    sent.store.write(acts.set_study_state, by, "paused")
    assert "CODE-" not in ana.get(HOME).text, "it may go on"
    sent.store.write(acts.set_study_state, by, "closed")
    assert "CODE-over_quota" in ana.get(HOME).text
    sent.store.write(acts.set_study_state, by, "open")
    _, again = arrive(sent, where, ANA, ana)
    assert "/gate" in again.text
    assert [row["outcome"] for row in rows(sent.store, arrival)] == [""], "opened again it goes on"


def test_the_list_for_paying_says_who_did_what_and_what_an_hour_brings(bench: Bench, tmp_path: Path) -> None:
    sent = with_panel(bench, tmp_path, more="pay: {per_item: 0.5, floor: 12, currency: EUR}\n")
    where = link_of(sent)
    before = pay_list(sent.store, sent.study_id, sent.study, T0)
    assert before.rows == []
    assert before.expected_per_hour is not None
    ana, _ = arrive(sent, where, ANA)
    ben, _ = arrive(sent, where, BEN)
    csrf = next(form["csrf"] for _, form in Forms(ben.get(HOME).text).forms if "csrf" in form)
    ben.post(f"{HOME}/leave", data={"csrf": csrf})
    pages.pass_gates(ana, sent.study)
    for _ in range(2):
        address, hidden = pages.item_form(ana.get(HOME).text)
        sent.clock.now += 5 * MINUTE
        ana.post(address, data={**hidden, **pages.SCORES, "active_ms": str(3 * MINUTE)})
    found = pay_list(sent.store, sent.study_id, sent.study, sent.clock.now)
    of_ana, of_ben = (next(row for row in found.rows if row.person.said.person == who) for who in people_of(ANA, BEN))  # type: ignore[union-attr]
    assert (of_ana.decision, of_ana.items, of_ana.minutes, of_ana.amount) == ("wait", 2, 6.0, 1.0)
    assert (of_ben.decision, of_ben.outcome, of_ben.code) == ("none", "no_consent", "CODE-no_consent")
    assert found.hour.rate_at(0.5) == pytest.approx(10.0), "one EUR in six minutes"
    assert found.hour.is_below_floor
    assert "below the floor" in " ".join(found.hour.sentences())
    cora = sent.client()
    pages.enter(cora, sent.coordinator_link())
    dashboard = cora.get("/coordinate/strangers").text
    assert (
        "An hour of work brings 10.00 EUR (median), 10.00 EUR (10th percentile); the floor is 12.00 EUR." in dashboard
    )
    assert '<p class="alert">This is below the floor' in dashboard
    assert found.hour.places() == pytest.approx({"tenth": 75.76, "median": 75.76, "floor": 90.91}, abs=0.01)
    assert '<line class="floor" x1="90.9"' in dashboard
    assert "ana-of-the-panel" in repr(found.as_json())
    assert "ana-of-the-panel" not in repr(found.as_json(with_ids=False))


def people_of(*arrivals: dict[str, str]) -> list[str]:
    return [each["PROLIFIC_PID"] for each in arrivals]


def test_a_viewer_sees_no_ids_of_a_panel_and_no_codes(sent: Bench) -> None:
    ana, _ = arrive(sent, link_of(sent), ANA)
    csrf = next(form["csrf"] for _, form in Forms(ana.get(HOME).text).forms if "csrf" in form)
    ana.post(f"{HOME}/leave", data={"csrf": csrf})
    shown = {}
    for role in ("coordinator", "viewer"):
        token = sent.store.write(partial(links.add, reads_only=role == "viewer"), sent.study_id, None, T0)
        client = sent.client()
        client.post("/join", data={"token": token})
        shown[role] = "".join(client.get(f"/coordinate/strangers/{page}").text for page in ("pay", "pay.csv"))
    assert "ana-of-the-panel" in shown["coordinator"]
    assert "CODE-no_consent" in shown["coordinator"]
    assert "ana-of-the-panel" not in shown["viewer"]
    assert "CODE" not in shown["viewer"]
    assert "no consent" in shown["viewer"]


def signed(way: str, said: dict[str, str], key: str) -> str:
    digest = partial(hmac.new, key.encode(), digestmod=hashlib.sha256)
    if way == "hmac":
        said = {name: said[name] for name in ("PROLIFIC_PID", "SESSION_ID", "STUDY_ID")}
        return digest(msg="&".join(f"{name}={value}" for name, value in said.items()).encode()).hexdigest()
    head, body = (urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=") for each in ({"alg": "HS256"}, said))
    return b".".join([head, body, urlsafe_b64encode(digest(msg=head + b"." + body).digest()).rstrip(b"=")]).decode()


@pytest.mark.parametrize("way", ["hmac", "jwt"])
def test_a_signed_address_lets_one_in_on_any_device_and_a_forged_one_does_not(
    bench: Bench, tmp_path: Path, way: str
) -> None:
    plan = f"panel: {{prolific: {{signature: {{kind: {way}, parameter: proof}}}}}}"
    sent = with_panel(bench, tmp_path, plan)
    where = link_of(sent)
    arrive(sent, where, {**ANA, "proof": signed(way, ANA, "a key of the panel's")})
    new = {"PROLIFIC_PID": ANA["PROLIFIC_PID"], "SESSION_ID": "new", "STUDY_ID": "survey-1"}
    for key, status in (("another key, guessed", 409), ("a key of the panel's", 200)):
        _, answer = arrive(sent, where, {**new, "proof": signed(way, new, key)})
        assert answer.status_code == status
    proof = signed(way, new, "a key of the panel's")
    _, answer = arrive(sent, where, {**new, "SESSION_ID": "other", "proof": proof})
    assert answer.status_code == 409, "a signature holds for what it was made of"


def test_an_id_that_nobody_has_used_cannot_be_taken_without_the_panels_signature(bench: Bench, tmp_path: Path) -> None:
    sent = with_panel(bench, tmp_path, "panel: {prolific: {signature: {kind: hmac, parameter: proof}}}")
    where = link_of(sent)
    for proof in ({}, {"proof": signed("hmac", ANA, "another key, guessed")}):
        page = sent.client().get(f"{where}?{urlencode({**ANA, **proof})}")
        assert page.status_code == 422
        assert "signature of your panel" in page.text
        assert Forms(page.text).to("/join") is None
    assert not rows(sent.store, annotator)
    _, answer = arrive(sent, where, {**ANA, "proof": signed("hmac", ANA, "a key of the panel's")})
    assert answer.status_code == 200


def test_the_record_says_that_codes_were_set_and_not_which(sent: Bench) -> None:
    said = [row for row in rows(sent.store, action) if row["what"] == "panel"]
    assert len(said) == 1
    assert "CODE" not in repr(said)
    assert [row for row in rows(sent.store, link) if "CODE" in repr(row)] == []


def test_the_code_comes_after_the_questions_at_the_end(bench: Bench, tmp_path: Path) -> None:
    asked = "at_end: {questions: [{question: feedback, yes_no: {}}]}\n"
    made = with_panel(bench, tmp_path, more=asked)
    client, _ = arrive(made, link_of(made), ANA)
    page = pages.pass_gates(client, made.study)
    while (form := Forms(page).to("/submit/")) is not None:
        page = client.post(form[0], data={**form[1], **pages.SCORES}).text
    assert "Some questions at the end" in page
    assert "CODE-" not in page
    address, hidden = Forms(page).to("/gate") or ("", {})
    assert client.post(address, data=hidden).status_code == 422
    assert "CODE-" not in client.get(HOME).text
    assert "CODE-finished" in client.post(address, data={**hidden, "about-feedback": "1"}).text
