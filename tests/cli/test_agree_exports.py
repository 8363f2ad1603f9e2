"""assay agree on this program's own exports gives the numbers of its report, in every layout, without options."""

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from assay.exchange import LONG, Export
from assay.exchange.csv_wide import SHARED as WIDE_SHARED
from assay.exchange.dictionary import write_dictionary
from assay.exchange.whole_export import write_export
from assay.judgments.units import Units
from assay.kinds import EXPORTS
from assay.live.export_data import export_data
from assay.live.report_data import gather
from assay.model import Judgment
from assay.ratings.export_dictionary import BESIDE
from assay.ratings.export_rows import SHARED
from assay.report.build import build
from assay.store import Backend, open_store
from assay.store.annotator import versions
from assay.store.coordinator import studies
from assay.study import Study
from assay.web import create_app
from tests.cli.agreeing import Run, Said
from tests.conftest import Bench, Clock
from tests.exchange.sample import data_of as data_in_memory
from tests.exchange.sample import items_of, judged, judgments_of, study_of, written
from tests.test_golden import MADE_AT, NAMES, differences, unpack
from tests.web.scripts import Script

LAYOUTS = ("csv", "csv-wide", "parquet", "jsonl", "xlsx")
OTHERS = pytest.mark.thorough("on other templates")


Topic = tuple[str, str, str]


def topic(found: dict[str, Any]) -> Topic:
    """A dimension; of a preference, on one comparison in its direction."""
    return found["dimension"], found.get("system", ""), found.get("against", "")


class Filled:
    """A study that bots and a coordinator filled, and its report."""

    def __init__(self, name: str, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.store: Backend = open_store(unpack(name, folder))
        self.study_id, hash_ = self.store.read(studies.find, name)
        study = self.store.read(versions.version, self.study_id, hash_)
        assert study is not None
        self.study: Study = study

    @cached_property
    def whole(self) -> dict[str, Any]:
        """All that the report says of agreement."""
        made = json.loads(build(gather(self.store, self.study_id, self.study, MADE_AT)).json())
        found: dict[str, Any] = made["agreement"]
        return found

    @property
    def report(self) -> dict[Topic, Any]:
        return {topic(each): each for each in self.whole["dimensions"]}

    def export(self, layout: str) -> Path:
        kind: Export = EXPORTS[layout]()
        path = self.folder / f"{kind.name}{kind.suffix}"
        write_export(kind, export_data(self.store, self.study_id, self.study, MADE_AT), path)
        return path


@pytest.fixture(scope="module", params=NAMES)
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Filled:
    return Filled(request.param, tmp_path_factory.mktemp("filled") / "study")


def same_numbers(said: Said, report: dict[Topic, Any]) -> None:
    """Value, interval and n of every coefficient of every dimension, in the order of the report."""
    assert [topic(each) for each in said.json["dimensions"]] == list(report)
    for number, expected in enumerate(report.values()):
        found = said.coefficients(number)
        assert set(found) == {each["name"] for each in expected["coefficients"]}
        for each in expected["coefficients"]:
            where = *topic(expected), each["name"]
            got = found[each["name"]]
            assert differences({key: each[key] for key in each if key != "title"}, got, str(where)) == []
            assert got["n_items"] == expected["n_items"], where
            assert got["n_ratings"] == expected["n_ratings"], where
            assert got["n_annotators"] == expected["n_annotators"], where


def each_layout_on(*layouts: str) -> pytest.MarkDecorator:
    """Every template in every layout; a usual run tries all templates in the first layout, each other one on one."""
    usual = {*((name, layouts[0]) for name in NAMES), *zip(NAMES, layouts[1:], strict=False)}
    every = [(name, layout) for name in NAMES for layout in layouts]
    return pytest.mark.parametrize(
        ("filled", "layout"),
        [pytest.param(*each, marks=() if each in usual else OTHERS) for each in every],
        indirect=["filled"],
        scope="module",
    )


@each_layout_on(*LAYOUTS)
def test_an_export_gives_the_numbers_of_the_report(layout: str, filled: Filled, run: Run) -> None:
    said = run(filled.export(layout), "--json")
    assert said.err == ""
    same_numbers(said, filled.report)


@each_layout_on("csv", "csv-wide")
def test_what_agreement_rests_on_is_called_as_in_the_report(layout: str, filled: Filled, run: Run) -> None:
    said = " ".join(run(filled.export(layout)).out.split())
    for row in filled.report.values():
        assert str(Units(row["of"], row["n_items"], row["n_whole_items"])) in said


def test_all_comparisons_together_have_the_value_of_the_report_and_no_interval(filled: Filled, run: Run) -> None:
    said = run(filled.export("csv"), "--json")
    found = {each["dimension"]: each for each in said.json.get("pooled", [])}
    assert list(found) == [each["dimension"] for each in filled.whole["pooled"]]
    for each in filled.whole["pooled"]:
        coefficients = {one["name"]: one for one in found[each["dimension"]]["coefficients"]}
        got = coefficients[each["coefficient"]["name"]]
        assert differences({key: each["coefficient"][key] for key in ("value", "ci", "method")}, got) == []
        assert (got["n_items"], got["n_annotators"]) == (each["n_items"], each["n_annotators"])


@each_layout_on("csv", "xlsx")
def test_what_the_api_gives_out_gives_the_numbers_of_the_report(
    layout: str, filled: Filled, run: Run, tmp_path: Path
) -> None:
    clock = Clock(MADE_AT)
    app = create_app(filled.store, clock)
    script = Script(Bench(filled.study, filled.store, filled.study_id, tmp_path, clock, app), name=layout)
    whole = script.ask("GET", f"/exports/{layout}")
    path = tmp_path / whole.headers["content-disposition"].split('"')[1]
    path.write_bytes(whole.content)
    address = whole.headers["link"].removeprefix("<").split(">")[0]
    explained = script.ask("GET", address.removeprefix(script.home))
    assert f'filename="{path.name}.dictionary.csv"' in explained.headers["content-disposition"]
    path.with_name(path.name + BESIDE).write_bytes(explained.content)
    said = run(path, "--json")
    assert said.err == "", "nothing had to be assumed"
    same_numbers(said, filled.report)


def test_systems_and_values_that_begin_like_formulas_are_what_they_were(run: Run, tmp_path: Path) -> None:
    study, items = study_of("dialog-pairs"), items_of("dialog-pairs")
    written_as = iter(("+x", "-y", "=z", "@w"))
    names = {name: next(written_as) for name in sorted({name for each in items for name in each.item.systems})}
    renamed = []
    for each in items:
        systems = tuple(sorted(names[name] for name in each.item.systems))
        renamed.append(replace(each, item=replace(each.item, systems=systems)))
    judgments = [each for item in renamed for who in ("-ann", "bo") for each in judged(study, item, who)]
    data = data_in_memory("dialog-pairs", judgments, items=tuple(renamed))
    found = {}
    for layout in ("csv", "parquet"):
        (tmp_path / layout).mkdir()
        path = written(layout, data, tmp_path / layout)
        write_dictionary(path.with_name(path.name + BESIDE), data, EXPORTS[layout]().columns(data))
        found[layout] = run(path, "--json")
        assert found[layout].code == 0, found[layout].err
    assert found["csv"].json == found["parquet"].json
    assert found["csv"].json["dimensions"][0]["system"] in names.values()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_no_result_counts_changes_nothing(layout: str, run: Run, tmp_path: Path) -> None:
    study, items = study_of("route-planning"), items_of("route-planning")
    plain = run(exported(layout, judgments_of("route-planning"), tmp_path / "plain"), "--json")
    apart: list[dict[str, Any]] = [
        {"source": "practice"},
        {"control": True},
        {"surplus": True},
        {"withdrawn": True},
        {"superseded": True},
        {"excluded": True},
        {"pass_": 2},
        {"study_hash": "of-another-scale"},
    ]
    added = [
        each
        for number, more in enumerate(apart)
        for who in ("007", "dee")
        for item in items[:9]
        for each in judged(study, item, who, number + 1, **more)
    ]
    path = exported(layout, [*judgments_of("route-planning"), *added], tmp_path / "apart")
    assert run(path, "--json").json == plain.json
    judge = [each for item in items for each in judged(study, item, "gpt", 1, judge=True)]
    said = run(exported(layout, [*judgments_of("route-planning"), *judge], tmp_path / "judged"), "--json")
    for beside, alone in zip(said.json["dimensions"], plain.json["dimensions"], strict=True):
        assert {pair["judge"] for pair in beside.pop("judges")} == {"gpt"}
        assert beside == alone
    assert "judge_runs" not in said.json


@pytest.mark.parametrize("layout", LAYOUTS)
def test_of_a_judge_with_several_runs_the_first_counts_and_this_is_said(layout: str, run: Run, tmp_path: Path) -> None:
    study, items = study_of("route-planning"), items_of("route-planning")
    runs = [
        [each for item in items for each in judged(study, item, "gpt", number, judge=True, pass_=number)]
        for number in (1, 2, 3)
    ]
    once = run(exported(layout, [*judgments_of("route-planning"), *runs[0]], tmp_path / "once"), "--json")
    path = exported(
        layout, [*judgments_of("route-planning"), *(each for some in runs for each in some)], tmp_path / "x"
    )
    said = run(path, "--json", "--html", str(tmp_path / "page.html"))
    assert said.json["judge_runs"] == [{"judge": "gpt", "runs": 3, "counts": "first"}]
    assert said.json["dimensions"] == once.json["dimensions"]
    words = "gpt: up to 3 runs of an item; the first counts"
    assert f"note: {words}.\n" in said.err
    assert words in (tmp_path / "page.html").read_text("utf-8")
    assert words not in once.err


def exported(layout: str, judgments: Iterable[Judgment], folder: Path) -> Path:
    folder.mkdir()
    data, kind = data_in_memory("route-planning", judgments), EXPORTS[layout]()
    path = written(layout, data, folder)
    write_dictionary(path.with_name(path.name + BESIDE), data, kind.columns(data))
    return path


def test_without_a_dictionary_notes_and_tags_are_no_scales_and_what_is_assumed_is_said(
    filled: Filled, run: Run
) -> None:
    report = filled.report
    for layout in ("csv", "csv-wide", "jsonl"):
        path = filled.export(layout)
        path.with_name(path.name + BESIDE).unlink()
        said = run(path, "--json")
        assert f"there is no {path.name}.dictionary.csv beside it" in said.err
        found = {each["dimension"] for each in said.json["dimensions"]}
        assert {name for name, *_ in report} <= found
        assert not {"note", "caps", "edge", "instruction_failures", "comment"} & found


def test_what_is_declared_goes_before_the_dictionary_and_columns_split_and_join(run: Run, tmp_path: Path) -> None:
    path = exported("csv", judgments_of("route-planning"), tmp_path / "study")
    options = ["--scale", "coherence=0-9", "--level", "coherence=interval", "--by", "batch", "--cluster", "item"]
    said = run(path, *options)
    assert said.code == 0, said.err
    assert "interval scale: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9." in said.out
    assert "coherence, by batch" in said.out
    assert run(path, "--system", "system", "--json").json["dimensions"][0]["systems"]


def test_columns_that_are_named_make_it_any_table_and_that_is_said(run: Run, tmp_path: Path) -> None:
    path = exported("csv", judgments_of("route-planning"), tmp_path / "study")
    said = run(path, "--item", "item", "--value", "active_seconds")
    assert "columns are named, so that this export is read as any table" in said.err


def test_every_column_that_exports_share_is_known_here() -> None:
    assert {column.name for column in WIDE_SHARED} == SHARED
    assert {column.name for column in LONG} >= SHARED
