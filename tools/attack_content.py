"""Campaigns of content: scripts in whatever is shown, and words in whatever is hidden."""

import base64
import codecs
import html
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, unquote

from tools.attack_requests import path_of
from tools.attack_scene import ANSWERS, MARK, PAYLOADS, Scene
from tools.processes import run

from assay.web.app import ENDPOINTS

ADDRESSES = ("href", "src", "action", "formaction", "xlink:href")


class _Unsafe(HTMLParser):
    """Finds what a page would run or take for its own, of what was only to be shown."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at a tag with what it says."""
        data = dict(attrs).get("type") == "application/json"
        self.script = tag == "script" and not data
        if MARK in tag:
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            runs = name.startswith("on") or (
                name in ADDRESSES and (value or "").strip().lower().startswith("javascript:")
            )
            if MARK in name or (runs and MARK in (value or "")):
                self.found.append(f"<{tag} {name}>")

    def handle_data(self, data: str) -> None:
        """Look at what a script says."""
        if self.script and MARK in data:
            self.found.append("<script>")
        self.script = False


def unsafe_parts(page: str) -> list[str]:
    """What of the payloads is more than text on a page."""
    parser = _Unsafe()
    parser.feed(page)
    parser.close()
    return parser.found


def xss(found: Scene, size: int) -> Iterator[tuple[int, list[str]]]:
    """Scripts in texts, titles, guidelines, names, notes, messages, reasons and reports: none of them would run."""
    ana, coordinator = found.visitors["annotator"], found.visitors["coordinator"]
    said = " ".join(PAYLOADS)
    where, own = f"/judge/empathy/submit/{found.item}", {**found.form, **ANSWERS}
    ana.post(where.replace("/submit/", "/draft/"), data={**own, "note": said})
    ana.post(where.replace("/submit/", "/problem/"), data={**own, "report": "0123456789ab", "words": said})
    ana.post(where, data={**own, "note": said, "draft": "1"})
    names = [each for each in PAYLOADS if len(each) <= 100 and each == each.strip()][: 3 if size == 1 else None]
    csrf = {"csrf": found.csrf["coordinator"]}
    for form in ({"role": "annotator", "names": "\n".join(names)}, {"role": "viewer", "names": names[0]}):
        coordinator.post("/coordinate/empathy/invite", data={**csrf, **form})
    for what in ("message", "exclude", "pause", "resume"):
        form = {"what": what, "name": "new", "reason": said, "words": said, "message": said}
        coordinator.post("/coordinate/empathy/act", data={**csrf, **form})
    asked_about, with_payloads = [f"?name={quote(each)}" for each in ("ana", "new", "i0", *names)], 0
    for visitor, endpoint in [(role, each) for role in ("annotator", "coordinator") for each in _pages(role)]:
        queries = asked_about if visitor == "coordinator" else [""]
        wrong = []
        for query in queries:
            answer = found.visitors[visitor].get(path_of(found, endpoint) + query)
            with_payloads += MARK in answer.text
            wrong += [f"{visitor}: {endpoint.path}{query}: {each}" for each in _unsafe(answer)]
        yield len(queries), wrong
    yield 1, [] if with_payloads > 30 else [f"{with_payloads} views hold a payload: this campaign could not fail"]
    file = found.folder / "report.html"
    run("report", found.folder / "study", "--database", found.folder / "assay.db", "--out", file)
    yield 1, [f"report: {each}" for each in unsafe_parts(file.read_text("utf-8"))]


def _pages(role: str) -> list[Any]:
    return [each for each in ENDPOINTS if each.method == "GET" and each.role == role]


def _unsafe(answer: Any) -> list[str]:
    """What is unsafe about an answer: what it holds, or what it lacks that would keep it harmless."""
    policy, kind = answer.headers.get("content-security-policy", ""), answer.headers.get("content-type", "")
    found = [] if "script-src 'self'" in policy and "unsafe" not in policy else ["no strict content policy"]
    if answer.headers.get("x-content-type-options") != "nosniff":
        found.append("its kind may be guessed")
    return [*found, *(unsafe_parts(answer.text) if kind.startswith("text/html") else [])]


def readings(text: str) -> list[str]:
    """A text as it is, and as somebody would decode it."""
    return [text, html.unescape(text), unquote(text), codecs.decode(text, "rot13"), text[::-1]]


def hits(canaries: dict[str, str], content: bytes) -> list[str]:
    """The fields whose hidden word comes through, whole or by its second half, plain or encoded."""
    plain = [each.lower() for each in readings(content.decode("utf-8", "replace"))]
    found = []
    for name, word in canaries.items():
        coded = [base64.b64encode(word[start:].encode())[:16].decode() for start in range(3)]
        forms = [word[len(word) // 2 :], word.encode().hex()]
        if any(form in text for form in forms for text in plain) or any(each.encode() in content for each in coded):
            found.append(name)
    return found


def canaries(found: Scene, size: int) -> Iterator[tuple[int, list[str]]]:
    """Everything that an annotator can get, on pages and by script: nothing of what is hidden is in it."""
    ana = found.visitors["another annotator"]
    shown = found.visitors["coordinator"].get("/coordinate/empathy/item?name=i0").content
    missing = set(found.canaries) - set(hits(found.canaries, shown + _items_by_api(found)))
    yield 1, [f"{name} is nowhere: this campaign could not fail" for name in missing]
    for _ in range(2 if size == 1 else 8):
        page = ana.get("/judge/empathy").text
        at = page.find("/submit/")
        if at < 0:
            yield 1, ["there is no item to look at: this campaign could not fail"]
            break
        item = page[at + 8 :].split('"', 1)[0]
        own = {**found.form, **ANSWERS, "csrf": _csrf_of(page), "note": "why", "made": "", "draft": "0"}
        got: list[tuple[str, bytes]] = [("the page", page.encode())]
        for endpoint in _pages("annotator"):
            known = {"study": "empathy", "public_id": item, "hash": "0" * 64, "position": "1"}
            path = endpoint.path.format(**known)
            for accept in ("text/html", "application/json"):
                answer = ana.get(path, headers={"Accept": accept})
                got.append((path, answer.content + repr(answer.headers).encode()))
        for action in ("draft", "ahead", "problem", "submit"):
            path = f"/judge/empathy/{action}" + ("" if action == "ahead" else f"/{item}")
            answer = ana.post(
                path, data={**own, "report": "a" * 12, "words": "odd"}, headers={"Accept": "application/json"}
            )
            got.append((path, answer.content + repr(answer.headers).encode()))
        script = {"Authorization": f"Bearer {found.tokens['judge']}"}
        answer = ana.get("/api/v1/studies/empathy/annotators/ben/assignments?ahead=5", headers=script)
        got.append(("the API", answer.content + repr(answer.headers).encode()))
        yield len(got), [f"{name} is in {path}" for path, content in got for name in hits(found.canaries, content)]


def _items_by_api(found: Scene) -> bytes:
    header = {"Authorization": f"Bearer {found.tokens['read']}"}
    content: bytes = found.visitors["anonymous"].get("/api/v1/studies/empathy/items", headers=header).content
    return content


def _csrf_of(page: str) -> str:
    return page.split('name="csrf" value="', 1)[1].split('"', 1)[0]
