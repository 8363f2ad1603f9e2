"""A request of a script is done once, however often it comes, on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from assay.store.coordinator import record
from assay.store.tables import judgment, repeat, submission
from tests.conftest import Bench
from tests.web.annotator import rows
from tests.web.scripts import ANSWERS, Script, judging


@pytest.fixture
def script(bench: Bench) -> Script:
    return Script(bench)


def test_the_same_key_and_body_is_one_submission_and_another_body_is_refused(script: Script) -> None:
    bench = script.bench
    home = judging(bench)
    [task] = script.get(home)["assignments"]
    path, body = f"{home}/{task['assignment']}/judgments", {"answers": ANSWERS}
    first = script.send("POST", path, body, 201, Idempotency_Key="one")
    bench.clock.now += 5000
    assert script.send("POST", path, body, 201, Idempotency_Key="one") == first
    assert script.send("POST", path, body, 201, Idempotency_Key="two") == first, "the submission is the same anyway"
    other = {"answers": {**ANSWERS, "emotion": 2}}
    assert "came before" in script.send("POST", path, other, 422, Idempotency_Key="one")["detail"]
    script.send("POST", path, other, 409)
    assert len(rows(bench.store, submission)) == 1
    assert len(rows(bench.store, judgment)) == 5
    bench.clock.now += 8 * 24 * 60 * 60 * 1000
    [task] = script.get(home)["assignments"]
    script.send("POST", f"{home}/{task['assignment']}/judgments", body, 201, Idempotency_Key="new")
    assert [row["key"] for row in rows(bench.store, repeat)] == ["new"], "old keys are not kept for ever"


def test_a_message_sent_twice_under_one_key_is_sent_once(script: Script) -> None:
    script.send("POST", "/annotators", {"names": ["zoe"]}, 201)
    for _ in range(2):
        script.send("POST", "/annotators/zoe/messages", {"words": "Hello."}, 201, Idempotency_Key="m")
    done = script.bench.store.read(record.entries, script.bench.study_id)
    assert [each.what for each in done].count("message") == 1
    script.send("POST", "/annotators/zoe/messages", {"words": "Bye."}, 422, Idempotency_Key="m")


def test_the_same_request_many_times_at_once_is_one_submission_and_equal_answers(script: Script) -> None:
    home = judging(script.bench)
    [task] = script.get(home)["assignments"]
    path = f"{home}/{task['assignment']}/judgments"

    def send(number: int) -> str:
        answer = script.ask("POST", path, {"answers": ANSWERS}, Idempotency_Key=f"k{number % 2}")
        assert answer.status_code == 201, answer.text
        return str(answer.text)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(send, range(12)))
    assert len(set(answers)) == 1
    assert len(rows(script.bench.store, submission)) == 1
    assert len(rows(script.bench.store, repeat)) == 2


ROW = {"eval_id": "n1", "user_statement": "I lost it.", "response": "Oh.", "sample_id": "s", "model_tag": "m"}


def test_items_that_come_twice_under_one_key_are_taken_in_once(script: Script) -> None:
    first = script.send("POST", "/items", {"items": [ROW]}, 201, Idempotency_Key="i")
    assert script.send("POST", "/items", {"items": [ROW]}, 201, Idempotency_Key="i") == first
    assert [each.what for each in script.bench.store.read(record.entries, script.bench.study_id)] == ["import"]
    assert len(script.ask("GET", "/judgments").text.splitlines()) == 0
    assert script.get("/items?limit=1000")["items"][-1]["item"] == "n1"
