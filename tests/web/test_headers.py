"""What every answer carries, and what no page may hold."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.routing import Route
from starlette.testclient import TestClient

from assay.kinds import DISPLAYS, INPUTS
from assay.store import open_store
from assay.web.headers import POLICY
from assay.web.joined_scripts import without_comments
from assay.web.static_files import FOLDER, JUDGING_WHOLE, STYLE, files_of_kinds, scripts
from tests.conftest import Bench, make_bench
from tests.pages import SCORES, enter
from tests.straight_client import StraightClient
from tests.web.annotator import SCRIPT, Annotator

FILES = sorted([*FOLDER.iterdir(), *files_of_kinds(".css").values(), *scripts().values()])
STATIC_FILES = sorted([*(path.name for path in FOLDER.iterdir()), STYLE, JUDGING_WHOLE, *scripts()])
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """An answer of every sort that the application gives, by name."""
    folder = tmp_path_factory.mktemp("headers")
    store = open_store(folder / "assay.db")
    bench = make_bench(store, folder / "study")
    found = {**personal(bench), **others(bench)}
    token = bench.link().rsplit("/", 1)[1]
    store.close()
    # In a thread that has no connection yet, and gets none.
    found["503"] = TestClient(bench.app).post("/join", data={"token": token})
    return found


def personal(bench: Bench) -> dict[str, Any]:
    ana = Annotator(bench)
    client = ana.client
    path = bench.link()
    found: dict[str, Any] = {"landing": client.get(path)}
    token = {"token": path.rsplit("/", 1)[1]}
    found["303"] = client.post("/join", data=token, follow_redirects=False)
    found["gate"] = client.get(ana.home)
    found["gate 422"] = client.post(f"{ana.home}/gate", data=gate_fields(found["gate"].text))
    found["403"] = client.post(f"{ana.home}/gate", data={"csrf": "wrong"})
    ana.begin()
    found["item"] = client.get(ana.home)
    address, form = ana.form()
    found["item 422"] = client.post(address, data=form)
    found["script 422"] = ana.send(address, form)
    found["draft"] = ana.send(address.replace("/submit/", "/draft/"), form)
    found["script"] = ana.send(address, {**form, **SCORES})
    found["409"] = client.post(address, data={**form, **SCORES, "overall": "2"})
    found["script 409"] = ana.send(address, {**form, **SCORES, "overall": "2"})
    found["404 item"] = client.post(f"{ana.home}/submit/none", data=form)
    for page in ("guide", "support"):
        found[page] = client.get(f"{ana.home}/{page}")
    leaver = Annotator(bench, "leaver")
    fields = gate_fields(leaver.enter().text)
    found["left"] = leaver.client.post(f"{ana.home}/gate", data={**fields, "choice": "leave"})
    coordinator = bench.client()
    enter(coordinator, bench.coordinator_link())
    found["coordinator"] = coordinator.get("/coordinate/empathy")
    found["progress"] = coordinator.get("/coordinate/empathy/progress")
    return found


def gate_fields(page: str) -> dict[str, str]:
    return {name: re.findall(f'name="{name}" value="([^"]*)"', page)[0] for name in ("csrf", "version")}


def others(bench: Bench) -> dict[str, Any]:
    async def broken(_: Request) -> Any:
        raise ZeroDivisionError("a canary in the works")

    bench.app.router.routes.insert(0, Route("/broken", broken))
    client = StraightClient(bench.app, raise_server_exceptions=False)
    static = {f"static {name}": client.get(f"/static/{name}") for name in STATIC_FILES}
    tag, kinds = ({"If-None-Match": static[f"static {name}"].headers["etag"]} for name in ("assay.css", STYLE))
    return {
        **static,
        "home": client.get("/"),
        "health": client.get("/health"),
        "head": client.head("/"),
        "401": client.get("/judge/empathy"),
        "script 401": client.get("/judge/empathy", headers=SCRIPT),
        "404": client.get("/nothing/here"),
        "404 link": client.get("/join/nothing"),
        "405": client.post("/", data={"a": "b"}),
        "413": client.post("/join", data={"token": "x" * 600_000}),
        "415": client.post("/join", json={}),
        "500": client.get("/broken"),
        "static 304": client.get("/static/assay.css", headers=tag),
        "static 304 of kinds": client.get(f"/static/{STYLE}", headers=kinds),
        "static 404 beside a kind": client.get("/static/kinds/assay.displays.image.py"),
        "static 405 of kinds": client.post(f"/static/{STYLE}"),
        "static 404": client.get("/static/nothing.js"),
        "static 404 above": client.get("/static/..%2fapp.py"),
        "static 405": client.post("/static/assay.css"),
        "static range": client.get("/static/judging.js", headers={"Range": "bytes=0-9"}),
    }


def test_the_answers_looked_at_are_of_every_sort(answers: dict[str, Any]) -> None:
    statuses = {answer.status_code for answer in answers.values()}
    assert statuses == {200, 206, 303, 304, 401, 403, 404, 405, 409, 413, 415, 422, 500, 503}
    for name, answer in answers.items():
        if (said := re.search(r"\d{3}", name)) is not None:
            assert answer.status_code == int(said[0]), name


def test_every_answer_carries_the_security_headers(answers: dict[str, Any]) -> None:
    for name, answer in answers.items():
        headers = answer.headers
        assert headers.get_list("content-security-policy") == [POLICY], name
        assert headers["x-content-type-options"] == "nosniff", name
        wanted = "strict-origin" if answer.request.url.path.startswith("/join") else "no-referrer"
        assert headers.get_list("referrer-policy") == [wanted], name
        assert headers["cross-origin-opener-policy"] == "same-origin", name
        assert headers["cross-origin-resource-policy"] == "same-origin", name
        assert "server" not in headers, name


def test_the_policy_allows_our_own_files_only() -> None:
    rules = dict(rule.strip().split(" ", 1) for rule in POLICY.split(";"))
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert set(rules.values()) == {"'none'", "'self'"}
    assert "unsafe" not in POLICY


def test_no_answer_but_a_static_file_is_kept_by_anyone(answers: dict[str, Any]) -> None:
    for name, answer in answers.items():
        caching = answer.headers.get_list("cache-control")
        if name.startswith("static"):
            assert caching == ["no-cache"], name
            assert "set-cookie" not in answer.headers, name
        else:
            assert caching == ["no-store, private"], name
            assert "Cookie" in answer.headers["vary"], name
            assert "etag" not in answer.headers, name


def test_a_failure_says_nothing_of_the_works(answers: dict[str, Any]) -> None:
    for name in ("500", "503"):
        assert "canary" not in answers[name].text
        assert "Traceback" not in answers[name].text
        assert "<h1>" in answers[name].text
    assert answers["503"].headers["retry-after"]


class Page(HTMLParser):
    """What a page loads, runs and points to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.addresses: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        if tag in ("style", "base", "iframe", "object", "embed"):
            self.inline.append(tag)
        if tag == "script" and "src" not in found and found.get("type") != "application/json":
            self.inline.append("script")
        if tag == "meta" and "http-equiv" in found:
            self.inline.append("meta http-equiv")
        self.inline += [f"{tag} {name}" for name in found if name == "style" or name.startswith("on")]
        names = ("href", "src", "action", "formaction", "srcset", "poster", "data", "ping", "cite")
        self.addresses += [found[name] for name in names if name in found]


def test_no_page_holds_a_script_or_a_style_of_its_own(answers: dict[str, Any]) -> None:
    pages = {name: answer for name, answer in answers.items() if "text/html" in answer.headers.get("content-type", "")}
    assert len(pages) > 15
    for name, answer in pages.items():
        assert Page(answer.text).inline == [], name
    assert "script" in Page(pages["item"].text).tags


def test_the_parser_of_these_tests_sees_what_it_looks_for() -> None:
    bad = '<p style="a" onclick="b"><script>c</script><style></style><script src="//x.example/y.js"></script>'
    assert Page(bad).inline == ["p style", "p onclick", "script", "style"]
    assert Page(bad).addresses == ["//x.example/y.js"]
    assert Page('<script type="application/json">[]</script>').inline == []


def test_no_page_points_to_another_host(answers: dict[str, Any]) -> None:
    for name, answer in answers.items():
        if "text/html" not in answer.headers.get("content-type", ""):
            continue
        for address in Page(answer.text).addresses:
            assert re.match(r"/(?!/)|#", address), f"{name}: {address}"
        assert not re.search(r"https?://|wss?://", answer.text), name
    assert answers["303"].headers["location"] == "/judge/empathy"


@every_file
def test_no_static_file_points_to_another_host(path: Path) -> None:
    text = path.read_text("utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"\w+://|[\"'(]//", text)
    assert "@import" not in text
    for module in re.findall(r"\bfrom\s+[\"']([^\"']+)|\bimport\(?\s*[\"']([^\"']+)", text):
        assert "".join(module).startswith("./" if path.parent == FOLDER else "/static/")


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.suffix == ".js"], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_modules_are_small_typed_and_free_of_what_the_policy_forbids(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith("// @ts-check\n/**")
    assert len(text.splitlines()) <= 200
    assert not re.search(r"\beval\(|new Function|innerHTML\s*=|insertAdjacentHTML|document\.write|outerHTML\s*=", text)


def test_static_files_have_their_types(answers: dict[str, Any]) -> None:
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    for name in STATIC_FILES:
        assert answers[f"static {name}"].headers["content-type"].startswith(kinds[Path(name).suffix])


def test_the_styles_that_kinds_bring_are_one_sheet_that_every_page_with_content_loads(answers: dict[str, Any]) -> None:
    sheet = answers[f"static {STYLE}"].text
    styles = files_of_kinds(".css")
    assert {"assay.displays.chat", "assay.inputs.tags"} <= set(styles)
    assert [name for name, file in styles.items() if without_comments(file.read_text("utf-8")) not in sheet] == []
    assert f'<link rel="stylesheet" href="/static/{STYLE}">' in answers["item"].text


def test_the_page_loads_one_script_in_which_those_of_kinds_run_before_its_own(answers: dict[str, Any]) -> None:
    assert re.findall(r"<script [^>]*src=\"([^\"]+)", answers["item"].text) == [f"/static/{JUDGING_WHOLE}"]
    whole = answers[f"static {JUDGING_WHOLE}"].text
    places = [whole.index(f"\n// {file.name}\n") for file in scripts().values()]
    assert "image.js" in [file.name for file in scripts().values()]
    assert max(places) < whole.index("\n// judging.js\n")


@pytest.mark.parametrize("name", sorted({*DISPLAYS, *INPUTS}))
def test_no_kind_is_named_in_the_styles_and_templates_of_the_page(name: str) -> None:
    for file in [FOLDER / "judging.css", *sorted((FOLDER.parent / "templates").glob("*.html"))]:
        text = file.read_text("utf-8")
        named = re.findall(rf"\.{name}\b(?![-(])" if file.suffix == ".css" else rf"[\"']{name}[\"']", text)
        assert named == [], f"{file.name} names the kind {name}"
