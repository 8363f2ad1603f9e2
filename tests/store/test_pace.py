"""Pace: what is counted since the last rest, when a break is due, and when it is enough."""

from dataclasses import replace

import pytest
from sqlalchemy import Connection, select

from assay.pace import (
    DAY,
    GAP,
    MINUTE,
    Count,
    Done,
    PaceLimit,
    PaceState,
    Rest,
    count_since_breaks,
    due_break,
    limit_reached,
    session,
    work_from_rows,
)
from assay.store.annotator import assignments, breaks, pace_state, submissions
from assay.store.tables import annotator, item, submission
from assay.study import Study
from assay.study.pace import Break, Pace
from tests.conftest import T0, Bench
from tests.giving import claim
from tests.inviting import invite
from tests.web.annotator import change

FIVE = Break(after_items=5, minutes=2)
HALF_HOUR = Break(after_minutes=30, minutes=10)
BATCHES = Break(between_batches=True, minutes=10)


def one_after_the_other(count: int, *, minutes: float = 1, start: int = T0) -> list[Done]:
    """Items without a pause between them, each actively worked on all the time."""
    length = round(minutes * MINUTE)
    return [Done(start + n * length, start + (n + 1) * length, length, 1) for n in range(count)]


def end(work: list[Done]) -> int:
    return work[-1].ended_at


# The rules, without a store


def test_each_break_counts_for_itself() -> None:
    work = one_after_the_other(4)
    assert count_since_breaks((FIVE, HALF_HOUR), work, [], end(work)) == (Count(4, 4 * MINUTE), Count(4, 4 * MINUTE))


def test_a_break_that_is_due_has_been_had_however_early_it_ends() -> None:
    work = one_after_the_other(5)
    rest = Rest(end(work), end(work) + 1)
    assert count_since_breaks((FIVE, HALF_HOUR), work, [rest], end(work) + 1) == (Count(), Count(5, 5 * MINUTE))
    more = [*work, *one_after_the_other(2, start=end(work) + 10)]
    assert count_since_breaks((FIVE,), more, [rest], end(more)) == (Count(2, 2 * MINUTE),)


def test_a_break_that_nobody_is_due_counts_where_it_is_long_enough() -> None:
    work = one_after_the_other(3)
    at = end(work)
    for seconds, items in ((119, 3), (120, 0)):
        rest = Rest(at, at + seconds * 1000)
        assert count_since_breaks((FIVE, HALF_HOUR), work, [rest], at + 121_000) == (
            Count(items, items * MINUTE),
            Count(3, 3 * MINUTE),
        )


def test_a_break_that_goes_on_lasts_until_now() -> None:
    work = one_after_the_other(3)
    rest = Rest(end(work), None)
    assert count_since_breaks((FIVE,), work, [rest], end(work) + 2 * MINUTE - 1)[0].items == 3
    assert count_since_breaks((FIVE,), work, [rest], end(work) + 2 * MINUTE)[0].items == 0


def test_the_item_at_which_a_break_is_taken_counts_as_before_it() -> None:
    work = one_after_the_other(3)
    inside = Rest(work[2].shown_at + 10, work[2].shown_at + 10 + 2 * MINUTE)
    assert count_since_breaks((FIVE,), work, [inside], end(work)) == (Count(),)


def test_two_clocks_that_differ_by_a_moment_make_no_second_break() -> None:
    work = one_after_the_other(30)
    work[-1] = Done(work[-1].shown_at, end(work), MINUTE - 1000, 1)
    rest = Rest(end(work), end(work) + 5)
    assert count_since_breaks((HALF_HOUR,), work, [rest], end(work) + 5) == (Count(),)


@pytest.mark.parametrize(("done", "left"), [(3, 3), (4, 0)])
def test_a_short_break_makes_up_for_one_that_was_nearly_due(done: int, left: int) -> None:
    work = one_after_the_other(done)
    rest = Rest(end(work), end(work) + 5)
    assert count_since_breaks((FIVE,), work, [rest], end(work) + 5)[0].items == left


@pytest.mark.parametrize(("pause", "items"), [(GAP - 1, 5), (GAP, 2)])
def test_half_an_hour_without_work_restarts_everything(pause: int, items: int) -> None:
    work = one_after_the_other(3)
    work += one_after_the_other(2, start=end(work) + pause)
    assert count_since_breaks((FIVE, HALF_HOUR), work, [], end(work))[1].items == items
    assert count_since_breaks((FIVE,), work, [], end(work) + GAP) == (Count(),)


def test_half_an_hour_of_work_on_one_item_is_no_pause() -> None:
    work = [*one_after_the_other(1), *one_after_the_other(1, minutes=45, start=T0 + MINUTE)]
    assert count_since_breaks((FIVE,), work, [], end(work))[0].items == 2


def test_what_came_all_at_once_was_finished_when_the_next_was_shown() -> None:
    arrived = T0 + 10 * MINUTE
    rows = [(T0, arrived, 30_000, 1), (T0 + MINUTE, arrived + 1, 40_000, 1), (T0 + 2 * MINUTE, arrived + 2, 1000, 1)]
    found = work_from_rows(rows)
    assert [each.ended_at for each in found] == [T0 + MINUTE, T0 + 2 * MINUTE, arrived + 2]
    assert [each.active_ms for each in found] == [30_000, 40_000, 1000]


def test_nobody_is_active_for_longer_than_has_gone_by() -> None:
    rows = [(T0, T0 + 1000, 500, 1), (T0 + 1000, T0 + 3000, 999_999, 1)]
    assert [each.active_ms for each in work_from_rows(rows)] == [500, 2000]


def test_a_browser_that_reports_no_time_counts_from_when_the_item_was_shown() -> None:
    rows = [(T0, T0 + MINUTE, None, 1), (T0 + MINUTE, T0 + 60 * MINUTE, None, 1)]
    assert [each.active_ms for each in work_from_rows(rows)] == [MINUTE, 10 * MINUTE]


def test_a_change_of_an_earlier_item_takes_time_but_is_no_further_item() -> None:
    rows = [(T0, T0 + 1000, 500, 1), (T0 + 1000, T0 + 3000, 700, 2)]
    assert count_since_breaks((FIVE,), work_from_rows(rows), [], T0 + 3000) == (Count(1, 1200),)


def test_a_session_ends_with_half_an_hour_without_work() -> None:
    early = one_after_the_other(3)
    late = one_after_the_other(2, start=end(early) + GAP)
    assert list(session([*early, *late], end(late) + GAP - 1)) == late
    assert session(late, end(late) + GAP) == ()
    assert session([], T0) == ()


def test_the_limit_of_a_session_is_reached_exactly_and_is_over_after_half_an_hour() -> None:
    two_hours = Pace(session_minutes=120)
    work = one_after_the_other(120)
    assert limit_reached(two_hours, work[:-1], end(work)) is None
    assert limit_reached(two_hours, work, end(work)) == PaceLimit("session", end(work) + GAP)
    assert limit_reached(two_hours, work, end(work) + GAP - 1) is not None
    assert limit_reached(two_hours, work, end(work) + GAP) is None
    more = [*work, *one_after_the_other(1, start=end(work) + GAP)]
    assert limit_reached(two_hours, more, end(more)) is None


def test_whoever_still_works_on_a_begun_item_is_still_in_the_session() -> None:
    work = one_after_the_other(3)
    kept = end(work) + 20 * MINUTE
    assert limit_reached(Pace(session_minutes=3), work, kept + 25 * MINUTE, kept) == PaceLimit("session", kept + GAP)
    tomorrow = end(work) + 10 * GAP
    assert limit_reached(Pace(session_minutes=3), work, tomorrow, tomorrow - 1) is None, "that is another session"


def test_the_day_is_the_last_24_hours_and_ends_when_enough_of_it_has_gone() -> None:
    ten = Pace(day_minutes=10)
    morning = one_after_the_other(8)
    evening = one_after_the_other(2, start=T0 + 8 * 60 * MINUTE)
    work = [*morning, *evening]
    assert limit_reached(ten, work[:-1], end(work)) is None
    assert limit_reached(ten, work, end(work)) == PaceLimit("day", morning[0].ended_at + DAY)
    assert limit_reached(ten, work[1:], end(work)) is None


def test_of_two_limits_the_one_that_lasts_longer_is_told() -> None:
    work = one_after_the_other(10)
    both = Pace(session_minutes=10, day_minutes=10)
    assert limit_reached(both, work, end(work)) == PaceLimit("day", work[0].ended_at + DAY)
    assert limit_reached(Pace(session_minutes=10, day_minutes=11), work, end(work)) == PaceLimit(
        "session", end(work) + GAP
    )


# The same from what is stored


@pytest.fixture
def ana(bench: Bench) -> int:
    bench.store.write(invite, bench.study_id, ["ana"], T0)
    wanted = select(annotator.c.id).where(annotator.c.name == "ana")
    return int(bench.store.read(lambda c: c.execute(wanted).scalar_one()))


def study_with(bench: Bench, **settings: object) -> Study:
    return bench.study.model_copy(update={"pace": Pace.model_validate(settings)})


def submit(bench: Bench, who: int, at: int, active_ms: int | None = 1000, revision: int = 1) -> None:
    """Judge the next item at a time."""

    def act(connection: Connection) -> None:
        shown_at = at - (active_ms or 0)
        claim(connection, bench.study_id, bench.study, who, now=shown_at)
        task = assignments.current(connection, who)
        assert task is not None
        form = submissions.Form({}, shown_at=shown_at, active_ms=active_ms, revision=revision)
        submissions.submit(connection, who, task.public_id, bench.study, form, at)

    bench.store.write(act)


def test_what_is_stored_is_counted_for_each_person_and_practice_is_not(bench: Bench, ana: int) -> None:
    study = study_with(bench, breaks=[{"after_items": 5}])
    for number in range(3):
        submit(bench, ana, T0 + number * 10_000)
    stands = bench.store.read(pace_state.read_pace_state, ana, study, T0 + 21_000)
    assert list(stands.arrived.values()) == [1, 1, 1]
    assert replace(stands, arrived={}) == PaceState((Count(3, 3000),), None, False, None, None, 1000)
    assert bench.store.read(pace_state.read_pace_state, ana + 1, study, T0 + 21_000).counts == (Count(),)
    change(bench.store, submission, source="practice")
    assert bench.store.read(pace_state.read_pace_state, ana, study, T0 + 21_000).counts == (Count(),)


def test_a_break_that_goes_on_is_seen_in_every_study_and_after_any_time(bench: Bench, ana: int) -> None:
    study = study_with(bench)
    assert not bench.store.read(pace_state.read_pace_state, ana, study, T0).resting
    bench.store.write(breaks.begin_break, ana, T0)
    assert bench.store.read(pace_state.read_pace_state, ana, study, T0 + 3 * DAY).resting
    bench.store.write(breaks.end_break, ana, T0 + 3 * DAY)
    assert not bench.store.read(pace_state.read_pace_state, ana, study, T0 + 3 * DAY).resting


def test_the_longest_break_that_is_due_is_shown_once(bench: Bench, ana: int) -> None:
    study = study_with(bench, breaks=[{"after_items": 2, "minutes": 2}, {"after_minutes": 1, "minutes": 10}])
    short, long = study.pace.breaks
    now = T0
    for seconds, expected in ((1, None), (1, short), (1, None), (57, long), (1, None)):
        now += seconds * 1000 + 10
        submit(bench, ana, now, seconds * 1000)
        stands = bench.store.read(pace_state.read_pace_state, ana, study, now)
        assert due_break(study, stands, 1) == expected
        if expected:
            bench.store.write(breaks.begin_break, ana, now)
            bench.store.write(breaks.end_break, ana, now)


def test_between_two_batches_a_break_is_due_until_it_is_taken(bench: Bench, ana: int) -> None:
    study = study_with(bench, breaks=[{"between_batches": True}])
    study = study.model_copy(update={"assignment": study.assignment.model_copy(update={"batches": "in_order"})})
    submit(bench, ana, T0 - 2000)

    def is_due(batch: int) -> bool:
        return due_break(study, bench.store.read(pace_state.read_pace_state, ana, study, T0 + 2000), batch) is not None

    assert not is_due(2), "nobody rests after one item"
    submit(bench, ana, T0)
    assert (is_due(1), is_due(2)) == (False, True)
    change(bench.store, item, batch=1)
    assert (is_due(2), is_due(3)) == (False, True)
    bench.store.write(breaks.begin_break, ana, T0 + 1000)
    assert not is_due(3)


def test_a_limit_is_known_at_once_and_drafts_prolong_the_session(bench: Bench, ana: int) -> None:
    study = study_with(bench, session_minutes=1)
    submit(bench, ana, T0 + 1, 1)
    submit(bench, ana, T0 + MINUTE, MINUTE - 2)
    assert bench.store.read(pace_state.limit, ana, study, T0 + MINUTE) is None
    assert bench.store.read(pace_state.read_pace_state, ana, study, T0 + MINUTE).left_ms == 1
    submit(bench, ana, T0 + MINUTE + 1, 1)
    now = T0 + MINUTE + 1
    assert bench.store.read(pace_state.limit, ana, study, now) == PaceLimit("session", now + GAP)
    assert bench.store.read(pace_state.read_pace_state, ana, study, now).left_ms == 0
    assert bench.store.read(pace_state.limit, ana, study_with(bench), now) is None

    def keep(connection: Connection) -> None:
        claim(connection, bench.study_id, bench.study, ana, now=now)
        task = assignments.current(connection, ana)
        assert task is not None
        submissions.save_draft(connection, ana, task.public_id, {"emotion": ["3"]}, submissions.Seat(), now + 1000)

    bench.store.write(keep)
    assert bench.store.read(pace_state.limit, ana, study, now + 2000) == PaceLimit("session", now + 1000 + GAP)


def test_a_longer_past_than_a_day_is_not_looked_at(bench: Bench, ana: int) -> None:
    study = study_with(bench, day_minutes=1)
    submit(bench, ana, T0 + MINUTE, MINUTE)
    limit = bench.store.read(pace_state.limit, ana, study, T0 + MINUTE)
    assert limit == PaceLimit("day", T0 + MINUTE + DAY)
    assert bench.store.read(pace_state.limit, ana, study, limit.until - 1) == limit
    assert bench.store.read(pace_state.limit, ana, study, limit.until) is None
