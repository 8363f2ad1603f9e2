"""Every shipped template is played by bots, from the first page to the report, on both databases."""

import html
import json
from pathlib import Path

import pytest

from assay.cli.common import Open
from assay.cli.report import write
from assay.simulate import Character, simulate
from assay.store import Backend, results
from assay.study import check
from assay.study.templates import HERE, template_names
from tests.conftest import T0, make_bench


def test_there_are_templates() -> None:
    assert "empathy" in template_names()


@pytest.mark.parametrize("name", template_names())
def test_a_template_has_no_problems(name: str) -> None:
    assert check(HERE / name)[1] == []


@pytest.mark.parametrize("name", template_names())
def test_bots_play_a_template_from_the_first_page_to_the_report(name: str, store: Backend, tmp_path: Path) -> None:
    bench = make_bench(store, tmp_path / name, name)
    people = max(2, bench.study.assignment.per_item)
    done = simulate(store, bench.study.study, [Character(f"bot{n}") for n in range(people)], seed=1, start=T0)
    counts = store.read(results.item_counts, bench.study_id, bench.study.assignment.per_item)
    assert done == counts.items * bench.study.assignment.per_item
    assert counts.finished == counts.items

    report = write(Open(bench.study, store, bench.study_id, bench.folder), bench.folder / "report.html")
    page = html.unescape((bench.folder / "report.html").read_text("utf-8"))
    numbers = json.loads((bench.folder / "report.json").read_text("utf-8"), parse_constant=pytest.fail)
    assert numbers == report.numbers()
    assert bench.study.title in page
    for dimension in bench.study.scored:
        assert dimension.heading in page
    assert numbers["overview"]["items_finished"] == counts.items
    for row in numbers["agreement"]["dimensions"]:
        found = {each["name"]: each for each in row["coefficients"]}
        main = found.get(bench.study.analysis.agreement.coefficient)
        if main is None:
            # An ordinal coefficient says nothing of words.
            assert bench.study.dimension(row["dimension"]).input.level == "nominal"
            continue
        assert main["value"] is not None
        assert main["ci"][0] <= main["value"] <= main["ci"][1]
