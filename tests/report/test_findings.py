"""The title of a figure is what it shows, with its number: against answers worked out by hand."""

import re
from dataclasses import replace

import pytest

from assay.model import Judgment
from assay.report.figures import Figure, all_figures, draw
from tests.report.comparing import WAYS, choice, ungrouped
from tests.report.known import report
from tests.report.test_figures import EVERYTHING, finding, kind, rated, seen, ways
from tests.report.test_report import judgment
from tests.report.test_variance_section import ROUTES, judged


@pytest.mark.parametrize("figure", all_figures(), ids=lambda figure: figure.kind)
def test_every_figure_has_a_title_with_a_number_and_its_question_small_above(figure: Figure[object]) -> None:
    page = draw(figure, figure.numbers(EVERYTHING))
    title = re.search(r"<h3[^>]*>(.*?)</h3>", page, re.S)
    assert title
    assert figure.question not in title[1]
    assert re.search(r"\d", title[1]) or figure.kind == "drift", "nobody changes: there is no number to say"
    assert f'<p class="figure-question">{figure.question}</p>' in page


def test_the_title_of_a_figure_is_what_it_shows() -> None:
    # Thirty items; ben gives one point more on every other: fifteen are the same, and ben lies 0.5 above.
    halves = seen(rated({"ana": [3] * 30, "ben": [3 + place % 2 for place in range(30)]}, active_ms=3_000))
    assert finding("confusion", halves) == "ana and ben gave the same answer in 50 %"
    assert finding("leniency", halves).startswith("2 annotators differ from the others beyond chance, most ")
    assert finding("leniency", halves).endswith(("on Emotion recognition: +0.50", "on Emotion recognition: −0.50"))
    # 238 words take a minute, and each of the questions some seconds more: three seconds are below 0.35 of that.
    assert finding("time", halves).endswith("is fastest: 30 of 30 items below 0.35 of the expected time")
    assert finding("disagreement", halves) == "0 of 30 questions are farther apart than 1.5"
    assert finding("duplicates", EVERYTHING).endswith("of second answers are the same or one apart")
    assert finding("funnel", EVERYTHING) == "Most stop before “Opened the link”: 1; 2 of 5 came to the end"
    page = draw(kind("confusion"), kind("confusion").numbers(halves), ways(kind("confusion"), halves))
    title = "ana and ben gave the same answer in 50\u00a0%"
    assert re.search(rf'<p class="figure-question">Where exactly.*?</p>\s*<h3 id="[^"]+">{title}</h3>', page)
    alone = draw(kind("confusion"), kind("confusion").numbers(halves))
    assert f">{title}</h3>" in alone, "in the report as on the dashboard"


def test_what_the_study_asks_for_is_decided_in_a_title_as_it_is_in_the_summary() -> None:
    found = finding("agreement", EVERYTHING)
    assert found == "Least agreement on Coherence: −0.18 [−0.25, −0.12]; asked for 0.40: 3 not met, 3 undecided, of 6"
    even = seen(rated({who: [3 + place % 2 for place in range(30)] for who in ("ana", "ben")}, active_ms=3_000))
    assert finding("agreement", even).endswith("1.00; asked for 0.40: 5 undecided, of 5"), (
        "all alike: there is no interval"
    )


def test_what_rests_on_few_is_no_finding() -> None:
    few = seen(rated({"ana": [3] * 5, "ben": [4] * 5}, active_ms=3_000))
    for name in ("confusion", "leniency", "time", "agreement"):
        assert finding(name, few) == "", name


def test_a_comparison_is_named_with_its_difference_and_no_difference_is_said_as_such() -> None:
    def given(name: str, a: int) -> list[Judgment]:
        rows = [(n, system, value) for n in range(20) for system, value in (("A", a), ("B", 3))]
        return [judgment(f"{each}{n}", "ana", value, name, system=each, group=f"g{n}") for n, each, value in rows]

    assert finding("comparisons", seen([*given("emotion", 4), *given("safety", 3)])) == (
        "A − B on Emotion recognition: +1.00"
    )
    both = finding("comparisons", seen([*given("emotion", 4), *given("safety", 5)]))
    assert both == "A − B on Safety and boundaries: +2.00; 2 of 2 differences are shown", "the last scale comes first"
    assert finding("comparisons", EVERYTHING) == "No difference is shown in 4 comparisons"
    few = [each for each in given("emotion", 4) if each.group in ("g0", "g1")]
    assert finding("comparisons", seen(few)) == "Nothing is decided yet in 1 comparison"


def test_a_judge_is_said_beside_people() -> None:
    values = [1 + place % 5 for place in range(30)]
    people = rated({"ana": values, "ben": values})
    judge = rated({"gpt": [6 - value for value in values]}, judge=True)
    said = finding("judge", seen([*people, *judge]))
    # What people call 1 the judge calls 5: weighted by squares, that is as far from people as can be.
    assert said.startswith("Least agreement with people: gpt on Emotion recognition, −1.00")
    assert said.endswith("; people among themselves 1.00")


def test_the_scores_behind_a_choice_are_counted() -> None:
    judged_ = []
    for place in range(24):
        base = {"systems": ("A", "B"), "left": "A", "submission": f"s{place}", "group": f"g{place}"}
        for system, score in (("A", 4), ("B", 2)):
            side = "left" if system == "A" else "right"
            judged_.append(judgment(f"i{place}", "ana", score, "coherence", system=system, side=side, **base))
        judged_.append(choice(f"i{place}", "ana", ("A", "B"), "A", "A" if place < 18 else "B", submission=f"s{place}"))
    said = finding("scores_and_choice", seen(judged_, ungrouped(WAYS)))
    assert said.startswith("The higher scores were preferred in 75 % of 24 choices, [")


def test_who_leaves_ends_out_or_gives_one_number_is_named() -> None:
    whole = [1 + place % 5 for place in range(25)]
    middle = [2 + place % 3 for place in range(25)]
    two = seen([*rated({"ana": whole, "ben": middle}), *rated({"ana": [1, 5] * 12 + [1], "ben": middle}, "safety")])
    # ana gave 1 and 1 on two of five, 5 and 5 on two of five of every ten; ben gave both dimensions the same always.
    assert finding("scale_use", two) == (
        "1 of 2 annotators never gave an end of a scale; ben gave all dimensions one number in 25 of 25 items"
    )
    assert finding("scale_use", seen(rated({"ana": whole}))) == "Everybody gives both ends of every scale"


def test_a_way_of_answering_that_lies_apart_is_named() -> None:
    def given(shift: int) -> list[Judgment]:
        rows = rated({"ana": [3] * 48, "ben": [3 + shift * (place % 2) for place in range(48)]})
        by = {"ana": "with:5/0/wide", "ben": "with:0/5/narrow"}
        return [replace(each, events=f'[[0,"visible"],[5,"{by[each.annotator]}"]]') for each in rows]

    assert finding("keys_and_device", seen(given(0))) == (
        "Answers do not differ by the way they were given, beyond chance"
    )
    assert re.fullmatch(
        r"(Wide|Narrow) page.*: [+−]0\.50 \[.*\] beside the others", finding("keys_and_device", seen(given(1)))
    )
    one = [each for each in given(0) if each.annotator == "ana"]
    assert finding("keys_and_device", seen(one)) == "All of 48 items were answered in one way: wide page, by keys"


def test_what_holds_at_every_look_is_said_with_its_interval() -> None:
    assert finding("looks", EVERYTHING) == "None of 4 differences is away from 0 at this look"


def test_where_least_of_the_variance_lies_between_what_is_judged_is_said() -> None:
    figure = kind("variance")
    numbers = report(ROUTES, judged()).figures["variance"]
    (row,) = numbers.rows
    shares = {each.effect: each.share for each in row.components}
    wanted = sum(share for effect, share in shares.items() if "annotator" not in effect)
    assert figure.finding(numbers) == (
        f"Least lies between items and systems on Coherence: {100 * wanted:.0f} %; "
        f"{100 * shares['annotator']:.0f} % lies between annotators"
    )
