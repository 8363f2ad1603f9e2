"""The list for paying, decision by decision: what was done, what it rests on, and the same in table, page and API."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from sqlalchemy import Connection, select
from starlette.testclient import TestClient

from assay import acts
from assay.acts.arrivals import keep_panel_setup
from assay.live.pay_list import PayRow, pay_list
from assay.panels.setup import PanelSetup
from assay.store.annotator.arrivals import MINUTE
from assay.store.coordinator.record import By
from assay.store.tables import arrival, assignment, item
from tests import pages
from tests.conftest import T0, Bench, make_bench
from tests.pages import Forms
from tests.web.annotator import with_items
from tests.web.scripts import Script
from tests.web.test_manage import Manager
from tests.web.test_panels import HOME, arrive, link_of

MISSES = "misses what is plain to see"
RIGHT = {"emotion": 5, "safety": 5}
"""What is known of the control."""
CONTROL = {"eval_id": "known", "user_statement": "My dog died.", "response": "I am so sorry.", "expected": RIGHT}


def paid(bench: Bench, folder: Path) -> Bench:
    """A study with three items and a control for each person, paid by the item; who misses a control is left out."""

    def edit(where: Path) -> None:
        with_items(3)(where)
        (where / "controls.json").write_text(json.dumps([CONTROL]), "utf-8")
        yaml, file = YAML(), where / "study.yaml"
        study = yaml.load(file)
        study["study"] = "strangers"
        study["pay"] = {"per_item": 0.5, "floor": 12, "currency": "EUR"}
        study["assignment"] = {
            "per_item": 5,
            "enrol": {"panel": "prolific"},
            "controls": {"items": "controls.json", "every": [2, 2]},
        }
        study["analysis"]["monitors"] = {"failed_controls": {"count": 1}}
        study["analysis"]["exclude"] = [{"annotators": "failed_controls", "reason": MISSES}]
        yaml.dump(study, file)

    made = make_bench(bench.store, folder / "strangers", edit=edit)
    setup = PanelSetup.model_validate({"finished": {"code": "DONE"}, "withdrew": {"code": "STOPPED"}})
    made.store.write(keep_panel_setup, By(made.study_id, "cora", T0), setup)
    return made


class Worker:
    """Somebody from the panel, who answers controls as they are known, or not."""

    def __init__(self, bench: Bench, where: str, name: str) -> None:
        self.bench, self.name = bench, name
        self.client: TestClient = arrive(bench, where, {"PROLIFIC_PID": name, "SESSION_ID": f"s-{name}"})[0]
        pages.pass_gates(self.client, bench.study)

    def judge(self, most: int = 9, *, right: bool = True) -> None:
        for _ in range(most):
            page = self.client.get(HOME).text
            if Forms(page).to("/submit/") is None:
                return
            address, hidden = pages.item_form(page)
            knows = right and self.bench.store.read(self._item) == CONTROL["eval_id"]
            scores = {**pages.SCORES, **(RIGHT if knows else {})}
            self.bench.clock.now += 4 * MINUTE
            took = {"active_ms": str(2 * MINUTE), "note": "because of what the reply says"}
            assert self.client.post(address, data={**hidden, **scores, **took}).status_code == 200

    def _item(self, connection: Connection) -> str:
        """The name of the item that they are at."""
        mine = select(item.c.name).join(assignment).join(arrival, arrival.c.annotator_id == assignment.c.annotator_id)
        return str(connection.execute(mine.where(arrival.c.person == self.name, assignment.c.state == "open")).scalar())

    def stop(self) -> None:
        csrf = next(form["csrf"] for _, form in Forms(self.client.get(HOME).text).forms if "csrf" in form)
        self.client.post(f"{HOME}/leave", data={"csrf": csrf})


@pytest.fixture
def worked(bench: Bench, tmp_path: Path) -> Bench:
    made = paid(bench, tmp_path)
    where = link_of(made)
    good, careless, left_out, slow, quits, gone = (
        Worker(made, where, name) for name in ("good", "careless", "left-out", "slow", "quits", "gone")
    )
    for each in (good, left_out):
        each.judge()
    careless.judge(right=False)
    slow.judge(1)
    quits.judge(2)
    for each in (quits, gone):
        each.stop()
    for each in (good, careless, left_out):
        assert "DONE" in each.client.get(HOME).text
    by = By(made.study_id, "cora", T0, "a colleague")
    rows = pay_list(made.store, made.study_id, made.study, made.clock.now).rows
    [name] = [row.annotator for row in rows if row.person is not None and row.person.said.person == "left-out"]
    made.store.write(acts.exclude, by, name)
    return made


def listed(bench: Bench) -> dict[str, PayRow]:
    found = pay_list(bench.store, bench.study_id, bench.study, bench.clock.now)
    return {row.person.said.person: row for row in found.rows if row.person is not None}


def test_the_suggestion_is_pay_look_wait_or_none_and_says_what_it_rests_on(worked: Bench) -> None:
    rows = listed(worked)
    assert {name: row.decision for name, row in rows.items()} == {
        "good": "pay", "careless": "look", "left-out": "look", "slow": "wait", "quits": "pay", "gone": "none",
    }  # fmt: skip
    assert {name: row.code for name, row in rows.items() if row.code} == {
        "good": "DONE", "careless": "DONE", "left-out": "DONE", "quits": "STOPPED", "gone": "STOPPED",
    }  # fmt: skip
    assert rows["good"].evidence == ()
    assert rows["left-out"].evidence == ("left out of the report",)
    [excluded, doubt] = rows["careless"].evidence
    assert excluded.startswith("left out of the report: ")
    assert MISSES in excluded
    assert "control" in doubt
    assert (rows["good"].passed, rows["good"].controls) == (1, 1)
    assert (rows["careless"].passed, rows["careless"].controls) == (0, 1)


def test_a_control_is_paid_like_every_item_and_idle_time_is_left_out(worked: Bench) -> None:
    rows = listed(worked)
    assert (rows["good"].items, rows["good"].minutes, rows["good"].amount) == (4, 8.0, 2.0), "of sixteen minutes"
    assert rows["quits"].per_hour == pytest.approx(15.0)
    assert rows["gone"].amount == 0
    assert rows["gone"].per_hour is None


def test_page_file_command_and_api_say_the_same(worked: Bench) -> None:
    cora = Manager(worked, "cora")
    found: list[dict[str, Any]] = Script(worked).get("/pay")["people"]
    lines = list(csv.DictReader(io.StringIO(cora.client.get(f"{cora.home}/pay.csv").text)))
    of_file = {line["panel_id"]: (line["decision"], line["evidence"], line["controls_passed"]) for line in lines}
    assert of_file == {
        each["panel_id"]: (each["decision"], each["evidence"], str(each["controls_passed"])) for each in found
    }
    shown = " ".join(pages.text_of(cora.get("/pay")).split())
    for each in found:
        said = f"{each['decision']} : {each['evidence']}" if each["evidence"] else each["decision"]
        assert said in shown
