"""A panel from both ends: a small page of its own sends people with parameters, and receives them back with codes."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from ruamel.yaml import YAML

from assay.acts.arrivals import keep_panel_setup
from assay.panels.setup import OUTCOMES, PanelSetup
from assay.store.coordinator import links
from assay.store.coordinator.record import By
from assay.store.tables import annotator, arrival
from assay.web.app import wall_clock
from tests.browser.conftest import Live, NewContext, until
from tests.web.annotator import change, rows, submissions, with_items

pytestmark = pytest.mark.browser

GATES = """
  - screening: {questions: [{ask: Are you 18 or older?, options: {"yes": "Yes", "no": "No"}, go_on: ["yes"]}]}
  - consent: guide/consent.md
  - quiz: {questions: [{ask: Is a long reply better?, options: {"yes": "Yes", "no": "No"}, answer: "no"}], tries: 1}
"""


class PanelSite:
    """The panel's own pages: one that sends people to the study, and one that they come back to."""

    def __init__(self) -> None:
        self.study = ""
        self.back: list[dict[str, str]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked = urlsplit(self.path)
                said = dict(parse_qsl(asked.query))
                if asked.path == "/done":
                    site.back.append(said)
                who = said.get("who", "")
                there = f"{site.study}?PROLIFIC_PID={who}&SESSION_ID=s-{who}&STUDY_ID=s1"
                body = f'<title>Panel</title><a href="{there}">Take part</a>' if asked.path == "/send" else "Thank you"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def send(self, context: BrowserContext, who: str) -> Page:
        """Somebody opens the panel's page, follows its link, and presses the study's button."""
        page = context.new_page()
        page.goto(f"{self.address}/send?who={who}")
        page.get_by_role("link", name="Take part").click()
        begin = page.locator("form[action='/join'] button")
        begin.or_(page.locator("#code")).first.wait_for()
        if begin.count():
            begin.click()
        return page

    def received(self, page: Page, who: str) -> str:
        """The code that somebody has come back with, by the link on the study's page."""
        page.locator("#go-back").click()
        expect(page.locator("body")).to_have_text("Thank you")
        return next(each["cc"] for each in self.back if each["who"] == who)


@pytest.fixture
def panel() -> Iterator[PanelSite]:
    site = PanelSite()
    yield site
    site.server.shutdown()
    site.server.server_close()


@pytest.fixture
def sent(live: Live, panel: PanelSite, tmp_path: Path) -> Live:
    """A study with two items and one place, to which the panel sends people."""

    def edit(folder: Path) -> None:
        with_items(2)(folder)
        yaml, file = YAML(), folder / "study.yaml"
        study = yaml.load(file)
        # A name of its own each time: run once more, it is to find its place free.
        study["study"], study["gates"] = f"both-ends-{next(live.names)}", yaml.load(GATES)
        study["analysis"]["monitors"]["automation"] = {}
        study["assignment"]["enrol"] = {"panel": "prolific", "at_most": 1}
        yaml.dump(study, file)

    made = live.add(tmp_path / "study", edit)
    way = {"address": f"{panel.address}/done?cc={{code}}&who={{person}}"}
    setup = {outcome: {"code": f"CODE-{outcome}", **way} for outcome in OUTCOMES}
    by = By(made.bench.study_id, "cora", wall_clock())
    made.store.write(keep_panel_setup, by, PanelSetup.model_validate_json(json.dumps(setup)))
    token = made.store.write(partial(links.add, enrols=True), made.bench.study_id, None, wall_clock())
    panel.study = f"{made.address}/join/{token}"
    return made


def screen(page: Page, answer: str = "Yes") -> None:
    page.get_by_label(answer, exact=True).check()
    page.locator("button.primary").click()


def pass_gates(page: Page) -> None:
    screen(page)
    page.locator("button[value=agree]").click()
    page.get_by_label("No", exact=True).check()
    page.locator("button.primary").click()
    expect(page.locator(".verdict.right")).to_be_visible()
    page.locator("button.primary").click()
    page.wait_for_selector("#judge.enhanced")


def judge(page: Page) -> None:
    for _ in range(5):
        page.keyboard.press("3")
    page.keyboard.press("Enter")


def copied(page: Page) -> str:
    """What is in the clipboard after one click on the button beside the code."""
    expect(page.locator("#code")).to_be_visible()
    cut_off = "code => code.scrollWidth - code.clientWidth"
    assert page.locator("#code").evaluate(cut_off) == 0, "the whole code can be read"
    button = page.locator("#copy-code")
    said = button.text_content()
    button.click()
    expect(button).not_to_have_text(said or "")  # it says that it is done
    return str(page.evaluate("navigator.clipboard.readText()"))


def pseudonym_of_sent(sent: Live, person: str) -> str:
    """Of somebody whom the panel has sent under its id."""
    ids = {row["annotator_id"]: row["person"] for row in rows(sent.store, arrival)}
    mine = [row for row in rows(sent.store, annotator) if row["study_id"] == sent.bench.study_id]
    return next(str(row["name"]) for row in mine if ids.get(row["id"]) == person)


def test_everybody_comes_back_to_the_panel_with_the_code_of_their_outcome(
    sent: Live, panel: PanelSite, new_context: NewContext
) -> None:
    page = panel.send(new_context(permissions=["clipboard-read", "clipboard-write"]), "young")
    assert "PROLIFIC" not in page.url, "the parameters have left the address bar"
    screen(page, "No")
    assert copied(page) == "CODE-screened_out"
    assert panel.received(page, "young") == "CODE-screened_out"

    page = panel.send(new_context(), "unwilling")
    screen(page)
    page.locator("button[value=leave]").click()
    assert panel.received(page, "unwilling") == "CODE-no_consent"

    page = panel.send(new_context(), "guesser")
    screen(page)
    page.locator("button[value=agree]").click()
    page.get_by_label("Yes", exact=True).check()
    page.locator("button.primary").click()
    assert panel.received(page, "guesser") == "CODE-failed_gate"

    page = panel.send(new_context(), "slow")
    [mine] = [
        row["annotator_id"]
        for row in rows(sent.store, arrival)
        if row["person"] == "slow" and row["study_id"] == sent.bench.study_id
    ]
    change(sent.store, arrival, arrival.c.annotator_id == mine, arrived_at=wall_clock() - 3_600_000)
    page.reload()
    assert panel.received(page, "slow") == "CODE-timed_out"

    stops = new_context()
    stops.clock.install()
    page = panel.send(stops, "stops")
    pass_gates(page)
    page.route("**/submit/**", lambda route: route.abort())
    judge(page)
    expect(page.locator("#status")).to_contain_text("kept on this device")
    page.locator("#leave").evaluate("form => form.submit()")
    expect(page.locator("h1")).to_have_text("That is fine")
    expect(page.locator("#status")).to_contain_text("kept on this device")
    stops.clock.run_for(12_000)
    expect(page.locator("#code")).to_be_hidden()  # no code before everything is on the server
    assert "stops" not in {each["who"] for each in panel.back}, "nobody is led away from what waits on their device"
    page.unroute("**/submit/**")
    stops.clock.run_for(6_000)
    expect(page.locator("#code")).to_be_visible()
    expect(page.locator("#code")).to_have_value("CODE-withdrew")
    assert len(submissions(sent.store, pseudonym_of_sent(sent, "stops"))) == 1, "they had submitted it before they left"
    assert panel.received(page, "stops") == "CODE-withdrew"

    finishes = new_context()
    finishes.clock.install()
    page = panel.send(finishes, "ana")
    pass_gates(page)
    page.evaluate("dispatchEvent(new Event('paste'))")
    judge(page)
    expect(page.locator("#heading")).to_contain_text("Item 2")
    page.wait_for_selector("#judge.enhanced")
    finishes.set_offline(True)
    judge(page)
    expect(page.locator("#status")).to_contain_text("kept on this device")
    finishes.clock.run_for(12_000)
    assert page.locator("#code").count() == 0, "no code before everything is on the server"
    name = pseudonym_of_sent(sent, "ana")
    [first] = submissions(sent.store, name)
    assert '"paste"' in first["events"], "a monitor of this study asks for it"
    finishes.set_offline(False)
    finishes.clock.run_for(12_000)
    expect(page.locator("#code")).to_have_value("CODE-finished")
    assert len(submissions(sent.store, name)) == 2, "the code comes after the last answer"
    finishes.clock.run_for(12_000)
    until(page, lambda: any(each["who"] == "ana" for each in panel.back))
    assert next(each["cc"] for each in panel.back if each["who"] == "ana") == "CODE-finished", "by itself"

    page = panel.send(new_context(), "late")
    expect(page.locator("#code")).to_have_value("CODE-over_quota")
    assert panel.received(page, "late") == "CODE-over_quota"
    assert {row["outcome"] for row in rows(sent.store, arrival) if row["study_id"] == sent.bench.study_id} == {
        *OUTCOMES
    } - {"over_quota"}
