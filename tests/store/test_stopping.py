"""A study stops by the rule that it has declared: recorded once, said everywhere, and nothing further is given out."""

from pathlib import Path

import pytest

from assay import acts
from assay.acts import imports
from assay.cli.status import gather_status
from assay.items.imported_judgments import ImportedAnswers
from assay.items.reader import read_items
from assay.live.report_data import gather_with_fieldwork
from assay.model import Slot
from assay.report.build import build
from assay.store import Backend
from assay.store.coordinator import imports as import_rows
from assay.store.coordinator import record, studies
from assay.store.coordinator.record import By
from assay.study import load
from assay.web import create_app
from assay.web.run_apart import run_apart as in_another_process
from assay.web.stop_rules import look_at_stop_rules
from tests.conftest import T0, Bench, Clock
from tests.loops import run_apart
from tests.pages import text_of
from tests.study.small import SMALL, folder_with
from tests.web.annotator import Annotator
from tests.web.scripts import Script
from tests.web.test_oversight import Coordinator

GROUPS = 40
RULE = "for every pair of systems: a difference is shown"


def bench_with(store: Backend, folder: Path, then: str, more: str = "") -> Bench:
    """Forty requests, answered by two systems; the study is to stop when a difference is shown."""
    text = SMALL.replace("  source: items.csv\n", "  source: items.csv\n  system: system\n  group: request\n")
    text += "assignment: {per_item: 3}\n"
    text += f"analysis: {{looks: any, stop_when: {{difference_shown: true, then: {then}}}{more}}}\n"
    folder_with(folder, text)
    rows = [f"{system}{at},{system},r{at},An answer" for at in range(GROUPS) for system in "AB"]
    (folder / "items.csv").write_text("\n".join(["id,system,request,response", *rows]), "utf-8")
    study = load(folder)
    study_id = store.write(studies.publish, study, T0).id
    store.write(import_rows.take_in, study_id, study, read_items(study, folder / "items.csv"), folder)
    clock = Clock()
    return Bench(study, store, study_id, folder, clock, create_app(store, clock))


def judge(bench: Bench, first: int, last: int, better: int) -> None:
    """Two people's judgments of some requests: the one system better by so many points, here and there by one less."""
    given = [
        (f"{system}{at}", ImportedAnswers(who, False, {Slot("warmth"): 2 + (better - at % 2 if system == "A" else 0)}))
        for at in range(first, last)
        for system in "AB"
        for who in ("R1", "R2")
    ]
    bench.store.write(imports.take_in, By(bench.study_id, "cora", bench.clock()), bench.study, [], given, None)


def said(bench: Bench) -> list[tuple[str, str, str]]:
    rows = bench.store.read(record.entries, bench.study_id)
    return [(each.by, each.what, each.about) for each in rows if each.by == "the study's rule"]


def test_a_rule_is_recorded_once_and_page_command_api_and_report_say_so(store: Backend, tmp_path: Path) -> None:
    bench = bench_with(store, tmp_path, "say")
    judge(bench, 0, 20, 2)
    found = gather_status(bench.store, bench.study_id, bench.study, bench.clock())["stop"]
    assert (found["rule"], found["reached_at"]) == (RULE, None)
    assert "it is not reached yet" in text_of(Coordinator(bench).get())
    assert said(bench) == []
    judge(bench, 20, GROUPS, 2)
    bench.clock.now += 1000
    found = gather_status(bench.store, bench.study_id, bench.study, bench.clock())["stop"]
    reached_at = found["reached_at"]
    assert reached_at is not None
    assert (found["judged"], found["planned"], found["saved"]) == (160, 240, 80)
    assert "160 of 240 planned judgments of items: 80 are not needed." in found["says"]
    bench.clock.now += 60_000
    again = gather_status(bench.store, bench.study_id, bench.study, bench.clock())["stop"]
    assert again["reached_at"] == reached_at, "the time is that of the first look at which it held"
    assert said(bench) == [("the study's rule", "stopping rule reached", RULE)]
    assert Script(bench, "read").get()["stop"]["reached_at"] == reached_at
    page = text_of(Coordinator(bench).get())
    assert "The stopping rule is reached" in page
    assert "Work goes on until the study is closed" in page
    data = gather_with_fieldwork(bench.store, bench.study_id, bench.study, bench.clock(), alarms=False)
    lines = build(data).summary()
    assert any(line.startswith("The rule was reached on 2027-") for line in lines), lines
    assert bench.store.read(studies.state, bench.study_id) == "open"


@pytest.mark.parametrize(("then", "state"), [("pause", "paused"), ("close", "closed")])
def test_nothing_further_is_given_out_where_the_study_says_so(
    sqlite_store: Backend, tmp_path: Path, then: str, state: str
) -> None:
    bench = bench_with(sqlite_store, tmp_path, then)
    ana = Annotator(bench, "ana").begin()
    judge(bench, 0, GROUPS, 2)
    early = run_apart(look_at_stop_rules(bench.store, {bench.study_id}, bench.clock()))
    assert early == set()
    assert bench.store.read(studies.state, bench.study_id) == state
    assert [what for _, what, _ in said(bench)] == [
        "pause study" if state == "paused" else "close",
        "stopping rule reached",
    ]
    assert state in ana.enter().text
    # Whoever opens it again does so knowingly: the rule was reached, and does not act a second time.
    bench.store.write(acts.set_study_state, By(bench.study_id, "cora", T0, "more"), "open")
    assert run_apart(look_at_stop_rules(bench.store, {bench.study_id}, bench.clock() + 10**7)) == set()
    assert bench.store.read(studies.state, bench.study_id) == "open"


def test_what_is_not_decided_stops_nothing_and_is_looked_at_again_later(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = bench_with(sqlite_store, tmp_path, "pause")
    given = [
        (
            f"{system}{at}",
            ImportedAnswers("R1", False, {Slot("warmth"): 3 + (at % 2 if system == "A" else (at + 1) % 2)}),
        )
        for at in range(GROUPS)
        for system in "AB"
    ]
    bench.store.write(imports.take_in, By(bench.study_id, "cora", bench.clock()), bench.study, [], given, None)
    assert run_apart(look_at_stop_rules(bench.store, {bench.study_id}, bench.clock())) == set()
    assert said(bench) == []
    again = run_apart(look_at_stop_rules(bench.store, {bench.study_id}, bench.clock() + 1))
    assert again == {bench.study_id}, "it was looked at a moment ago"
    assert run_apart(look_at_stop_rules(bench.store, {10**6}, bench.clock())) == set(), "a study that is gone"


def test_of_a_blind_study_it_is_said_that_the_rule_is_reached_and_not_by_whom(
    sqlite_store: Backend, tmp_path: Path
) -> None:
    bench = bench_with(sqlite_store, tmp_path, "say", ", blind: true")
    judge(bench, 0, GROUPS, 2)
    gather_status(bench.store, bench.study_id, bench.study, bench.clock())
    coordinator = Coordinator(bench)
    for page in (coordinator.get(), coordinator.get("/record")):
        text = text_of(page)
        assert "topping rule" in text
        assert "A − B" not in text


def test_another_process_follows_the_rule_too(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = bench_with(sqlite_store, tmp_path, "pause")
    judge(bench, 0, GROUPS, 2)
    # Not in this process: it takes a limit of memory and a lower rank, which stay.
    run_apart(in_another_process(bench.store, "assay.acts.stopping", bench.study.study))
    assert bench.store.read(studies.state, bench.study_id) == "paused"
