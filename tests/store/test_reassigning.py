"""Somebody is left out of the report: their places go to others where the coordinator says so, and are taken back."""

import pytest

from assay import acts
from assay.errors import AssayError
from assay.store.coordinator import annotators, record, study_status
from assay.store.coordinator.record import By
from assay.store.tables import item, submission
from assay.store.upkeep.verify import verify
from tests import pages
from tests.conftest import T0, Bench
from tests.web.annotator import Annotator, change, rows


def by(bench: Bench, reason: str = "guesses") -> By:
    return By(bench.study_id, "cara", T0 + 5000, reason)


def finished(bench: Bench) -> int:
    return bench.store.read(study_status.item_counts, bench.study_id).finished


@pytest.fixture
def ana(bench: Bench) -> Annotator:
    """Somebody who has judged two items of a study in which one annotator judges each."""
    change(bench.store, item, wanted=1)
    ana = Annotator(bench).begin()
    ana.submit()
    ana.submit()
    return ana


def test_what_the_excluded_have_judged_is_not_finished(bench: Bench, ana: Annotator) -> None:
    assert finished(bench) == 2
    bench.store.write(acts.exclude, by(bench), "ana")
    assert finished(bench) == 0
    bench.store.write(acts.include, by(bench), "ana")
    assert finished(bench) == 2


def test_places_of_the_excluded_go_to_others_and_the_record_says_so(bench: Bench, ana: Annotator) -> None:
    assert bench.store.write(acts.exclude, by(bench), "ana", reassign=True) == 2
    entry = bench.store.read(record.entries, bench.study_id)[0]
    assert (entry.what, entry.annotator, entry.about, entry.reason) == (
        "exclude",
        "ana",
        "2 places given to others",
        "guesses",
    )
    assert {row["taken"] for row in rows(bench.store, item)} == {0}
    bo = Annotator(bench, "bo").begin()
    done = {row["item_id"] for row in rows(bench.store, submission)}
    for _ in range(len(rows(bench.store, item))):
        if 'name="public_id"' not in bo.page() and "/submit/" not in bo.page():
            break
        bo.submit()
    again = [row["item_id"] for row in rows(bench.store, submission) if row["item_id"] in done]
    assert sorted(again) == sorted([*done, *done]), "bo has judged what ana had"
    assert [each for part in verify(bench.store) for each in part.problems] == []


def test_what_still_comes_in_from_the_excluded_takes_no_place(bench: Bench, ana: Annotator) -> None:
    address, hidden = ana.form()
    bench.store.write(acts.exclude, by(bench), "ana", reassign=True)
    sent = ana.send(address, {**hidden, **pages.SCORES})
    assert sent.status_code == 200
    assert [row["surplus"] for row in rows(bench.store, submission)].count(True) == 1
    assert {row["taken"] for row in rows(bench.store, item)} == {0}
    assert [each for part in verify(bench.store) for each in part.problems] == []


def test_whoever_counts_again_has_the_places_that_nobody_has_taken(bench: Bench, ana: Annotator) -> None:
    bench.store.write(acts.exclude, by(bench), "ana", reassign=True)
    first = min(row["item_id"] for row in rows(bench.store, submission))
    bench.store.write(lambda connection: connection.execute(item.update().where(item.c.id == first).values(taken=1)))
    assert bench.store.write(acts.include, by(bench), "ana") == 1, "one of two stays with another"
    entry = bench.store.read(record.entries, bench.study_id)[0]
    assert entry.about == "1 places taken back, 1 stay with others"


def test_the_record_tells_of_places_only_where_there_were_any_to_take_back(bench: Bench, ana: Annotator) -> None:
    about = []
    for reassign in (False, True):
        bench.store.write(acts.exclude, by(bench), "ana", reassign=reassign)
        bench.store.write(acts.include, by(bench), "ana")
        about.append(bench.store.read(record.entries, bench.study_id)[0].about)
    assert about == ["", "2 places taken back, 0 stay with others"]


def test_a_reason_is_needed_and_without_one_nothing_is_done(bench: Bench, ana: Annotator) -> None:
    with pytest.raises(AssayError, match="reason"):
        bench.store.write(acts.exclude, by(bench, ""), "ana", reassign=True)
    assert finished(bench) == 2


def test_giving_places_away_later_does_not_change_why_somebody_is_left_out(bench: Bench, ana: Annotator) -> None:
    bench.store.write(acts.exclude, by(bench, "asleep"), "ana")
    bench.store.write(acts.exclude, by(bench, "places freed"), "ana", reassign=True)
    assert bench.store.read(annotators.exclusions_by_hand, bench.study_id) == {"ana": "asleep"}
    entry = bench.store.read(record.entries, bench.study_id)[0]
    assert (entry.what, entry.reason) == ("reassign", "places freed")
