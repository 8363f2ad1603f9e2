"""Items kept ready for the page: up to twenty, within the share of each, and without what comes later."""

import json
from pathlib import Path
from typing import Any

from assay.store.tables import assignment, item
from assay.web.annotator.submissions import MOST_AHEAD
from tests.conftest import Bench, make_bench
from tests.pages import item_form
from tests.web.annotator import Annotator, change, edited, rows, with_items


def ahead(who: Annotator, after: int = 1) -> list[dict[str, Any]]:
    _, form = who.form()
    answer = who.send(f"{who.home}/ahead", {"csrf": form["csrf"], "after": str(after)})
    assert answer.status_code == 200
    found: list[dict[str, Any]] = answer.json()["items"]
    return found


def all_ahead(who: Annotator) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while more := ahead(who, found[-1]["position"] if found else 1):
        found += more
    return found


def test_twenty_items_are_kept_ready_and_come_in_the_order_in_which_they_are_judged(bench: Bench) -> None:
    ana = Annotator(bench).begin()
    found = all_ahead(ana)
    assert [each["position"] for each in found] == list(range(2, MOST_AHEAD + 2))
    for each in found[:3]:
        address, form = item_form(each["html"])
        assert address.endswith(each["item"])
        ana.submit()
        assert ana.form()[0] == address
        assert form["draft"] == "0"


def test_nobody_is_given_more_ahead_than_their_share(bench: Bench) -> None:
    """So that one who only looks in does not take the items away from the others."""
    for name in "abcdefgh":
        bench.link(name)
    ana = Annotator(bench, "a").begin()
    share = -(-len(rows(bench.store, item)) * bench.study.assignment.per_item // 8)
    assert len(all_ahead(ana)) == share - 1
    for _ in range(share):
        ana.submit()
    assert "/submit/" in ana.page(), "whoever goes on past it gets one after the other"
    assert ahead(ana, after=share + 1) == []


def test_items_ahead_count_for_the_limit_of_each_item(sqlite_bench: Bench, tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        with_items(6)(folder)
        edited(per_item="2", study="few")(folder)

    few = make_bench(sqlite_bench.store, tmp_path / "few", edit=edit)
    everybody = [Annotator(few, name).begin() for name in ("ana", "ben", "cem", "dia")]
    for person in everybody:
        all_ahead(person)
    taken = [row["taken"] for row in rows(few.store, item) if row["study_id"] == few.study_id]
    assert max(taken) <= 2
    given = [row for row in rows(few.store, assignment) if row["study_id"] == few.study_id]
    assert len(given) == len({(row["annotator_id"], row["item_id"]) for row in given}) == sum(taken)


def test_an_item_with_something_that_comes_later_is_kept_ready_without_it(sqlite_bench: Bench, tmp_path: Path) -> None:
    bench = make_bench(sqlite_bench.store, tmp_path / "later", "trajectories")
    [later] = bench.study.items.later_fields
    for row in rows(bench.store, item):
        if row["study_id"] == bench.study_id:
            shown = json.dumps({**json.loads(row["shown"]), later: "the-canary"})
            change(bench.store, item, item.c.id == row["id"], shown=shown)
    [found] = all_ahead(Annotator(bench).begin())
    assert "waiting" in found["html"]
    assert "the-canary" not in found["html"]
