"""In-car: people against the automated judge on each dimension and goal, for each batch, by hand."""

import pytest

from assay.model import Judgment
from assay.report.build import Report
from tests.report.comparing import CARS, ungrouped
from tests.report.known import answers, computed, line, one, report

STUDY = ungrouped(CARS)
FOUR = ("instruction_constraint_adherence", "context_ambiguity_handling", "plan_coherence", "safety_compliance")


def judged() -> list[Judgment]:
    """Two batches of 20: two people say 1 and 2 in turn, the judge one less in the first batch and the same after."""
    given = []
    for index in range(40):
        batch, value = f"config_{1 + index // 20}", 1 + index % 2
        about = {"batch": batch, "system": "car", "systems": ("car",)}
        scores = dict.fromkeys(FOUR, value)
        # Of two goals people see the first as reached on every other item, and the second never.
        goals = {"goal.g1": index % 2, "goal.g2": 0}
        for who in ("ana", "ben"):
            given += answers(f"i{index}", who, {**scores, **goals}, **about)
        lower = {name: score - (index < 20) for name, score in scores.items()}
        said = {**lower, "goal.g1": 1, "goal.g2": 0}
        given += answers(f"i{index}", "judge", said, **about, judge=True)
    return computed(STUDY, given)


@pytest.fixture(scope="module")
def made() -> Report:
    return report(STUDY, judged())


def statistic(found: dict[str, object], name: str) -> dict[str, dict[str, float]]:
    return one(found["statistics"], name=name)  # type: ignore[arg-type]


def test_each_batch_has_the_bias_and_the_kappa_of_its_known_table(made: Report) -> None:
    row = one(made.numbers()["judges"]["dimensions"], dimension="plan_coherence")
    judge = one(row["judges"], judge="judge")
    first, second = (one(judge["by_batch"], batch=f"config_{n}") for n in (1, 2))
    assert (first["n"], second["n"], judge["n"]) == (20, 20, 40)
    # The judge says 0, 1 where people say 1, 2: 1 less. Squared: 1 on each item; of all pairs (1 + 4 + 0 + 1) / 4.
    assert statistic(first, "bias")["with_mean"]["value"] == pytest.approx(-1.0)
    assert statistic(first, "quadratic_kappa")["with_rest"]["value"] == pytest.approx(1 - 1 / 1.5)
    assert statistic(second, "bias")["with_mean"]["value"] == pytest.approx(0.0)
    assert statistic(second, "quadratic_kappa")["with_rest"]["value"] == pytest.approx(1.0)
    assert statistic(judge, "bias")["with_mean"]["value"] == pytest.approx(-0.5)


def test_on_goals_the_judge_agrees_on_three_of_four_answers(made: Report) -> None:
    row = one(made.numbers()["judges"]["dimensions"], dimension="goal")
    judge = one(row["judges"], judge="judge")
    # The second goal always, the first every other time: 60 of 80. By chance: the judge says yes to half, people to
    # a quarter, so 1/2 * 1/4 + 1/2 * 3/4 = 1/2 agree: kappa = (3/4 - 1/2) / (1 - 1/2) = 1/2.
    assert statistic(judge, "exact_agreement")["with_each"]["value"] == pytest.approx(0.75)
    assert statistic(judge, "cohen_kappa")["with_each"]["value"] == pytest.approx(0.5)
    assert judge["confusion"] == [[80, 0], [40, 40]]


def test_success_is_computed_alike_for_people_and_judge(made: Report) -> None:
    # People: four scores of 1 and no goal: (4 * 0.5 + 0) / 5 = 0.4; of 2 and one of two: (4 + 0.5) / 5 = 0.9.
    found = one(made.numbers()["systems"]["values"], dimension="success")
    assert found["systems"][0]["mean"]["value"] == pytest.approx(0.65)
    assert line(made, "Success score, mean of item means: ").startswith("Success score, mean of item means: car 0.65 [")
    # 0.75 is enough: every other conversation passes.
    said = line(made, "Verdict, mean of item shares: ")
    assert said.startswith("Verdict, mean of item shares: car fail 50 % [")
    assert ", pass 50 % [" in said
    row = one(made.numbers()["judges"]["dimensions"], dimension="success")
    # The judge: in the first batch scores of 0 and 1 and one goal of two: 0.1 and 0.5; then 0.5 and 0.9.
    assert statistic(one(row["judges"], judge="judge"), "bias")["with_mean"]["value"] == pytest.approx(0.5 - 0.65)


def test_the_sentences_name_the_batches_the_ends_and_where_the_judge_is_lower(made: Report) -> None:
    said = line(made, "judge (config_1, config_2): agreement with people ")
    # In all: 1/2 is the mean squared difference, and 1 that of all pairs.
    assert "0.50 [0." in said
    assert "(Instructions and constraints, weighted kappa (quadratic); people among themselves 1.00)" in said
    assert "lower values than people's on " in said
    assert "Plan coherence by −0.50 [" in said
    assert said.endswith("; n = 40 items, 2 people.")
    # In the first batch the judge passes nothing (kappa 0), and its success scores rise as people's do (rho 1).
    assert line(made, "judge, batch config_1: ") == (
        "judge, batch config_1: agreement with people 0.00 to 1.00 over 7 dimensions, people among themselves 1.00; "
        "n = 20 items, 2 people."
    )
    page = made.html()
    assert "config_1" in page
    assert "Judge with people" in page
