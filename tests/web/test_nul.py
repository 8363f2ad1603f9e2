"""NUL characters: PostgreSQL keeps none, so both databases refuse them, at every door and before a query is made."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from assay.web.api import ENDPOINTS as API
from assay.web.app import ENDPOINTS
from tests.servers import prepared, running
from tests.web.annotator import everything
from tests.web.scripts import Script
from tests.web.test_access import FORM, PICTURE, POSTS, Scene, made_scene, name
from tests.web.test_api_access import BODIES

NUL = "a\0b"


@pytest.fixture(
    params=["postgresql", pytest.param("sqlite", marks=pytest.mark.thorough("on the database that would keep a NUL"))]
)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """They are refused before a query is made, so one database shows it: the one that fails on what comes through."""
    if request.param == "sqlite":
        return str(tmp_path / "assay.db")
    return str(request.getfixturevalue("new_postgres")())


@pytest.fixture
def scene(database: str, tmp_path: Path) -> Iterator[Scene]:
    yield from made_scene(tmp_path, database)


def parts_of(scene: Scene) -> dict[str, str]:
    """What stands in addresses, where they lead somewhere."""
    of_pages = {"study": "empathy", "public_id": scene.item, "token": scene.link.split("/")[-1], "hash": PICTURE}
    of_scripts = {"annotator": "ana", "monitor": "too_fast", "number": "1", "format": "csv", "item": "emp-001"}
    return {**of_pages, "position": "1", **of_scripts}


def test_no_address_with_a_nul_leads_anywhere(scene: Scene) -> None:
    parts, script = parts_of(scene), Script(scene.bench)
    before = everything(scene.bench.store)
    for endpoint in [*ENDPOINTS, *API]:
        path = getattr(endpoint, "address", endpoint.path)
        for part in re.findall(r"\{(\w+)\}", path):
            wrong = path.format(**{**parts, part: quote(parts[part] + "\0")})
            for headers in ({}, {"Authorization": f"Bearer {script.token}"}):
                for visitor in ("anonymous", "annotator", "coordinator"):
                    answer = scene.clients[visitor].request(endpoint.method, wrong, headers=headers)
                    assert answer.status_code == 404, (endpoint.method, wrong)
    for path in ("/\0", "/static/\0.js", "/nowhere/\0", "/api/v1/\0"):
        assert scene.clients["anonymous"].get(quote(path)).status_code == 404, path
    assert everything(scene.bench.store) == before


def test_no_page_and_no_script_gets_an_answer_to_a_nul_after_the_question_mark(scene: Scene) -> None:
    for endpoint in [each for each in ENDPOINTS if each.method == "GET"]:
        visitor = "anonymous" if endpoint.role == "anyone" else endpoint.role
        for query in ("name=a%00b", "name=ana&key=%00", "%00=x", "page=%00"):
            path = scene.address(endpoint).partition("?")[0]
            assert scene.clients[visitor].get(f"{path}?{query}").status_code == 404, (path, query)
    assert Script(scene.bench).ask("GET", "/items?after=%00").status_code == 404


def test_a_form_with_a_nul_changes_nothing(scene: Scene) -> None:
    before = everything(scene.bench.store)
    for endpoint in POSTS:
        form = scene.form(endpoint)
        wrong = [{**form, field: value + "\0"} for field, value in form.items() if field != "csrf"]
        sent = [urlencode(each).encode() for each in [*wrong, {**form, "another\0": "x"}]]
        for content in [*sent, urlencode(form).encode() + b"&reason=\0"]:
            answer = scene.ask(scene.sender(endpoint), endpoint, data=None, content=content, headers=FORM)
            assert answer.status_code == 400, (name(endpoint), content)
    assert everything(scene.bench.store) == before


def places(value: Any) -> Iterator[Any]:
    """A JSON value once for each text in it, with a NUL in that text; and for each key."""
    if isinstance(value, str):
        yield value + "\0"
    elif isinstance(value, list):
        yield from ([*value[:at], each, *value[at + 1 :]] for at, old in enumerate(value) for each in places(old))
    elif isinstance(value, dict):
        yield {**value, NUL: "x"}
        yield from ({**value, key: each} for key, old in value.items() for each in places(old))


def test_no_script_can_send_a_nul(scene: Scene) -> None:
    script, parts = Script(scene.bench), parts_of(scene)
    before = everything(scene.bench.store)
    for endpoint in [each for each in API if each.body is not None]:
        path = endpoint.path.format(**parts).removeprefix("/studies/empathy")
        for body in places(BODIES[endpoint.body.__name__]):
            assert script.ask(endpoint.method, path, body).status_code == 422, (path, body)
    assert script.ask("PATCH", "", {"state": "open"}, Idempotency_Key="a\0b").status_code == 400
    assert everything(scene.bench.store) == before


def test_a_cookie_or_a_token_with_a_nul_is_nobodys(scene: Scene) -> None:
    client = scene.bench.client()
    for value in ('"\\000"', '"a\\000b"', "\0"):
        answer = client.get("/judge/empathy", headers={"Cookie": f"assay-annotator-empathy={value}"})
        assert answer.status_code == 401
        answer = client.get("/api/v1/studies/empathy", headers={"Authorization": f"Bearer {value}"})
        assert answer.status_code == 401


def test_a_server_refuses_a_header_with_a_nul(tmp_path: Path) -> None:
    with running(prepared(tmp_path / "study", 3)) as server:
        for line in (b"Cookie: a=\0", b"X-\0: a", b"Host: a\0b"):
            with socket.create_connection(("127.0.0.1", server.port), 20) as connection:
                connection.sendall(b"GET /health/live HTTP/1.1\r\nHost: a\r\n" + line + b"\r\n\r\n")
                assert connection.recv(100).startswith(b"HTTP/1.1 400")
