"""The page of one annotator: the work in time, beside the others, gates with scores, notes; and what is done there."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from assay.live import figures
from assay.live.flags import by_person
from assay.model import Flag
from assay.report.beside_others import beside_others, time_line
from assay.simulate import Character, simulate
from assay.store import Backend, open_store
from assay.store.annotator import messages
from assay.store.annotator.assignments import pass_gate
from assay.store.coordinator import annotators, flags, work_of_annotator
from tests import pages
from tests.conftest import T0, Bench, Made, bench_of_copy, make_bench
from tests.pages import text_of
from tests.web.annotator import Annotator
from tests.web.test_oversight import Coordinator, done

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


def with_work(store: Backend) -> None:
    """Fill it with a study that two people have judged, and with its figures."""
    with TemporaryDirectory() as folder:
        bench = make_bench(store, Path(folder) / "study", whole=True)
        cast = [Character("ana"), Character("ben", bias=0.3, speed=4)]
        simulate(store, bench.study.study, cast, seed=1, start=T0)
        figures.refresh(store, bench.study_id, bench.study, T0 + DAY)


@pytest.fixture
def worked(request: pytest.FixtureRequest, made: Made, tmp_path: Path) -> Iterator[Bench]:
    store = open_store(made.database(with_work, request, "sqlite", tmp_path))
    yield bench_of_copy(store, "empathy", T0 + DAY, tmp_path / "study")
    store.close()


def test_the_page_shows_the_work_of_one_person_beside_that_of_the_others(worked: Bench) -> None:
    page = Coordinator(worked).get("/annotator?name=ben")
    assert re.findall(r"<h2[^>]*>([^<]+)<", page)[:2] == ["Work in the course of time", "Beside the others"]
    assert re.findall(r'<div class="among">\s*<h3>([^<]+)<', page) == ["Agreement", "Leniency", "Time", "All alike"]
    said = text_of(page)
    items = worked.store.read(work_of_annotator.submitted_items, worked.study_id, "ben")
    assert f"{len(items)} items submitted" in said
    assert all(f"item?name={each.item}" in page for each in items)
    [calibration] = [
        each
        for each in worked.store.read(work_of_annotator.gates_of, worked.study_id, "ben")
        if each.gate == "calibration"
    ]
    found = calibration.attempts[-1].result["dimensions"][0]
    assert f"Emotion recognition {found['same']} of {found['compared']}" in said, "what a gate was passed with"
    assert calibration.took_ms == sum((each.ended_at or 0) - each.started_at for each in calibration.attempts)
    assert "min at gates" in said
    assert "emotion is" not in said, "dimensions have their titles"


def test_a_gate_without_attempts_took_the_time_since_the_gate_before(bench: Bench) -> None:
    def gates() -> list[work_of_annotator.GateOfAnnotator]:
        return bench.store.read(work_of_annotator.gates_of, bench.study_id, "ana")

    ana = Annotator(bench)
    ana.enter()
    bench.clock.now += 7 * MINUTE
    pages.pass_gates(ana.client, bench.study)
    assert not gates()[0].attempts
    assert gates()[0].took_ms == 7 * MINUTE, "since the link was opened"
    assert ", 7.0 min at gates" in text_of(Coordinator(bench).get("/annotator?name=ana"))
    bench.clock.now += DAY
    ana.submit()
    who = bench.store.read(annotators.annotator_id, bench.study_id, "ana")
    bench.store.write(pass_gate, who, "consent", "another version", bench.clock() + DAY)
    assert gates()[-1].took_ms is None, "there was work in between"


def test_each_gate_took_the_time_since_the_one_before(worked: Bench) -> None:
    found = worked.store.read(work_of_annotator.gates_of, worked.study_id, "ben")
    later = [each.took_ms for each in found[1:] if not each.attempts]
    assert later
    assert set(later) == {MINUTE}, "a bot takes a minute for each gate"


def test_a_note_is_kept_for_oneself_and_a_message_goes_to_the_person(worked: Bench) -> None:
    coordinator = Coordinator(worked)
    page = coordinator.get("/annotator?name=ana")
    assert page.index('name="message"') < page.index('name="note"')
    assert len(page[page.index('name="message"') : page.index('name="note"')].split("</section>")) > 1, "two boxes"
    who = worked.store.read(annotators.annotator_id, worked.study_id, "ana")
    coordinator.post("/act", name="ana", what="note", note="slow on Mondays")
    assert done(worked)[0] == ("note", "ana", "")
    assert "slow on Mondays" in text_of(coordinator.get("/annotator?name=ana"))
    assert worked.store.read(messages.unread, who).words == "", "the person never sees it"
    coordinator.post("/act", name="ana", what="message", message="Please take breaks.")
    assert worked.store.read(messages.unread, who).words == "Please take breaks."
    assert coordinator.post("/act", name="ana", what="note", note=" ").status_code == 422
    assert "the note is empty" in coordinator.post("/act", name="ana", what="note", note=" ").text


def test_flags_come_by_person_and_the_gravest_first(worked: Bench) -> None:
    names = {"leniency": "ana", "too_fast": "ben", "drift": "ben", "failed_controls": "ana", "halo": "cy"}
    found = [Flag(monitor, who, f"{monitor} found", ("emp-001",), {"n": 1480}) for monitor, who in names.items()]
    worked.store.write(flags.keep, worked.study_id, [each for each in found if each.annotator != "cy"], T0)
    grouped = by_person([each for each in worked.store.read(flags.kept_flags, worked.study_id) if each.state == "open"])
    assert [(who, [each.monitor for each in of]) for who, of in grouped] == [
        ("ben", ["too_fast", "drift"]),
        ("ana", ["failed_controls", "leniency"]),
    ]
    page = Coordinator(worked).get("/annotator?name=ana")
    assert page.index("failed_controls found".capitalize()) < page.index("leniency found".capitalize())
    assert "1,480" in page


def test_days_and_hours_are_counted_where_they_belong() -> None:
    line = time_line([T0, T0 + 10, T0 + HOUR], [(T0 - HOUR, "consent")], T0 + 2 * HOUR)
    assert line is not None
    assert [n for _, n in line.bars] == [2, 1]
    assert (line.first, line.unit) == (T0 - HOUR, HOUR)
    midnight = time_line([T0 - T0 % DAY], [(T0 - T0 % DAY, "consent")], T0 - T0 % DAY + HOUR)
    assert midnight is not None
    assert "2027-01-15 00:00: 1" in midnight.html()
    assert "consent passed, 2027-01-15 00:00" in midnight.html()
    days = time_line([T0, T0 + 4 * DAY], [], T0 + 5 * DAY)
    assert days is not None
    assert (days.unit, len(days.bars)) == (DAY, 2)
    assert time_line([], [], T0) is None


def test_one_stands_beside_the_others_on_the_dimension_on_which_one_stands_out_most(worked: Bench) -> None:
    row = {"n": 24, "few": False, "title": "Safety", "dimension": "safety"}
    rows = [
        {**row, "annotator": "ana", "value": 0.1},
        {**row, "annotator": "ana", "value": -0.75, "dimension": "overall", "title": "Overall"},
        {**row, "annotator": "ben", "value": 0.5, "dimension": "overall"},
    ]
    [found] = beside_others(worked.study, {"figures": {"leniency": {"all": rows}}}, "ana")
    assert (found.own, found.said, found.others) == (-0.75, "−0.75", [0.5])
    assert found.about == "points above or below the others on Overall, n = 24"
    kappas = {"safety": {"ana": [0.2, 30], "ben": [0.6, 30]}, "overall": {"ana": [0.9, 5]}}
    [agreed] = beside_others(worked.study, {"kappas": kappas}, "ana")
    assert (agreed.own, agreed.others, agreed.few) == (0.2, [0.6], False)
