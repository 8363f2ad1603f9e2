import base64
import re
from http.cookies import Morsel, SimpleCookie
from typing import Any

import pytest
from sqlalchemy import Text

from assay import acts
from assay.store.annotator import session_lifetime, sessions
from assay.store.coordinator import links
from assay.store.coordinator.record import By
from assay.store.tables import link, metadata, session
from tests.conftest import Bench
from tests.pages import SCORES, Forms, enter
from tests.straight_client import StraightClient
from tests.web.annotator import SCRIPT, Annotator, change, everything, rows

DAY = 24 * 60 * 60 * 1000


def cookie_of(answer: Any) -> "Morsel[str]":
    """The cookie that an answer sets."""
    [morsel] = SimpleCookie(answer.headers["set-cookie"]).values()
    return morsel


def join(bench: Bench, client: StraightClient, path: str) -> Any:
    return client.post("/join", data={"token": path.rsplit("/", 1)[1]}, follow_redirects=False)


def bits(token: str) -> int:
    return 8 * len(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))


def test_a_session_ends_after_its_days_and_the_link_begins_a_new_one(bench: Bench) -> None:
    path = bench.link()
    client = bench.client()
    enter(client, path)
    began = bench.clock.now
    for _ in range(session_lifetime.SESSION_DAYS):
        bench.clock.now += DAY - 1
        assert client.get("/judge/empathy").status_code == 200, "used each day it lasts"
    bench.clock.now = began + session_lifetime.SESSION_DAYS * DAY
    assert client.get("/judge/empathy").status_code == 401
    assert enter(client, path).status_code == 200
    assert len(rows(bench.store, session)) == 1, "what has ended is deleted when somebody comes"


@pytest.mark.parametrize("role", ["annotator", "coordinator"])
def test_a_session_that_nobody_uses_ends(bench: Bench, role: str) -> None:
    address = "/judge/empathy" if role == "annotator" else "/coordinate/empathy"
    client = bench.client()
    enter(client, bench.link() if role == "annotator" else bench.coordinator_link())
    bench.clock.now += sessions.IDLE_MS[role] - 1
    assert client.get(address).status_code == 200, "and this use counts"
    bench.clock.now += sessions.IDLE_MS[role] - 1
    assert client.get(address).status_code == 200
    bench.clock.now += sessions.IDLE_MS[role]
    assert client.get(address).status_code == 401


def test_a_session_is_not_written_with_each_page(sqlite_bench: Bench) -> None:
    client = sqlite_bench.client()
    enter(client, sqlite_bench.link())
    before = rows(sqlite_bench.store, session)
    sqlite_bench.clock.now += DAY // 2
    client.get("/judge/empathy/guide")
    assert rows(sqlite_bench.store, session) == before


@pytest.mark.parametrize("role", ["annotator", "coordinator", "viewer"])
def test_signing_out_ends_the_session_here_and_on_the_server(sqlite_bench: Bench, role: str) -> None:
    client, clock = sqlite_bench.client(), sqlite_bench.clock
    home = "/judge/empathy" if role == "annotator" else "/coordinate/empathy"
    by = By(sqlite_bench.study_id, "cara", clock(), "")
    others = sqlite_bench.store.write(acts.invite_other, by, sqlite_bench.study, role, "vera")
    path = sqlite_bench.link() if role == "annotator" else f"/join/{others}"
    enter(client, path)
    [before] = rows(sqlite_bench.store, session)
    stolen = dict(client.cookies)
    answer = client.post(f"{home}/sign-out", data={"csrf": before["csrf"]})
    assert "signed out" in answer.text
    assert rows(sqlite_bench.store, session) == []
    assert not client.cookies
    other = sqlite_bench.client()
    other.cookies.update(stolen)
    assert other.get(home).status_code == 401
    assert enter(client, path).status_code == 200


def test_every_page_between_items_has_the_way_out(sqlite_bench: Bench) -> None:
    ana, coordinator = Annotator(sqlite_bench).begin(), sqlite_bench.client()
    enter(coordinator, sqlite_bench.coordinator_link())
    csrf = ana.form()[1]["csrf"]
    pages = [ana.client.post(f"{ana.home}/{where}", data={"csrf": csrf}).text for where in ("break", "leave")]
    pages += [coordinator.get(f"/coordinate/empathy{where}").text for where in ("", "/manage")]
    for page in pages:
        assert Forms(page).to("/sign-out") is not None


@pytest.mark.parametrize("headers", [{"Origin": "null"}, {"Origin": "null", "Sec-Fetch-Site": "cross-site"}], ids=str)
def test_no_other_site_can_sign_somebody_in(sqlite_bench: Bench, headers: dict[str, str]) -> None:
    client, path = sqlite_bench.client(), sqlite_bench.link()
    token = path.rsplit("/", 1)[1]
    assert client.post("/join", data={"token": token}, headers=headers).status_code == 403
    assert rows(sqlite_bench.store, session) == []
    # Our own page says where it comes from, and nothing of the link.
    assert client.get(path).headers.get_list("referrer-policy") == ["strict-origin"]
    own = {"Origin": "http://testserver"}
    assert client.post("/join", data={"token": token}, headers=own).status_code == 200
    assert client.get("/judge/empathy").headers.get_list("referrer-policy") == ["no-referrer"]


def test_a_link_ends_after_its_days(bench: Bench) -> None:
    path = bench.link()
    bench.clock.now += links.LINK_DAYS * DAY - 1
    assert bench.client().get(path).status_code == 200
    bench.clock.now += 1
    before = everything(bench.store)
    for answer in (bench.client().get(path), join(bench, bench.client(), path)):
        assert answer.status_code == 404
        assert "ask the coordinator for a new one" in answer.text
        assert "set-cookie" not in answer.headers
    assert everything(bench.store) == before


def test_a_revoked_link_leads_nowhere_and_ends_its_sessions(bench: Bench) -> None:
    ana = Annotator(bench).begin()
    _, form = ana.form()
    path = bench.link()
    change(bench.store, link, revoked_at=bench.clock())
    before = everything(bench.store)
    assert bench.client().get(path).status_code == 404
    assert join(bench, bench.client(), path).status_code == 404
    assert ana.client.get("/judge/empathy").status_code == 401
    assert ana.client.post("/judge/empathy/come-back", data=form).status_code == 401
    assert everything(bench.store) == before


@pytest.mark.parametrize("token", ["x", "%00", "%ff", "A" * 32, "a" * 5000, "..%2f..", "'--"])
def test_a_token_that_was_never_given_out_leads_nowhere(sqlite_bench: Bench, token: str) -> None:
    client = sqlite_bench.client()
    assert client.get(f"/join/{token}").status_code == 404
    for form in ({"token": token}, {"token": ["", token]}, {"other": token}):
        assert client.post("/join", data=form).status_code == 404


@pytest.mark.parametrize("role", ["annotator", "coordinator"])
def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(sqlite_bench: Bench, role: str) -> None:
    path = sqlite_bench.link() if role == "annotator" else sqlite_bench.coordinator_link()
    cookie = cookie_of(join(sqlite_bench, sqlite_bench.client(), path))
    assert cookie.key == f"assay-{role}-empathy"
    assert cookie["httponly"] is True
    assert cookie["samesite"] == "lax"
    assert cookie["path"] == "/"
    assert cookie["domain"] == ""
    assert int(cookie["max-age"]) == session_lifetime.SESSION_DAYS * DAY / 1000


def test_over_tls_the_cookie_is_bound_to_the_host_and_to_tls(sqlite_bench: Bench) -> None:
    client = StraightClient(sqlite_bench.app, base_url="https://testserver")
    answer = join(sqlite_bench, client, sqlite_bench.link())
    cookie = cookie_of(answer)
    assert cookie.key == "__Host-assay-annotator-empathy"
    assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "lax")
    assert (cookie["path"], cookie["domain"]) == ("/", "")
    assert client.get("/judge/empathy").status_code == 200
    assert "max-age" in answer.headers["strict-transport-security"]


def test_every_login_has_a_session_of_its_own(bench: Bench) -> None:
    path = bench.link()
    values = [cookie_of(join(bench, bench.client(), path)).value for _ in range(5)]
    assert len(set(values)) == 5
    assert len({each["csrf"] for each in rows(bench.store, session)}) == 5


def test_tokens_are_too_long_to_be_guessed(sqlite_bench: Bench) -> None:
    ana = Annotator(sqlite_bench).begin()
    address, form = ana.form()
    paths = [sqlite_bench.link(), sqlite_bench.coordinator_link()]
    secrets = [*(path.rsplit("/", 1)[1] for path in paths), *ana.client.cookies.values(), form["csrf"], address[-22:]]
    assert len(set(secrets)) == 5
    assert all(bits(secret) >= 128 for secret in secrets)


def test_tokens_are_stored_as_hashes_only(bench: Bench) -> None:
    client = bench.client()
    secrets = []
    for path in (bench.link(), bench.coordinator_link()):
        enter(client, path)
        secrets.append(path.rsplit("/", 1)[1])
    secrets += client.cookies.values()
    ana = Annotator(bench, client=client)
    ana.begin().submit()
    assert len(secrets) == 4
    texts = [
        str(row[column.name])
        for table in metadata.sorted_tables
        for row in rows(bench.store, table)
        for column in table.columns
        if isinstance(column.type, Text)
    ]
    assert texts
    assert not [text for text in texts for secret in secrets if secret in text]
    assert {sessions.hash_of(secret) for secret in secrets} <= set(texts), "the scan sees what is stored"


def test_a_link_preview_uses_nothing_up(bench: Bench) -> None:
    path = bench.link()
    before = everything(bench.store)
    for _ in range(3):
        for ask in ("GET", "HEAD"):
            answer = bench.client().request(ask, path)
            assert answer.status_code == 200
            assert "set-cookie" not in answer.headers
    assert everything(bench.store) == before
    assert enter(bench.client(), path).status_code == 200


def test_the_token_leaves_the_address_and_is_on_no_page_after_that(sqlite_bench: Bench) -> None:
    ana = Annotator(sqlite_bench)
    seen: list[Any] = []
    ana.client.event_hooks = {"response": [lambda response: seen.append((response, response.read()))]}
    path = sqlite_bench.link()
    token = path.rsplit("/", 1)[1]
    enter(ana.client, path)
    landing, *after = seen
    assert token in landing[0].text, "the landing page needs it"
    seen.clear()
    ana.begin().submit()
    ana.submit({})
    ana.send(ana.form()[0], {**ana.form()[1], **SCORES})
    for page in ("guide", "support", "nothing"):
        ana.client.get(f"/judge/empathy/{page}", headers=SCRIPT)
    assert len(seen) > 10
    own = [(response, body) for response, body in seen if not response.url.path.startswith("/join")]
    for response, body in [*after, *own]:
        assert token not in str(response.url)
        assert token not in str(response.headers)
        assert token.encode() not in body


def test_the_landing_page_of_a_coordinator_says_so(sqlite_bench: Bench) -> None:
    client = sqlite_bench.client()
    path = sqlite_bench.coordinator_link()
    assert "coordinator" in client.get(path).text
    assert re.search("/coordinate/empathy$", str(enter(client, path).url))


def test_the_judging_page_has_the_way_out_in_its_break(sqlite_bench: Bench) -> None:
    page = Annotator(sqlite_bench).begin().page()
    rest = page[page.index('id="rest"') :]
    assert 'form="leave" formaction="/judge/empathy/sign-out"' in rest[: rest.index("</dialog>")]
