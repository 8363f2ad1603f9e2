"""Every sentence that states a decision, on data where it is known and on data where it must be undecided."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assay.fieldwork import Fieldwork, ItemGiven
from assay.model import Judgment
from assay.report.build import Report, build
from assay.report.figures import FigureData
from assay.report.pilot_verdict import GO, REVISE, UNDECIDED, pilot_outcome
from assay.report.sections.missing import MissingSection
from assay.statistics.comparison.systems import compare_all
from assay.study import Study
from assay.study.analysis import Analysis, ComparisonSettings
from tests.report.comparing import ROUTES, WAYS, choice, comparing, data, report, scores, ungrouped
from tests.report.test_fieldwork_sections import limits
from tests.report.test_figures import kind
from tests.report.test_preferences_section import outcomes
from tests.report.test_report import PLAIN, STUDY, emotion, judgment, pairs
from tests.report.test_report import report as report_on_agreement


@pytest.fixture(autouse=True)
def _every_report_is_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is undecided must stand on the page as well as in the sentences."""
    summary = Report.summary

    def with_page(made: Report) -> list[str]:
        assert made.html()
        return summary(made)

    monkeypatch.setattr(Report, "summary", with_page)


def claiming(study: Study, **more: Any) -> Study:
    return study.model_copy(update={"analysis": study.analysis.model_copy(update=more)})


def sentence(made: Any, part: str) -> str:
    return next(line for line in made.summary() if part in line)


# Agreement


def test_a_threshold_is_met_only_by_an_interval() -> None:
    line = sentence(report_on_agreement(pairs([(2, 2)] * 30 + [(4, 4)] * 30 + [(4, 5)] * 3)), "Emotion recognition")
    assert line.endswith("the study asks for at least 0.40: met.")
    apart = sentence(report_on_agreement(pairs([(2, 4), (4, 2), (1, 5), (5, 1)] * 10)), "Emotion recognition")
    assert apart.endswith("the study asks for at least 0.40: not met.")


@pytest.mark.parametrize("values", [[(2, 2), (4, 4)], [(1, 1), (5, 5)] * 20], ids=["two items", "no exception"])
def test_without_an_interval_it_is_undecided_whether_a_threshold_is_met(values: list[tuple[int, int]]) -> None:
    made = report_on_agreement(pairs(values))
    assert emotion(made)["cohen_kappa_linear"]["value"] == 1
    assert emotion(made)["cohen_kappa_linear"]["ci"] is None
    assert "at least 0.40: undecided, there is no interval" in sentence(made, "Emotion recognition")


def test_what_is_not_corrected_for_chance_never_meets_a_threshold() -> None:
    line = sentence(report_on_agreement(pairs([(3, 3)] * 40)), "Emotion recognition")
    why = "weighted kappa (linear) is undefined (every judgment is the same value)"
    assert line.endswith(f"; the study asks for at least 0.40: undecided, {why}.")


# A pilot


UNSURE = pairs([(2, 2)] * 6 + [(4, 4)] * 6 + [(2, 4)] * 2 + [(4, 2)] * 2)
"""A kappa of 0.5, of 16 items."""


def a_pilot(said: list[Judgment], **more: Any) -> Any:
    asked = STUDY.analysis.pilot
    assert asked is not None
    study = claiming(PLAIN, pilot=asked.model_copy(update={"dimensions": ("emotion",), **more}))
    return pilot_outcome(data(study, said))


def test_a_pilot_is_decided_by_the_value_and_says_so() -> None:
    found = a_pilot(UNSURE)
    assert found.dimensions[0].coefficient.ci[0] < 0.4 < found.dimensions[0].coefficient.value, found
    assert found.verdict == GO
    assert found.what_decides.startswith("The value decides, wherever its interval lies")


def test_an_interval_that_contains_a_threshold_leaves_a_pilot_undecided() -> None:
    found = a_pilot(UNSURE, decide_by="interval")
    assert (found.verdict, found.passed) == (UNDECIDED, False)
    assert "one that contains a threshold is undecided" in found.what_decides
    clear = a_pilot(pairs([(2, 2)] * 60 + [(4, 4)] * 60 + [(4, 5)] * 9), decide_by="interval")
    assert clear.verdict == GO
    between = a_pilot(pairs([(2, 2), (4, 4), (2, 4), (4, 2), (2, 2), (4, 4)] * 250), decide_by="interval")
    assert between.verdict == REVISE, between.dimensions[0].coefficient
    assert a_pilot(pairs([(1, 1), (5, 5)] * 10), decide_by="interval").verdict == UNDECIDED, "no interval"


def test_a_pilot_of_many_annotators_has_the_headline_of_the_report() -> None:
    """Eight people, each pair of whom shares few items: no kappa, and alpha decides, in the pilot as in the report."""
    people = [f"p{n}" for n in range(8)]
    said = [
        judgment(f"i{n}", who, 1 + n % 5) for n in range(40) for who in (people[n % 8], people[(n // 8 + n + 1) % 8])
    ]
    found = a_pilot(said).dimensions[0]
    made = report(PLAIN, said).numbers()["agreement"]["dimensions"]
    assert found.coefficient.name == next(each["main"] for each in made if each["dimension"] == "emotion")
    assert found.coefficient.name.startswith("krippendorff_alpha")
    assert "the study's coefficient is undefined: no two annotators share 20 items" in a_pilot(said).caution


# Differences


def test_below_twenty_items_no_test_is_made() -> None:
    pair = report(ROUTES, scores({"A": [3, 4, 5] * 6, "B": [2, 3, 4] * 6})).numbers()["systems"]["families"][0]
    (found,) = pair["dimensions"][0]["pairs"]
    assert (found["n"], found["p"], pair["tests"]) == (18, None, 0)
    assert all("no test: fewer than 20 groups" in each["method"] for each in found["tests"])
    few = report(ungrouped(WAYS), outcomes(15, 0, 2))
    assert "sign test" not in sentence(few, "A against B: ")
    assert "too few to say" in sentence(few, "A against B: ")


def test_scores_and_preferences_of_one_comparison_are_one_family() -> None:
    study = ungrouped(WAYS)
    said = outcomes(24, 0, 6)
    given = [
        judgment(
            f"{('A', 'B')}-{n}",
            "ana",
            4 - (system == "B") * (n % 3 > 0),
            "coherence_score",
            system=system,
            systems=("A", "B"),
            side=side,
            group="",
        )
        for n in range(30)
        for system, side in (("A", "a"), ("B", "b"))
    ]
    names = [each.dimension for each in study.scored_dimensions if each.scope.of == "side"]
    made = report(study, [*said, *(replace(each, dimension=names[0]) for each in given)])
    systems, choices = (made.numbers()[name]["families"][0] for name in ("systems", "preferences"))
    assert systems["tests"] == choices["tests"] == 2
    p = [systems["dimensions"][0]["pairs"][0], choices["dimensions"][0]["pairs"][0]]
    raw = [p[0]["p"], p[1]["sign_test"]["p"]]
    assert max(each["p_corrected"] for each in p) == pytest.approx(max(2 * min(raw), max(raw)))
    assert min(each["p_corrected"] for each in p) == pytest.approx(2 * min(raw))


def test_many_systems_are_told_apart_for_all_their_tests() -> None:
    """528 tests of scores that are no multiples of a step: what is clear is shown, however many draws there are."""
    rng = np.random.default_rng(1)
    given = {n: dict(enumerate((n + rng.normal(size=30)).tolist())) for n in range(0, 99, 3)}
    found = compare_all(given, draws=0)
    assert len(found) == 528
    assert max(pair.p_holm for pair in found if pair.p_holm) < 0.05
    assert "saddlepoint" in found[0].tests[0].method


def test_a_difference_says_on_which_items_the_two_were_compared() -> None:
    study = ungrouped(ROUTES)
    said = scores({"A": [4, 5] * 15 + [1] * 10, "B": [3, 4] * 15})
    shared = [replace(each, group="", item=each.item[2:], systems=("A", "B")) for each in said]
    made = report(study, [replace(each, submission=f"{each.annotator} {each.item}") for each in shared])
    line = sentence(made, "A − B")
    assert "A 3.62" in line
    assert "30 shared items (there A 4.50, B 3.50)" in line


def test_a_difference_over_groups_says_so_too_however_many_systems_there_are() -> None:
    said = scores({"A": [4, 5] * 15 + [1] * 10, "B": [3, 4] * 15})
    assert "30 shared groups (there A 4.50, B 3.50)" in sentence(report(ROUTES, said), "A − B")
    three = [*said, *scores({"C": [1, 2] * 15})]
    assert "A − B +1.00 (there A 4.50, B 3.50)" in sentence(report(ROUTES, three), "A − B")
    assert "(there " not in sentence(report(ROUTES, scores({"A": [4, 5] * 15, "B": [3, 4] * 15})), "A − B")


def test_no_p_value_is_written_as_zero_however_much_was_judged() -> None:
    made = report(ROUTES, scores({"A": [4, 5] * 800, "B": [1, 2, 1, 1] * 400}, people=1))
    (pair,) = made.numbers()["systems"]["families"][0]["dimensions"][0]["pairs"]
    values = [pair["p"], pair["p_corrected"], *(each["p"] for each in pair["tests"] if each["p"] is not None)]
    assert all(0 < each < 1e-300 for each in values[:2])
    assert all(each > 0 for each in values)


def test_what_does_not_vary_of_an_annotator_has_no_interval() -> None:
    made = report(ROUTES, scores({"A": [4, 5, 3, 4] * 10, "B": [3, 4, 2, 3] * 10}))
    found = made.numbers()["annotators"]["dimensions"][0]["annotators"][0]
    assert found["severity"]["value"] == 0, "everybody said the same"
    for name in ("severity", "spread", "drift"):
        assert found[name]["ci"] is None, name
        assert found[name]["value"] is None or found[name]["method"].startswith("no interval: nothing varies"), name


def dialogues(a_wins: int, b_wins: int, each_more: int = 1) -> list[Judgment]:
    """Groups of seven items: in each A or B wins by so many more, and all other items are ties."""
    said = []
    for group, winner in enumerate(["A"] * a_wins + ["B"] * b_wins):
        for n in range(7):
            chosen = winner if n < each_more else "tie"
            said.append(choice(f"{group}-{n}", "ana", ("A", "B"), ("A", "B")[n % 2], chosen, group=f"g{group}"))
    return said


def test_a_difference_is_claimed_only_where_the_test_and_the_interval_that_is_shown_agree() -> None:
    at_odds = report(WAYS, dialogues(4, 18))
    (pair,) = at_odds.numbers()["preferences"]["families"][0]["dimensions"][0]["pairs"]
    assert pair["p_corrected"] < 0.01, "the sign test of groups"
    assert pair["net"]["ci"][0] < 0 < pair["net"]["ci"][1], "the net win rate of items, most of which are ties"
    [answer] = at_odds.parts["summary"].said
    why = r"the sign test of groups shows a difference \(p = 0\.00\d\), the interval contains 0"
    assert re.match(rf"A − B is undecided on Preference \(−9 % \[−25, 8\]\): {why}\.", answer), answer
    assert re.search(rf"; undecided: {why}", sentence(at_odds, "A against B: "))
    shown = kind("comparisons").finding(kind("comparisons").numbers(FigureData(at_odds.data)))
    assert shown == "Nothing is decided yet in 1 comparison"
    clear = report(WAYS, dialogues(4, 18, 3))
    assert clear.parts["summary"].said[0].startswith("A is below B on Preference (−")
    assert "undecided" not in sentence(clear, "A against B: ")
    nothing = report(WAYS, dialogues(11, 11))
    assert nothing.parts["summary"].said[0].startswith("No difference between A and B is shown on Preference (0 % [")


def test_a_difference_of_scores_is_undecided_where_its_interval_contains_zero_whatever_the_test_says() -> None:
    # Two thirds of items are one point better; a few are so much worse that the mean difference may be zero.
    scored = report(ROUTES, scores({"A": [4] * 40 + [1] * 8, "B": [3] * 40 + [5] * 8}))
    (pair,) = scored.numbers()["systems"]["families"][0]["dimensions"][0]["pairs"]
    odd = replace(first_pair(scored), p=0.001, p_corrected=0.004)
    assert pair["difference"]["ci"][0] < 0 < pair["difference"]["ci"][1]
    assert not odd.differ
    assert odd.undecided == "the sign flip test shows a difference (corrected p = 0.004), the interval contains 0"
    clear = first_pair(report(ROUTES, scores({"A": [4, 5] * 15, "B": [3, 4] * 15})))
    assert (clear.differ, clear.undecided) == (True, "")


def first_pair(made: Report) -> Any:
    return made.parts["systems"].families[0].dimensions[0].pairs[0]


# A margin


NEARLY = [3, 4, 2, 4] * 15


@pytest.mark.parametrize(
    ("show", "margin", "words"),
    [
        ("equivalence", 0.5, "no difference as large as 0.50 points: shown (p < 0.001)"),
        ("equivalence", 0.1, "undecided whether there is a difference as large as 0.10 points"),
        ("non_inferiority", 0.5, "A is not worse than B by 0.50 points or more: shown (p < 0.001)"),
    ],
)
def test_a_margin_that_was_declared_is_decided(show: Any, margin: float, words: str) -> None:
    study = comparing(ROUTES, ComparisonSettings(show=show, margin=margin))
    other = [value + (-1, 1, 0, 0, 0)[place % 5] for place, value in enumerate(NEARLY)]
    made = report(study, scores({"A": NEARLY, "B": other}))
    line = sentence(made, "A − B")
    assert "no difference is shown" in line
    assert line.endswith(f"; {words}.")
    assert made.numbers()["systems"]["families"][0]["dimensions"][0]["pairs"][0]["margin"]["margin"] == margin


def test_a_margin_of_preferences_is_decided_too() -> None:
    for share, decision in ((0.3, "shown"), (0.05, "undecided")):
        study = comparing(ungrouped(WAYS), ComparisonSettings(show="equivalence", margin_net=share))
        made = report(study, outcomes(50, 20, 48))
        pair = made.numbers()["preferences"]["families"][0]["dimensions"][0]["pairs"][0]
        assert pair["margin"]["decision"] == decision
    assert "undecided whether there is a difference as large as 0.05 of the net win rate" in sentence(
        made, "A against B: "
    )


def test_equivalence_without_a_margin_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="takes the difference that would matter"):
        ComparisonSettings(show="equivalence")


# Beyond this panel


def panel(people: int, lean: float) -> list[Judgment]:
    """Every second annotator sees a large difference for A, the others a smaller one; `lean` is that of the latter."""
    return [
        replace(each, value=int(each.value) + (each.system == "A") * int(lean if int(each.annotator[1:]) % 2 else 2))
        for each in scores({name: [2, 3, 2, 3] * 10 for name in "AB"}, people=people)
    ]


def test_a_claim_about_annotators_like_these_needs_annotators_who_agree_on_it() -> None:
    both = claiming(ROUTES, generalise="items and annotators")
    shown = sentence(report(both, panel(8, 1.0)), "A − B")
    assert "for annotators like these (for these annotators alone +1.50" in shown
    assert "; a difference is shown" in shown
    open_ = sentence(report(both, panel(4, -1.0)), "A − B")
    assert "; no difference is shown" in open_, "two of four see the opposite"
    items = sentence(report(claiming(ROUTES, generalise="items"), panel(4, -1.0)), "A − B")
    assert "for these annotators (for annotators like these +0.50 [" in items


def test_of_three_annotators_nothing_is_said_about_others() -> None:
    both = claiming(ROUTES, generalise="items and annotators")
    line = sentence(report(both, panel(3, 1.0)), "A − B")
    assert "undefined (3 annotators judged, and fewer than 4 say nothing of others like them)" in line
    assert line.endswith("; undecided for annotators like these.")


def test_net_win_rates_are_about_the_annotators_that_the_study_claims() -> None:
    said = [
        choice(f"i{n}", f"p{who}", ("A", "B"), "A", "A" if (n + who) % 5 else "B")
        for n in range(40)
        for who in range(6)
    ]
    made = report(claiming(ungrouped(WAYS), generalise="items and annotators"), said)
    line = sentence(made, "A against B: ")
    assert "net win rate +60 % [" in line
    assert "for annotators like these (for these annotators alone +60 % [" in line
    assert "p < 0.001 for annotators like these" in line
    three = report(
        claiming(ungrouped(WAYS), generalise="items and annotators"), [s for s in said if s.annotator < "p3"]
    )
    assert "fewer than 4 say nothing of others like them" in sentence(three, "A against B: ")


# Where no test can be made


def first_page(made: Any) -> list[str]:
    said: list[str] = made.numbers()["summary"]["said"]
    return said


def test_what_no_test_is_made_of_is_undecided_and_not_without_a_difference() -> None:
    any_ = claiming(ungrouped(WAYS), looks="any")
    always = report(any_, outcomes(40, 0, 0))
    why = "nothing varies, which does not tell how near it is"
    assert first_page(always) == [
        f"A − B is undecided on Preference (+100 %): {why}. n = 40 items; for these annotators."
    ]
    assert f"; undecided: {why}" in sentence(always, "A against B: ")
    both = claiming(ROUTES, generalise="items and annotators")
    few = report(both, panel(3, 1.0))
    why = "3 annotators judged, and fewer than 4 say nothing of others like them"
    assert first_page(few) == [
        f"A − B is undecided on Coherence (undefined): {why}. n = 40 groups; for annotators like these."
    ]
    early = report(claiming(ROUTES, looks="any"), scores({"A": [3, 4, 5, 4, 2] * 5, "B": [2, 3, 3, 3, 2] * 5}))
    assert first_page(early)[0].startswith("A − B is undecided on Coherence (undefined): with looks at any time")


def test_of_three_systems_pairs_without_a_test_are_undecided() -> None:
    both = claiming(ROUTES, generalise="items and annotators")
    three = panel(3, 1.0)
    three += [replace(each, system="C", item=f"C{each.item}") for each in three if each.system == "B"]
    line = sentence(report(both, three), "Coherence")
    why = "3 annotators judged, and fewer than 4 say nothing of others like them"
    assert line.endswith(f"; undecided: A − B, A − C and B − C ({why}).")
    assert "no difference is shown" not in line


def test_the_first_page_says_above_below_and_that_no_difference_is_shown() -> None:
    low, high = [2, 3, 2, 3] * 10, [3, 4, 4, 4] * 10
    said = [*scores({"A": low, "B": high}), *scores({"A": high, "B": low}, "relevance")]
    said += scores({"A": low, "B": [3, 2, 3, 2] * 10}, "fluency")
    (line,) = first_page(report(ROUTES, said))
    above, below, unsure, _ = line.split("; ")
    assert above.startswith("A is above B on Relevance (+1.25 [")
    assert below.startswith("A is below B on Coherence (−1.25 [")
    assert unsure.startswith("no difference between A and B is shown on ")


@pytest.mark.parametrize(
    ("study", "said", "why"),
    [
        (claiming(ROUTES, generalise="items and annotators"), panel(3, 1.0), "3 annotators judged, and fewer than 4"),
        (
            claiming(ROUTES, looks="any"),
            scores({"A": [3, 4, 5, 4, 2] * 5, "B": [2, 3, 3, 3, 2] * 5}),
            "with looks at any time it takes 30 items",
        ),
        (ROUTES, scores({"A": [3] * 40, "B": [3] * 40}), "all differences are equal, which tells no error"),
    ],
    ids=["three annotators", "too early a look", "nothing varies"],
)
def test_a_margin_that_cannot_be_tested_says_why(study: Study, said: list[Judgment], why: str) -> None:
    asked = comparing(study, ComparisonSettings(show="equivalence", margin=0.5))
    line = sentence(report(asked, said), "A − B")
    assert f"undecided whether there is a difference as large as 0.50 points ({why}" in line


# Looks at any time


def test_a_difference_that_is_looked_at_at_any_time_takes_more_to_be_shown() -> None:
    any_ = claiming(ROUTES, looks="any")
    clear = report(any_, scores({"A": [3, 4, 5, 4] * 20, "B": [2, 3, 3, 3] * 20}))
    line = sentence(clear, "A − B")
    assert " at any look (for a single look +1.25 [" in line
    assert line.endswith("; a difference is shown.")
    (pair,) = clear.numbers()["systems"]["families"][0]["dimensions"][0]["pairs"]
    wide, narrow = (each["ci"][1] - each["ci"][0] for each in (pair["any_time"], pair["difference"]))
    assert wide > 1.4 * narrow
    # Shown to whoever looks once, and not to whoever may look after every item.
    said = scores({"A": [3, 3, 4, 2, 3, 3] * 7, "B": [3, 2, 3, 3, 2, 3] * 7})
    assert sentence(report(ROUTES, said), "A − B").endswith("; a difference is shown.")
    assert sentence(report(any_, said), "A − B").endswith("; no difference is shown.")


def test_too_early_a_look_is_undecided() -> None:
    early = report(claiming(ROUTES, looks="any"), scores({"A": [3, 4, 5, 4, 2] * 5, "B": [2, 3, 3, 3, 2] * 5}))
    line = sentence(early, "A − B")
    assert "undefined (with looks at any time it takes 30 items or groups like these, and there are 25)" in line
    assert line.endswith("; undecided at this look.")


def test_net_win_rates_and_margins_hold_at_any_look() -> None:
    study = comparing(claiming(ungrouped(WAYS), looks="any"), ComparisonSettings(show="equivalence", margin_net=0.5))
    line = sentence(report(study, outcomes(50, 20, 48)), "A against B: ")
    assert "net win rate +2 % [" in line
    assert "at any look (for a single look +2 % [" in line
    assert "no difference as large as 0.50 of the net win rate: shown" in line


def cell_under(page: str, heading: str) -> str:
    """The first cell of a column, of the table that has one with this heading."""
    table = next(each for each in re.findall(r"<table>.*?</table>", page, re.S) if f">{heading}</th>" in each)
    heads = re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", table)
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", re.findall(r"<tr>.*?</tr>", table, re.S)[1], re.S)
    return " ".join(re.sub("<[^>]*>", " ", cells[heads.index(heading)]).split())


def test_the_tables_of_pairs_have_the_margin_and_the_claim() -> None:
    near = scores({"A": [3, 4, 3, 3, 3, 3, 3, 3] * 20, "B": [3, 3, 4, 3, 3, 3, 3, 3] * 20})
    apart = scores({"A": [3, 4, 5, 4] * 20, "B": [2, 3, 3, 3] * 20})
    margin = ComparisonSettings(show="equivalence", margin=0.5)
    study = comparing(claiming(ROUTES, looks="any"), margin)
    assert cell_under(report(study, near).html(), "Within the margin").startswith("0.50 points: shown, p")
    assert cell_under(report(study, apart).html(), "Within the margin").startswith("0.50 points: undecided")
    assert cell_under(report(study, apart).html(), "At any look").startswith("+1.250 [")
    worse = comparing(ungrouped(WAYS), ComparisonSettings(show="non_inferiority", margin_net=0.5))
    page = report(worse, outcomes(50, 20, 48)).html()
    assert cell_under(page, "Within the margin").startswith("not worse by 0.50 of the net win rate: shown")
    assert "Within the margin" not in report(ROUTES, apart).html()


def test_looks_at_any_time_are_not_for_other_annotators() -> None:
    with pytest.raises(ValueError, match="looks at any time are worked out for these annotators only"):
        Analysis(looks="any", generalise="items and annotators")


# What is missing


def lacking(of_a: int, of_b: int) -> Any:
    said = scores({"A": [3] * 40, "B": [3] * 40}, people=1)
    lacks = {f"A-{n}" for n in range(of_a)} | {f"B-{n}" for n in range(of_b)}
    return report(ungrouped(ROUTES), [replace(each, value=None) if each.item in lacks else each for each in said])


def test_what_is_missing_more_often_of_one_system_is_said() -> None:
    line = sentence(lacking(20, 2), "Not missing at random")
    assert line.startswith("Not missing at random, Coherence: A 50 % [")
    even = lacking(5, 4)
    assert MissingSection().lines(even.parts["missing"]) == [
        "80 of 80 items are not judged by as many as the study asks for.",
        "Said to be impossible to judge, and counted in no number: Coherence 9 of 80.",
    ]
    (row,) = lacking(5, 4).numbers()["missing"]["by_system"]
    assert [(each["system"], each["asked"], each["unable"]) for each in row["systems"]] == [("A", 40, 5), ("B", 40, 4)]


def test_declined_items_are_counted_by_system() -> None:
    given = [ItemGiven(f"{s}-{n}", (s,), "", 2, int(s == "B" and n < 15)) for s in "AB" for n in range(30)]
    made = report(ungrouped(ROUTES), scores({"A": [3] * 30, "B": [3] * 30}), fieldwork=Fieldwork(given=given))
    assert "items that were declined: A 0 % [0, 11], B 25 % [" in sentence(made, "Not missing at random")


def test_items_that_nobody_judged_are_counted_by_system_and_it_is_said_where_systems_differ() -> None:
    given = scores({"A": [3] * 40, "B": [3] * 60})
    whole = replace(data(ungrouped(ROUTES), given), items=120, finished=100, systems={"A": 60, "B": 60})
    made = build(whole)
    assert "Nobody judged 20 of 60 of A, 0 of 60 of B." in limits(made)["not finished"]
    assert "items that nobody judged: A 33 % [23, 46], B 0 % [0, 6] of its items (p < 0.001)" in sentence(
        made, "Not missing at random"
    )
    (row,) = made.numbers()["missing"]["by_system"]
    assert [(each["system"], each["asked"], each["skipped"]) for each in row["systems"]] == [
        ("A", 60, 20),
        ("B", 60, 0),
    ]
    as_many = build(replace(whole, items=140, systems={"A": 60, "B": 80}))
    assert not any("items that nobody judged" in line for line in as_many.summary())
    assert "Nobody judged 20 of 60 of A, 20 of 80 of B." in limits(as_many)["not finished"]


# Limits


def test_items_without_a_group_are_no_single_source() -> None:
    said = [replace(each, group="") for each in scores({"A": [3, 4] * 5}, people=2)]
    grouped = [replace(each, group="one") for each in said]
    apart, of_one = (limits(report(ROUTES, each)) for each in (said, grouped))
    assert list(apart) == ["too few items", "not finished", "few annotators"]
    assert of_one == apart | {
        "too few groups": "Few sources: items come from 1 source, and what shares a source counts once there. "
        "Fewer than 20 are too few to say."
    }
