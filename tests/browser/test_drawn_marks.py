"""What is drawn into a picture for a judge is what a browser draws over it for an annotator."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import Browser

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
STYLE = ".canvas img { max-width: none !important; max-height: none !important }"


def marked(image: Image.Image) -> Image.Image:
    """Where something dark is drawn."""
    ground = Image.new("RGB", SIZE, GREY)
    return ImageChops.difference(image, ground).convert("L").point(lambda value: 255 if value > 60 else 0)


def test_a_judge_sees_the_marks_where_and_as_a_browser_shows_them(browser: Browser) -> None:
    written = io.BytesIO()
    Image.new("RGB", SIZE, GREY).save(written, "PNG")
    content = written.getvalue()
    display = ImageDisplay(field="p", marks="t")
    paths = [{"t": [{"arguments": each} for each in some]} for some in (FIRST, SECOND)]
    shown = {"p": {"picture": "0" * 64, "width": SIZE[0], "height": SIZE[1]}, CANDIDATES: paths}
    html = str(Pages(words_of("en")).kind(display, picture_root="at/", **display.view(shown)))
    html = html.replace(f"at/{'0' * 64}", f"data:image/png;base64,{base64.b64encode(content).decode()}")
    folder = Path(assay.__file__).parent / "displays"
    css = "".join((folder / name).read_text("utf-8") for name in ("steps.css", "image.css"))
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_content(f"<style>{css}{STYLE}</style>{html}")
    seen = Image.open(io.BytesIO(page.locator(".canvas").screenshot())).convert("RGB")
    page.close()
    drawn = Image.open(io.BytesIO(with_marks(content, display.marks_over(shown)))).convert("RGB")
    assert seen.size == drawn.size == SIZE
    for place in ((100, 150), (260, 60), (200, 150), (400, 300), (692, 250)):
        assert seen.getpixel(place) == drawn.getpixel(place) != GREY, place
    one, other = marked(seen), marked(drawn)
    for here, there in ((one, other), (other, one)):
        near = there.filter(ImageFilter.MaxFilter(7))  # edges are soft in one and hard in the other
        alone = ImageChops.subtract(here, near).histogram()[255]
        assert alone < 0.02 * here.histogram()[255], "nothing is drawn by one of them alone"
