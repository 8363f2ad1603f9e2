"""Counts of preferences are kept for each two systems: what comes in later leaves those that are there as they are."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from assay.cli.status import gather_status
from assay.in_words import number
from assay.items.imported_judgments import ImportedAnswers
from assay.judgments.topics import Topic
from assay.live.agreement import LiveAgreement, compute, live_agreement, pooled_agreement
from assay.live.counting import count_new_submissions, patterns_of, scale_positions_of
from assay.live.report_data import gather
from assay.model import Slot
from assay.report.headline import headline_of
from assay.store import Backend
from assay.store.coordinator import imported_judgments, pattern_counts
from tests.conftest import T0, Bench, make_bench
from tests.pages import text_of
from tests.web.scripts import Script
from tests.web.test_oversight import Coordinator

BIRDS, PERSON = "Linnet vs. Heron", "Linnet vs. system"


def without(key: str) -> Any:
    """The template without one of its comparisons."""

    def edit(folder: Path) -> None:
        dialogues = json.loads((folder / "dialogues.json").read_text("utf-8"))
        for turn in (turn for dialogue in dialogues for turn in dialogue["info"]):
            turn.pop(key, None)
        (folder / "dialogues.json").write_text(json.dumps(dialogues), "utf-8")

    return edit


def judge(bench: Bench, seed: int) -> None:
    """Three people judge every item that nobody has judged yet."""
    drawn = random.Random(seed)
    data = gather(bench.store, bench.study_id, bench.study, T0)
    assert data.work is not None
    new = sorted(set(data.work.items) - {each.item for each in data.judgments})
    for who in ("ana", "ben", "cleo"):
        said = [
            (
                name,
                ImportedAnswers(who, False, {Slot(each): drawn.choice(("a", "a", "tie", "b")) for each in DIMENSIONS}),
            )
            for name in new
        ]
        bench.store.write(imported_judgments.add, bench.study_id, bench.study, said, T0 + seed)


DIMENSIONS = ("completion", "readability")


def now(bench: Bench) -> dict[Topic, LiveAgreement]:
    compute(bench.store, bench.study_id, bench.study, T0)
    return {each.topic: each for each in live_agreement(bench.store, bench.study_id, bench.study)}


def test_a_second_pair_that_comes_later_leaves_the_first_as_it_was(store: Backend, tmp_path: Path) -> None:
    bench = make_bench(store, tmp_path / "study", "dialog-pairs", without(PERSON))
    judge(bench, 1)
    before = now(bench)
    assert list(before) == [Topic(name, "Linnet", "Heron") for name in DIMENSIONS]
    more = make_bench(store, tmp_path / "more", "dialog-pairs", without(BIRDS))
    assert more.study_id == bench.study_id, "the same study, with a second file"
    judge(bench, 2)
    after = now(bench)
    for topic, found in before.items():
        values = {each.name: each.value for each in found.coefficients}
        assert {each.name: each.value for each in after[topic].coefficients} == values
    assert [topic[1:] for topic in after] == [("Linnet", "Heron"), ("Linnet", "system")] * 2
    reported = gather(store, bench.study_id, bench.study, T0).agreement
    assert list(after) == list(reported)
    for topic, found in after.items():
        values = {each.name: each.value for each in found.coefficients}
        assert values == pytest.approx({each.name: each.value for each in reported[topic]})


def test_all_comparisons_together_have_the_reports_value_on_every_live_page(store: Backend, tmp_path: Path) -> None:
    bench = make_bench(store, tmp_path / "study", "dialog-pairs")
    judge(bench, 1)
    at = (store, bench.study_id, bench.study)
    reported = gather(*at, T0).pooled_agreement
    assert list(reported) == list(DIMENSIONS)
    wanted = bench.study.analysis.agreement.coefficient
    for each in pooled_agreement(*at):
        whole = {one.name: one for one in reported[each.topic.dimension]}
        assert each.coefficients, "from counts, before anything is computed"
        for one in each.coefficients:
            assert (one.value, one.ci, one.n_items) == (whole[one.name].value, None, whole[one.name].n_items)
    compute(*at, T0)
    for each in pooled_agreement(*at):
        assert list(each.coefficients) == reported[each.topic.dimension], "to the last bit, of every coefficient"
    said = {name: headline_of(found, wanted) for name, found in reported.items()}
    values = {name: (one.value, None, one.n_items) for name, one in said.items() if one is not None}
    page = Coordinator(bench)
    for rows in (
        gather_status(*at, T0)["pooled"],
        Script(bench, "read").get("/agreement")["pooled"],
        json.loads(page.get("/progress"))["pooled"],
    ):
        assert {row["dimension"]: (row["value"], row["ci"], row["n_items"]) for row in rows} == values
    shown = " ".join(text_of(page.get()).split())
    for name, (value, _, items) in values.items():
        title = f"{bench.study.dimension(name).heading}, all 2 comparisons together"
        said = rf"{re.escape(title)} {items} items, each in both directions[^–]*? {re.escape(number(value))} –"
        assert re.search(said, shown)


def test_counts_that_an_older_release_made_of_all_pairs_together_are_made_anew(
    sqlite_store: Backend, tmp_path: Path
) -> None:
    bench = make_bench(sqlite_store, tmp_path / "study", "dialog-pairs")
    judge(bench, 1)
    sqlite_store.write(pattern_counts.prepare, bench.study_id, bench.study.hash, ())
    seen = sqlite_store.read(pattern_counts.queued_submissions, bench.study_id, 1000)
    rows = sqlite_store.read(pattern_counts.rows_of, seen.keys(), ())
    place = scale_positions_of(sqlite_store, bench.study_id, bench.study)
    sqlite_store.write(pattern_counts.count, bench.study_id, seen, patterns_of(rows, place.of))
    assert sorted(sqlite_store.read(pattern_counts.totals, bench.study_id)) == list(DIMENSIONS)
    count_new_submissions(sqlite_store, bench.study_id, bench.study)
    counted = sqlite_store.read(pattern_counts.totals, bench.study_id)
    assert {pattern_counts.counted_topic(each) for each in counted} == {
        (name, pair) for name in DIMENSIONS for pair in (("Heron", "Linnet"), ("Linnet", "system"))
    }
    reported = gather(sqlite_store, bench.study_id, bench.study, T0).agreement
    assert {each.topic for each in live_agreement(sqlite_store, bench.study_id, bench.study)} == set(reported)
