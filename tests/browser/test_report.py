"""A report opens from disk without a network or scripts, fits every screen, and prints whole."""

import re
from base64 import b64decode
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page
from tools.coordinator_pictures import Scene, fill
from tools.fonts import FAMILIES

from assay.live.report_data import gather_with_fieldwork
from assay.report.build import build
from assay.store import open_store
from assay.store.coordinator import studies
from assay.study import load
from tests.browser.conftest import NewContext
from tests.browser.test_figures import CUT, TOUCHING
from tests.conftest import T0
from tests.report.known import report
from tests.report.test_known_in_car import STUDY as CARS
from tests.report.test_known_in_car import judged as in_cars
from tests.report.test_known_trajectories import STUDY as WAYS
from tests.report.test_known_trajectories import judged as ways
from tests.selection import first_of, on_templates
from tests.test_golden import NAMES
from tests.test_golden import whole_report as golden

pytestmark = [pytest.mark.browser, pytest.mark.layout]

LETTERS = 13
"""So many units of a drawing its letters have."""
USUAL = ["in-car", "trajectories"]
"""Questions about each entry of a list, and two candidates that are judged each and compared."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    found = {}
    for name, study, judged in (("in-car", CARS, in_cars()), ("trajectories", WAYS, ways())):
        found[name] = folder / f"{name}.html"
        found[name].write_text(report(study, judged).html(), "utf-8")
    return found


@pytest.fixture
def page(new_context: NewContext) -> Page:
    return new_context(java_script_enabled=False, offline=True).new_page()


@pytest.mark.parametrize("name", first_of(["in-car"], ["trajectories"], "on other templates"))
def test_a_report_from_disk_asks_for_nothing_and_never_scrolls_sideways(
    page: Page, files: dict[str, Path], name: str
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for width in (1440, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(files[name].as_uri())
        box = page.locator("body").bounding_box()
        assert box is not None
        assert box["width"] <= width
        assert page.locator("figure.figure").count() > 0
        for figure in page.locator("figure.figure").all():
            wide = figure.locator(".figure-wide").first.is_visible()
            assert wide != figure.locator(".figure-narrow").first.is_visible(), "one of the two drawings is shown"
            assert wide == (width >= 768)
    assert set(asked) == {files[name].as_uri()}


ASIDE = """() => [...document.querySelectorAll(".figure-scroll, .scroll:has(> .stacked)")]
  .filter(each => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
  .map(each => each.innerText.slice(0, 60))"""


def test_on_a_phone_neither_the_numbers_of_a_figure_nor_the_gates_scroll_aside(
    page: Page, files: dict[str, Path]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for name, file in files.items():
        page.goto(file.as_uri())
        page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")
        assert page.locator(".figure-scroll:visible").count() > 3, name
        assert page.evaluate(ASIDE) == [], name
        nameless = ".figure-scroll tbody td:not([data-label]), .stacked tbody td:not([data-label])"
        assert page.locator(nameless).count() == 0, name


@pytest.mark.parametrize("family", FAMILIES)
def test_a_report_cuts_nothing_in_any_font(new_context: NewContext, files: dict[str, Path], family: str) -> None:
    page = new_context(family=family, offline=True).new_page()
    for name, file in files.items():
        page.goto(file.as_uri())
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            assert page.evaluate(CUT) + page.evaluate(TOUCHING) == [], (name, width)


# What the button saves. A browser puts off downloads that come one upon the other, and drops some without a word: so
# one figure is saved as people do it, and of the others it is looked at what would be saved.
SAVED = """button => new Promise(resolve => {
  const [make, click] = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
  let file;
  URL.createObjectURL = each => { file = each; return make.call(URL, each); };
  HTMLAnchorElement.prototype.click = function () {
    [URL.createObjectURL, HTMLAnchorElement.prototype.click] = [make, click];
    const reader = new FileReader();
    reader.onload = () => resolve([this.download, reader.result]);
    reader.readAsDataURL(file);
  };
  button.click();
})"""


def content_of(address: str) -> bytes:
    """What stands in an address that is the file itself."""
    return b64decode(address.split(";base64,", 1)[1])


def test_every_figure_is_taken_along_as_png_and_pdf_from_the_file_alone(
    new_context: NewContext, files: dict[str, Path]
) -> None:
    page = new_context(offline=True).new_page()
    refused: list[str] = []
    page.on("console", lambda said: refused.append(said.text))
    page.goto(files["trajectories"].as_uri())
    figures = page.locator("figure.figure").all()
    assert len(figures) > 5
    for figure in figures:
        named = figure.locator("h3").inner_text()
        file, saved = figure.get_by_role("button", name="PNG").evaluate(SAVED)
        assert file.endswith(".png")
        picture = Image.open(BytesIO(content_of(saved)))
        assert picture.width == round(17.5 / 2.54 * 300), "two columns of a paper, 300 dots an inch"
        shades = picture.convert("L").getextrema()
        assert shades == (0, 255), (named, "dark letters on white paper, whatever the page's colours are")
        link = figure.get_by_role("link", name="PDF")
        assert str(link.get_attribute("download")).endswith(".pdf")
        pdf = content_of(str(link.get_attribute("href")))
        assert pdf.startswith(b"%PDF-"), named
        assert pages_of(pdf) == 1
        assert b"/FontFile2" in pdf, "its font is in it"
        [box] = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
        assert float(box[0]) == pytest.approx(17.5 / 2.54 * 72, abs=0.01)
        assert float(box[0]) / float(box[1]) == pytest.approx(picture.width / picture.height, rel=0.01)
    with page.expect_download() as got:
        figures[-1].get_by_role("button", name="PNG").click()
    assert (got.value.suggested_filename, got.value.path().read_bytes()) == (file, content_of(saved))
    with page.expect_download() as got:
        link.click()
    assert got.value.path().read_bytes() == pdf
    assert refused == []


def test_a_report_runs_no_script_but_its_own(new_context: NewContext, files: dict[str, Path], tmp_path: Path) -> None:
    page = new_context(offline=True).new_page()
    file = tmp_path / "foreign.html"
    foreign = "<script>document.title = 'taken over'</script><img src=x onerror=\"document.title = 'taken over'\">"
    file.write_text(files["in-car"].read_text("utf-8").replace("<main>", f"<main>{foreign}", 1), "utf-8")
    page.goto(file.as_uri())
    assert page.get_by_role("button", name="PNG").count() > 0, "its own has run"
    assert page.title().startswith("Report: ")


def print_on_paper(page: Page, file: Path, report: str) -> None:
    file.write_text(report, "utf-8")
    page.set_viewport_size({"width": 680, "height": 960})
    page.emulate_media(media="print")
    page.goto(file.as_uri())


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize("name", first_of(["trajectories"], ["in-car"], "on other templates"))
def test_on_paper_figures_are_wide_and_the_appendix_is_printed_by_itself_with_every_table_open(
    page: Page, files: dict[str, Path], name: str
) -> None:
    page.set_viewport_size({"width": 680, "height": 960})
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(files[name].as_uri())
    assert not page.locator("#appendix").is_visible()
    assert page.locator("figure.figure").count() > 0
    for figure in page.locator("figure.figure").all():
        assert figure.locator(".figure-wide").first.is_visible()
        assert not figure.locator(".figure-narrow").first.is_visible()
        assert figure.locator(".figure-view:visible").count() == 0, "what could be chosen is not printed"
    assert pages_of(page.pdf(prefer_css_page_size=True)) > 1
    page.goto(f"{files[name].as_uri()}#appendix")
    assert not page.locator("main").is_visible()
    tables = page.locator("#appendix table")
    assert tables.count() > 5
    assert all(table.is_visible() for table in tables.all())
    assert all(
        (box := table.bounding_box()) is not None and box["height"] > 20 and box["x"] + box["width"] <= 682
        for table in tables.all()
    )


@pytest.mark.parametrize("name", first_of(USUAL, sorted({*NAMES} - {*USUAL}), "on other templates"))
def test_a_filled_template_prints_on_twelve_pages_and_its_summary_on_one(page: Page, tmp_path: Path, name: str) -> None:
    """The paper is A4; margins and the page's own numbers are those of print.css."""
    print_on_paper(page, tmp_path / "report.html", golden(name).html())
    assert 2 < pages_of(page.pdf(prefer_css_page_size=True)) <= 12
    header, summary = (page.locator(each).bounding_box() for each in ("header", ".summary"))
    assert header is not None
    assert summary is not None
    assert summary["y"] + summary["height"] - header["y"] <= 263 / 25.4 * 96, "the height of a page, less its margins"


@on_templates("empathy")
def test_three_people_with_long_names_who_have_done_all_print_on_twelve_pages(
    page: Page, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "study"
    fill(folder, Scene(name, people=3, per_item=3), now=T0)
    study = load(folder)
    with closing(open_store(folder / "assay.db")) as store:
        made = build(gather_with_fieldwork(store, store.read(studies.find, study.study)[0], study, T0))
    people = {each.annotator for each in made.data.that_count if not each.judge}
    assert len(people) == 3
    assert min(map(len, people)) > 38
    print_on_paper(page, tmp_path / "report.html", made.html())
    assert pages_of(page.pdf(prefer_css_page_size=True)) <= 12


@pytest.mark.parametrize("name", first_of(USUAL, sorted({*NAMES} - {*USUAL}), "on other templates"))
def test_on_paper_no_letter_of_a_figure_is_smaller_than_six_points(page: Page, tmp_path: Path, name: str) -> None:
    print_on_paper(page, tmp_path / "report.html", golden(name).html())
    drawn = page.locator("main figure.figure svg").evaluate_all(
        "all => all.filter(each => each.clientHeight).map(each => [each.clientHeight, each.getScreenCTM().a])"
    )
    assert len(drawn) > 3
    assert max(height for height, _ in drawn) <= 225 / 25.4 * 96 + 1, "each fits on one page"
    assert min(LETTERS * scale for _, scale in drawn) >= 6 / 72 * 96
