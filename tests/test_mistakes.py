"""Mistakes of the programs that these studies were run with before. Here they cannot happen."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.live.report_data import gather
from assay.report.pilot_verdict import pilot_outcome
from assay.simulate import Character, simulate
from assay.store import Backend
from assay.store.tables import assignment, item, submission
from assay.study.templates import template_names
from tests.conftest import T0, Bench, make_bench
from tests.pages import SCORES, Forms, enter
from tests.web.annotator import SCRIPT, Annotator, rows, submissions


@pytest.fixture
def whole(sqlite_store: Backend, tmp_path: Path) -> Bench:
    """The empathy study as it is shipped, with everything that comes before and between its items."""
    return make_bench(sqlite_store, tmp_path / "study", whole=True)


def test_training_cannot_be_skipped_by_loading_the_work(whole: Bench) -> None:
    """In the original, opening a folder of items switched the training off."""
    ana = Annotator(whole)
    ana.enter()
    for _ in range(3):
        form = Forms(ana.page()).to("/gate")
        assert form is not None
        gate = next(entry.gate for entry in whole.study.gates if entry.gate.version == form[1]["version"])
        csrf = form[1]["csrf"]
        for address in ("", "/earlier", "/guide"):
            assert "/submit/" not in ana.client.get(f"{ana.home}{address}").text, gate.kind
        answer = ana.client.post(f"{ana.home}/ahead", data={"csrf": csrf, "after": "0"}, headers=SCRIPT)
        assert answer.json()["items"] == [], gate.kind
        ana.client.post(form[0], data={**form[1], **gate.simulate()})
    assert [row for row in rows(whole.store, assignment) if row["attempt"] == 0] == []


def test_a_pilot_without_scores_is_not_a_go(whole: Bench) -> None:
    """In the original, agreement on nothing was not a number, and what was not a number passed."""
    found = pilot_outcome(gather(whole.store, whole.study_id, whole.study, T0))
    assert found.verdict == "no data"
    assert not found.passed


def test_sides_and_the_clock_stay_when_the_page_is_loaded_again(sqlite_store: Backend, tmp_path: Path) -> None:
    """In the original, a reload drew the sides anew and began to count again."""
    bench = make_bench(sqlite_store, tmp_path / "study", "dialog-pairs")
    ana = Annotator(bench).begin()
    [before] = rows(sqlite_store, assignment)
    first = ana.page()
    for _ in range(5):
        bench.clock.now += 60_000
        assert shown(ana.page()) == shown(first)
    other = Annotator(bench, client=bench.client())
    enter(other.client, bench.link("ana"))
    assert shown(other.page()) == shown(first), "nor on another device"
    assert rows(sqlite_store, assignment) == [before]


def shown(page: str) -> str:
    """The content of an item's page, without what belongs to the session."""
    return re.sub(r'(value|data-csrf)="[^"]*"', "", page.split("<main", 1)[1])


def test_two_browsers_do_not_share_an_index(sqlite_bench: Bench) -> None:
    """In the original, one counter served all: two people took items from each other and skipped some."""
    ana, ben = Annotator(sqlite_bench, "ana").begin(), Annotator(sqlite_bench, "ben").begin()
    for _ in range(48):
        ana.submit()
        ben.submit()
    for name in ("ana", "ben"):
        assert len({each["item"] for each in submissions(sqlite_bench.store, name)}) == 48, name


def test_one_persons_two_windows_are_at_the_same_item_and_count_once(sqlite_bench: Bench) -> None:
    ana = Annotator(sqlite_bench).begin()
    second = Annotator(sqlite_bench, client=sqlite_bench.client())
    enter(second.client, sqlite_bench.link("ana"))
    address, form = ana.form()
    assert second.form()[0] == address
    for who in (ana, second):
        who.client.post(address, data={**form, **SCORES, "csrf": who.form()[1]["csrf"]})
    assert len(submissions(sqlite_bench.store, "ana")) == 1


def test_an_item_that_is_left_out_does_not_vanish(sqlite_bench: Bench) -> None:
    """In the original, Skip moved on before it failed, and nobody ever saw the item again."""
    ana, ben, cem = (Annotator(sqlite_bench, name).begin() for name in ("ana", "ben", "cem"))
    address, form = ana.form()
    ana.client.post(address, data={**form, "decline": "yes"})
    [declined] = [row for row in rows(sqlite_bench.store, assignment) if row["state"] == "declined"]
    assert ana.form()[0] != address
    for who in (ana, ben, cem):
        while "/submit/" in who.page():
            who.submit()
    judged = Counter(row["item_id"] for row in rows(sqlite_bench.store, submission))
    assert judged[declined["item_id"]] == 2, "two others judge it"
    assert set(judged.values()) == {2}


def test_nobody_is_paired_with_themselves(whole: Bench) -> None:
    """In the original, results were keyed by the prompt: one rater on two models passed for two raters."""
    simulate(whole.store, whole.study.study, [Character("ana"), Character("ben")], seed=1, start=T0)
    data = gather(whole.store, whole.study_id, whole.study, T0)
    prompts = Counter(each.group for each in {each.item: each for each in data.that_count}.values())
    assert max(prompts.values()) > 1, "several replies share a prompt"
    for ratings in data.ratings.values():
        assert len(ratings.items) == 40, "a unit is a reply of one system, not a prompt"
    alone = [each for each in data.judgments if each.annotator == "ana"]
    for found in replace(data, judgments=alone).agreement.values():
        assert all(each.value is None and each.undefined for each in found), "one person agrees with nobody"


def test_a_duplicate_is_recognised_neither_by_its_name_nor_by_its_place(whole: Bench) -> None:
    """In the original, duplicates had the same text in one file, as little as six rows apart."""
    simulate(whole.store, whole.study.study, [Character("ana"), Character("ben")], seed=1, start=T0)
    given = [row for row in rows(whole.store, assignment) if row["attempt"] == 0]
    items = {row["id"]: row["name"] for row in rows(whole.store, item)}
    assert len({row["public_id"] for row in given}) == len({row["submission_id"] for row in given}) == len(given)
    gaps: dict[int, list[int]] = {}
    for again in (row for row in given if row["pass"] == 2):
        [first] = [
            row
            for row in given
            if (row["annotator_id"], row["item_id"], row["pass"]) == (again["annotator_id"], again["item_id"], 1)
        ]
        gaps.setdefault(again["annotator_id"], []).append(again["position"] - first["position"])
        for public in (first["public_id"], again["public_id"]):
            assert items[again["item_id"]] not in public
    assert sorted(map(len, gaps.values())) == [10, 10]
    assert all(gap > 20 for found in gaps.values() for gap in found)
    assert all(len(set(found)) > 5 for found in gaps.values()), "not at one distance either"
    mine = [{row["item_id"] for row in given if row["annotator_id"] == id_ and row["pass"] == 2} for id_ in gaps]
    assert mine[0] != mine[1], "nor are they the same for all"


@pytest.mark.parametrize("name", template_names())
def test_nothing_is_chosen_before_somebody_chooses(name: str, sqlite_store: Backend, tmp_path: Path) -> None:
    """In the originals an untouched form was a legal submission."""
    bench = make_bench(sqlite_store, tmp_path / name, name)
    ana = Annotator(bench).begin()
    form = ana.page().split('id="judge"')[1].split("</form>")[0]
    assert len(re.findall(r'type="(?:radio|checkbox)"', form)) > 5
    assert not re.search(r"<input[^>]* checked", form)
    assert ana.submit({}).status_code == 422
    assert submissions(sqlite_store, "ana") == []


def test_what_counts_is_counted_once(sqlite_bench: Bench) -> None:
    """In the original, every judgment was read from two files and counted twice."""
    ana = Annotator(sqlite_bench).begin()
    address, form = ana.form()
    for _ in range(3):
        ana.client.post(address, data={**form, **SCORES})
    data = gather(sqlite_bench.store, sqlite_bench.study_id, sqlite_bench.study, T0)
    per: Counter[Any] = Counter((each.item, each.annotator, each.dimension) for each in data.that_count)
    assert set(per.values()) == {1}
