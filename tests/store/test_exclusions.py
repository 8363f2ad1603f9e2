"""A rule of the study leaves somebody out: where it says so their places go to others, and come back with them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay import acts
from assay.cli.status import gather_status
from assay.errors import AssayError, StudyMistakes
from assay.store import Backend
from assay.store.coordinator import record, study_status
from assay.store.coordinator.held_places import held_places
from assay.store.coordinator.record import By
from assay.store.tables import computed, item
from assay.store.upkeep.verify import verify
from assay.study import Study, load
from assay.study.templates import copy_template
from tests.conftest import T0, Bench, empathy, make_bench
from tests.pages import text_of
from tests.web.annotator import Annotator, rows
from tests.web.scripts import Script
from tests.web.test_oversight import Coordinator

ALIKE = dict.fromkeys(("emotion", "validation", "helpfulness", "safety", "overall"), "3")
BEFORE = "    straight_lining: {share: 0.7}\n"
AFTER = "    straight_lining: {share: 0.7, at_least: 2}\n"
RULE = "  exclude:\n    - {annotators: straight_lining, reassign: true, reason: declared before}\n"


def with_rule(rule: str = RULE) -> Callable[[Path], None]:
    """An edit of the study file: whoever draws straight lines is left out."""

    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        text = file.read_text("utf-8").replace(BEFORE, AFTER)
        file.write_text(text.replace("analysis:\n", f"analysis:\n{rule}", 1), "utf-8")

    return edit


@pytest.fixture
def bench(store: Backend, tmp_path: Path) -> Bench:
    """A study with the rule, in which ana has drawn two straight lines, and ben has judged an item with care."""
    made = make_bench(store, tmp_path / "study", edit=with_rule())
    ana, ben = Annotator(made, "ana").begin(), Annotator(made, "ben").begin()
    ana.submit(ALIKE)
    ana.submit(ALIKE)
    ben.submit()
    return made


def look(bench: Bench) -> None:
    acts.refresh_flags(bench.store, bench.study_id, bench.study, T0 + 1000)


def done(bench: Bench) -> list[tuple[str, str, str, str]]:
    found = bench.store.read(record.entries, bench.study_id)
    return [(each.by, each.what, each.annotator, each.about) for each in found if each.what != "invite"]


def taken(bench: Bench) -> int:
    return sum(row["taken"] for row in rows(bench.store, item))


def problems(bench: Bench) -> list[str]:
    return [problem for each in verify(bench.store) for problem in each.problems]


def without_rule(bench: Bench) -> Study:
    """The same study with a threshold that ana does not reach."""
    file = bench.folder / "study.yaml"
    file.write_text(file.read_text("utf-8").replace("at_least: 2}", "at_least: 50}"), "utf-8")
    return load(bench.folder)


BY_RULE = (
    "by the study's rule on straight lining: declared before (2 of 2 items have the same value on every dimension)"
)


def test_the_rule_gives_places_to_others_once_and_it_is_recorded(bench: Bench) -> None:
    before = taken(bench)
    look(bench)
    assert done(bench) == [
        ("the study's rule", "reassign", "ana", "2 places given to others"),
        ("the study's rule", "release", "ana", ""),
    ]
    [entry, _] = [each for each in bench.store.read(record.entries, bench.study_id) if each.by == "the study's rule"]
    assert entry.reason == BY_RULE
    assert taken(bench) == before - 3, "two that she has judged, and one that lay before her"
    assert bench.store.read(held_places, bench.study_id, T0 + 1000) == []
    look(bench)
    look(bench)
    assert len(done(bench)) == 2, "what is done is not done again"
    assert problems(bench) == []


def test_page_command_and_api_say_who_is_left_out_by_a_rule(bench: Bench) -> None:
    row = gather_status(bench.store, bench.study_id, bench.study, T0)["annotators"][0]
    assert (row["annotator"], row["state"], row["excluded"]) == ("ana", "released", False)
    assert row["excluded_by_rule"] == BY_RULE
    found = Script(bench, "read").get("/annotators/ana")
    assert (found["excluded_by_rule"], found["state"]) == (BY_RULE, "released")
    page = Coordinator(bench)
    shown = " ".join(text_of(page.get("/annotator?name=ana")).split())
    assert f"Left out of the report {BY_RULE}." in shown
    assert "2 places given to others" in shown
    assert "left out of the report by the study's rule" in text_of(page.get())
    assert "Your part is done" in text_of(Annotator(bench, "ana").enter().text)


@pytest.mark.parametrize("where", ["flags", "api"])
def test_whoever_looks_at_flags_has_it_done(bench: Bench, where: str) -> None:
    if where == "flags":
        Coordinator(bench).get("/flags")
    else:
        Script(bench, "read").get("/flags")
    assert [what for by, what, _, _ in done(bench) if by == "the study's rule"] == ["reassign", "release"]


def test_when_the_rule_no_longer_leaves_them_out_they_have_their_places_back_and_go_on(bench: Bench) -> None:
    look(bench)
    before = taken(bench)
    bench.study = without_rule(bench)
    look(bench)
    assert done(bench)[:2] == [
        ("the study's rule", "resume", "ana", ""),
        ("the study's rule", "take places back", "ana", "2 places taken back, 0 stay with others"),
    ]
    assert taken(bench) == before + 2
    row = bench.store.read(study_status.progress, bench.study_id)[0]
    assert (row.state, row.by_rule) == ("active", "")
    look(bench)
    assert len(done(bench)) == 4
    assert problems(bench) == []


def test_what_a_coordinator_has_decided_stays(bench: Bench) -> None:
    by = By(bench.study_id, "cora", T0, "asleep")
    bench.store.write(acts.pause, by, "ana")
    look(bench)
    assert bench.store.read(study_status.progress, bench.study_id)[0].state == "paused"
    bench.store.write(acts.exclude, by, "ana")
    bench.study = without_rule(bench)
    look(bench)
    assert [what for _, what, _, _ in done(bench)] == ["exclude", "reassign", "pause"], "still left out, by hand"
    bench.store.write(acts.include, by, "ana")
    look(bench)
    assert bench.store.read(study_status.progress, bench.study_id)[0].state == "paused"
    assert problems(bench) == []


@pytest.mark.parametrize("act", [acts.include, acts.resume])
def test_nobody_counts_somebody_again_whom_the_rule_leaves_out(bench: Bench, act: Callable[..., object]) -> None:
    look(bench)
    with pytest.raises(AssayError, match="ana is left out by the study's rule on straight lining"):
        bench.store.write(act, By(bench.study_id, "cora", T0), "ana")


def test_an_import_that_is_taken_back_forgets_nobodys_places(bench: Bench) -> None:
    """What the rules said is not known then, until they are applied again: that is no reason to give places back."""
    look(bench)
    bench.store.write(lambda connection: connection.execute(computed.delete()))
    acts.follow_exclusion_rules(bench.store, bench.study_id, T0 + 2000)
    assert len(done(bench)) == 2


def test_a_rule_that_does_not_say_so_keeps_the_places_and_they_are_named(store: Backend, tmp_path: Path) -> None:
    edit = with_rule(RULE.replace("reassign: true, ", ""))
    bench = make_bench(store, tmp_path / "study", edit=edit)
    ana = Annotator(bench, "ana").begin()
    ana.submit(ALIKE)
    ana.submit(ALIKE)
    look(bench)
    assert done(bench) == []
    [held] = bench.store.read(held_places, bench.study_id, T0 + 1000)
    assert (held.annotator, held.why, held.judged) == ("ana", "excluded", 2)


def test_a_study_without_the_key_has_the_version_that_it_had() -> None:
    study = empathy()
    assert "reassign" not in study.document()


def test_whoever_is_at_work_is_never_unfinished_enough_to_lose_places(tmp_path: Path) -> None:
    copy_template("empathy", tmp_path / "study")
    with_rule("  exclude:\n    - {annotators: unfinished, reassign: true}\n")(tmp_path / "study")
    with pytest.raises(StudyMistakes, match="whoever is at work is unfinished"):
        load(tmp_path / "study")
