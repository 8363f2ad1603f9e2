"""Campaigns of requests: who is answered by which address, and which forms are taken."""

from collections.abc import Iterator
from typing import Any

from tools.attack_scene import ANSWERS, Scene

from assay.web.access import SIGN_OUT, Endpoint
from assay.web.api import ENDPOINTS as API
from assay.web.api.endpoint import ApiEndpoint
from assay.web.app import ENDPOINTS

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ROLES = {
    "annotator": {"annotator"},
    "another annotator": {"annotator"},
    "coordinator": {"coordinator"},
    "viewer": {"coordinator"},
}
"""What each visitor may be answered as, in this study. All others may not."""
OWN = ("draft", "submit", "reveal", "again", "problem", "item")
"""Addresses that name an item of one annotator: to another it does not exist."""


def path_of(found: Scene, endpoint: Endpoint | ApiEndpoint) -> str:
    """The address of an endpoint, with something in it that exists."""
    parts = {"study": "empathy", "public_id": found.item, "token": found.link, "hash": "0" * 64}
    parts |= {"annotator": "ana", "monitor": "too_fast", "number": "1", "format": "csv", "item": "emp-001"}
    parts["position"] = "1"
    return str(getattr(endpoint, "address", endpoint.path)).format(**parts)


def _ask(found: Scene, visitor: str, endpoint: Endpoint, **more: Any) -> Any:
    role = "coordinator" if endpoint.role == "coordinator" else "annotator"
    data = {**found.form, **ANSWERS, "csrf": found.csrf[role], "reason": "x", "name": "ben", **more.pop("form", {})}
    how = {"data": data, **more} if endpoint.method == "POST" else {}
    return found.visitors[visitor].request(endpoint.method, path_of(found, endpoint), follow_redirects=False, **how)


def _wanted(visitor: str, endpoint: Endpoint) -> set[int]:
    """How a visitor may be answered by a page; nothing where that is the business of other tests."""
    posts, own = endpoint.method == "POST", any(f"/{part}/" in endpoint.path for part in OWN)
    if endpoint.role == "anyone" or visitor == endpoint.role:
        return set()
    if endpoint.role not in ROLES.get(visitor, set()):
        return {401}
    if visitor == "viewer":
        return (set() if endpoint.path.endswith(SIGN_OUT) else {403}) if posts else {200, 403, 404}
    # Another annotator: an item of the first one does not exist for them.
    return ({404} if own else set()) if posts else ({303, 404} if own else {200, 303, 404})


def access(found: Scene, size: int) -> Iterator[tuple[int, list[str]]]:
    """Every page as every visitor, every API route with every token: nobody but the declared ones is answered."""
    before = found.stored()
    for endpoint in ENDPOINTS:
        wrong, asked = [], 0
        for visitor in found.visitors:
            if wanted := _wanted(visitor, endpoint):
                own = {"form": {"csrf": found.csrf[visitor]}} if visitor == "another annotator" else {}
                answer, asked = _ask(found, visitor, endpoint, **own), asked + 1
                if answer.status_code not in wanted:
                    wrong.append(f"{visitor}: {endpoint.method} {endpoint.path} answered {answer.status_code}")
        yield asked, wrong
    for route in [each for each in API if each.scope != "anyone"]:
        given = {name: f"Bearer {token}" for name, token in found.tokens.items() if name != route.scope}
        given |= {"none": "", "nonsense": "Bearer x", "basic": f"Basic {found.tokens[route.scope]}"}
        wrong = []
        for name, header in given.items():
            headers = {"Authorization": header} if header else {}
            how = {} if route.body is None else {"json": {"answers": {}}}
            asked_for = found.visitors["anonymous"].request(route.method, path_of(found, route), headers=headers, **how)
            own = name == "of another study" and "{study}" not in route.path
            allowed = own or (name == "for ben alone" and route.scope == "judge" and "{annotator}" not in route.path)
            if asked_for.status_code not in ((200, 404) if allowed else (401, 403, 404, 429)):
                wrong.append(f"{name}: {route.method} {route.address} answered {asked_for.status_code}")
        yield len(given), wrong
    yield 1, _changed(found, before)


def _changed(found: Scene, before: dict[str, list[str]]) -> list[str]:
    after = found.stored()
    return [f"something was changed in {name}" for name in before if before[name] != after[name]]


VARIANTS: list[dict[str, Any]] = [
    {"form": {"csrf": ""}},
    {"form": {"csrf": "wrong"}},
    {"headers": {"Origin": "https://evil.example"}},
    {"headers": {"Origin": "http://127.0.0.1.evil.example"}},
    {"headers": {"Origin": "http://127.0.0.1:1"}},
    {"headers": {"Origin": "http://["}},
    {"headers": {"Origin": "null", "Sec-Fetch-Site": "cross-site"}},
    {"headers": {"Sec-Fetch-Site": "same-site"}},
    {"headers": {"Sec-Fetch-Site": "cross-site"}},
    {"headers": {"Content-Type": "text/plain"}},
    {"headers": {"Content-Type": "application/json"}},
    {"headers": {"Content-Type": "multipart/form-data; boundary=x"}},
    {"content": b"csrf=%00", "data": None, "headers": FORM},
]


def csrf(found: Scene, size: int) -> Iterator[tuple[int, list[str]]]:
    """Forms that another site could send: none is taken, and nothing is changed."""
    before = found.stored()
    variants = [*VARIANTS, {"form": {"csrf": found.csrf["viewer"]}}][: None if size > 1 else 8]
    for endpoint in [each for each in ENDPOINTS if each.method == "POST"]:
        visitor = "coordinator" if endpoint.role == "coordinator" else "annotator"
        wrong, asked = [], 0
        for variant in variants:
            if endpoint.role == "anyone" and "form" in variant:
                continue  # whoever is nobody yet has no token
            answer, asked = _ask(found, visitor, endpoint, **{**variant}), asked + 1
            if answer.status_code not in (400, 403, 415):
                wrong.append(f"{endpoint.method} {endpoint.path} {variant} answered {answer.status_code}")
        yield asked, wrong
    anonymous = found.visitors["anonymous"].post("/join", data={"token": found.link}, headers={"Origin": "null"})
    yield 1, [] if anonymous.status_code == 403 else [f"POST /join from anywhere answered {anonymous.status_code}"]
    yield 1, _changed(found, before)
