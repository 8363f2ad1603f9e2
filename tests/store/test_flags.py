"""Flags in the store, what coordinators do about them, and the record of it."""

import pytest

from assay import acts
from assay.errors import AssayError
from assay.model import Flag, Slot
from assay.store.annotator import messages
from assay.store.coordinator import adjudications, annotators, flags, record, study_status
from assay.store.coordinator.record import By
from tests.conftest import T0, Bench
from tests.inviting import invite


def by(bench: Bench, reason: str = "because", at: int = T0) -> By:
    return By(bench.study_id, "coordinator", at, reason)


@pytest.fixture
def ana(bench: Bench) -> Bench:
    bench.store.write(invite, bench.study_id, ["ana", "ben"], T0)
    return bench


def states(bench: Bench) -> dict[tuple[str, str], str]:
    return {(each.annotator, each.monitor): each.state for each in bench.store.read(flags.kept_flags, bench.study_id)}


FAST = Flag("too_fast", "ana", "3 of 4 items", ("emp-001",), {"share": 0.75})


def test_a_flag_is_kept_brought_up_to_date_and_over_when_it_is_no_longer_found(ana: Bench) -> None:
    ana.store.write(flags.keep, ana.study_id, [FAST], T0)
    [kept] = ana.store.read(flags.kept_flags, ana.study_id)
    assert (kept.reason, kept.items, kept.evidence, kept.state) == (FAST.reason, FAST.items, FAST.evidence, "open")
    ana.store.write(flags.keep, ana.study_id, [Flag("too_fast", "ana", "4 of 5 items")], T0 + 1)
    [kept] = ana.store.read(flags.kept_flags, ana.study_id)
    assert (kept.reason, kept.raised_at) == ("4 of 5 items", T0)
    ana.store.write(flags.keep, ana.study_id, [], T0 + 2)
    assert states(ana) == {("ana", "too_fast"): "over"}
    ana.store.write(flags.keep, ana.study_id, [FAST], T0 + 3)
    assert states(ana) == {("ana", "too_fast"): "open"}


def test_a_dismissed_flag_stays_dismissed_and_its_reason_is_kept(ana: Bench) -> None:
    ana.store.write(flags.keep, ana.study_id, [FAST, Flag("halo", "ben", "r 0.9")], T0)
    ana.store.write(acts.dismiss_flag, by(ana, "read the items before"), "ana", "too_fast")
    ana.store.write(flags.keep, ana.study_id, [FAST, Flag("halo", "ben", "r 0.9")], T0 + 1)
    assert states(ana) == {("ana", "too_fast"): "dismissed", ("ben", "halo"): "open"}
    [done] = ana.store.read(record.entries, ana.study_id)
    assert (done.what, done.annotator, done.about, done.reason) == (
        "dismiss",
        "ana",
        "too_fast",
        "read the items before",
    )


def test_nothing_is_dismissed_without_a_reason_or_a_flag(ana: Bench) -> None:
    ana.store.write(flags.keep, ana.study_id, [FAST], T0)
    with pytest.raises(AssayError, match="a reason is needed"):
        ana.store.write(acts.dismiss_flag, by(ana, " "), "ana", "too_fast")
    with pytest.raises(AssayError, match="no open flag"):
        ana.store.write(acts.dismiss_flag, by(ana), "ben", "too_fast")
    with pytest.raises(AssayError, match="nobody in this study is called"):
        ana.store.write(acts.dismiss_flag, by(ana), "eve", "too_fast")
    assert states(ana) == {("ana", "too_fast"): "open"}
    assert ana.store.read(record.entries, ana.study_id) == []


def test_whoever_is_left_out_of_the_report_is_so_with_a_reason_and_can_come_back(ana: Bench) -> None:
    with pytest.raises(AssayError, match="a reason is needed"):
        ana.store.write(acts.exclude, by(ana, ""), "ana")
    ana.store.write(acts.exclude, by(ana, "asleep"), "ana")
    assert ana.store.read(annotators.exclusions_by_hand, ana.study_id) == {"ana": "asleep"}
    ana.store.write(acts.include, by(ana, "was ill"), "ana")
    assert ana.store.read(annotators.exclusions_by_hand, ana.study_id) == {}
    assert [each.what for each in ana.store.read(record.entries, ana.study_id)] == ["include", "exclude"]
    row = next(row for row in ana.store.read(study_status.progress, ana.study_id) if row.annotator == "ana")
    assert not row.excluded


def test_a_message_waits_until_it_is_read_and_is_read_by_nobody_else(ana: Bench) -> None:
    ids = {name: ana.store.read(annotators.annotator_id, ana.study_id, name) for name in ("ana", "ben")}
    ana.store.write(acts.send_message, by(ana), "ana", " slower, please ")
    waiting = ana.store.read(messages.unread, ids["ana"])
    assert waiting.words == "slower, please"
    assert ana.store.read(messages.unread, ids["ben"]).words == ""
    ana.store.write(messages.mark_read, ids["ben"], waiting.id, T0)
    assert ana.store.read(messages.unread, ids["ana"]).words
    ana.store.write(messages.mark_read, ids["ana"], waiting.id, T0)
    assert ana.store.read(messages.unread, ids["ana"]).words == ""


def test_an_agreed_value_needs_a_reason_and_the_newest_counts(ana: Bench) -> None:
    slot = Slot("emotion")
    with pytest.raises(AssayError, match="a reason is needed"):
        ana.store.write(acts.agree, by(ana, ""), "emp-001", slot, 3)
    ana.store.write(acts.agree, by(ana, "first"), "emp-001", slot, 3)
    ana.store.write(acts.agree, by(ana, "second"), "emp-001", slot, 4)
    [agreed] = ana.store.read(adjudications.agreed_values, ana.study_id)
    assert (agreed.item, agreed.dimension, agreed.value, agreed.reason) == ("emp-001", "emotion", 4, "second")
    with pytest.raises(AssayError, match="no item"):
        ana.store.write(acts.agree, by(ana), "emp-999", slot, 3)
