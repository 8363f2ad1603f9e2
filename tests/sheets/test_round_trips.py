"""What is filled in on a sheet is in the store, once; what is corrected is a revision."""

from collections import Counter
from collections.abc import Callable

import pytest

from assay.acts.sheets import take_sheets
from assay.errors import Interrupted
from assay.live.report_data import gather
from assay.store.annotator.names import pseudonym_of
from assay.store.coordinator import record
from assay.store.tables import action, assignment, draft, judgment, submission, uncounted
from assay.store.upkeep.kept_counts import compare_counts
from tests.conftest import T0, Bench
from tests.pages import SCORES
from tests.sheets.filling import ANSWERS, Desk, read, save
from tests.web.annotator import Annotator, everything, rows, submissions

MakeDesk = Callable[..., Desk]
TEMPLATES = ("route-planning", "empathy", "in-car", "dialog-pairs")


@pytest.mark.parametrize("form", ["xlsx", "csv"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_a_filled_sheet_comes_back_as_it_was_filled(desk_of: MakeDesk, template: str, form: str) -> None:
    desk = desk_of(template, form)
    [path] = desk.out("ana")
    count = len(read(path))
    assert desk.take(desk.fill("ana")) == (count, 0, 0)
    stored = submissions(desk.bench.store, "ana")
    assert len(stored) == count > 10
    for each in stored:
        assert (each["source"], each["revision"], each["surplus"]) == ("sheet", 1, False)
        said = {
            (row["dimension"]): row["value"]
            for row in rows(desk.bench.store, judgment)
            if row["submission_id"] == each["id"]
        }
        for name, value in ANSWERS[template].items():
            assert name in said
            if isinstance(value, int):
                assert said[name] == str(value)
    assert {row["state"] for row in rows(desk.bench.store, assignment)} == {"submitted"}
    assert {row["submission_id"] for row in rows(desk.bench.store, uncounted)} == {each["id"] for each in stored}


def test_the_side_that_was_chosen_is_kept_as_the_candidate_who_stood_there(desk_of: MakeDesk) -> None:
    desk = desk_of("dialog-pairs")
    desk.out("ana")
    desk.take(desk.fill("ana"))
    swapped = {row["id"]: row["swapped"] for row in rows(desk.bench.store, submission)}
    chosen = {
        row["submission_id"]: row["value"]
        for row in rows(desk.bench.store, judgment)
        if row["dimension"] == "completion"
    }
    assert set(swapped.values()) == {False, True}
    assert all(chosen[each] == ('"b"' if way else '"a"') for each, way in swapped.items())


def test_sheets_go_out_and_come_back_on_both_databases(bench: Bench) -> None:
    desk = Desk(bench, "csv")
    desk.out("ana", "ben")
    files = [desk.fill("ana"), desk.fill("ben")]
    assert desk.take(*files) == (96, 0, 0)
    assert desk.take(*files) == (0, 0, 96)
    assert desk.take(desk.fill("ben", lambda found: found[0].update(overall=2))) == (0, 1, 47)
    assert [str(found) for found in bench.store.read(lambda connection: [*compare_counts(connection)]) if found] == []


def test_the_same_sheet_twice_changes_nothing(desk: Desk) -> None:
    path = desk.fill("ana")
    desk.take(path)
    before = everything(desk.bench.store)
    assert desk.take(path) == (0, 0, len(read(path)))
    assert everything(desk.bench.store) == before


def test_a_corrected_cell_is_a_new_revision_and_who_took_it_in_is_recorded(desk: Desk) -> None:
    path = desk.fill("ana")
    desk.take(path)
    corrected = read(path)
    corrected[4]["emotion"] = 2
    save(path, corrected)
    assert desk.take(path) == (0, 1, len(corrected) - 1)
    [newest] = [each for each in submissions(desk.bench.store, "ana") if each["revision"] == 2]
    assert newest["source"] == "sheet"
    done = desk.bench.store.read(record.entries, desk.bench.study_id)
    ana = desk.bench.store.read(pseudonym_of, desk.bench.study_id, "ana")
    assert [(each.by, each.what, each.annotator) for each in done[:2]] == [("carla", "sheet in", ana)] * 2
    assert done[0].about == f"{path.name.replace('ana', ana)}: 0 new, 1 changed", "the record has no names"


def test_a_forward_only_study_takes_a_correction_too_since_the_coordinator_makes_it(desk: Desk) -> None:
    assert desk.bench.study.navigation == "forward-only"
    path = desk.fill("ana")
    desk.take(path)
    assert desk.take(desk.fill("ana", lambda found: found[0].update(overall=2))) == (0, 1, 47)


def test_part_of_a_sheet_is_taken_in_with_partial_and_the_rest_later(desk: Desk) -> None:
    def half(found: list[dict[str, object]]) -> None:
        found[0]["emotion"] = 9
        for row in found[10:]:
            row |= dict.fromkeys(ANSWERS["empathy"], "")

    path = desk.fill("ana", half)
    before = everything(desk.bench.store)
    checked = desk.check(path)
    assert checked.mistakes.count == 1 + 38
    assert everything(desk.bench.store) == before
    assert desk.take(path, partial=True) == (9, 0, 0)
    assert len(desk.mistakes(path, partial=True)) == 1
    assert desk.take(desk.fill("ana")) == (39, 0, 9)


def test_what_was_judged_on_the_page_need_not_be_filled_in(desk: Desk) -> None:
    ana = Annotator(desk.bench, "ana").begin()
    ana.submit()
    path = desk.fill("ana", lambda found: found[0].update(dict.fromkeys(ANSWERS["empathy"], "")))
    assert desk.take(path) == (47, 0, 0)
    assert [each["source"] for each in submissions(desk.bench.store, "ana")].count("work") == 1


def test_monitors_see_only_the_correction_of_what_was_judged_on_the_page(desk: Desk) -> None:
    Annotator(desk.bench, "ana").begin().submit({**SCORES, "overall": "4"})
    assert desk.take(desk.fill("ana", lambda found: found[0].update(overall=2))) == (47, 1, 0)
    work = gather(desk.bench.store, desk.bench.study_id, desk.bench.study, T0).work
    assert work is not None
    seen = Counter((each.item, each.dimension) for each in work.judgments)
    assert set(seen.values()) == {1}
    [item] = {each.item for each in work.judgments if each.revision == 2}
    assert [each.value for each in work.judgments if (each.item, each.dimension) == (item, "overall")] == [2]


def test_a_page_that_was_left_half_finished_does_not_stand_in_the_way(desk_of: MakeDesk) -> None:
    desk = desk_of("route-planning")
    desk.out("ana")
    ana = Annotator(desk.bench, "ana").begin()
    address, hidden = ana.form()
    sent = ana.send(address.replace("/submit/", "/draft/"), {**hidden, "coherence": "2", "seat": "w1"})
    assert sent.status_code == 200
    desk.take(desk.fill("ana"))
    kept = rows(desk.bench.store, draft)
    assert len(kept) == 26
    assert all('"4"' in row["answers"] for row in kept)
    assert max(row["version"] for row in kept) < 10


def test_sheets_of_several_people_come_in_together_or_not_at_all(desk: Desk) -> None:
    ana, ben = desk.fill("ana"), desk.fill("ben", lambda found: found[3].update(safety=""))
    assert len(desk.mistakes(ana, ben)) == 1
    assert rows(desk.bench.store, submission) == []
    assert desk.take(ana, desk.fill("ben")) == (96, 0, 0)
    assert len([row for row in rows(desk.bench.store, action) if row["what"] == "sheet in"]) == 2


def test_taking_in_that_is_stopped_leaves_nothing_behind(desk: Desk) -> None:
    checked = desk.check(desk.fill("ana"))
    before = everything(desk.bench.store)

    def stop(number: int) -> None:
        if number == 20:
            raise Interrupted("stopped")

    with pytest.raises(Interrupted):
        desk.bench.store.write(take_sheets, desk.by, checked.right, stop)
    assert everything(desk.bench.store) == before
