"""What each panel takes to pay people, and nobody in it who is to be looked at first."""

import csv
import io

import pytest

from assay.kinds import PANELS
from assay.panels import Arrival, Panel, Payee
from tests.conftest import Bench
from tests.web.scripts import Script
from tests.web.test_manage import Manager
from tests.web.test_pay import worked

__all__ = ["worked"]

PEOPLE = [
    Payee(Arrival("ana", "s1", "h1"), "pay", "DONE", 2.0, "EUR"),
    Payee(Arrival("ben", "s2", "h1"), "look", "DONE", 1.5, "EUR"),
    Payee(Arrival("cleo", "s3", "h1"), "wait", "", None, ""),
    Payee(Arrival("dan", "s4", "h1"), "pay", "STOPPED", 0.333, "EUR"),
    Payee(Arrival("eve", "s5", "h1"), "none", "NO", 0.0, "EUR"),
]


def panel(kind: str) -> Panel:
    made: Panel = PANELS[kind].model_validate(PANELS[kind].example)
    return made


def test_prolific_takes_the_ids_of_those_to_be_approved_one_on_a_line() -> None:
    assert panel("prolific").pay_lines(PEOPLE) == [["ana"], ["dan"]]


def test_mechanical_turk_takes_an_x_for_whom_to_approve_and_is_never_told_to_reject() -> None:
    assert panel("mturk").pay_lines(PEOPLE) == [
        ["HITId", "AssignmentId", "WorkerId", "Approve", "Reject"],
        ["h1", "s1", "ana", "X", ""],
        ["h1", "s2", "ben", "", ""],
        ["h1", "s4", "dan", "X", ""],
    ]


def test_sona_takes_the_codes_of_those_who_get_credit_one_on_a_line() -> None:
    assert panel("sona").pay_lines(PEOPLE) == [["ana"], ["dan"]]


def test_any_other_panel_gets_ids_codes_and_amounts() -> None:
    assert panel("generic").pay_lines(PEOPLE) == [
        ["pid", "sid", "code", "amount", "currency"],
        ["ana", "s1", "DONE", "2.00", "EUR"],
        ["dan", "s4", "STOPPED", "0.33", "EUR"],
    ]


@pytest.mark.parametrize("kind", sorted(PANELS))
def test_nobody_who_is_still_at_work_or_to_be_looked_at_is_paid_by_a_file(kind: str) -> None:
    paid = [line for line in panel(kind).pay_lines(PEOPLE[1:3] + PEOPLE[4:]) if "X" in line]
    assert paid == []


def test_page_and_api_have_the_panels_file_and_viewers_do_not(worked: Bench) -> None:
    lines = [["good"], ["quits"]]
    assert sorted(Script(worked).get("/pay")["for_panel"]) == lines
    cora = Manager(worked, "cora")
    assert f'href="{cora.home}/pay-for-panel.csv"' in cora.get("/pay")
    answer = cora.client.get(f"{cora.home}/pay-for-panel.csv")
    assert sorted(csv.reader(io.StringIO(answer.text))) == lines
    viewer = Manager(worked, "vera", reads_only=True)
    assert "pay-for-panel" not in viewer.get("/pay")
    assert viewer.client.get(f"{viewer.home}/pay-for-panel.csv").status_code == 403
