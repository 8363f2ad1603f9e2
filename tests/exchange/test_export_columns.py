"""The tables: long and wide CSV, Parquet, the layout of Hugging Face datasets."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from assay.exchange import LONG_LINES
from assay.exchange.csv import harmless_in_line, write_csv
from assay.exchange.export_columns import COLUMNS, Column, as_time, values_of
from assay.exchange.parquet import TYPED, write_parquet
from assay.submission_rows import Own, SubmissionRows, one_by_one
from tests.exchange.sample import by_submission, data_of, items_of, judged, judgments_of, study_of, written


def read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def parquet(path: Path) -> list[dict[str, Any]]:
    import duckdb

    with duckdb.connect(":memory:") as database:
        found = database.execute(
            "select * exclude (shown_at) replace (submitted_at::varchar as submitted_at) from read_parquet(?)",
            [str(path)],
        )
        names = [each[0] for each in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def test_the_wide_table_has_every_judgment_in_its_own_cell(tmp_path: Path) -> None:
    data = data_of("in-car")
    rows = {(row["item"], row["annotator"]): row for row in read(written("csv-wide", data, tmp_path))}
    places = {
        each.item.id: {entry["id"]: number for number, entry in enumerate(each.item.shown["goals"], 1)}
        for each in items_of("in-car")
    }
    for each in judgments_of("in-car"):
        row = rows[each.item, each.annotator]
        key = f"{each.dimension}.{places[each.item][each.entry]}" if each.entry else each.dimension
        value = json.dumps(each.value) if isinstance(each.value, list) else str(each.value)
        assert row[key] == ("" if each.value is None else value)
    assert len(rows) == len(items_of("in-car")) * 3
    filled = sum(value != "" for row in rows.values() for key, value in row.items() if key not in COLUMNS and value)
    assert filled >= sum(each.value is not None for each in judgments_of("in-car"))


def test_the_wide_table_of_a_comparison_is_by_system_whichever_side_it_stood_on(tmp_path: Path) -> None:
    rows = read(written("csv-wide", data_of("trajectories"), tmp_path))
    assert {row["left"] == row["system_a"] for row in rows} == {True, False}, "both sides occur"
    told = {(row["item"], row["annotator"]): row for row in rows}
    for each in judgments_of("trajectories"):
        row = told[each.item, each.annotator]
        if each.dimension == "coherence":
            role = "a" if row["system_a"] == each.system else "b"
            assert row[f"coherence.{role}"] == str(each.value)
        if each.dimension == "preference":
            assert row["preference"] == each.value
            assert each.value in (row["system_a"], row["system_b"], "tie")


def test_the_wide_table_tells_what_was_superseded_and_what_could_not_be_judged(tmp_path: Path) -> None:
    study, [item, *_] = study_of("empathy"), items_of("empathy")
    first = [replace(each, superseded=True) for each in judged(study, item, "ana", 1)]
    then = [
        replace(
            each,
            revision=2,
            submitted_at=each.submitted_at + 1,
            value=None if each.dimension == "safety" else each.value,
        )
        for each in judged(study, item, "ana", 2)
    ]
    one, two = read(written("csv-wide", data_of("empathy", [*first, *then]), tmp_path))
    assert [(row["revision"], row["superseded"], row["missing"]) for row in (one, two)] == [
        ("1", "true", ""),
        ("2", "false", "safety"),
    ]
    assert two["safety"] == ""


def test_dimensions_of_an_earlier_version_keep_their_column(tmp_path: Path) -> None:
    study = study_of("empathy")
    now = study.model_copy(update={"rubric": tuple(each for each in study.rubric if each.dimension != "overall")})
    data = replace(data_of("empathy", study=now), studies={"old": study})
    rows = read(written("csv-wide", data, tmp_path))
    assert all(row["overall"] for row in rows)


def test_parquet_has_the_same_rows_with_typed_columns(tmp_path: Path) -> None:
    found = parquet(written("parquet", data_of("trajectories"), tmp_path))
    given = list(data_of("trajectories").judgments())
    assert [(row["item"], row["annotator"], row["dimension"], row["system"]) for row in found] == [
        (each.item, each.annotator, each.dimension, each.system) for each in given
    ]
    for row, each in zip(found, given, strict=True):
        assert row["number"] == (each.value if isinstance(each.value, int) else None)
        assert row["value"] == (None if each.value is None else str(each.value))
        assert (row["pass"], row["judge"], row["active_seconds"]) == (1, False, 45.5)
        assert row["submitted_at"].startswith("2027-01-15 08:01:00")
    assert list(found[0]) == [column.name for column in TYPED if column.name != "shown_at"]


HARD = ["", None, "a,b", 'say "x"', "a\nb", "a\r\nb", "a\rb", "\\N", "NULL", "'", " ", "é😀", "#", "x" * 3_000_000]


def test_parquet_gives_back_any_text(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "odd 'name' [x]*?.parquet"
    assert write_parquet([Column("a", "x"), Column("b'", "y", "number")], [(text, 1.5) for text in HARD], path) == len(
        HARD
    )
    with duckdb.connect(":memory:") as database:
        literal = str(path).replace("[", "[[]").replace("*", "[*]").replace("?", "[?]")
        found = database.execute("select * from read_parquet(?)", [literal]).fetchall()
    assert [row[0] for row in found] == HARD
    assert list(tmp_path.iterdir()) == [path], "what it went through is gone"


def test_a_folder_for_hugging_face_names_its_files_and_columns(tmp_path: Path) -> None:
    folder = written("huggingface", data_of("trajectories"), tmp_path)
    _, header, words = (folder / "README.md").read_text("utf-8").split("---\n", 2)
    card = YAML(typ="safe").load(header)
    assert [each["config_name"] for each in card["configs"]] == ["judgments", "items", "annotators", "agreed"]
    assert [each.get("default", False) for each in card["configs"]] == [True, False, False, False]
    for config, info in zip(card["configs"], card["dataset_info"], strict=True):
        [files] = config["data_files"]
        assert (folder / files["path"]).is_file()
        assert files["split"] == "train"
        assert schema(folder / files["path"]) == {each["name"]: each["dtype"] for each in info["features"]}
    assert study_of("trajectories").title in words


def schema(path: Path) -> dict[str, str]:
    """The columns of a Parquet file, by the words of the other program."""
    import duckdb

    words = {
        "VARCHAR": "string",
        "BIGINT": "int64",
        "DOUBLE": "float64",
        "BOOLEAN": "bool",
        "TIMESTAMP WITH TIME ZONE": "timestamp[us, tz=UTC]",
    }
    with duckdb.connect(":memory:") as database:
        return {row[0]: words[row[1]] for row in database.execute(f"describe select * from '{path}'").fetchall()}


@pytest.mark.parametrize(("template", "hidden"), [("in-car", "success_score"), ("dialog-pairs", "Completion")])
def test_what_was_hidden_stays_out_of_the_items(template: str, hidden: str, tmp_path: Path) -> None:
    assert all(hidden in str(each.item.hidden) for each in items_of(template))
    folder = written("huggingface", data_of(template), tmp_path)
    import duckdb

    with duckdb.connect(":memory:") as database:
        text = str(database.execute(f"select * from '{folder}/data/items.parquet'").fetchall())
    assert all(each.item.id in text for each in items_of(template))
    assert hidden not in text


TEXTS = st.one_of(st.text(st.sampled_from("a,\"\r\n'=@é %s-")), st.sampled_from(["=1+1", "plain", "", "%s%%"]))
VALUES = st.one_of(st.none(), st.booleans(), st.integers(0, 2), st.sampled_from([0.0, 1.0]), TEXTS, st.lists(TEXTS))
OWN = st.lists(st.builds(Own, TEXTS, TEXTS, TEXTS, TEXTS, VALUES), min_size=1)


@given(told=st.lists(st.tuples(TEXTS, TEXTS, st.booleans(), st.integers(0, 10**13), OWN), max_size=3))
def test_lines_made_for_a_submission_are_the_lines_that_each_judgment_would_have(told: list[Any]) -> None:
    (first, *_) = by_submission(judgments_of("empathy")[:1])
    submissions = [
        SubmissionRows({**first.shared, "item": item, "left": left, "judge": judge, "shown_at": at}, own)
        for item, left, judge, at, own in told
    ]
    rows = [values_of(each) for each in one_by_one(submissions)]
    whole = io.StringIO()
    write_csv(whole, ["a", "b"], rows)
    lines = LONG_LINES.maker(lambda _: harmless_in_line, "", ",", "\r\n")(submissions)
    assert "a,b\r\n" + "".join(lines) == whole.getvalue()
    as_json = LONG_LINES.maker(lambda place: lambda value: f'"{place}": {json.dumps(value)}', "{", ", ", "}")
    assert list(as_json(submissions)) == [
        json.dumps({str(place): value for place, value in enumerate(row)}) for row in rows
    ]


@given(milliseconds=st.integers(0, 4 * 10**12))
def test_a_time_is_written_as_iso_8601_has_it(milliseconds: int) -> None:
    exact = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=milliseconds)
    assert as_time(milliseconds) == exact.isoformat(timespec="milliseconds").replace("+00:00", "Z")
