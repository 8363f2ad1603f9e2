"""How long the next item of each template takes with a processor slowed four times, from Enter to its paint.

Beside the time stands the work of the processor, with the processor as it is: on a busy machine it is the figure that
means something. `--beside TREE` measures another version of the program in the same run, by turns, for the ratio.
Part of `make bench`: it ends with 1 where a median is above the target; `--smallest` only sees that it runs.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from ruamel.yaml import YAML
from tools.browser import QUIET, system_browser
from tools.next_item import LONGEST_WAIT, PAINTED, SLOWED
from tools.pictures import enter, prepare, read_on
from tools.processes import end_loudly, served

from assay.study.templates import copy_template, template_names


@dataclass(frozen=True)
class Size:
    """So many items of each annotator."""

    items: int
    people: tuple[str, ...]


WHOLE = Size(10, ("cleo", "dora"))
"""Two annotators get the items in other orders: a template has few more."""
SMALLEST = Size(1, ("cleo",))
TARGET = 100
"""Milliseconds to the paint of the next item, at the median of a template, with the processor slowed."""
OPEN = "fieldset.question:not([data-optional], [hidden], :has(input:checked))"
WORK = ("LayoutCount", "RecalcStyleCount", "TaskDuration")


@dataclass(frozen=True)
class Took:
    """A change of items: milliseconds to the paint, how often the page is laid out and styled, milliseconds of work."""

    wait: float
    layouts: float
    styles: float
    work: float


def work(session: CDPSession) -> list[float]:
    found = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return [found[name] for name in WORK]


def answer(page: Page) -> None:
    """Answer whatever must be answered of the item at hand, as somebody who then reads it over."""
    while page.locator(OPEN).count():
        page.wait_for_function("!document.querySelector('fieldset.active[data-held]')")
        kind = (page.locator("fieldset.active").get_attribute("class") or "").split()[1]
        page.keyboard.press({"tags": "0", "yes_no": "1"}.get(kind, "2"))
    page.wait_for_function("window.assay.readyItems.items.length && window.assay.outbox.parcels.length === 0")
    page.wait_for_timeout(500)


def changes(page: Page, slowed: int, first: int, items: int) -> Iterator[Took]:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    for number in range(first, first + items):
        page.wait_for_function(f"document.getElementById('heading')?.textContent.startsWith('Item {number} ')")
        answer(page)
        before = work(session)
        page.keyboard.press("Enter")
        page.wait_for_function(f"window.took.length === {number}")
        layouts, styles, seconds = (after - then for after, then in zip(work(session), before, strict=True))
        yield Took(page.evaluate("window.took.at(-1)"), layouts, styles, 1000 * seconds)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})


def measure(browser: Browser, name: str, folder: Path, tree: Path | None, size: Size) -> tuple[list[Took], list[Took]]:
    """The changes of items with the processor slowed, and as it is."""
    slow, quick = [], []
    for person in size.people:
        copy = folder / person
        copy_template(name, copy)
        without_breaks(copy / "study.yaml")
        token = prepare(copy, round(1000 * time.time()), person)
        command = [sys.executable, "-m", "assay", "serve", str(copy), "--port", "0"]
        if tree:
            command = ["env", f"PYTHONPATH={tree / 'src'}", *command]
        with served(command) as address:
            page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
            page.set_default_timeout(LONGEST_WAIT)
            enter(page, f"{address}/join/{token}")
            read_on(page)
            page.evaluate(PAINTED)
            slow += changes(page, SLOWED, 1, size.items)
            quick += changes(page, 1, size.items + 1, min(size.items, 4))
            page.close()
    return slow, quick


def without_breaks(file: Path) -> None:
    yaml = YAML()
    content = yaml.load(file.read_text("utf-8"))
    content.get("pace", {}).pop("breaks", None)
    yaml.dump(content, file)


def median(found: list[Took], name: str) -> float:
    return statistics.median(getattr(each, name) for each in found)


def missed(medians: Mapping[str, float], target: float = TARGET) -> list[str]:
    """The templates whose next item comes later than it should, each with its figure."""
    return [f"{name} {found:.0f} ms" for name, found in medians.items() if found > target]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    parser.add_argument("--beside", type=Path, metavar="TREE", help="another checkout of the program")
    parser.add_argument("--only", choices=template_names(), action="append", help="this template alone")
    asked = parser.parse_args()
    names = asked.only or (template_names()[:1] if asked.smallest else template_names())
    trees = [asked.beside, None] if asked.beside else [None]
    medians: dict[str, float] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system_browser(), args=QUIET, timeout=LONGEST_WAIT)
        for name in names:
            for tree in trees:
                with tempfile.TemporaryDirectory() as folder:
                    slow, quick = measure(browser, name, Path(folder), tree, SMALLEST if asked.smallest else WHOLE)
                waits = [each.wait for each in slow]
                medians |= {} if tree else {name: statistics.median(waits)}
                print(
                    f"{name:15} {'there' if tree else 'here':5} {statistics.median(waits):4.0f} ms"
                    f" with a processor slowed {SLOWED} times (slowest {max(waits):.0f}),"
                    f" {median(slow, 'layouts'):.0f} layouts, {median(slow, 'styles'):.0f} styles;"
                    f" {median(quick, 'work'):.0f} ms of work",
                    flush=True,
                )
        browser.close()
    if (late := missed(medians)) and not asked.smallest:
        print(f"Later than {TARGET} ms at the median: {', '.join(late)}.")
        sys.exit(1)


if __name__ == "__main__":
    end_loudly(main, 900)
