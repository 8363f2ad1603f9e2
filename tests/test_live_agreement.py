"""Agreement as the study stands: from counts that are kept current, the same as from all judgments."""

import random
import re
from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import Connection, insert, select, update

from assay import acts
from assay.items.imported_judgments import ImportedAnswers
from assay.live.agreement import compute, is_stale, live_agreement
from assay.live.counting import count_new_submissions, excluded_annotators, patterns_of, scale_positions_of
from assay.live.report_data import gather
from assay.model import Slot
from assay.store import Backend
from assay.store.annotator.submissions import QUEUE
from assay.store.coordinator import cache, imported_judgments, pattern_counts, studies
from assay.store.coordinator.record import By
from assay.store.tables import annotator, item, judgment, pattern, submission
from assay.study import Study
from assay.study.load import load as load_study
from tests.conftest import T0, Bench

PEOPLE = ("ana", "ben", "cleo")


def judge(bench: Bench, who: str, scores: Mapping[str, int], *, judge: bool = False) -> None:
    """One person's judgments of items, on every scored dimension."""
    slots = [Slot(each.dimension) for each in bench.study.scored_dimensions]
    said = [(name, ImportedAnswers(who, judge, dict.fromkeys(slots, score))) for name, score in scores.items()]
    bench.store.write(imported_judgments.add, bench.study_id, bench.study, said, T0)


def names(bench: Bench, most: int) -> list[str]:
    with_names = select(item.c.name).where(item.c.study_id == bench.study_id, item.c.series == "work")
    return list(bench.store.read(lambda connection: connection.execute(with_names).scalars().all()))[:most]


def fill(bench: Bench, seed: int = 1, items: int = 12, people: tuple[str, ...] = PEOPLE) -> None:
    drawn = random.Random(seed)
    for who in people:
        judge(bench, who, {name: drawn.randint(1, 5) for name in names(bench, items) if drawn.random() < 0.9})


def totals(bench: Bench) -> dict[str, dict[tuple[int, ...], int]]:
    return bench.store.read(pattern_counts.totals, bench.study_id)


def from_scratch(bench: Bench) -> dict[str, dict[tuple[int, ...], int]]:
    """The same totals from all judgments at once."""
    place = scale_positions_of(bench.store, bench.study_id, bench.study)
    left_out = excluded_annotators(bench.store, bench.study_id, bench.study)
    rows = list(bench.store.stream(pattern_counts.all_rows, bench.study_id, left_out))
    found: dict[str, dict[tuple[int, ...], int]] = {}
    for of_item in patterns_of(rows, place.of).values():
        for dimension, patterns in of_item.items():
            for each in patterns:
                key = tuple(map(int, each.split(",")))
                found.setdefault(dimension, {})[key] = found.setdefault(dimension, {}).get(key, 0) + 1
    return found


def test_counts_follow_judgments_as_they_arrive(bench: Bench) -> None:
    judge(bench, "ana", {"emp-001": 4, "emp-002": 5})
    assert count_new_submissions(bench.store, bench.study_id, bench.study) == 2
    assert totals(bench)["emotion"] == {(3,): 1, (4,): 1}
    judge(bench, "ben", {"emp-001": 2})
    assert count_new_submissions(bench.store, bench.study_id, bench.study) == 1
    assert totals(bench)["emotion"] == {(1, 3): 1, (4,): 1}
    assert count_new_submissions(bench.store, bench.study_id, bench.study) == 0


def test_what_counts_give_is_what_the_report_says(sqlite_bench: Bench) -> None:
    fill(sqlite_bench)
    data = gather(sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study, T0)
    compute(sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study, T0)
    for now in live_agreement(sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study):
        assert list(now.coefficients) == data.agreement[now.topic], "to the last bit, intervals included"


def test_before_all_is_computed_again_counts_give_the_value_and_the_interval_of_a_report_made_now(
    sqlite_bench: Bench,
) -> None:
    store, study_id, study = sqlite_bench.store, sqlite_bench.study_id, changed(sqlite_bench, *UNGROUPED)
    fill(sqlite_bench, items=40)
    data = gather(store, study_id, study, T0)
    for now in live_agreement(store, study_id, study):
        reported = {each.name: each for each in data.agreement[now.topic]}
        assert now.coefficients
        assert not now.as_of
        for each in now.coefficients:
            assert each.ci
            assert (each.value, each.ci, each.method, each.n_items) == (
                reported[each.name].value,
                reported[each.name].ci,
                reported[each.name].method,
                reported[each.name].n_items,
            )


def test_an_automated_judge_is_not_counted(sqlite_bench: Bench) -> None:
    fill(sqlite_bench)
    count_new_submissions(sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study)
    before = totals(sqlite_bench)
    judge(sqlite_bench, "robot", dict.fromkeys(names(sqlite_bench, 5), 3), judge=True)
    count_new_submissions(sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study)
    assert totals(sqlite_bench) == before


def _revise(connection: Connection, study: Study, who: str, name: str, score: int) -> None:
    """A change of mind, as the page stores it."""
    mine = select(annotator.c.id).where(annotator.c.name == who).scalar_subquery()
    about = select(item.c.id).where(item.c.name == name, item.c.series == "work").scalar_subquery()
    first = connection.execute(
        select(submission).where(submission.c.annotator_id == mine, submission.c.item_id == about)
    ).one()
    row = {**first._mapping, "id": f"{first.id}.2", "revision": 2, "fingerprint": "other"}
    connection.execute(insert(submission).values(row))
    for each in study.scored_dimensions:
        value = {"submission_id": row["id"], "dimension": each.dimension, "value": str(score)}
        connection.execute(insert(judgment).values(value))
    QUEUE.run(connection, submission_id=row["id"], study_id=row["study_id"], item_id=row["item_id"])


def test_a_change_of_mind_takes_the_place_of_what_was_said_before(bench: Bench) -> None:
    judge(bench, "ana", {"emp-001": 4})
    judge(bench, "ben", {"emp-001": 4})
    count_new_submissions(bench.store, bench.study_id, bench.study)
    bench.store.write(_revise, bench.study, "ben", "emp-001", 1)
    count_new_submissions(bench.store, bench.study_id, bench.study)
    assert totals(bench)["emotion"] == {(0, 3): 1}


def test_whoever_is_left_out_is_taken_out_of_the_counts_and_put_back(bench: Bench) -> None:
    fill(bench)
    count_new_submissions(bench.store, bench.study_id, bench.study)
    before = totals(bench)
    bench.store.write(acts.exclude, By(bench.study_id, "test", T0, "wrong language"), "cleo")
    count_new_submissions(bench.store, bench.study_id, bench.study)
    assert totals(bench) == from_scratch(bench) != before
    assert max(len(each) for each in totals(bench)["emotion"]) == 2
    bench.store.write(acts.include, By(bench.study_id, "test", T0), "cleo")
    count_new_submissions(bench.store, bench.study_id, bench.study)
    assert totals(bench) == before


def test_another_scale_makes_the_counts_anew(sqlite_bench: Bench) -> None:
    fill(sqlite_bench)
    count_new_submissions(sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study)
    longer = changed(sqlite_bench, LONGER)
    sqlite_bench.store.write(studies.publish, longer, T0, even_if_begun=True)
    count_new_submissions(sqlite_bench.store, sqlite_bench.study_id, longer)
    assert "emotion" not in totals(sqlite_bench), "a 5 of 5 is not a 5 of 7"
    assert totals(sqlite_bench)["safety"]


def changed(bench: Bench, *changes: tuple[str, str]) -> Study:
    """The study with something else in its file: the first place that a pattern finds."""
    path = bench.folder / "study.yaml"
    text = path.read_text("utf-8")
    for old, new in changes:
        text, found = re.subn(old, new, text, count=1)
        assert found == 1
    path.write_text(text, "utf-8")
    return load_study(bench.folder)


LONGER = (r"to: 5\b", "to: 7")
UNGROUPED = ((r" *match: .*\n", ""), (r" *group: sample_id.*\n", ""))


def test_two_who_count_at_once_count_nothing_twice_and_forget_nothing(bench: Bench) -> None:
    fill(bench, people=("ana", "ben"))
    bench.store.write(pattern_counts.prepare, bench.study_id, bench.study.hash, ())
    place = scale_positions_of(bench.store, bench.study_id, bench.study)

    def read() -> tuple[dict[int, list[str]], dict[int, dict[str, list[str]]]]:
        seen = bench.store.read(pattern_counts.queued_submissions, bench.study_id, 1000)
        return seen, patterns_of(bench.store.read(pattern_counts.rows_of, seen.keys(), ()), place.of)

    slow = read()
    judge(bench, "cleo", dict.fromkeys(names(bench, 6), 5))
    fast = read()
    assert bench.store.write(pattern_counts.count, bench.study_id, *fast) > 0
    assert bench.store.write(pattern_counts.count, bench.study_id, *slow) == 0, "what it saw is out of date"
    assert totals(bench) == from_scratch(bench)


def test_one_who_counts_what_another_has_begun_leaves_the_rest_queued(bench: Bench) -> None:
    fill(bench, people=("ana", "ben"))
    bench.store.write(pattern_counts.prepare, bench.study_id, bench.study.hash, ())
    place = scale_positions_of(bench.store, bench.study_id, bench.study)
    early = bench.store.read(pattern_counts.queued_submissions, bench.study_id, 1000)
    patterns = patterns_of(bench.store.read(pattern_counts.rows_of, early.keys(), ()), place.of)
    judge(bench, "cleo", dict.fromkeys(names(bench, 6), 5))
    late = bench.store.read(pattern_counts.queued_submissions, bench.study_id, 1000)
    newer = patterns_of(bench.store.read(pattern_counts.rows_of, late.keys(), ()), place.of)
    bench.store.write(pattern_counts.count, bench.study_id, early, patterns)
    bench.store.write(pattern_counts.count, bench.study_id, late, newer)
    assert bench.store.read(pattern_counts.studies_waiting) == [bench.study_id]
    count_new_submissions(bench.store, bench.study_id, bench.study)
    assert totals(bench) == from_scratch(bench)


def test_what_needs_names_is_shown_with_its_age(sqlite_bench: Bench) -> None:
    store, study_id, study = sqlite_bench.store, sqlite_bench.study_id, changed(sqlite_bench, *UNGROUPED)
    fill(sqlite_bench, people=("ana", "ben"))
    assert is_stale(store, study_id, study)
    first = live_agreement(store, study_id, study)[0]
    assert not first.as_of
    assert "cohen_kappa_linear" not in {each.name for each in first.coefficients}
    compute(store, study_id, study, T0)
    assert not is_stale(store, study_id, study)
    then = {each.name: each for each in live_agreement(store, study_id, study)[0].coefficients}
    judge(sqlite_bench, "cleo", dict.fromkeys(names(sqlite_bench, 6), 1))
    assert is_stale(store, study_id, study)
    after = live_agreement(store, study_id, study)[0]
    now = {each.name: each for each in after.coefficients}
    assert after.as_of["cohen_kappa_linear"] == T0
    assert now["cohen_kappa_linear"] == then["cohen_kappa_linear"], "kept as it was"
    assert "krippendorff_alpha_ordinal" not in after.as_of
    assert now["krippendorff_alpha_ordinal"].value != then["krippendorff_alpha_ordinal"].value, "up to date"


def test_where_items_share_a_source_value_and_interval_are_of_one_time_and_have_their_age(sqlite_bench: Bench) -> None:
    store, study_id, study = sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study
    fill(sqlite_bench, people=("ana", "ben"))
    first = live_agreement(store, study_id, study)[0]
    assert {each.ci for each in first.coefficients} == {None}, "nothing was computed yet"
    compute(store, study_id, study, T0)
    then = {each.name: each for each in live_agreement(store, study_id, study)[0].coefficients}
    judge(sqlite_bench, "cleo", {names(sqlite_bench, 1)[0]: 1})
    after = live_agreement(store, study_id, study)[0]
    shown = {each.name: each for each in after.coefficients}["krippendorff_alpha_ordinal"]
    assert shown == then["krippendorff_alpha_ordinal"], "value and interval belong together"
    assert after.as_of["krippendorff_alpha_ordinal"] == T0
    now = {each.name: each for each in after.now}["krippendorff_alpha_ordinal"]
    assert now.value != shown.value
    assert now.ci is None
    compute(store, study_id, study, T0 + 1)
    newest = live_agreement(store, study_id, study)[0]
    assert not newest.as_of
    assert {each.name: each for each in newest.coefficients}["krippendorff_alpha_ordinal"].value == now.value


def test_a_result_of_another_version_is_not_shown(sqlite_bench: Bench) -> None:
    store, study_id, study = sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study
    fill(sqlite_bench, people=("ana", "ben"))
    compute(store, study_id, study, T0)
    judge(sqlite_bench, "cleo", {names(sqlite_bench, 1)[0]: 1})
    assert live_agreement(store, study_id, study)[0].as_of, "what was computed is kept"
    assert not live_agreement(store, study_id, changed(sqlite_bench, LONGER))[0].as_of


def test_a_kept_result_takes_the_place_of_the_older_one(store: Backend, bench: Bench) -> None:
    for state in ("one", "two"):
        found = cache.CachedResult({"n": state}, state, T0)
        bench.store.write(cache.put, bench.study_id, "something", found)
    kept = bench.store.read(cache.get, bench.study_id, "something")
    assert kept is not None
    assert replace(kept, at=0) == cache.CachedResult({"n": "two"}, "two", 0)


def test_a_wrong_total_is_noticed(sqlite_bench: Bench) -> None:
    fill(sqlite_bench)
    count_new_submissions(sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study)
    sqlite_bench.store.write(lambda connection: connection.execute(update(pattern).values(units=pattern.c.units + 1)))
    assert totals(sqlite_bench) != from_scratch(sqlite_bench)
