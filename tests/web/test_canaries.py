"""A word that is nowhere else stands in every personal field; none is found where it may not be."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assay import acts
from assay.exchange.whole_export import write_export
from assay.kinds import EXPORTS
from assay.live.export_data import export_data
from assay.live.report_data import gather_with_fieldwork
from assay.report.build import build
from assay.store import Backend
from assay.store.annotator.care import keep_check_in
from assay.store.coordinator import annotators, links
from assay.store.coordinator.record import By
from assay.store.tables import metadata
from assay.web.api import ENDPOINTS as API
from assay.web.app import ENDPOINTS
from tests import pages
from tests.conftest import T0, Bench, make_bench
from tests.pages import Forms, enter
from tests.web.annotator import Annotator, rows
from tests.web.scripts import Script
from tests.web.test_panels import arrive, link_of
from tests.web.test_questionnaire import AT_END, BEFORE

CANARIES = {
    "name": "Quokka-name",
    "typed id": "Numbat-typed",
    "panel's id": "Zebra-person",
    "panel's session": "Okapi-session",
    "panel's study": "Dugong-survey",
    "questionnaire": "Axolotl-text",
    "feedback": "Pangolin-feedback",
    "message": "Narwhal-message",
    "note": "Echidna-note",
    "reason": "Tapir-reason",
    "check-in": "Kakapo-answer",
}
HIDDEN_FROM = ["person", "arrival", "person_answer", "message", "action", "check_in"]
"""The tables in which the canaries are. In any other they would be a leak of their own."""
SLOW = ("report", "export", "paper", "backup")
"""Made in a process of their own; the same functions are called here at once."""


def asking(folder: Path) -> None:
    """A study with a panel, questions before and after, and check-ins that coordinators see."""
    file = folder / "study.yaml"
    text = file.read_text("utf-8").replace("study: empathy", "study: strangers")
    text = re.sub(r"^gates:.*\n", f"gates:\n- {json.dumps(BEFORE)}\n", text, flags=re.M)
    plan = "assignment:\n  most_per_annotator: 1\n  enrol: {panel: prolific}\n"
    text = re.sub(r"^assignment:.*\n", plan, text, flags=re.M)
    care = {"check_in": {"every": 50, "coordinator_sees": True}}
    file.write_text(f"{text}at_end: {json.dumps(AT_END)}\ncare: {json.dumps(care)}\npay: {{per_item: 1}}\n", "utf-8")


@pytest.fixture
def filled(sqlite_store: Backend, tmp_path: Path) -> Bench:
    """Somebody from a panel who has answered everything, and two whose names are known."""
    bench = make_bench(sqlite_store, tmp_path / "study", edit=asking)
    by = By(bench.study_id, "cora", T0, CANARIES["reason"])
    sent = {"PROLIFIC_PID": "panel's id", "SESSION_ID": "panel's session", "STUDY_ID": "panel's study"}
    client, _ = arrive(bench, link_of(bench), {name: CANARIES[what] for name, what in sent.items()})
    who = Annotator(bench, "from the panel", client)
    _answer(who, age="old", tools=["chat"], word=CANARIES["questionnaire"])
    pages.pass_gates(client, bench.study)
    assert who.submit().status_code == 200
    _answer(who, feedback=CANARIES["feedback"])
    [(_, token)] = bench.store.write(acts.invite, by, [CANARIES["name"]])
    named = Annotator(bench, CANARIES["name"])
    enter(named.client, f"/join/{token}")
    _answer(named, age="young", tools=["chat"], word="")
    pages.pass_gates(named.client, bench.study)
    assert named.submit().status_code == 200
    bench.store.write(annotators.find_or_add_person, bench.study_id, CANARIES["typed id"], T0)
    her = bench.store.read(annotators.annotator_id, bench.study_id, CANARIES["name"])
    bench.store.write(keep_check_in, her, 1, CANARIES["check-in"], T0)
    bench.store.write(acts.send_message, by, CANARIES["name"], CANARIES["message"])
    bench.store.write(acts.keep_note, by, CANARIES["name"], CANARIES["note"])
    bench.store.write(acts.pause, by, CANARIES["name"])
    return bench


def _answer(who: Annotator, **given: Any) -> None:
    form = Forms(who.page()).to("/gate")
    assert form is not None, "no questions on this page"
    answers = {f"about-{name}": value for name, value in given.items()}
    assert who.client.post(form[0], data={**form[1], **answers}).status_code == 200


def test_every_canary_is_stored_and_each_in_a_table_of_its_own(filled: Bench) -> None:
    found = {table.name: repr(rows(filled.store, table)) for table in metadata.sorted_tables}
    for what, canary in CANARIES.items():
        tables = [name for name, content in found.items() if canary in content]
        assert len(tables) >= 1, f"{what} is not there: this would test nothing"
        assert set(tables) <= set(HIDDEN_FROM), what


def test_no_personal_field_is_where_it_may_not_be(
    filled: Bench,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(logging.getLogger("httpx2"), "disabled", True)  # the browser's own log, not the server's
    seen = dict(_pages(filled)) | dict(_scripts(filled)) | dict(_files(filled, tmp_path))
    said = capfd.readouterr()
    seen |= {"the log": caplog.text, "what is printed": said.out + said.err}
    assert len(seen) > 60
    leaks = [f"{what} in {where}" for where, text in seen.items() for what, word in CANARIES.items() if word in text]
    assert leaks == []


def _pages(bench: Bench) -> Iterator[tuple[str, str]]:
    """Every page of a viewer, and of an annotator who is somebody else."""
    viewer = bench.client()
    token = bench.store.write(links.add, bench.study_id, None, bench.clock(), reads_only=True)
    enter(viewer, f"/join/{token}")
    ben = Annotator(bench, "ben")
    ben.enter()
    _answer(ben, age="old", tools=["chat"], word="")
    pages.pass_gates(ben.client, bench.study)
    item = ben.form()[0].rsplit("/", 1)[1]
    people = [row["name"] for row in rows(bench.store, metadata.tables["annotator"])]
    for endpoint in ENDPOINTS:
        if endpoint.method != "GET" or endpoint.path.rsplit("/", 1)[1] in SLOW:
            continue
        parts = {"study": bench.study.study, "public_id": item, "token": token, "hash": "0" * 64, "position": "1"}
        path = endpoint.path.format(**parts)
        client = viewer if endpoint.role == "coordinator" else ben.client
        whom = [f"?name={name}" for name in (*people, *CANARIES.values())] if path.endswith("/annotator") else [""]
        for query in whom + (["?name=emp-001"] if path.endswith("/item") else []):
            answer = client.get(path + query)
            if "name=" in query and any(word in query for word in CANARIES.values()):
                assert answer.status_code == 404, "whoever guesses a name learns nothing"
                continue
            yield f"{endpoint.role} {path}{query}", answer.text + repr(answer.headers)


def _scripts(bench: Bench) -> Iterator[tuple[str, str]]:
    """Every answer to a script that reads and exports, and may not manage."""
    script = Script(bench, "read", "export")
    people = [row["name"] for row in rows(bench.store, metadata.tables["annotator"])]
    for endpoint in API:
        if endpoint.method == "GET" and endpoint.scope in ("read", "export") and "{format}" not in endpoint.path:
            path = endpoint.path.removeprefix("/studies/{study}")
            for name in people if "{annotator}" in path else [""]:
                filled = path.replace("{annotator}", name).replace("{item}", "emp-001").replace("{version}", "1")
                yield f"script {filled}", script.ask("GET", filled).text


def _files(bench: Bench, folder: Path) -> Iterator[tuple[str, str]]:
    """The report, as a page and as data, and every export."""
    data = gather_with_fieldwork(bench.store, bench.study_id, bench.study, bench.clock(), alarms=False)
    report = build(data)
    yield "the report's numbers", report.json()
    yield "the report", report.html()
    for kind in EXPORTS:
        if EXPORTS[kind]().refuses(bench.study):
            continue
        for how in (True, False) if kind in ("csv", "huggingface") else (False,):
            out = folder / f"{kind}-{how}"
            exported = export_data(bench.store, bench.study_id, bench.study, T0, anonymised=how)
            write_export(EXPORTS[kind](), exported, out)
            for file in [out] if out.is_file() else sorted(out.rglob("*")):
                if file.is_file():
                    yield f"export {file.name} of {kind}", file.read_bytes().decode("latin-1")
