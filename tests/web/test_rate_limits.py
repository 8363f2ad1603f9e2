"""Strangers who ask too often have to wait; whoever works does not, and a hundred people behind one address begin."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from assay.store.coordinator import links
from assay.store.tables import action, assignment
from assay.web import create_app
from assay.web.rate_limits import MOST_KEPT, Limit, RateLimits, address_of
from tests import pages
from tests.conftest import T0, Bench, make_bench
from tests.pages import Forms
from tests.servers import assay
from tests.straight_client import StraightClient
from tests.web.annotator import SCRIPT, Annotator, edited, rows
from tests.web.scripts import Script


def open_study(bench: Bench, folder: Path, plan: str = "{}") -> Bench:
    """A study that anybody can enrol in, on a server with the limits of every other."""

    def edit(where: Path) -> None:
        edited(study="open")(where)
        file = where / "study.yaml"
        text = file.read_text("utf-8").replace("assignment:\n", f"assignment:\n  enrol: {plan}\n", 1)
        file.write_text(text, "utf-8")

    made = make_bench(bench.store, folder / "open", edit=edit)
    made.app = create_app(made.store, made.clock)
    return made


def link_of(bench: Bench) -> str:
    return f"/join/{bench.store.write(partial(links.add, enrols=True), bench.study_id, None, T0)}"


def enrol(bench: Bench, link: str, name: str, host: str = "10.0.0.1") -> Any:
    client = StraightClient(bench.app, client=(host, 1234))
    form = Forms(client.get(link).text).to("/join")
    assert form is not None
    return client.post(form[0], data={**form[1], "id": name})


@pytest.fixture
def opened(bench: Bench, tmp_path: Path) -> Bench:
    return open_study(bench, tmp_path)


def test_a_hundred_people_behind_one_address_begin_within_a_minute_and_a_script_is_stopped(opened: Bench) -> None:
    link = link_of(opened)
    answers = [enrol(opened, link, f"p{number}") for number in range(125)]
    assert {answer.status_code for answer in answers[:100]} == {200}
    refused = answers[-1]
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    assert "wait a moment" in refused.text
    assert enrol(opened, link, "elsewhere", "10.0.0.2").status_code == 200, "others are not held up"
    opened.clock.now += 1000 * int(refused.headers["retry-after"])
    assert enrol(opened, link, "later").status_code == 200, "after the time that was named it goes on"
    assert [row for row in rows(opened.store, assignment) if row["study_id"] == opened.study_id] == [], (
        "whoever has passed no gate holds no item"
    )


def test_whoever_opens_wrong_links_waits_and_whoever_works_does_not(opened: Bench) -> None:
    ana = Annotator(opened, client=StraightClient(opened.app, client=("10.0.0.1", 1))).begin()
    guesser = StraightClient(opened.app, client=("10.0.0.1", 1))
    answers = [guesser.get(f"/join/wrong{number}") for number in range(70)]
    assert {answer.status_code for answer in answers[:60]} == {404}
    assert answers[-1].status_code == 429
    assert guesser.post("/join", data={"token": "wrong"}).status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert guesser.get(opened.link("ben")).status_code == 200, "a good link opens"
    for _ in range(80):
        assert ana.client.get(ana.home).status_code == 200
    assert ana.submit().status_code == 200, "by the same address"


def test_wrong_tokens_and_heavy_calls_of_the_api_are_limited(opened: Bench) -> None:
    client = StraightClient(opened.app, client=("10.0.0.9", 1))
    path = "/api/v1/studies/open"
    answers = [client.get(path, headers={"Authorization": f"Bearer wrong{number}"}) for number in range(61)]
    assert [answer.status_code for answer in answers] == [401] * 60 + [429]
    assert answers[-1].headers["content-type"] == "application/problem+json"
    assert int(answers[-1].headers["retry-after"]) >= 1
    opened.app = create_app(opened.store, opened.clock, limits=RateLimits(heavy_calls=Limit(2)))
    script = {"Authorization": f"Bearer {Script(opened, 'export', name='one').token}"}
    other = {"Authorization": f"Bearer {Script(opened, 'export', name='two').token}"}
    client = StraightClient(opened.app)
    heavy = f"{path}/exports/csv"
    assert [client.get(heavy, headers=script).status_code for _ in range(3)] == [200, 200, 429]
    assert client.get(heavy, headers=other).status_code == 200, "by token"
    assert client.get(f"{path}/exports", headers=script).status_code == 200, "what is quick is not counted"


def test_the_study_itself_takes_so_many_a_minute_from_wherever_they_come(bench: Bench, tmp_path: Path) -> None:
    opened = open_study(bench, tmp_path, "{per_minute: 2}")
    link = link_of(opened)
    assert [enrol(opened, link, f"p{n}", f"10.0.1.{n}").status_code for n in range(3)] == [200, 200, 429]
    opened.clock.now += 60_000
    assert enrol(opened, link, "p9").status_code == 200


def test_the_coordinator_stops_enrolment_by_page_and_api_and_it_is_recorded(opened: Bench) -> None:
    link = link_of(opened)
    first = StraightClient(opened.app)
    form = Forms(first.get(link).text).to("/join")
    assert form is not None
    first.post(form[0], data={**form[1], "id": "early"})
    cora = StraightClient(opened.app)
    pages.enter(cora, opened.coordinator_link())
    switch = Forms(cora.get("/coordinate/open/manage").text).to("/coordinate/open/enrolment")
    assert switch is not None
    cora.post(switch[0], data={**switch[1], "enrolment": "stopped", "reason": "a script enrols"})
    assert "Enrolment is stopped" in cora.get("/coordinate/open/manage").text
    refused = enrol(opened, link, "late")
    assert refused.status_code == 409
    assert "Nobody new can take part" in refused.text
    assert first.get("/judge/open").status_code == 200, "whoever has a place keeps it"
    api = {"Authorization": f"Bearer {Script(opened, 'manage', name='script').token}"}
    changed = StraightClient(opened.app).patch("/api/v1/studies/open", json={"enrolment": "open"}, headers=api)
    assert changed.json()["enrolment"] == "open"
    assert enrol(opened, link, "late").status_code == 200
    said = [(row["what"], row["reason"]) for row in rows(opened.store, action) if "enrolment" in row["what"]]
    assert said == [("enrolment stopped", "a script enrols"), ("enrolment open", "")]


def test_the_command_stops_enrolment(database: str, tmp_path: Path) -> None:
    where = tmp_path / "study"
    assay("init", "empathy", where)
    said = assay("enrolment", where, "--to", "stopped", "--reason", "why", "--database", database)
    assert "is stopped" in said
    assert "is stopped" in assay("enrolment", where, "--database", database)
    assert "is open" in assay("enrolment", where, "--to", "open", "--database", database)


def test_addresses_are_forgotten_and_never_more_are_kept_than_there_is_room_for() -> None:
    limit = Limit(60)
    for number in range(MOST_KEPT + 100):
        limit.take(f"10.{number}", T0)
    assert len(limit._used) == MOST_KEPT
    assert limit.amount_used(f"10.{MOST_KEPT}", T0) == 1
    assert limit.amount_used(f"10.{MOST_KEPT}", T0 + 60_000) == 0
    assert limit.amount_used(f"10.{MOST_KEPT}", T0 - 60_000) == 1, "a clock that goes back gives nobody more"


def test_an_ipv6_network_is_one_address() -> None:
    class Asked:
        def __init__(self, host: str) -> None:
            self.client = type("Client", (), {"host": host})()

    assert address_of(Asked("2001:db8::1")) == address_of(Asked("2001:db8::ffff"))  # type: ignore[arg-type]
    assert address_of(Asked("2001:db8:1::1")) != address_of(Asked("2001:db8::1"))  # type: ignore[arg-type]
    assert address_of(Asked("10.0.0.1")) == "10.0.0.1"  # type: ignore[arg-type]


def test_what_a_stranger_says_of_their_address_is_not_believed(opened: Bench) -> None:
    opened.app = create_app(opened.store, opened.clock, limits=RateLimits(wrong_links=Limit(2)))
    client = StraightClient(opened.app, client=("10.0.0.1", 1))
    said = [client.get("/join/wrong", headers={"X-Forwarded-For": f"10.9.9.{n}", **SCRIPT}) for n in range(3)]
    assert [answer.status_code for answer in said] == [404, 404, 429]
