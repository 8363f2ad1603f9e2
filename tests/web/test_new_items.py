"""Items that a script sends come in by short steps beside the requests, many of them by a process of their own."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from assay.store.coordinator import record
from assay.store.engine.sqlite import Sqlite
from assay.store.upkeep.verify import verify
from assay.web.api import new_items
from tests.conftest import Bench
from tests.selection import first_of
from tests.web.annotator import everything
from tests.web.scripts import Script


def some(count: int, name: str = "new") -> list[dict[str, Any]]:
    texts = {"user_statement": "I lost it.", "response": "Oh.", "model_tag": "m"}
    return [{"eval_id": f"{name}-{number}", "sample_id": f"{name}-{number}", **texts} for number in range(count)]


@pytest.fixture(params=first_of(["here"], ["apart"], "in another process"))
def script(bench: Bench, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Script:
    monkeypatch.setattr(new_items, "LARGE_BODY", 0 if request.param == "apart" else 10**9)
    return Script(bench)


def test_what_a_script_sends_is_taken_in_once_or_refused_with_every_mistake(script: Script) -> None:
    before = everything(script.bench.store)
    first, second, third = some(3)
    wrong = script.send("POST", "/items", {"items": [first, {**second, "eval_id": ""}, {"eval_id": "n3"}]}, 422)
    said = {each["where"]: each["what"] for each in wrong["problems"]}
    assert said["items.jsonl: row 2, column eval_id"] == "the id is empty"
    assert any("row 3" in where for where in said)
    assert "extra" in script.send("POST", "/items", {"items": [first], "more": 1}, 422)["detail"].lower()
    unmarked = script.ask("POST", "/items", {"items": [first]}, Content_Type="text/plain")
    assert (unmarked.status_code, unmarked.json()["problems"][0]["where"]) == (415, "Content-Type")
    assert "reason" in script.send("POST", "/items", {"items": [first], "replace": True}, 422)["detail"]
    assert everything(script.bench.store) == before
    body = {"items": [first, second]}
    done = script.send("POST", "/items", body, 201, Idempotency_Key="one")
    assert done == {"added": 2, "known": 0, "taken_out": [], "duplicates": 0, "judged": 0, "number": 1}
    after = everything(script.bench.store)
    assert script.send("POST", "/items", body, 201, Idempotency_Key="one") == done
    assert "came before" in script.send("POST", "/items", {"items": [third]}, 422, Idempotency_Key="one")["detail"]
    assert everything(script.bench.store) == after, "of what was refused nothing is left either"
    assert script.send("POST", "/items", body, 201)["known"] == 2
    assert "another content" in script.send("POST", "/items", {"items": [{**first, "response": "Ah."}]}, 422)["detail"]
    [entry] = script.bench.store.read(record.entries, script.bench.study_id)
    assert (entry.what, entry.by) == ("import", "token script")
    assert [problem for each in verify(script.bench.store, None) for problem in each.problems] == []


def test_another_process_answers_as_this_one_does(sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script(sqlite_bench)
    before = everything(script.bench.store)
    answers = []
    for least in (10**9, 0):
        monkeypatch.setattr(new_items, "LARGE_BODY", least)
        refused = script.send("POST", "/items", {"items": [*some(1), {"eval_id": ""}]}, 422, Idempotency_Key="no")
        assert everything(script.bench.store) == before
        answers.append(refused["problems"])
    assert answers[0] == answers[1] != []
    done = script.send("POST", "/items", {"items": some(2)}, 201, Idempotency_Key="one")
    assert done["added"] == 2
    monkeypatch.setattr(new_items, "LARGE_BODY", 10**9)
    assert script.send("POST", "/items", {"items": some(2)}, 201, Idempotency_Key="one") == done


def test_what_comes_at_once_is_taken_in_one_after_the_other(script: Script) -> None:
    def send(name: str) -> Any:
        return script.send("POST", "/items", {"items": some(3, name)}, 201, Idempotency_Key=name[:1])

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(send, ("ant", "bee", "ant", "bee")))
    assert (done[0], done[1]) == (done[2], done[3])
    assert {each["number"] for each in done} == {1, 2}
    assert script.get()["items"] == 48 + 6


def test_many_items_are_written_by_another_process(sqlite_bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    script, done = Script(sqlite_bench), []
    do = Sqlite.do

    def counted(*at: Any, **values: Any) -> Any:
        done.append(at)
        return do(*at, **values)

    monkeypatch.setattr(Sqlite, "do", counted)
    rows = [{**each, "response": "Oh. " * 50} for each in some(500)]
    assert script.send("POST", "/items", {"items": rows}, 201)["added"] == 500
    assert not done, "nothing was written here"
    assert script.send("POST", "/items", {"items": some(5, "few")}, 201)["added"] == 5
    assert done
