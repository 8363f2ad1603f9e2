"""Breaks between items and the limits of a session and a day, without scripts; and what a page says it has seen."""

import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.bots import Character
from assay.pace import DAY, GAP, MINUTE
from assay.simulate import Bot, Forms, simulate
from assay.store import Backend, open_store
from assay.store.tables import assignment, break_, submission
from assay.web.annotator.pace import MOST_EVENTS, read_events
from tests.conftest import T0, Clock, make_bench
from tests.pages import SCORES, text_of
from tests.web.annotator import Annotator, rows, submissions, with_items
from tests.web.test_item_list import CARS

CARD = "Time for a break"


def read(page: str) -> str:
    """What a person reads; the words that scripts would say are on the page too."""
    return " ".join(text_of(re.sub(r"<script.*?</script>", "", page, flags=re.S)).split())


def with_pace(*lines: str, **top: str) -> Callable[[Path], None]:
    """An edit of the study file: another pace, and other keys of the top level."""

    def edit(folder: Path) -> None:
        path = folder / "study.yaml"
        text = re.sub(r"^pace:\n(?:  .*\n)*", "", path.read_text("utf-8"), flags=re.M)
        text = re.sub(r"^  pilot:.*\n(?:    .*\n)*", "", text, flags=re.M)
        for key, value in top.items():
            text = re.sub(rf"^{key}: .*\n", "", text, flags=re.M) + f"{key}: {value}\n"
        path.write_text(text + "pace:\n" + "".join(f"  {line}\n" for line in lines), "utf-8")

    return edit


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Annotator]]:
    """Somebody at the first item of the empathy study, with another pace."""
    store = open_store(tmp_path / "assay.db")

    def make(*lines: str, template: str = "empathy", **top: str) -> Annotator:
        bench = make_bench(store, tmp_path / "study", template, with_pace(*lines, **top))
        return Annotator(bench).begin()

    yield make
    store.close()


def judge(who: Annotator, seconds: int = 60, **changes: Any) -> str:
    """Judge the item on the page, in so many seconds; returns the page after it."""
    address, hidden = who.form()
    who.bench.clock.now += seconds * 1000
    answer = who.client.post(address, data={**hidden, **SCORES, "active_ms": str(seconds * 1000), **changes})
    assert answer.status_code == 200
    return str(answer.text)


def end_break(who: Annotator, page: str) -> str:
    form = Forms(page).to("/break")
    assert form is not None, "no break on this page"
    who.bench.clock.now += 1000
    return str(who.client.post(form[0], data=form[1]).text)


def breaks(store: Backend) -> list[tuple[int, int | None]]:
    return [(row["started_at"] - T0, row["ended_at"] and row["ended_at"] - T0) for row in rows(store, break_)]


def counts(page: str) -> list[tuple[int, int]]:
    """What the page says was done since each break."""
    found = re.search(r'data-pace="([^"]+)"', page)
    assert found
    return [(each["items"], each["active_ms"]) for each in json.loads(html.unescape(found[1]))["breaks"]]


# Breaks


def test_the_break_comes_after_exactly_so_many_items_with_what_is_done_and_what_to_ask(
    begin: Callable[..., Annotator],
) -> None:
    ana = begin("breaks: [{after_items: 3, minutes: 5}]", "ask_at_break: [Is the <b>scale</b> used?]")
    for number in (1, 2):
        assert f"Item {number + 1} of 48" in judge(ana)
    page = judge(ana)
    said = read(page)
    assert CARD in said
    assert "3 items of 48 are done. 45 are left." in said
    assert "about 5 minutes" in said
    assert "Is the <b>scale</b> used?" in said
    assert "<b>scale" not in page
    assert "/submit/" not in page, "it is between items, not on one"
    assert breaks(ana.bench.store) == [(3 * MINUTE, None)]
    assert "Item 4 of 48" in end_break(ana, page)
    assert breaks(ana.bench.store) == [(3 * MINUTE, 3 * MINUTE + 1000)]
    assert [CARD in read(judge(ana)) for _ in range(3)] == [False, False, True]


def test_a_reload_and_another_device_go_on_counting(begin: Callable[..., Annotator]) -> None:
    ana = begin("breaks: [{after_items: 3}, {after_minutes: 30}]")
    assert counts(judge(ana)) == [(1, MINUTE), (1, MINUTE)]
    assert counts(ana.page()) == [(1, MINUTE), (1, MINUTE)]
    assert "Break in 2 items" in read(ana.page())
    elsewhere = Annotator(ana.bench, "ana")
    elsewhere.enter()
    assert counts(judge(elsewhere)) == [(2, 2 * MINUTE), (2, 2 * MINUTE)]
    assert "Break after this item" in read(ana.page())
    assert CARD in read(judge(ana))
    for again in (ana, elsewhere):
        assert "Take your time" in read(again.page()), "nor does a reload end it"
        assert "/submit/" not in again.page()


def test_active_minutes_count_and_not_those_on_the_wall(begin: Callable[..., Annotator]) -> None:
    ana = begin("breaks: [{after_minutes: 2}]")
    assert "Break in about 2 min" in read(ana.page())
    page = judge(ana, 600, active_ms="60000")
    assert "Break in about a minute" in read(page)
    assert CARD not in read(judge(ana, 600, active_ms="59000"))
    assert CARD in read(judge(ana, 1))


def test_of_two_breaks_the_longer_one_is_shown_and_each_counts_for_itself(begin: Callable[..., Annotator]) -> None:
    ana = begin("breaks: [{after_items: 2, minutes: 2}, {after_minutes: 4, minutes: 10}]")
    found = []
    for _ in range(8):
        page = judge(ana)
        planned = re.search(r"about (\d+) minutes", read(page))
        found.append(planned[1] if planned else "")
        if planned:
            end_break(ana, page)
    assert found == ["", "2", "", "10", "", "2", "", "10"]


def test_what_is_said_of_the_next_break_counts_the_items_of_the_batch(begin: Callable[..., Annotator]) -> None:
    ana = begin("breaks: [{after_items: 5}, {between_batches: true}]", template="in-car")
    said = []
    for _ in range(6):
        page = ana.page()
        if CARD in read(page) or "is finished" in read(page):
            end_break(ana, page)
            page = ana.page()
        said.append(re.search(r"Break (?:in \d+ items|after this item)", read(page))[0])  # type: ignore[index]
        address, hidden = ana.form()
        goals = dict.fromkeys(re.findall(r'name="(goal\.\w+)"', page), "1")
        ana.bench.clock.now += MINUTE
        ana.send(address, {**hidden, **CARS, **goals})
    batch = ["Break in 4 items", "Break in 3 items", "Break in 2 items", "Break after this item"]
    assert said == [*batch, *batch[:2]]


@pytest.mark.parametrize(("after", "said"), [(47, True), (48, False)])
def test_no_break_is_announced_that_would_come_after_the_last_item(
    begin: Callable[..., Annotator], after: int, said: bool
) -> None:
    page = read(begin(f"breaks: [{{after_items: {after}}}]").page())
    assert "Item 1 of 48" in page
    assert (f"Break in {after} items" in page) is said


def test_between_two_batches_the_card_says_which_one_is_finished(tmp_path: Path) -> None:
    store = open_store(tmp_path / "assay.db")
    bench = make_bench(store, tmp_path / "study", "in-car", with_pace("breaks: [{between_batches: true}]"))
    read_by_bot: list[str] = []
    send = Bot._send

    async def noted(bot: Bot, *form: Any) -> None:
        await send(bot, *form)
        read_by_bot.append(bot.page)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Bot, "_send", noted)
        simulate(store, "in-car", [Character("bot")], seed=1, start=T0)
    headings = [found[1] for page in read_by_bot if (found := re.search("<h1>(Batch .*?)</h1>", page))]
    assert headings == [f"Batch {number} of 4 is finished" for number in (1, 2, 3)]
    assert len(rows(store, break_)) == 3
    assert bench.study.assignment.batches == "in_order"
    store.close()


def test_an_item_that_is_begun_is_not_interrupted(begin: Callable[..., Annotator]) -> None:
    ana = begin("breaks: [{after_items: 2}]")
    judge(ana)
    address, hidden = ana.form()
    ahead = ana.send(f"{ana.home}/ahead", {"csrf": hidden["csrf"], "after": "2"}).json()["items"]
    begun = re.search(r'action="([^"]+/submit/[^"]+)"', ahead[0]["html"])
    assert begun
    ana.send(begun[1].replace("/submit/", "/draft/"), {**hidden, "draft": "0", "emotion": "3"})
    ana.send(address, {**hidden, **SCORES})
    assert "Item 3 of 48" in ana.page()
    assert CARD in read(judge(ana, draft="1"))


def test_a_break_at_an_item_leads_to_a_page_from_which_one_goes_on(begin: Callable[..., Annotator]) -> None:
    ana = begin("events: true")
    csrf = {"csrf": ana.form()[1]["csrf"]}
    ana.send(f"{ana.home}/break", {**csrf, "begins": "yes"})
    page = ana.page()
    assert "Take your time" in read(page)
    assert re.search(r"about (\d+|a) minute", read(page)) is None, "nobody planned it"
    assert "Item 1 of 48" in end_break(ana, page)


def test_whoever_submits_rests_no_longer(begin: Callable[..., Annotator]) -> None:
    ana = begin("events: true")
    address, hidden = ana.form()
    ana.send(f"{ana.home}/break", hidden)
    ana.bench.clock.now += 5000
    ana.send(address, {**hidden, **SCORES})
    assert breaks(ana.bench.store) == [(0, 5000)]
    assert "Item 2 of 48" in ana.page()


def test_after_the_last_item_there_is_neither_a_break_nor_a_limit(begin: Callable[..., Annotator]) -> None:
    ana = begin("breaks: [{after_items: 48}]", "session_minutes: 48")
    for _ in range(47):
        judge(ana)
    assert "All done" in judge(ana)
    assert breaks(ana.bench.store) == []


def test_no_break_is_announced_at_an_item_that_is_opened_again_when_all_are_done(tmp_path: Path) -> None:
    def edit(folder: Path) -> None:
        with_pace("breaks: [{after_items: 4}]", navigation="free")(folder)
        with_items(3)(folder)

    store = open_store(tmp_path / "assay.db")
    ana = Annotator(make_bench(store, tmp_path / "study", edit=edit)).begin()
    for _ in range(2):
        judge(ana)
    first = min(rows(store, assignment), key=lambda row: int(row["position"]))["public_id"]
    at_first = f"{ana.home}/item/{first}"
    assert "Break in 2 items" in read(ana.client.get(at_first).text), "one is left"
    judge(ana)
    page = ana.client.get(at_first).text
    assert "Break" not in re.findall(r'id="pace"[^>]*>([^<]*)', page)[0]
    store.close()


def test_the_card_is_in_the_studys_language(begin: Callable[..., Annotator]) -> None:
    ana = begin("breaks: [{after_items: 1, minutes: 1}]", "session_minutes: 2", language="de")
    assert "Pause nach dieser Aufgabe" in read(ana.page())
    page = judge(ana)
    assert "Zeit für eine Pause" in read(page)
    assert "Eine Aufgabe von 48 ist erledigt. Es bleiben noch 47." in read(page)
    end_break(ana, page)
    assert "Genug für diese Sitzung" in judge(ana)


# Limits


def test_at_the_limit_of_a_session_nobody_gets_anything_new_for_half_an_hour(begin: Callable[..., Annotator]) -> None:
    ana = begin("session_minutes: 2")
    bench = ana.bench
    judge(ana)
    given = len(rows(bench.store, assignment))
    csrf = {"csrf": ana.form()[1]["csrf"], "after": "2"}
    page = judge(ana)
    assert "Enough for this session" in read(page)
    assert "for 2 minutes at a time" in read(page)
    assert "2 items that you submitted are saved." in read(page)
    assert "You can go on in about 30 minutes." in read(page)
    assert f'data-until="{bench.clock.now + GAP}"' in page
    assert ana.send(f"{ana.home}/ahead", csrf).json() == {"items": []}
    assert len(rows(bench.store, assignment)) == given
    bench.clock.now += GAP - 1
    assert "You can go on in about a minute." in read(ana.page())
    bench.clock.now += 1
    assert "Item 3 of 48" in ana.page()


def test_a_limit_that_ends_while_a_page_is_made_is_still_there_or_over(
    begin: Callable[..., Annotator], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = begin("session_minutes: 1")
    assert "Enough for this session" in judge(ana)
    clock, end = ana.bench.clock, ana.bench.clock.now + GAP

    def tick(clock: Clock) -> int:
        clock.now += 1
        return clock.now

    monkeypatch.setattr(Clock, "__call__", tick)
    for before in range(12, -1, -1):
        clock.now = end - before
        said = read(ana.page())
        assert said.startswith(("Enough for this session", "Item 2 of 48")), f"{before} ms before it ends"
    assert said.startswith("Item 2 of 48")


def test_what_was_open_when_the_limit_came_is_taken_and_what_was_begun_is_shown(
    begin: Callable[..., Annotator],
) -> None:
    ana = begin("session_minutes: 1")
    address, hidden = ana.form()
    ready = ana.send(f"{ana.home}/ahead", {"csrf": hidden["csrf"], "after": "1"}).json()["items"]
    kept = [re.search(r'action="([^"]+/submit/[^"]+)"', each["html"])[1] for each in ready]  # type: ignore[index]
    ana.bench.clock.now += MINUTE
    form = {**hidden, **SCORES, "active_ms": str(MINUTE)}
    assert ana.send(address, form).json()["state"] == "enough", "the page's script is told"
    assert "Enough for this session" in ana.page()
    late = {**form, "shown_at": str(ana.bench.clock.now), "active_ms": "1000"}
    ana.bench.clock.now += 1000
    assert ana.send(kept[0], late).status_code == 200, "judged without a connection"
    ana.send(kept[1].replace("/submit/", "/draft/"), {**form, "draft": "0"})
    # The next in line is the one that was begun.
    assert "Item 3 of 48" in ana.page()
    judge(ana, 1)
    assert "Enough for this session" in ana.page()
    assert len(submissions(ana.bench.store, "ana")) == 3


def test_the_limit_of_a_day_is_one_of_24_hours(begin: Callable[..., Annotator]) -> None:
    ana = begin("day_minutes: 2")
    clock = ana.bench.clock
    judge(ana)
    clock.now += 10 * GAP
    page = judge(ana)
    assert "Enough for today" in read(page)
    assert "You can go on in about 19 hours." in read(page)
    clock.now = T0 + MINUTE + DAY - 1
    assert "Enough for today" in ana.page()
    clock.now += 1
    assert "Item 3 of 48" in ana.page()


def test_bots_rest_and_come_back_the_next_day(tmp_path: Path) -> None:
    store = open_store(tmp_path / "assay.db")
    edit = with_pace("breaks: [{after_items: 5, minutes: 1}]", "session_minutes: 10", "day_minutes: 15")
    make_bench(store, tmp_path / "study", edit=edit)
    assert simulate(store, "empathy", [Character("bot")], seed=1, start=T0) == 48
    assert len(rows(store, break_)) >= 4
    times = sorted(row["submitted_at"] for row in rows(store, submission))
    assert times[-1] - times[0] > DAY
    store.close()


# What a page says it has seen


def test_what_the_page_has_seen_is_kept_and_what_is_no_such_list_is_not(begin: Callable[..., Annotator]) -> None:
    ana = begin("events: true")
    assert "events" in ana.form()[1]
    seen = [[0, "visible"], [0, "focus"], [1200, "blur"], [1300, "hidden"]]
    judge(ana, events=json.dumps(seen))
    judge(ana, events='[[5, "visible"], [1, "hidden"]]')
    kept = [row["events"] for row in sorted(rows(ana.bench.store, submission), key=lambda row: row["submitted_at"])]
    assert kept == [json.dumps(seen, separators=(",", ":")), None]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        "[" * 100_000,
        '[["0", "focus"]]',
        '[[0, "focused"]]',
        '[[0.5, "focus"]]',
        '[[true, "focus"]]',
        '[[-1, "focus"]]',
        '[[0, "focus", 1]]',
        '[[0, ["focus"]]]',
        '[[2, "focus"], [1, "blur"]]',
        '[[1e999, "focus"]]',
        '[[NaN, "focus"]]',
    ],
)
def test_anything_else_is_dropped(text: str) -> None:
    assert read_events(text) is None


def test_no_more_than_five_hundred_are_kept() -> None:
    kept = read_events(json.dumps([[number, "focus"] for number in range(MOST_EVENTS + 9)]))
    assert kept is not None
    assert len(json.loads(kept)) == MOST_EVENTS


def test_a_study_that_does_not_want_them_neither_asks_nor_keeps(begin: Callable[..., Annotator]) -> None:
    ana = begin("events: false")
    assert "events" not in ana.form()[1]
    judge(ana, events='[[0,"visible"]]')
    assert [row["events"] for row in rows(ana.bench.store, submission)] == [None]
