"""The API does what the pages and commands do, under the same rules."""

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from assay import acts
from assay.kinds import EXPORTS
from assay.model import Flag
from assay.simulate import Character, simulate
from assay.store.coordinator import flags, record, study_status, tokens
from assay.store.tables import judgment, link, token
from tests.conftest import Bench, make_bench
from tests.pages import item_form
from tests.web.annotator import Annotator, everything, rows, submissions
from tests.web.scripts import ANSWERS, Script, judging


@pytest.fixture
def script(sqlite_bench: Bench) -> Script:
    return Script(sqlite_bench)


def test_a_study_is_read_with_its_rubric_and_state(script: Script) -> None:
    found = script.get()
    assert (found["study"], found["state"], found["items"], found["finished"]) == ("empathy", "open", 48, 0)
    assert found["rubric"][0] == {
        "dimension": "emotion", "kind": "scale", "level": "ordinal", "of": "item", "values": [1, 2, 3, 4, 5],
    }  # fmt: skip
    answer = script.client.get("/api/v1/studies", headers={"Authorization": f"Bearer {script.token}"})
    assert answer.json() == {"studies": [found]}


def test_items_come_page_by_page_and_each_once(script: Script) -> None:
    names: list[str] = []
    after: int | None = 0
    while after is not None:
        page = script.get(f"/items?limit=20&after={after}")
        names += [each["item"] for each in page["items"]]
        after = page["next"]
    assert len(names) == len(set(names)) == 48


ROW = {"eval_id": "n1", "user_statement": "I lost it.", "response": "Oh.", "sample_id": "s", "model_tag": "m"}


def test_items_are_taken_in_all_or_none_with_the_row_that_is_wrong(script: Script) -> None:
    before = everything(script.bench.store)
    wrong = script.send("POST", "/items", {"items": [ROW, {**ROW, "eval_id": ""}, {"eval_id": "n3"}]}, 422)
    said = {each["where"]: each["what"] for each in wrong["problems"]}
    assert said["items.jsonl: row 2, column eval_id"] == "the id is empty"
    assert any("row 3" in where for where in said)
    assert everything(script.bench.store) == before
    assert script.send("POST", "/items", {"items": [ROW]}, 201) == {
        "added": 1, "known": 0, "taken_out": [], "duplicates": 0, "judged": 0, "number": 1,
    }  # fmt: skip
    assert script.send("POST", "/items", {"items": [ROW]}, 201)["known"] == 1
    changed = script.send("POST", "/items", {"items": [{**ROW, "response": "Ah."}]}, 422)
    assert "another content" in changed["detail"]
    assert script.get()["items"] == 49


def test_an_import_is_listed_and_taken_back(script: Script) -> None:
    assert script.send("POST", "/items", {"items": [ROW]}, 201)["number"] == 1
    [listed] = script.get("/imports")["imports"]
    assert (listed["number"], listed["by"], listed["items"], listed["undone_at"]) == (1, "token script", 1, None)
    script.send("POST", "/imports/7/undo", {"reason": "wrong"}, 404)
    script.send("POST", "/imports/one/undo", {"reason": "wrong"}, 404)
    script.send("POST", "/imports/1/undo", {"reason": ""}, 422)
    assert script.send("POST", "/imports/1/undo", {"reason": "wrong"}, 200) == {"number": 1, "taken_out": 0}
    assert script.get()["items"] == 48
    [listed] = script.get("/imports")["imports"]
    assert (listed["undone_by"], listed["undone_reason"]) == ("token script", "wrong")
    assert "already" in script.send("POST", "/imports/1/undo", {"reason": "wrong"}, 422)["detail"]
    script.send("POST", "/items", {"items": [ROW]}, 201)
    out = script.send("POST", "/imports/2/undo", {"reason": "wrong", "take_out": True}, 200)
    assert out == {"number": 2, "taken_out": 1}
    assert script.get()["items"] == 48


def test_an_item_is_taken_out_stays_out_and_is_put_back(script: Script) -> None:
    script.send("POST", "/items", {"items": [ROW]}, 201)
    script.send("PATCH", "/items/nothing", {"taken_out": True, "reason": "broken"}, 404)
    script.send("PATCH", "/items/n1", {"taken_out": True}, 422)
    out = {"item": "n1", "taken_out": True}
    for _ in range(2):
        assert script.send("PATCH", "/items/n1", {"taken_out": True, "reason": "broken"}, 200) == out
    assert script.get()["items"] == 48
    again = script.send("POST", "/items", {"items": [ROW]}, 201)
    assert (again["added"], again["known"], again["taken_out"]) == (0, 1, ["n1"])
    assert script.send("PATCH", "/items/n1", {"taken_out": False}, 200) == {"item": "n1", "taken_out": False}
    assert script.get()["items"] == 49


@pytest.mark.parametrize("written", ["d1/3/ant+bee", "d1%2F3%2Fant%2Bbee"])
def test_an_item_whose_id_has_slashes_is_found_by_it(written: str, script: Script) -> None:
    name = "d1/3/ant+bee"
    script.send("POST", "/items", {"items": [{**ROW, "eval_id": name}]}, 201)
    out = script.send("PATCH", f"/items/{written}", {"taken_out": True, "reason": "broken"}, 200)
    assert out == {"item": name, "taken_out": True}
    wrong = script.send("POST", f"/adjudications/{written}", {"answers": {"emotion": 9}, "reason": "x"}, 422)
    assert "emotion" in wrong["detail"], "the item is found, and the answer is none"


def test_somebody_is_invited_by_a_link_that_is_shown_once(script: Script) -> None:
    made = script.send("POST", "/annotators", {"names": ["zoe"], "count": 1}, 201, Idempotency_Key="k")["invited"]
    assert [each["annotator"] for each in made] == ["zoe", "a1"]
    page = script.bench.client().get(made[0]["link"])
    assert page.status_code == 200
    stored = json.dumps(everything(script.bench.store), default=str)
    assert made[0]["link"].rsplit("/", 1)[1] not in stored
    listed = script.get("/annotators")["annotators"]
    assert {each["annotator"] for each in listed} == {each["pseudonym"] for each in made}
    assert {each["name"] for each in listed} == {"zoe", ""}
    assert len(rows(script.bench.store, link)) == 2


def test_places_of_somebody_who_is_left_out_go_to_others_where_the_script_says_so(script: Script) -> None:
    script.send("POST", "/annotators", {"names": ["zoe"]}, 201)
    script.send("PATCH", "/annotators/zoe", {"excluded": True, "reassign": True, "reason": "a test"}, 200)
    zoe = script.get("/annotators/zoe")
    assert (zoe["state"], zoe["excluded"]) == ("released", True)


def test_every_write_is_recorded_under_the_name_of_the_token(script: Script) -> None:
    script.send("POST", "/annotators", {"names": ["zoe"]}, 201)
    script.send("PATCH", "/annotators/zoe", {"state": "paused", "reason": "holiday"}, 200)
    script.send("PATCH", "/annotators/zoe", {"excluded": True, "reason": "a test"}, 200)
    script.send("POST", "/annotators/zoe/messages", {"words": "Read this."}, 201)
    assert script.send("POST", "/annotators/zoe/notes", {"words": "Talked to her."}, 201) == {"recorded": "note"}
    script.send("PATCH", "", {"state": "paused", "reason": "lunch"}, 200)
    script.send("POST", "/items", {"items": [ROW]}, 201)
    done = script.bench.store.read(record.entries, script.bench.study_id)
    assert {each.by for each in done} == {"token script"}
    assert [each.what for each in done] == ["import", "pause study", "note", "message", "exclude", "pause", "invite"]
    assert [each["what"] for each in script.get("/actions?limit=2")["actions"]] == ["import", "pause study"]
    zoe = script.get("/annotators/zoe")
    assert (zoe["state"], zoe["excluded"]) == ("paused", True)
    assert script.get()["state"] == "paused"
    refused = script.send("PATCH", "/annotators/zoe", {"excluded": True}, 422)
    assert "a reason is needed" in refused["detail"]


def test_judgments_are_stored_as_the_page_stores_them(script: Script) -> None:
    home = judging(script.bench)
    [task] = script.get(home)["assignments"]
    receipt = script.send("POST", f"{home}/{task['assignment']}/judgments", {"answers": ANSWERS}, 201)
    Annotator(script.bench, "ben").begin().submit()
    [mine], [theirs] = submissions(script.bench.store, "ana"), submissions(script.bench.store, "ben")
    assert mine["id"] == receipt["submission"]
    assert mine["answers"] == theirs["answers"]
    same = ("fingerprint", "study_hash", "consent", "source", "revision", "pass", "surplus", "overridden")
    assert {key: mine[key] for key in same} == {key: theirs[key] for key in same}
    [after] = script.get(home)["assignments"]
    assert after["assignment"] != task["assignment"]


def test_judgments_that_break_a_rule_are_refused_question_by_question(script: Script) -> None:
    home = judging(script.bench)
    [task] = script.get(home)["assignments"]
    path = f"{home}/{task['assignment']}/judgments"
    before = everything(script.bench.store)
    without = script.send("POST", path, {"answers": {**ANSWERS, "safety": None, "emotion": 9}}, 422)
    assert {each["where"] for each in without["problems"]} == {"answers.safety", "answers.emotion"}
    extreme = script.send("POST", path, {"answers": {**ANSWERS, "emotion": 1}}, 422)
    assert [each["where"] for each in extreme["problems"]] == ["answers.note"], "the study's own rule"
    unknown = script.send("POST", path, {"answers": {**ANSWERS, "saftey": 3}}, 422)
    assert "nothing is asked under this key" in unknown["detail"]
    script.send("POST", path, {"answers": {}}, 422)
    assert everything(script.bench.store) == before


def test_work_waits_for_the_gates_and_for_the_study(script: Script) -> None:
    script.send("POST", "/annotators", {"names": ["zoe"]}, 201)
    assert "the gate consent is not passed" in script.get("/annotators/zoe/assignments", 403)["detail"]
    refused = script.send("POST", "/annotators/zoe/gates", {"gate": "consent", "reason": "why not"}, 422)
    assert "nobody can pass consent for another" in refused["detail"]
    home = judging(script.bench)
    script.send("PATCH", "", {"state": "paused"}, 200)
    assert script.get(home) == {"state": "paused", "assignments": []}


def test_items_ahead_are_given_out_as_the_page_gives_them(script: Script) -> None:
    home = judging(script.bench)
    found = script.get(f"{home}?ahead=3")["assignments"]
    assert [each["position"] for each in found] == [1, 2, 3, 4]
    assert [each["assignment"] for each in script.get(f"{home}?ahead=3")["assignments"]] == [
        each["assignment"] for each in found
    ]


def test_judgments_are_read_as_lines_the_newest_or_all(tmp_path: Path, sqlite_store: Any) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", "in-car")
    ana = Annotator(bench).begin()
    script = Script(bench)
    [task] = script.get("/annotators/ana/assignments")["assignments"]
    needed = [each for each in task["questions"] if not each["optional"]]
    answers = {each["key"]: each["options"][0]["value"] for each in needed}
    script.send("POST", f"/annotators/ana/assignments/{task['assignment']}/judgments", {"answers": answers}, 201)
    lines = [json.loads(line) for line in script.ask("GET", "/judgments").text.splitlines()]
    assert len(lines) == len(rows(bench.store, judgment))
    assert {line["system"] for line in lines if line["annotator"] == "ana"} != {""}
    # The person comes back to it on the page, and changes an answer.
    page = ana.client.get(f"/judge/in-car/item/{task['assignment']}").text
    address, form = item_form(page)
    key = next(each["key"] for each in needed if each["options"])
    changed = {each: str(value) if not isinstance(value, bool) else "yes" for each, value in answers.items()}
    other = next(each["options"][1]["value"] for each in task["questions"] if each["key"] == key)
    assert ana.send(address, {**form, **changed, key: str(other)}).status_code == 200
    newest = [json.loads(line) for line in script.ask("GET", "/judgments").text.splitlines()]
    assert len(newest) == len(lines)
    assert {line["revision"] for line in newest if line["annotator"] == "ana"} == {2}
    assert len(script.ask("GET", "/judgments?which=all").text.splitlines()) > len(newest)


def test_flags_are_read_and_dismissed_with_a_reason(script: Script) -> None:
    bench = script.bench
    judging(bench)
    raised = Flag("too_fast", "ana", "twelve items in a minute", ("emp-001",), {"items": 12})
    bench.store.write(flags.keep, bench.study_id, [raised], bench.clock())
    path = "/flags/ana/too_fast"
    script.send("POST", path, {"action": "dismiss", "reason": ""}, 422)
    assert script.send("POST", path, {"action": "dismiss", "reason": "a fast reader"}, 200)["state"] == "dismissed"
    script.send("POST", path, {"action": "dismiss", "reason": "again"}, 422)
    script.send("POST", "/flags/ana/nothing", {"action": "dismiss", "reason": "x"}, 404)
    [done] = bench.store.read(record.entries, bench.study_id)
    assert (done.by, done.what, done.reason) == ("token script", "dismiss", "a fast reader")
    assert [each["state"] for each in script.get("/flags")["flags"]] == ["dismissed"]


def test_every_format_that_suits_the_study_can_be_taken_out(script: Script) -> None:
    ana = Annotator(script.bench).begin()
    ana.submit()
    listed = {each["format"]: each["file"] for each in script.get("/exports")["formats"]}
    assert {"csv", "jsonl"} <= set(listed)
    for name, file in listed.items():
        answer = script.ask("GET", f"/exports/{name}")
        assert answer.status_code == 200, f"{name}: {answer.text}"
        assert f'filename="{file}"' in answer.headers["content-disposition"]
        if file.endswith(".zip"):
            assert zipfile.ZipFile(BytesIO(answer.content)).testzip() is None
    assert "emp-" in script.ask("GET", "/exports/csv").text
    unsuited = set(EXPORTS) - set(listed)
    for name in unsuited:
        assert script.ask("GET", f"/exports/{name}").status_code == 422
    assert script.ask("GET", "/exports/word").status_code == 404


def test_the_report_has_every_number(script: Script) -> None:
    ana = Annotator(script.bench).begin()
    ana.submit()
    assert script.get("/report")["overview"]["submissions"] == 1


def test_a_token_that_expired_or_was_revoked_is_good_no_longer(script: Script) -> None:
    bench = script.bench
    short = Script(bench, "read", name="short")
    bench.store.write(tokens.revoke, bench.study_id, "short", bench.clock())
    assert short.ask("GET").status_code == 401
    bench.clock.now += 30 * 24 * 60 * 60 * 1000 - 1
    assert script.ask("GET").status_code == 200
    bench.clock.now += 1
    assert script.ask("GET").status_code == 401
    assert script.token not in json.dumps(rows(bench.store, token))


def test_a_study_that_was_removed_is_there_for_no_token(script: Script) -> None:
    by = record.By(script.bench.study_id, "me", script.bench.clock(), "over")
    script.bench.store.write(acts.remove_study, by, "empathy")
    assert script.ask("GET").status_code == 401


def test_a_person_paused_by_script_sees_it_on_their_page(script: Script) -> None:
    ana = Annotator(script.bench).begin()
    form = 'action="/judge/empathy/submit/'
    assert form in ana.page()
    script.send("PATCH", "/annotators/ana", {"state": "paused", "reason": "talk first"}, 200)
    assert form not in ana.page()
    assert [row.state for row in script.bench.store.read(study_status.progress, script.bench.study_id)] == ["paused"]


def test_a_folder_comes_with_its_dictionary_in_it(sqlite_bench: Bench) -> None:
    script = Script(sqlite_bench, "export")
    Annotator(sqlite_bench).begin().submit()
    answer = script.ask("GET", "/exports/huggingface")
    names = zipfile.ZipFile(BytesIO(answer.content)).namelist()
    assert "dictionary.csv" in names
    assert "link" not in answer.headers
    assert script.ask("GET", "/exports/huggingface/dictionary").text.startswith("file,column,of,")
    assert script.ask("GET", "/exports/word/dictionary").status_code == 404


def test_values_are_agreed_on_by_a_script_under_the_rules_of_the_page(sqlite_bench: Bench, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace("study: empathy\n", "study: apart\n")
        file.write_text(text.replace("analysis:\n", "analysis:\n  adjudicate_above: 0.5\n"), "utf-8")

    bench = make_bench(sqlite_bench.store, tmp_path / "apart", edit=edit)
    for name, skill in (("ana", 0.9), ("ben", 0.1)):
        simulate(bench.store, "apart", [Character(name, skill=skill)], seed=1, start=bench.clock())
    script = Script(bench)
    questions = script.get("/adjudications")["questions"]
    spreads = [each["standard_deviation"] for each in questions]
    assert spreads == sorted(spreads, reverse=True)
    one = questions[0]
    assert (one["agreed"], one["agreed_at"], len(one["values"])) == (None, None, 2)
    path = f"/adjudications/{one['item']}"
    script.send("POST", path, {"answers": {one["key"]: 9}, "reason": "x"}, 422)
    script.send("POST", path, {"answers": {"invented": 1}, "reason": "x"}, 422)
    script.send("POST", path, {"answers": {one["key"]: 3}, "reason": ""}, 422)
    script.send("POST", "/adjudications/nothing", {"answers": {one["key"]: 3}, "reason": "x"}, 404)
    assert script.send("POST", path, {"answers": {one["key"]: 3}, "reason": "talked over"}, 200) == {
        "agreed": 1,
        "taken_back": 0,
    }
    kept = next(each for each in script.get("/adjudications")["questions"] if each["key"] == one["key"])
    assert (kept["agreed"], kept["reason"]) == (3, "talked over")
