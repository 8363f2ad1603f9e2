"""How long the next item takes: from Enter to its paint when it is kept ready, beside a page loaded anew.

The next item also with a processor slowed four times, as a cheap laptop has it; and the first item on a slow line, in a
browser that has nothing of it yet: of `empathy`, whose items are texts, and of `trajectories`, with a picture. Run by
`make bench`. The first two are measured in one run of the same browser on the same server: their ratio means something.
"""

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, sync_playwright
from tools import pictures
from tools.browser import system_browser
from tools.processes import Failed, end_loudly, server
from tools.workload import prepare

from assay.study.templates import copy_template

ITEMS = 20
LONGEST_WAIT = 30_000
MOST_PAGES = 30
PAINTED = """() => {
  window.took = [];
  addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const began = performance.now();
    requestAnimationFrame(() => setTimeout(() => window.took.push(performance.now() - began)));
  }, { capture: true });
}"""
SLOW_LINE = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""Milliseconds, and bytes a second (400 kbit/s), as the emulation of Chromium takes them."""
SLOWED = 4
"""How many times slower the processor is made."""
TIMES = 3
"""How often somebody comes on a slow line: the middle one counts."""
LOADED = "performance.getEntriesByType('paint').at(-1).startTime"


@dataclass(frozen=True)
class Took:
    """Milliseconds to the next item, kept ready, loaded anew, ready on a slow processor; to the first by template."""

    ready: list[float]
    anew: list[float]
    slowed: list[float]
    first: dict[str, float]


def measure(folder: Path, items: int, times: int) -> Took:
    [token] = prepare(folder / "study", 3 * ITEMS + 1, 1, round(1000 * time.time()))
    with server(folder / "study") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=system_browser(), args=["--no-sandbox", "--disable-gpu"], timeout=LONGEST_WAIT
        )
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
            page.set_default_timeout(LONGEST_WAIT)
            enter(page, f"{address}/join/{token}")
            ready = judged(page, 1, items)
            anew = [loaded_anew(page) for _ in range(items)]
            processor = page.context.new_cdp_session(page)
            processor.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
            slowed = judged(page, items + 1, items)
            processor.send("Emulation.setCPUThrottlingRate", {"rate": 1})
            first = {"empathy": on_a_slow_line(browser, page, times)}
            first["trajectories"] = first_of(browser, "trajectories", folder, times)
            return Took(ready, anew, slowed, first)
        except Error as error:
            raise Failed(f"{error}\non the page: {' '.join(page.inner_text('body').split())[:300]}") from None
        finally:
            browser.close()


def enter(page: Page, link: str) -> None:
    """Through the gates, to the first item."""
    page.goto(link)
    page.locator("button.primary").click()
    for _ in range(MOST_PAGES):
        if page.locator("#judge").count():
            break
        page.locator("form button").first.click()
        page.wait_for_load_state()


def judged(page: Page, first: int, items: int) -> list[float]:
    """Milliseconds from Enter to the paint of the next item, while so many are judged, beginning with this one."""
    page.wait_for_function(f"window.assay?.readyItems.items.length >= {items}")
    page.evaluate(PAINTED)
    for number in range(first, first + items):
        page.wait_for_function(f"document.getElementById('heading')?.textContent.startsWith('Item {number} ')")
        page.keyboard.type("33333")
        page.keyboard.press("Enter")
    page.wait_for_function(f"window.took.length === {items}")
    took: list[float] = page.evaluate("window.took")
    page.wait_for_function("window.assay.outbox.parcels.length === 0")
    return took


def loaded_anew(page: Page) -> float:
    page.reload()
    page.wait_for_selector("#judge.enhanced")
    return float(page.evaluate(LOADED))


def first_of(browser: Browser, template: str, folder: Path, times: int) -> float:
    """The same for a template with its own items."""
    copy_template(template, folder / template)
    token = pictures.prepare(folder / template, round(1000 * time.time()))
    with server(folder / template) as address:
        page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
        page.set_default_timeout(LONGEST_WAIT)
        pictures.enter(page, f"{address}/join/{token}")
        pictures.read_on(page)
        return on_a_slow_line(browser, page, times)


def on_a_slow_line(browser: Browser, known: Page, times: int) -> float:
    """Milliseconds until keys work, for somebody with a session and an empty cache."""
    return statistics.median(_opened_on_a_slow_line(browser, known) for _ in range(times))


def _opened_on_a_slow_line(browser: Browser, known: Page) -> float:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies([{**each} for each in known.context.cookies()])  # type: ignore[list-item, typeddict-item]
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", SLOW_LINE)
    began = time.perf_counter()
    page.goto(known.url, wait_until="commit")
    page.wait_for_selector("#judge.enhanced")
    took = 1000 * (time.perf_counter() - began)
    context.close()
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        took = measure(Path(folder), *((2, 1) if asked.smallest else (ITEMS, TIMES)))
    middle, worst, other = statistics.median(took.ready), max(took.ready), statistics.median(took.anew)
    print(f"The next item: {middle:.0f} ms from Enter to paint (slowest {worst:.0f}), {middle / other:.2f} of a page")
    print(f"loaded anew ({other:.0f} ms). To reach: under 100 ms.")
    middle, worst = statistics.median(took.slowed), max(took.slowed)
    print(f"With a processor slowed {SLOWED} times: {middle:.0f} ms (slowest {worst:.0f}). To reach: under 100 ms.")
    first = ", ".join(f"{name} {each / 1000:.1f} s" for name, each in took.first.items())
    print(f"The first item on a slow line (400 ms, 50 kB/s): {first}. To reach: at most 3 s.")


if __name__ == "__main__":
    end_loudly(main, 300)
