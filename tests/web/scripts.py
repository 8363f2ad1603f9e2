"""A script with a token, for tests of the API."""

from collections.abc import Collection
from typing import Any

from assay.store.coordinator import tokens
from assay.store.coordinator.tokens import SCOPES
from tests.conftest import Bench
from tests.pages import SCORES
from tests.web.annotator import Annotator

ANSWERS = {name: int(score) for name, score in SCORES.items()}


def new_token(bench: Bench, *scopes: str, name: str = "script", only: str = "") -> str:
    wanted: Collection[str] = scopes or SCOPES
    given = (bench.study_id, name, wanted, bench.clock())
    return bench.store.write(tokens.make, *given, days=30, only=only)


class Script:
    """Somebody's program, with a token of these scopes; all where none is named."""

    def __init__(self, bench: Bench, *scopes: str, name: str = "script", only: str = "") -> None:
        self.bench = bench
        self.client = bench.client()
        self.token = new_token(bench, *scopes, name=name, only=only)
        self.home = f"/api/v1/studies/{bench.study.study}"

    def ask(self, method: str, path: str = "", body: Any = None, **headers: str) -> Any:
        how: dict[str, Any] = {} if body is None else {"json": body}
        sent = {"Authorization": f"Bearer {self.token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
        return self.client.request(method, self.home + path, headers=sent, **how)

    def get(self, path: str = "", expect: int = 200) -> Any:
        answer = self.ask("GET", path)
        assert answer.status_code == expect, answer.text
        return answer.json()

    def send(self, method: str, path: str, body: Any, expect: int, **headers: str) -> Any:
        answer = self.ask(method, path, body, **headers)
        assert answer.status_code == expect, answer.text
        return answer.json()


def judging(bench: Bench, name: str = "ana") -> str:
    """Somebody who has passed the gates; returns where their assignments are."""
    Annotator(bench, name).begin()
    return f"/annotators/{name}/assignments"
