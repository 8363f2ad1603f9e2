"""What agreement rests on is called the same everywhere: so many sides of so many items."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from assay.cli.status import gather_status
from assay.judgments.topics import Topic
from assay.live import agreement
from assay.live.figures import figure_data
from assay.live.report_data import gather, gather_with_fieldwork
from assay.report.build import build
from assay.report.figures import Nothing, draw
from assay.report.figures.agreement import AgreementFigure
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
