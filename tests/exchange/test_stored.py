"""What exports read from the store, on both databases."""

from pathlib import Path

from assay.store import Backend
from assay.store.coordinator import export_rows, long_table
from tests.conftest import Bench, make_bench
from tests.pages import SCORES, item_form
from tests.web.annotator import Annotator


def free(folder: Path) -> None:
    text = (folder / "study.yaml").read_text("utf-8")
    (folder / "study.yaml").write_text(text.replace("navigation: forward-only", "navigation: free"), "utf-8")


def judged(store: Backend, folder: Path) -> Bench:
    """Two people judge three items each; one of them changes the first."""
    bench = make_bench(store, folder, edit=free)
    people = [Annotator(bench, name).begin() for name in ("zoe", "ana")]
    first = people[0].form()[0].replace("/submit/", "/item/")
    for _ in range(3):
        for who in people:
            bench.clock.now += 1000
            who.submit()
    where, hidden = item_form(people[0].client.get(first).text)
    assert people[0].send(where, {**hidden, **SCORES, "safety": "2"}).status_code == 200
    return bench


def test_judgments_come_in_the_order_that_is_asked_for_those_of_a_submission_together(
    store: Backend, tmp_path: Path
) -> None:
    bench = judged(store, tmp_path / "study")
    places = {each.item.id: place for place, each in enumerate(store.stream(export_rows.items, bench.study_id))}
    keys = {
        "time": lambda each: each.submitted_at,
        "item": lambda each: (places[each.item], each.annotator, each.pass_, each.revision),
        "annotator": lambda each: (each.annotator, places[each.item], each.pass_, each.revision),
    }
    found = {by: list(store.stream(long_table.judgments, bench.study_id, (), by)) for by in keys}  # type: ignore[arg-type]
    for by, key in keys.items():
        assert [key(each) for each in found[by]] == sorted(key(each) for each in found[by])
        assert sorted(map(repr, found[by])) == sorted(map(repr, found["time"]))
        submissions = [each.submission for each in found[by]]
        blocks = [name for place, name in enumerate(submissions) if place == 0 or submissions[place - 1] != name]
        assert len(blocks) == len(set(blocks)) == 7


def test_only_what_has_a_newer_revision_is_superseded(store: Backend, tmp_path: Path) -> None:
    bench = judged(store, tmp_path / "study")
    every = list(store.stream(long_table.judgments, bench.study_id))
    old = {(each.annotator, each.revision) for each in every if each.superseded}
    assert old == {("zoe", 1)}
    assert len({each.submission for each in every if each.superseded}) == 1
    [item] = {each.item for each in every if each.superseded}
    of_it = store.read(long_table.judgments_of_item, bench.study_id, item, ())
    zoe = {(each.revision, each.superseded) for each in of_it if each.annotator == "zoe"}
    assert zoe == {(1, True), (2, False)}


def test_items_and_annotators_are_listed_by_pseudonym(store: Backend, tmp_path: Path) -> None:
    bench = judged(store, tmp_path / "study")
    ana, zoe = store.stream(export_rows.annotators, bench.study_id)
    assert (ana.annotator, ana.submissions, zoe.submissions, zoe.judge) == ("ana", 3, 4, False)
    assert ana.first_at is not None
    assert ana.last_at is not None
    assert ana.first_at < ana.last_at
    items = list(store.stream(export_rows.items, bench.study_id))
    assert {each.series for each in items} == {"work"}
    assert all(each.item.systems and each.item.group and each.item.shown["response"] is not None for each in items)
    assert sum(len(each.again) for each in items) == sum("is_duplicate_of" in line for line in mapping(bench.folder))
    assert list(store.stream(export_rows.items, bench.study_id + 1)) == []
    assert list(store.stream(export_rows.annotators, bench.study_id + 1)) == []


def mapping(folder: Path) -> list[str]:
    return (folder / "mapping.json").read_text("utf-8").splitlines()
