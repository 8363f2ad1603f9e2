"""How long the next item takes: from Enter to its paint when it is kept ready, beside a page loaded anew.

And how long the first item takes on a slow line, in a browser that has nothing of it yet. Run by `make bench`. The
first two are measured in one run of the same browser on the same server: their ratio means something.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, sync_playwright
from tools.browser import system_browser
from tools.processes import Failed, end_loudly, server
from tools.workload import prepare

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
"""Milliseconds, and bytes a second: 400 kbit/s, as the emulation of Chromium takes them."""
LOADED = "performance.getEntriesByType('paint').at(-1).startTime"


def measure(folder: Path, items: int) -> tuple[list[float], list[float], float]:
    """Milliseconds to the next item, kept ready and loaded anew, and to the first one on a slow line."""
    [token] = prepare(folder / "study", 2 * ITEMS + 1, 1, round(1000 * time.time()))
    with server(folder / "study") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=system_browser(), args=["--no-sandbox", "--disable-gpu"], timeout=LONGEST_WAIT
        )
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
            page.set_default_timeout(LONGEST_WAIT)
            ready, anew = judged(page, f"{address}/join/{token}", items)
            return ready, anew, on_a_slow_line(browser, page)
        except Error as error:
            raise Failed(f"{error}\non the page: {' '.join(page.inner_text('body').split())[:300]}") from None
        finally:
            browser.close()


def judged(page: Page, link: str, items: int) -> tuple[list[float], list[float]]:
    page.goto(link)
    page.locator("button.primary").click()
    for _ in range(MOST_PAGES):
        if page.locator("#judge").count():
            break
        page.locator("form button").first.click()
        page.wait_for_load_state()
    page.wait_for_function(f"window.assay?.readyItems.items.length >= {items}")
    page.evaluate(PAINTED)
    for number in range(1, items + 1):
        page.wait_for_function(f"document.getElementById('heading')?.textContent.startsWith('Item {number} ')")
        page.keyboard.type("33333")
        page.keyboard.press("Enter")
    page.wait_for_function(f"window.took.length === {items}")
    ready: list[float] = page.evaluate("window.took")
    page.wait_for_function("window.assay.outbox.parcels.length === 0")
    anew = []
    for _ in range(items):
        page.reload()
        page.wait_for_selector("#judge.enhanced")
        anew.append(float(page.evaluate(LOADED)))
    return ready, anew


def on_a_slow_line(browser: Browser, known: Page) -> float:
    """Milliseconds until keys work, for somebody with a session and an empty cache."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_cookies([{**each} for each in known.context.cookies()])  # type: ignore[list-item, typeddict-item]
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", SLOW_LINE)
    began = time.perf_counter()
    page.goto(known.url, wait_until="commit")
    page.wait_for_selector("#judge.enhanced")
    return 1000 * (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ready, anew, slow = measure(Path(folder), 2 if asked.smallest else ITEMS)
    middle, worst, other = statistics.median(ready), max(ready), statistics.median(anew)
    print(f"The next item: {middle:.0f} ms from Enter to paint (slowest {worst:.0f}), {middle / other:.2f} of a page")
    print(f"loaded anew ({other:.0f} ms). To reach: under 100 ms.")
    print(f"The first item on a slow line (400 ms, 400 kbit/s): {slow / 1000:.1f} s. To reach: at most 3 s.")


if __name__ == "__main__":
    end_loudly(main, 300)
