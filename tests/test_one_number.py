"""Status, dashboard, figures, report, pilot, plan and API say the same value and the same interval of the same data."""

import itertools
import json
import random
from dataclasses import replace
from typing import Any

import pytest

from assay import acts
from assay.acts import adjudications
from assay.cli.status import gather_status
from assay.in_words import interval
from assay.live import agreement, figures
from assay.live.agreement_rows import agreement_rows
from assay.live.report_data import gather, gather_with_fieldwork
from assay.model import Slot
from assay.report.build import build
from assay.report.four_tiles import AgreementOn, how_good
from assay.report.pilot_verdict import pilot_outcome
from assay.report.planning import bases_from_study
from assay.store.coordinator import studies
from assay.store.coordinator.record import By
from assay.study import study_from_document
from assay.study.analysis import Exclusion, PilotSettings
from tests.conftest import T0, Bench
from tests.pages import text_of
from tests.selection import first_of, on_sqlite_first
from tests.test_live_agreement import LONGER, changed, judge, names
from tests.web.scripts import Script
from tests.web.test_oversight import Coordinator

PEOPLE = ("Zoe", "ana", "ben")
LATER = itertools.count(T0 + 10**12, 10**12)
"""Long after whatever was computed before."""

Said = dict[str, tuple[float | None, tuple[float, float] | None]]


def fill(bench: Bench) -> None:
    """Three people with a tendency to agree, on all items."""
    drawn = random.Random(1)
    quality = {name: drawn.randint(1, 5) for name in names(bench, 100)}
    for who in PEOPLE:
        noisy = {name: min(5, max(1, value + drawn.choice((-1, 0, 0, 1)))) for name, value in quality.items()}
        judge(bench, who, noisy)


def pair(row: Any) -> tuple[float | None, tuple[float, float] | None]:
    return row["value"], row["ci"] and tuple(row["ci"])


def by_report(bench: Bench) -> Said:
    numbers = json.loads(build(gather_with_fieldwork(*at(bench), T0, alarms=False)).json())
    rows = numbers["agreement"]["dimensions"]
    return {row["dimension"]: pair(next(c for c in row["coefficients"] if c["name"] == row["main"])) for row in rows}


def by_status(bench: Bench) -> Said:
    return {row["dimension"]: pair(row) for row in gather_status(*at(bench), T0)["agreement"]}


def by_page(bench: Bench) -> Said:
    study = bench.study
    return {
        each.topic.dimension: (main.value, main.ci)
        for each in agreement.live_agreement(*at(bench))
        if (main := each.first(study.analysis.agreement.coefficient)) and not each.as_of
    }


def by_figure(bench: Bench) -> Said:
    figures.refresh(*at(bench), next(LATER))
    kept = figures.cached_figures(*at(bench))
    assert kept is not None
    return {row["dimension"]: pair(row) for row in kept.content["figures"]["agreement"]["rows"]}


def by_api(bench: Bench) -> Said:
    rows = Script(bench, "read").get("/report")["agreement"]["dimensions"]
    return {row["dimension"]: pair(next(c for c in row["coefficients"] if c["name"] == row["main"])) for row in rows}


def by_pilot(bench: Bench) -> Said:
    """The whole study as if it were its pilot."""
    data = gather(*at(bench), T0)
    analysis = data.study.analysis.model_copy(update={"pilot": PilotSettings(items=10, go=0.4, revise=0.2)})
    found = pilot_outcome(replace(data, study=data.study.model_copy(update={"analysis": analysis})))
    return {each.dimension: (each.coefficient.value, each.coefficient.ci) for each in found.dimensions}


def at(bench: Bench) -> tuple[Any, int, Any]:
    return bench.store, bench.study_id, bench.study


def test_everybody_says_the_same_of_the_same_data(bench: Bench) -> None:
    fill(bench)
    said = by_report(bench)
    assert all(ci for _, ci in said.values())
    assert by_status(bench) == said
    assert by_page(bench) == said, "from the cache, as the report has it"
    assert by_figure(bench) == said
    assert by_api(bench) == said
    of_pilot = by_pilot(bench)
    assert of_pilot
    assert of_pilot == {name: said[name] for name in of_pilot}
    data = gather(*at(bench), T0)
    for basis in bases_from_study(data):
        [alpha] = [
            each.value
            for topic, found in data.agreement.items()
            for each in found
            if topic.title(bench.study) == basis.title and each.name == "krippendorff_alpha_interval"
        ]
        assert basis.rho == alpha


@on_sqlite_first("bench")
def test_the_page_shows_what_the_report_says(bench: Bench) -> None:
    fill(bench)
    said = by_report(bench)
    agreement.compute(*at(bench), T0)
    shown = text_of(Coordinator(bench).get())
    for value, ci in said.values():
        assert f"{value:.2f}" in shown
        assert ci is not None
        assert interval(ci) in shown


@pytest.mark.parametrize(
    "what",
    first_of(["withdraw", "exclude", "adjudicate", "publish"], ["put back", "judgment"], "what is like another act"),
)
def test_whatever_changes_a_number_makes_the_cache_out_of_date(sqlite_bench: Bench, what: str) -> None:
    bench = sqlite_bench
    fill(bench)
    by, item = By(bench.study_id, "dora", T0, "a reason"), names(bench, 1)[0]
    if what == "put back":
        bench.store.write(acts.withdraw_item, by, item)
    by_status(bench)
    by_figure(bench)
    assert not agreement.is_stale(*at(bench))
    before = by_page(bench)
    if what == "withdraw":
        bench.store.write(acts.withdraw_item, by, item)
    elif what == "put back":
        bench.store.write(acts.put_item_back, by, item)
    elif what == "exclude":
        bench.store.write(acts.exclude, by, "Zoe")
    elif what == "adjudicate":
        slot = Slot(bench.study.scored_dimensions[0].dimension)
        bench.store.write(adjudications.agree, by, item, slot, 3)
    elif what == "judgment":
        judge(bench, "cleo", dict.fromkeys(names(bench, 30), 1))
    else:
        bench.study = changed(bench, LONGER)
        bench.store.write(studies.publish, bench.study, T0, even_if_begun=True)
        assert study_from_document(bench.study.document()) == bench.study
    assert agreement.is_stale(*at(bench))
    assert figures.is_outdated(*at(bench), next(LATER))
    said = by_report(bench)
    assert by_status(bench) == said == by_page(bench) == by_figure(bench)
    assert what == "adjudicate" or said != before


def test_whom_the_studys_rules_exclude_is_left_out_everywhere_and_no_longer_than_there_is_a_rule(
    sqlite_bench: Bench,
) -> None:
    bench = sqlite_bench
    fill(bench)
    whole, without = by_report(bench), bench.study
    judge(bench, "line", dict.fromkeys(names(bench, 40), 3))
    rule = (Exclusion(annotators="low_agreement", reason="guessed"),)
    analysis = without.analysis.model_copy(update={"exclude": rule})
    bench.study = without.model_copy(update={"analysis": analysis})
    assert by_report(bench) == by_status(bench) == by_page(bench) == by_figure(bench) == whole
    bench.study = without
    assert by_report(bench) == by_status(bench) == by_page(bench) == by_figure(bench) != whole


def test_before_anything_is_computed_no_other_coefficient_stands_in_the_place_of_the_studys(
    sqlite_bench: Bench,
) -> None:
    bench = sqlite_bench
    settings = bench.study.analysis.agreement.model_copy(update={"coefficient": "cohen_kappa_quadratic"})
    bench.study = bench.study.model_copy(
        update={"analysis": bench.study.analysis.model_copy(update={"agreement": settings})}
    )
    fill(bench)
    [awaited, *_] = [each for each in agreement.live_agreement(*at(bench)) if settings.coefficient in each.awaited]
    cold = {row["dimension"]: row for row in agreement_rows(*at(bench))["agreement"]}
    row = cold[awaited.topic.dimension]
    assert (row["coefficient"], row["value"], row["ci"], row["as_of"]) == (settings.coefficient, None, None, None)
    assert "not computed yet" in row["undefined"]
    said = by_report(bench)
    agreement.compute(*at(bench), T0)
    assert {row["dimension"]: pair(row) for row in agreement_rows(*at(bench))["agreement"]} == said
    # Something new: what follows from counts is of this moment, the rest carries its time.
    judge(bench, "cleo", dict.fromkeys(names(bench, 30), 1))
    older = {row["dimension"]: row for row in agreement_rows(*at(bench))["agreement"]}[awaited.topic.dimension]
    assert pair(older) == said[awaited.topic.dimension]
    assert older["as_of"] is not None


def test_a_tile_says_how_old_its_value_is() -> None:
    fresh = AgreementOn("Warmth", "Cohen's kappa", 0.5, (0.4, 0.6), 40)
    assert "ago" not in how_good([fresh], 0.4).sentence
    assert "3 hours ago" in how_good([replace(fresh, age="3 hours ago")], 0.4).sentence
