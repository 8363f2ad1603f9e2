from pathlib import Path
from typing import Any

import pytest

from assay.gates import Gate
from assay.simulate import Forms
from assay.store import Backend
from assay.store.coordinator import studies
from assay.store.tables import annotator as annotators
from assay.store.tables import assignment, draft, gate_pass, judgment, submission
from assay.study import Study, load
from assay.words import ENGLISH
from tests.conftest import Bench, make_bench
from tests.pages import SCORES, item_form, pass_gates, text_of
from tests.web.annotator import Annotator, everything, rows, submissions, with_items


@pytest.fixture
def short_bench(store: Backend, tmp_path: Path) -> Bench:
    """A study of three items, so that one comes to its end."""
    return make_bench(store, tmp_path / "study", edit=with_items(3))


@pytest.fixture
def ana(bench: Bench) -> Annotator:
    return Annotator(bench)


@pytest.fixture
def sqlite_ana(sqlite_bench: Bench) -> Annotator:
    return Annotator(sqlite_bench)


def gate_form(page: str) -> tuple[str, dict[str, str]]:
    form = Forms(page).to("/gate")
    assert form is not None, "no gate on this page"
    return form


def acting(study: Study) -> list[Gate]:
    """The gates that stand in the way."""
    return [entry.gate for entry in study.gates]


def publish_new_consent(bench: Bench) -> Study:
    (bench.folder / "guide" / "consent.md").write_text("# Taking part\n\nThe study now lasts a year.\n", "utf-8")
    study = load(bench.folder)
    bench.store.write(studies.publish, study, bench.clock(), even_if_begun=True)
    return study


def test_a_personal_link_leads_through_the_gates_and_every_item_to_the_end(short_bench: Bench) -> None:
    bench = short_bench
    client, link = bench.client(), bench.link()

    landing = client.get(link)
    assert landing.status_code == 200
    assert bench.study.title in text_of(landing.text)
    address, form = Forms(landing.text).forms[0]
    seen = [client.post(address, data=form)]
    assert str(seen[0].url).endswith("/judge/empathy")

    for heading, choice in [
        ("Before you begin", {"choice": "agree"}),
        ("What you will read", {"choice": "continue"}),
        ("Guidelines", {f"read-{number}": "yes" for number in range(7)}),
    ]:
        assert f"<h1>{heading}</h1>" in seen[-1].text
        address, form = gate_form(seen[-1].text)
        seen.append(client.post(address, data={**form, **choice}))

    for number in (1, 2, 3):
        assert f"Item {number} of 3" in text_of(seen[-1].text)
        bench.clock.now += 60_000
        address, form = item_form(seen[-1].text)
        seen.append(client.post(address, data={**form, **SCORES, "active_ms": "60000"}))

    last = " ".join(text_of(seen[-1].text).split())
    for words in ("All done", "items judged 3 of 3", "minutes of work 3", "Thank you.", "What happens next"):
        assert words in last
    assert seen[-1].text.count("Support</h2>") == 1, "under one heading, though the words have their own"
    assert [page.status_code for page in seen] == [200] * 7
    stored = submissions(bench.store, "ana")
    assert len({each["item"] for each in stored}) == 3
    assert [each["answers"] for each in stored] == [{key: int(value) for key, value in SCORES.items()}] * 3


@pytest.mark.parametrize("gate", ["consent", "warning"])
def test_who_leaves_at_a_gate_sees_a_calm_page_and_can_come_back(ana: Annotator, gate: str) -> None:
    page = ana.enter().text
    if gate == "warning":
        address, form = gate_form(page)
        page = ana.client.post(address, data={**form, "choice": "agree"}).text
    heading = page.split("<h1>")[1].split("</h1>")[0]
    address, form = gate_form(page)

    left = ana.client.post(address, data={**form, "choice": "leave"})
    assert left.status_code == 200
    assert "nothing more is asked of you" in text_of(left.text)
    assert "That is fine" in text_of(ana.page()), "a reload shows the same page"
    assert rows(ana.bench.store, annotators)[0]["left_at"] == ana.bench.clock()

    way_back = Forms(left.text).to("/come-back")
    assert way_back is not None
    back = ana.client.post(way_back[0], data=way_back[1])
    assert f"<h1>{heading}</h1>" in back.text, "at the gate where they left"
    assert rows(ana.bench.store, annotators)[0]["left_at"] is None
    assert item_form(pass_gates(ana.client, ana.bench.study))


def test_who_has_left_passes_no_gate_until_they_come_back(sqlite_ana: Annotator) -> None:
    address, form = gate_form(sqlite_ana.enter().text)
    sqlite_ana.client.post(address, data={**form, "choice": "leave"})
    answer = sqlite_ana.client.post(address, data={**form, "choice": "agree"})
    assert "That is fine" in text_of(answer.text)
    assert rows(sqlite_ana.bench.store, gate_pass) == []


def test_a_gate_cannot_be_passed_out_of_order(sqlite_ana: Annotator) -> None:
    consent, warning, reading = acting(sqlite_ana.bench.study)
    address, form = gate_form(sqlite_ana.enter().text)
    for later in (warning, reading):
        page = sqlite_ana.client.post(address, data={**form, "version": later.version, **later.simulate()})
        assert f"<h1>{consent.title(ENGLISH)}</h1>" in page.text
    assert rows(sqlite_ana.bench.store, gate_pass) == []


def test_a_gate_cannot_be_passed_by_the_version_of_another_text(sqlite_ana: Annotator) -> None:
    address, form = gate_form(sqlite_ana.enter().text)
    for version in ("", "0" * 16, sqlite_ana.bench.study.hash):
        page = sqlite_ana.client.post(address, data={**form, "version": version, "choice": "agree"})
        assert "<h1>Before you begin</h1>" in page.text
    assert rows(sqlite_ana.bench.store, gate_pass) == []


def test_a_gate_cannot_be_passed_by_an_empty_form(sqlite_ana: Annotator) -> None:
    page = sqlite_ana.enter().text
    for _ in acting(sqlite_ana.bench.study):
        address, form = gate_form(page)
        before = rows(sqlite_ana.bench.store, gate_pass)
        for nothing in ({}, {"choice": ""}, {"choice": "yes"}, {"read-0": "no"}):
            asked_again = sqlite_ana.client.post(address, data={**form, **nothing})
            assert asked_again.status_code == 422
            assert 'role="alert"' in asked_again.text
            assert gate_form(asked_again.text) == (address, form)
        assert rows(sqlite_ana.bench.store, gate_pass) == before
        gate = next(entry.gate for entry in sqlite_ana.bench.study.gates if entry.gate.version == form["version"])
        page = sqlite_ana.client.post(address, data={**form, **gate.simulate()}).text
    assert item_form(page)


def test_passing_a_gate_twice_is_passing_it_once(ana: Annotator) -> None:
    address, form = gate_form(ana.enter().text)
    for _ in range(2):
        page = ana.client.post(address, data={**form, "choice": "agree"})
        assert "<h1>What you will read</h1>" in page.text
    assert len(rows(ana.bench.store, gate_pass)) == 1


@pytest.mark.parametrize("action", ["submit", "draft"])
def test_nothing_can_be_stored_before_the_gates_are_passed(ana: Annotator, action: str) -> None:
    _, form = gate_form(ana.enter().text)
    before = everything(ana.bench.store)
    for public_id in ("anything", "a" * 22):
        answer = ana.send(
            f"/judge/empathy/{action}/{public_id}",
            {"csrf": form["csrf"], "study": ana.bench.study.hash, "draft": "0", **SCORES},
        )
        assert answer.status_code == 403
    assert everything(ana.bench.store) == before


@pytest.mark.parametrize("action", ["submit", "draft", "decline"])
def test_who_left_over_a_new_consent_text_can_store_nothing_with_an_old_page(ana: Annotator, action: str) -> None:
    address, form = ana.begin().form()
    publish_new_consent(ana.bench)
    gate, gate_fields = gate_form(ana.page())
    ana.client.post(gate, data={**gate_fields, "choice": "leave"})
    before = everything(ana.bench.store)
    address = address.replace("/submit/", "/draft/") if action == "draft" else address
    answer = ana.send(address, {**form, **SCORES, **({"decline": "yes"} if action == "decline" else {})})
    assert answer.status_code == 403
    assert everything(ana.bench.store) == before


def test_a_changed_consent_text_asks_again_and_is_stored_with_later_submissions_only(ana: Annotator) -> None:
    bench = ana.begin().bench
    ana.submit()
    changed = publish_new_consent(bench)
    assert changed.consent != bench.study.consent

    page = ana.page()
    assert "lasts a year" in page
    address, form = gate_form(page)
    assert form["version"] == changed.consent
    page = ana.client.post(address, data={**form, "choice": "agree"}).text
    assert item_form(page), "the other gates have not changed and are not asked again"
    bench.clock.now += 60_000
    ana.submit()

    first, second = submissions(bench.store, "ana")
    assert (first["consent"], first["study_hash"]) == (bench.study.consent, bench.study.hash)
    assert (second["consent"], second["study_hash"]) == (changed.consent, changed.hash)
    assert len(rows(bench.store, gate_pass)) == 4, "the agreement to the old text is kept"


def test_an_item_shown_under_the_old_text_counts_under_it_and_the_next_asks_for_the_new_one(ana: Annotator) -> None:
    address, form = ana.begin().form()
    publish_new_consent(ana.bench)
    after = ana.client.post(address, data={**form, **SCORES})
    assert "lasts a year" in after.text
    [stored] = submissions(ana.bench.store, "ana")
    assert stored["consent"] == ana.bench.study.consent


def test_a_version_that_never_was_in_force_is_refused(ana: Annotator) -> None:
    ana.begin()
    before = everything(ana.bench.store)
    for version in ("", "f" * 64, ana.bench.study.hash[:12]):
        assert ana.submit(study=version).status_code == 409
    assert everything(ana.bench.store) == before


def test_the_same_link_on_another_device_leads_to_the_same_item(sqlite_ana: Annotator) -> None:
    here, _ = sqlite_ana.begin().form()
    there, _ = Annotator(sqlite_ana.bench).begin().form()
    assert here == there
    assert len(rows(sqlite_ana.bench.store, assignment)) == 1


def test_the_support_text_can_be_read_at_any_time_and_the_guidelines_from_their_gate_on(sqlite_ana: Annotator) -> None:
    sqlite_ana.enter()
    assert "How to score" not in text_of(sqlite_ana.client.get("/judge/empathy/guide").text)
    assert sqlite_ana.client.get("/judge/empathy/support").status_code == 200
    sqlite_ana.begin()
    for page, words in (("guide", "How to score"), ("support", "")):
        answer = sqlite_ana.client.get(f"/judge/empathy/{page}")
        assert answer.status_code == 200
        assert words in text_of(answer.text)


def test_two_annotators_finish_a_study_of_two_judgments_an_item(short_bench: Bench) -> None:
    people = [Annotator(short_bench, name).begin() for name in ("ana", "ben")]
    for _ in range(3):
        for person in people:
            short_bench.clock.now += 1000
            assert person.submit().status_code == 200
    assert all("All done" in person.page() for person in people)
    late = Annotator(short_bench, "cleo").begin()
    assert "You are up to date" in late.page(), "every item has its two judgments"
    assert len(rows(short_bench.store, submission)) == 6
    assert len(rows(short_bench.store, judgment)) == 30
    assert rows(short_bench.store, draft) == []


def test_a_fresh_install_says_where_to_go(bench: Bench) -> None:
    client = bench.client()
    answers: list[Any] = [client.get("/"), client.get("/health")]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert "personal link" in answers[0].text
    assert answers[1].text == "ok"
