"""How many items need no scrolling: of each template, or of any study with items of its own, at two sizes of a desk.

`python -m tools.fit` measures the samples of the templates, `python -m tools.fit STUDY ...` the items of studies, such
as a template with the real items in place of its samples. In the widest of the fonts of the tests. To reach: 85 %.
"""

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from tools.browser import QUIET, system_browser
from tools.fonts import FAMILIES, environment
from tools.pictures import enter, prepare, read_on
from tools.processes import Failed, end_loudly, server

from assay.items.reader import read_items
from assay.study import Study, load
from assay.study.templates import copy_template, template_names
from assay.web.pages import Pages

SIZES = ((1440, 900), (1366, 768))
LEAST = 0.85
# Another item in the place of this one, as it looks when it is opened.
SHOW = """async ([content, form]) => {
  document.querySelectorAll("#content > :not(h1)").forEach(each => each.remove());
  document.getElementById("heading").insertAdjacentHTML("afterend", content);
  document.querySelector(".sheet").outerHTML = form;
  document.querySelector(".question").classList.add("active");
  document.querySelector(".rubric")?.classList.add("on");
  const { Room } = await import("/static/room.js");
  const asked = [...document.querySelectorAll(".question")];
  new Room(document.getElementById("judge"), { asked, active: asked[0] }, new AbortController().signal);
}"""
# How far the content, the questions and the page can be scrolled.
SCROLLS = """() => ["content", "questions"].map(id => document.getElementById(id)).concat(document.documentElement)
  .map(each => Math.max(0, each.scrollHeight - each.clientHeight))"""
PAGES = Pages()


def copies(studies: list[Path], folder: Path) -> Iterator[Path]:
    """Each study in a folder of its own, to be changed there: those that are named, or else the templates."""
    for each in studies:
        shutil.copytree(each, folder / each.name, ignore=shutil.ignore_patterns("assay.db*"))
        yield folder / each.name
    for name in () if studies else template_names():
        copy_template(name, folder / name)
        yield folder / name


def show(page: Page, study: Study, shown: dict[str, Any]) -> list[int]:
    """Put another item on the page; how far content, questions and page can then be scrolled."""
    content = PAGES.content(study, shown, {}, f"/judge/{study.study}")
    page.evaluate(SHOW, [content, PAGES.questions(study, shown, {}, {}).form])
    found: list[int] = page.evaluate(SCROLLS)
    return found


def measure(opened: Browser, folder: Path, items: int | None) -> Iterator[tuple[tuple[int, int], list[list[int]]]]:
    """At each size, how far each item of the study in the folder can be scrolled."""
    token = prepare(folder, round(1000 * time.time()))
    study = load(folder)
    shown = [each.item.shown for each in read_items(study, folder / study.items.source) if each.item is not None]
    with server(folder) as address:
        page = opened.new_page(bypass_csp=True, reduced_motion="reduce")
        enter(page, f"{address}/join/{token}")
        read_on(page)
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            yield size, [show(page, study, each) for each in shown[:items]]
        page.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", nargs="*", type=Path, help="folders with a study.yaml and its items")
    parser.add_argument("--smallest", action="store_true", help="see that it runs: the figures mean nothing")
    asked = parser.parse_args()
    if not FAMILIES["wide"].paths():
        raise Failed(f"the font is not here: apt-get install {FAMILIES['wide'].package}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        seen = environment(FAMILIES["wide"], Path(folder) / "fonts")
        opened = playwright.chromium.launch(
            executable_path=system_browser(), args=QUIET, env={**os.environ, **seen}, timeout=30_000
        )
        for study in copies(asked.studies, Path(folder)):
            for (width, height), found in measure(opened, study, 2 if asked.smallest else None):
                fit = sum(not any(each) for each in found)
                share = f"{fit / len(found):.0%}" + ("" if fit >= LEAST * len(found) else f", below {LEAST:.0%}")
                print(f"{study.name:15} {width}x{height}: {fit} of {len(found)} items fit ({share})", flush=True)
            if asked.smallest:
                break
        opened.close()


if __name__ == "__main__":
    end_loudly(main, 900)
