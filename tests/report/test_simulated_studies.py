"""Two templates filled by simulated annotators whose faults are known: the report finds them, and no others."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from ruamel.yaml import YAML

from assay.items.reader import read_items
from assay.live.report_data import gather
from assay.report import text_width
from assay.report.build import Report, build
from assay.report.paper.pieces import figures_of
from assay.report.pilot_verdict import pilot_outcome
from assay.report.tiles_of_report import verdict_of
from assay.simulate import Character, simulate
from assay.store import Backend
from assay.store.coordinator import imported_judgments
from assay.study.analysis import PilotSettings
from tests.conftest import T0, Bench, make_bench
from tests.pages import text_of


def reported(bench: Bench, *cast: Character) -> Report:
    simulate(bench.store, bench.study.study, list(cast), seed=3, start=T0)
    return build(gather(bench.store, bench.study_id, bench.study, T0))


def judged_by_all(folder: Path) -> None:
    """Everybody judges every item, with second passes and without a pilot.

    Replies to one statement count by themselves: of sixteen statements too little would be said.
    """
    yaml = YAML()
    yaml.width = 4096
    study = yaml.load((folder / "study.yaml").read_text("utf-8"))
    del study["items"]["group"]
    study["assignment"]["per_item"] = 3
    study["assignment"]["duplicates"] = {"count": 20, "distance": 5}
    with (folder / "study.yaml").open("w", encoding="utf-8") as out:
        yaml.dump(study, out)


def test_in_empathy_the_lenient_annotator_is_found_and_the_careful_ones_repeat_themselves(
    sqlite_store: Backend, tmp_path: Path
) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", "empathy", judged_by_all)
    made = reported(bench, Character("ana", 0.9), Character("ben", 0.9), Character("len", 0.9, bias=0.25))
    numbers = made.numbers()["annotators"]
    above = {each["annotator"] for each in numbers["differ"] if each["name"] == "severity" and each["value"] > 0}
    assert above == {"len"}
    for row in numbers["dimensions"]:
        own, others = row["with_themselves"], row["with_each_other"]
        assert own["exact"]["n"] == 60
        assert own["kappa_with_self"]["value"] > others["kappa"]["value"] - 0.2
        most = max(row["annotators"], key=lambda each: each["severity"]["value"])
        assert most["annotator"] == "len"
    assert any("Beyond chance" in line and "len, " in line for line in made.summary())


def test_in_car_each_judge_stands_beside_people_on_each_dimension_goals_and_computed_values(
    sqlite_store: Backend, tmp_path: Path
) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", "in-car")
    rows = read_items(bench.study, bench.folder / bench.study.items.source)
    judged = [(row.name, each) for row in rows for each in row.judgments if each.judge]
    sqlite_store.write(imported_judgments.add, bench.study_id, bench.study, judged, T0)
    made = reported(bench, Character("ana", 0.9), Character("ben", 0.9))
    numbers = made.numbers()["judges"]
    assert [row["dimension"] for row in numbers["dimensions"]] == [
        "instruction_constraint_adherence",
        "context_ambiguity_handling",
        "plan_coherence",
        "safety_compliance",
        "goal",
        "success",
        "verdict",
    ]
    (warning,) = numbers["warnings"]
    assert "judged an item in common" in warning
    for row in numbers["dimensions"]:
        assert [each["batches"] for each in row["judges"]] == [[f"config_{n}"] for n in (1, 2, 3, 4)]
        for found in row["judges"]:
            assert found["too_few"]
            assert found["alt_test"]["undefined"]
            assert found["system_level"]["undefined"]
            across = sum(map(sum, found["confusion"]))
            assert row["dimension"] == "success" or across == 2 * found["n"], "each of two people, on every item"
    values = {(row["dimension"], row["value"]): row for row in made.numbers()["systems"]["values"]}
    assert {("success", None), ("verdict", "fail")} <= values.keys()
    assert values["success", None]["systems"][0]["mean"]["n"] == 16


def test_the_summary_has_a_few_lines_for_a_dimension(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", "trajectories")
    made = reported(bench, *(Character(name, 0.8) for name in ("ana", "ben", "cem")))
    for dimension in bench.study.scored_dimensions:
        about = [line for line in made.summary() if re.match(re.escape(dimension.heading) + "[:,]", line)]
        assert 1 <= len(about) <= 5, about
    assert len(made.summary()) <= 5 * len(bench.study.scored_dimensions) + 22


@pytest.mark.parametrize("template", ["empathy", "trajectories", "dialog-pairs", "in-car", "route-planning"])
def test_tile_title_page_one_and_pilot_name_the_same_least_agreement_and_count_the_same(
    template: str, sqlite_store: Backend, tmp_path: Path
) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", template)
    whole = reported(bench, *(Character(who, 0.9) for who in ("ana", "ben", "cleo"))).data
    line = whole.study.analysis.agreement.model_copy(update={"at_least": 0.6})
    asked = {"agreement": line, "pilot": PilotSettings(items=2, go=0.6, revise=0.4)}
    analysis = whole.study.analysis.model_copy(update=asked)
    made = build(replace(whole, study=whole.study.model_copy(update={"analysis": analysis})))
    page, summary = re.sub(r"\s+", " ", text_of(made.html())), made.parts["summary"]
    known = {each.title: each for each in summary.agreement if each.value is not None}
    [least] = [each for title, each in known.items() if summary.agreed.startswith(f"Least agreement: {title}, ")]
    enough = [each.value for each in known.values() if each.n >= 20]
    assert enough
    assert least.value == min(enough)
    value = f"{least.value:.2f}".replace("-", "−")
    tile = verdict_of(made.data, made.parts).tiles[1]
    assert tile.headline.startswith(value)
    assert least.title in tile.sentence
    title = re.search(
        rf"Least agreement on {re.escape(least.title)}: {value}.*?; asked for 0.60: (.*?), of (\d+)", page
    )
    assert title, "the title of the figure"
    assert int(title[2]) == len(summary.agreement)
    assert f"The study asks for 0.60: {title[1]}, of {title[2]} questions" in summary.agreed
    decided = {each.title: each.coefficient.value for each in pilot_outcome(made.data).dimensions}
    assert decided[least.title] == least.value
    counted = {word: int(n) for n, word in re.findall(r"(\d+) (met|not met|undecided)", title[1])}
    if missed := counted.get("not met"):
        assert f"not met on {missed} of {title[2]}" in tile.sentence
    elif counted.keys() == {"met", "undecided"}:
        assert f"met on {counted['met']} of {title[2]}" in tile.sentence


def test_on_a_phone_no_words_of_the_first_pages_figure_leave_it(sqlite_store: Backend, tmp_path: Path) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", "trajectories")
    made = reported(bench, Character("ana"), Character("ben"), Character("cem", items=5))
    [figure] = [each for each in figures_of(made.html()) if each.name == "summary"]
    words = []
    for drawing in figure.drawings.values():
        root = ElementTree.fromstring(drawing)
        _, _, width, height = map(float, root.get("viewBox", "").split())
        for each in root.iter("text"):
            said = "".join(each.itertext())
            half = text_width.width(said) / 2 if each.get("text-anchor") == "middle" else 0
            assert half - 1 <= float(each.get("x", "0")) <= width - half + 1, said
            assert 0 < float(each.get("y", "0")) <= height, said
            words.append(said)
    assert "Preference, first − second: net win rate: wins − losses, over all" in " ".join(words)
