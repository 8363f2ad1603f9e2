"""assay agree on files of others: which column holds what, what is taken for one value, what is asked."""

import json
from pathlib import Path
from random import Random

import pytest

from tests.cli.agreeing import Run, Said, mistake, write_csv, write_parquet, write_xlsx

VALUES = Random(3).choices(range(1, 6), k=40)
ALIKE = [{"question": str(number), "ann": str(value), "bo": str(value)} for number, value in enumerate(VALUES, 1)]
"""Two people who say the same of forty questions, whose numbers stand in a column of any name."""


def alpha(said: Said) -> float:
    return float(said.coefficients()["krippendorff_alpha_ordinal"]["value"])


def people(said: Said) -> int:
    return int(said.json["dimensions"][0]["n_annotators"])


# Ids


def test_numbers_of_questions_are_no_annotator(run: Run, tmp_path: Path) -> None:
    for path in (write_csv(tmp_path / "t.csv", ALIKE), write_xlsx(tmp_path / "t.xlsx", ALIKE)):
        said = run(path, "--json")
        assert (alpha(said), people(said)) == (1.0, 2)
        assert "question names the items; annotators: ann, bo" in said.err


@pytest.mark.parametrize("rows", [3, 4, 40])
def test_a_few_ids_are_none_either(rows: int, run: Run, tmp_path: Path) -> None:
    few = [{"question": str(n), "ann": "4", "bo": "5"} for n in range(1, rows + 1)]
    said = run(write_csv(tmp_path / "t.csv", few), "--json")
    assert people(said) == 2
    assert "question names the items" in said.err


def test_ids_that_come_again_are_asked_for(run: Run, tmp_path: Path) -> None:
    twice = [{**row, "question": str(int(row["question"]) % 20 + 1)} for row in ALIKE]
    said = mistake(run(write_csv(tmp_path / "t.csv", twice)))
    assert "the items may be named by 'question', whose values hardly occur in other columns" in said
    assert "--item" in said
    assert "columns here: question, ann, bo" in said


@pytest.mark.parametrize("name", ["prompt_id", "ID2", "groupId", "doc id", "id"])
def test_a_second_column_that_is_called_an_id_is_no_annotator_whatever_it_holds(
    name: str, run: Run, tmp_path: Path
) -> None:
    few = [{"item": f"i{row['question']}", name: str(int(row["question"]) % 5 + 1), **row} for row in ALIKE]
    said = run(
        write_csv(tmp_path / "t.csv", [{k: v for k, v in row.items() if k != "question"} for row in few]), "--json"
    )
    assert (alpha(said), people(said)) == (1.0, 2)
    assert f"left aside: {name}: it is called an id" in said.err


def test_columns_that_are_taken_for_annotators_are_said_where_the_item_is_known_too(run: Run, tmp_path: Path) -> None:
    both = [(row["ann"], row["bo"]) for row in ALIKE]
    turns = [{"item": f"i{n}", "turn": str(n % 3 + 1), "ann": ann, "bo": bo} for n, (ann, bo) in enumerate(both)]
    path = write_csv(tmp_path / "t.csv", turns)
    assert "item names the items; annotators: turn, ann, bo (say --item, --annotator)" in run(path).err
    said = run(path, "--annotator", "ann", "--annotator", "bo", "--json")
    assert (alpha(said), people(said)) == (1.0, 2)
    assert "taken from the columns" not in said.err


def test_where_two_columns_can_name_the_items_it_asks(run: Run, tmp_path: Path) -> None:
    both = [{"number": row["question"], "text": f"How is {row['question']}?", **row} for row in ALIKE]
    path = write_csv(tmp_path / "t.csv", [{k: v for k, v in row.items() if k != "question"} for row in both])
    assert "the items may be named by 'number', 'text'" in mistake(run(path))
    said = run(path, "--item", "number", "--json")
    assert (alpha(said), people(said)) == (1.0, 2)
    assert "left aside: text" in said.err


def test_rows_without_a_name_are_items_where_every_column_holds_judgments(run: Run, tmp_path: Path) -> None:
    bare = [{"ann": row["ann"], "bo": row["bo"]} for row in ALIKE]
    said = run(write_csv(tmp_path / "t.csv", bare), "--json")
    assert (alpha(said), people(said)) == (1.0, 2)
    assert "each row is an item of its own; annotators: ann, bo" in said.err
    named = run(tmp_path / "t.csv", "--annotator", "ann", "--annotator", "bo", "--scale", "1-5", "--level", "ordinal")
    assert named.err == ""


@pytest.mark.parametrize(
    ("name", "cells", "why"),
    [
        ("text", [f"answer {n}" for n in range(40)], "it holds texts"),
        ("row", [str(n) for n in range(40)], "it numbers the rows"),
        ("length", [str(100 + 7 * n) for n in range(40)], "no value comes twice"),
        ("kind", ["short", "long"] * 20, "it holds words, and the others numbers"),
        ("empty", [""] * 40, "it is empty"),
    ],
)
def test_what_is_clearly_no_judgment_is_left_aside_and_named(
    name: str, cells: list[str], why: str, run: Run, tmp_path: Path
) -> None:
    rows = [{"id": row["question"], name: cell, **row} for row, cell in zip(ALIKE, cells, strict=True)]
    path = write_csv(tmp_path / "t.csv", [{k: v for k, v in row.items() if k != "question"} for row in rows])
    said = run(path, "--json")
    assert (alpha(said), people(said)) == (1.0, 2)
    assert f"left aside: {name}: {why}" in said.err


def test_a_column_that_may_hold_judgments_or_not_is_asked_for(run: Run, tmp_path: Path) -> None:
    words = ["no", "yes"]
    rows = [
        {"id": str(n), "system": ["heron", "linnet"][n % 2], "ann": words[n // 2 % 2], "bo": words[n // 3 % 2]}
        for n in range(40)
    ]
    path = write_csv(tmp_path / "t.csv", rows)
    said = mistake(run(path))
    assert "'system' may hold judgments or not: no value of it occurs in another column" in said
    assert "--annotator" in said
    assert people(run(path, "--system", "system", "--json")) == 2
    assert people(run(path, "--annotator", "ann", "--annotator", "bo", "--json")) == 2
    assert people(run(path, "--by", "system", "--json")) == 2


def test_texts_are_no_judgments_where_there_is_nothing_else_either(run: Run, tmp_path: Path) -> None:
    texts = [{"eval_id": f"p{n}", "asked": f"How is {n}?", "answer_text": f"It is {n % 30}."} for n in range(40)]
    said = mistake(run(write_csv(tmp_path / "t.csv", texts)))
    assert (
        "no column of judgments beside the item; left aside: asked: it holds texts; answer_text: it holds texts" in said
    )
    long = [{"eval_id": row["question"], "ann": row["ann"], "bo": row["bo"], "note": "x" * 200} for row in ALIKE]
    assert people(run(write_csv(tmp_path / "n.csv", long), "--json")) == 2


def test_the_only_id_names_the_items_and_that_is_said(run: Run, tmp_path: Path) -> None:
    rows = [
        {"eval_id": row["question"], "annotator_id": who, "warmth": row[who]} for row in ALIKE for who in ("ann", "bo")
    ]
    said = run(write_csv(tmp_path / "t.csv", rows), "--value", "warmth", "--json")
    assert alpha(said) == 1.0
    assert "eval_id names the items (say --item)" in said.err
    both = write_csv(tmp_path / "b.csv", [{"session_id": "s", **row} for row in rows])
    assert "no column that says what was judged" in mistake(run(both, "--value", "warmth"))


def test_decimals_that_nobody_gave_twice_are_judgments(run: Run, tmp_path: Path) -> None:
    draw = Random(5)
    rows = [{"id": str(n), "ann": f"{draw.random():.6f}", "bo": f"{draw.random():.6f}", "cy": "0.5"} for n in range(30)]
    assert people(run(write_csv(tmp_path / "t.csv", rows), "--level", "interval", "--json")) == 3


def test_ids_are_no_category_of_a_table_of_counts(run: Run, tmp_path: Path) -> None:
    rows = [{"question": str(n), "no": str(n % 4), "yes": str(3 - n % 4)} for n in range(40)]
    found = run(write_csv(tmp_path / "t.csv", rows), "--counts", "--json")
    assert found.json["dimensions"][0]["n_ratings"] == 120
    assert "question names the items" in found.err
    named = [{"item": row.pop("question"), **row} for row in rows]
    assert run(write_csv(tmp_path / "n.csv", named), "--counts", "--json").coefficients() == found.coefficients()


def test_rows_that_are_all_items_of_their_own_are_said(run: Run, tmp_path: Path) -> None:
    rows = [
        {"id": str(2 * n + k), "question": row["question"], "annotator": who, "value": row[who]}
        for n, row in enumerate(ALIKE)
        for k, who in enumerate(("ann", "bo"))
    ]
    path = write_csv(tmp_path / "t.csv", rows)
    assert (
        "each row has another id, so that nothing was judged twice: name the item's column with --item" in run(path).err
    )
    assert alpha(run(path, "--item", "question", "--json")) == 1.0


# An index without a name


def test_the_index_of_a_data_frame_is_no_obstacle(run: Run, tmp_path: Path) -> None:
    long = [{"item": row["question"], "annotator": who, "value": row[who]} for row in ALIKE for who in ("ann", "bo")]
    for name in ("", "Unnamed: 0"):
        path = write_csv(tmp_path / "long.csv", [{name: str(n), **row} for n, row in enumerate(long)])
        assert alpha(run(path, "--json")) == 1.0
        path = write_csv(tmp_path / "wide.csv", [{name: str(n), **row} for n, row in enumerate(ALIKE)])
        said = run(path, "--json")
        assert (alpha(said), people(said)) == (1.0, 2)
        assert "question names the items" in said.err
        path = write_csv(
            tmp_path / "bare.csv", [{name: str(n), "ann": r["ann"], "bo": r["bo"]} for n, r in enumerate(ALIKE)]
        )
        assert (alpha(run(path, "--json")), people(run(path, "--json"))) == (1.0, 2)
    path = write_xlsx(tmp_path / "long.xlsx", [{"": str(n), **row} for n, row in enumerate(long)])
    assert alpha(run(path, "--json")) == 1.0
    rows = [{**row, "__index_level_0__": str(n)} for n, row in enumerate(long)]
    path = write_parquet(tmp_path / "long.parquet", rows, "varchar, varchar, integer, integer")
    assert alpha(run(path, "--json")) == 1.0


# Names and labels


def test_white_space_around_names_and_labels_is_none_of_them(run: Run, tmp_path: Path) -> None:
    rows = [
        {" item": f" {row['question']}", "annotator ": f"{who}{' ' * (n % 2)}", "value": f"{row[who]}\t"}
        for n, row in enumerate(ALIKE)
        for who in ("ann", "bo")
    ]
    parquet = write_parquet(tmp_path / "t.parquet", rows, "varchar, varchar, varchar")
    for path in (write_csv(tmp_path / "t.csv", rows), write_xlsx(tmp_path / "t.xlsx", rows, typed=False), parquet):
        said = run(path, "--json", "--item", "item", "--annotator", "annotator")
        assert (alpha(said), people(said)) == (1.0, 2)


def test_true_and_false_are_one_label_each_however_they_are_written(run: Run, tmp_path: Path) -> None:
    written = {"ann": ("TRUE", "FALSE"), "bo": ("True", "False"), "cy": ("true", "false")}
    rows = [{"item": str(n), **{who: words[n % 3 > 0] for who, words in written.items()}} for n in range(30)]
    path = write_csv(tmp_path / "t.csv", rows)
    typed = tmp_path / "t.jsonl"
    typed.write_text("\n".join(json.dumps({**row, "cy": row["cy"] == "true"}) for row in rows))
    for arguments in ([], ["--scale", "FALSE,TRUE"], ["--scale", "false,true"]):
        for file in (path, typed):
            found = run(file, "--json", *arguments).coefficients()
            assert found["percent_agreement"]["value"] == 1.0


def test_labels_that_differ_in_case_alone_are_named(run: Run, tmp_path: Path) -> None:
    rows = [{"item": str(n), "ann": "Yes" if n % 2 else "no", "bo": "yes" if n % 2 else "no"} for n in range(9)]
    said = run(write_csv(tmp_path / "t.csv", rows), "--annotator", "ann", "--annotator", "bo")
    assert "'Yes' and 'yes' are taken as different values" in said.err


# Several dimensions


def several(tmp_path: Path) -> Path:
    rows = [
        {"item": row["question"], "annotator": who, "warmth": row[who], "safe": "yn"[int(row[who]) > 3], "note": note}
        for n, row in enumerate(ALIKE)
        for who, note in (("ann", "7"), ("bo", "fine" if n else ""))
    ]
    return write_csv(tmp_path / "several.csv", rows)


def test_each_dimension_has_a_scale_and_a_level_of_its_own(run: Run, tmp_path: Path) -> None:
    values = ["--value", "warmth", "--value", "safe"]
    scales = ["--scale", "warmth=1-7", "--scale", "safe=n,y", "--level", "warmth=interval", "--level", "nominal"]
    said = run(several(tmp_path), *values, *scales)
    assert said.err == ""
    assert "interval scale: 1, 2, 3, 4, 5, 6, 7." in said.out
    assert "nominal scale: n, y." in said.out
    assert "there is no dimension 'warmt'\n  hint: --scale NAME=...: did you mean 'warmth'?" in mistake(
        run(several(tmp_path), *values, "--scale", "warmt=1-7")
    )
    assert "given twice" in mistake(run(several(tmp_path), *values, "--scale", "1-5", "--scale", "1-7"))
    assert "levels: nominal" in mistake(run(several(tmp_path), *values, "--level", "safe=cardinal"))


def test_one_dimension_whose_values_are_mixed_does_not_end_the_run(run: Run, tmp_path: Path) -> None:
    path = several(tmp_path)
    said = run(path, "--value", "note", "--value", "warmth", "--json")
    assert [each["dimension"] for each in said.json["dimensions"]] == ["warmth"]
    assert [each["dimension"] for each in said.json["left_out"]] == ["note"]
    assert "note is left out: several.csv: row 5, column note: 'fine' is not a number as '7' is" in said.err
    assert "'fine' is not a number" in mistake(run(path, "--value", "note"))


def test_a_dimension_has_the_items_and_people_that_it_was_judged_on_and_by(run: Run, tmp_path: Path) -> None:
    rows = [
        {"item": row["question"], "annotator": who, "dimension": "warmth", "value": row[who]}
        for row in ALIKE
        for who in ("ann", "bo")
    ]
    more = [
        {**row, "dimension": "tact", "item": f"more {row['item']}", "annotator": "c" + row["annotator"]} for row in rows
    ]
    found = run(write_csv(tmp_path / "t.csv", [*rows, *more[:20]]), "--json").json["dimensions"]
    assert [(each["dimension"], each["n_items"], each["n_annotators"]) for each in found] == [
        ("tact", 10, 2),
        ("warmth", 40, 2),
    ]


# Parts


def test_a_column_splits_the_judgments(run: Run, tmp_path: Path) -> None:
    rows = [
        {
            "item": row["question"],
            "annotator": who,
            "value": row[who] if n % 2 else str(n % 5 + 1),
            "language": language,
        }
        for n, row in enumerate(ALIKE)
        for who, language in (("ann", "de" if n % 2 else "en"), ("bo", "de" if n % 2 else "en"))
    ]
    path = write_csv(tmp_path / "t.csv", rows)
    said = run(path, "--by", "language", "--scale", "1-5", "--json")
    parts = said.json["dimensions"][0]["by"]["language"]
    assert [(each["value"], each["n_items"]) for each in parts] == [("de", 20), ("en", 20)]
    alone = write_csv(tmp_path / "de.csv", [row for row in rows if row["language"] == "de"])
    assert parts[0]["coefficients"] == run(alone, "--scale", "1-5", "--json").json["dimensions"][0]["coefficients"]
    shown = run(path, "--by", "language", "--scale", "1-5").out
    assert "value, by language" in shown
    assert "de: Krippendorff's alpha (ordinal)" in shown
    wide = write_csv(tmp_path / "w.csv", [{**row, "half": str(n // 20)} for n, row in enumerate(ALIKE)])
    assert [each["value"] for each in run(wide, "--by", "half", "--json").json["dimensions"][0]["by"]["half"]] == [
        "0",
        "1",
    ]
    assert "there is no column 'lang'" in mistake(run(path, "--by", "lang"))


def test_names_that_differ_in_capital_letters_only_are_said(run: Run, tmp_path: Path) -> None:
    rows = [
        {"item": row["question"], "annotator": who, "value": row["ann"]}
        for number, row in enumerate(ALIKE)
        for who in ("ann" if number % 2 else "Ann", "bo")
    ]
    said = run(write_csv(tmp_path / "t.csv", rows), "--json")
    assert people(said) == 3
    assert "'Ann' and 'ann' are taken as different annotators: write them alike if they are the same" in said.err


def test_who_a_column_calls_a_judge_is_not_pooled_with_people(run: Run, tmp_path: Path) -> None:
    rows = [
        {
            "item": str(number),
            "annotator": who,
            "judge": str(who == "model"),
            "rating": str(6 - value if who == "model" else value),
        }
        for number, value in enumerate(VALUES)
        for who in ("ann", "bo", "model")
    ]
    said = run(write_csv(tmp_path / "t.csv", rows), "--json")
    assert (alpha(said), people(said)) == (1.0, 2)
    assert "automated judges by the column judge: model; people are counted without them" in said.err
    # A column of that name with other values says nothing of who is a judge.
    other = [{**row, "judge": "x"} for row in rows]
    assert people(run(write_csv(tmp_path / "u.csv", other), "--json")) == 3
