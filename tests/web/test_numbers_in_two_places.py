"""Whatever is said in two places is the same: on every page of a coordinator, in the report and in its JSON."""

import re
from typing import Any

from assay.live import figures
from assay.live.report_data import gather_with_fieldwork
from assay.report.build import Report, build
from assay.report.paper.pieces import figures_of
from assay.store.coordinator import studies
from tests.conftest import Bench
from tests.pages import text_of
from tests.web.test_numbers_for_people import pages_of, study
from tests.web.test_numbers_for_people import studies as templates
from tests.web.test_oversight import Coordinator

__all__ = ["study"]


def said(page: str) -> str:
    return re.sub(r"\s+", " ", text_of(re.sub(r"<style>.*?</style>", "", page, flags=re.S)))


def number(pattern: str, text: str) -> int:
    """The one number that stands behind or before these words."""
    found = re.search(pattern, text)
    assert found, (pattern, text[:2000])
    return int(found[1].replace(",", ""))


def report_of(bench: Bench) -> Report:
    return build(gather_with_fieldwork(bench.store, bench.study_id, bench.study, bench.clock(), alarms=False))


def compare(found: dict[str, Any]) -> None:
    """Places and what they say: all of them the same."""
    assert len({repr(value) for value in found.values()}) == 1, found


@templates("empathy", others=("dialog-pairs", "route-planning"))
def test_every_number_that_stands_in_two_places_is_the_same(study: Bench) -> None:
    coordinator = Coordinator(study)
    coordinator.get("")
    every = pages_of(coordinator)
    pages = {place: said(page) for place, page in every.items()}
    script = coordinator.client.get(f"{coordinator.home}/progress").json()
    made = report_of(study)
    report, numbers = said(made.html()), made.numbers()
    items = said(coordinator.get("/items"))

    compare(
        {
            "script": (script["finished"], script["items"]),
            "tile": tuple(
                number(pattern, pages[""]) for pattern in (r"moving\? ([\d,]+) of", r"moving\? [\d,]+ of ([\d,]+)")
            ),
            "closing": tuple(
                number(pattern, pages["close"]) for pattern in (r"([\d,]+) of [\d,]+ \(", r"[\d,]+ of ([\d,]+) \(")
            ),
            "report": tuple(
                number(pattern, report)
                for pattern in (r"([\d,]+) of [\d,]+ items are judged", r"[\d,]+ of ([\d,]+) items are judged")
            ),
            "tile of the report": tuple(
                number(pattern, report) for pattern in (r"moving\? ([\d,]+) of", r"moving\? [\d,]+ of ([\d,]+)")
            ),
            "JSON": (numbers["overview"]["items_finished"], numbers["overview"]["items"]),
            "items": (
                script["items"] - number(r"([\d,]+) of [\d,]+ items", said(coordinator.get("/items?unfinished=1"))),
                number(r"[\d,]+ of ([\d,]+) items", items),
            ),
        }
    )
    compare(
        {
            "tile": number(r"([\d,]+) items? to talk over", pages[""]),
            "list": len(re.findall(r"talk-over\?name=", every["/adjudicate"])) - 1,  # and the link that begins
        }
    )
    [people] = re.findall(r'<table class="data people">.*?</table>', every[""], re.S)
    for row in script["annotators"]:
        who = row["annotator"]
        compare(
            {
                "script": row["submitted"],
                "table": number(rf"{who} [^\d]*([\d,]+) ", said(people)),
                "person": number(r"([\d,]+) items? submitted", said(coordinator.get(f"/annotator?name={who}"))),
                "missing": next(
                    each["submitted"] + each["from_files"]
                    for each in numbers["missing"]["annotators"]
                    if each["annotator"] == who
                ),
            }
        )
    by_report = {
        (each["dimension"], each["system"], each["against"]): each for each in numbers["agreement"]["dimensions"]
    }
    for row in script["agreement"]:
        one = by_report[row["dimension"], row["system"], row["against"]]
        main = next(each for each in one["coefficients"] if each["name"] == one["main"])
        compare({"script": (row["value"], row["coefficient"]), "report": (main["value"], main["name"])})
        assert row["n_items"] == one["n_items"]
    if "/calibration" in every:
        shown = coordinator.get("/calibration?show=all")
        assert number(r"([\d,]+) items? in common", said(shown)) == shown.count('<section class="item"')


@templates("empathy", "dialog-pairs", others=("in-car",))
def test_a_figure_has_the_same_numbers_on_the_dashboard_and_in_the_report(study: Bench) -> None:
    study.store.write(studies.set_state, study.study_id, "closed", study.clock())
    coordinator = Coordinator(study)
    study.clock.now += 60_000  # what is drawn is kept until there are newer numbers
    figures.compute(study.store, study.study_id, study.study, study.clock())

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
