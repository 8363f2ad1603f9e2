"""assay agree, where it is asked for more: pairs, standard errors, own weights, a test of judges, models."""

import csv
import random
from pathlib import Path

import pytest

from assay.statistics import Ratings, pairwise, standard_errors
from assay.statistics.comparison.alt_test import alt_test
from assay.statistics.comparison.custom_weights import agree_weighted
from assay.statistics.comparison.dawid_skene import dawid_skene
from assay.statistics.comparison.mace import mace
from tests.cli.agreeing import Run, write_csv

SKILL = {"ann": 0.95, "bo": 0.85, "cy": 0.8, "dot": 0.05, "model": 0.9}


def crowd() -> list[tuple[str, str, str]]:
    draw = random.Random(4)
    rows = []
    for item in range(60):
        truth = draw.choice("abc")
        rows += [
            (f"q{item:02}", who, truth if draw.random() < skill else draw.choice("abc")) for who, skill in SKILL.items()
        ]
    return rows


ROWS = crowd()
PEOPLE = [row for row in ROWS if row[1] != "model"]
TABLE = Ratings.from_long(PEOPLE, ("a", "b", "c"), "nominal")
DECLARED = ("--scale", "a,b,c", "--level", "nominal", "--judge", "model")
WEIGHTS = "1,0.5,0;0.5,1,0.5;0,0.5,1"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rows = [dict(zip(("item", "annotator", "value"), row, strict=True)) for row in ROWS]
    return write_csv(tmp_path / "crowd.csv", rows)


def test_what_is_asked_for_is_what_the_functions_compute(run: Run, file: Path) -> None:
    said = run(
        file, *DECLARED, "--pairwise", "--errors", "--models", "--alt-test", "0.2", "--weights", WEIGHTS, "--json"
    )
    assert said.code == 0
    (found,) = said.json["dimensions"]
    for pair, expected in zip(found["pairs"]["cohen_kappa"], pairwise(TABLE, "cohen_kappa"), strict=True):
        assert (pair["first"], pair["second"]) == (expected.first, expected.second)
        assert pair["coefficient"]["value"] == expected.coefficient.value
        assert pair["coefficient"]["ci"] == list(expected.coefficient.ci or ())
    assert found["standard_errors"] == standard_errors(TABLE)
    own = agree_weighted(TABLE, [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]])
    assert [each["value"] for each in found["weighted"]] == [each.value for each in own]
    (test,) = found["alt_test"]
    judged = {item: value for item, who, value in ROWS if who == "model"}
    expected_test = alt_test(judged, PEOPLE, 0.2)
    assert (test["judge"], test["winning_rate"], test["passes"]) == ("model", expected_test.winning_rate, True)
    by_skill = mace(PEOPLE, ("a", "b", "c"))
    competence = {each["annotator"]: each["competence"] for each in found["models"]["annotators"]}
    assert competence == pytest.approx(dict(zip(by_skill.annotators, by_skill.competence.tolist(), strict=True)))
    assert competence["dot"] < 0.2 < 0.6 < competence["cy"]
    labels = dawid_skene(PEOPLE, ("a", "b", "c")).labels
    assert [each["dawid_skene"] for each in found["models"]["items"]] == list(labels)


def test_nothing_more_stands_there_where_nothing_more_was_asked(run: Run, file: Path) -> None:
    (found,) = run(file, *DECLARED, "--json").json["dimensions"]
    assert set(found) == {"dimension", "n_items", "n_ratings", "n_annotators", "coefficients", "judges"}


def test_the_terminal_the_page_and_the_file_of_labels_say_it(run: Run, file: Path, tmp_path: Path) -> None:
    page, labels = tmp_path / "page.html", tmp_path / "labels.csv"
    said = run(
        *(file, *DECLARED, "--pairwise", "--errors", "--alt-test", "0.2", "--weights", WEIGHTS),
        *("--labels", labels, "--html", page),
    )
    for words in (
        "pairs of annotators, by Cohen's kappa",
        "standard errors (jackknife)",
        "weighted kappa (own weights)",
        "in the place of dot",
        "competence of annotators (MACE)",
    ):
        assert words in " ".join(said.out.split())
        assert words.split(",")[0].lower() in page.read_text("utf-8").replace("&#x27;", "'").lower()
    assert "corrected p &lt; 0.001" in page.read_text("utf-8"), "and never p = 0.000"
    with labels.open(encoding="utf-8", newline="") as written:
        rows = list(csv.DictReader(written))
    assert len(rows) == 60
    assert rows[0]["dimension"] == "value"
    assert {row["dawid_skene"] for row in rows} <= {"a", "b", "c"}
    assert "" in {row["majority"] for row in rows}, "where two values were given equally often there is none"


def test_ordered_values_have_spearmans_correlation_too(run: Run, tmp_path: Path) -> None:
    rows = [
        {"item": f"i{item}", "annotator": who, "value": str(1 + (item + more) % 5 if item % 3 else 1 + item % 5)}
        for item in range(30)
        for who, more in (("ann", 0), ("bo", 1))
    ]
    said = run(write_csv(tmp_path / "value.csv", rows), "--scale", "1-5", "--level", "ordinal", "--pairwise")
    assert "by Spearman's rank correlation" in said.out
    assert "by weighted kappa (quadratic)" in said.out


@pytest.mark.parametrize(
    ("options", "what", "hint"),
    [
        (("--weights", "1,x;0,1"), "'x' in the weights is no number", "rows of numbers from 0 to 1"),
        (("--weights", "1,0;0,1"), "weights are 3 rows of 3 numbers", "docs/agree.md"),
        (("--labels", "nowhere/labels.csv"), "there is no folder nowhere", "make it first"),
    ],
)
def test_what_cannot_be_is_said(run: Run, file: Path, options: tuple[str, ...], what: str, hint: str) -> None:
    said = run(file, *DECLARED, *options)
    assert said.code != 0
    assert what in said.err
    assert hint in said.err


def test_a_test_without_a_judge_and_counts_without_names_are_refused(run: Run, file: Path, tmp_path: Path) -> None:
    said = run(file, "--scale", "a,b,c", "--level", "nominal", "--alt-test", "0.2")
    assert "needs an automated judge" in said.err
    counts = write_csv(tmp_path / "counts.csv", [{"item": f"q{n}", "no": str(n % 4), "yes": "3"} for n in range(9)])
    for option in ("--pairwise", "--models"):
        refused = run(counts, "--counts", "--scale", "no,yes", "--level", "nominal", option)
        assert "does not say who gave which value" in refused.err
        assert refused.code != 0
    assert run(counts, "--counts", "--scale", "no,yes", "--level", "nominal", "--errors", "--json").code == 0
