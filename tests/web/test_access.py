"""Who may ask for what. The matrix is made from the routes, so a new one is in it by being there."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
from sqlalchemy import insert
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from assay.store import open_store
from assay.store.coordinator import links
from assay.store.tables import picture
from assay.web.access import MOST_BODY, MOST_FIELDS, Endpoint, Role
from assay.web.api import ENDPOINTS as API
from assay.web.app import ENDPOINTS
from tests.conftest import Bench, make_bench
from tests.inviting import invite_coordinator
from tests.pages import SCORES, Forms, enter
from tests.web.annotator import Annotator, edited, everything

VISITORS = [
    "anonymous",
    "annotator",
    "annotator of another study",
    "coordinator",
    "coordinator of another study",
    "viewer",
    "who has the link for anybody",
]
POSTS = [endpoint for endpoint in ENDPOINTS if endpoint.method == "POST"]
PICTURE = "0" * 64
ABOUT = {
    ("GET", "annotator"): "?name=ana",
    ("GET", "item"): "?name=emp-001",
    ("GET", "export"): "?format=csv",
    ("GET", "talk-over"): "?name=emp-001&key=emotion",
}
"""Whom or what a coordinator's page is about."""
MANAGING = {
    "invite": {"role": "annotator", "names": "ben"},
    "state": {"state": "paused"},
    "move-item": {"name": "emp-001"},
    "revoke": {"name": "ben"},
    "remove": {"confirm": "empathy"},
}
"""What the forms of the page that manages a study say."""
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass
class Scene:
    """Two studies in one store, with everybody who could ask for something, and one item that is somebody's."""

    bench: Bench
    clients: dict[str, TestClient]
    link: str
    item: str
    forms: dict[str, dict[str, str]]

    def address(self, endpoint: Endpoint) -> str:
        token = self.link.split("/")[-1]
        parts = {"study": self.bench.study.study, "public_id": self.item, "token": token, "hash": PICTURE}
        path = endpoint.path.format(**parts, position="1")
        return path + ABOUT.get((endpoint.method, path.rsplit("/", 1)[1]), "")

    @staticmethod
    def sender(endpoint: Endpoint) -> str:
        """Who may send the forms of an endpoint."""
        return "coordinator" if endpoint.role == "coordinator" else "annotator"

    def csrf(self, endpoint: Endpoint) -> str:
        return self.forms[self.sender(endpoint)]["csrf"]

    def form(self, endpoint: Endpoint) -> dict[str, str]:
        """A form that the rightful sender could send with success."""
        if endpoint.path == "/join":
            return {"token": self.link.split("/")[-1]}
        if endpoint.role == "coordinator":
            about = {"what": "include", "name": "ana", "reason": "why"}
            if endpoint.path.endswith("/agree"):
                about |= {"name": "emp-001", "value.emotion": "3"}
            about |= MANAGING.get(endpoint.path.rsplit("/", 1)[1], {})
            return {**self.forms["coordinator"], **about}
        return {**self.forms["annotator"], **SCORES, "seat": "here", "report": "0123456789ab", "words": "odd"}

    def ask(self, visitor: str, endpoint: Endpoint, **how: Any) -> Any:
        client = self.clients[visitor]
        if endpoint.method == "GET":
            return client.get(self.address(endpoint), follow_redirects=False)
        how.setdefault("data", self.form(endpoint))
        return client.post(self.address(endpoint), follow_redirects=False, **how)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """One for all tests in which nothing may change."""
    yield from made_scene(tmp_path_factory.mktemp("scene"))


@pytest.fixture
def fresh_scene(tmp_path: Path) -> Iterator[Scene]:
    yield from made_scene(tmp_path)


def made_scene(folder: Path, database: str = "") -> Iterator[Scene]:
    store = open_store(database or folder / "assay.db")
    bench = make_bench(store, folder / "study")
    other = make_bench(store, folder / "other", edit=edited(study="other"))
    add_picture(bench)
    ana = Annotator(bench).begin()
    stranger = Annotator(other, "stranger", bench.client()).begin()
    coordinators = [bench.client(), bench.client()]
    enter(coordinators[0], bench.coordinator_link())
    enter(coordinators[1], other.coordinator_link())
    address, form = ana.form()
    viewer, anybody = bench.client(), bench.client()
    enter(viewer, f"/join/{store.write(partial(invite_coordinator, reads_only=True), bench.study_id, bench.clock())}")
    open_link = store.write(partial(links.add, enrols=True), bench.study_id, None, bench.clock())
    assert anybody.get(f"/join/{open_link}").status_code == 200
    clients = [bench.client(), ana.client, stranger.client, *coordinators, viewer, anybody]
    page = coordinators[0].get("/coordinate/empathy/annotator?name=ana").text
    own = next(form for _, form in Forms(page).forms if "csrf" in form)
    forms = {"annotator": form, "annotator of another study": stranger.form()[1], "coordinator": own}
    seen = viewer.get("/coordinate/empathy").text
    forms["viewer"] = next(form for _, form in Forms(seen).forms if "csrf" in form)
    yield Scene(bench, dict(zip(VISITORS, clients, strict=True)), bench.link(), address.rsplit("/", 1)[1], forms)
    store.close()


def add_picture(bench: Bench) -> None:
    """A picture of this study: its address is in the matrix like all others."""
    row = {"study_id": bench.study_id, "hash": PICTURE, "media_type": "image/png", "width": 1, "height": 1}
    bench.store.write(lambda connection: connection.execute(insert(picture).values({**row, "content": b"x"})))


def name(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path}"


def test_every_endpoint_declares_its_role() -> None:
    for endpoint in ENDPOINTS:
        assert endpoint.role in get_args(Role), name(endpoint)
    with pytest.raises(TypeError, match="role"):
        Endpoint("GET", "/anything", handler=ENDPOINTS[0].handler)  # type: ignore[call-arg]


def test_no_endpoint_stands_twice_and_none_but_the_way_in_is_for_anyone() -> None:
    assert len({name(endpoint) for endpoint in ENDPOINTS}) == len(ENDPOINTS)
    open_to_all = {name(endpoint) for endpoint in ENDPOINTS if endpoint.role == "anyone"}
    assert open_to_all == {
        "GET /",
        "GET /health",
        "GET /health/live",
        "GET /metrics",
        "GET /join/{token}",
        "POST /join",
    }


def test_an_annotators_addresses_are_for_annotators_and_a_coordinators_for_coordinators() -> None:
    by_start = {"/judge/{study}": "annotator", "/coordinate/{study}": "coordinator"}
    for endpoint in ENDPOINTS:
        wanted = next((role for start, role in by_start.items() if endpoint.path.startswith(start)), "anyone")
        assert endpoint.role == wanted, name(endpoint)


def test_the_application_has_no_route_beside_the_endpoints_and_the_static_files(scene: Scene) -> None:
    declared = {(endpoint.path, endpoint.method) for endpoint in ENDPOINTS}
    declared |= {(endpoint.address, endpoint.method) for endpoint in API}  # their matrix: test_api_access.py
    routes = scene.bench.app.routes
    assert [route.path for route in routes if not isinstance(route, Route)] == ["/static"]
    assert all(isinstance(route, Route | Mount) for route in routes)
    found = {
        # An item's id may have slashes in it.
        (route.path.replace(":path}", "}"), method)
        for route in routes
        if isinstance(route, Route)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert found == declared


# A form leads on to a page, unless the page's script sends it; the address of the open item leads to it; what is
# submitted by then is not shown again.
ANSWERS = dict.fromkeys(
    [f"/judge/{{study}}/{part}" for part in ("draft/{public_id}", "problem/{public_id}", "ahead")], 200
) | {
    "/metrics": 404,  # this server counts nothing
    "/judge/{study}/check-in": 404,  # this study does not ask
    "/judge/{study}/item/{public_id}": 303,
    "/judge/{study}/items": 303,  # people judge one item after the other here
    "/judge/{study}/at/{position}": 303,
    "/judge/{study}/again/{public_id}": 409,
    "/coordinate/{study}/invited": 404,  # no link was just made
    "/coordinate/{study}/backup": 422,  # the store holds another study, too
    "/coordinate/{study}/judge-cards": 404,  # no judge has judged
    "/coordinate/{study}/figure": 404,  # none is named
    "/coordinate/{study}/upload": 422,  # nothing is uploaded
    "/coordinate/{study}/publish": 422,  # and nothing was
    "/judge/{study}/sign-out": 200,
    "/coordinate/{study}/sign-out": 200,
    "/coordinate/{study}/set-aside": 422,  # the study is not removed
    "/coordinate/{study}/enrolment": 422,  # neither open nor stopped
    "/coordinate/{study}/pay-for-panel.csv": 404,  # no panel sends people
    "/coordinate/{study}/erase": 422,  # the name was not written once more
    "/coordinate/{study}/take-agreement-back": 404,  # no item is named
    "/coordinate/{study}/undo-import": 422,  # nothing has come in that has a number
}


LATE = ("move-item", "remove", "bring-back", "set-aside", "withdraw", "sign-out", "join")
"""What takes something away comes after what needs it; and who joins again has a new session."""


def _comes_late(endpoint: Endpoint) -> int:
    last = endpoint.path.rsplit("/", 1)[1]
    return LATE.index(last) + 1 if last in LATE else 0


def test_the_declared_role_is_answered(fresh_scene: Scene) -> None:
    for endpoint in sorted(ENDPOINTS, key=_comes_late):
        for visitor in VISITORS if endpoint.role == "anyone" else [endpoint.role]:
            answer = fresh_scene.ask(visitor, endpoint)
            assert answer.status_code == ANSWERS.get(endpoint.path, 303 if endpoint.method == "POST" else 200), (
                f"{visitor}: {name(endpoint)}"
            )


def has_role(visitor: str, endpoint: Endpoint) -> bool:
    """Whether somebody comes as who an endpoint is for; a viewer is a coordinator who changes nothing."""
    return ("coordinator" if visitor == "viewer" else visitor) == endpoint.role


@pytest.mark.parametrize("visitor", VISITORS)
@pytest.mark.parametrize("endpoint", [each for each in ENDPOINTS if each.role != "anyone"], ids=name)
def test_nobody_but_the_declared_role_is_answered(scene: Scene, endpoint: Endpoint, visitor: str) -> None:
    if has_role(visitor, endpoint):
        return
    before = everything(scene.bench.store)
    answer = scene.ask(visitor, endpoint)
    assert answer.status_code == 401
    assert "personal link" in answer.text
    assert everything(scene.bench.store) == before


NOT_FOR_VIEWERS = {"backup", "questionnaire.csv", "pay-for-panel.csv"}
"""Files with what tells who people are."""


@pytest.mark.parametrize("endpoint", [each for each in ENDPOINTS if each.role == "coordinator"], ids=name)
def test_a_viewer_reads_what_coordinators_read_and_changes_nothing(scene: Scene, endpoint: Endpoint) -> None:
    last = endpoint.path.rsplit("/", 1)[1]
    if last == "sign-out":
        return
    before = everything(scene.bench.store)
    own = {**scene.form(endpoint), **scene.forms["viewer"]}
    answer = scene.ask("viewer", endpoint, **({"data": own} if endpoint.method == "POST" else {}))
    refused = endpoint.method == "POST" or last in NOT_FOR_VIEWERS
    assert answer.status_code == (403 if refused else ANSWERS.get(endpoint.path, 200))
    assert everything(scene.bench.store) == before


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=name)
def test_no_cookie_opens_a_page_that_it_was_not_made_for(scene: Scene, endpoint: Endpoint) -> None:
    if endpoint.role == "anyone":
        return
    others = [scene.clients[visitor] for visitor in VISITORS if not has_role(visitor, endpoint)]
    for value in ["", "x", "a" * 5000, *(value for client in others for value in client.cookies.values())]:
        scene.clients["thief"] = scene.bench.client()
        scene.clients["thief"].cookies.set(f"assay-{endpoint.role}-empathy", value)
        assert scene.ask("thief", endpoint).status_code == 401


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=name)
def test_other_methods_are_not_answered(scene: Scene, endpoint: Endpoint) -> None:
    paths = {each.method for each in ENDPOINTS if each.path == endpoint.path}
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - paths:
        answer = scene.clients["annotator"].request(method, scene.address(endpoint))
        assert answer.status_code == 405
        assert endpoint.method in answer.headers["allow"]


@pytest.mark.parametrize("endpoint", POSTS, ids=name)
def test_a_form_without_the_right_token_changes_nothing(scene: Scene, endpoint: Endpoint) -> None:
    if endpoint.role == "anyone":
        return
    before = everything(scene.bench.store)
    form = scene.form(endpoint)
    for token in (None, "", "wrong", form["csrf"][:-1], scene.forms["annotator of another study"]["csrf"]):
        sent = {key: value for key, value in form.items() if key != "csrf"} | ({} if token is None else {"csrf": token})
        assert scene.ask(scene.sender(endpoint), endpoint, data=sent).status_code == 403
    assert everything(scene.bench.store) == before


@pytest.mark.parametrize("endpoint", POSTS, ids=name)
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://testserver.evil.example"},
        {"Origin": "http://testserver:8000"},
        {"Origin": "http://["},
        {"Origin": "testserver"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
def test_a_form_from_another_site_changes_nothing(scene: Scene, endpoint: Endpoint, headers: dict[str, str]) -> None:
    before = everything(scene.bench.store)
    assert scene.ask(scene.sender(endpoint), endpoint, headers=headers).status_code == 403
    assert everything(scene.bench.store) == before


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://testserver"}, {"Origin": "null"}, {"Sec-Fetch-Site": "same-origin"}], ids=str
)
def test_a_form_from_our_own_pages_is_taken(fresh_scene: Scene, headers: dict[str, str]) -> None:
    # "null" is what a browser sends from pages that ask for no referrer, as ours do; the token guards these.
    submit = next(endpoint for endpoint in POSTS if "/submit/" in endpoint.path)
    assert fresh_scene.ask("annotator", submit, headers=headers).status_code == 303


@pytest.mark.parametrize("endpoint", POSTS, ids=name)
@pytest.mark.parametrize(
    "how",
    [
        {"content": "csrf={csrf}&a=1", "headers": {"Content-Type": "text/plain"}},
        {"content": "csrf={csrf}&a=1", "headers": {"Content-Type": ""}},
        {"content": '{{"csrf": "{csrf}"}}', "headers": {"Content-Type": "application/json"}},
        {"files": {"csrf": (None, "{csrf}")}},
        {"content": "csrf={csrf}", "headers": {"Content-Type": "application/x-www-form-urlencoded-not"}},
    ],
    ids=["text", "none", "json", "multipart", "similar"],
)
def test_only_a_plain_form_is_understood(scene: Scene, endpoint: Endpoint, how: dict[str, Any]) -> None:
    before = everything(scene.bench.store)
    csrf = scene.csrf(endpoint)
    sent = {**how, "data": None}
    if "content" in how:
        sent["content"] = how["content"].format(csrf=csrf)
    else:
        sent["files"] = {"csrf": (None, csrf)}
    uploads = endpoint.most_uploaded > 0 and "files" in how
    assert scene.ask(scene.sender(endpoint), endpoint, **sent).status_code == (422 if uploads else 415)
    assert everything(scene.bench.store) == before


@pytest.mark.parametrize("endpoint", POSTS, ids=name)
def test_a_body_over_the_limit_is_refused(scene: Scene, endpoint: Endpoint) -> None:
    before = everything(scene.bench.store)
    csrf = scene.csrf(endpoint).encode()
    long = b"csrf=" + csrf + b"&note=" + b"x" * MOST_BODY
    pieces = (long[at : at + 9999] for at in range(0, len(long), 9999))
    for content in (long, pieces):  # once with its length told, once without
        answer = scene.ask(scene.sender(endpoint), endpoint, data=None, content=content, headers=FORM)
        assert answer.status_code == 413
    assert everything(scene.bench.store) == before


@pytest.mark.parametrize(
    "content",
    [b"&".join([b"a=1"] * (MOST_FIELDS + 1)), b"note=%ff", b"note=\xff", b"note=%ED%A0%80"],
    ids=["too many fields", "not utf-8", "raw bytes", "half a character"],
)
def test_a_form_that_cannot_be_read_is_refused(scene: Scene, content: bytes) -> None:
    before = everything(scene.bench.store)
    for endpoint in POSTS:
        csrf = scene.csrf(endpoint).encode()
        answer = scene.ask(
            scene.sender(endpoint), endpoint, data=None, content=content + b"&csrf=" + csrf, headers=FORM
        )
        assert answer.status_code == 400
    assert everything(scene.bench.store) == before


def test_a_script_is_refused_in_words_too(scene: Scene) -> None:
    answer = scene.clients["anonymous"].get("/judge/empathy", headers={"Accept": "application/json"})
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/json"
    assert "Open the link" in answer.json()["error"]
