"""Take the pictures of the annotator's page that README and docs show, from the templates as they are.

`python -m tools.pictures` writes them again: an item of each template, at a desk, in one font whatever the machine has.
`python -m tools.pictures --look DIR` takes many more, to look at after a change: the guidelines, an item, what is
missing and the guide beside it, of each template, on a desk, a large screen and a phone, light and dark.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from ruamel.yaml import YAML
from tools.browser import QUIET, system_browser
from tools.fonts import PICTURES, environment
from tools.processes import Failed, end_loudly, server

from assay import acts
from assay.items.reader import read_items
from assay.store import open_store
from assay.store.coordinator import imports, studies
from assay.store.coordinator.record import By
from assay.study import load
from assay.study.templates import copy_template, template_names

DOCS = Path(__file__).parent.parent / "docs"
SIZES = {"desk": (1440, 900), "large": (1920, 1080), "phone": (390, 844)}
THEMES = ("light", "dark")
MOST_PAGES = 40
COLOURS = 256
ANNOTATOR = "cleo"
"""Whose first items are neither the shortest nor the longest."""


def prepare(folder: Path, now: int, annotator: str = ANNOTATOR) -> str:
    """Leave out of the study in a folder all gates but reading, take it in, and return the token of somebody's link."""
    yaml = YAML()
    file = folder / "study.yaml"
    content = yaml.load(file.read_text("utf-8"))
    content["gates"] = [gate for gate in content.get("gates", []) if "reading" in gate]
    content.get("analysis", {}).pop("pilot", None)
    yaml.dump(content, file)
    study = load(folder)
    store = open_store(folder / "assay.db")
    try:
        study_id = store.write(studies.publish, study, now).id
        store.write(imports.take_in, study_id, study, read_items(study, folder / study.items.source), folder)
        [(_, token)] = store.write(acts.invite, By(study_id, "pictures", now), [], pseudonyms=[annotator])
    finally:
        store.close()
    return token


@contextmanager
def browser() -> Iterator[Browser]:
    if not PICTURES.paths():
        raise Failed(f"the font of the pictures is not here: apt-get install {PICTURES.package}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        seen = environment(PICTURES, Path(folder) / "fonts")
        started = playwright.chromium.launch(
            executable_path=system_browser(), args=QUIET, env={**os.environ, **seen}, timeout=30_000
        )
        try:
            yield started
        finally:
            started.close()


def enter(page: Page, link: str) -> None:
    """As far as the guidelines."""
    page.goto(link)
    page.locator("button.primary").click()
    page.wait_for_load_state()


def read_on(page: Page) -> None:
    """Through the guidelines, to the first item."""
    for _ in range(MOST_PAGES):
        if page.locator("#judge").count():
            page.wait_for_selector("#judge.enhanced")
            page.wait_for_load_state("networkidle")
            return
        page.locator("form button.primary").click()
        page.wait_for_load_state()
    raise Failed("the gates do not end")


def answer_some(page: Page) -> None:
    """As somebody in the middle of an item: two answers are given, and the third question is open."""
    for _ in range(2):
        kind = page.locator("fieldset.active").get_attribute("class") or ""
        page.keyboard.press("0" if "tags" in kind.split() else "1" if "yes_no" in kind.split() else "2")
    page.wait_for_selector("#status[data-state=saved]:not(:empty)")
    page.mouse.move(0, 0)


def keep(page: Page, file: Path) -> None:
    """A picture in few colours: a page has no more."""
    taken = Image.open(BytesIO(page.screenshot()))
    taken.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


def take_those_of_the_docs(opened: Browser, folder: Path, now: int, names: list[str]) -> None:
    for name in names:
        copy_template(name, folder / name)
        token = prepare(folder / name, now)
        with server(folder / name) as address:
            page = opened.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
            enter(page, f"{address}/join/{token}")
            read_on(page)
            answer_some(page)
            keep(page, DOCS / "templates" / f"{name}.png")
            page.close()
        print(f"docs/templates/{name}.png", flush=True)


def take_many(opened: Browser, folder: Path, now: int, out: Path, names: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        copy_template(name, folder / name)
        token = prepare(folder / name, now)
        with server(folder / name) as address:
            page = opened.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
            enter(page, f"{address}/join/{token}")
            look(page, out, f"{name}-reading")
            read_on(page)
            answer_some(page)
            look(page, out, f"{name}-item")
            page.keyboard.press("g")
            page.wait_for_selector("#drawer .guide")
            look(page, out, f"{name}-guide")
            page.keyboard.press("Escape")
            page.locator("#heading").focus()
            page.keyboard.press("Enter")
            look(page, out, f"{name}-missing")
            page.close()
        print(name, flush=True)


def look(page: Page, out: Path, name: str) -> None:
    """One state of a page in every size and theme."""
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            page.screenshot(path=out / f"{name}-{size}-{theme}.png")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1440, "height": 900})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--look", type=Path, metavar="DIR", help="take many pictures into this folder instead")
    parser.add_argument("--only", choices=template_names(), action="append", help="of this template alone")
    asked = parser.parse_args()
    now = round(1000 * time.time())
    with tempfile.TemporaryDirectory() as folder, browser() as opened:
        if asked.look:
            take_many(opened, Path(folder), now, asked.look, asked.only or template_names())
        else:
            take_those_of_the_docs(opened, Path(folder), now, asked.only or template_names())


if __name__ == "__main__":
    end_loudly(main, 600)
