"""What agreement rests on is called the same everywhere: so many sides of so many items."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from assay.cli.status import _say_people, gather_status
from assay.judgments.topics import Topic
from assay.judgments.units import Units
from assay.live import agreement
from assay.live.figures import figure_data
from assay.live.report_data import gather, gather_with_fieldwork
from assay.report.build import build
from assay.report.figures import Nothing, draw
from assay.report.figures.agreement import AgreementFigure
from assay.report.figures.judge import JudgeFigure
from assay.report.figures.leniency import LeniencyFigure
from assay.report.figures.scale_use import ScaleUseFigure
from assay.report.pilot_verdict import pilot_outcome
from assay.study.analysis import PilotSettings
from tests.conftest import T0
from tests.pages import text_of
from tests.report.test_function_of_the_data import filled


@dataclass
class Filled:
    """A study with judgments, one of its dimensions, and what its n is called."""

    at: tuple[Any, int, Any]
    dimension: str
    words: str


@pytest.fixture(
    scope="module",
    params=[
        ("trajectories", "coherence", "64 sides of 32 items"),
        ("in-car", "goal", "176 entries of 30 items"),
        ("route-planning", "relevance", "52 items"),
    ],
    ids=lambda each: each[0],
)
def study(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    name, dimension, words = request.param
    # People alone: a report on automated judges takes several times as long, and this is not about them.
    at = filled(name, tmp_path_factory.mktemp("units") / name, "", judges=())
    yield Filled(at, dimension, words)
    at[0].close()


def test_the_report_says_it_in_sentence_and_table(study: Filled) -> None:
    made = build(gather_with_fieldwork(*study.at, T0, alarms=False))
    title = study.at[2].dimension(study.dimension).heading
    [line] = [each for each in made.summary() if each.startswith(f"{title}: ") and " annotators, " in each]
    assert f"5 annotators, {study.words}" in line
    assert f"5 annotators, {study.words}, " in text_of(made.html()).replace("\n", " ")


def test_the_figure_says_it_in_caption_and_table(study: Filled) -> None:
    figure, data = AgreementFigure(), figure_data(*study.at, T0)
    numbers = figure.numbers(data)
    assert not isinstance(numbers, Nothing)
    _, rows = figure.table(numbers)
    title = Topic(study.dimension).title(study.at[2])
    assert study.words in [row[4] for row in rows if row[0] == title]
    assert f"{numbers.rests_on} with two judgments" in figure.caption(numbers)
    assert "n below 20: too few to say" in draw(figure, numbers), "of whatever n counts"


def test_status_and_the_page_say_it(study: Filled) -> None:
    said = {row["dimension"]: row["rests_on"] for row in gather_status(*study.at, T0)["agreement"]}
    assert said[study.dimension] == study.words
    [live] = [each for each in agreement.live_agreement(*study.at) if each.topic.dimension == study.dimension]
    assert str(live.units(live.coefficients[0])) == study.words


def test_the_pilot_says_it(study: Filled) -> None:
    data = gather(*study.at, T0)
    analysis = data.study.analysis.model_copy(update={"pilot": PilotSettings(items=10, go=0.4, revise=0.2)})
    found = pilot_outcome(replace(data, study=data.study.model_copy(update={"analysis": analysis})))
    [row] = [each for each in found.as_json()["dimensions"] if each["dimension"] == study.dimension]
    assert row["rests_on"] == study.words


def test_what_is_said_of_annotators_says_it(study: Filled) -> None:
    # Yes or no of an entry is no scale with an order: there, it is items that are compared.
    called = "sides" if "sides" in study.words else "items"
    numbers = build(gather_with_fieldwork(*study.at, T0, alarms=False))
    lines, rows = numbers.summary(), numbers.numbers()["annotators"]["dimensions"]
    data = figure_data(*study.at, T0)
    # How far somebody lies above the others is a mean over an item's sides: it counts items.
    for figure, counts in ((ScaleUseFigure(), called), (LeniencyFigure(), "items")):
        found = figure.numbers(data)
        assert not isinstance(found, Nothing)
        assert re.search(rf"n up to \d+ {counts} each", figure.caption(found)), figure.caption(found)
    [narrowest] = [each for each in lines if each.startswith("Scale use: ")]
    of = next(row["of"] for row in rows if f" on {row['title']}, " in narrowest)
    [n] = re.findall(r"same (\d+)", narrowest)
    assert f"on the same {Units(of, int(n))}" in narrowest
    assert {row["dimension"]: row["of"] for row in rows} == {
        each.dimension: each.scope.of for each in study.at[2].scored_dimensions
    }
    [halo] = [each for each in lines if each.startswith("Halo: ")]
    assert re.search(rf"n = \d+ {called}\b", halo), halo


def test_the_figure_of_judges_says_what_n_counts(tmp_path: Path) -> None:
    at = filled("in-car", tmp_path / "in-car", "")
    figure = JudgeFigure()
    numbers = figure.numbers(figure_data(*at, T0))
    assert not isinstance(numbers, Nothing)
    assert {row.of for row in numbers.all if row.dimension == "goal"} == {"entries"}
    assert re.search(r"n up to \d+ entries\.", figure.caption(numbers)), figure.caption(numbers)
    at[0].close()


def test_status_counts_submissions_and_one_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    row = {
        **{"annotator": "ana", "name": "", "excluded_by_rule": "", "state": "active", "excluded": False},
        **{"from_files": 0, "submitted": 1, "simulated": False, "active_minutes": None},
    }
    _say_people([row, {**row, "annotator": "ben", "submitted": 160}])
    assert capsys.readouterr().out.splitlines() == ["  ana       1 submission", "  ben     160 submissions"]
