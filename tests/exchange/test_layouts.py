"""The studies' own layouts, and Inspect's scores: what they hold, and that it comes in again where it can."""

import csv
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError
from assay.exchange.submissions import FileNames
from assay.items.judgment_sheet import read_judgment_sheet
from assay.items.reader import read_items
from assay.judgments.file_judgments import KnownItem, hold_against_item
from assay.kinds import EXPORTS
from assay.model import Comparison, Judgment
from assay.sides_and_candidates import systems_by_role
from assay.study import load
from assay.study.templates import HERE
from tests.exchange.sample import PEOPLE, data_of, items_of, judged, judgments_of, study_of, written
from tests.exchange.test_workbook import read as read_book

SCORES_OF_A_SIDE = ("correctness", "coherence", "efficiency", "thoroughness")


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def asked(template: str, *, entries: bool = True, tags: bool = False) -> Iterator[Judgment]:
    """What people answered, without what was computed, notes, and ticks unless wanted."""
    study = study_of(template)
    ticked = [each for each in study.rubric if tags and each.input.kind == "tags"]
    names = {each.dimension for each in (*study.scored_dimensions, *ticked) if entries or each.scope.of != "entries"}
    return (each for each in judgments_of(template) if each.dimension in names)


def told(template: str, **more: Any) -> dict[tuple[str, str, str], Any]:
    return {(each.item, each.annotator, each.dimension): each.value for each in asked(template, **more)}


# The rows of HCS


def test_rating_rows_have_the_columns_of_the_original_first(tmp_path: Path) -> None:
    rows = table(written("rating-rows", data_of("route-planning"), tmp_path))
    original = "item_id annotator_id prompt response coherence relevance instruction_following safety_compliance"
    assert list(rows[0])[:10] == [*original.split(), "fluency", "notes"]
    assert list(rows[0])[10:] == ["caps", "hcs", "system", "scenario"]
    assert len(rows) == len(items_of("route-planning")) * 3
    assert all(row["system"] for row in rows), "the original cannot compare systems: here it can"


def test_rating_rows_come_in_again_with_equal_values(tmp_path: Path) -> None:
    path = written("rating-rows", data_of("route-planning"), tmp_path)
    study = study_of("route-planning")
    intakes = list(read_items(study, path))
    again = {
        (intake.name, given.annotator, slot.dimension): value
        for intake in intakes
        for given in intake.judgments
        for slot, value in given.answers.items()
        if slot.dimension != "note"
    }
    assert again == told("route-planning", tags=True)
    shown = {each.item.id: each.item for each in items_of("route-planning")}
    for intake in intakes:
        if intake.item is not None:
            assert (intake.item.shown, intake.item.systems) == (shown[intake.name].shown, shown[intake.name].systems)


def test_second_passes_are_said_to_be_left_out(tmp_path: Path) -> None:
    study, [item, *_] = study_of("route-planning"), items_of("route-planning")
    again = [replace(each, pass_=2) for each in judged(study, item, "ana", 2)]
    from assay.exchange.rating_rows import RatingRowsExport

    result = RatingRowsExport().write(
        data_of("route-planning", [*judged(study, item, "ana"), *again]), tmp_path / "x.csv"
    )
    assert result.count == 1
    assert "1 second passes are left out" in result.notes[0]


def test_only_what_counts_of_people_is_in_a_layout(tmp_path: Path) -> None:
    study, [item, *_] = study_of("route-planning"), items_of("route-planning")
    others = [
        judged(study, item, who, **{name: value})
        for who, name, value in (
            ("old", "superseded", True),
            ("test", "source", "practice"),
            ("late", "surplus", True),
            ("trap", "control", True),
            ("gone", "withdrawn", True),
            ("llm", "judge", True),
        )
    ]
    every = [*judged(study, item, "ana"), *(each for given in others for each in given)]
    assert [
        row["annotator_id"] for row in table(written("rating-rows", data_of("route-planning", every), tmp_path))
    ] == ["ana"]


# Annotation sheets


def test_annotation_sheets_come_in_again_with_equal_values(tmp_path: Path) -> None:
    folder = written("annotation-sheets", data_of("empathy"), tmp_path)
    assert sorted(each.name for each in folder.iterdir()) == [
        *(f"annotation_{who}.csv" for who in PEOPLE),
        "samples.csv",
    ]
    again = {
        (str(name), given.annotator, slot.dimension): value
        for who in PEOPLE
        for name, given in read_judgment_sheet(study_of("empathy"), folder / f"annotation_{who}.csv").given
        for slot, value in given.answers.items()
        if slot.dimension != "note"
    }
    assert again == told("empathy", tags=True)
    assert {each["response"] for each in table(folder / "samples.csv")} == {
        each.item.shown["response"].replace("\r\n", "\n") for each in items_of("empathy")
    }
    text = "".join(each.read_text("utf-8") for each in folder.iterdir())
    assert not any(system in text for each in items_of("empathy") for system in each.item.systems), "blind as it was"


def test_a_second_pass_has_the_id_of_the_duplicate_or_a_sheet_of_its_own(tmp_path: Path) -> None:
    study, [one, two, *_] = study_of("empathy"), items_of("empathy")
    named = replace(one, again=("dup_1",))
    judgments = [
        *judged(study, named, "ana"),
        *(replace(each, pass_=2) for each in judged(study, named, "ana", 2)),
        *judged(study, two, "ana"),
        *(replace(each, pass_=2) for each in judged(study, two, "ana", 2)),
    ]
    folder = written("annotation-sheets", data_of("empathy", judgments, items=(named, two)), tmp_path)
    assert [row["eval_id"] for row in table(folder / "annotation_ana.csv")] == [one.item.id, "dup_1", two.item.id]
    assert [row["eval_id"] for row in table(folder / "annotation_ana_pass2.csv")] == [two.item.id]
    assert "dup_1" in {row["eval_id"] for row in table(folder / "samples.csv")}


# Human ratings


DIMENSIONS = ["instruction_constraint_adherence", "context_ambiguity_handling", "plan_coherence", "safety_compliance"]
ORIGINAL = [
    *("conversation_id", "annotator_id", "timestamp", "seed_phrase"),
    *(f"dim_{name}" for name in DIMENSIONS),
    *("targets_completed", "targets_introduced", "target_statuses_json", "overall_score", "pass_fail"),
]


def test_human_ratings_have_the_two_sheets_of_the_original(tmp_path: Path) -> None:
    folder = written("human-ratings", data_of("in-car"), tmp_path)
    assert sorted(each.name for each in folder.iterdir()) == [f"human_ratings_{who}.xlsx" for who in PEOPLE]
    head, *rows = read_book(folder / "human_ratings_007.xlsx", "Human_Ratings")
    assert head[:13] == ORIGINAL
    others = ["instruction_failures", "context_failures", "plan_findings", "safety_concerns", "note"]
    assert head[13:] == others
    assert len(rows) == len(items_of("in-car"))
    [names, metadata] = read_book(folder / "human_ratings_007.xlsx", "Metadata")
    about = dict(zip(names, metadata, strict=True))
    assert about["annotator_id"] == "007"
    assert about["total_rated"] == len(rows)
    assert (about["source_folder"], about["pass_threshold"], about["target_weight"]) == ("logs", 0.75, 1.0)
    assert json.loads(about["dimension_weights"])["plan_coherence"] == 1.0


def test_human_ratings_count_goals_as_they_were_answered(tmp_path: Path) -> None:
    folder = written("human-ratings", data_of("in-car"), tmp_path)
    head, *rows = read_book(folder / "human_ratings_ana.xlsx", "Human_Ratings")
    goals: dict[str, list[Any]] = {}
    computed: dict[tuple[str, str], Any] = {}
    for each in judgments_of("in-car"):
        if each.annotator == "ana" and each.dimension == "goal":
            goals.setdefault(each.item, []).append(each.value)
        elif each.annotator == "ana":
            computed[each.item, each.dimension] = each.value
    for values in rows:
        row = dict(zip(head, values, strict=True))
        said = goals.get(row["conversation_id"], [])
        assert (row["targets_completed"], row["targets_introduced"]) == (sum(said), len(said))
        assert sorted(json.loads(row["target_statuses_json"]).values()) == sorted(said)
        assert row["overall_score"] == pytest.approx(computed[row["conversation_id"], "success"])
        assert row["pass_fail"].lower() == computed[row["conversation_id"], "verdict"]


def test_scores_of_human_ratings_come_in_again(tmp_path: Path) -> None:
    folder = written("human-ratings", data_of("in-car"), tmp_path)
    own = tmp_path / "study"
    shutil.copytree(HERE / "in-car", own)
    text = (own / "study.yaml").read_text("utf-8")
    names = [each.dimension for each in study_of("in-car").rubric if each.scope.of == "item" and each.input.level]
    mapping = "".join(f"        {name}: dim_{name}\n" for name in names)
    (own / "study.yaml").write_text(
        text.replace("  judgments: ", f"  judgments:\n    - annotator: annotator_id\n      values:\n{mapping}    #", 1),
        "utf-8",
    )
    again = {
        (str(name), given.annotator, slot.dimension): value
        for who in PEOPLE
        for name, given in read_judgment_sheet(load(own), folder / f"human_ratings_{who}.xlsx").given
        for slot, value in given.answers.items()
    }
    assert again == told("in-car", entries=False)


def test_annotators_whose_names_make_one_file_name_keep_two_files() -> None:
    names = FileNames()
    assert [names[each] for each in ("JD 01/é", "JD_01_é", "jd 01/É", "../x", "JD 01/é")] == [
        "JD_01_é",
        "JD_01_é_2",
        "jd_01_É_3",
        "___x",
        "JD_01_é",
    ]


# Nested dialogues


def test_dialogue_labels_come_in_again_with_equal_values(tmp_path: Path) -> None:
    path = written("dialogue-labels", data_of("dialog-pairs"), tmp_path)
    intakes = list(read_items(study_of("dialog-pairs"), path))
    original = {each.item.id: each.item for each in items_of("dialog-pairs")}
    assert {each.name for each in intakes} == set(original)
    places = {f"label-{number}": who for number, who in enumerate(PEOPLE, 1)}
    again = {}
    for intake in intakes:
        assert intake.item is not None
        assert (intake.item.shown, intake.item.systems) == (original[intake.name].shown, original[intake.name].systems)
        whose = dict(zip("ab", intake.item.systems, strict=True))
        for given in intake.judgments:
            for slot, value in given.answers.items():
                again[intake.name, places[given.annotator], slot.dimension] = whose.get(str(value), value)
    assert again == told("dialog-pairs")


def test_dialogue_labels_are_by_system_and_say_whose_they_are(tmp_path: Path) -> None:
    [first, *_] = json.loads(written("dialogue-labels", data_of("dialog-pairs"), tmp_path).read_text("utf-8"))
    assert list(first) == ["file", "info"]
    turn = first["info"][0]
    pairs = [key for key in turn if " vs. " in key]
    assert len(pairs) == 2
    for pair in pairs:
        assert list(turn[pair]) == ["Completion", "Readability"], "no key more than the original has"
        assert {*turn[pair]["Completion"], *turn[pair]["Readability"]} <= {
            *pair.replace("system", "System").split(" vs. "),
            "Tie",
        }
    nobody = json.loads(written("dialogue-labels", data_of("dialog-pairs", []), tmp_path).read_text("utf-8"))
    assert nobody[0]["info"][0][pairs[0]] == {}, "labels that came with the items are not passed off as new"
    result = EXPORTS["dialogue-labels"]().write(data_of("dialog-pairs"), tmp_path / "again.json")
    assert result.notes == ["the lists have a label of each of: 007, NA, ana"]
    fewer = [
        each
        for each in judgments_of("dialog-pairs")
        if (each.annotator, each.item) != ("ana", items_of("dialog-pairs")[0].item.id)
    ]
    result = EXPORTS["dialogue-labels"]().write(data_of("dialog-pairs", fewer), tmp_path / "fewer.json")
    assert "differs between items" in result.notes[0]


def test_the_places_of_labels_are_counted_and_not_spelled(tmp_path: Path) -> None:
    study, [item, *_] = study_of("dialog-pairs"), items_of("dialog-pairs")
    chosen = {f"label-{number}": item.item.systems[number % 2] for number in range(1, 12)}
    said = [
        replace(each, value=chosen[who])
        for who in chosen
        for each in judged(study, item, who)
        if each.dimension == "completion"
    ]
    [first, *_] = json.loads(written("dialogue-labels", data_of("dialog-pairs", said), tmp_path).read_text("utf-8"))
    [labels] = [each for each in first["info"][0].values() if isinstance(each, dict) and each]
    assert labels["Completion"] == list(chosen.values()), "label-2 comes before label-10"


def test_a_comparison_that_was_withdrawn_leaves_no_old_labels_behind(tmp_path: Path) -> None:
    [gone, *rest] = items_of("dialog-pairs")
    data = data_of("dialog-pairs", [], items=(replace(gone, series="withdrawn"), *rest))
    [first, *_] = json.loads(written("dialogue-labels", data, tmp_path).read_text("utf-8"))
    pairs = [key for key in first["info"][0] if " vs. " in key]
    assert [sorted(key.split(" vs. ")) for key in pairs] == [sorted(rest[0].item.systems)]


# One file for each judged pair


def test_judgment_files_say_who_stood_where_and_whom_they_mean(tmp_path: Path) -> None:
    folder = written("judgment-files", data_of("trajectories"), tmp_path)
    records = [json.loads(each.read_text("utf-8")) for each in folder.iterdir()]
    assert len(records) == len(items_of("trajectories")) * 3
    values = {(each.submission, each.dimension, each.side): each for each in judgments_of("trajectories")}
    for record in records:
        assert {"annotation_id", "sample_id", "annotator_id", "timestamp", "comments"} <= set(record)
        assert record["time_spent_seconds"] == 45.5
        for side in ("left", "right"):
            given = values[record["annotation_id"], "coherence", side]
            assert (record[f"{side}_coherence"], record[f"{side}_model"]) == (given.value, given.system)
            assert record[f"{side}_correctness"] is bool(values[record["annotation_id"], "correctness", side].value)
        preferred = values[record["annotation_id"], "preference", ""].value
        assert record["preference_model"] == preferred
        models = {record["left_model"]: "left", record["right_model"]: "right", "tie": "equal"}
        assert record["preference"] == models[preferred]
    assert {record["preference"] for record in records} == {"left", "right", "equal"}


def test_pairs_whose_sides_nobody_knows_are_said_to_be_left_out(tmp_path: Path) -> None:
    from assay.exchange.judgment_files import JudgmentFilesExport

    study, [item, *_] = study_of("trajectories"), items_of("trajectories")
    imported = [replace(each, left="", side="", source="imported") for each in judged(study, item, "ana")]
    result = JudgmentFilesExport().write(data_of("trajectories", imported), tmp_path)
    assert result.count == 0
    assert "1 judged pairs are left out" in result.notes[0]


def as_the_original_reads(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The records of a folder by sample: every .json file, and the lines of every session log."""
    texts = [each.read_text("utf-8") for each in folder.glob("*.json") if not each.name.startswith("session_")]
    texts += [line for each in folder.glob("session_*.jsonl") for line in each.read_text("utf-8").splitlines()]
    found: dict[str, list[dict[str, Any]]] = {}
    for text in texts:
        record = json.loads(text)
        found.setdefault(record["sample_id"], []).append(record)
    return found


KEYS_OF_ORIGINAL = {
    *("annotation_id", "sample_id", "annotator_id", "timestamp", "left_model", "right_model"),
    *(f"{side}_{name}" for side in ("left", "right") for name in SCORES_OF_A_SIDE),
    *("preference", "confidence", "comments", "time_spent_seconds"),
}


def test_the_session_log_has_the_keys_of_the_original_and_one_order_of_models_for_everybody(tmp_path: Path) -> None:
    path = written("session-log", data_of("trajectories"), tmp_path)
    path.rename(tmp_path / "session_log.jsonl")
    read = as_the_original_reads(tmp_path)
    assert {name: len(records) for name, records in read.items()} == dict.fromkeys(
        (each.item.id for each in items_of("trajectories")), 3
    )
    for records in read.values():
        assert all(set(record) == KEYS_OF_ORIGINAL | {"shown_left"} for record in records)
        assert len({(record["left_model"], record["right_model"]) for record in records}) == 1
    sides = [record["shown_left"] == record["left_model"] for records in read.values() for record in records]
    assert {True, False} == set(sides), "who stood left on the page is another matter"
    # Pooled by side, as that analysis does it, each model gets what was said of it.
    pooled = {
        (name, records[0][f"{side}_model"]): sorted(record[f"{side}_coherence"] for record in records)
        for name, records in read.items()
        for side in ("left", "right")
    }
    said: dict[tuple[str, str], list[Any]] = {}
    for each in judgments_of("trajectories"):
        if each.dimension == "coherence":
            said.setdefault((each.item, each.system), []).append(each.value)
    assert pooled == {key: sorted(values) for key, values in said.items()}


def test_the_order_of_models_is_that_of_the_study_s_comparisons(tmp_path: Path) -> None:
    [listed, *_] = items_of("trajectories")
    one, two = listed.item.systems
    for order in ((one, two), (two, one)):
        folder = tmp_path / order[0]
        folder.mkdir()
        path = written("session-log", data_of("trajectories", comparisons=[Comparison(*order)]), folder)
        first = json.loads(path.read_text("utf-8").splitlines()[0])
        assert (first["left_model"], first["right_model"]) == order


@pytest.mark.parametrize("layout", ["session-log", "judgment-files"])
def test_judged_pairs_come_in_again_with_equal_values(layout: str, tmp_path: Path) -> None:
    path = written(layout, data_of("trajectories"), tmp_path)
    study = study_of("trajectories")
    known = {each.item.id: each.item for each in items_of("trajectories")}
    again: dict[tuple[str, str, str, str], Any] = {}
    for name, given in read_judgment_sheet(study, path).given:
        item = known[str(name)]
        held = hold_against_item(study, KnownItem(item.shown, item.hidden, item.systems), given, partial=False)
        assert held.mistakes == []
        whose = systems_by_role(item.systems)
        for slot, value in held.answers.items():
            who = whose.get(slot.side, "")
            again[item.id, given.annotator, slot.dimension, who] = whose.get(str(value), value)
    wanted = {
        (each.item, each.annotator, each.dimension, each.system): each.value for each in judgments_of("trajectories")
    }
    assert again == {key: value for key, value in wanted.items() if value is not None}


def test_one_file_of_a_judged_pair_comes_in_as_its_folder_does(tmp_path: Path) -> None:
    folder = written("judgment-files", data_of("trajectories"), tmp_path)
    study, (first, *_) = study_of("trajectories"), sorted(folder.glob("*.json"))
    [(name, given)] = read_judgment_sheet(study, first).given
    assert (name, given.said) in [(other, more.said) for other, more in read_judgment_sheet(study, folder).given]


def test_what_the_original_cannot_read_is_said_to_be_left_out(tmp_path: Path) -> None:
    from assay.exchange.session_log import SessionLogExport

    study, [one, two, *_] = study_of("trajectories"), items_of("trajectories")
    again = [replace(each, pass_=2) for each in judged(study, one, "ana", 2)]
    gaps = [each for each in judged(study, two, "ana") if each.dimension != "confidence"]
    result = SessionLogExport().write(
        data_of("trajectories", [*judged(study, one, "ana"), *again, *gaps]), tmp_path / "x.jsonl"
    )
    assert result.count == 1
    assert [words.split(" are ")[0] for words in result.notes] == ["1 second passes", "1 judged pairs"]


# Inspect


def scores(path: Path) -> dict[str, dict[str, Any]]:
    """As Inspect reads them: a list of records with an id and a value, none of them twice."""
    found: dict[str, dict[str, Any]] = {}
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        assert isinstance(record["id"], str)
        assert record["value"]
        assert record["id"] not in found
        found[record["id"]] = record
    return found


def test_inspect_gets_the_mean_of_each_dimension_by_system(tmp_path: Path) -> None:
    folder = written("inspect", data_of("empathy"), tmp_path)
    systems = {system for each in items_of("empathy") for system in each.item.systems}
    assert {each.stem for each in folder.iterdir()} == systems
    item = items_of("empathy")[0].item
    record = scores(folder / f"{item.systems[0]}.jsonl")[item.id]
    given = [each.value for each in judgments_of("empathy") if each.item == item.id and each.dimension == "safety"]
    assert record["value"]["safety"] == pytest.approx(sum(given) / 3)  # type: ignore[arg-type]
    assert set(record["value"]) == {"emotion", "validation", "helpfulness", "safety", "overall"}
    assert set(record["metadata"]["judgments"]) == set(PEOPLE)


def test_inspect_gets_the_share_won_of_a_preference(tmp_path: Path) -> None:
    folder = written("inspect", data_of("trajectories"), tmp_path)
    for listed in items_of("trajectories"):
        item = listed.item
        said = [
            each.value
            for each in judgments_of("trajectories")
            if (each.item, each.dimension) == (item.id, "preference")
        ]
        shares = []
        for system in item.systems:
            record = scores(folder / f"{system}.jsonl")[item.id]
            won = sum({system: 1, "tie": 0.5}.get(str(value), 0) for value in said) / 3
            assert record["value"]["preference"] == pytest.approx(won)
            assert set(record["value"]) == {"coherence", "efficiency", "thoroughness", "correctness", "preference"}, (
                "confidence is about the pair"
            )
            shares.append(record["value"]["preference"])
        assert sum(shares) == pytest.approx(1)


def test_samples_may_be_called_by_their_group_unless_that_names_two(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    folder = written("inspect", data_of("empathy", named_by="group"), tmp_path / "first")
    item = items_of("empathy")[0].item
    assert item.group in scores(folder / f"{item.systems[0]}.jsonl")
    study, [one, two, *_] = study_of("empathy"), items_of("empathy")
    same = replace(two, item=replace(two.item, systems=one.item.systems, group=one.item.group))
    every = [*judged(study, one, "ana"), *judged(study, same, "ana")]
    with pytest.raises(AssayError, match="are called") as refused:
        written("inspect", data_of("empathy", every, items=(one, same), named_by="group"), tmp_path)
    assert "--id group" in refused.value.hint
