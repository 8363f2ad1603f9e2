"""Figures on known data show what can be worked out by hand; every figure keeps the contract of its family."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from sqlalchemy import delete

from assay.bots import Character
from assay.fieldwork import AnnotatorProgress, FunnelStep, PeopleAtStep
from assay.frozen_json import to_json
from assay.judgments.topics import Topic
from assay.kinds import FIGURES
from assay.model import Fact, Judgment
from assay.quality import MonitorData
from assay.report import charts, text_width
from assay.report.families import families_of
from assay.report.figures import (
    MOST_LED,
    MOST_PEOPLE,
    PARTS,
    Figure,
    FigureData,
    Nothing,
    Ways,
    all_figures,
    all_leads,
    css,
    draw,
)
from assay.report.figures import _renderer as figures_renderer
from assay.report.figures.keys_and_device import read_way
from assay.report.figures.progress import ProgressFigure, ProgressFigureNumbers
from assay.simulate import simulate
from assay.store.coordinator import annotators_per_item, funnel, studies
from assay.store.tables import session
from assay.study import Study
from assay.web.annotator.pace import read_events
from tests.conftest import T0, Bench
from tests.report.comparing import CARS, WAYS, choice, data, ungrouped
from tests.report.test_report import PLAIN, judgment
from tests.web.annotator import Annotator

DAY = 24 * 60 * 60 * 1000
HOUR = 60 * 60 * 1000
MINUTE = 60_000


def seen(judgments: Iterable[Judgment], study: Study = PLAIN, **more: Any) -> FigureData:
    """What figures look at, with the work made from the judgments."""
    found = list(judgments)
    words = {each.item: Fact(words=238) for each in found}
    work = MonitorData(study, [each for each in found if not each.judge], words, breaks=more.pop("breaks", {}))
    return FigureData(data(study, found, work=work), **more)


def kind(name: str) -> Figure[Any]:
    figure: Figure[Any] = FIGURES[name]()
    return figure


def numbers(name: str, looked: FigureData) -> dict[str, Any]:
    """The numbers of a figure, as JSON has them."""
    found: dict[str, Any] = to_json(kind(name).numbers(looked))
    return found


def ways(figure: Figure[Any], looked: FigureData) -> Ways:
    """Where marks lead on the coordinator's page: an address says what, and how many they are."""
    full = replace(looked, most=MOST_LED)
    return Ways(
        lambda items, about: f"/items?about={about}&n={len(items)}",
        people=lambda names, about: f"/people?about={about}&n={len(names)}",
        person=lambda name: f"/annotator?name={name}",
        answers=lambda dimension: f"/items?dimension={dimension}",
        leads=all_leads(figure, figure.numbers(full), full),
    )


def way_of(name: str, looked: FigureData, about: str) -> int:
    """To how many items or people the mark with these words leads."""
    page = draw(kind(name), kind(name).numbers(looked), ways(kind(name), looked))
    [found] = {int(n) for words, n in re.findall(r'<a href="[^"]*about=([^"]+)&amp;n=(\d+)"', page) if words == about}
    return found


def caption(name: str, looked: FigureData) -> str:
    return kind(name).caption(kind(name).numbers(looked))


def table_rows(name: str, looked: FigureData) -> Sequence[Sequence[Any]]:
    return kind(name).table(kind(name).numbers(looked))[1]


def rated(
    values: Mapping[str, Sequence[object]], dimension: str = "emotion", start: int = 0, **more: Any
) -> list[Judgment]:
    """What each person gave to the items i0, i1, ...; None: not judged."""
    return [
        judgment(
            f"i{place}",
            who,
            value,
            dimension,
            submission=f"{who}-i{place}",
            position=place + 1,
            submitted_at=start + place * 10 * MINUTE,
            **more,
        )
        for who, given in values.items()
        for place, value in enumerate(given)
        if value is not None
    ]


TIE = "tie"
STATES = {"ana": "active", "ben": "active", "cem": "paused"}


def everything() -> FigureData:
    """Somewhat of all: a study of pairs with scores, a choice, sureness, duplicates, a judge, devices and a funnel."""
    found = []
    for place in range(30):
        for who, shift in (("ana", 0), ("ben", 1), ("cem", 2)):
            left = ("A", "B")[place % 2]
            how = f'[[0,"visible"],[9,"with:{place % 6}/2/{"narrow" if shift == 2 else "wide"}"]]'
            base: dict[str, Any] = {
                "systems": ("A", "B"),
                "left": left,
                "group": f"g{place}",
                "study_hash": WAYS.hash,
                "events": how,
            }
            base |= {"submission": f"{who}-{place}", "position": place + 1, "submitted_at": T0 + place * DAY // 8}
            base |= {"active_ms": 20_000 + 5_000 * (place % 7) * (1 + shift)}
            scores = {"A": 2 + (place * (1 + shift)) % 3, "B": 1 + (place + shift) % 4}
            for system, score in scores.items():
                side = "left" if system == left else "right"
                for dimension in ("coherence", "efficiency", "thoroughness"):
                    found.append(judgment(f"i{place}", who, score, dimension, system=system, side=side, **base))
            won = "tie" if place % 5 == 0 else "A" if place % 7 == 3 else max(scores, key=lambda name: scores[name])
            found.append(judgment(f"i{place}", who, won, "preference", system="", **base))
            found.append(judgment(f"i{place}", who, 1 + place % 5, "confidence", **base, system=""))
    again = [
        replace(
            each,
            pass_=2,
            submission=f"again-{each.submission}",
            value=1 if each.dimension == "coherence" else each.value,
        )
        for each in found
        if each.annotator == "ana" and int(each.item[1:]) < 6
    ]
    of_judge = [
        replace(
            each, annotator="judge", judge=True, submission=f"judge-{each.item}", value=min(5, int(str(each.value)) + 1)
        )
        for each in found
        if each.annotator == "ana" and each.dimension == "coherence"
    ]
    return seen(
        [*found, *again, *of_judge],
        WAYS.model_copy(update={"analysis": WAYS.analysis.model_copy(update={"looks": "any"})}),
        progress=[AnnotatorProgress(name, 30, 30, state=state) for name, state in STATES.items()],
        funnel=[
            FunnelStep("Invited", 5),
            FunnelStep("Opened the link", 4, 10.0),
            FunnelStep("Item 1", 3, 2.5),
            FunnelStep("All (30 items)", 2),
        ],
        people=[
            PeopleAtStep("Invited", ("ana", "ben", "cem", "dan", "eva"), (), ()),
            PeopleAtStep("Opened the link", ("ana", "ben", "cem", "dan"), (), ("eva",)),
        ],
        planned=200,
        breaks={"ana": [T0 + DAY]},
    )


EVERYTHING = everything()
every_figure = pytest.mark.parametrize("figure", all_figures(), ids=lambda figure: figure.kind)


# The contract


@every_figure
def test_a_figure_asks_a_question_and_stands_in_a_part(figure: Figure[Any]) -> None:
    assert figure.question.endswith("?")
    assert figure.part in PARTS
    assert [each.kind for each in all_figures()].count(figure.kind) == 1


@every_figure
def test_a_figure_has_n_and_a_table_and_no_number_that_is_none(figure: Figure[Any]) -> None:
    drawn = figure.numbers(EVERYTHING)
    assert not isinstance(drawn, Nothing), drawn
    found = to_json(drawn)
    written = json.loads(json.dumps(found, allow_nan=False))
    assert written == found
    assert figure.numbers_from_json(written) == drawn, "what JSON says is what is drawn"
    assert found["n"] > 0
    assert re.search(r"\bn (=|up to) \d", figure.caption(drawn))
    columns, rows = figure.table(drawn)
    assert rows
    assert {len(row) for row in rows} == {len(columns)}
    for part in ("all", "rows", "points"):
        if part in found:
            assert len(rows) >= len(found[part]), "every mark has its row"
            break


@every_figure
def test_with_nothing_to_show_a_figure_says_why_in_words(figure: Figure[Any]) -> None:
    for study in (PLAIN, WAYS, CARS):
        found = figure.numbers(seen([], study))
        assert isinstance(found, Nothing)
        assert re.fullmatch(r"[A-Z].{15,}\.", found.nothing)
        assert found.nothing in draw(figure, found)
        assert figure.numbers_from_json(to_json(found)) == found


@every_figure
@pytest.mark.parametrize("linked", [False, True], ids=["report", "dashboard"])
def test_a_figure_is_drawn_for_a_desk_and_for_a_phone_as_well_formed_svg(figure: Figure[Any], linked: bool) -> None:
    page = draw(figure, figure.numbers(EVERYTHING), ways(figure, EVERYTHING) if linked else None)
    drawings = re.findall(r"<svg.*?</svg>", page, re.S)
    assert len(drawings) == 2 * len(figure.views(figure.numbers(EVERYTHING)))
    ids: list[str] = []
    for drawing in drawings:
        tree = ET.fromstring(drawing)
        assert tree.get("role") == ("group" if linked else "img")
        ids += [found for each in tree.iter() if (found := each.get("id"))]
        named = (tree.get("aria-labelledby") or "").split()
        assert set(named) <= set(ids)
        width = float((tree.get("viewBox") or "").split()[2])
        for each in tree.iter():
            assert not each.get("style"), "a strict policy refuses it"
            for name in ("x", "x1", "x2", "cx"):
                if (at := each.get(name)) is not None and each.tag != "pattern":
                    assert -1 <= float(at) <= width + 1, (figure.kind, name, at)
    assert len(ids) == len(set(ids))
    assert ("<a " in page) == linked
    assert len(re.findall(r"<(circle|rect|path|line|text)\b", page)) < 4000


def finding(name: str, looked: FigureData) -> str:
    return kind(name).finding(kind(name).numbers(looked))


def test_the_matrix_of_leniency_has_a_row_for_each_annotator_and_a_column_for_each_dimension() -> None:
    values = {"ana": [3] * 24, "ben": [4] * 24}
    others = {"ana": [2] * 24, "ben": [4] * 24}
    looked = seen([*rated(values), *rated(others, "validation")])
    titles, people = kind("leniency").numbers(looked).matrix
    assert titles == ["Emotion recognition", "Validation and warmth"]
    # Two people: each lies as far from the other as the two are apart.
    assert {who: {title: row.value for title, row in found.items()} for who, found in people} == {
        "ana": {"Emotion recognition": -1.0, "Validation and warmth": -2.0},
        "ben": {"Emotion recognition": 1.0, "Validation and warmth": 2.0},
    }


def test_a_mark_leads_to_as_many_items_as_it_counts() -> None:
    for panel in numbers("confusion", EVERYTHING)["panels"][:2]:
        for cell in panel["cells"]:
            about = f"{panel['title']}: ana {cell['first']}, cem {cell['second']}"
            assert 0 < way_of("confusion", EVERYTHING, about) <= cell["n"], "an item with two sides is counted twice"
    # Thirty items, the second rating a point above the first on every other one: fifteen in each of two cells.
    halves = seen(rated({"ana": [3] * 30, "ben": [3 + place % 2 for place in range(30)]}))
    assert way_of("confusion", halves, "Emotion recognition: ana 3, ben 3") == 15, "the diagonal too"
    assert way_of("confusion", halves, "Emotion recognition: ana 3, ben 4") == 15
    assert way_of("agreement", halves, "Farthest apart on Emotion recognition") == 15
    assert way_of("leniency", halves, "ben, Emotion recognition: farthest from the others") == 15
    [row] = numbers("win_rates", EVERYTHING)["all"]
    said = [each for each in EVERYTHING.report.that_count if each.dimension == "preference"]
    for value, words in (("A", "A won against B"), ("tie", "A and B tied"), ("B", "A lost against B")):
        items = {each.item for each in said if each.value == value}
        assert way_of("win_rates", EVERYTHING, f"{words}, {row['title']}") == len(items) > 5
    assert way_of("looks", EVERYTHING, "Coherence, means: A") == 30
    assert way_of("funnel", EVERYTHING, "Opened the link: came so far") == 4
    assert way_of("funnel", EVERYTHING, "Opened the link: stopped before it") == 1


@every_figure
def test_the_words_of_a_mark_tell_it_from_every_other(figure: Figure[Any]) -> None:
    asked: dict[str, set[tuple[str, ...]]] = {}

    def kept(items: Sequence[str], about: str) -> str:
        asked.setdefault(about, set()).add(tuple(items))
        return ""

    draw(figure, figure.numbers(EVERYTHING), kept)
    assert [about for about, found in asked.items() if about and len(found) > 1] == []


def test_numbers_name_ten_items_and_marks_lead_to_all() -> None:
    looked = seen(rated({"ana": [1] * 40, "ben": [5] * 40}))
    [cell] = numbers("confusion", looked)["panels"][0]["cells"]
    assert len(cell["items"]) == 10, "the report stays as it is"
    assert way_of("confusion", looked, "Emotion recognition: ana 1, ben 5") == 40


@every_figure
def test_a_figure_shows_hostile_names_as_text(figure: Figure[Any]) -> None:
    evil = """<script>alert(1)</script>"'"""
    renamed = [
        replace(each, annotator=each.annotator if each.judge else evil + each.annotator, item=evil + each.item)
        for each in EVERYTHING.report.judgments
    ]
    looked = seen(
        renamed,
        WAYS,
        progress=[AnnotatorProgress(evil, 3, 3)],
        funnel=[FunnelStep(evil, 3), FunnelStep("x", 2)],
        planned=9,
    )
    page = draw(figure, figure.numbers(looked), lambda items, about: "/item?name=" + items[0])
    assert "<script" not in page
    assert 'alert(1)</script>"' not in page


def test_every_class_that_is_drawn_with_has_a_rule() -> None:
    page = "".join(draw(each, each.numbers(EVERYTHING)) for each in all_figures())
    used = {name for group in re.findall(r'class="([^"]*)"', page) for name in group.split()}
    assert {name for name in used if f".{name}" not in css()} <= {"figure-wide"}


def test_in_a_caption_n_stays_on_the_line_of_its_number() -> None:
    page = "".join(draw(each, each.numbers(EVERYTHING)) for each in all_figures())
    captions = " ".join(re.findall(r"<figcaption>(.*?)</figcaption>", page, re.S))
    assert captions.count("n\u00a0=\u00a0") > 3
    assert "n\u00a0up\u00a0to\u00a0" in captions
    assert re.search(r"\bn (?:=|up to) \d", captions) is None


def test_colours_are_the_ones_of_the_product_in_light_and_in_dark() -> None:
    light, dark, *_ = css().splitlines()
    assert "--f-accent: #1f5fbf" in light
    assert "prefers-color-scheme: dark" in dark
    assert "--f-accent: #8db8ff" in dark


def test_of_many_annotators_twenty_are_drawn_and_all_are_in_the_table() -> None:
    many = {f"p{number}": [1 + (place + number) % 5 for place in range(6)] for number in range(60)}
    looked = seen(rated(many, active_ms=60_000))
    for name in ("leniency", "time", "scale_use"):
        found = numbers(name, looked)
        assert len(found["rows"]) == MOST_PEOPLE
        assert found["more"] == 40
        assert "40 more are in the table" in caption(name, looked)
        assert len({row[0] for row in table_rows(name, looked)}) == 60


# P1


def test_progress_forecasts_from_the_pace_of_the_last_days() -> None:
    # Twelve and eight a day in turn, for ten days: 100 of 200 are there. The last day is not over.
    days = [day for day in range(10) for _ in range(8 if day % 2 else 12)]
    began = T0 - T0 % DAY
    given = [
        judgment(f"i{n}", "ana", 3, submission=str(n), submitted_at=began + day * DAY + n) for n, day in enumerate(days)
    ]
    looked = seen(given, planned=200)
    found = numbers("progress", looked)
    assert (found["n"], found["target"], found["unit"]) == (100, 200, "day")
    assert found["points"][0][1] == 12
    assert found["points"][-1][1] == 100
    assert found["pace"] == pytest.approx(92 / 9)
    assert found["end"] == pytest.approx(found["now"] + 100 / (92 / 9) * DAY, abs=2)
    assert found["end_range"][0] < found["end"] < found["end_range"][1]
    assert "100 of 200 submissions are in. At 10.2 a day it ends about" in finding("progress", looked)
    rows = table_rows("progress", looked)
    assert [row[1:] for row in rows][:2] == [[12, 12], [8, 20]]


def test_the_hour_from_midnight_on_has_its_time_beside_the_day() -> None:
    midnight = T0 - T0 % DAY
    times = [midnight - 1, *(midnight + hours * HOUR + 1 for hours in range(8) for _ in range(3))]
    given = [judgment(f"i{n}", "ana", 3, submission=str(n), submitted_at=at) for n, at in enumerate(times)]
    rows = table_rows("progress", seen(given, planned=200))
    assert [row[0] for row in rows][:3] == ["2027-01-14 23:00", "2027-01-15 00:00", "2027-01-15 01:00"]


def test_progress_says_when_it_is_too_early_for_a_forecast_and_when_all_is_done() -> None:
    given = rated({"ana": [3, 3, 3]})
    assert numbers("progress", seen(given, planned=200))["end"] is None
    assert "No forecast" in finding("progress", seen(given, planned=200))
    assert finding("progress", seen(given, planned=3)) == "3 of 3 submissions are in. All of it is done."


def test_progress_says_that_work_is_stalled_and_forecasts_nothing_then() -> None:
    began = T0 - T0 % DAY
    given = [judgment(f"i{n}", "ana", 3, submission=str(n), submitted_at=began + n // 10 * DAY + n) for n in range(50)]
    last = began + 4 * DAY + 49
    assert numbers("progress", seen(given, planned=200, now=last + 2 * DAY - 1))["end"] > last + 2 * DAY
    stalled = seen(given, planned=200, now=last + 2 * DAY)
    assert numbers("progress", stalled)["end"] is None
    assert finding("progress", stalled).endswith("Stalled: nothing has come in since 19 Jan.")
    assert ">stalled</text>" in draw(kind("progress"), kind("progress").numbers(stalled))


@pytest.mark.parametrize("name", ["time", "agreement"])
def test_on_a_phone_no_dotted_line_crosses_a_name(name: str) -> None:
    people = [f"{number}-papadopoulos-bartholomew-featherston" for number in range(3)]
    given = rated({who: [1, 2, 3, 4, 5] * 6 for who in people})
    figure = kind(name)
    page = draw(figure, figure.numbers(seen([replace(each, active_ms=9000) for each in given])))
    narrow = ET.fromstring(re.findall(r"<svg.*?</svg>", page[page.index("figure-narrow") :], re.S)[0])
    lines = [
        [float(each.attrib[at]) for at in ("x1", "y1", "y2")]
        for each in narrow.iter()
        if each.get("class") == "f-threshold" and each.attrib["x1"] == each.attrib["x2"]
    ]
    names = [
        (text_width.width(each.text), float(each.attrib["y"]))
        for each in narrow.iter()
        if (each.get("class") or "").startswith("f-halo") and each.get("x") == "0" and each.text
    ]
    assert lines
    assert names
    crossed = [(x, y) for x, y1, y2 in lines for width, y in names if x < width and y1 < y + 3 and y - 9 < y2]
    assert crossed == []


def test_progress_of_a_closed_study_is_not_stalled_and_expects_no_more() -> None:
    began = T0 - T0 % DAY
    given = [judgment(f"i{n}", "ana", 3, submission=str(n), submitted_at=began + n // 10 * DAY + n) for n in range(50)]
    figure = ProgressFigure()
    for idle in (DAY, 3 * DAY):
        found = figure.numbers(seen(given, planned=200, now=began + 4 * DAY + 49 + idle))
        assert isinstance(found, ProgressFigureNumbers)
        assert figure.in_state(found, "open") == figure.in_state(found, "paused") == found
        closed = figure.in_state(found, "closed")
        assert (closed.why, closed.end, closed.pace) == ("the study is closed", None, None)
        assert figure.finding(closed) == "50 of 200 submissions are in. The study is closed."
        assert "stalled" not in draw(figure, closed).lower()
    whole = figure.numbers(seen(given, planned=50, now=began + 9 * DAY))
    assert isinstance(whole, ProgressFigureNumbers)
    assert figure.finding(figure.in_state(whole, "closed")).endswith("All of it is done.")


def test_progress_has_a_line_for_each_annotator_and_of_many_the_most_the_least_and_the_middle() -> None:
    def line(name: str, given: int) -> list[Judgment]:
        return [judgment(f"i{n}", name, 3, submission=f"{name}{n}", submitted_at=T0 + n * DAY) for n in range(given)]

    two = numbers(
        "progress", seen([*line("ana", 4), *line("ben", 6)], progress=[AnnotatorProgress("ana", 4, 4, left=True)])
    )
    assert [(each["annotator"], each["n"], each["at_work"]) for each in two["lines"]] == [
        ("ben", 6, True),
        ("ana", 4, False),
    ]
    assert [count for _, count in two["lines"][1]["points"]] == [1, 2, 3, 4]
    assert two["middle"] == []
    # Twenty people with one to twenty items: of these twelve are drawn, and 5.75 to 15.25 is the middle half.
    crowd = seen([each for n in range(1, 21) for each in line(f"p{n:02}", n)])
    drawn = kind("progress").numbers(crowd)
    assert [each.n for each in drawn.lines_to_draw] == [20, 19, 18, 17, 16, 15, 6, 5, 4, 3, 2, 1]
    assert drawn.middle[-1][1:] == (5.75, 15.25)
    assert len(drawn.lines) == 20
    page = draw(kind("progress"), drawn)
    assert "the middle half of all 20" in page
    assert page.split("</svg>")[0].count('class="f-line') == 12


def test_comparisons_are_the_reports_with_the_largest_difference_first() -> None:
    # Of twenty prompts each system answers one: A is rated 4 and B 3, always, on one dimension; 3 and 3 on the other.
    given = [
        judgment(f"{system}{n}", "ana", value if name == "emotion" else 3, name, system=system, group=f"g{n}")
        for n in range(20)
        for system, value in (("A", 4), ("B", 3))
        for name in ("emotion", "safety")
    ]
    looked = seen(given)
    rows = {row["dimension"]: row for row in numbers("comparisons", looked)["rows"]}
    assert (rows["emotion"]["first"], rows["emotion"]["second"], rows["emotion"]["value"]) == ("A", "B", 1.0)
    assert rows["safety"]["value"] == 0.0
    [family] = families_of(looked.report)
    assert family.systems is not None
    assert [pair.claim.value for row in family.systems.dimensions for pair in row.pairs] == [1.0, 0.0]
    drawn = draw(kind("comparisons"), kind("comparisons").numbers(looked))
    assert "favours A" in drawn
    assert "favours B" in drawn
    assert [row[1] for row in table_rows("comparisons", looked)] == ["Emotion recognition", "Safety and boundaries"]


def test_names_of_forty_letters_are_wrapped_and_never_cut_where_systems_are_compared() -> None:
    first, second = "linnet_assistant_v2_tuned_on_dialogues_7b", "heron_baseline_with_retrieval_and_tools_1"
    given = [
        judgment(f"{system}{n}", "ana", value, system=system, group=f"g{n}")
        for n in range(20)
        for system, value in ((first, 4), (second, 3))
    ]
    drawn = draw(kind("comparisons"), kind("comparisons").numbers(seen(given)))
    assert "…" not in drawn
    for drawing in re.findall(r"<svg.*?</svg>", drawn, re.S):
        words = "".join(re.findall(r"<text[^>]*>([^<]*)", drawing)).replace(" ", "")
        assert words.count(f"favours{first}") == words.count(f"favours{second}") == 1


def test_rows_that_differ_at_the_end_of_a_long_name_can_be_told_apart() -> None:
    names = [f"Readability (linnet_assistant_v2_tuned_on_dialogues_7b against {each})" for each in ("heron", "system")]
    for frame in (charts.WIDE, charts.DESK, charts.NARROW):
        fitted, height = frame.for_names(names, 30, ["0.25 (n = 40)"] * 2, few=True)
        wrapped = [fitted.name_lines(name, "0.25 (n = 40)", taken=charts.BADGE + 8) for name in names]
        assert ["".join(each).replace(" ", "") for each in wrapped] == [name.replace(" ", "") for name in names]
        assert fitted.row(height) >= max(map(len, wrapped)) * charts.LINE


def long_names(people: int) -> FigureData:
    """Everything there is, by so many people; all names and titles have forty letters."""
    who = {f"{n}": f"annotator-of-the-second-large-round-{n:04}" for n in range(people)}
    called = {"A": "fine-tuned-model-of-october-2026-large-1", "B": "a baseline model without any fine tuning"}
    whole = [each for each in EVERYTHING.report.judgments if each.annotator == "ana" and each.pass_ == 1]

    def named(each: Judgment, **more: Any) -> Judgment:
        systems = tuple(called[system] for system in each.systems)
        more = {"value": called.get(str(each.value), each.value), **more}
        place = int(each.item[1:])
        item = f"conversation-number-{place:04}-of-the-second"
        return replace(
            each, item=item, systems=systems, system=called.get(each.system, ""), left=called[each.left], **more
        )

    found = [
        named(
            each,
            annotator=name,
            submission=f"{n}-{each.submission}",
            value=1 + (each.value + int(n) * 7) % 5
            if isinstance(each.value, int)
            else called.get(str(each.value), "tie"),
        )
        for n, name in who.items()
        for each in whole
        if (int(n) + int(each.item[1:])) % max(1, people // 15) == 0
    ]
    again = [replace(each, pass_=2, submission=f"again-{each.submission}") for each in found if "00" in each.item[-20:]]
    judged = [
        named(each, annotator="automated-judge-of-the-release-of-autumn", submission=f"judge-{each.submission}")
        for each in EVERYTHING.report.judgments
        if each.judge
    ]
    study = EVERYTHING.report.study
    titles = ("How well it all hangs together at the end", "How efficient it is, seen step for step?", "Thoroughness")
    rubric = [
        each.model_copy(update={"title": titles[place % 3]}) if each.input.level else each
        for place, each in enumerate(study.rubric)
    ]
    return seen(
        [*found, *again, *judged],
        study.model_copy(update={"rubric": rubric}),
        progress=[AnnotatorProgress(name, 30, 30) for name in who.values()],
        funnel=[FunnelStep("Opened the link that was sent to them all", people), FunnelStep("Item 1", 1, 3.0, 1)],
        planned=people * 30,
    )


@pytest.mark.parametrize("people", [3, 30, 500])
def test_no_name_of_forty_letters_is_cut_in_any_figure(people: int) -> None:
    looked = long_names(people)
    for figure in all_figures():
        drawn = figure.numbers(looked)
        if people == 3:
            assert not isinstance(drawn, Nothing), figure.kind
        for frame in (charts.WIDE, charts.DESK):
            page = draw(figure, drawn, frame=frame)
            assert [words for words in re.findall(r"<text[^>]*>([^<]*)", page) if "…" in words] == [], figure.kind
            for drawing in re.findall(r"<svg.*?</svg>", page, re.S):
                width = float(drawing.split('viewBox="0 0 ')[1].split()[0])
                assert [
                    each
                    for each in re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', drawing)
                    if sum(map(float, each)) > width + 1
                ] == [], figure.kind


def test_the_way_of_leniency_is_said_whole() -> None:
    page = draw(kind("leniency"), kind("leniency").numbers(EVERYTHING))
    assert "left:stricter,right:morelenient" in "".join(re.findall(r"<text[^>]*>([^<]*)", page)).replace(" ", "")


# P2


def test_agreement_has_the_interval_the_threshold_and_the_items_farthest_apart() -> None:
    looked = seen(rated({"ana": [2] * 20 + [4] * 20, "ben": [2] * 15 + [3] * 5 + [4] * 15 + [5] * 4 + [1]}))
    found = numbers("agreement", looked)
    row = next(each for each in found["rows"] if each["dimension"] == "emotion")
    main = next(each for each in looked.report.agreement[Topic("emotion")] if each.name == "cohen_kappa_linear")
    assert row["value"] == pytest.approx(main.value)
    assert row["ci"] == pytest.approx(main.ci, abs=0.06), "from fewer draws"
    again = next(each for each in numbers("agreement", looked)["rows"] if each["dimension"] == "emotion")
    assert again["ci"] == list(main.ci or ()), "as the report has it, once it is made"
    assert (row["n"], row["few"], found["at_least"]) == (40, False, 0.4)
    assert row["items"][0] == "i39", "three apart"
    assert "asked for: 0.40" in draw(kind("agreement"), kind("agreement").numbers(looked))


def test_agreement_of_each_two_is_shown_for_the_dimension_with_the_least() -> None:
    values = [1 + place % 5 for place in range(25)]
    other = [1 + (place * 2) % 5 for place in range(25)]
    rows = rated({"ana": values, "ben": values, "cem": other})
    pairs = numbers("agreement", seen([*rows, *rated(dict.fromkeys(("ana", "ben", "cem"), values), "safety")]))["pairs"]
    assert pairs["dimension"] == "emotion"
    cells = {(each["first"], each["second"]): each for each in pairs["cells"]}
    assert cells["ana", "ben"]["value"] == 1
    assert cells["ana", "cem"]["value"] == pytest.approx(0.5)
    assert {(each["n"], each["few"]) for each in cells.values()} == {(25, False)}


def test_agreement_shows_another_coefficient_where_the_studys_is_undefined() -> None:
    three = {"ana": [1, 2, None], "ben": [1, None, 3], "cem": [None, 2, 4]}
    looked, figure = seen(rated(three)), kind("agreement")
    row = numbers("agreement", looked)["rows"][0]
    assert row["coefficient"].startswith("Krippendorff")
    assert row["few"]
    assert "is undefined here" in caption("agreement", looked)
    assert "asked for" not in draw(figure, figure.numbers(looked)), "what is asked for is asked of another coefficient"


# P3, P5


def test_leniency_is_the_mean_difference_to_the_others_on_the_same_items() -> None:
    found = numbers("leniency", seen(rated({"ana": [2, 3, 4] * 10, "ben": [3, 4, 5] * 9 + [2, 3, 5]})))
    rows = {row["annotator"]: row for row in found["rows"]}
    assert rows["ben"]["value"] == pytest.approx((27 + 0 + 0 + 1) / 30)
    assert rows["ana"]["value"] == pytest.approx(-28 / 30)
    assert rows["ben"]["ci"][0] < rows["ben"]["value"] < rows["ben"]["ci"][1]
    assert rows["ben"]["beyond"]
    assert rows["ben"]["n"] == 30
    assert rows["ben"]["items"][0] == "i0"


def test_drift_has_a_rolling_mean_its_slope_and_the_breaks() -> None:
    rising = [2 if place < 20 else 4 for place in range(40)]
    work = rated({"ana": [3] * 40, "ben": rising})
    found = numbers("drift", seen(work, breaks={"ben": [19 * 10 * MINUTE + 1]}))
    row = next(each for each in found["rows"] if each["annotator"] == "ben")
    assert row["points"][0] == [10, -1]
    assert row["points"][-1] == [40, 1]
    assert row["value"] > 0
    assert row["breaks"] == [20]
    assert row["beyond"]
    assert not row["few"]
    assert not row["sessions"]
    late = [replace(each, submitted_at=each.submitted_at + (DAY if each.position > 20 else 0)) for each in work]
    assert next(each for each in numbers("drift", seen(late))["rows"] if each["annotator"] == "ben")["sessions"] == [20]


# P4


def test_time_is_set_against_reading_and_answering_and_fast_items_are_named() -> None:
    # 238 words are a minute, and each question of the rubric five seconds more.
    expected = 60 + 5 * len(PLAIN.rubric)
    work = rated({"ana": [3] * 20}, active_ms=expected * 1000)
    quick = [replace(each, active_ms=expected * 300) if each.item in ("i3", "i4") else each for each in work]
    row = numbers("time", seen(quick))["rows"][0]
    assert row["median"] == pytest.approx(1)
    assert (row["fast"], row["n"], row["items"]) == (2, 20, ["i3", "i4"])
    assert sum(row["density"]) == pytest.approx(1, abs=0.01)
    assert row["fast_ci"][0] < 0.1 < row["fast_ci"][1]


# P6, P7


def test_confusion_counts_cells_and_marks_what_is_two_apart() -> None:
    found = numbers("confusion", seen(rated({"ana": [1, 1, 2, 3], "ben": [1, 3, 3, 3]})))
    assert (found["first"], found["second"]) == ("ana", "ben")
    cells = {(each["first"], each["second"]): each for each in found["panels"][0]["cells"]}
    assert {key: each["n"] for key, each in cells.items()} == {
        ("1", "1"): 1,
        ("1", "3"): 1,
        ("2", "3"): 1,
        ("3", "3"): 1,
    }
    assert [key for key, each in cells.items() if each["far"]] == [("1", "3")]
    assert cells["1", "3"]["items"] == ["i1"]
    assert (found["panels"][0]["same"], found["panels"][0]["n"]) == (2, 4)


def test_confusion_is_of_the_two_who_differ_most_and_others_can_be_chosen() -> None:
    five = {"ana": [1, 2, 3, 4, 1, 2], "ben": [1, 2, 3, 4, 1, 3], "cem": [1, 2, 3, 1, 2, None], "dan": [5, 5]}
    three = {
        who: [*values[:5], None, *[3] * 16] if who == "cem" else [*values, *[3] * 16] for who, values in five.items()
    }
    three["dan"] = five["dan"]
    found = numbers("confusion", seen(rated(three)))
    assert (found["first"], found["second"], found["same"], found["of"]) == ("ana", "cem", 19, 21)
    assert [(each["first"], each["second"]) for each in found["others"]] == [("ben", "cem"), ("ana", "ben")], (
        "dan shares two items"
    )
    page = draw(kind("confusion"), kind("confusion").numbers(seen(rated(three))))
    assert re.findall(r"<input[^>]*> ([^<]*)</label>", page)[0] == "ana and cem: 90 % the same"
    assert page.count('name="figure-confusion-view"') == 3
    assert page.count(" checked>") == 1
    assert {row[0] for row in table_rows("confusion", seen(rated(three)))} == {"ana, cem", "ben, cem", "ana, ben"}


def test_where_nobody_shares_enough_items_confusion_is_of_the_two_who_share_the_most_and_says_so() -> None:
    given = {"ana": [1, 2, 3, 4, 1, 2], "ben": [1, 2, 3, 4, 1, 3], "cem": [1, 2, 3, 1, 2, None], "dan": [5]}
    figure = kind("confusion")
    found = figure.numbers(seen(rated(given)))
    assert (found.first, found.second, found.n) == ("ana", "ben", 6), "ana and cem differ more, and share five"
    assert [(each.first, each.second) for each in found.others] == [("ana", "cem"), ("ben", "cem")]
    assert "the two who share the most items: n = 6 (fewer than 20: too few to say)" in figure.caption(found)
    alone = figure.numbers(seen(rated({"ana": [1, 2], "dan": [5]})))
    assert alone == Nothing("No two annotators have judged 2 of the same items yet.")


def test_what_rests_on_few_items_is_drawn_in_full_colour_with_a_badge_and_without_a_curve() -> None:
    few = seen(rated({"ana": [1, 2, 3, 4] * 4, "ben": [2, 2, 3, 4] * 4}, active_ms=60_000))
    enough = seen(rated({"ana": [1, 2, 3, 4] * 6, "ben": [2, 2, 3, 4] * 6}, active_ms=60_000))
    for name in ("agreement", "leniency", "time", "scale_use", "drift"):
        assert ">n &lt; 20</text>" in draw(kind(name), kind(name).numbers(few)), name
        assert ">n &lt; 20</text>" not in draw(kind(name), kind(name).numbers(enough)), name
    for figure in all_figures():
        for drawing in re.findall(r"<svg.*?</svg>", draw(figure, figure.numbers(few)), re.S):
            ET.fromstring(drawing)
    assert "f-area" not in draw(kind("time"), kind("time").numbers(few))
    assert "f-curve" not in draw(kind("drift"), kind("drift").numbers(few))
    assert "hollow" not in css() + draw(kind("agreement"), kind("agreement").numbers(few))


def test_forest_plots_are_sorted_and_their_numbers_stand_in_columns() -> None:
    apart = {"ana": [1 + place % 5 for place in range(25)], "ben": [1 + (place * 2) % 5 for place in range(25)]}
    near = dict.fromkeys(("ana", "ben"), apart["ana"])
    looked = seen([*rated(near, "emotion"), *rated(apart, "safety")])
    assert [row[0] for row in table_rows("agreement", looked)][:2] == ["Safety and boundaries", "Emotion recognition"]
    drawn = draw(kind("agreement"), kind("agreement").numbers(looked)).split("</svg>")[0]
    ends = {words: at for at, words in re.findall(r'x="([\d.]+)"[^>]*text-anchor="end"[^>]*>([^<]*)<', drawn)}
    [worst] = [row["value"] for row in numbers("agreement", looked)["rows"] if row["dimension"] == "safety"]
    assert ends["1.00"] == ends[f"{worst:.2f}"] < ends["(n = 25)"]
    assert ends["(n = 25)"] == "720.0"


def test_drift_has_its_unit_and_its_interval() -> None:
    work = rated({"ana": [3] * 40, "ben": [2 if place < 20 else 4 for place in range(40)]})
    assert "the change in 100 items in points, with its 95 % interval" in caption("drift", seen(work))
    assert re.search(
        r"\+\d\.\d\d \[\d\.\d\d, \d\.\d\d\] in 100 items", draw(kind("drift"), kind("drift").numbers(seen(work)))
    )


def test_duplicates_are_the_same_one_apart_or_more() -> None:
    first = rated({"ana": [1, 2, 3, 4]})
    values = {"i0": 1, "i1": 3, "i2": 5}
    second = [replace(each, pass_=2, submission="again" + each.item, value=values[each.item]) for each in first[:3]]
    [row] = numbers("duplicates", seen([*first, *second]))["rows"]
    assert (row["same"], row["one"], row["more"], row["n"]) == (1, 1, 1, 3)
    assert row["items"] == ["i2"]
    assert row["few"]


# P8, P12


def test_win_rates_give_half_of_the_ties_and_look_at_the_left_side() -> None:
    study = ungrouped(WAYS)
    outcomes = ["A"] * 12 + ["tie"] * 6 + ["B"] * 6
    judged = [choice(f"i{n}", "ana", ("A", "B"), "A" if n % 2 else "B", won) for n, won in enumerate(outcomes)]
    [row] = numbers("win_rates", seen(judged, study))["rows"]
    assert (row["wins"], row["ties"], row["losses"]) == (12, 6, 6)
    assert row["value"] == pytest.approx((12 + 3) / 24)
    assert row["ci"][0] < row["value"] < row["ci"][1]
    assert (row["left"], row["left_n"]) == (pytest.approx(9 / 18), 18)
    assert row["items"] == [f"i{n}" for n in range(18, 24)]


def test_win_rates_are_in_per_cent_and_name_the_n_that_the_badge_is_about() -> None:
    outcomes = ["A"] * 12 + ["tie"] * 6 + ["B"] * 6
    judged = [
        replace(choice(f"i{n}", "ana", ("A", "B"), "A", won), group=f"g{n % 6}") for n, won in enumerate(outcomes)
    ]
    figure = next(each for each in all_figures() if each.kind == "win_rates")
    found = figure.numbers(seen(judged, WAYS))
    assert not isinstance(found, Nothing)
    wide = draw(figure, found).partition("figure-narrow")[0]
    texts = [unescape(each).replace("\u00a0", " ") for each in re.findall(r"<text[^>]*>([^<]*)</text>", wide)]
    assert any(re.fullmatch(r"62 % \[\d+, \d+\]", each) for each in texts), texts
    assert [each for each in texts if each.startswith("n ")] == ["n < 20", "n = 6 groups"]
    assert [each for each in texts if re.fullmatch(r"0?\.\d+", each)] == []
    columns, [row] = figure.table(found)
    cells = dict(zip(columns, row, strict=True))
    assert cells["Wins and half of ties"] == "0.62", "the files for a paper keep the number"
    assert re.fullmatch(r"\[0\.\d\d, 0\.\d\d\]", cells["95 % interval"])


def test_a_badge_that_has_a_line_of_its_own_begins_it() -> None:
    """Before the number it would stand upon the zero line."""
    template = (
        "{% import 'marks.html' as marks %}{{ marks.row(charts.NARROW, 60, 50, name, '+0.31 [−0.07, 0.69]', true) }}"
    )
    places = {}
    for name in ("short", "a-system-with-a-long-name − another-one"):
        page = figures_renderer().environment.from_string(template).render(name=name, charts=charts)
        [(x, top)] = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)"', page)
        places[name] = float(x)
        [words] = re.findall(rf'<text x="0" y="([\d.]+)" class="f-halo ">{name}', page)
        assert float(words) + 3 <= float(top) or float(x) > 100, "it stands clear of the name"
    assert places["a-system-with-a-long-name − another-one"] == 0
    assert places["short"] > 100


def test_scores_predict_the_choice_by_how_sure_people_were() -> None:
    judged = []
    for place in range(24):
        base = {"systems": ("A", "B"), "left": "A", "submission": f"s{place}", "group": f"g{place}"}
        for system, score in (("A", 4), ("B", 2)):
            side = "left" if system == "A" else "right"
            judged.append(judgment(f"i{place}", "ana", score, "coherence", system=system, side=side, **base))
        judged.append(choice(f"i{place}", "ana", ("A", "B"), "A", "A" if place < 18 else "B", submission=f"s{place}"))
        judged.append(judgment(f"i{place}", "ana", 5 if place < 12 else 2, "confidence", system="", **base))
    rows = {row["level"]: row for row in numbers("scores_and_choice", seen(judged, ungrouped(WAYS)))["rows"]}
    assert rows[""]["value"] == pytest.approx(18 / 24)
    assert rows["5"]["value"] == 1
    assert rows["2"]["value"] == pytest.approx(0.5)
    assert (rows[""]["n"], rows[""]["few"], rows["2"]["few"]) == (24, False, True)
    assert rows["2"]["items"] == [f"i{n}" for n in range(18, 24)]


# P9


def test_a_judge_stands_under_the_ceiling_of_people() -> None:
    values = [1 + place % 5 for place in range(30)]
    people = rated({"ana": values, "ben": values})
    judge = rated({"gpt": [min(5, value + 1) for value in values]}, judge=True)
    [row] = numbers("judge", seen([*people, *judge]))["rows"]
    assert row["people"] == pytest.approx(1)
    assert row["value"] < 1
    assert row["bias"] == pytest.approx(24 / 30)
    assert row["n"] == 30
    assert {(each["judge"], each["people"]): each["n"] for each in row["cells"]}[1, 0] == 6
    assert {each["judge"]: each["value"] for each in row["curve"]} == {1: 1, 2: 2, 3: 3, 4: 4.5}


def test_twenty_judges_with_long_names_have_a_panel_each_that_names_them() -> None:
    values = [1 + place % 5 for place in range(30)]
    names = [f"automated-judge-of-the-october-release-{n:02}" for n in range(20)]
    judges = rated({name: [min(5, value + n % 3) for value in values] for n, name in enumerate(names)}, judge=True)
    looked = seen([*rated({"ana": values, "ben": values}), *judges])
    drawn = kind("judge").numbers(looked)
    assert len(drawn.panels) == 20
    page = draw(kind("judge"), drawn)
    for name in {row.judge for row in drawn.panels} & set(names):
        assert name[-9:] in page, "the end tells it from the others"


# P10, P11


def test_the_disagreement_list_begins_with_the_widest_and_has_the_notes() -> None:
    given = rated({"ana": [1, 3, 3], "ben": [5, 3, 4]})
    note = judgment("i0", "ana", " because ", "note", submission="ana-i0")
    found = numbers("disagreement", seen([*given, note]))
    assert [(row["item"], row["given"]) for row in found["rows"]] == [
        ("i0", [[1, 1], [5, 1]]),
        ("i2", [[3, 1], [4, 1]]),
    ]
    assert found["rows"][0]["spread"] == pytest.approx(8**0.5)
    assert found["rows"][0]["notes"] == ["because"]
    assert (found["n"], found["above"], found["limit"]) == (3, 1, 1.5)


def test_scale_use_counts_each_point_and_items_with_one_number_for_all() -> None:
    values = [2, 2, 3, 4]
    given = [*rated({"ana": values}), *rated({"ana": [2, 2, 3, 1]}, "validation")]
    [row] = numbers("scale_use", seen(given))["rows"]
    assert row["counts"]["emotion"] == [0, 2, 1, 1, 0]
    assert (row["alike"], row["alike_of"], row["items"]) == (3, 4, ["i0", "i1", "i2"])
    table = table_rows("scale_use", seen(given))
    assert table[0][4] == "1, 5", "the ends were never given"


# P13, P14


def test_the_funnel_says_where_most_stop() -> None:
    steps = [FunnelStep("Invited", 40), FunnelStep("Opened the link", 30, 12.0), FunnelStep("Item 1", 12, 3.0)]
    found = numbers("funnel", seen([], funnel=steps))
    assert [(row["people"], row["lost"], row["minutes"]) for row in found["rows"]] == [
        (40, 0, None),
        (30, 10, 12.0),
        (12, 18, 3.0),
    ]
    assert found["rows"][1]["share"] == 0.75
    assert finding("funnel", seen([], funnel=steps)) == "Most stop before “Item 1”: 18; 12 of 40 came to the end"


def test_the_funnel_tells_those_who_are_still_on_the_way_from_those_who_stopped_and_from_files() -> None:
    steps = [FunnelStep("Invited", 40), FunnelStep("Item 1", 30, 12.0, on_the_way=8), FunnelStep("All", 29, None, 1)]
    people = [AnnotatorProgress("ana", 1, 1), AnnotatorProgress("file", 3, 3, from_files=3, elsewhere=True)]
    looked = seen([], funnel=steps, progress=people)
    assert [(row["lost"], row["on_the_way"]) for row in numbers("funnel", looked)["rows"]] == [(0, 0), (2, 8), (0, 1)]
    assert caption("funnel", looked).endswith(
        "9 annotators are still on the way. 1 annotator more is known from files alone."
    )


def test_who_has_done_something_in_two_days_is_on_the_way_until_the_study_is_closed(bench: Bench) -> None:
    def on_the_way(now: int) -> dict[str, int]:
        steps = bench.store.read(funnel.funnel, bench.study_id, bench.study, now)
        return {each.name: each.on_the_way for each in steps if each.on_the_way}

    simulate(bench.store, "empathy", [Character("ana", items=3)], seed=1, start=T0)
    bench.clock.now = T0 + 5 * DAY
    bench.link("cem")
    half = next(
        each.name for each in bench.store.read(funnel.funnel, bench.study_id, bench.study) if "Half" in each.name
    )
    assert on_the_way(T0 + DAY) == {half: 1, "Opened the link": 1}
    assert on_the_way(T0 + 6 * DAY) == {"Opened the link": 1}, "ana has done nothing for two days"
    assert on_the_way(T0 + 9 * DAY) == {}
    bench.store.write(studies.set_state, bench.study_id, "closed", T0)
    assert on_the_way(T0 + 6 * DAY) == {}


def test_the_store_counts_every_step_of_everybody(bench: Bench) -> None:
    read = bench.store.read
    assert read(funnel.funnel, bench.study_id, bench.study)[0] == FunnelStep("Invited", 0)
    bench.link("cem")
    simulate(bench.store, "empathy", [Character("ana", items=3), Character("ben", items=1)], seed=1, start=T0 + MINUTE)
    steps = {each.name: each for each in read(funnel.funnel, bench.study_id, bench.study)}
    gates = [entry.gate.title(bench.study.words) for entry in bench.study.gates]
    assert [*steps][:-2] == ["Invited", "Opened the link", *gates, "Item 1"]
    assert [each.people for each in steps.values()] == [3, 2, *(2 for _ in gates), 2, 0, 0]
    assert steps[gates[0]].minutes == 1, "a bot takes a minute for each gate"
    assert read(annotators_per_item.places, bench.study_id) == 96
    short = bench.study.model_copy(
        update={"assignment": bench.study.assignment.model_copy(update={"most_per_annotator": 3})}
    )
    half, whole = read(funnel.funnel, bench.study_id, short)[-2:]
    assert (half.name, half.people, whole.name, whole.people) == ("Half (2 items)", 1, "All (3 items)", 1)
    assert half.minutes
    assert whole.minutes


def test_the_funnel_is_the_same_after_the_sessions_are_over(bench: Bench) -> None:
    bench.link("cem")
    dora = Annotator(bench, "dora")
    dora.enter()
    simulate(bench.store, "empathy", [Character("ana", items=3)], seed=1, start=T0 + MINUTE)
    before = bench.store.read(funnel.funnel, bench.study_id, bench.study)
    invited, opened, first_gate, *_ = before
    assert (invited.people, opened.people, first_gate.people) == (3, 2, 1)
    assert opened.minutes is not None
    bench.store.write(lambda connection: connection.execute(delete(session)))
    assert bench.store.read(funnel.funnel, bench.study_id, bench.study) == before


def test_ways_of_answering_are_told_apart_and_set_beside_time_and_answers() -> None:
    def given_by(place: int) -> str:
        return ("with:5/0/wide", "with:1/4/wide", "with:0/5/narrow")[place % 3]

    given = rated({"ana": [3] * 60, "ben": [3] * 60})
    given = [
        replace(
            each,
            events=f'[[0,"visible"],[5,"{given_by(each.position)}"]]',
            value=4 if each.annotator == "ben" and given_by(each.position).endswith("narrow") else 3,
            active_ms=30_000 if given_by(each.position) == "with:5/0/wide" else 50_000,
        )
        for each in given
    ]
    found = numbers("keys_and_device", seen(given))
    rows = {row["way"]: row for row in found["rows"]}
    assert {way: row["n"] for way, row in rows.items()} == {"wide keys": 40, "wide pointer": 40, "narrow": 40}
    assert rows["wide keys"]["seconds"][1] == 30
    assert rows["wide pointer"]["seconds"][1] == 50
    assert found["keys"] / found["answers"] == pytest.approx((40 * 5 + 40) / (120 * 5))
    assert rows["narrow"]["value"] == pytest.approx(0), "one above the other, one below"
    off = PLAIN.model_copy(update={"pace": PLAIN.pace.model_copy(update={"events": False})})
    assert "pace.events is off" in numbers("keys_and_device", seen(given, off))["nothing"]


def test_what_the_page_says_of_its_answers_is_read_and_nothing_else_is_taken() -> None:
    assert read_way('[[0,"focus"],[7,"with:3/12/narrow"]]') == (3, 12, "narrow")
    assert read_way('[[0,"focus"]]') is None
    assert read_way(None) is None
    assert read_events('[[0,"with:3/12/narrow"]]') is not None
    for wrong in ("with:3/12", "with:a/1/wide", "with:1/1/wide\\n", "with:12345/1/wide", "with:-1/1/wide"):
        assert read_events(f'[[0,"{wrong}"]]') is None
