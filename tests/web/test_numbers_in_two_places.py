"""A quantity is the same wherever it stands: on every page of a coordinator, in the API, `assay status`, the report."""

import re
from pathlib import Path

import pytest
from sqlalchemy import Connection, update

from assay import acts
from assay.live import figures
from assay.live.report_data import gather_with_fieldwork
from assay.report.build import Report, build
from assay.report.paper.pieces import figures_of
from assay.simulate import Character, simulate
from assay.store import Backend
from assay.store.coordinator import studies
from assay.store.coordinator.record import By
from assay.store.tables import annotator
from tests.conftest import T0, Bench, make_bench
from tests.selection import first_of
from tests.web.annotator import edited
from tests.web.quantities import Said, everything_said, read_page, words
from tests.web.test_numbers_for_people import DAY, study
from tests.web.test_numbers_for_people import studies as templates
from tests.web.test_oversight import Coordinator

__all__ = ["study"]

OF_EVERY_STUDY = (
    *("items", "items finished", "items unfinished", "items judged", "submissions", "places held", "people"),
    *("people by state", "people who judged", "people at a step", "open flags", "submitted", "declined", "given"),
    *("minutes", "amount", "brings in an hour", "median of an hour", "held, not judged", "held, judged", "agreement"),
    *("interval of agreement", "items of agreement", "of the expected time", "items of a system"),
)
OF_SCALES = (
    *("answer", "items to talk over", "questions to talk over", "spread", "widest spread", "mean"),
    "above the others",
)


def filled(store: Backend, folder: Path, template: str) -> Bench:
    """The work of three people, two of them odd; a fourth has not come. What is apart is talked over, work is paid."""

    def edit(folder: Path) -> None:
        if template != "trajectories":
            edited(analysis="\n  adjudicate_above: 0.5")(folder)
        file = folder / "study.yaml"
        file.write_text(file.read_text("utf-8") + "pay: {per_item: 0.35, floor: 12, currency: EUR}\n", "utf-8")

    def are_people(connection: Connection) -> None:
        connection.execute(update(annotator).values(simulated=False))

    bench = make_bench(store, folder, template, edit=edit, whole=True)
    cast = [Character("ana"), Character("ben", bias=0.3, speed=4), Character("cem", skill=0.3, items=5)]
    simulate(bench.store, bench.study.study, cast, seed=1, start=T0)
    bench.store.write(are_people)
    bench.clock.now = T0 + 3 * DAY
    bench.store.write(acts.invite, By(bench.study_id, "coordinator", bench.clock()), (), pseudonyms=["dan"])
    figures.refresh(bench.store, bench.study_id, bench.study, bench.clock())
    return bench


def close(bench: Bench) -> None:
    bench.store.write(studies.set_state, bench.study_id, "closed", bench.clock())
    bench.clock.now += 60_000  # what is drawn is kept until there are newer numbers
    figures.compute(bench.store, bench.study_id, bench.study, bench.clock())


def check(said: Said, *quantities: str) -> None:
    assert said.differences() == [], "\n".join(said.differences())
    alone = {each: said.places(each) for each in quantities if len(said.places(each)) < 2}
    assert alone == {}, "these were read in one place alone"


def test_a_quantity_is_the_same_wherever_it_stands(store: Backend, tmp_path: Path) -> None:
    check(everything_said(filled(store, tmp_path / "study", "empathy")), *OF_EVERY_STUDY, *OF_SCALES)


@pytest.mark.parametrize(
    "template", first_of(["dialog-pairs"], ["in-car", "route-planning", "trajectories"], "on other templates")
)
def test_so_it_is_in_a_study_that_is_closed(sqlite_store: Backend, tmp_path: Path, template: str) -> None:
    bench = filled(sqlite_store, tmp_path / "study", template)
    close(bench)
    check(everything_said(bench), *OF_EVERY_STUDY)


def test_so_it_is_where_everybody_has_judged_everything(sqlite_store: Backend, tmp_path: Path) -> None:
    """`per_item: all`, every answer is in, and people are far apart on a list of goals alone, too."""
    bench = make_bench(sqlite_store, tmp_path / "study", "in-car", edit=edited(analysis="\n  adjudicate_above: 0.5"))
    simulate(bench.store, bench.study.study, [Character(name) for name in ("ana", "ben", "cem")], seed=1, start=T0)
    bench.clock.now = T0 + 3 * DAY
    figures.refresh(bench.store, bench.study_id, bench.study, bench.clock())
    said = everything_said(bench)
    assert said.found["items unfinished",]["unfinished items"] == ["0"]
    check(said, "items", "items finished", "items unfinished", "items to talk over", "people at a step")


def test_a_number_that_differs_is_seen() -> None:
    said = Said()
    for place, value in (("status", 0.13079), ("dashboard", "0.13"), ("report", "0.131 [−0.02, 0.27]")):
        said.add(place, value, "agreement", "Warmth")
    assert said.differences() == []
    said.add("a new page", "0.14", "agreement", "Warmth")
    assert len(said.differences()) == 1
    page = '<table><thead><tr><th scope="col">Annotator</th><th scope="col">Submitted</th></tr></thead>'
    read_page(said, "this page", page + "<tbody><tr><th>ana</th><td>1,480</td></tr></tbody></table>")
    said.add("status", 1480, "submitted", "ana")
    assert len(said.differences()) == 1
    said.add("that page", "1,481", "submitted", "ana")
    assert len(said.differences()) == 2


def report_of(bench: Bench) -> Report:
    return build(gather_with_fieldwork(bench.store, bench.study_id, bench.study, bench.clock(), alarms=False))


@templates("empathy")
def test_calibration_counts_the_items_that_it_lists(study: Bench) -> None:
    shown = Coordinator(study).get("/calibration?show=all")
    [found] = re.findall(r"([\d,]+) items? in common", words(shown))
    assert int(found) == shown.count('<section class="item"')


@templates("empathy", "dialog-pairs", others=("in-car",))
def test_a_figure_has_the_same_numbers_on_the_dashboard_and_in_the_report(study: Bench) -> None:
    close(study)
    coordinator = Coordinator(study)

    def tables(page: str) -> dict[str, list[list[str]]]:
        # Which items a page names, and how many of them, is its own: there they are links.
        return {
            each.name: [[cell.whole for cell in row if "…" not in cell.whole] for row in each.table.rows]
            for each in figures_of(page)
            if each.table is not None
        }

    here, there = tables(coordinator.get()), tables(report_of(study).html())
    both = here.keys() & there.keys()
    assert {"agreement", "confusion", "time"} <= both
    for name in both:
        numbers_here = [[cell for cell in row if re.search(r"\d", cell)] for row in here[name]]
        numbers_there = [[cell for cell in row if re.search(r"\d", cell)] for row in there[name]]
        assert numbers_here == numbers_there, name
