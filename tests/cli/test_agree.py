"""assay agree: judgments from anywhere, in every format, long, wide or counted, and every mistake in words."""

import doctest
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.kinds import STATISTICS
from assay.statistics import Ratings, agree
from tests.cli.agreeing import Run, mistake, write_csv, write_parquet, write_xlsx

ROOT = Path(__file__).parent.parent.parent
CASES = {case["name"]: case for case in json.loads((ROOT / "tests/statistics/known.json").read_text())}
NAMES = {"percent_agreement", "within_one_agreement", "cohen_kappa", "cohen_kappa_linear", "cohen_kappa_quadratic"}
NAMES |= {"scott_pi", "fleiss_kappa", "conger_kappa", "brennan_prediger", "gwet_ac1", "gwet_ac2_linear"}
NAMES |= {"gwet_ac2_quadratic", "kendall_w", *(f"icc_{form}_{of}" for form in (1, 2, 3) for of in ("1", "k"))}
NAMES |= {f"krippendorff_alpha_{level}" for level in ("nominal", "ordinal", "interval", "ratio")}
ROWS = [
    {"item": f"{number:03}", "annotator": who, "value": str(value)}
    for number, values in enumerate([(1, 1, 2), (4, 5, 4), (3, 3, 3), (2, 1, 1), (5, 5, 4), (1, 2, 1), (4, 4, 5)] * 6)
    for who, value in zip(("ann", "bo", "cy"), values, strict=True)
]


def every_format(folder: Path) -> Iterator[Path]:
    typed = [{**row, "value": int(row["value"])} for row in ROWS]
    yield write_csv(folder / "long.csv", ROWS)
    yield write_csv(folder / "long.tsv", ROWS, "\t")
    yield write_xlsx(folder / "long.xlsx", ROWS)
    yield write_parquet(folder / "long.parquet", ROWS)
    jsonl, listed = folder / "long.jsonl", folder / "long.json"
    jsonl.write_text("\n".join(map(json.dumps, typed)))
    listed.write_text(json.dumps(typed))
    yield from (jsonl, listed)


def wide(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    items: dict[str, dict[str, str]] = {}
    for row in rows:
        items.setdefault(row["item"], {"item": row["item"]})[row["annotator"]] = row["value"]
    return list(items.values())


# What comes out


def test_every_format_gives_the_same_answer_to_the_last_digit(run: Run, tmp_path: Path) -> None:
    answers = {path.suffix: run(path, "--scale", "1-5", "--json") for path in every_format(tmp_path)}
    assert [said.code for said in answers.values()] == [0] * 6
    assert len({said.out for said in answers.values()}) == 1


def test_a_wide_table_gives_what_the_long_one_gives(run: Run, tmp_path: Path) -> None:
    long = run(write_csv(tmp_path / "value.csv", ROWS), "--scale", "1-5", "--json")
    table = write_csv(tmp_path / "wide.csv", wide(ROWS))
    for arguments in ([], ["--annotator", "cy", "--annotator", "ann", "--annotator", "bo", "--item", "item"]):
        found = run(table, "--scale", "1-5", "--json", *arguments)
        values = {name: each["value"] for name, each in found.coefficients().items()}
        assert values == pytest.approx({name: each["value"] for name, each in long.coefficients().items()})


def test_the_json_has_the_shape_and_the_names_that_were_promised(run: Run, tmp_path: Path) -> None:
    said = run(write_csv(tmp_path / "t.csv", ROWS), "--scale", "1-5", "--level", "ratio", "--json")
    (dimension,) = said.json["dimensions"]
    assert list(said.json) == ["dimensions"]
    assert set(dimension) == {"dimension", "n_items", "n_ratings", "n_annotators", "coefficients"}
    assert (dimension["dimension"], dimension["n_items"]) == ("value", 42)
    assert (dimension["n_ratings"], dimension["n_annotators"]) == (126, 3)
    assert {each["name"] for each in dimension["coefficients"]} == NAMES == set(STATISTICS)
    for each in dimension["coefficients"]:
        assert set(each) == {"name", "value", "ci", "method", "n_items", "n_ratings", "n_annotators", "undefined"}
        assert each["undefined"] is None
        assert each["ci"][0] <= each["value"] <= each["ci"][1]
        assert each["method"]


def test_the_headline_of_the_level_comes_first(run: Run, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "t.csv", ROWS)
    for level, name in (("nominal", "_nominal"), ("ordinal", "_ordinal")):
        said = run(path, "--scale", "1-5", "--level", level, "--json")
        assert next(iter(said.coefficients())) == f"krippendorff_alpha{name}"


def test_only_what_fits_the_level_is_computed_unless_all_is_asked_for(run: Run, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "t.csv", ROWS)
    few = run(path, "--scale", "1-5", "--level", "nominal", "--json").coefficients()
    assert set(few) == {name for name in NAMES if "nominal" in STATISTICS[name].levels}
    every = run(path, "--scale", "1-5", "--level", "nominal", "--all", "--json").coefficients()
    ratio = run(path, "--scale", "1-5", "--level", "ratio", "--json").coefficients()
    assert set(every) == NAMES
    assert {name: each["value"] for name, each in every.items()} == {
        name: each["value"] for name, each in ratio.items()
    }
    assert every["icc_2_1"]["method"].startswith("values taken as ordinal")


def test_words_have_no_order_unless_it_is_declared(run: Run, tmp_path: Path) -> None:
    words = ["low", "low", "mid", "high", "high"]
    rows = [{**row, "value": words[int(row["value"]) - 1]} for row in ROWS]
    path = write_csv(tmp_path / "t.csv", rows)
    assumed = run(path, "--all", "--json")
    assert "order is not known" in assumed.coefficients()["krippendorff_alpha_ordinal"]["undefined"]
    assert "taken to be nominal" in assumed.err
    declared = run(path, "--scale", "low,mid,high", "--level", "ordinal", "--json").coefficients()
    assert declared["krippendorff_alpha_ordinal"]["value"] > 0.5
    assert "needs numbers" in declared["icc_2_1"]["undefined"]


@pytest.mark.parametrize("name", sorted(name for name, case in CASES.items() if "by_category" not in case))
def test_published_values_come_out_of_the_command(name: str, run: Run, tmp_path: Path) -> None:
    case = CASES[name]
    arguments = ["--level", case["level"], "--all", "--json"]
    if "counts" in case:
        categories = [str(number) for number in range(len(case["counts"][0]))]
        rows = [dict(zip(categories, map(str, row), strict=True)) for row in case["counts"]]
        arguments += ["--counts"]
    else:
        places = range(len(case.get("table", ())))
        judged = case.get("ratings") or [(i, j) for i in places for j in places for _ in range(case["table"][i][j])]
        rows = [
            {"item": f"i{number}"} | {f"a{who}": "" if value is None else str(value) for who, value in enumerate(row)}
            for number, row in enumerate(judged)
        ]
        scale = case.get("categories") or list(places)
        arguments += ["--scale", ",".join(map(str, scale))]
    found = run(write_csv(tmp_path / "case.csv", rows), *arguments)
    assert found.code == 0, found.err
    for statistic, (value, tolerance) in case["expected"].items():
        assert found.coefficients()[statistic]["value"] == pytest.approx(value, abs=tolerance), statistic


def test_counts_do_not_say_who_judged_and_so_leave_some_coefficients_undefined(run: Run, tmp_path: Path) -> None:
    rows = [{"no": "3", "yes": "0"}, {"no": "1", "yes": "2"}, {"no": "0", "yes": "3"}] * 12
    found = run(write_csv(tmp_path / "t.csv", rows), "--counts", "--scale", "no,yes", "--all", "--json")
    assert (found.json["dimensions"][0]["n_items"], found.json["dimensions"][0]["n_ratings"]) == (36, 108)
    for name, each in found.coefficients().items():
        if STATISTICS[name].by_annotator:
            assert "does not say who" in each["undefined"]
    assert found.coefficients()["fleiss_kappa"]["value"] == pytest.approx(0.55)  # (7/9 - 41/81) / (1 - 41/81)


def test_dimensions_are_kept_apart_however_they_are_given(run: Run, tmp_path: Path) -> None:
    both = [{**row, "safe": "1"} for row in ROWS]
    found = run(write_csv(tmp_path / "two.csv", both), "--value", "value", "--value", "safe", "--json")
    assert [each["dimension"] for each in found.json["dimensions"]] == ["value", "safe"]
    assert found.coefficients(1)["cohen_kappa"]["undefined"] == "every judgment is the same value"
    assert found.coefficients(1)["percent_agreement"]["value"] == 1.0
    long = [{**row, "dimension": name} for name in ("warmth", "tact") for row in ROWS]
    stacked = run(write_csv(tmp_path / "stacked.csv", long), "--scale", "1-5", "--json")
    assert [each["dimension"] for each in stacked.json["dimensions"]] == ["tact", "warmth"]
    assert [each["n_ratings"] for each in stacked.json["dimensions"]] == [126, 126]


def test_the_same_seed_gives_the_same_answer_and_another_seed_another(run: Run, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "t.csv", ROWS)
    again = write_csv(tmp_path / "turned.csv", ROWS[::-1])
    first = run(path, "--scale", "1-5", "--seed", "7", "--json")
    assert run(again, "--scale", "1-5", "--seed", "7", "--json").out == first.out
    assert run(path, "--scale", "1-5", "--seed", "8", "--json").coefficients() != first.coefficients()


def test_the_command_says_what_the_library_says(run: Run, tmp_path: Path) -> None:
    found = run(write_csv(tmp_path / "t.csv", ROWS), "--scale", "1-5", "--json").coefficients()
    rows = [(row["item"], row["annotator"], int(row["value"])) for row in ROWS]
    for each in agree(Ratings.from_long(rows, (1, 2, 3, 4, 5), "ordinal")):
        assert found[each.name]["value"] == each.value
        assert found[each.name]["ci"] == (each.ci and list(each.ci))


def test_ids_stay_what_they_look_like(run: Run, tmp_path: Path) -> None:
    ids = ["007", "7", "1e5", "100000", "NA", "null", "true", "True"]
    rows = [{"id": each, "rater": who, "score": "1"} for each in ids for who in ("01", "1", "nan")]
    for path in (
        write_csv(tmp_path / "t.csv", rows),
        write_xlsx(tmp_path / "t.xlsx", rows, typed=False),
        write_parquet(tmp_path / "t.parquet", rows, "varchar, varchar, varchar"),
    ):
        (dimension,) = run(path, "--scale", "1-2", "--json").json["dimensions"]
        assert (dimension["n_items"], dimension["n_annotators"], dimension["n_ratings"]) == (8, 3, 24)


def test_clusters_are_drawn_whole(run: Run, tmp_path: Path) -> None:
    rows = [{**row, "prompt": f"p{int(row['item']) // 2}"} for row in ROWS]
    path = write_csv(tmp_path / "t.csv", rows)
    found = run(path, "--scale", "1-5", "--cluster", "prompt", "--json").coefficients()
    assert "over clusters" in found["krippendorff_alpha_ordinal"]["method"]


def test_each_system_stands_beside_the_whole_and_its_items_are_its_own(run: Run, tmp_path: Path) -> None:
    rows = [{**row, "system": name} for name in ("alpha", "beta") for row in ROWS]
    (found,) = run(write_csv(tmp_path / "t.csv", rows), "--scale", "1-5", "--system", "system", "--json").json[
        "dimensions"
    ]
    alone = run(write_csv(tmp_path / "one.csv", ROWS), "--scale", "1-5", "--json").json["dimensions"][0]
    assert found["n_items"] == 84
    assert [each["system"] for each in found["systems"]] == ["alpha", "beta"]
    for each in found["systems"]:
        assert each["coefficients"] == alone["coefficients"]


def test_automated_judges_never_enter_the_agreement_of_people(run: Run, tmp_path: Path) -> None:
    judged = [{"item": row["item"], "annotator": "gpt", "value": "3"} for row in ROWS if row["annotator"] == "ann"]
    path = write_csv(tmp_path / "t.csv", ROWS + judged)
    found = run(path, "--scale", "1-5", "--judge", "gpt", "--json").json["dimensions"][0]
    people = run(write_csv(tmp_path / "p.csv", ROWS), "--scale", "1-5", "--json").json["dimensions"][0]
    assert found["coefficients"] == people["coefficients"]
    assert (found["n_annotators"], found["n_ratings"]) == (3, 126)
    assert [(each["judge"], each["person"], each["n_items"]) for each in found["judges"]] == [
        ("gpt", person, 42) for person in ("ann", "bo", "cy")
    ]
    exact = {each["name"]: each["value"] for each in found["judges"][0]["coefficients"]}["percent_agreement"]
    assert exact == pytest.approx(1 / 7)
    shown = run(path, "--scale", "1-5", "--judge", "gpt").out
    assert "people among themselves" in shown
    assert "gpt (automated) and ann" in " ".join(shown.split())


def test_the_table_is_readable_and_footnotes_say_how(run: Run, tmp_path: Path) -> None:
    said = run(write_csv(tmp_path / "t.csv", ROWS), "--scale", "1-5")
    lines = said.out.splitlines()
    assert any(line.startswith("Krippendorff's alpha (ordinal)") for line in lines[:6])
    assert "[1] percentile bootstrap over items, 1000 draws, seed 0" in said.out
    assert " nan" not in said.out
    constant = [{**row, "value": "2"} for row in ROWS]
    undefined = run(write_csv(tmp_path / "c.csv", constant), "--scale", "1-5").out
    assert "undefined" in undefined
    assert "every judgment is the same" in " ".join(undefined.split())


def test_the_page_stands_alone_and_shows_what_it_was_given_as_text(run: Run, tmp_path: Path) -> None:
    rows = [{**row, "annotator": row["annotator"] + "<script>"} for row in ROWS]
    page = tmp_path / "page.html"
    path = write_csv(tmp_path / "t.csv", [{**row, "<b>": row["value"]} for row in rows])
    assert run(path, "--value", "<b>", "--judge", "ann<script>", "--html", page).code == 0
    text = page.read_text()
    assert "<script" not in text
    assert "<b>" not in text
    assert "http" not in text
    assert "&lt;b&gt;" in text
    assert "taken to be 1, 2, 3, 4, 5" in text


def test_a_page_is_written_whole_or_not_at_all(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("before")
    wrong = write_csv(tmp_path / "t.csv", [{**ROWS[0], "value": "9"}])
    assert run(wrong, "--scale", "1-5", "--html", page).code == 2
    assert page.read_text() == "before"
    said = run(write_csv(tmp_path / "u.csv", ROWS), "--html", tmp_path / "nowhere" / "page.html")
    assert "there is no folder" in said.err


# What is assumed is said


def test_a_scale_that_is_not_declared_is_said_and_has_every_whole_number(run: Run, tmp_path: Path) -> None:
    rows = [{**row, "value": {"3": "2", "4": "5"}.get(row["value"], row["value"])} for row in ROWS]
    path = write_csv(tmp_path / "t.csv", rows)
    said = run(path, "--json")
    assert "taken to be ordinal, because the values are numbers" in said.err
    assert "every whole number from the lowest to the highest" in said.err
    assert "1, 2, 3, 4, 5" in said.err
    declared = run(path, "--scale", "1-5", "--level", "ordinal", "--json")
    assert declared.out == said.out
    assert declared.err == ""
    trap = run(path, "--scale", "1,2,5", "--level", "nominal", "--json").coefficients()["brennan_prediger"]
    assert trap["value"] != said.coefficients()["brennan_prediger"]["value"]


def test_scales_may_be_ranges_lists_of_numbers_and_lists_of_words(run: Run, tmp_path: Path) -> None:
    rows = [{**row, "value": {"1": "-1", "2": "0.5"}.get(row["value"], "2")} for row in ROWS]
    path = write_csv(tmp_path / "t.csv", rows)
    assert run(path, "--scale", "-1,0.5,2", "--json").code == 0
    assert "0.5' is not on the scale" in run(path, "--scale", "-1..2", "--level", "ordinal").err
    between = run(path, "--scale", "-1..2", "--level", "interval", "--json")
    assert between.code == 0
    assert "taken as points of it" in between.err


# What is wrong


def test_a_value_that_is_not_on_the_scale_is_named_with_its_row_and_column(run: Run, tmp_path: Path) -> None:
    rows = [dict(row) for row in ROWS]
    rows[4]["value"], rows[9]["value"], rows[10]["value"] = "6", "NA", "NA"
    for path, first in ((write_csv(tmp_path / "t.csv", rows), 6), (write_xlsx(tmp_path / "t.xlsx", rows), 6)):
        said = mistake(run(path, "--scale", "1-5"))
        assert f"{path.name}: row {first}, column value: '6' is not on the scale 1, 2, 3, 4, 5" in said
        assert "row 11, column value: 'NA' is not on the scale 1, 2, 3, 4, 5 (and 1 more rows)" in said
        assert "hint: correct it, leave it empty" in said


def test_a_row_is_counted_as_an_editor_shows_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('item,annotator,value\n"a\nb",x,1\n\nc,x,9\n')
    assert "row 4, column value: '9'" in mistake(run(path, "--scale", "1-5"))
    path.write_text("item,annotator,value\n,,\na,x,1\n\n,,\nc,x,9\n")
    assert "row 6, column value: '9'" in mistake(run(path, "--scale", "1-5"))
    rows = [*ROWS[:2], {**ROWS[2], "value": "9"}]
    assert "row 3, column value: '9'" in mistake(run(write_parquet(tmp_path / "t.parquet", rows), "--scale", "1-5"))


def test_what_is_wrong_in_the_middle_of_a_large_file_is_named_too(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    lines = [f"item {number},{who},{number % 5 + 1}" for number in range(40_000) for who in "xyz"]
    head, middle = "item,annotator,value\n", 100_000
    for wrong, words in (("käse,x,1", "is not UTF-8"), ("a,b", "row 100002: the row has 2 cells, the header 3")):
        text = head + "\n".join([*lines[:middle], wrong, *lines[middle:]]) + "\n"
        path.write_bytes(text.encode("latin-1"))
        assert words in mistake(run(path, "--scale", "1-5"))
    path.write_text(head + "\n".join([*lines, lines[middle]]) + "\n")
    again = f"row {middle + 2}: annotator 'y' judged item 'item 33333' twice, and again in row 120002"
    assert again in mistake(run(path, "--scale", "1-5"))


def test_an_annotator_who_judged_an_item_twice_is_named_with_both_rows(run: Run, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "t.csv", [*ROWS, ROWS[5]])
    said = mistake(run(path, "--scale", "1-5"))
    assert "t.csv: row 7: annotator 'cy' judged item '001' twice, and again in row 128" in said
    twice = write_csv(tmp_path / "w.csv", [*wide(ROWS), wide(ROWS)[2]])
    assert "row 4: annotator 'ann' judged item '002' twice, and again in row 44" in mistake(run(twice))


@pytest.mark.parametrize(
    ("header", "arguments", "words"),
    [
        ("item,annotator,value", ["--value", "vaule"], "there is no column 'vaule'\n  hint: did you mean 'value'?"),
        ("item,annotator,x", [], "no column that says the judgment"),
        ("item,x,value", [], "no column that says who judged (annotator, annotator_id, rater"),
        ("x,annotator,value", [], "no column that says what was judged (item, item_id"),
        ("item,annotator,value", ["--level", "cardinal"], "levels: nominal, ordinal, interval, ratio"),
        ("item,annotator,value", ["--scale", "five"], "write --scale 1-5, --scale no,yes"),
        ("item,annotator,value", ["--scale", "5-1"], "must rise"),
        ("item,annotator,value", ["--scale", "no,yes", "--level", "interval"], "must be numbers"),
        ("item,annotator,value", ["--judge", "gtp"], "--judge: known here: ann, bo"),
        ("item,annotator,value", ["--counts"], "is not a count"),
        ("item,item,value", [], "the column name 'item' occurs twice"),
    ],
)
def test_what_is_missing_or_misspelt_is_said_with_what_there_is(
    header: str, arguments: list[str], words: str, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"{header}\n1,ann,1\n1,bo,2\n")
    assert words in mistake(run(path, *arguments))


@pytest.mark.parametrize(
    ("values", "arguments", "words"),
    [
        (("1", "good"), [], "row 3, column value: 'good' is not a number as '1' is"),
        (
            ("1", "good"),
            ["--level", "interval"],
            "row 3, column value: 'good' is not a number, and the level is interval",
        ),
        (("bad", "good"), ["--level", "ordinal"], "no order of words is known"),
        (("-1", "2"), ["--level", "ratio"], "no value below zero"),
        (("1", "1e999"), [], "'1e999' is not a number"),
        (("1", "inf"), [], "'inf' is not a number"),
    ],
)
def test_values_that_the_level_cannot_take_are_refused(
    values: tuple[str, str], arguments: list[str], words: str, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"item,annotator,value\n1,ann,{values[0]}\n1,bo,{values[1]}\n")
    assert words in mistake(run(path, *arguments))


def test_huge_numbers_are_numbers(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,annotator,value\n" + "".join(f"{n},{a},{n % 3}{'0' * 30}\n" for n in range(40) for a in "xy"))
    found = run(path, "--level", "interval", "--json")
    assert found.coefficients()["krippendorff_alpha_interval"]["value"] == 1.0


def test_an_empty_cell_is_no_judgment_and_a_judgment_needs_an_item_and_an_annotator(run: Run, tmp_path: Path) -> None:
    rows = [{**row, "value": "" if number % 7 == 0 else row["value"]} for number, row in enumerate(ROWS)]
    (found,) = run(write_csv(tmp_path / "t.csv", rows), "--scale", "1-5", "--json").json["dimensions"]
    assert found["n_ratings"] == 108
    for column in ("item", "annotator"):
        rows = [{**row, column: "" if number == 3 else row[column]} for number, row in enumerate(ROWS)]
        said = mistake(run(write_csv(tmp_path / "u.csv", rows)))
        assert f"row 5, column {column}: there is no {column} for this judgment" in said


def test_files_that_cannot_be_read_say_why(run: Run, tmp_path: Path) -> None:
    empty, latin, bare, text = (tmp_path / name for name in ("e.csv", "l.csv", "b.csv", "t.doc"))
    empty.touch()
    latin.write_bytes("item,annotator,value\nkäse,ann,1\n".encode("latin-1"))
    bare.write_text("item,annotator,value\n")
    text.touch()
    assert "the file is empty" in mistake(run(empty))
    said = mistake(run(latin))
    assert "byte 22 is not UTF-8" in said
    assert "save it as UTF-8" in said
    assert "there are no judgments" in mistake(run(bare))
    assert "known endings: .csv" in mistake(run(text))
    assert "there is no file" in mistake(run(tmp_path / "none.csv"))
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 not really")
    assert "not a Parquet file" in mistake(run(broken))


def test_a_ragged_row_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,annotator,value\n1,ann,1\n1,bo\n")
    assert "t.csv: row 3: the row has 2 cells, the header 3" in mistake(run(path))


def test_a_byte_order_mark_is_no_part_of_the_first_name(run: Run, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "t.csv", ROWS)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert run(path, "--scale", "1-5", "--json").json["dimensions"][0]["n_items"] == 42


def test_another_sheet_is_read_by_its_name_and_a_wrong_name_is_said(run: Run, tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "t.xlsx", ROWS, "judged")
    assert run(path, "--sheet", "judged", "--json").code == 0
    assert "sheets here: judged" in mistake(run(path, "--sheet", "judgde"))


def test_one_annotator_alone_makes_no_agreement_and_that_is_said(run: Run, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "t.csv", [row for row in ROWS if row["annotator"] == "ann"])
    found = run(path, "--scale", "1-5", "--all", "--json")
    assert found.code == 0
    assert {each["value"] for each in found.coefficients().values()} == {None}
    assert found.coefficients()["fleiss_kappa"]["undefined"] == "there is only one annotator"
    assert found.json["dimensions"][0]["n_annotators"] == 1
    assert ", 1 annotator;" in run(path, "--scale", "1-5").out


def test_what_is_nested_is_no_value(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"item": 1, "annotator": "x", "value": [1], "more": {"a": 1}}\n')
    assert "t.jsonl: row 1, column value: a text or a number is expected here" in mistake(run(path))


def test_it_starts_without_reading_what_it_does_not_need() -> None:
    code = (
        "import sys, assay.cli; assay.cli.build(); sys.exit(bool({'numpy', 'duckdb', 'rich.table'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# The pages


def test_the_page_on_agreement_can_be_followed_word_for_word(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    page = (ROOT / "docs" / "agree.md").read_text("utf-8")
    followed = 0
    for kind, name, body in re.findall(r"^```(csv|console)(?: (\S+))?\n(.*?)^```", page, re.M | re.S):
        if kind == "csv":
            Path(name).write_text(body)
            continue
        command, _, expected = body.partition("\n")
        said = run(*shlex.split(command.removeprefix("$ assay agree ")))
        shown = [line.rstrip() for line in (said.out + said.err).strip("\n").splitlines()]
        wanted = expected.strip("\n").splitlines()
        cut = wanted.index("...") if "..." in wanted else None
        assert shown[:cut] == wanted[:cut], command
        followed += 1
    assert followed == 6


def test_the_page_on_notebooks_runs() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "notebooks.md"), module_relative=False)
    assert found.attempted > 15
    assert found.failed == 0
