"""assay plan: how wide the interval of agreement is and which difference is detected, from stated values or a pilot."""

import json
import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from assay.report.planning import bases_from_study, plan
from assay.report.power_plan import StatedTest, planned_tests, power_plan
from assay.statistics.comparison.power import effective_level
from assay.statistics.comparison.preference_power import detectable_net, interval_for_net, items_for_net
from assay.study.analysis import ComparisonSettings
from assay.study.templates import copy_template
from tests.report.comparing import ROUTES, WAYS, choice, comparing, data, scores, ungrouped
from tests.report.test_decisions import claiming
from tests.report.test_report import judgment
from tests.servers import command as run

Z = 1.959964 + 0.841621
"""What 0.05 two-sided and a power of 0.8 ask for."""


@dataclass
class Said:
    """What a command answered."""

    plans: dict[str, dict[str, Any]]

    def cells(self, name: str = "Stated values") -> dict[tuple[int, int], dict[str, Any]]:
        return {(cell["n_items"], cell["k"]): cell for cell in self.plans[name]["cells"]}


def said(*arguments: str) -> Said:
    done = run("plan", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout, parse_constant=pytest.fail)
    return Said({each["dimension"]: each for each in found["plans"]})


def refused(*arguments: str) -> str:
    done = run("plan", *arguments)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that three bots have judged."""
    folder = tmp_path_factory.mktemp("played") / "study"
    copy_template("route-planning", folder)
    assert run("import", str(folder)).returncode == 0
    assert run("simulate", str(folder), "--annotators", "3").returncode == 0
    return folder


def test_stated_values_give_what_the_formulas_give() -> None:
    found = said("--alpha", "0.6", "--between", "1", "--within", "0.8").cells()
    assert set(found) == {(n, k) for n in (50, 100, 200, 400) for k in (2, 3, 5)}
    cell = found[100, 2]
    assert cell["judgments"] == 200
    assert cell["difference"] == pytest.approx(Z * math.sqrt((1 + 0.8 / 2) / 100), abs=1e-4)
    error = math.sqrt(2 * 0.4**2 * 1.6**2 / (2 * 1 * 99))
    assert cell["half_width"] == pytest.approx(1.959964 * error, abs=1e-4)
    assert cell["simulated_power"] is None


def test_simulation_stands_beside_the_formula_and_is_near_it() -> None:
    options = ("--alpha", "0.6", "--between", "0.5", "--within", "4", "--items", "200", "--annotators", "3")
    (cell,) = said(*options, "--simulate").cells().values()
    assert cell["simulated_half_width"] == pytest.approx(cell["half_width"], abs=0.02)
    assert cell["simulated_power"] == pytest.approx(0.8, abs=0.05)
    assert said(*options, "--simulate").plans == said(*options, "--simulate").plans
    assert said(*options, "--simulate", "--seed", "5").plans != said(*options, "--simulate").plans


def test_only_what_is_stated_is_planned_and_the_rest_is_said() -> None:
    done = run("plan", "--alpha", "0.6", "--items", "50")
    assert "note: the detectable difference is not computed: --between and --within state" in " ".join(
        done.stdout.split()
    )
    done = run("plan", "--between", "1", "--within", "0.8", "--items", "50", "--annotators", "1")
    assert "note: the precision of agreement is not computed: --alpha states" in " ".join(done.stdout.split())
    assert re.search(r"^ +50 +1 +50 +– +0\.53 *$", done.stdout, re.M), done.stdout


def test_one_annotator_shows_a_difference_but_no_agreement() -> None:
    found = said("--alpha", "0.6", "--between", "1", "--within", "1", "--annotators", "1", "--simulate")
    assert found.cells()
    for cell in found.cells().values():
        assert cell["half_width"] is None
        assert cell["simulated_half_width"] is None
        assert cell["difference"] > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "there is nothing to plan from"),
        (("--between", "1"), "state both of them"),
        (("{study}", "--alpha", "0.5"), "cannot be planned from together"),
        (("{study}", "--dimension", "tone"), "has no dimension 'tone'"),
        (("--alpha", "0.5", "--html", "nowhere/plan.html"), "there is no folder nowhere"),
        (("--between", "1", "--within", "1", "--show", "sameness"), "not 'sameness'"),
    ],
)
def test_what_cannot_be_planned_is_said_with_what_to_do(arguments: tuple[str, ...], words: str, played: Path) -> None:
    error = refused(*(each.format(study=played) for each in arguments))
    assert words in error
    assert "hint: " in error


def test_a_study_without_judgments_says_that_values_can_be_stated(tmp_path: Path) -> None:
    copy_template("route-planning", tmp_path / "study")
    assert run("import", str(tmp_path / "study")).returncode == 0
    error = refused(str(tmp_path / "study"))
    assert "has no judgments to plan from" in error
    assert "--alpha 0.6 --between 1.0 --within 0.8" in error


def test_a_margin_is_planned_for_systems_that_are_alike() -> None:
    # (1.6449 + 1.2816) sqrt((1.0 + 0.8 / 2) / 100)
    asked = ("plan", "--between", "1.0", "--within", "0.8", "--items", "100", "--annotators", "2")
    with_margin, without = run(*asked, "--equivalence"), run(*asked)
    assert with_margin.stdout.splitlines()[-1].split()[-1] == "0.35"
    assert "margin: the least within which two systems that are alike are shown to be so" in with_margin.stdout
    assert "margin" not in without.stdout


def test_how_many_items_rule_a_margin_out_is_said_for_the_family_that_is_tested() -> None:
    asked = ("--between", "1.0", "--within", "0.8", "--items", "100", "--annotators", "2", "--margin", "0.5")
    one = said(*asked).plans["Stated values"]["by_the_test"]
    # (1.6449 + 1.2816)^2 (1.0 + 0.8 / 2) / 0.5^2 = 48, and a little more by Student's t.
    assert 48 <= one["needed_for_margin"][0]["n_items"] <= 51
    assert one["cells"][0]["margin"] == pytest.approx(0.35, abs=0.005)
    # (1.6449 + 0.8416)^2 1.4 / 0.5^2 = 34.6
    first = said(*asked, "--show", "non_inferiority").plans["Stated values"]["by_the_test"]
    assert 35 <= first["needed_for_margin"][0]["n_items"] <= 38
    three = said(*asked, "--systems", "3").plans["Stated values"]["by_the_test"]
    assert three["needed_for_margin"][0]["n_items"] > one["needed_for_margin"][0]["n_items"]
    groups = said(*asked, "--per-group", "4", "--alike", "0.5").plans["Stated values"]["by_the_test"]
    assert groups["needed_for_margin"][0]["n_items"] > 2 * one["needed_for_margin"][0]["n_items"]
    words = run("plan", *asked, "--show", "non_inferiority").stdout
    assert "of systems that are alike, that the first is not worse by 0.5 with" in " ".join(words.split())


def test_a_margin_that_a_study_declares_is_planned_for() -> None:
    judged = scores({"A": [3, 4, 5, 4, 2] * 8, "B": [2, 3, 5, 4, 3] * 8})
    study = comparing(ROUTES, ComparisonSettings(show="non_inferiority", margin=0.4))
    found = planned_tests(data(study, judged))["Coherence"]
    assert (found.margin, found.margin_shows) == (0.4, "non_inferiority")
    assert planned_tests(data(ROUTES, judged))["Coherence"].margin is None


def test_a_pilot_is_planned_from_dimension_by_dimension(played: Path, tmp_path: Path) -> None:
    found = said(str(played))
    assert set(found.plans) == {
        "Coherence", "Relevance", "Instruction following", "Safety", "Fluency", "Human coherence score"
    }  # fmt: skip
    part = found.plans["Coherence"]
    assert found.cells("Coherence")[100, 3]["difference"] == pytest.approx(
        Z * math.sqrt((part["between"] + part["within"] / 3) / 100), abs=1e-4
    )
    assert found.plans["Human coherence score"]["agreement"] is None
    assert part["coefficient"] == "krippendorff_alpha_interval"
    page = tmp_path / "plan.html"
    done = run("plan", str(played), "--dimension", "hcs", "--dimension", "coherence", "--html", str(page))
    assert done.returncode == 0
    named = f"Krippendorff's alpha (interval) {part['agreement']:.2f}"
    assert named in done.stdout, "the study's own coefficient may be another"
    assert named.replace("'", "&#39;") in page.read_text("utf-8")
    assert max(map(len, done.stdout.splitlines())) <= max(80, len(str(page)))
    text = page.read_text("utf-8")
    drawn = "two charts of coherence and one of the computed score, three lines each, for a desk and for a phone"
    assert text.count('<polyline points="') == 3 * 3 * 2, drawn
    classes = {name for group in re.findall(r'class="([^"]*)"', text) for name in group.split()}
    assert {name for name in classes if f".{name}" not in text} <= {"figure-wide"}, "every class has a rule"
    assert "Relevance" not in text
    assert not re.search(r'(?:src|href)="(?!#)|url\(', text)


def test_the_variances_of_a_pilot_worked_out_by_hand() -> None:
    # Both annotators say that A is 1 above B on half of the groups and 3 above on the others: nothing within, and
    # between 20 differences of 1 and 3 a variance of 20 / 19.
    pilot = scores({"A": [3, 5] * 10, "B": [2] * 20})
    (found,) = bases_from_study(data(ROUTES, pilot))
    assert found.components is not None
    assert found.components.within == 0
    assert found.components.between == pytest.approx(20 / 19)
    assert found.rho == pytest.approx(1.0)
    (cell,) = plan(found, [20], [2]).cells
    assert cell.difference == pytest.approx(Z * math.sqrt(1 / 19), abs=1e-4)
    assert cell.half_width == pytest.approx(0.0)


def test_words_are_drawn_from_the_pilot_because_no_formula_is_for_them() -> None:
    said_ = [
        choice(f"i{n}", who, ("A", "B"), "A", "AB"[(n + (who == "ben" and n % 4 == 0)) % 2])
        for n in range(40)
        for who in ("ana", "ben")
    ]
    found = next(
        each for each in bases_from_study(data(ungrouped(WAYS), said_)) if each.title == "Preference (A against B)"
    )
    (plain,) = plan(found, [100], [2]).cells
    (drawn,) = plan(found, [100], [2], simulate=True).cells
    assert (plain.half_width, plain.difference) == (None, None)
    assert drawn.simulated_half_width is not None
    assert 0.1 < drawn.simulated_half_width < 0.3
    assert "the formula is for numbers" in " ".join(plan(found, [100], [2]).notes)


def test_more_annotators_than_the_pilot_had_are_not_drawn_and_it_is_said() -> None:
    pilot = scores({"A": [3, 5, 4, 2] * 5, "B": [2] * 20})
    (found,) = bases_from_study(data(ROUTES, pilot))
    made = plan(found, [50], [2, 5], simulate=True)
    assert [cell.simulated_half_width is None for cell in made.cells] == [False, True]
    assert "agreement is drawn from 2 annotators; more cannot be drawn" in made.notes


@pytest.mark.parametrize("layout", ["csv", "parquet"])
def test_an_export_is_planned_from_as_its_study_is(layout: str, played: Path, tmp_path: Path) -> None:
    file = tmp_path / f"judgments.{layout}"
    assert run("export", str(played), "--format", layout, "--out", str(file)).returncode == 0
    size = ("--items", "60", "--annotators", "3")
    of_file, of_study = said(str(file), *size).plans, said(str(played), *size).plans
    for name, title in (("coherence", "Coherence"), ("safety_compliance", "Safety")):
        one, other = of_file[name], of_study[title]
        for key in ("agreement", "between", "within"):
            assert one[key] == pytest.approx(other[key]), (name, key)
        assert [each["value"] for each in one["variance"]] == pytest.approx(
            [each["value"] for each in other["variance"]]
        )
        assert one["variance"] == other["variance"], "the intervals are those of the study, too"
    order = ["coherence", "relevance", "instruction_following", "safety_compliance", "fluency"]
    assert [name for name in of_file if name in order] == order, "dimensions stand in the order of the rubric"
    assert "has no dimension 'tone'" in refused(str(file), "--dimension", "tone")
    other = tmp_path / "other.csv"
    other.write_text("item,score\n1,2\n", "utf-8")
    assert "is no export with a row for each judgment" in refused(str(other))


# By the test that is made


def test_a_family_of_tests_takes_more_items_and_it_is_said() -> None:
    asked = ("--between", "1", "--within", "0.8", "--items", "100", "--annotators", "2", "--see", "0.3")
    one = said(*asked).plans["Stated values"]["by_the_test"]
    many = said(*asked, "--systems", "3").plans["Stated values"]["by_the_test"]
    assert many["test"]["tests"] == 3
    assert one["cells"][0]["difference"] < many["cells"][0]["difference"]
    assert one["needed"][0]["n_items"] < many["needed"][0]["n_items"]
    assert one["needed"][0]["interval"] is None, "there is no pilot"
    assert said("--between", "1", "--within", "0.8").plans["Stated values"]["by_the_test"] is None


def test_ties_shares_and_other_annotators_are_stated_and_mistakes_are_said() -> None:
    ties = said("--ties", "0.3", "--items", "100", "--annotators", "1", "--see", "0.2").plans["Stated values"]
    assert ties["by_the_test"]["cells"][0]["net"] == pytest.approx(0.24, abs=0.01)
    assert ties["by_the_test"]["needed"][0]["n_items"] == 144
    shares = ("--alpha", "0.5", "--shares", "0.02,0.03,0.1,0.25,0.6", "--annotators", "3", "--items", "100")
    top = said(*shares, "--see", "0.7").plans["Stated values"]["by_the_test"]
    assert top["cells"][0]["difference"] == pytest.approx(0.22, abs=0.02)
    assert top["needed"][0]["n_items"] is None, "a mean of 4.38 has no room for 0.7 points"
    others = (
        "--between",
        "1",
        "--within",
        "1",
        "--others",
        "0.2",
        "--see",
        "0.3",
        "--items",
        "50",
        "--annotators",
        "8",
    )
    assert "no number of items does" in run("plan", *others).stdout
    assert "do not add up to 1" in refused("--shares", "0.5,0.6")
    assert "--shares takes numbers" in refused("--shares", "some,more")
    assert "there is no correction 'luck'" in refused("--between", "1", "--within", "1", "--correction", "luck")


def test_a_study_is_planned_by_the_test_that_it_makes(played: Path) -> None:
    found = said(str(played), "--dimension", "coherence", "--see", "0.5", "--items", "60", "--annotators", "3")
    made = found.plans["Coherence"]["by_the_test"]
    assert made["test"]["correction"] == "holm"
    assert made["test"]["tests"] == made["test"]["dimensions"] * math.comb(made["test"]["systems"], 2) > 1
    assert made["cells"][0]["difference"] > found.cells("Coherence")[60, 3]["difference"], "several tests are made"
    (needed,) = made["needed"]
    assert needed["interval"][0] < needed["n_items"] < needed["interval"][1]


def test_a_preference_in_words_is_planned_by_its_ties() -> None:
    judged = [
        choice(f"i{n}", who, ("A", "B"), "A", "tie" if n % 4 == 0 else "AB"[n % 3 == 0])
        for n in range(40)
        for who in ("ana", "ben")
    ]
    study = data(ungrouped(WAYS), judged)
    basis = next(each for each in bases_from_study(study) if each.title == "Preference (A against B)")
    test = planned_tests(study)["Preference (A against B)"]
    found = power_plan(basis, test, StatedTest(see=0.3), [100], [2, 3])
    assert found.ties == pytest.approx(0.25)
    assert found.cells[0].net == pytest.approx(detectable_net(100, 0.25, alpha=effective_level(test)))
    assert found.needed[0].interval == interval_for_net(0.3, 10, 40, alpha=effective_level(test)), "10 of 40 are tied"
    low, high = found.needed[0].interval
    assert low < found.needed[0].n_items < high
    assert f"{low} to {high} by the pilot" in found.items_in_words()[0]
    stated = power_plan(basis, test, StatedTest(see=0.3, ties=0.25), [100], [2])
    assert (stated.needed[0].n_items, stated.needed[0].interval) == (found.needed[0].n_items, None)


def test_preferences_of_items_that_share_a_source_are_planned_by_their_sources() -> None:
    """Of each three items of a source one is won and two are tied or lost: the sign test counts sources."""
    outcomes = (("A", "tie", "tie"), ("A", "B", "tie"), ("B", "B", "A"), ("A", "A", "tie"))
    judged = [
        replace(choice(f"i{n}-{at}", "ana", ("A", "B"), "A", outcomes[n % 4][at]), group=f"g{n}")
        for n in range(20)
        for at in range(3)
    ]
    study = data(WAYS, judged)
    basis = next(each for each in bases_from_study(study) if each.title == "Preference (A against B)")
    test = planned_tests(study)[basis.title]
    found = power_plan(basis, test, StatedTest(see=0.4), [90], [2])
    assert (test.per_group, found.ties) == (3, 0.25), "5 of 20 groups have neither ahead"
    level = effective_level(test)
    assert found.cells[0].net == pytest.approx(detectable_net(30, 0.25, alpha=level))
    assert found.needed[0].n_items == 3 * items_for_net(0.4, 0.25, alpha=level)
    assert found.needed[0].interval == tuple(3 * each for each in interval_for_net(0.4, 5, 20, alpha=level))
    assert "3 items of a group that count as one, 25 % of groups tied" in found.in_words()


def test_a_comparison_whose_items_are_all_tied_is_planned_without_a_difference_that_is_seen() -> None:
    judged = [choice(f"i{n}", who, ("A", "B"), "A", "tie") for n in range(6) for who in ("ana", "ben")]
    # Where the two never agree, nobody has the majority either.
    judged += [choice(f"j{n}", who, ("A", "B"), "A", "AB"[who == "ana"]) for n in range(6) for who in ("ana", "ben")]
    study = data(ungrouped(WAYS), judged)
    basis = next(each for each in bases_from_study(study) if each.title == "Preference (A against B)")
    found = power_plan(basis, planned_tests(study)[basis.title], StatedTest(see=0.3), [100], [2])
    assert (found.ties, found.cells[0].net, found.needed[0].n_items) == (1.0, None, None)


def test_the_claim_of_the_study_is_what_is_planned_for() -> None:
    values = [
        judgment(
            f"{system}-{at}",
            f"p{who}",
            3 + (system == "A") * (1 if who % 2 else -1),
            "coherence",
            system=system,
            systems=(system,),
            group=f"g{at}",
            study_hash="now",
        )
        for system in "AB"
        for at in range(20)
        for who in range(6)
    ]
    these, like_these = (
        planned_tests(data(claiming(ROUTES, generalise=claim), values))["Coherence"]
        for claim in ("items", "items and annotators")
    )
    assert these.people is None
    # Six annotators who lie 1 above or below: a variance of 6 / 5.
    assert like_these.people == pytest.approx(1.2, abs=0.01)


def test_the_page_shows_what_is_printed() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "plan.md").read_text("utf-8")
    blocks = re.findall(r"^```(?:sh|text)\n(.*?)^```$", page, re.M | re.S)
    command, printed = blocks[0].split()[1:], blocks[1]
    lines = [line.rstrip() for line in run(*command).stdout.strip().splitlines()]
    assert lines == printed.rstrip("\n").split("\n")
