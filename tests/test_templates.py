"""Every shipped template is played by bots, from the first page to the report, on both databases."""

import html
import json
from pathlib import Path

import pytest

from assay import acts
from assay.cli.common import OpenStudy
from assay.cli.report import write
from assay.live.agreement import compute, live_agreement
from assay.live.pilot import current_pilot
from assay.simulate import Character, simulate
from assay.store import Backend
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator import long_table, study_status
from assay.store.coordinator.record import By
from assay.study import load_with_mistakes
from assay.study.templates import HERE, template_names
from tests.conftest import T0, make_bench


def test_there_are_templates() -> None:
    assert "empathy" in template_names()


@pytest.mark.parametrize("name", template_names())
def test_a_template_has_no_problems(name: str) -> None:
    assert load_with_mistakes(HERE / name)[1] == []


ON_BOTH = ("route-planning", "trajectories")
"""Templates that a usual run plays on PostgreSQL too."""
PLAYED = [
    pytest.param(name, kind, marks=() if kind == "sqlite" or name in ON_BOTH else pytest.mark.thorough("on PostgreSQL"))
    for kind in ("sqlite", "postgresql")
    for name in template_names()
]


@pytest.mark.parametrize(("name", "store"), PLAYED, indirect=["store"])
def test_bots_play_a_template_from_the_first_page_to_the_report(name: str, store: Backend, tmp_path: Path) -> None:
    bench = make_bench(store, tmp_path / name, name, whole=True)
    people = max(2, bench.study.assignment.annotators_of_item(2))
    cast = [Character(f"bot{n}") for n in range(people)]
    done = simulate(store, bench.study.study, cast, seed=1, start=T0)
    if bench.study.analysis.pilot is not None:
        # The pilot comes first: nobody gets an item of the main part until it has shown what it has to show.
        assert store.read(study_status.item_counts, bench.study_id).finished == bench.study.analysis.pilot.items
        found = current_pilot(store, bench.study_id, bench.study, T0)
        assert found is not None
        assert found.passed
        store.write(acts.keep_pilot_decision, By(bench.study_id, "test", T0), found.as_json(), opens=True)
        done += simulate(store, bench.study.study, cast, seed=1, start=T0 + 2 * DAY)
    counts = store.read(study_status.item_counts, bench.study_id)
    assert counts.finished == counts.items
    judgments = list(store.stream(long_table.judgments, bench.study_id))
    work = {each.submission: each for each in judgments if each.source == "work"}.values()
    assert done == len(work)
    plan = bench.study.assignment
    assert sum(each.pass_ == 1 and not each.control for each in work) == counts.items * plan.annotators_of_item(people)
    assert any(each.pass_ == 2 for each in work) == (plan.duplicates is not None)
    assert any(each.control for each in work) == (plan.controls is not None)
    kinds = [entry.gate.kind for entry in bench.study.gates]
    assert any(each.source == "practice" for each in judgments) == ("calibration" in kinds)
    for row in store.read(study_status.progress, bench.study_id, bench.study.gate_versions):
        assert row.gates == len(kinds), "every gate is passed, by its own pages"

    report = write(OpenStudy(bench.study, store, bench.study_id, bench.folder), bench.folder / "report.html")
    page = html.unescape((bench.folder / "report.html").read_text("utf-8"))
    numbers = json.loads((bench.folder / "report.json").read_text("utf-8"), parse_constant=pytest.fail)
    assert numbers == report.numbers()
    assert bench.study.title in page
    for dimension in bench.study.scored_dimensions:
        assert dimension.heading in page
    assert "failed_controls" not in {flag.monitor for flag in report.data.flags}, "careful bots know a control"
    assert numbers["overview"]["items_finished"] == counts.items
    for row in numbers["agreement"]["dimensions"]:
        found = {each["name"]: each for each in row["coefficients"]}
        main = found.get(bench.study.analysis.agreement.coefficient)
        if main is None:
            # An ordinal coefficient says nothing of words.
            assert bench.study.dimension(row["dimension"]).input.level == "nominal"
            continue
        assert main["value"] is not None
        assert main["ci"][0] <= main["value"] <= main["ci"][1]
    compute(store, bench.study_id, bench.study, T0)
    for now in live_agreement(store, bench.study_id, bench.study):
        of_report = report.data.agreement[now.topic]
        assert {each.name for each in now.coefficients} == {each.name for each in of_report}
        values = {each.name: each.value for each in now.coefficients}
        assert values == pytest.approx({each.name: each.value for each in of_report}), "counts say what judgments say"
        # Draws hang on the order of groups; leaving out one at a time does not.
        exact = [each for each in of_report if "jackknife" in each.method and each.ci is not None]
        assert {each.name: each.ci for each in now.coefficients if each.name in {one.name for one in exact}} == {
            each.name: pytest.approx(each.ci) for each in exact
        }


def test_two_answers_to_one_request_for_a_route_do_not_come_one_after_the_other(
    sqlite_store: Backend, tmp_path: Path
) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", "route-planning")
    simulate(sqlite_store, bench.study.study, [Character(f"bot{n}") for n in range(3)], seed=1, start=T0)
    of_person: dict[str, dict[int, str]] = {}
    for each in sqlite_store.stream(long_table.judgments, bench.study_id):
        of_person.setdefault(each.annotator, {})[each.position] = each.group
    assert len(of_person) == 3
    for person, groups in of_person.items():
        assert sorted(groups) == list(range(1, 27))
        at = {group: [position for position in groups if groups[position] == group] for group in groups.values()}
        assert {len(positions) for positions in at.values()} == {2}
        assert min(max(positions) - min(positions) for positions in at.values()) > 4, person
