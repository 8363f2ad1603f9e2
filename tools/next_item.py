"""How long the next item takes: from Enter to its paint when it is kept ready, beside a page loaded anew.

Run by `make bench`. Both are measured in one run of the same browser on the same server: their ratio means something.
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ASSAY = str(Path(sys.executable).with_name("assay"))
ITEMS = 20
PAINTED = """() => {
  window.took = [];
  addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const began = performance.now();
    requestAnimationFrame(() => setTimeout(() => window.took.push(performance.now() - began)));
  }, { capture: true });
}"""
LOADED = "performance.getEntriesByType('paint').at(-1).startTime"


def measure(folder: Path) -> tuple[list[float], list[float]]:
    """Milliseconds to the next item, kept ready and loaded anew."""
    study = str(folder / "study")
    for command in (["init", "empathy", study], ["import", study]):
        subprocess.run([ASSAY, *command], check=True, capture_output=True)
    server = subprocess.Popen([ASSAY, "serve", study, "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = next(line.split()[-1].rsplit("/join", 1)[0] for line in server.stdout if "/join/" in line)
    invite = [ASSAY, "invite", study, "--count", "1", "--address", address, "--json"]
    made = json.loads(subprocess.run(invite, check=True, capture_output=True, text=True).stdout)
    link = next(value for value in str(made).replace("'", " ").split() if "/join/" in value).strip(",}]")
    try:
        with sync_playwright() as playwright:
            found = next((path for name in ("chromium", "google-chrome") if (path := shutil.which(name))), None)
            browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
            return judged(browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True), link)
    finally:
        server.kill()


def judged(page: Page, link: str) -> tuple[list[float], list[float]]:
    page.goto(link)
    page.locator("button.primary").click()
    while not page.locator("#judge").count():
        for box in page.locator("input[type=checkbox]").all():
            box.check()
        page.locator("form button").first.click()
        page.wait_for_load_state()
    page.wait_for_function("window.assay?.shelf.items.length >= 20")
    page.evaluate(PAINTED)
    for number in range(1, ITEMS + 1):
        page.wait_for_function(f"document.getElementById('heading')?.textContent.startsWith('Item {number} ')")
        page.keyboard.type("33333")
        page.keyboard.press("Enter")
    page.wait_for_function(f"window.took.length === {ITEMS}")
    ready: list[float] = page.evaluate("window.took")
    page.wait_for_function("window.assay.outbox.parcels.length === 0")
    anew = []
    for _ in range(ITEMS):
        page.reload()
        page.wait_for_selector("#judge.enhanced")
        anew.append(float(page.evaluate(LOADED)))
    return ready, anew


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        ready, anew = measure(Path(folder))
    middle, worst, other = statistics.median(ready), max(ready), statistics.median(anew)
    print(f"The next item: {middle:.0f} ms from Enter to paint (slowest {worst:.0f}), {middle / other:.2f} of a page")
    print(f"loaded anew ({other:.0f} ms). To reach: under 100 ms.")


if __name__ == "__main__":
    main()
