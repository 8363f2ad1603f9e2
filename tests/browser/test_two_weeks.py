"""A coordinator's two weeks in a real browser, with every click, key and field counted.

What it takes is written in docs/design/README.md: whoever makes it more sees it here, and says why there.
"""

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest
import uvicorn
from playwright.sync_api import Locator, Page, expect

from assay.bots import Character, TrueQuality
from assay.server import listen
from assay.simulate import Bot
from assay.simulate import Clock as BotsClock
from assay.store import open_store
from assay.store.coordinator import adjudications, flags, record, study_status
from assay.web import create_app
from tests.browser.conftest import NewContext
from tests.conftest import T0, Bench, make_bench
from tests.inviting import invite_coordinator

pytestmark = pytest.mark.browser

DAY = 24 * 60 * 60 * 1000
TALKED_OVER = 5


class Coordinator:
    """Somebody at the coordinator's pages, whose actions are counted: a click, a key, a field that is filled in."""

    def __init__(self, page: Page, link: str) -> None:
        self.page = page
        self.link = link
        self.actions: dict[str, int] = {}
        self.doing = ""

    def begins(self, doing: str) -> None:
        self.doing = doing

    def comes_in(self) -> None:
        """By the link, as on every day: a session ends overnight."""
        self._acts()
        self.page.goto(self.link)
        self.clicks(self.button("Open"))

    def _acts(self) -> None:
        self.actions[self.doing] = self.actions.get(self.doing, 0) + 1

    def clicks(self, what: Locator) -> None:
        self._acts()
        what.click()

    def fills(self, label: str, text: str) -> None:
        self._acts()
        self.page.get_by_label(label).first.fill(text)

    def presses(self, key: str) -> None:
        self._acts()
        self.page.keyboard.press(key)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    def goes_to(self, name: str) -> None:
        self.clicks(self.page.locator(".bar .menu, .bar nav").get_by_role("link", name=name))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Bench, str]]:
    """A study behind a real address, on whose clock days pass when the test says so."""
    store = open_store(tmp_path / "assay.db")

    def edit(folder: Path) -> None:
        file = folder / "study.yaml"
        file.write_text(file.read_text("utf-8").replace("analysis:\n", "analysis:\n  adjudicate_above: 1\n"), "utf-8")

    bench = make_bench(store, tmp_path / "study", edit=edit)
    socket = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(create_app(store, bench.clock), log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield bench, f"http://127.0.0.1:{socket.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    store.close()


@dataclass
class Crowd:
    """The people who were invited: bots that come by the links that the coordinator copied."""

    bench: Bench
    tokens: dict[str, str] = field(default_factory=dict)

    def work(self, day: int, *people: Character) -> None:
        """These people work on that day, on the real pages."""
        # The browser's driver has a loop in this thread already.
        with ThreadPoolExecutor(1) as apart:
            apart.submit(asyncio.run, self._work(T0 + day * DAY, people)).result()
        self.bench.clock.now = T0 + day * DAY + DAY // 2

    async def _work(self, start: int, people: tuple[Character, ...]) -> None:
        clock, bench = BotsClock(start), self.bench
        app = create_app(bench.store, clock)
        counts = bench.store.read(study_status.item_counts, bench.study_id)
        truth = TrueQuality(1, list(counts.systems))
        for each in people:
            transport = httpx2.ASGITransport(app=app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://bots", follow_redirects=True) as client:
                bot = Bot(each, bench.study, truth, client, bench.store, self.tokens[each.name], clock, start)
                while await bot.step():
                    pass


def test_two_weeks_take_a_coordinator_few_actions(served: tuple[Bench, str], new_context: NewContext) -> None:
    bench, address = served
    store, clock = bench.store, bench.clock
    page = new_context(accept_downloads=True, permissions=["clipboard-read", "clipboard-write"]).new_page()
    me = Coordinator(page, f"{address}/join/{store.write(invite_coordinator, bench.study_id, clock())}")

    # Day 1: four people are invited, each by a text to be sent.
    me.begins("come in and invite four people")
    me.comes_in()
    me.goes_to("Manage")
    me.fills("Or this many annotators", "4")
    me.clicks(me.button("Make links").first)
    for name in ("a1", "a2", "a3", "a4"):
        me.clicks(me.button(f"Copy the text for {name}"))
    expect(page.locator("#copied")).to_contain_text("a4")
    links = page.locator(".invited input[readonly]")
    tokens = [links.nth(place).input_value().rpartition("/")[2] for place in range(4)]
    crowd = Crowd(bench, dict(zip(("a1", "a2", "a3", "a4"), tokens, strict=True)))

    # Days 2 to 4: everybody works; a2 rushes. The coordinator looks, writes to a2, and lets the flag go.
    crowd.work(1, Character("a1", items=12), Character("a2", items=24, speed=9))
    crowd.work(3, Character("a4", items=12, skill=0.4), Character("a3", items=4))
    me.begins("look how it stands")
    me.comes_in()
    tile = page.locator(".tile").filter(has_text="Who needs a word?")
    expect(tile).to_contain_text("flag", timeout=30_000)
    me.clicks(tile)
    me.begins("write to somebody and decide a flag")
    person = page.locator(".flagged").get_by_role("link", name="a2").first
    me.clicks(person)
    me.fills("Message to a2", "Please take the time that a reply needs.")
    me.clicks(me.button("Send to a2"))
    me.page.get_by_label(re.compile("Why too fast is dismissed")).first.wait_for()
    me.fills("Why too fast is dismissed", "read on paper first")
    me.clicks(page.locator("form").filter(has=page.get_by_label("Why too fast is dismissed")).get_by_role("button"))
    expect(page.locator("main")).to_contain_text("dismissed")

    # Day 6: a3 has stopped and holds a place.
    clock.now = T0 + 5 * DAY
    me.begins("give the places of somebody who stopped to others")
    me.comes_in()
    me.goes_to("Manage")
    me.clicks(me.button("Give the places of a3 to others"))
    expect(me.button("Give the places of a3 to others")).to_have_count(0)

    # Days 9 to 12: the rest is judged.
    crowd.work(9, Character("a1"), Character("a2"), Character("a4", skill=0.4))
    clock.now = T0 + 12 * DAY
    me.begins(f"talk over {TALKED_OVER} items")
    me.comes_in()
    me.goes_to("Talk over")
    me.clicks(page.get_by_role("link", name="Talk them over"))
    for number in range(TALKED_OVER):
        expect(page.locator("html:not(.no-js)")).to_be_attached()
        item = page.locator("h1").text_content() or ""
        if number == 0:
            me.fills("Why, for the record", "agreed in the meeting")
            me.presses("Tab")
        for _ in range(page.locator("[data-question]").count()):
            me.presses("3")
        expect(page.locator("h1")).not_to_have_text(item)

    # Day 14: it is closed, and the report is taken.
    clock.now = T0 + 13 * DAY
    me.begins("close, and take the report")
    me.comes_in()
    me.goes_to("Manage")
    me.fills("Reason, for the record", "all is judged")
    me.clicks(me.button("Close").first)
    me.clicks(me.button(re.compile("Close (all the same|the study)")))  # type: ignore[arg-type]
    expect(page.get_by_role("heading", name="The study is closed")).to_be_visible()
    with page.expect_download() as download:
        me.clicks(page.get_by_role("link", name="Report", exact=True))
    report = Path(download.value.path()).read_text("utf-8")

    assert "48 of 48" in report.replace("\u00a0", " ")
    assert "the study is open" not in report
    assert len({each.item for each in store.read(adjudications.agreed_values, bench.study_id)}) == TALKED_OVER
    assert {each.state for each in store.read(flags.kept_flags, bench.study_id) if each.annotator == "a2"} >= {
        "dismissed"
    }
    done = {each.what for each in store.read(record.entries, bench.study_id)}
    assert done >= {"invite", "message", "dismiss", "release", "adjudicate", "close"}, "and each is in the record"
    assert sum(me.actions.values()) <= 42, me.actions
