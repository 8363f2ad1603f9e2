"""Who may ask the API for what. The matrix is made from the endpoints, so a new one is in it by being there."""

import ast
import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest

from assay.store import open_store
from assay.store.coordinator import tokens
from assay.store.coordinator.tokens import SCOPES
from assay.web.api import ENDPOINTS, assignments
from assay.web.api.endpoint import MOST_BODY, ApiEndpoint, Scope
from tests.conftest import Bench, make_bench
from tests.web.annotator import Annotator, edited, everything, read_csv, with_items, write_csv
from tests.web.scripts import ANSWERS, Script
from tests.web.test_access import PICTURE, add_picture
from tests.web.test_blinding import Canaries

GUARDED = [endpoint for endpoint in ENDPOINTS if endpoint.scope != "anyone"]
WRITES = [endpoint for endpoint in GUARDED if endpoint.method != "GET"]
BODIES: dict[str, Any] = {
    "AgreedAnswers": {"answers": {"emotion": 3}, "reason": "why"},
    "StudyChange": {"state": "open"},
    "NewItems": {"items": [{"eval_id": "n"}]},
    "Invitation": {"names": ["new"]},
    "AnnotatorChange": {"state": "active"},
    "NewMessage": {"words": "hello"},
    "NewNote": {"words": "a note"},
    "NewVersion": {"dry_run": True, "zip": "eA=="},
    "GatePass": {"gate": "consent", "reason": "why"},
    "NewDraft": {"answers": ANSWERS},
    "NewJudgments": {"answers": ANSWERS},
    "Undoing": {"reason": "why"},
    "Erasing": {"name": "another"},
    "TextReview": {"leave_out": ["nothing"]},
    "RetentionRequest": {"reason": "why"},
    "Reopening": {"item": "emp-001", "reason": "why"},
    "ItemChange": {"taken_out": False, "reason": "why"},
    "FlagAction": {"action": "dismiss", "reason": "why"},
}


def name(endpoint: ApiEndpoint) -> str:
    return f"{endpoint.method} {endpoint.path}"


@dataclass
class Scene:
    """Two studies in one store, a token of each single scope, and tokens that are good for nothing here."""

    bench: Bench
    tokens: dict[str, str]
    item: str

    def ask(self, endpoint: ApiEndpoint, token: str | None, **how: Any) -> Any:
        of_what = {"annotator": "ana", "public_id": self.item, "monitor": "too_fast", "hash": PICTURE, "number": "1"}
        path = endpoint.address.format(study="empathy", format="csv", item="emp-001", **of_what)
        headers = {} if token is None else {"Authorization": token}
        if endpoint.body is not None:
            how.setdefault("json", BODIES[endpoint.body.__name__])
        return self.bench.client().request(endpoint.method, path, headers={**headers, **how.pop("more", {})}, **how)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("api")
    store = open_store(folder / "assay.db")
    bench = make_bench(store, folder / "study", edit=with_items(6))
    other = make_bench(store, folder / "other", edit=edited(study="other"))
    add_picture(bench)
    Annotator(bench).begin()
    bench.link("ben")
    made = {scope: Script(bench, scope, name=scope).token for scope in SCOPES}
    made["of another study"] = Script(other, name="other").token
    made["revoked"] = Script(bench, name="revoked").token
    store.write(tokens.revoke, bench.study_id, "revoked", bench.clock())
    made["for ben alone"] = Script(bench, "judge", name="ben", only="ben").token
    judge = Script(bench, name="all")
    made["all"] = judge.token
    [task] = judge.get("/annotators/ana/assignments")["assignments"]
    yield Scene(bench, made, task["assignment"])
    store.close()


def test_every_endpoint_declares_its_scope_and_only_the_description_is_for_anyone() -> None:
    assert all(endpoint.scope in get_args(Scope) for endpoint in ENDPOINTS)
    assert set(get_args(Scope)) == {"anyone", *SCOPES}
    assert [endpoint.path for endpoint in ENDPOINTS if endpoint.scope == "anyone"] == ["/openapi.json"]
    with pytest.raises(TypeError, match="scope"):
        ApiEndpoint("GET", "/anything", handler=ENDPOINTS[0].handler)  # type: ignore[call-arg]


def test_what_changes_something_needs_the_scope_to_manage_or_to_judge() -> None:
    assert {endpoint.scope for endpoint in WRITES} == {"manage", "judge"}
    assert {endpoint.scope for endpoint in GUARDED if "{public_id}" in endpoint.path} == {"judge"}


@pytest.mark.parametrize("endpoint", GUARDED, ids=name)
def test_nobody_without_the_declared_scope_is_answered(scene: Scene, endpoint: ApiEndpoint) -> None:
    before = everything(scene.bench.store)
    for token in (None, "", "Bearer", "Bearer x", f"Basic {scene.tokens['all']}", f"Bearer {scene.tokens['revoked']}"):
        answer = scene.ask(endpoint, token)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.headers["content-type"] == "application/problem+json"
    for scope in SCOPES:
        if scope != endpoint.scope:
            assert scene.ask(endpoint, f"Bearer {scene.tokens[scope]}").status_code == 403
    if "{study}" in endpoint.path:
        assert scene.ask(endpoint, f"Bearer {scene.tokens['of another study']}").status_code == 404
    assert everything(scene.bench.store) == before


@pytest.mark.parametrize("endpoint", GUARDED, ids=name)
def test_the_declared_scope_is_answered(scene: Scene, endpoint: ApiEndpoint) -> None:
    answer = scene.ask(endpoint, f"Bearer {scene.tokens[endpoint.scope]}")
    refused_for_their_content = {"NewItems": 422, "GatePass": 422, "NewVersion": 422, "FlagAction": 404}
    refused_for_their_content |= {"Undoing": 404, "Erasing": 422, "Reopening": 422, "TextReview": 422}
    wanted = refused_for_their_content.get(endpoint.body.__name__, endpoint.status) if endpoint.body else 200
    if endpoint.path.endswith(("/annotators/{annotator}/items", "/assignments/{public_id}")):
        wanted = 409  # people judge one item after the other here
    if endpoint.path.endswith("/backup"):
        wanted = 422  # the store holds another study, too
    if endpoint.path.endswith("/judge-cards"):
        wanted = 404  # no judge has judged
    assert answer.status_code == wanted, answer.text


def test_a_token_for_one_annotator_acts_for_nobody_else(scene: Scene) -> None:
    mine = f"Bearer {scene.tokens['for ben alone']}"
    for endpoint in GUARDED:
        if endpoint.scope == "judge" and "{annotator}" in endpoint.path:
            assert scene.ask(endpoint, mine).status_code == 404
    answer = scene.bench.client().get(
        "/api/v1/studies/empathy/annotators/ben/assignments", headers={"Authorization": mine}
    )
    assert answer.status_code == 403, "ben has not passed the gates"


def test_what_is_missing_and_what_is_somebody_elses_look_the_same(scene: Scene) -> None:
    client, headers = scene.bench.client(), {"Authorization": f"Bearer {scene.tokens['all']}"}
    answers = [client.get(f"/api/v1/studies/{study}", headers=headers) for study in ("other", "nothing", "%ff")]
    assert {(each.status_code, each.text) for each in answers} == {(404, answers[0].text)}


@pytest.mark.parametrize("endpoint", WRITES, ids=name)
def test_only_json_of_a_bounded_length_is_understood(scene: Scene, endpoint: ApiEndpoint) -> None:
    token = f"Bearer {scene.tokens[endpoint.scope]}"
    before = everything(scene.bench.store)

    def status(content: bytes, kind: str = "application/json") -> int:
        answer = scene.ask(endpoint, token, json=None, content=content, more={"Content-Type": kind})
        assert answer.json()["problems"]
        return int(answer.status_code)

    assert status(b"{}", "text/plain") == 415
    assert status(b"a=1", "application/x-www-form-urlencoded") == 415
    for content in (b"", b"{", b"\xff", b"[" * 100_000, b'{"a": NaN}', b'{"a": 1, "a": 2}'):
        assert status(content) == 400, content[:20]
    for content in (b"[]", b"null", b'{"unknown": 1}'):
        assert status(content) == 422, content
    assert endpoint.body is not None
    right = json.dumps(BODIES[endpoint.body.__name__]).replace("}}", ', "note": "why"}}')
    for strange in ("\\u0000", "\\ud800"):  # put into every text
        wrong = right.replace('"]', f'{strange}"]').replace('"}', f'{strange}"}}')
        assert wrong != right
        assert status(wrong.encode()) == 422
    assert status(b" " * (max(MOST_BODY, endpoint.most_body) + 1)) == 413
    assert everything(scene.bench.store) == before


def test_addresses_that_are_not_there_are_answered_as_problems(scene: Scene) -> None:
    client = scene.bench.client()
    for method, path, status in (
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/", 404),
        ("DELETE", "/api/v1/studies/empathy", 405),
        ("PUT", "/api/v1/studies/empathy/annotators", 405),
    ):
        answer = client.request(method, path)
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["problems"][0]["fix"]
    assert answer.headers["allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "limit=1&limit=2", "password=1", "limit=1e3", "after=-1"])
def test_a_parameter_that_is_not_known_or_out_of_bounds_is_refused(scene: Scene, query: str) -> None:
    headers = {"Authorization": f"Bearer {scene.tokens['read']}"}
    answer = scene.bench.client().get(f"/api/v1/studies/empathy/items?{query}", headers=headers)
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["where"].startswith("query ")


def test_a_cookie_opens_nothing(scene: Scene) -> None:
    ana = Annotator(scene.bench, "cara").begin()
    assert ana.client.get("/api/v1/studies/empathy/annotators/cara/assignments").status_code == 401


def test_no_token_is_written_into_the_store(scene: Scene) -> None:
    stored = json.dumps(everything(scene.bench.store), default=str)
    assert not any(token in stored for token in scene.tokens.values())


# Blinding


def test_who_acts_for_an_annotator_sees_nothing_that_is_hidden(tmp_path: Path) -> None:
    canaries = Canaries()

    def plant(folder: Path) -> None:
        found = [
            {**row, "sample_id": canaries.new(f"group {n}"), "model_tag": canaries.new(f"system {n}")}
            for n, row in enumerate(read_csv(folder / "items.csv")[:4])
        ]
        for number, row in enumerate(found):
            row["eval_id"] = canaries.new(f"id {number}")
            row["auto_score"] = canaries.new(f"score {number}")
        write_csv(folder / "items.csv", found)
        study = folder / "study.yaml"
        lines = study.read_text("utf-8").splitlines()
        study.write_text("\n".join(line for line in lines if not line.strip().startswith("join:")) + "\n", "utf-8")

    store = open_store(tmp_path / "assay.db")
    bench = make_bench(store, tmp_path / "study", edit=plant)
    Annotator(bench).begin()
    script = Script(bench, "judge")
    seen = b""
    for _ in range(4):
        answer = script.ask("GET", "/annotators/ana/assignments?ahead=3")
        seen += answer.content
        path = f"/annotators/ana/assignments/{answer.json()['assignments'][0]['assignment']}/judgments"
        for body in ({"answers": {}}, {"answers": ANSWERS}, {"answers": {**ANSWERS, "emotion": 2}}):
            answer = script.ask("POST", path, body)
            seen += answer.content + str(answer.headers).encode()
    seen += script.ask("GET", "/annotators/ana/assignments").content
    for path in ("/items", "/judgments", "/report", "/exports/csv", "/flags", "/annotators", "/nothing"):
        seen += script.ask("GET", path).content
    store.close()
    assert b"user_statement" in seen, "the shown fields are there"
    assert canaries.hits(seen) == []


def test_what_is_revealed_later_is_not_there_before(tmp_path: Path) -> None:
    store = open_store(tmp_path / "assay.db")
    bench = make_bench(store, tmp_path / "study", "trajectories")
    Annotator(bench).begin()
    script = Script(bench, "judge")
    [task] = script.get("/annotators/ana/assignments?ahead=5")["assignments"]
    later = bench.study.items.later_fields
    assert later
    assert not set(later) & set(task["shown"])
    pictures = [value for value in task["shown"].values() if isinstance(value, dict) and "picture" in value]
    assert pictures
    answer = script.client.get(pictures[0]["picture"], headers={"Authorization": f"Bearer {script.token}"})
    assert answer.headers["content-type"] == "image/png"
    store.close()


def test_a_script_gets_the_later_block_by_a_draft_and_answers_about_it_only_then(tmp_path: Path) -> None:
    store = open_store(tmp_path / "assay.db")
    bench = make_bench(store, tmp_path / "study", "trajectories")
    Annotator(bench).begin()
    script = Script(bench, "judge")
    [task] = script.get("/annotators/ana/assignments")["assignments"]
    home = f"/annotators/ana/assignments/{task['assignment']}"
    process = {
        f"{name}.{side}": 3 for name in ("coherence", "efficiency", "thoroughness") for side in ("left", "right")
    }
    rest = {"correctness.left": 1, "correctness.right": 0, "preference": "left", "confidence": 3}
    assert len(task["seen"]) == 1, "the proof of the page alone"
    refused = script.send("POST", f"{home}/judgments", {"answers": {**process, **rest}}, 422)
    assert {each["where"] for each in refused["problems"]} == {"answers.correctness.left", "answers.correctness.right"}
    some = script.send("POST", f"{home}/draft", {"answers": dict(list(process.items())[:5])}, 200)
    assert "ground_truth" not in some["shown"]
    shown = script.send("POST", f"{home}/draft", {"answers": process}, 200)
    assert shown["shown"]["ground_truth"]
    sent = {"answers": {**process, **rest}, "seen": shown["seen"]}
    script.send("POST", f"{home}/judgments", sent, 201)
    store.close()


def test_the_module_for_judging_imports_nothing_that_reads_what_is_hidden() -> None:
    tree = ast.parse(inspect.getsource(assignments))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert not names & {"results", "item_hidden", "tables", "metadata", "oversight", "listed"}
