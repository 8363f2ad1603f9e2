"""What is drawn into a picture for a judge is what a browser draws over it for an annotator."""

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Browser, Page

import assay
from assay.displays.drawn_marks import with_marks
from assay.displays.image import ImageDisplay
from assay.model import CANDIDATES
from assay.web.pages import Pages
from assay.words import words_of

pytestmark = pytest.mark.browser

SIZE, GREY = (700, 500), (200, 200, 190)
FIRST = [{"x": 100, "y": 150}, {"box": [200, 60, 320, 240]}, {"x": 900, "y": 250}]
SECOND = [{"x": 400, "y": 300}, {"box": [450, 60, 620, 240]}, {"points": [[100, 300], [200, 320], [150, 420]]}]
NARROW, ALIKE, WHOLE = [200, 200, 300, 230], [203, 202, 298, 228], [0, 0, 700, 500]
UPON = ([{"box": NARROW}, {"box": WHOLE}], [{"box": ALIKE}, {"box": WHOLE}])
"""Two boxes at one place, a narrow one that a line inside it would strike through, and the whole picture twice."""
LINE = 2.5
BOX = "name => { const { x, y, right, bottom } = document.querySelector(`.drawn[data-of-place=${name}] .line`).getBoundingClientRect(); const of = document.querySelector('.canvas').getBoundingClientRect(); return [x - of.x, y - of.y, right - of.x, bottom - of.y] }"  # noqa: E501
STYLE = ".canvas img { max-width: none !important; max-height: none !important }"


def marked(image: Image.Image) -> Image.Image:
    """Where something dark is drawn."""
    ground = Image.new("RGB", SIZE, GREY)
    return ImageChops.difference(image, ground).convert("L").point(lambda value: 255 if value > 60 else 0)


@contextmanager
def shown_by_browser(browser: Browser, first: list[Any], second: list[Any]) -> Iterator[tuple[Page, Image.Image]]:
    """A page with a picture and its marks, and the same picture as a judge gets it."""
    written = io.BytesIO()
    Image.new("RGB", SIZE, GREY).save(written, "PNG")
    content = written.getvalue()
    display = ImageDisplay(field="p", marks="t")
    paths = [{"t": [{"arguments": each} for each in some]} for some in (first, second)]
    shown = {"p": {"picture": "0" * 64, "width": SIZE[0], "height": SIZE[1]}, CANDIDATES: paths}
    html = str(Pages(words_of("en")).kind(display, picture_root="at/", **display.view(shown)))
    html = html.replace(f"at/{'0' * 64}", f"data:image/png;base64,{base64.b64encode(content).decode()}")
    folder = Path(assay.__file__).parent / "displays"
    css = "".join((folder / name).read_text("utf-8") for name in ("steps.css", "image.css"))
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_content(f"<style>{css}{STYLE}</style>{html}")
    yield page, Image.open(io.BytesIO(with_marks(content, display.marks_over(shown)))).convert("RGB")
    page.close()


CASES = [
    ((FIRST, SECOND), [(100, 150), (260, 60), (200, 150), (400, 300), (692, 250)]),
    (UPON, [(200, 215), (198, 195), (250, 200), (0, 250)]),
]


@pytest.mark.parametrize(("steps", "places"), CASES, ids=["apart", "upon each other"])
def test_a_judge_sees_the_marks_where_and_as_a_browser_shows_them(
    browser: Browser, steps: tuple[list[Any], list[Any]], places: list[tuple[int, int]]
) -> None:
    with shown_by_browser(browser, *steps) as (page, drawn):
        seen = Image.open(io.BytesIO(page.locator(".canvas").screenshot())).convert("RGB")
    assert seen.size == drawn.size == SIZE
    for place in places:
        assert seen.getpixel(place) == drawn.getpixel(place) != GREY, place
    one, other = marked(seen), marked(drawn)
    for here, there in ((one, other), (other, one)):
        near = there.filter(ImageFilter.MaxFilter(7))  # edges are soft in one and hard in the other
        alone = ImageChops.subtract(here, near).histogram()[255]
        assert alone < 0.02 * here.histogram()[255], "nothing is drawn by one of them alone"


def test_a_box_at_the_place_of_another_is_drawn_around_it_and_strikes_nothing_through(browser: Browser) -> None:
    with shown_by_browser(browser, *UPON) as (page, drawn):
        boxes = {name: page.evaluate(BOX, name) for name in ("A1", "A2", "B1", "B2")}
    assert boxes["A1"] == pytest.approx(NARROW)
    for inner, outer, sign in zip(boxes["A1"], boxes["B1"], (1, 1, -1, -1), strict=True):
        assert (inner - outer) * sign >= 2 * LINE, "with both lines apart"
    within = drawn.crop((206, 206, 295, 225)).getcolors()
    assert within == [(89 * 19, GREY)], "what is marked is left as it is"
    assert boxes["A2"] == pytest.approx(WHOLE)
    for inner, outer, sign in zip(boxes["B2"], boxes["A2"], (1, 1, -1, -1), strict=True):
        assert (inner - outer) * sign >= 2 * LINE, "around the whole picture there is no room"
