"""How fast judges are asked, by the clock of the server that they are asked of."""

import time
from pathlib import Path

import pytest

from assay.judging import spending
from tests.judging.conftest import Command, write_judges
from tests.judging.model_server import Json, ModelServer, model_server

MINUTE = 0.4
"""So long does a minute last here, in seconds."""


@pytest.fixture(autouse=True)
def _short_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spending, "MINUTE", MINUTE)


def plain(schema: Json, text: str, again: bool) -> Json:
    return {"warmth": 3, "clear": 1, "note": None}


def come_no_faster(server: ModelServer, began: float, most: int) -> bool:
    """Whether no more than so many came in each minute since the beginning.

    The n-th one after the first cannot come before n / most whole minutes are over. However slow the machine is, that
    only makes it later.
    """
    return all(at - began >= (number // most) * MINUTE for number, at in enumerate(server.times))


def test_no_more_requests_come_in_a_minute_than_the_limit(study: Path, run: Command) -> None:
    with model_server(answer=plain) as server:
        reached = f"openai: {{address: '{server.address}', model: m}}"
        write_judges(study, f"{{judge: robot, {reached}, limits: {{requests: 3, at_once: 8}}}}")
        began = time.monotonic()
        done = run("judge", study, "--json")
    assert done.json["judged"] == 10, done.err
    assert len(server.times) == 10
    assert come_no_faster(server, began, 3), [at - began for at in server.times]


def test_a_request_that_is_sent_again_counts_too(study: Path, run: Command) -> None:
    with model_server(answer=plain, fault=lambda number, body: "500" if number in (0, 1, 4) else "") as server:
        reached = f"openai: {{address: '{server.address}', model: m}}"
        write_judges(study, f"{{judge: robot, {reached}, limits: {{requests: 4, wait: 0.01}}}}")
        began = time.monotonic()
        assert run("judge", study, "--json").json["judged"] == 10
    assert len(server.times) == 13
    assert come_no_faster(server, began, 4), [at - began for at in server.times]


def test_no_more_tokens_are_asked_for_in_a_minute_than_the_limit(study: Path, run: Command) -> None:
    """What answers took says what the next one may take: two of 1,000 tokens are as many as 2,500 allow."""
    with model_server(answer=plain, usage=1000) as server:
        reached = f"openai: {{address: '{server.address}', model: m}}"
        write_judges(study, f"{{judge: robot, {reached}, limits: {{tokens: 2500, at_once: 1}}}}")
        began = time.monotonic()
        assert run("judge", study, "--json").json["judged"] == 10
    assert come_no_faster(server, began, 2), [at - began for at in server.times]
