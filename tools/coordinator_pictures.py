"""Pictures of every page of a coordinator and of the report, to look at after a change, and sheets of them.

    python -m tools.coordinator_pictures DIR [--only three] [--sizes desk] [--themes light]

fills a study for each scene (3, 30 and 500 annotators whose names have 40 letters), serves it and takes every page
whole, on a desk, a large screen and a phone, light and dark. DIR/sheets has them side by side, in the
order of the menu. Studies that DIR/studies has already are used again.
"""

import argparse
import html
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from random import Random
from urllib.parse import quote_plus

from PIL import Image
from playwright.sync_api import Browser, Page
from tools.figures import note_devices
from tools.pictures import SIZES, THEMES, browser
from tools.processes import end_loudly, run, server

from assay import acts
from assay.bots import Character
from assay.items.reader import read_items
from assay.live import figures
from assay.simulate import simulate
from assay.store import Backend, open_store
from assay.store.annotator.session_lifetime import DAY
from assay.store.coordinator import imported_judgments, imports, sheets, studies
from assay.store.coordinator.record import By
from assay.study import load
from assay.study.templates import copy_template

FAMILY_NAMES = ("featherstonehaugh", "papadopoulos", "vijayalakshmi", "maximiliane", "bartholomew", "konstantin")
LETTERS = 40
TALLEST = 6000
"""So much of a page a picture has."""
SHEET = {"desk": (3, 720, 2400), "large": (2, 960, 2400), "phone": (5, 390, 2600)}
"""So many pages stand side by side, each so wide; what is longer than that goes on in the next column."""


@dataclass(frozen=True)
class Scene:
    """A study to look at."""

    template: str
    people: int
    per_item: int
    closed: bool = False


SCENES = {
    "three": Scene("empathy", 3, 3),
    "thirty": Scene("dialog-pairs", 30, 6, closed=True),
    "many": Scene("route-planning", 500, 30, closed=True),
    "entries": Scene("in-car", 4, 3),
    "pictures": Scene("trajectories", 5, 3, closed=True),
}
HABITS = (
    {},
    {"bias": 0.2, "speed": 3},
    {"skill": 0.4, "drift": 0.4},
    {"line": 0.6, "spread": 0.5},
    {"items": 7},
    {"skill": 0.9},
)


def long_name(number: int) -> str:
    """Somebody whose name is as long as names get."""
    drawn, text = Random(number), f"{number:03}"
    while len(text) < LETTERS:
        text += f"-{drawn.choice(FAMILY_NAMES)}"
    return text[:LETTERS].rstrip("-")


def fill(folder: Path, scene: Scene, now: int) -> None:
    """Let bots work on a study over nine days, until nothing is left for them."""
    copy_template(scene.template, folder)
    file = folder / "study.yaml"
    file.write_text(re.sub(r"per_item: \d+", f"per_item: {scene.per_item}", file.read_text("utf-8")), "utf-8")
    store, study, start = open_store(str(folder / "assay.db")), load(folder), now - 9 * DAY
    study_id = store.write(studies.publish, study, start).id
    rows = list(read_items(study, folder / study.items.source))
    store.write(imports.take_in, study_id, study, rows, folder)
    judged = [(each.name, one) for each in rows for one in each.judgments if one.judge]
    store.write(imported_judgments.add, study_id, study, judged, start)
    cast = [Character(long_name(each), **HABITS[each % len(HABITS)]) for each in range(scene.people)]
    simulate(store, study.study, cast, seed=1, start=start)
    if study.analysis.pilot is not None:
        store.write(acts.keep_pilot_decision, By(study_id, "tool", start + DAY), {"verdict": "go"}, opens=True)
        simulate(store, study.study, cast, seed=1, start=start + 2 * DAY)
    store.write(acts.invite, By(study_id, "tool", now), [f"{long_name(1000)}, not here yet"])
    store.write(note_devices)
    if scene.closed:
        store.write(studies.set_state, study_id, "closed", now)
    figures.compute(store, study_id, study, now)
    store.close()


def coordinators_token(folder: Path, now: int) -> tuple[str, str]:
    """A link for one look, and the first item."""
    study = load(folder)
    store: Backend = open_store(str(folder / "assay.db"))
    study_id = store.read(studies.find, study.study)[0]
    token = store.write(acts.invite_other, By(study_id, "tool", now), study, "coordinator")
    item = sorted(store.read(sheets.item_names, study_id))[0]
    store.close()
    return token, item


def places(page: Page, home: str, item: str) -> Iterator[tuple[str, str]]:
    """The pages of the menu, and those that it does not name."""
    first = page.content()
    menu = re.search(r'<nav class="menu".*?</nav>', first, re.S)
    assert menu is not None
    for address in re.findall(r'href="([^"]+)"', menu[0]):
        yield address.rpartition("/")[2] if address != home else "dashboard", address
    person = re.search(r'href="([^"]+/annotator\?name=[^"]+)"', first)
    if person:
        yield "person", html.unescape(person[1])
    yield "item", f"{home}/item?name={quote_plus(item)}"
    for other in ("flags", "new-version", "people"):
        yield other, f"{home}/{other}"
    for figure in re.findall(r'id="figure-([a-z_]+)"', first):
        yield f"dashboard-{figure}", f"{home}#figure-{figure}"
    for part in dict.fromkeys(re.findall(r'class="tile" href="[^"#]*#([^"]+)"', first)):
        yield f"dashboard-{part}", f"{home}#{part}"
    apart = page.request.get(f"{page.url.removesuffix(home)}{home}/adjudicate").text()
    talk_over = re.search(r'href="([^"]+/talk-over[?][^"]+)"', apart)
    if talk_over:
        yield "talk-over", html.unescape(talk_over[1])


def take(opened: Browser, folder: Path, out: Path, name: str, sizes: Iterable[str], themes: Iterable[str]) -> None:
    """Every page of one study in every size and theme."""
    token, item = coordinators_token(folder, round(1000 * time.time()))
    if not (folder / "report.html").exists():
        run("report", folder, "--out", folder / "report.html")
    with server(folder) as address:
        page = opened.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        page.goto(f"{address}/join/{token}")
        page.locator("button.primary").click()
        page.wait_for_url("**/coordinate/**")
        home = page.url.removeprefix(address)
        found = [(title, f"{address}{place}") for title, place in places(page, home, item)]
        for title, place in (*found, ("report", (folder / "report.html").resolve().as_uri())):
            page.goto(place)
            page.wait_for_load_state("networkidle")
            for size in sizes:
                width, height = SIZES[size]
                page.set_viewport_size({"width": width, "height": height})
                for theme in themes:
                    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
                    keep(page, out / f"{name}-{size}-{theme}-{title}.png")
        page.close()


def keep(page: Page, file: Path) -> None:
    whole = Image.open(BytesIO(page.screenshot(full_page=True)))
    whole.crop((0, 0, whole.width, min(whole.height, TALLEST))).save(file)


def make_sheets(out: Path, name: str, size: str, theme: str) -> None:
    """The pictures of one study, size and theme, side by side: long ones go on in the next column."""
    columns, width, height = SHEET[size]
    pieces = []
    for file in sorted(out.glob(f"{name}-{size}-{theme}-*.png"), key=lambda each: each.stat().st_mtime):
        whole = Image.open(file)
        scaled = whole.resize((width, round(whole.height * width / whole.width)), Image.Resampling.LANCZOS)
        for top in range(0, scaled.height, height):
            pieces.append(scaled.crop((0, top, width, min(top + height, scaled.height))))
    (out / "sheets").mkdir(exist_ok=True)
    for number in range(0, len(pieces), columns):
        some = pieces[number : number + columns]
        sheet = Image.new("RGB", (columns * (width + 12), max(each.height for each in some)), "#888888")
        for place, each in enumerate(some):
            sheet.paste(each, (place * (width + 12), 0))
        sheet.save(out / "sheets" / f"{name}-{size}-{theme}-{number // columns + 1:02}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="DIR")
    parser.add_argument("--only", choices=SCENES, action="append", help="this scene alone")
    parser.add_argument("--sizes", choices=SIZES, action="append", help="this size alone")
    parser.add_argument("--themes", choices=THEMES, action="append", help="this theme alone")
    asked = parser.parse_args()
    now = round(1000 * time.time())
    sizes, themes = asked.sizes or SIZES, asked.themes or THEMES
    asked.out.mkdir(parents=True, exist_ok=True)
    with browser() as opened:
        for name in asked.only or SCENES:
            folder = asked.out / "studies" / name
            if not folder.exists():
                fill(folder, SCENES[name], now)
            take(opened, folder, asked.out, name, sizes, themes)
            for size in sizes:
                for theme in themes:
                    make_sheets(asked.out, name, size, theme)
            print(name, flush=True)


if __name__ == "__main__":
    end_loudly(main, 1800)
