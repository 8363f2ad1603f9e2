"""From the file to the report: people on a part of the items, judges on all of them."""

import csv
import json
import re
from pathlib import Path
from random import Random

import pytest

from tests.selection import first_of
from tests.servers import command as run

STUDY = """\
study: part
title: People on a part
language: en
items:
  source: items.csv
  id: id
  system: system
  show:
    - text: {field: answer}
  judgments:
    - {judge: first, values: {warmth: first_warmth}}
    - {judge: second, values: {warmth: second_warmth}}
rubric:
  - dimension: warmth
    ask: How warm is the answer?
    scale: {from: 1, to: 5}
assignment:
  per_item: 1
"""
ITEMS = 120


def study(folder: Path, people: str = "") -> Path:
    """A study with two systems and two judges that are good ones."""
    folder.mkdir()
    (folder / "study.yaml").write_text(STUDY + people, "utf-8")
    rng = Random(4)
    with (folder / "items.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "system", "answer", "first", "second", "first_warmth", "second_warmth"])
        for at in range(ITEMS):
            value = rng.randint(2, 4)
            other = value + rng.choice([-1, 0, 1])
            rows.writerow([f"i{at}", "ab"[at % 2], f"Answer {at}", "one", "two", value, other])
    return folder


def told(*arguments: str) -> str:
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("by", first_of(["doubt"], ["system"], "the part drawn otherwise"))
def test_people_get_the_part_that_was_drawn_and_the_report_puts_them_and_the_judges_together(
    tmp_path: Path, by: str
) -> None:
    folder = study(tmp_path / "part", f"  people: {{share: 0.25, by: {by}}}\n")
    said = told("import", str(folder))
    found = re.search(r"People are asked for (\d+) of 120 items, drawn by lot", said)
    assert found, said
    count = int(found[1])
    assert 28 <= count <= 32
    told("simulate", str(folder), "--annotators", "2")
    status = json.loads(told("status", str(folder), "--json"))
    assert (status["items"], status["finished"], status["judges_alone"]) == (count, count, ITEMS - count)
    assert f"asked for {count} of 120" in told("status", str(folder))
    numbers = json.loads(told("report", str(folder), "--json"))["people_and_judges"]
    assert (numbers["declined"], numbers["assumed"]) == (None, None)
    [row] = numbers["dimensions"]
    assert row["judges"] == ["one", "two"]
    assert [each["system"] for each in row["systems"]] == ["a", "b"]
    assert sum(each["estimate"]["n_people"] for each in row["systems"]) == count
    assert numbers["by_probability"] == (by == "doubt")
    [first, *_] = json.loads(told("plan", str(folder), "--judge", "--width", "1", "--items", "400", "--json"))["plans"]
    assert len(first["pilot"]["cells"]) == (3 if by == "doubt" else 0)
    said = told("plan", str(folder), "--judge", "--width", "1")
    assert ("weighed by the probabilities" in said) == (by == "doubt")
    told("verify", str(folder))


def test_a_plan_with_judges_says_how_many_items_people_must_judge(tmp_path: Path) -> None:
    folder = study(tmp_path / "part")
    told("import", str(folder))
    told("simulate", str(folder), "--annotators", "2")
    found = json.loads(told("plan", str(folder), "--judge", "--width", "0.5", "--items", "400", "--json"))
    assert [each["what"] for each in found["plans"]] == ["a", "b", "a − b"]
    first = found["plans"][0]
    assert (first["judges"], first["items"], first["pilot"]["n"]) == (["one", "two"], 400, 60)
    assert 0 < first["with_judge"] <= first["alone"] <= 400
    said = told("plan", str(folder), "--judge", "--width", "0.5")
    assert "people alone" in said
    assert "with judges" in said
    for arguments, why in (
        (["--judge"], "belong together"),
        (["--width", "0.2"], "belong together"),
        (["--judge", "--width", "0.2", "--dimension", "none"], "nothing that people and a judge both judged"),
    ):
        done = run("plan", str(folder), *arguments)
        assert done.returncode == 1
        assert why in done.stderr
        assert "Traceback" not in done.stderr
