"""The comparisons of a study, as the store knows them: in the direction of the file, whatever the order of its rows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay.store import Backend
from assay.store.coordinator.comparisons import comparisons
from tests.conftest import Bench, make_bench


def _titles(bench: Bench) -> list[str]:
    return [each.title for each in bench.store.read(comparisons, bench.study_id, bench.study)]


def _rewrite(name: str, change: Callable[[Any], None]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        content = json.loads((folder / name).read_text("utf-8"))
        change(content)
        (folder / name).write_text(json.dumps(content), "utf-8")

    return edit


def test_keys_of_the_file_name_the_directions(store: Backend, tmp_path: Path) -> None:
    bench = make_bench(store, tmp_path / "study", "dialog-pairs")
    assert _titles(bench) == ["Linnet against Heron", "Linnet against system"]


def test_the_order_of_rows_decides_nothing_where_keys_differ(sqlite_store: Backend, tmp_path: Path) -> None:
    def turn_first(dialogues: Any) -> None:
        for turn in dialogues[0]["info"]:
            turn["Heron vs. Linnet"] = turn.pop("Linnet vs. Heron")
        dialogues.reverse()

    bench = make_bench(sqlite_store, tmp_path / "study", "dialog-pairs", _rewrite("dialogues.json", turn_first))
    assert "Heron against Linnet" in _titles(bench)


def test_two_fields_that_always_say_the_same_name_the_direction(store: Backend, tmp_path: Path) -> None:
    def turn(sheet: Any) -> None:
        for row in sheet["samples"]:
            names = sorted((row["model_a_name"], row["model_b_name"]), reverse=True)
            row["model_a_name"], row["model_b_name"] = names

    bench = make_bench(store, tmp_path / "study", "trajectories", _rewrite("samples.json", turn))
    assert _titles(bench) == [
        "scout-online against scout-base",
        "scout-tuned against scout-base",
        "scout-tuned against scout-online",
    ]


def test_two_fields_that_take_turns_name_none(store: Backend, tmp_path: Path) -> None:
    bench = make_bench(store, tmp_path / "study", "trajectories")
    assert _titles(bench) == [
        "scout-base against scout-online",
        "scout-base against scout-tuned",
        "scout-online against scout-tuned",
    ]


def test_a_study_of_single_outputs_compares_no_two(sqlite_bench: Bench) -> None:
    assert _titles(sqlite_bench) == []
