"""A real Chromium and a real server: one of each for a worker, a fresh profile and a fresh annotator for each test.

Chromium sees only the fonts that tests name (`fonts.py`).
"""

import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    Route,
    expect,
    sync_playwright,
)
from tools.browser import QUIET, system_browser

from assay.server import listen
from assay.store import Backend, open_store
from assay.store.annotator import assignments, sessions
from assay.store.tables import annotator as annotators
from assay.study import Study
from assay.study.templates import template_names
from assay.web import create_app
from assay.web.app import wall_clock
from tests.browser import fonts
from tests.conftest import Bench, make_bench
from tests.inviting import invite, invite_coordinator
from tests.web.annotator import edited, rows, submissions

DESKTOP, PHONE = (1440, 900), (390, 844)

expect.set_options(timeout=20_000)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """What a machine's own fonts would decide is not tested; but where everything must be tested, that is a fault."""
    if item.get_closest_marker("layout") and (why := fonts.missing()):
        (pytest.fail if os.environ.get("CI") else pytest.skip)(why)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browsers(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Browser]]:
    """A browser for each family of fonts, started when it is asked for first."""
    opened: dict[str, Browser] = {}

    def under(family: str) -> Browser:
        if family not in opened:
            seen = {} if fonts.missing() else fonts.environment(family, tmp_path_factory.mktemp("fonts") / family)
            opened[family] = playwright.chromium.launch(
                executable_path=system_browser(), args=QUIET, env={**os.environ, **seen}
            )
        return opened[family]

    yield under
    for each in opened.values():
        each.close()


@pytest.fixture(scope="session")
def browser(browsers: Callable[[str], Browser]) -> Browser:
    return browsers("wide")


@dataclass
class Live:
    """The application with the empathy study behind a real address."""

    address: str
    bench: Bench
    names: Iterator[str] = field(default_factory=lambda: (f"person{number}" for number in itertools.count(1)))

    @property
    def store(self) -> Backend:
        return self.bench.store

    @property
    def study(self) -> Study:
        return self.bench.study

    def add(self, folder: Path, edit: Callable[[Path], None], template: str = "empathy") -> "Live":
        """Another study on the same server, whose people have names that nobody of the others has."""
        return Live(self.address, make_bench(self.store, folder, template, edit), self.names)

    def link(self, name: str) -> str:
        [(_, token)] = self.store.write(invite, self.bench.study_id, [name], wall_clock())
        return f"{self.address}/join/{token}"

    def coordinator_link(self) -> str:
        return f"{self.address}/join/{self.store.write(invite_coordinator, self.bench.study_id, wall_clock())}"


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server in a thread. An item may be judged by very many, so that every test finds items."""
    folder = tmp_path_factory.mktemp("live")
    store = open_store(folder / "assay.db")
    bench = make_bench(store, folder / "study", edit=edited(per_item="1000"))
    socket = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(create_app(store), log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Live(f"http://127.0.0.1:{socket.getsockname()[1]}", bench)
    server.should_exit = True
    thread.join()
    store.close()


class Person:
    """An annotator at a real browser, past the gates, with the first item open."""

    def __init__(self, live: Live, context: BrowserContext, name: str = "", *, scripts: bool = True) -> None:
        self.live = live
        self.scripts = scripts
        self.name = name or next(live.names)
        self.context = context
        self.page = context.new_page()
        self.sent: list[Request] = []
        self.trouble: list[str] = []
        self.page.on("request", lambda request: self.sent.append(request))
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))

    def _listen(self, said: ConsoleMessage) -> None:
        if said.type != "log" and "blocked by Playwright" not in said.text:
            self.trouble.append(said.text)

    def begin(self) -> "Person":
        """Sign in and pass the gates without the pages: tests of the way in click through them instead."""
        token = self.live.link(self.name).rsplit("/", 1)[1]
        cookie = self.live.store.write(sessions.enter, token, wall_clock())
        self.context.add_cookies(
            [{"name": f"assay-annotator-{self.live.study.study}", "value": cookie, "url": self.live.address}]
        )
        [mine] = [row["id"] for row in rows(self.live.store, annotators) if row["name"] == self.name]
        for entry in self.live.study.gates:
            gate = entry.gate
            self.live.store.write(assignments.pass_gate, mine, gate.kind, gate.version, wall_clock())
        self.open()
        return self

    def open(self) -> None:
        self.page.goto(f"{self.live.address}/judge/{self.live.study.study}")
        self.ready()

    def intercept(self, address: str, handler: Callable[[Route], None]) -> None:
        """Answer requests in the server's place. The page is opened anew: one that is open may slip past it."""
        self.page.route(address, handler)
        self.open()

    def ready(self) -> None:
        self.page.wait_for_selector("#judge.enhanced" if self.scripts else "#judge")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def at_item(self, number: int) -> None:
        """Wait until this item is open, and ready for keys."""
        expect(self.page.locator("#heading")).to_contain_text(f"Item {number} of")
        self.ready()

    def answers(self) -> dict[str, Any]:
        """What the form would send now."""
        found: dict[str, Any] = self.page.evaluate(
            """() => {
                const found = {};
                const own = ["csrf", "study", "made", "draft", "revision", "shown_at", "active_ms"];
                for (const [name, value] of new FormData(document.getElementById("judge")))
                  if (value && !own.includes(name)) found[name] = value;
                return found;
            }"""
        )
        return found

    def chosen(self) -> int:
        return self.page.locator("#judge input:checked").count()

    def posts(self, action: str) -> list[Request]:
        """The requests of a kind that the page has sent."""
        return [each for each in self.sent if each.method == "POST" and f"/{action}/" in each.url]

    def arrived(self) -> list[dict[str, Any]]:
        """What the server has stored of this annotator once nothing is on its way any more."""
        # Nor on the device: a page that finds it there counts it as not yet arrived.
        empty = "window.assay?.outbox.parcels.length === 0 && !window.assay.outbox.busy"
        until(self.page, lambda: self.page.evaluate(empty))
        return self.stored()

    def stored(self) -> list[dict[str, Any]]:
        """What the server has stored of this annotator."""
        return [each["answers"] for each in submissions(self.live.store, self.name)]


def choose(page: Page, name: str) -> None:
    """Choose something in the menu, which lies behind a button where there is little room."""
    button = page.get_by_role("button", name="Menu")
    if button.is_visible():
        button.click()
    page.locator(".bar .menu").get_by_text(name).click()


def open_sheet(page: Page) -> None:
    """Open the sheet of a phone, or find it open: a tap on its handle would close what a short item, or a page that
    is at its end when it comes again, has opened already.
    """
    page.locator("fieldset.active").focus()
    expect(page.locator(".sheet")).to_have_class("sheet open")


def until(page: Page, holds: Callable[[], object]) -> None:
    """Wait for something that is not on the page."""
    for _ in range(1000):
        if holds():
            return
        page.wait_for_timeout(20)
    raise AssertionError("it did not come to be")


def until_none(page: Page, wrong: Callable[[], list[Any]]) -> None:
    """Wait until nothing is wrong any more; say what still is."""
    found = wrong()
    for _ in range(1000):
        if not found:
            return
        page.wait_for_timeout(20)
        found = wrong()
    assert found == []


NewContext = Callable[..., BrowserContext]


@pytest.fixture
def new_context(browsers: Callable[[str], Browser]) -> Iterator[NewContext]:
    """Makes fresh profiles, of any size, theme and family of fonts."""
    made: list[BrowserContext] = []

    def make(size: tuple[int, int] = DESKTOP, family: str = "wide", **settings: Any) -> BrowserContext:
        # What a worker answers, a test cannot intercept: it is there where a test asks for it.
        settings.setdefault("service_workers", "block")
        made.append(browsers(family).new_context(viewport={"width": size[0], "height": size[1]}, **settings))
        made[-1].set_default_timeout(20_000)
        return made[-1]

    yield make
    for context in made:
        context.close()


@pytest.fixture
def person(live: Live, new_context: NewContext) -> Iterator[Person]:
    """A fresh annotator at the first item; whatever the browser complains about fails the test."""
    someone = Person(live, new_context()).begin()
    yield someone
    assert someone.trouble == []


@pytest.fixture
def page(person: Person) -> Page:
    return person.page


OPEN = "fieldset.question:not([data-optional], [hidden], :has(input:checked))"
COUNT_KEYS = "addEventListener('keydown', () => sessionStorage.keys = Number(sessionStorage.keys ?? 0) + 1, true)"


@pytest.fixture(scope="session")
def lives(live: Live, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Live]:
    """Every template on the same server."""
    found = {}
    for name in template_names():

        def edit(folder: Path, name: str = name) -> None:
            file = folder / "study.yaml"
            text = file.read_text("utf-8").replace(f"study: {name}\n", f"study: five-{name}\n")
            for k in ("2", "3"):
                text = text.replace(f"per_item: {k}", "per_item: 1000")
            file.write_text(text, "utf-8")

        folder = tmp_path_factory.mktemp(name) / "study"
        found[name] = Live(live.address, make_bench(live.store, folder, name, edit), live.names)
    return found


@pytest.fixture
def at(lives: dict[str, Live], new_context: NewContext) -> Iterator[Callable[..., Person]]:
    """Somebody at the first item of a template; whatever the browser complains about fails the test."""
    people: list[Person] = []

    def begin(name: str, size: tuple[int, int] = DESKTOP, who: str = "", **settings: Any) -> Person:
        context = new_context(size, **settings)
        context.add_init_script(COUNT_KEYS)
        people.append(Person(lives[name], context, who).begin())
        return people[-1]

    yield begin
    for person in people:
        assert person.trouble == []


def digits(person: Person) -> list[str]:
    """A digit for each question that must be answered, in their order, that asks for nothing more."""
    kinds = person.page.evaluate(
        "[...document.querySelectorAll('fieldset.question:not([data-optional])')].map(each => each.classList[1])"
    )
    return [{"tags": "0", "yes_no": "1"}.get(kind, "2") for kind in kinds]


def answer_rest(person: Person) -> None:
    """Answer what is open of the item at hand by digits. What comes after some answers is waited for."""
    page = person.page
    for _ in range(page.locator(OPEN).count()):
        expect(page.locator("fieldset.active[data-held]")).to_have_count(0)
        kind = page.locator("fieldset.active").get_attribute("class") or ""
        person.press({"tags": "0", "yes_no": "1"}.get(kind.split()[1], "2"))


def judged(person: Person) -> int:
    """Answer every question of the first item by its digit, submit, and count the keys."""
    answer_rest(person)
    person.press("Enter")
    person.at_item(2)
    return int(person.page.evaluate("sessionStorage.keys"))
