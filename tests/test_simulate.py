from pathlib import Path
from statistics import mean

import pytest

from assay.assignment import lot
from assay.errors import AssayError
from assay.model import Judgment
from assay.simulate import Character, TrueQuality, simulate
from assay.store import open_store
from assay.store.coordinator import long_table, studies
from tests.conftest import T0, Bench, make_bench
from tests.loops import run_apart


def judged(folder: Path, *characters: Character, seed: int = 5) -> list[Judgment]:
    store = open_store(folder.with_suffix(".db"))
    bench = make_bench(store, folder)
    simulate(store, "empathy", list(characters), seed=seed, start=T0)
    found = list(store.stream(long_table.judgments, bench.study_id))
    store.close()
    return found


def said(judgments: list[Judgment]) -> set[tuple[object, ...]]:
    return {(j.annotator, j.item, j.dimension, str(j.value), j.submitted_at, j.active_ms) for j in judgments}


def test_the_same_seed_gives_the_same_judgments_at_the_same_times(tmp_path: Path) -> None:
    bots = [Character("a"), Character("b", skill=0.5)]
    assert said(judged(tmp_path / "one", *bots)) == said(judged(tmp_path / "two", *bots))


def test_another_seed_gives_other_judgments(tmp_path: Path) -> None:
    assert said(judged(tmp_path / "one", Character("a"))) != said(judged(tmp_path / "two", Character("a"), seed=6))


def test_bias_speed_and_a_limit_show_in_what_a_bot_does(tmp_path: Path) -> None:
    plain = judged(tmp_path / "plain", Character("a"))
    lenient = judged(tmp_path / "lenient", Character("a", bias=0.25, speed=4, items=30))

    def average(judgments: list[Judgment]) -> float:
        return mean(j.value for j in judgments if j.dimension == "overall" and isinstance(j.value, int))

    assert average(lenient) > average(plain) + 0.5
    seconds = {j.submission: j.active_ms or 0 for j in lenient}
    assert len(seconds) == 30
    assert mean(seconds.values()) < mean({j.submission: j.active_ms or 0 for j in plain}.values()) / 2


def test_skilled_bots_agree_more_than_guessing_ones(tmp_path: Path) -> None:
    def distance(judgments: list[Judgment]) -> float:
        by_item: dict[tuple[str, str], list[int]] = {}
        for j in judgments:
            if isinstance(j.value, int):
                by_item.setdefault((j.item, j.dimension), []).append(j.value)
        return mean(abs(pair[0] - pair[1]) for pair in by_item.values())

    skilled = judged(tmp_path / "skilled", Character("a", skill=1), Character("b", skill=1))
    guessing = judged(tmp_path / "guessing", Character("a", skill=0), Character("b", skill=0))
    assert distance(skilled) < distance(guessing) / 2


def test_bots_write_a_note_where_the_rule_asks_for_one(tmp_path: Path) -> None:
    judgments = judged(tmp_path / "study", Character("a"))
    by_submission: dict[str, dict[str, object]] = {}
    for j in judgments:
        by_submission.setdefault(j.submission, {})[j.dimension] = j.value
    for answers in by_submission.values():
        extreme = any(
            value in (1, 5) for name, value in answers.items() if name != "note" and not isinstance(value, list)
        )
        assert ("note" in answers) == extreme


def test_what_is_there_follows_from_the_seed_alone() -> None:
    assert TrueQuality(1, ["x", "y"]).quality("i", "x", "d") == TrueQuality(1, ["y", "x"]).quality("i", "x", "d")
    assert TrueQuality(1, ["x", "y"]).quality("i", "x", "d") != TrueQuality(2, ["x", "y"]).quality("i", "x", "d")
    assert lot(1, "a", "b") != lot(1, "ab", "")
    assert 0 <= lot(1, "a") < 2**63
    assert (lot(1, "a"), lot(2, "a")) == (475944544596965755, 4541736775670806943), (
        "in every release: a seed is a promise"
    )


def test_bots_work_in_a_notebook_too(sqlite_bench: Bench) -> None:
    """There a loop runs already."""

    async def cell() -> int:
        return simulate(sqlite_bench.store, "empathy", [Character("ana", items=1)], seed=1, start=T0)

    assert run_apart(cell()) == 1


@pytest.mark.parametrize(("state", "hint"), [("paused", "--to open"), ("closed", "--to open"), ("removed", "--undo")])
def test_where_a_study_is_not_open_bots_are_told_so(sqlite_bench: Bench, state: str, hint: str) -> None:
    sqlite_bench.store.write(studies.set_state, sqlite_bench.study_id, state, T0)
    with pytest.raises(AssayError, match=f"the study is {state}: nobody gets items") as refused:
        simulate(sqlite_bench.store, "empathy", [Character("ana", items=1)], seed=1, start=T0)
    assert hint in refused.value.hint
