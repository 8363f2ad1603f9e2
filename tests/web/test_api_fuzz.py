"""Every operation of the API, as its own description has it, with whatever a generator thinks up: never a failure."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.generation import GenerationMode
from starlette.testclient import TestClient

from assay.store import open_store
from assay.web.api import ENDPOINTS
from assay.web.api.openapi import describe_api
from tests.conftest import make_bench
from tests.examples import examples
from tests.web.annotator import Annotator, with_items
from tests.web.scripts import Script

EXAMPLES = int(os.environ.get("API_EXAMPLES", str(examples(40))))
"""For each operation; more of them before a release."""

load_all_checks()
LOOKED_FOR = [
    CHECKS.get_one(name)
    for name in (
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
    )
]
SCHEMA = schemathesis.openapi.from_dict(describe_api(ENDPOINTS))
FOUND = [found.ok() for found in SCHEMA.get_all_operations()]
OPERATIONS = {f"{each.method.upper()} {each.path}": each for each in FOUND}


FEW = 6
"""Where nothing is sent but an address, requests differ in nothing but its names, which are known or not."""
FEWER = {"GET /api/v1/studies/{study}/paper": 3}
"""What takes seconds to make: with this seed asked for twice by names that are known, and once by others."""


def is_only_an_address(name: str) -> bool:
    return not OPERATIONS[name].query and not OPERATIONS[name].body


def cases(name: str) -> st.SearchStrategy[Any]:
    """Requests that are right by the description, and, where something is sent, such as are wrong by it."""
    operation = OPERATIONS[name]
    right = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    if is_only_an_address(name):
        return right
    return st.one_of(right, operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))


class Scene:
    """A small study with somebody at work, and a token that is good for everything."""

    def __init__(self, script: Script, client: TestClient, assignment: str) -> None:
        self.script, self.client = script, client
        self.real = {"study": "empathy", "annotator": "ana", "public_id": assignment, "monitor": "too_fast"}
        self.real |= {"format": "csv", "hash": "0" * 64, "number": "1", "item": "emp-001"}

    def ask(self, case: Any, real: bool) -> Any:
        if real:
            case.path_parameters = {name: self.real[name] for name in case.path_parameters or {}}
        how = case.as_transport_kwargs(base_url="http://testserver")
        headers = {**how.pop("headers"), "Authorization": f"Bearer {self.script.token}"}
        how.pop("cookies", None)
        if isinstance(how.get("data"), bytes | str):
            how["content"] = how.pop("data")
        return self.client.request(how.pop("method"), how.pop("url"), headers=headers, **how)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    store = open_store(folder / "assay.db")
    bench = make_bench(store, folder / "study", edit=with_items(6))
    Annotator(bench).begin()
    script = Script(bench)
    [task] = script.get("/annotators/ana/assignments")["assignments"]
    with TestClient(bench.app, raise_server_exceptions=False) as client:
        yield Scene(script, client, task["assignment"])
    store.close()


@pytest.mark.parametrize("name", OPERATIONS)
def test_no_request_makes_the_program_fail_and_every_answer_is_as_described(scene: Scene, name: str) -> None:
    @seed(11)
    @settings(
        max_examples=min(FEWER.get(name, FEW), EXAMPLES) if is_only_an_address(name) else EXAMPLES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(
        case=cases(name), real=st.sampled_from((True, False) if is_only_an_address(name) else (True, True, True, False))
    )
    def every(case: Any, real: bool) -> None:
        answer = scene.ask(case, real)
        case.validate_response(answer, checks=LOOKED_FOR)

    every()


def test_the_description_has_every_endpoint() -> None:
    assert set(OPERATIONS) == {f"{each.method} {each.address}" for each in ENDPOINTS}
