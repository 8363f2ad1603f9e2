"""What a run may spend, and how fast."""

import asyncio
from typing import Any

import pytest

from assay.judges import Prompt, PromptPicture
from assay.judges.over_http import seconds_to_wait
from assay.judging.judges_file import JudgeBudget, JudgeLimits
from assay.judging.spending import BudgetSpent, Cost, Purse, RequestPace, estimated_tokens


async def never(seconds: float) -> bool:
    raise AssertionError("nobody has to wait")


def pace_after(limits: JudgeLimits, *lately: tuple[float, float]) -> RequestPace:
    pace = RequestPace(limits, never)
    pace.lately.extend(list(each) for each in lately)
    return pace


def test_requests_a_minute_are_counted_over_the_last_minute() -> None:
    pace = pace_after(JudgeLimits(requests=2), (100, 0), (130, 0))
    assert pace._pause(1, 140) == 20
    assert pace._pause(1, 161) == 0


def test_tokens_a_minute_are_counted_with_those_of_the_next_request() -> None:
    pace = pace_after(JudgeLimits(tokens=1000), (100, 600))
    assert pace._pause(400, 110) == 0
    assert pace._pause(401, 110) == 50


def test_a_request_above_the_limit_is_sent_when_nothing_else_was() -> None:
    assert pace_after(JudgeLimits(tokens=10))._pause(500, 0) == 0


def test_a_judge_that_asks_for_a_pause_gets_it() -> None:
    pace = RequestPace(JudgeLimits(), never)
    pace.not_before = 50
    assert pace._pause(1, 20) == 30


def test_a_pause_ends_when_nothing_more_is_to_be_asked() -> None:
    async def stopped(seconds: float) -> bool:
        return True

    async def run() -> None:
        pace = RequestPace(JudgeLimits(requests=1), stopped)
        await pace.wait(1)
        await pace.wait(1)

    asyncio.run(run())


def test_what_requests_under_way_may_cost_is_put_aside() -> None:
    """A third request waits for one of two under way, and is sent when that has cost less than was put aside."""

    async def run() -> None:
        purse = Purse(JudgeBudget(money=10), largest={"robot": Cost(3, 0)})
        held = await purse.hold("robot", Cost(4, 0))
        await purse.hold("robot", Cost(4, 0))
        third = asyncio.ensure_future(purse.hold("robot", Cost(4, 0)))
        await asyncio.sleep(0)
        assert not third.done()
        await purse.pay("robot", held, Cost(1, 0))
        await third
        await purse.pay("robot", held, Cost(4, 0))
        await purse.pay("robot", held, Cost(4, 0))
        assert purse.spent.money == 9
        with pytest.raises(BudgetSpent):
            await purse.hold("robot", Cost(2, 0))

    asyncio.run(run())


def test_the_first_answer_of_a_judge_is_waited_for_alone() -> None:
    """Nobody else asks meanwhile, and what it took is put aside for the next. One that failed has taught nothing."""

    async def run() -> None:
        purse = Purse(JudgeBudget(tokens=1000), largest={"other": Cost(0, 10)})
        held = await purse.hold("robot", Cost(0, 10))
        waiting = [asyncio.ensure_future(purse.hold(name, Cost(0, 10))) for name in ("robot", "other")]
        await asyncio.sleep(0)
        assert not any(each.done() for each in waiting)
        await purse.pay("robot", held, Cost())
        for _ in range(5):
            await asyncio.sleep(0)
        assert [each.done() for each in waiting] == [True, False], "again one alone"
        await purse.pay("robot", await waiting[0], Cost(0, 400))
        assert await waiting[1] == Cost(0, 10)
        assert await purse.hold("robot", Cost(0, 10)) == Cost(0, 400)

    asyncio.run(run())


def test_tokens_are_limited_too() -> None:
    with pytest.raises(BudgetSpent):
        asyncio.run(Purse(JudgeBudget(tokens=100)).hold("robot", Cost(0, 101)))


def test_an_estimate_counts_letters_beyond_latin_one_by_one() -> None:
    schema: dict[str, Any] = {"properties": {}}
    latin, chinese = (estimated_tokens(Prompt("", (text,), schema)).sent for text in ("a" * 400, "好" * 400))
    assert chinese - latin == 300


def test_an_estimate_grows_with_texts_pictures_and_answers() -> None:
    schema = {"properties": {"warmth": {"enum": [1, 2]}}}
    small = estimated_tokens(Prompt("", ("word " * 100,), schema))
    assert 100 < small.sent < 200
    seen = estimated_tokens(Prompt("", ("word " * 100, PromptPicture("0", "image/png", bytes)), schema))
    assert seen.sent > small.sent + 500


@pytest.mark.parametrize(("said", "seconds"), [("3", 3), ("0", 0), ("-1", 0), ("", None), ("later", None)])
def test_retry_after_is_read(said: str, seconds: float | None) -> None:
    assert seconds_to_wait({"retry-after": said}) == seconds


def test_retry_after_may_be_a_date() -> None:
    assert seconds_to_wait({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
